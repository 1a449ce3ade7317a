#include "shadow.h"

#include <sys/mman.h>

namespace cudasim {

Directory *directories[sizeof directories / sizeof *directories];

static char *new_zeroed(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) return static_cast<char *>(memory);
  fprintf(stderr, "cudasim: no memory for the checker's records\n");
  abort();
}

// Pages are asked of the system many at a time.
static ShadowPage *new_page() {
  constexpr size_t many = 64;
  static ShadowPage *next, *end;
  if (next == end) {
    next = reinterpret_cast<ShadowPage *>(new_zeroed(many * sizeof(ShadowPage)));
    end = next + many;
  }
  return next++;
}

// The caller has the turn; other threads look pages up meanwhile.
ShadowPage &created_page(size_t address) {
  if (ShadowPage *page = shadow_page(address)) return *page;
  Directory *&directory = directories[address >> directory_address_bits];
  if (!directory)
    __atomic_store_n(&directory, reinterpret_cast<Directory *>(new_zeroed(sizeof(Directory))), __ATOMIC_RELEASE);
  ShadowPage *page = new_page();
  __atomic_store_n(&(*directory)[page_index(address)], page, __ATOMIC_RELEASE);
  return *page;
}

static bool concerns(State state, unsigned char bit) { return static_cast<unsigned char>(state) & bit; }

// From `offset`, eight states at a time as long as none has the bit.
static size_t first_in_page(const ShadowPage &page, size_t offset, size_t end, unsigned char bit) {
  const unsigned long bits = 0x0101010101010101ul * bit;
  for (; offset + 8 <= end; offset += 8) {
    unsigned long eight;
    memcpy(&eight, page.states + offset, sizeof eight);
    if (eight & bits) break;
  }
  while (offset < end && !concerns(page.states[offset], bit)) ++offset;
  return offset;
}

size_t first_concerned(size_t address, size_t end, unsigned char bit) {
  while (address < end) {
    size_t offset = in_page(address), page_end = std::min(shadow_page_bytes, offset + (end - address));
    const ShadowPage *page = shadow_page(address);
    size_t found = page ? first_in_page(*page, offset, page_end, bit) : page_end;
    address += found - offset;
    if (found < page_end) return address;
  }
  return end;
}

}  // namespace cudasim
