// The executable's own symbol table: shared variables, device variables, kernel names.
#pragma once

#include <vector>

namespace cudasim {

struct Symbol {
  const char *name;  // the last part, without parameters: `tile`, `matmul<float>`
  char *begin;
  size_t bytes;
};

// Variables of thread-local storage: their addresses are those of the calling thread.
std::vector<Symbol> thread_local_symbols();

// The bytes in which g++ notes that it has come by an array of objects with constructors, though
// there is nothing to construct.  The program knows nothing of them.
std::vector<Symbol> thread_local_guards();

// Variables that lie in [begin, end).
std::vector<Symbol> object_symbols(const char *begin, const char *end);

// The function at this address, or null.
const char *function_name(const void *address);

// The program's memory image, and the part of it that may be written.
struct Image {
  char *begin, *end;
  char *writable_begin, *writable_end;
};
const Image &program_image();

const char *program_path();

// Where the linker put the code at this offset into the program.
unsigned long link_address(unsigned code);

}  // namespace cudasim
