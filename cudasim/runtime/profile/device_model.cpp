#include "device_model.h"

#include "limits.h"

namespace cudasim {

static unsigned long long setting(const char *name, unsigned long long standard) {
  const char *text = getenv(name);
  if (!text || !*text) return standard;
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  if (*end == '\0' && value > 0) return value;
  fprintf(stderr, "cudasim: %s is '%s', but must be a positive number\n", name, text);
  exit(2);
}

const DeviceModel &device_model() {
  static const DeviceModel model = {
      unsigned(setting("CUDASIM_MULTIPROCESSORS", multiprocessor_count)),
      {setting("CUDASIM_L2_BYTES", l2_bytes), setting("CUDASIM_L2_WAYS", 16)}};
  return model;
}

}  // namespace cudasim
