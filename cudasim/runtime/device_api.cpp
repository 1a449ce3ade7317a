// What devices are like.

#include "device_memory.h"
#include "device_model.h"
#include "devices.h"
#include "last_error.h"
#include "limits.h"
#include "observer.h"
#include "stream_order.h"
#include "turn.h"

namespace cudasim {

constexpr int driver_version = 13000;

static cudaError_t check_device(int device) {
  bool valid = device >= 0 && device < device_count();
  return record_error(valid ? cudaSuccess : cudaErrorInvalidDevice);
}

static cudaDeviceProp device_properties(int device) {
  const DeviceModel &model = device_model();
  cudaDeviceProp p = {};
  strcpy(p.name, "cudasim (a CPU that plays a GPU)");
  p.totalGlobalMem = model.memory_bytes;
  p.sharedMemPerBlock = default_shared_bytes;
  p.sharedMemPerBlockOptin = model.block_shared_bytes;
  p.sharedMemPerMultiprocessor = model.multiprocessor.shared_bytes;
  p.regsPerBlock = p.regsPerMultiprocessor = int(model.multiprocessor.registers);
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = max_block_z;
  p.maxGridSize[0] = max_grid_x;
  p.maxGridSize[1] = p.maxGridSize[2] = max_grid_yz;
  p.maxThreadsPerMultiProcessor = int(model.multiprocessor.threads);
  p.maxBlocksPerMultiProcessor = int(model.multiprocessor.blocks);
  p.totalConstMem = 65536;
  p.major = 9;
  p.clockRate = 1980000;
  p.memoryClockRate = 2619000;
  p.memoryBusWidth = 5120;
  p.multiProcessorCount = int(model.multiprocessors);
  p.l2CacheSize = int(model.l2.bytes);
  p.concurrentKernels = p.unifiedAddressing = p.managedMemory = p.canMapHostMemory = 1;
  p.asyncEngineCount = 3;
  p.deviceOverlap = p.streamPrioritiesSupported = p.concurrentManagedAccess = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.textureAlignment = 512;
  p.pciBusID = device;
  return p;
}

static int attribute_value(const cudaDeviceProp &p, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX: return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY: return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ: return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock: return int(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory: return int(p.totalConstMem);
    case cudaDevAttrWarpSize: return p.warpSize;
    case cudaDevAttrMaxPitch: return int(p.memPitch);
    case cudaDevAttrIntegrated: return p.integrated;
    case cudaDevAttrCanMapHostMemory: return p.canMapHostMemory;
    case cudaDevAttrConcurrentKernels: return p.concurrentKernels;
    case cudaDevAttrEccEnabled: return p.ECCEnabled;
    case cudaDevAttrMemoryClockRate: return p.memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize: return p.l2CacheSize;
    case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
    case cudaDevAttrUnifiedAddressing: return p.unifiedAddressing;
    case cudaDevAttrMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
    case cudaDevAttrManagedMemory: return p.managedMemory;
    case cudaDevAttrConcurrentManagedAccess: return p.concurrentManagedAccess;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrMemoryPoolsSupported: return 1;
    case cudaDevAttrMaxRegistersPerBlock: return p.regsPerBlock;
    case cudaDevAttrClockRate: return p.clockRate;
    case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrComputeCapabilityMajor: return p.major;
    case cudaDevAttrComputeCapabilityMinor: return p.minor;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return int(p.sharedMemPerMultiprocessor);
    case cudaDevAttrCooperativeLaunch: return p.cooperativeLaunch;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return int(p.sharedMemPerBlockOptin);
  }
  return 0;
}

}  // namespace cudasim

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  *properties = cudasim::device_properties(device);
  return cudasim::check_device(device);
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  *value = cudasim::attribute_value(cudasim::device_properties(device), attribute);
  return cudasim::check_device(device);
}

cudaError_t cudaDriverGetVersion(int *version) {
  *version = cudasim::driver_version;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }

cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  *value = limit == cudaLimitStackSize ? 1024 : size_t(8) << 20;
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) { return cudaGetDevice(device); }

cudaError_t cudaProfilerStart() { return cudaSuccess; }

cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceSynchronize() {
  cudasim::Turn turn;
  cudasim::wait_for_device(cudasim::current_device());
  cudasim::observe_synchronisation();
  return cudaSuccess;
}

cudaError_t cudaDeviceReset() {
  cudasim::Turn turn;
  cudasim::wait_for_device(cudasim::current_device());
  cudasim::free_all_device(cudasim::current_device());
  cudaGetLastError();
  return cudaSuccess;
}
