// Work that is kept until somebody waits for it, and then runs in an order that is drawn by lot among
// all that streams and events allow: CUDASIM_ORDER=SEED.  A program that lacks an event shows then
// what it computes without.
#pragma once

#include "order/operations.h"
#include "stream_order.h"

namespace cudasim {

// Whether work is kept.
bool is_deferring();

void defer(const Operation &operation, const Work &work);

// What has run.
bool is_done(const Clock &needed);

// Runs operations until these are done.
void run_until_done(const Clock &needed);

// Runs one operation that may run now, if there is any: for those who ask again and again.
void run_one();

}  // namespace cudasim
