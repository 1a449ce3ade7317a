// Executes the traces of a warp's lanes together.
#pragma once

#include "lane.h"

namespace cudasim {

struct WarpTrace {
  unsigned number;  // in the block
  unsigned lanes;
  unsigned runnable;  // lanes that have not stopped
  Lane lane[32];
};

// Until every trace is empty, or the trace of a lane is that will go on: only when it has can it be
// known who executes what together.
void replay(WarpTrace &warp);

// The same, without regard to lanes that wait for others to come.
void replay_all_but_waiting(WarpTrace &warp);

// For the scheduler's events.
void start_traces(unsigned threads);
void resume_lane(unsigned thread);
void finish_before_meeting(unsigned warp);
void begin_traces();
void end_traces();

}  // namespace cudasim
