#include "registers.h"

#include <algorithm>
#include <ctype.h>
#include <map>

#include "device_model.h"

namespace cudasim {

constexpr unsigned long most_registers = 255;

typedef std::map<std::string, unsigned> RegisterCounts;  // of all kernels: the empty name

static const char registers_variable[] = "CUDASIM_REGISTERS";

static void add_entry(RegisterCounts &counts, const std::string &entry) {
  size_t equals = entry.rfind('=');
  std::string kernel = equals == std::string::npos ? "" : entry.substr(0, equals);
  const char *digits = entry.c_str() + (equals == std::string::npos ? 0 : equals + 1);
  char *end;
  unsigned long registers = strtoul(digits, &end, 10);
  if (!isdigit((unsigned char)*digits) || *end || !registers || registers > most_registers)
    refuse_setting(registers_variable, entry.c_str(),
                   "must be a number from 1 to 255, or `kernel=number`");
  counts[kernel] = unsigned(registers);
}

static RegisterCounts *read_counts() {
  auto *counts = new RegisterCounts;
  const char *setting = getenv(registers_variable);
  std::string text = setting ? setting : "";
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(';', begin), text.size());
    if (end > begin) add_entry(*counts, text.substr(begin, end - begin));
    begin = end + 1;
  }
  return counts;
}

static const RegisterCounts &register_counts() {
  static const RegisterCounts &counts = *read_counts();
  return counts;
}

// A wrong setting is told before the program begins.
__attribute__((constructor(103))) static void check_registers() { register_counts(); }

unsigned registers_of(const std::string &kernel) {
  const RegisterCounts &counts = register_counts();
  auto found = counts.find(kernel);
  if (found == counts.end()) found = counts.find("");
  return found == counts.end() ? 0 : found->second;
}

}  // namespace cudasim
