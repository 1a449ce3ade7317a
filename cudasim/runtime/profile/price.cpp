#include "price.h"

#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace cudasim {

static const char *named_by(const char *variable) {
  const char *name = getenv(variable);
  return name && *name ? name : nullptr;
}

static void run_pricing(const char *program, const char *profile, const char *target) {
  pid_t child = fork();
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl(program, program, profile, "--target", target, (char *)nullptr);
    _exit(127);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

void price(const Report &report) {
  const char *program = named_by("CUDASIM_TIME"), *target = named_by("CUDASIM_TARGET");
  if (!program || !target) return;
  const char *folder = named_by("TMPDIR");
  std::string name = std::string(folder ? folder : "/tmp") + "/cudasim-profile-XXXXXX";
  int descriptor = mkstemp(name.data());
  FILE *file = descriptor < 0 ? nullptr : fdopen(descriptor, "w");
  if (!file) {
    fprintf(stderr, "cudasim: no time is told, because %s cannot be written\n", name.c_str());
    return;
  }
  write_json(file, report);
  fclose(file);
  fputc('\n', stderr);
  fflush(stderr);
  run_pricing(program, name.c_str(), target);
  unlink(name.c_str());
}

}  // namespace cudasim
