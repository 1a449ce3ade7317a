#include "memory_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "address_check.h"
#include "block.h"
#include "device_arena.h"
#include "device_memory.h"
#include "findings.h"
#include "observer.h"
#include "symbols.h"
#include "turn.h"

namespace cudasim {

static char *guarded_begin, *guarded_end;

static bool is_open = true;
static size_t spent;  // what changes of protection cost so far, in bytes of memory that has pages

constexpr size_t budget = size_t(32) << 30;  // some two seconds' worth

// The kernel also walks over the addresses of what was freed, which takes a small part of the time; and
// the call itself takes its time.
static size_t cost_of_change() {
  constexpr size_t of_call = 32 * 1024, walked_for_one = 256;
  return of_call + allocated_bytes() + guarded_addresses_used() / walked_for_one;
}

static void protect(bool open) {
  if (!guarded_begin || is_open == open) return;
  is_open = open;
  spent += cost_of_change();
  mprotect(guarded_begin, size_t(guarded_end - guarded_begin),
           open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void open_device_memory() { protect(true); }

void close_device_memory() {
  if (spent < budget) protect(false);
}

void observe_synchronisation() { close_device_memory(); }

static bool is_code(const char *p) {
  const Image &image = program_image();
  return p >= image.begin && p < image.writable_begin;
}

// The instruction in the program's own code: where the fault is, or who called the library
// function that faults.
static const char *faulting_code(const ucontext_t &context) {
  auto instruction = reinterpret_cast<const char *>(context.uc_mcontext.gregs[REG_RIP]);
  if (is_code(instruction)) return instruction + 1;
  auto stack = reinterpret_cast<const char *const *>(context.uc_mcontext.gregs[REG_RSP]);
  for (int i = 0; i < 64; ++i)
    if (is_code(stack[i])) return stack[i];
  return nullptr;
}

static bool overflows_stack(const char *p) {
  if (!in_kernel()) return false;
  const char *stack = block->current->stack;
  return stack && p < stack && p >= stack - 4096;
}

static void give_up(const char *code, const char *why) {
  SourceLine line = code ? source_line(code_of(code)) : SourceLine();
  end_with_finding(line.file.empty() ? "" : line.text(), why);
}

static void on_fault(int, siginfo_t *info, void *context) {
  auto address = static_cast<const char *>(info->si_addr);
  const char *code = faulting_code(*static_cast<ucontext_t *>(context));
  if (!in_kernel() && address >= guarded_begin && address < guarded_end) {
    Turn turn;
    report_host_access(address, code);
    open_device_memory();
    return;
  }
  if (overflows_stack(address)) give_up(code, "the kernel's local variables overflow its stack");
  // The processor gives no address where it is not the memory that is missing: none that it could
  // form, or one that a vector register cannot be loaded from.
  if (in_kernel() && info->si_code == SI_KERNEL)
    give_up(code, "the kernel accessed an impossible or misaligned address");
  if (in_kernel()) give_up(code, "the kernel accessed an address that does not exist");
  signal(SIGSEGV, SIG_DFL);
}

// ---- where the handler runs ----------------------------------------------------------------

constexpr size_t signal_stack_bytes = 64 * 1024;

static void remove_signal_stack(void *memory) {
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  free(memory);
}

static void install_signal_stack() {
  static const pthread_key_t key = [] {
    pthread_key_t created;
    if (pthread_key_create(&created, remove_signal_stack) != 0) abort();
    return created;
  }();
  stack_t stack = {};
  stack.ss_sp = malloc(signal_stack_bytes);
  stack.ss_size = signal_stack_bytes;
  pthread_setspecific(key, stack.ss_sp);
  sigaltstack(&stack, nullptr);
}

void prepare_for_faults() {
  static __thread bool done;
  if (!done) install_signal_stack();
  done = true;
}

__attribute__((constructor(102))) static void install_handler() {
  prepare_for_faults();
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

void guard_device_memory(char *begin, char *end) {
  guarded_begin = begin;
  guarded_end = end;
  close_device_memory();
}

}  // namespace cudasim
