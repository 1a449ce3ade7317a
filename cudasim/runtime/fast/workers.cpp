// Blocks spread over operating system threads, which wait for work between launches.

#include "workers.h"

#include <pthread.h>
#include <sched.h>

#include "block.h"
#include "turn.h"

namespace cudasim {

// Below this many CUDA threads, waking workers costs more than they save.
constexpr unsigned long long worthwhile_threads = 4096;

struct Job {
  const Launch *launch;
  unsigned long long blocks, chunk, next;
  unsigned busy;
};

Turn::Turn() {}
Turn::~Turn() {}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t one_launch = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_work = PTHREAD_COND_INITIALIZER;
static pthread_cond_t is_done = PTHREAD_COND_INITIALIZER;
static unsigned long long job_number;
static Job job;

static unsigned processor_count() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? unsigned(CPU_COUNT(&set)) : 1;
}

static unsigned wanted_threads() {
  const char *setting = getenv("CUDASIM_THREADS");
  int wanted = setting ? atoi(setting) : 0;
  return wanted > 0 ? unsigned(wanted) : processor_count();
}

static void run_share() {
  for (;;) {
    unsigned long long first = __atomic_fetch_add(&job.next, job.chunk, __ATOMIC_RELAXED);
    if (first >= job.blocks) return;
    unsigned long long end = first + job.chunk < job.blocks ? first + job.chunk : job.blocks;
    for (unsigned long long index = first; index < end; ++index) run_block(*job.launch, index);
  }
}

static void *work(void *) {
  unsigned long long seen = 0;
  pthread_mutex_lock(&mutex);
  for (;;) {
    while (job_number == seen) pthread_cond_wait(&has_work, &mutex);
    seen = job_number;
    pthread_mutex_unlock(&mutex);
    run_share();
    pthread_mutex_lock(&mutex);
    if (--job.busy == 0) pthread_cond_signal(&is_done);
  }
}

static unsigned start_workers() {
  unsigned count = 0;
  for (unsigned i = 1; i < wanted_threads(); ++i) {
    pthread_t worker;
    if (pthread_create(&worker, nullptr, work, nullptr) != 0) break;
    pthread_detach(worker);
    ++count;
  }
  return count;
}

static void run_alone(const Launch &launch, unsigned long long blocks) {
  for (unsigned long long index = 0; index < blocks; ++index) run_block(launch, index);
}

static void run_together(const Launch &launch, unsigned long long blocks) {
  static unsigned workers = start_workers();
  pthread_mutex_lock(&mutex);
  unsigned long long chunk = blocks / ((workers + 1) * 8);
  job = {&launch, blocks, chunk ? chunk : 1, 0, workers};
  ++job_number;
  pthread_cond_broadcast(&has_work);
  pthread_mutex_unlock(&mutex);
  run_share();
  pthread_mutex_lock(&mutex);
  while (job.busy) pthread_cond_wait(&is_done, &mutex);
  pthread_mutex_unlock(&mutex);
}

void run_blocks(const Launch &launch, unsigned long long blocks) {
  const dim3 &shape = launch.shape->block;
  if (blocks == 1 || blocks * shape.x * shape.y * shape.z < worthwhile_threads)
    return run_alone(launch, blocks);
  pthread_mutex_lock(&one_launch);
  run_together(launch, blocks);
  pthread_mutex_unlock(&one_launch);
}

}  // namespace cudasim
