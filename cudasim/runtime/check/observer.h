// What the scheduler tells the checker.
#pragma once

namespace cudasim {

struct Block;
struct Warp;

void observe_launch(const Launch &launch);
void observe_rejected_launch(const Launch &launch);
void observe_launch_end();
void observe_synchronisation();
void observe_block(unsigned long long index);
void observe_thread(unsigned thread);
void observe_barrier(const Block &block);
void observe_rendezvous(unsigned warp, unsigned lanes);
void observe_stuck_rendezvous(unsigned warp, const Warp &lanes);

}  // namespace cudasim
