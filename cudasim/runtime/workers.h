#pragma once

namespace cudasim {

// Runs all blocks of a launch; returns when the last is done.
void run_blocks(const Launch &launch, unsigned long long blocks);

}  // namespace cudasim
