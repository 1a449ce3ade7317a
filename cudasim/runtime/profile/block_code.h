// What each source line does in each basic block: the table that tools/number-blocks writes.
#pragma once

#include <unordered_map>
#include <vector>

#include "counters.h"

namespace cudasim {

// What warps execute of a source line.
struct LineWork {
  Count executions;  // of basic blocks that have code of the line
  Count fp32, fp64;  // sums, differences and products of floating-point numbers
  Count library;     // divisions, square roots and calls, which a GPU carries out in several instructions
};

// What one execution of a basic block does for a line.
struct CodeOfLine {
  unsigned code;  // of an instruction of the line
  LineWork once;  // without `executions`
};

// By the code address that marks the block.
typedef std::unordered_map<unsigned, std::vector<CodeOfLine>> BlockCode;
BlockCode read_block_code();

}  // namespace cudasim
