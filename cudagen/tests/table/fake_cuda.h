// A CUDA runtime with two devices, whose memory is on the heap. It counts copies.
#pragma once

#include <map>
#include <mutex>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

struct Copies {
    long calls, bytes;
    bool operator==(const Copies &other) const { return calls == other.calls && bytes == other.bytes; }
};

struct FakeDevice {
    size_t free_bytes;
    std::map<char *, size_t> allocations;
};

inline std::mutex fake_lock;
inline FakeDevice fake_devices[2];
inline thread_local int fake_current = 0;
inline Copies to_device, to_host, within_device;

// True if a range lies within an allocation of a device; the copy must run on that device.
inline bool fake_contains(const void *start, size_t bytes)
{
    for (auto &allocation : fake_devices[fake_current].allocations)
        if (allocation.first <= start && (char *)start + bytes <= allocation.first + allocation.second)
            return true;
    return false;
}

inline const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory" : "invalid value";
}

inline cudaError_t cudaGetLastError() { return cudaSuccess; }

inline cudaError_t cudaGetDevice(int *device) { return *device = fake_current, cudaSuccess; }

inline cudaError_t cudaSetDevice(int device) { return fake_current = device, cudaSuccess; }

template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
    const std::lock_guard<std::mutex> held(fake_lock);
    FakeDevice &device = fake_devices[fake_current];
    if (bytes > device.free_bytes)
        return cudaErrorMemoryAllocation;
    device.free_bytes -= bytes;
    char *const memory = (char *)malloc(bytes);
    memset(memory, 0xee, bytes);
    device.allocations[memory] = bytes;
    *pointer = (T *)memory;
    return cudaSuccess;
}

inline cudaError_t cudaFree(void *pointer)
{
    const std::lock_guard<std::mutex> held(fake_lock);
    for (FakeDevice &device : fake_devices) {
        auto found = device.allocations.find((char *)pointer);
        if (found == device.allocations.end())
            continue;
        device.free_bytes += found->second;
        device.allocations.erase(found);
        free(pointer);
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const std::lock_guard<std::mutex> held(fake_lock);
    const bool to_there = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_there = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (bytes == 0 || fake_contains(to, bytes) != to_there || fake_contains(from, bytes) != from_there)
        return cudaErrorInvalidValue;
    memcpy(to, from, bytes);
    Copies &copies = to_there && from_there ? within_device : to_there ? to_device : to_host;
    copies.calls++;
    copies.bytes += bytes;
    return cudaSuccess;
}
