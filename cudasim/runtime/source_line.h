// From a code address to the line of the program's source.
#pragma once

#include <string>
#include <vector>

namespace cudasim {

// Addresses are kept as offsets into the program, in 32 bits.
unsigned code_of(const void *address);

struct SourceLine {
  std::string file;  // empty if unknown
  int line = 0;

  std::string text() const;
};

// The line of the call that returns to this address.
SourceLine source_line(unsigned code);
std::vector<SourceLine> source_lines(const std::vector<unsigned> &codes);

// What the program's source has there; empty if it cannot be read.
std::string source_text(const SourceLine &place);

// A path as a user would type it: relative to the current directory if it lies below.
std::string short_path(const std::string &path);

}  // namespace cudasim
