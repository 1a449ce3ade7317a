// Streams and events, as the program holds them; what a mode keeps of them is in its stream_order.h.
#pragma once

#include <time.h>

#include "stream_order.h"

struct CUstream_st {
  unsigned flags;
  cudasim::StreamState state;
};

struct CUevent_st {
  timespec recorded;
  cudasim::EventState state;
};
