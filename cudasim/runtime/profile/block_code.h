// What each source line does in each basic block: the table that tools/number-blocks writes.
#pragma once

#include <unordered_map>
#include <vector>

#include "counters.h"

namespace cudasim {

// Operations of a source line. One of all lanes of a warp counts once.
struct Operations {
  Count sums32, products32;  // of floating-point numbers of 32 bits; differences are sums
  Count sums64, products64;
  Count library;  // divisions, square roots and calls: several instructions of a GPU

  void add(const Operations &other, Count times) {
    sums32 += other.sums32 * times, products32 += other.products32 * times;
    sums64 += other.sums64 * times, products64 += other.products64 * times;
    library += other.library * times;
  }

  Count all() const { return sums32 + products32 + sums64 + products64 + library_steps * library; }

  // Instructions of a GPU in a division, a square root or a call, roughly.
  static constexpr Count library_steps = 10;
};

// How a line ends a basic block: the last instruction is not of the line, is a conditional jump, or
// is another.
enum class Ending : unsigned { none, branch, other };

// What a basic block does for a line.
struct CodeOfLine {
  unsigned code;  // of an instruction of the line
  Ending ending;
  Operations operations;

  // What a warp does for the line when it enters the block: something at any rate.
  Count work() const { return 1 + operations.all(); }
};

struct BlockCode {
  unsigned number;  // in the order of tools/number-blocks
  std::vector<CodeOfLine> lines;
};

// By the code address that marks the block.
typedef std::unordered_map<unsigned, BlockCode> BlockCodes;
const BlockCodes &block_codes();

// What a warp does for all lines when it enters a block.
Count work_of_block(unsigned mark);

}  // namespace cudasim
