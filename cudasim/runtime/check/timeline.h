// The order of accesses that the program guarantees.
//
// Threads run one at a time here, so every access has a time: a counter that steps at each
// launch, block, barrier and warp rendezvous.  Two accesses are ordered if a barrier that
// both threads passed lies between them, and for different blocks only by the end of the
// launch, or by a fence and an atomic on either side.  Launches are ordered by their streams
// (order/operations.h).
#pragma once

namespace cudasim {

// Who accessed something, from where, and when.  Times start at 1; 0 is never.
struct Moment {
  unsigned time, code;
  unsigned short thread;
  bool block_scope = false;  // of an atomic operation
};

// The thread that runs now; false in host code.
bool in_kernel();
unsigned current_thread();
unsigned current_time();

// The access at that moment belongs to this launch and block, or to this launch alone.
bool is_in_launch(unsigned time);
bool is_in_block(unsigned time);

// The order of streams, or a barrier, lies between all accesses of that moment and now.
bool is_settled(unsigned time);

// An operation of a stream begins or ends (order/operations.h): the time of it.
unsigned start_operation_time();
unsigned end_operation_time();

// Everything before this time is ordered before the operation that begins.
void settle_until(unsigned time);

// Nothing orders an access of that moment before what the current thread does now.
bool is_concurrent(unsigned time, unsigned thread);

// How much it matters to remember an access of that moment beside one that the current thread
// makes now, when later accesses are compared with both.
int kept_rank(unsigned time, unsigned thread);

// The block that ran at that time in this launch.
unsigned long long block_at(unsigned time);

void fence_time();
void atomic_time();

const Launch *current_launch();
unsigned long long current_block();

// Different for every block of every launch, and never 0.
unsigned block_serial();

}  // namespace cudasim
