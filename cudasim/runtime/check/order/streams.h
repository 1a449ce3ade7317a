// Streams by number, in the order in which they were created or first used, and what the host knows to be done.
#pragma once

#include <string>

#include "order/operations.h"

namespace cudasim {

const Clock &host_clock();

// The host has come to know, other than by waiting, that these are done.
void host_learns(const Clock &done);

// The host function of a stream that the calling thread executes, and its frame: what lies below on the
// stack is the function's own.
extern __thread const Operation *host_function;
extern __thread const char *host_function_frame;

// `the default stream`, `the stream created at a.cu:3`
std::string stream_text(unsigned stream);

}  // namespace cudasim
