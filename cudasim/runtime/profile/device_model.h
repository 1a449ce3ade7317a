// The sizes of the GPU whose traffic is counted: an H100's, unless the file that CUDASIM_TARGET
// names says otherwise (targets/README.md lists its fields).
#pragma once

namespace cudasim {

struct CacheModel {
  unsigned long long bytes, line_bytes, ways;
};

struct DeviceModel {
  unsigned long long multiprocessors;
  CacheModel l2;
};

const DeviceModel &device_model();

}  // namespace cudasim
