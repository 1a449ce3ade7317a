// The error codes of the CUDA runtime, with its numbers.
#pragma once

#define CUDASIM_ERRORS(ENTRY)                                                                 \
  ENTRY(cudaSuccess, 0, "no error")                                                           \
  ENTRY(cudaErrorInvalidValue, 1, "invalid argument")                                         \
  ENTRY(cudaErrorMemoryAllocation, 2, "out of memory")                                        \
  ENTRY(cudaErrorInitializationError, 3, "initialization error")                              \
  ENTRY(cudaErrorCudartUnloading, 4, "driver shutting down")                                  \
  ENTRY(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                   \
  ENTRY(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                             \
  ENTRY(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                  \
  ENTRY(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                              \
  ENTRY(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                          \
  ENTRY(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")             \
  ENTRY(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
  ENTRY(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                        \
  ENTRY(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                         \
  ENTRY(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                \
  ENTRY(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
  ENTRY(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                       \
  ENTRY(cudaErrorNotReady, 600, "device not ready")                                           \
  ENTRY(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")             \
  ENTRY(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")        \
  ENTRY(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")               \
  ENTRY(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")             \
  ENTRY(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")               \
  ENTRY(cudaErrorAssert, 710, "device-side assert triggered")                                 \
  ENTRY(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
  ENTRY(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
  ENTRY(cudaErrorMisalignedAddress, 716, "misaligned address")                                \
  ENTRY(cudaErrorLaunchFailure, 719, "unspecified launch failure")                            \
  ENTRY(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")     \
  ENTRY(cudaErrorNotSupported, 801, "operation not supported")                                \
  ENTRY(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define CUDASIM_ERROR_NUMBER(name, number, text) name = number,
  CUDASIM_ERRORS(CUDASIM_ERROR_NUMBER)
#undef CUDASIM_ERROR_NUMBER
};
typedef cudaError cudaError_t;
