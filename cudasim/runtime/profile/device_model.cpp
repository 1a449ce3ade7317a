#include "device_model.h"

#include <string>
#include <unistd.h>

#include "limits.h"
#include "request.h"

namespace cudasim {

constexpr int wrong_usage = 2;

[[noreturn]] static void refuse(const char *file, const char *what) {
  fprintf(stderr, "cudasim: CUDASIM_TARGET: %s: %s\n", file, what);
  _exit(wrong_usage);
}

static std::string read_file(const char *name) {
  FILE *file = fopen(name, "r");
  if (!file) refuse(name, "cannot be read");
  std::string text;
  for (int c; (c = getc(file)) != EOF;) text += char(c);
  fclose(file);
  return text;
}

// A target file is one object of names and values.  Only positive numbers are of interest.
class TargetFile {
 public:
  TargetFile() : name_(getenv("CUDASIM_TARGET")) {
    if (name_ && *name_) text_ = read_file(name_);
  }

  unsigned long long number(const char *key, unsigned long long standard) const {
    size_t at = text_.find("\"" + std::string(key) + "\"");
    if (at == std::string::npos) return standard;
    at = text_.find_first_not_of(" \t\r\n:", at + strlen(key) + 2);
    bool has_digit = at != std::string::npos && isdigit((unsigned char)text_[at]);
    unsigned long long value = has_digit ? strtoull(&text_[at], nullptr, 10) : 0;
    if (!value) refuse(name_, (std::string(key) + " must be a positive number").c_str());
    return value;
  }

  DeviceModel read() const {
    DeviceModel model = {number("multiprocessors", multiprocessor_count),
                         {number("l2_bytes", l2_bytes), number("l2_line_bytes", 128),
                          number("l2_ways", 16)}};
    if (model.l2.line_bytes % sector_bytes || model.l2.bytes < model.l2.line_bytes)
      refuse(name_, "l2_line_bytes must be a multiple of 32, and at most l2_bytes");
    return model;
  }

 private:
  const char *name_;
  std::string text_;
};

const DeviceModel &device_model() {
  static const DeviceModel model = TargetFile().read();
  return model;
}

// A wrong file is told before the program begins.
__attribute__((constructor(103))) static void check_target() { device_model(); }

}  // namespace cudasim
