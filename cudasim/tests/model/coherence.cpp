// Random stores, copies, allocations and frees, against a model that numbers values: a store makes a value with a new
// number, which is the newest of its home, and whoever reads a value with another number reads an old one.
#include "check.cpp"

#include <random>

using namespace cudasim;

constexpr int places = 24, buffers = 3;

static std::mt19937 generator(1);
static int any(int n) { return int(generator() % unsigned(n)); }

static unsigned char host[places];
static char *device[buffers];                 // null: not allocated
static int of_host[places], of_device[buffers][places], newest[places];
static int last_number;

static bool is_old_on_host(int i) { return of_host[i] != newest[i]; }
static bool is_old_on_device(int c, int i) { return of_device[c][i] != newest[i]; }

static int failures;

static void expect(bool condition, const char *what, int step) {
  if (condition) return;
  printf("step %d: %s\n", step, what);
  ++failures;
}

static void compare(int step) {
  for (int i = 0; i < places; ++i) {
    expect(any_concerns(size_t(host + i), 1, concerns_loads) == is_old_on_host(i), "the host's value", step);
    for (int c = 0; c < buffers; ++c)
      if (device[c])
        expect(any_concerns(size_t(device[c] + i), 1, concerns_loads) == is_old_on_device(c, i),
               "the device's value", step);
  }
}

static void allocate(int c) {
  void *memory;
  cudaMalloc(&memory, places);
  cudaMemset(memory, 0, places);
  device[c] = static_cast<char *>(memory);
  links(host, device[c], places);
  for (int i = 0; i < places; ++i) of_device[c][i] = -1;
}

// After the finding that an old value was copied, the checker does not know where else there is the same old value.
static void forget_others(int copied, int i) {
  for (int c = 0; c < buffers; ++c)
    if (c != copied) of_device[c][i] = ++last_number;
}

static void step(int number) {
  int begin = any(places), n = 1 + any(places - begin), c = any(buffers), other = any(buffers);
  char *d = device[c] ? device[c] + begin : nullptr;
  switch (any(8)) {
    case 0:
      track_host_access(host + begin, size_t(n), Access::write, program_image().begin + 1);
      for (int i = begin; i < begin + n; ++i) newest[i] = of_host[i] = ++last_number;
      break;
    case 1:
    case 2:
      if (!d) break;
      track_kernel_access(*device_region(d), size_t(begin), size_t(n), Access::write, 1);
      for (int i = begin; i < begin + n; ++i) newest[i] = of_device[c][i] = ++last_number;
      break;
    case 3:
      if (!d) break;
      cudaMemcpy(d, host + begin, size_t(n), cudaMemcpyHostToDevice);
      for (int i = begin; i < begin + n; ++i) {
        if (is_old_on_host(i)) forget_others(c, i);
        newest[i] = of_device[c][i] = of_host[i];
      }
      break;
    case 4:
      if (!d) break;
      // What was never copied has no value that the host could get.
      for (int i = begin; i < begin + n; ++i)
        if (of_device[c][i] < 0) return;
      cudaMemcpy(host + begin, d, size_t(n), cudaMemcpyDeviceToHost);
      for (int i = begin; i < begin + n; ++i) {
        if (is_old_on_device(c, i)) forget_others(c, i);
        newest[i] = of_host[i] = of_device[c][i];
      }
      break;
    case 5:
      if (!d || !device[other] || other == c) break;
      cudaMemcpy(device[other] + begin, d, size_t(n), cudaMemcpyDeviceToDevice);
      for (int i = begin; i < begin + n; ++i) of_device[other][i] = of_device[c][i];
      break;
    case 6:
      if (any(4)) break;
      if (!device[c]) allocate(c);
      else cudaFree(device[c]), device[c] = nullptr;
      break;
    case 7:
      if (d && any(4) == 0) {
        unlinks(device[c], places);
        links(host, device[c], places);
        for (int i = 0; i < places; ++i) of_device[c][i] = -1;
      }
      break;
  }
  compare(number);
}

int main() {
  for (int i = 0; i < 40000 && failures < 10; ++i) step(i);
  printf("%d failures\n", failures);
  fflush(stdout);
  _exit(failures != 0);
}
