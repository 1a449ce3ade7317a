#include "devices.h"

#include "device_model.h"
#include "last_error.h"

namespace cudasim {

static __thread int device_now;
static bool enabled_peers[max_devices][max_devices];  // [device][owner]

int device_count() {
  static const int count = int(number_setting("CUDASIM_DEVICES", 1, max_devices));
  return count;
}

// A wrong number is told before the program begins.
__attribute__((constructor(103))) static void check_device_count() { device_count(); }

int current_device() { return device_now; }

bool may_access(int device, int owner) { return device == owner || enabled_peers[device][owner]; }

static bool is_device(int device) { return device >= 0 && device < device_count(); }

static bool is_peer(int device) { return is_device(device) && device != device_now; }

}  // namespace cudasim

cudaError_t cudaSetDevice(int device) {
  if (!cudasim::is_device(device)) return cudasim::record_error(cudaErrorInvalidDevice);
  cudasim::device_now = device;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
  *device = cudasim::device_now;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count) {
  *count = cudasim::device_count();
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!cudasim::is_device(device) || !cudasim::is_device(peer))
    return cudasim::record_error(cudaErrorInvalidDevice);
  *can = device != peer;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (flags) return cudasim::record_error(cudaErrorInvalidValue);
  if (!cudasim::is_peer(peer)) return cudasim::record_error(cudaErrorInvalidDevice);
  bool &enabled = cudasim::enabled_peers[cudasim::device_now][peer];
  if (enabled) return cudasim::record_error(cudaErrorPeerAccessAlreadyEnabled);
  enabled = true;
  return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  if (!cudasim::is_peer(peer)) return cudasim::record_error(cudaErrorInvalidDevice);
  bool &enabled = cudasim::enabled_peers[cudasim::device_now][peer];
  if (!enabled) return cudasim::record_error(cudaErrorPeerAccessNotEnabled);
  enabled = false;
  return cudaSuccess;
}
