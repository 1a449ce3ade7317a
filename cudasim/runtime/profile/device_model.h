// The sizes of the GPU whose traffic is counted: an H100's, unless the environment says
// otherwise (CUDASIM_L2_BYTES, CUDASIM_L2_WAYS, CUDASIM_MULTIPROCESSORS).
#pragma once

namespace cudasim {

struct CacheModel {
  unsigned long long bytes, ways;
};

struct DeviceModel {
  unsigned multiprocessors;
  CacheModel l2;
};

const DeviceModel &device_model();

}  // namespace cudasim
