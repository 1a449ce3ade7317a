#include "block.h"

#include "lock.h"
#include "observer.h"
#include "warp.h"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;

// The launch's third argument: every `extern __shared__` array is this one.
extern "C" {
__thread __attribute__((aligned(1024))) char
    cudasim_dynamic_shared[cudasim::max_dynamic_shared_bytes];
}

namespace cudasim {

__thread Block *block;

static void advance(uint3 &position, const dim3 &extent) {
  if (++position.x < extent.x) return;
  position.x = 0;
  if (++position.y < extent.y) return;
  position.y = 0;
  ++position.z;
}

static bool has_unstarted() { return block->started < block->threads; }

static void start_thread() {
  Fiber *fiber = block->current;
  fiber->thread = block->started++;
  fiber->position = threadIdx = block->next_position;
  advance(block->next_position, blockDim);
  observe_thread(fiber->thread);
}

static void finish_thread() {
  observe_finish();
  ++block->finished;
  leave_warp(block->current->thread);
}

bool start_next_thread() {
  finish_thread();
  if (!has_unstarted()) return false;
  start_thread();
  return true;
}

// Threads that have returned are waited for no longer.
static bool all_at_barrier() {
  return block->at_barrier.length == block->threads - block->finished;
}

static void open_barrier() {
  observe_barrier(*block);
  block->vote_result = block->vote_count;
  block->voters = int(block->at_barrier.length);
  block->vote_count = 0;
  block->ready = block->at_barrier;
  block->at_barrier = FiberQueue();
}

static void fiber_entry();

// An idle fiber starts afresh, so that nothing on its stack is of another operating system thread.
static Fiber *fiber_for_next_thread() {
  Fiber *fiber = block->idle.empty() ? create_fiber() : block->idle.pop();
  start_fiber(fiber, fiber_entry);
  return fiber;
}

static Fiber *next_to_run() {
  if (!block->ready.empty()) return block->ready.pop();
  if (has_unstarted()) return fiber_for_next_thread();
  if (block->finished == block->threads) return &block->host;
  if (all_at_barrier()) open_barrier();
  else open_stuck_rendezvous();
  return block->ready.pop();
}

static void switch_to(Fiber *to) {
  Fiber *from = block->current;
  if (to == from) return;
  block->current = to;
  switch_fiber(from, to);
}

void wait_for_turn() {
  Fiber *self = block->current;
  switch_to(next_to_run());
  threadIdx = self->position;
  observe_thread(self->thread);
}

static void fiber_entry() {
  start_thread();
  block->launch->run_threads(block->launch->body);
  Fiber *next = next_to_run();
  block->idle.push(block->current);
  switch_to(next);
}

int block_barrier(Place place, Vote vote, int predicate) {
  Fiber *fiber = block->current;
  fiber->barrier = place;
  block->vote_count += predicate != 0;
  block->at_barrier.push(fiber);
  observe_wait();
  wait_for_turn();
  if (vote == Vote::all) return block->vote_result == block->voters;
  return vote == Vote::any ? block->vote_result != 0 : block->vote_result;
}

// ---- blocks of threads that come and go ----------------------------------------------------

// A process may have only so many stacks.
static Block *spare_blocks;
static pthread_mutex_t spare_mutex = PTHREAD_MUTEX_INITIALIZER;

// The thread that had it ends.
static void give_back_block(void *given) {
  block = nullptr;
  Lock lock(spare_mutex);
  auto spare = static_cast<Block *>(given);
  spare->next_spare = spare_blocks;
  spare_blocks = spare;
}

static Block *spare_block() {
  Lock lock(spare_mutex);
  Block *spare = spare_blocks;
  if (spare) spare_blocks = spare->next_spare;
  return spare;
}

static Block *take_block() {
  static const pthread_key_t key = [] {
    pthread_key_t created;
    if (pthread_key_create(&created, give_back_block) != 0) abort();
    return created;
  }();
  Block *taken = spare_block();
  if (!taken) taken = new Block;
  pthread_setspecific(key, taken);
  return taken;
}

// ---- running one ---------------------------------------------------------------------------

static void enter_block(const Launch &launch, unsigned long long index) {
  const dim3 &grid = launch.shape->grid;
  gridDim = grid;
  blockDim = launch.shape->block;
  blockIdx = {unsigned(index % grid.x), unsigned(index / grid.x % grid.y),
              unsigned(index / grid.x / grid.y)};
  block->launch = &launch;
  block->threads = blockDim.x * blockDim.y * blockDim.z;
  block->started = block->finished = 0;
  block->next_position = {0, 0, 0};
  clear_warps();
}

static bool is_refused(const Launch &launch) {
  return __atomic_load_n(launch.refusal, __ATOMIC_RELAXED) != cudaSuccess;
}

// "The kernel will fail to launch" (CUDA C++ Programming Guide, "Launch Bounds"); the error is that of a block with
// too many threads for the kernel's registers, which the bounds decide.  Nothing has been done in the block yet, so
// that its only thread never goes on.
void launch_bounds(unsigned threads, unsigned, unsigned) {
  if (!block || !block->launch || block->threads <= threads) return;
  __atomic_store_n(block->launch->refusal, cudaErrorLaunchOutOfResources, __ATOMIC_RELAXED);
  block->idle.push(block->current);
  switch_to(&block->host);
}

void run_block(const Launch &launch, unsigned long long index) {
  if (is_refused(launch)) return;
  if (!block) block = take_block();
  enter_block(launch, index);
  observe_block(index);
  block->current = &block->host;
  switch_to(fiber_for_next_thread());
  block->launch = nullptr;
}

void trap(Place place) {
  observe_trap(place);
  fflush(stdout);
  fprintf(stderr, "cudasim: %s:%d: __trap was called\n", place.file, place.line);
  abort();
}

}  // namespace cudasim
