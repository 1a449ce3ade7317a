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

// Until every trace is empty, or a lane has to run before it is known who executes what together.
void replay(WarpTrace &warp);

// For the scheduler's events.
void start_traces(unsigned threads);
void resume_lane(unsigned thread);
void begin_traces();
void end_traces();

}  // namespace cudasim
