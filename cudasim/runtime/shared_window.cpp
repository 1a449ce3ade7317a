// The addresses that a block's shared memory can have: those of the program's thread-local storage, which ends at
// the thread pointer. (Drepper, "ELF Handling For Thread-Local Storage", variant II.)

#include <link.h>

namespace cudasim {

// The first object that the dynamic linker lists is the program.
static int read_size(dl_phdr_info *info, size_t, void *result) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    if (part.p_type == PT_TLS)
      *static_cast<size_t *>(result) = (part.p_memsz + part.p_align - 1) / part.p_align * part.p_align;
  }
  return 1;
}

static size_t window_bytes() {
  static const size_t bytes = [] {
    size_t found = 0;
    dl_iterate_phdr(read_size, &found);
    return found;
  }();
  return bytes;
}

static char *window_begin() {
  return static_cast<char *>(__builtin_thread_pointer()) - window_bytes();
}

bool is_in_shared_window(const void *p) {
  return size_t(static_cast<const char *>(p) - window_begin()) < window_bytes();
}

size_t to_shared_window(const void *p) {
  return size_t(static_cast<const char *>(p) - window_begin());
}

void *from_shared_window(size_t offset) { return window_begin() + offset; }

}  // namespace cudasim
