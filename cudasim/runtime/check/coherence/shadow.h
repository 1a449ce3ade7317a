// A shadow of memory, of the host's and the device's: the state of each byte, and who wrote the newest value.
#pragma once

namespace cudasim {

// A byte of host memory has copies on the device, a byte of device memory has a home on the host. The bits let one
// test tell for several bytes whether an access matters.
constexpr unsigned char concerns_loads = 0x10, concerns_stores = 0x20;

enum class State : unsigned char {
  unlinked = 0,
  sole = 0x01,                                       // the newest value is here and not on the other side
  shared = 0x02 | concerns_stores,                   // both sides have it
  stale = 0x03 | concerns_stores | concerns_loads,   // the other side has it
  lost = 0x04 | concerns_stores | concerns_loads,    // the device had it, and its memory was freed or overwritten
  freed = 0x05 | concerns_stores,                    // host memory that was freed, with a link that is not
};

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

// Null if nothing in the page was ever linked.
ShadowPage *shadow_page(size_t address);

// These create the page.
State &shadow_state(size_t address);
unsigned &shadow_writer(size_t address);
unsigned char &shadow_old_value(size_t address);

State state_of(size_t address);

// Whether a byte of the range has a state with this bit.
bool any_concerns(size_t address, size_t bytes, unsigned char bit);

// The first such byte at or after `address`; `end` if there is none.
size_t first_concerned(size_t address, size_t end, unsigned char bit);

// Whether a byte of the range has a state.
bool any_state(size_t address, size_t bytes);

}  // namespace cudasim
