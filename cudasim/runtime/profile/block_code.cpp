#include "block_code.h"

#include "source_line.h"

namespace cudasim {

// As the tool writes it: the first two count from where they stand.
struct CodeRecord {
  int mark, instruction;
  unsigned number;
  Ending ending;
  unsigned sums32, products32, sums64, products64, library;
};

// The linker names the ends of a section whose name is an identifier. A program without kernels has
// none.
extern "C" __attribute__((weak)) const CodeRecord __start_cudasim_code[], __stop_cudasim_code[];

static unsigned code_from(const int &offset) {
  return code_of(reinterpret_cast<const char *>(&offset) + offset);
}

static BlockCodes read_block_codes() {
  BlockCodes blocks;
  for (const CodeRecord *record = __start_cudasim_code; record != __stop_cudasim_code; ++record) {
    BlockCode &block = blocks[code_from(record->mark)];
    block.number = record->number;
    block.lines.push_back({code_from(record->instruction),
                           record->ending,
                           {record->sums32, record->products32, record->sums64, record->products64,
                            record->library}});
  }
  return blocks;
}

const BlockCodes &block_codes() {
  static const auto &blocks = *new BlockCodes(read_block_codes());
  return blocks;
}

Count work_of_block(unsigned mark) {
  auto block = block_codes().find(mark);
  Count work = 0;
  if (block != block_codes().end())
    for (const CodeOfLine &code : block->second.lines) work += code.work();
  return work;
}

}  // namespace cudasim
