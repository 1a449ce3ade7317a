#include "request.h"

namespace cudasim {

// Lanes mostly come in order of address, which insertion makes cheap.
static void sort(unsigned long long *values, unsigned count) {
  for (unsigned i = 1; i < count; ++i) {
    unsigned long long value = values[i];
    unsigned j = i;
    for (; j > 0 && values[j - 1] > value; --j) values[j] = values[j - 1];
    values[j] = value;
  }
}

static unsigned sort_distinct(unsigned long long *values, unsigned count) {
  sort(values, count);
  unsigned distinct = 0;
  for (unsigned i = 0; i < count; ++i)
    if (i == 0 || values[i] != values[i - 1]) values[distinct++] = values[i];
  return distinct;
}

static unsigned bit_range(unsigned first, unsigned count) {
  return (count == 32 ? ~0u : (1u << count) - 1) << first;
}

static void touch(TouchedSectors &touched, unsigned long long begin, unsigned bytes) {
  while (bytes) {
    unsigned long long number = begin / sector_bytes;
    unsigned first = begin % sector_bytes;
    unsigned here = bytes < sector_bytes - first ? bytes : sector_bytes - first;
    if (!touched.count || touched.sector[touched.count - 1].number != number)
      touched.sector[touched.count++] = {number, 0};
    touched.sector[touched.count - 1].mask |= bit_range(first, here);
    begin += here;
    bytes -= here;
  }
}

TouchedSectors touched_sectors(const Request &request) {
  TouchedSectors touched;
  touched.count = touched.distinct_bytes = 0;
  unsigned long long address[32], end = 0;
  memcpy(address, request.address, request.lanes * sizeof *address);
  sort(address, request.lanes);
  for (unsigned i = 0; i < request.lanes; ++i) {
    unsigned long long begin = address[i] > end ? address[i] : end;
    end = address[i] + request.bytes;
    if (begin >= end) continue;
    touched.distinct_bytes += unsigned(end - begin);
    touch(touched, begin, unsigned(end - begin));
  }
  return touched;
}

unsigned touched_lines(const TouchedSectors &touched) {
  static const unsigned long long sectors_per_line = device_model().l1.line_bytes / sector_bytes;
  unsigned lines = 0;
  unsigned long long last = 0;
  for (unsigned i = 0; i < touched.count; ++i) {
    unsigned long long line = touched.sector[i].number / sectors_per_line;
    lines += i == 0 || line != last;
    last = line;
  }
  return lines;
}

// The wavefronts of lanes that are served together, given the words that they touch.
static unsigned wavefronts(unsigned long long *words, unsigned count, bool one_by_one) {
  unsigned in_bank[bank_count] = {}, most = 0;
  unsigned served = one_by_one ? count : sort_distinct(words, count);
  for (unsigned i = 0; i < served; ++i) {
    unsigned used = ++in_bank[words[i] % bank_count];
    if (used > most) most = used;
  }
  return most;
}

static unsigned words_per_lane(unsigned bytes) {
  return bytes <= bank_bytes ? 1 : bytes / bank_bytes;
}

// Whether lanes whose numbers differ in one bit load from the same address, wherever both take part.
static bool agree_in_pairs(const Request &request, const unsigned char *places, unsigned bit) {
  unsigned long long address[32];
  unsigned present = 0;
  for (unsigned i = 0; i < request.lanes; ++i) {
    unsigned other = places[i] ^ bit;
    if ((present >> other & 1) && address[other] != request.address[i]) return false;
    address[places[i]] = request.address[i];
    present |= 1u << places[i];
  }
  return true;
}

// A wavefront returns 128 bytes: one register of each lane, or two of half of the lanes if others get
// the same ("Unexpected shared memory bank conflict", NVIDIA's developer forum, 2019, answer by Greg).
static unsigned lanes_at_once(const Request &request, const unsigned char *places, unsigned words) {
  bool packed = words > 1 && request.access == Access::read &&
                (agree_in_pairs(request, places, 1) || agree_in_pairs(request, places, 2));
  return (packed ? 64 : 32) / words;
}

BankUse bank_use(const Request &request, const unsigned char *places) {
  unsigned words = words_per_lane(request.bytes);
  unsigned together = lanes_at_once(request, places, words);
  BankUse use = {1, request.lanes, 0, 0, request.bytes};
  for (unsigned i = 0; i < request.lanes;) {
    unsigned group = places[i] / together, count = 0;
    unsigned long long word[64];
    for (; i < request.lanes && places[i] / together == group; ++i)
      for (unsigned w = 0; w < words; ++w) word[count++] = request.address[i] / bank_bytes + w;
    use.wavefronts += wavefronts(word, count, request.access == Access::atomic);
    ++use.ideal_wavefronts;
  }
  return use;
}

BankUse constant_use(const Request &request) {
  unsigned long long word[32];
  for (unsigned i = 0; i < request.lanes; ++i) word[i] = request.address[i] / bank_bytes;
  return {1, request.lanes, sort_distinct(word, request.lanes), 1, request.bytes};
}

}  // namespace cudasim
