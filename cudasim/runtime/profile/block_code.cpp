#include "block_code.h"

#include "source_line.h"

namespace cudasim {

// As the tool writes it: the first two count from where they stand.
struct CodeRecord {
  int mark, instruction;
  unsigned fp32, fp64, library;
};

// The linker names the ends of a section whose name is an identifier. A program without kernels has none.
extern "C" __attribute__((weak)) const CodeRecord __start_cudasim_code[], __stop_cudasim_code[];

static unsigned code_from(const int &offset) {
  return code_of(reinterpret_cast<const char *>(&offset) + offset);
}

BlockCode read_block_code() {
  BlockCode blocks;
  for (const CodeRecord *record = __start_cudasim_code; record != __stop_cudasim_code; ++record)
    blocks[code_from(record->mark)].push_back(
        {code_from(record->instruction), {0, record->fp32, record->fp64, record->library}});
  return blocks;
}

}  // namespace cudasim
