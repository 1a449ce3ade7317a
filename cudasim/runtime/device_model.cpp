#include "device_model.h"

#include <ctype.h>
#include <errno.h>
#include <unistd.h>

#include "limits.h"

namespace cudasim {

constexpr int wrong_usage = 2;

[[noreturn]] void refuse_setting(const char *variable, const char *value, const char *what) {
  fprintf(stderr, "cudasim: %s: %s: %s\n", variable, value, what);
  _exit(wrong_usage);
}

[[noreturn]] static void refuse_target(const char *file, const char *what) {
  refuse_setting("CUDASIM_TARGET", file, what);
}

unsigned long long number_setting(const char *variable, unsigned long long standard,
                                  unsigned long long most) {
  const char *text = getenv(variable);
  if (!text || !*text) return standard;
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (isdigit((unsigned char)*text) && !*end && !errno && value && value <= most) return value;
  char what[64];
  snprintf(what, sizeof what, "must be a number from 1 to %llu", most);
  refuse_setting(variable, text, what);
}

static char *read_file(const char *name) {
  FILE *file = fopen(name, "r");
  if (!file) refuse_target(name, "cannot be read");
  size_t bytes = 0, capacity = 4096;
  char *text = static_cast<char *>(malloc(capacity));
  for (size_t got; text && (got = fread(text + bytes, 1, capacity - bytes - 1, file)) > 0;) {
    bytes += got;
    if (bytes + 1 == capacity) text = static_cast<char *>(realloc(text, capacity *= 2));
  }
  fclose(file);
  if (!text) refuse_target(name, "is too large");
  text[bytes] = 0;
  return text;
}

static const char *skip(const char *text, const char *characters) {
  return text + strspn(text, characters);
}

// A target file is one object of names and values, of which only some are of interest.
class TargetFile {
 public:
  TargetFile() : name_(getenv("CUDASIM_TARGET")) {
    if (name_ && *name_) text_ = read_file(name_);
  }
  ~TargetFile() { free(text_); }
  TargetFile(const TargetFile &) = delete;
  TargetFile &operator=(const TargetFile &) = delete;

  DeviceModel read() const {
    DeviceModel model = {};
    read_name(model.name, sizeof model.name);
    model.multiprocessors = number("multiprocessors", multiprocessor_count);
    model.memory_bytes = number_setting(
        "CUDASIM_MEMORY", number("memory_bytes", device_memory_bytes), max_device_memory_bytes);
    model.block_shared_bytes = number("shared_memory_per_block_optin", max_dynamic_shared_bytes);
    model.multiprocessor = {number("threads_per_multiprocessor", multiprocessor_threads),
                            number("blocks_per_multiprocessor", multiprocessor_blocks),
                            number("shared_memory_per_multiprocessor", multiprocessor_shared_bytes),
                            number("reserved_shared_memory_per_block", reserved_shared_bytes, 0),
                            number("registers_per_multiprocessor", multiprocessor_registers)};
    read_l1(model.l1);
    model.l2 = {number("l2_bytes", l2_bytes), number("l2_line_bytes", 128), number("l2_ways", 16)};
    check(model);
    return model;
  }

 private:
  // Behind the name of a field and its colon; null if there is no such field.
  const char *value_of(const char *key) const {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    const char *at = text_ ? strstr(text_, quoted) : nullptr;
    return at ? skip(at + strlen(quoted), " \t\r\n:") : nullptr;
  }

  unsigned long long number(const char *key, unsigned long long standard,
                            unsigned long long least = 1) const {
    const char *at = value_of(key);
    if (!at) return standard;
    unsigned long long value = isdigit((unsigned char)*at) ? strtoull(at, nullptr, 10) : 0;
    if (!isdigit((unsigned char)*at) || value < least) refuse_number(key, least);
    return value;
  }

  [[noreturn]] void refuse_number(const char *key, unsigned long long least) const {
    char what[128];
    snprintf(what, sizeof what, "%s must be a %s number", key, least ? "positive" : "natural");
    refuse_target(name_, what);
  }

  void read_name(char *name, size_t room) const {
    const char *at = value_of("name");
    const char *begin = at && *at == '"' ? at + 1 : default_device_name;
    size_t length = at && *at == '"' ? strcspn(begin, "\"") : strlen(begin);
    snprintf(name, room, "%.*s", int(length), begin);
  }

  void read_l1(L1Model &l1) const {
    l1.bytes = number("l1_bytes", l1_bytes);
    l1.line_bytes = number("l1_line_bytes", 128);
    const char *at = value_of("shared_memory_carveouts");
    if (at) return read_carveouts(l1, at);
    if (value_of("l1_bytes")) return;
    for (unsigned long long bytes : shared_carveouts) l1.carveouts[l1.carveout_count++] = bytes;
  }

  void read_carveouts(L1Model &l1, const char *at) const {
    const char *const wrong =
        "shared_memory_carveouts must be an ascending list of at most 16 numbers";
    if (*at != '[') refuse_target(name_, wrong);
    at = skip(at + 1, " \t\r\n");
    while (*at != ']') {
      if (l1.carveout_count == max_carveouts || !isdigit((unsigned char)*at))
        refuse_target(name_, wrong);
      char *end;
      unsigned long long bytes = strtoull(at, &end, 10);
      if (l1.carveout_count && bytes <= l1.carveouts[l1.carveout_count - 1])
        refuse_target(name_, wrong);
      l1.carveouts[l1.carveout_count++] = bytes;
      at = skip(end, " \t\r\n,");
    }
  }

  void check(const DeviceModel &model) const {
    if (model.block_shared_bytes > max_dynamic_shared_bytes)
      refuse_target(name_, "shared_memory_per_block_optin must be at most 232448");
    if (model.l2.line_bytes % sector_bytes || model.l2.bytes < model.l2.line_bytes)
      refuse_target(name_, "l2_line_bytes must be a multiple of 32, and at most l2_bytes");
    constexpr unsigned most_sectors = 32;
    if (model.l1.line_bytes % sector_bytes || model.l1.line_bytes > most_sectors * sector_bytes)
      refuse_target(name_, "l1_line_bytes must be a multiple of 32, and at most 1024");
  }

  const char *name_;
  char *text_ = nullptr;
};

unsigned long long L1Model::cache_bytes(unsigned long long shared) const {
  for (int i = 0; i < carveout_count; ++i)
    if (carveouts[i] >= shared) {
      shared = carveouts[i];
      break;
    }
  return shared < bytes ? bytes - shared : 0;
}

const DeviceModel &device_model() {
  static const DeviceModel model = TargetFile().read();
  return model;
}

// A wrong file is told before the program begins.
__attribute__((constructor(103))) static void check_target() { device_model(); }

}  // namespace cudasim
