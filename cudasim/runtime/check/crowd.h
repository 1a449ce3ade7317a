// Some of the threads that used a few bytes in the same way, and that nothing has ordered since:
// those that a later access by somebody else has to be compared with.
#pragma once

#include "timeline.h"

namespace cudasim {

// Two are enough.  Nothing but a barrier orders warps, so accesses of two warps are concurrent with
// whatever another thread does: that pair is kept until the barrier.  Within one warp, what the
// whole warp waits for orders all that came before: the last access and the last by another lane
// tell as much as all.  (Where parts of a warp wait by themselves, one may be lost.)  And an access
// by another block stays, as long as that block does not release it.
struct Crowd {
  unsigned last_time, other_time;
  unsigned last_code, other_code;
  unsigned short last_thread, other_thread;  // with a mark for atomic operations of block scope

  Moment last() const { return moment(last_time, last_code, last_thread); }
  Moment other() const { return moment(other_time, other_code, other_thread); }

  bool all_settled() const { return is_settled(last_time) && is_settled(other_time); }

  void record(unsigned code, bool block_scope = false) {
    auto thread = (unsigned short)(current_thread() | (block_scope ? block_scope_mark : 0));
    bool again = last_thread == thread && is_in_block(last_time);
    if (!again && !is_settled(last_time)) make_room();
    last_time = current_time();
    last_code = code;
    last_thread = thread;
  }

 private:
  // Threads of a block have smaller numbers.
  static constexpr unsigned short block_scope_mark = 1 << 15;

  static unsigned plain(unsigned short thread) { return thread & (block_scope_mark - 1u); }

  static Moment moment(unsigned time, unsigned code, unsigned short thread) {
    return {time, code, (unsigned short)plain(thread), (thread & block_scope_mark) != 0};
  }

  // The current thread takes the last one's place.
  void make_room() {
    if (kept_rank(other_time, plain(other_thread)) > kept_rank(last_time, plain(last_thread))) return;
    other_time = last_time;
    other_code = last_code;
    other_thread = last_thread;
  }
};

}  // namespace cudasim
