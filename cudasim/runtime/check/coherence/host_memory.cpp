// Host memory that is freed holds no copies, and functions of the C library that use memory for instrumented code.

#include <malloc.h>
#include <unistd.h>

#include "address_check.h"
#include "bookkeeping.h"
#include "coherence.h"
#include "shadow.h"
#include "source_line.h"
#include "transitions.h"

#define CALLER __builtin_return_address(0)

extern "C" {
void __libc_free(void *memory);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
}

namespace cudasim {

__thread unsigned Bookkeeping::depth_;

static bool is_linked(const void *memory, size_t bytes) {
  return memory && !Bookkeeping::is_going_on() && any_state(reinterpret_cast<size_t>(memory), bytes);
}

static void note_free(const void *memory, size_t bytes) {
  if (!is_linked(memory, bytes)) return;
  Bookkeeping bookkeeping;
  host_vanished(reinterpret_cast<size_t>(memory), bytes);
}

// Memory that has links moves when it grows: what is read and written is known then.
static void *grow(void *memory, size_t old_bytes, size_t bytes, const void *caller) {
  if (bytes <= old_bytes) return memory;
  void *moved = malloc(bytes);
  if (!moved) return nullptr;
  track_host_access(memory, old_bytes, Access::read, caller);
  track_host_access(moved, old_bytes, Access::write, caller);
  memcpy(moved, memory, old_bytes);
  free(memory);
  return moved;
}

}  // namespace cudasim

using cudasim::Access;

static void note(const void *memory, size_t bytes, Access access, const void *caller) {
  if (bytes) cudasim::check_access(memory, bytes, access, caller);
}

// ---- allocation ----------------------------------------------------------------------------

extern "C" {

void free(void *memory) noexcept {
  if (memory) cudasim::note_free(memory, malloc_usable_size(memory));
  __libc_free(memory);
}

void *calloc(size_t count, size_t bytes) noexcept {
  void *memory = __libc_calloc(count, bytes);
  if (cudasim::is_linked(memory, count * bytes))
    cudasim::track_host_access(memory, count * bytes, Access::write, CALLER);
  return memory;
}

void *realloc(void *memory, size_t bytes) noexcept {
  size_t old_bytes = memory ? malloc_usable_size(memory) : 0;
  if (!bytes || !cudasim::is_linked(memory, old_bytes)) return __libc_realloc(memory, bytes);
  return cudasim::grow(memory, old_bytes, bytes, CALLER);
}

// ---- functions that cudasim-cc makes instrumented code call ------------------------------------

int cudasim_memcmp(const void *a, const void *b, size_t bytes) {
  note(a, bytes, Access::read, CALLER);
  note(b, bytes, Access::read, CALLER);
  return memcmp(a, b, bytes);
}

size_t cudasim_fread(void *to, size_t bytes, size_t count, FILE *file) {
  size_t got = fread(to, bytes, count, file);
  note(to, got * bytes, Access::write, CALLER);
  return got;
}

size_t cudasim_fwrite(const void *from, size_t bytes, size_t count, FILE *file) {
  note(from, bytes * count, Access::read, CALLER);
  return fwrite(from, bytes, count, file);
}

ssize_t cudasim_read(int file, void *to, size_t bytes) {
  ssize_t got = read(file, to, bytes);
  if (got > 0) note(to, size_t(got), Access::write, CALLER);
  return got;
}

ssize_t cudasim_write(int file, const void *from, size_t bytes) {
  note(from, bytes, Access::read, CALLER);
  return write(file, from, bytes);
}
}
