// The rendezvous of a warp's lanes, on which every shuffle and vote is built.
#pragma once

namespace cudasim {

void clear_warps();

// A thread that has finished is waited for no longer.
void leave_warp(unsigned thread);

// When nobody can run and lanes wait for others that will not come: ends a roll call, or lets lanes
// go on where a GPU would hang.
void open_stuck_rendezvous();

}  // namespace cudasim
