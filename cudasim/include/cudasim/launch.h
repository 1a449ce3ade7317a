// `kernel<<<shape>>>(arguments)` arrives here, rewritten by rewrite-cuda to
//
//     cudasim::launcher(CUDASIM_KERNEL(kernel), cudasim::Shape(shape))(arguments)
//
// The arguments are evaluated and converted once, on the host.  Argument plain function's
// parameters are known from its address; for a template whose arguments are deduced there
// is no address before the call, so it is called through a generic lambda.
#pragma once

namespace cudasim {

struct Shape {
  dim3 grid, block;
  size_t dynamic_shared;
  cudaStream_t stream;
  Shape(dim3 grid_, dim3 block_, size_t dynamic_shared_ = 0, cudaStream_t stream_ = 0)
      : grid(grid_), block(block_), dynamic_shared(dynamic_shared_), stream(stream_) {}
};

struct Site {
  const char *kernel, *file;
  int line;
};

struct Launch {
  Site site;
  const Shape *shape;
  const void *kernel_address;
  void (*run_threads)(const void *body);
  const void *body;
  // For a launch that outlives its call; null in fast mode.
  void *(*copy_body)(const void *body);
  void (*destroy_body)(void *body);
  cudaError_t *refusal;  // by the kernel itself, while it runs
  int device = 0;        // on which it runs
};

cudaError_t launch(const Launch &launch);
bool start_next_thread();

// What rewrite-cuda makes of `__launch_bounds__`, at the beginning of the kernel: a launch with larger blocks fails.
void launch_bounds(unsigned threads, unsigned least_blocks = 0, unsigned most_blocks_in_cluster = 0);

// One fiber runs thread after thread until a thread has to wait, so that a kernel without
// barriers never switches.
template <class Body>
CUDASIM_UNCHECKED void run_threads(const void *body) {
  do (*static_cast<const Body *>(body))();
  while (start_next_thread());
}

template <class Body>
CUDASIM_UNCHECKED cudaError_t launch_body(const Site &site, const Shape &shape,
                                          const void *address, const Body &body) {
#ifdef CUDASIM_OBSERVED
  auto copy_body = [](const void *from) -> void * { return new Body(*static_cast<const Body *>(from)); };
  auto destroy_body = [](void *copy) { delete static_cast<Body *>(copy); };
  return launch(Launch{site, &shape, address, run_threads<Body>, &body, copy_body, destroy_body, nullptr});
#else
  return launch(Launch{site, &shape, address, run_threads<Body>, &body, nullptr, nullptr, nullptr});
#endif
}

// An integer argument that may stand for a null pointer, as the literal 0 does.
template <class Type>
struct NullOr {
  Type value;
  template <class Parameter>
  operator Parameter *() const { return nullptr; }
  operator Type() const { return value; }
};
template <class Type>
CUDASIM_UNCHECKED auto null_or(const Type &value) {
  if constexpr (std::is_integral<Type>::value) return NullOr<Type>{value};
  else return value;
}

template <class Call, class... Parameter>
struct PlainKernel {
  Site site;
  Shape shape;
  void (*address)(Parameter...);
  Call call;
  CUDASIM_UNCHECKED void operator()(Parameter... p) const {
    launch_body(site, shape, (const void *)address,
                [call = call, p...]() CUDASIM_UNCHECKED { call(p...); });
  }

  // The kernel's default arguments stand for the rest.
  template <class... Argument,
            class = std::enable_if_t<(sizeof...(Argument) < sizeof...(Parameter)) &&
                                     std::is_invocable<const Call &, Argument &...>::value>>
  CUDASIM_UNCHECKED void operator()(Argument... a) const {
    launch_body(site, shape, (const void *)address,
                [call = call, a...]() CUDASIM_UNCHECKED { call(a...); });
  }
};

template <class Call>
struct DeducedKernel {
  Site site;
  Shape shape;
  Call call;
  template <class... Argument>
  CUDASIM_UNCHECKED void operator()(Argument... a) const {
    if constexpr (std::is_invocable<const Call &, Argument &...>::value) {
      launch_body(site, shape, nullptr, [call = call, a...]() CUDASIM_UNCHECKED { call(a...); });
    } else {
      static_assert(std::is_invocable<const Call &, decltype(null_or(a))...>::value,
                    "the arguments of this launch do not match the kernel's parameters");
      launch_body(site, shape, nullptr, [call = call, a...]() CUDASIM_UNCHECKED { call(null_or(a)...); });
    }
  }
};

template <class... Parameter, class Tag>
auto address_of(void (*kernel)(Parameter...), Tag) { return kernel; }

template <class Call, class... Parameter>
PlainKernel<Call, Parameter...> plain_kernel(const Site &site, const Shape &shape,
                                     void (*address)(Parameter...), const Call &call) {
  return {site, shape, address, call};
}

template <class Address, class Call>
auto launcher(const Site &site, const Address &address, const Call &call, const Shape &shape) {
  if constexpr (std::is_invocable<const Address &, int>::value)
    return plain_kernel(site, shape, address(0), call);
  else
    return DeducedKernel<Call>{site, shape, call};
}

}  // namespace cudasim

#define CUDASIM_KERNEL(...)                                                              \
  cudasim::Site{#__VA_ARGS__, __FILE__, __LINE__},                                       \
      [=](auto cudasim_tag) -> decltype(cudasim::address_of(__VA_ARGS__, cudasim_tag)) { \
        return cudasim::address_of(__VA_ARGS__, cudasim_tag);                            \
      },                                                                                 \
      [=](auto... cudasim_a) CUDASIM_UNCHECKED                                           \
          -> decltype(static_cast<void>(__VA_ARGS__(cudasim_a...))) {                    \
        __VA_ARGS__(cudasim_a...);                                                       \
      }
