#include "shadow.h"

#include <sys/mman.h>

namespace cudasim {

// Two levels of pointers: user addresses have 47 bits.
constexpr unsigned page_address_bits = 12, directory_bits = 18, address_bits = 47;
constexpr unsigned directory_address_bits = page_address_bits + directory_bits;
static_assert(size_t(1) << page_address_bits == shadow_page_bytes, "a page of the shadow");

using Directory = ShadowPage *[size_t(1) << directory_bits];
static Directory *directories[size_t(1) << (address_bits - directory_address_bits)];

template <class Type>
static Type *new_zeroed() {
  void *memory = mmap(nullptr, sizeof(Type), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) return static_cast<Type *>(memory);
  fprintf(stderr, "cudasim: no memory for the checker's records\n");
  abort();
}

// What another thread has created meanwhile is taken instead.
template <class Type>
static Type *get_or_create(Type *&slot) {
  Type *found = __atomic_load_n(&slot, __ATOMIC_ACQUIRE);
  if (found) return found;
  Type *created = new_zeroed<Type>();
  if (__atomic_compare_exchange_n(&slot, &found, created, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return created;
  munmap(created, sizeof(Type));
  return found;
}

static size_t directory_index(size_t address) { return address >> directory_address_bits; }
static size_t page_index(size_t address) {
  return (address >> page_address_bits) & ((size_t(1) << directory_bits) - 1);
}
static size_t in_page(size_t address) { return address & (shadow_page_bytes - 1); }

ShadowPage *shadow_page(size_t address) {
  if (address >> address_bits) return nullptr;
  Directory *directory = __atomic_load_n(&directories[directory_index(address)], __ATOMIC_ACQUIRE);
  return directory ? __atomic_load_n(&(*directory)[page_index(address)], __ATOMIC_ACQUIRE) : nullptr;
}

static ShadowPage &created_page(size_t address) {
  return *get_or_create((*get_or_create(directories[directory_index(address)]))[page_index(address)]);
}

State &shadow_state(size_t address) { return created_page(address).states[in_page(address)]; }

unsigned &shadow_writer(size_t address) { return created_page(address).writers[in_page(address) / writer_bytes]; }

unsigned char &shadow_old_value(size_t address) { return created_page(address).old_values[in_page(address)]; }

State state_of(size_t address) {
  const ShadowPage *page = shadow_page(address);
  return page ? page->states[in_page(address)] : State::unlinked;
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

bool any_concerns(size_t address, size_t bytes, unsigned char bit) {
  return first_concerned(address, address + bytes, bit) < address + bytes;
}

bool any_state(size_t address, size_t bytes) { return any_concerns(address, bytes, 0xff); }

}  // namespace cudasim
