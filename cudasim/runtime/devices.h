// Which devices there are.  All are the same, and each has memory of its own.
#pragma once

namespace cudasim {

constexpr int max_devices = 64;

// As many as CUDASIM_DEVICES says, or one.
int device_count();

// The one that the calling host thread uses.
int current_device();

// Whether kernels on the device may use memory of the owner: their own, and what was enabled.
bool may_access(int device, int owner);

}  // namespace cudasim
