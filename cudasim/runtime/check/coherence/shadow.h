// A shadow of memory, of the host's and the device's: the state of each byte, and who wrote the newest value.
#pragma once

#include <algorithm>

namespace cudasim {

// One test of these bits tells for several bytes whether an access matters.
constexpr unsigned char concerns_loads = 0x10, concerns_stores = 0x20;

// Of a byte of host memory, which has copies on the device, or of a byte of device memory, which has a home on the host.
enum class State : unsigned char {
  unlinked = 0,
  sole = 0x01,                                       // the newest value is here alone
  twin = 0x06 | concerns_stores,                     // it is on the device alone, and perhaps in another copy too
  shared = 0x02 | concerns_stores,                   // both sides have it
  stale = 0x03 | concerns_stores | concerns_loads,   // the other side has it
  lost = 0x04 | concerns_stores | concerns_loads,    // the device had it, and its memory was freed or overwritten
  freed = 0x05 | concerns_stores,                    // host memory that was freed, with a link that is not
};

// A byte of the device has the newest value, and the host has not.
inline bool is_alone(State state) { return state == State::sole || state == State::twin; }

constexpr size_t shadow_page_bytes = 4096;
constexpr size_t writer_bytes = 4;

struct ShadowPage {
  State states[shadow_page_bytes];
  // The code that wrote the newest value, or lost it.
  unsigned writers[shadow_page_bytes / writer_bytes];
  // The value of a byte of the host when it became stale: a byte that differs was written by code that is not
  // instrumented.
  unsigned char old_values[shadow_page_bytes];
};

// Two levels of pointers: user addresses have 47 bits.
constexpr unsigned page_address_bits = 12, directory_bits = 18, address_bits = 47;
constexpr unsigned directory_address_bits = page_address_bits + directory_bits;
static_assert(size_t(1) << page_address_bits == shadow_page_bytes, "a page of the shadow");

using Directory = ShadowPage *[size_t(1) << directory_bits];
extern Directory *directories[size_t(1) << (address_bits - directory_address_bits)];

inline size_t in_page(size_t address) { return address & (shadow_page_bytes - 1); }
inline size_t page_index(size_t address) {
  return (address >> page_address_bits) & ((size_t(1) << directory_bits) - 1);
}

// Null if nothing in the page was ever linked.
inline ShadowPage *shadow_page(size_t address) {
  if (address >> address_bits) return nullptr;
  Directory *directory = __atomic_load_n(&directories[address >> directory_address_bits], __ATOMIC_ACQUIRE);
  return directory ? __atomic_load_n(&(*directory)[page_index(address)], __ATOMIC_ACQUIRE) : nullptr;
}

// The caller has the turn.
ShadowPage &created_page(size_t address);

inline State state_of(size_t address) {
  const ShadowPage *page = shadow_page(address);
  return page ? page->states[in_page(address)] : State::unlinked;
}
inline unsigned writer_of(size_t address) {
  const ShadowPage *page = shadow_page(address);
  return page ? page->writers[in_page(address) / writer_bytes] : 0;
}

// Calls `visit` with the part of each page that lies in the range: the page, the offset in it, how many bytes, and how
// far into the range.  Pages are created.
template <class Visit>
void for_each_page(size_t address, size_t bytes, Visit visit) {
  for (size_t done = 0, part; done < bytes; done += part) {
    size_t offset = in_page(address + done);
    part = std::min(shadow_page_bytes - offset, bytes - done);
    visit(created_page(address + done), offset, part, done);
  }
}

// The first byte of the range whose state has this bit; its end if there is none.
size_t first_concerned(size_t address, size_t end, unsigned char bit);

// Whether any has.  Nearly all accesses are small, in one page, and to none.
inline bool any_concerns(size_t address, size_t bytes, unsigned char bit) {
  size_t offset = in_page(address);
  if (bytes > 8 || offset + 8 > shadow_page_bytes)
    return first_concerned(address, address + bytes, bit) < address + bytes;
  const ShadowPage *page = shadow_page(address);
  if (!page) return false;
  unsigned long eight;
  memcpy(&eight, page->states + offset, sizeof eight);
  return eight << (64 - 8 * bytes) & 0x0101010101010101ul * bit;
}

// Whether a byte of the range has a state.
inline bool any_state(size_t address, size_t bytes) { return bytes && any_concerns(address, bytes, 0xff); }

}  // namespace cudasim
