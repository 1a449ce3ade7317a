#include "kernel_profile.h"

#include <algorithm>

#include "block.h"
#include "block_code.h"
#include "device_model.h"
#include "devices.h"
#include "l2_cache.h"
#include "observer.h"
#include "occupancy.h"
#include "registers.h"
#include "replay.h"
#include "static_shared.h"
#include "symbols.h"
#include "wave.h"

namespace cudasim {

static std::deque<KernelProfile> &kernels() {
  static auto &list = *new std::deque<KernelProfile>;
  return list;
}

static KernelProfile *kernel_now;

const std::deque<KernelProfile> &kernel_profiles() { return kernels(); }

// ---- rows --------------------------------------------------------------------------------

static Row *new_row(unsigned code, Place place) {
  kernel_now->rows.push_back({code, place, Counters(), WarpCount()});
  return &kernel_now->rows.back();
}

static Row &row_at(unsigned code) {
  Row *&row = kernel_now->row_of_code[code];
  if (!row) row = new_row(code, Place{});
  return *row;
}

static Row &row_at(const Place &place) {
  Row *&row = kernel_now->row_of_place[{place.file, place.line}];
  if (!row) row = new_row(0, place);
  return *row;
}

Counters &counters_at(unsigned code) { return row_at(code).counters; }

void count_step(unsigned warp, unsigned from, unsigned to) {
  WarpCount &count = kernel_now->steps[{from, to}];
  if (!count.all) count.work = work_of_block(to);
  count_of_warp(warp, count);
}

void count_access(unsigned warp, unsigned code) {
  WarpCount &count = row_at(code).accesses;
  count.work = 1;
  count_of_warp(warp, count);
}

// ---- global memory -----------------------------------------------------------------------

void count_traffic(unsigned warp, const Request &request, Space space, unsigned code) {
  Counters &counters = counters_at(code);
  Traffic &traffic =
      request.asynchronous ? counters.async_copies : counters.global[int(request.access)];
  TouchedSectors touched = touched_sectors(request);
  ++traffic.requests;
  traffic.lanes += request.lanes;
  traffic.touched_sectors += touched.count;
  traffic.l1_wavefronts += touched_lines(touched);
  traffic.ideal_sectors += (touched.distinct_bytes + sector_bytes - 1) / sector_bytes;
  traffic.bytes += touched.distinct_bytes;
  traffic.width_bytes += request.bytes;
  if (space == Space::global)
    add_to_wave(warp, touched, request.access, request.past_l1, {&traffic, &counters});
  else
    traffic.sectors += touched.count;
}

void finish_traffic() {
  for (int device = 0; device < device_count(); ++device) l2_cache(device).write_back_all();
}

// ---- work --------------------------------------------------------------------------------

static bool block_has_work;

void note_work() {
  if (block_has_work) return;
  block_has_work = true;
  ++kernel_now->blocks_with_work;
}

// ---- launches ----------------------------------------------------------------------------

static std::string name_of(const Launch &launch) {
  static auto &names = *new std::map<const void *, const char *>;
  if (!launch.kernel_address) return launch.site.kernel;
  const char *&name = names[launch.kernel_address];
  if (!name) name = function_name(launch.kernel_address);
  return name ? name : launch.site.kernel;
}

static KernelProfile &profile_of(const std::string &name, const Launch &launch) {
  for (KernelProfile &kernel : kernels())
    if (kernel.name == name && kernel.address == launch.kernel_address) return kernel;
  kernels().emplace_back();
  KernelProfile &kernel = kernels().back();
  kernel.name = name;
  kernel.address = launch.kernel_address;
  kernel.site = launch.site;
  kernel.first_shape = {launch.shape->grid, launch.shape->block, launch.shape->dynamic_shared};
  return kernel;
}

// A kernel that asks for more than a multiprocessor has is not refused, and has it for itself.  The size of
// shared memory goes by the blocks that fit, not by those of the grid: the same kernel has the same L1.
static Residency residency_of(const Launch &launch, Count blocks, Count threads) {
  Residency residency = {};
  residency.registers = registers_of(kernel_now->name);
  residency.static_shared = static_shared_bytes(launch.run_threads);
  size_t shared = residency.static_shared + launch.shape->dynamic_shared;
  Count fitting = std::max(
      blocks_per_multiprocessor({unsigned(threads), shared, residency.registers}), 1u);
  Count multiprocessors = device_model().multiprocessors;
  residency.blocks = std::min(fitting, (blocks + multiprocessors - 1) / multiprocessors);
  size_t block_shared = shared + device_model().multiprocessor.reserved_shared_bytes;
  residency.l1_bytes = device_model().l1.cache_bytes(shared ? fitting * block_shared : 0);
  return residency;
}

static void count_launch(const Launch &launch, Count launches) {
  const dim3 &grid = launch.shape->grid, &block = launch.shape->block;
  Count blocks = Count(grid.x) * grid.y * grid.z, threads = Count(block.x) * block.y * block.z;
  kernel_now->launches += launches;
  kernel_now->blocks += launches * blocks;
  kernel_now->threads += launches * blocks * threads;
  kernel_now->warps += launches * blocks * ((threads + warp_lanes - 1) / warp_lanes);
}

void observe_refused_launch(const Launch &launch) {
  count_launch(launch, Count(-1));
  if (!kernel_now->launches) kernels().pop_back();
}

void observe_launch(const Launch &launch) {
  kernel_now = &profile_of(name_of(launch), launch);
  count_launch(launch, 1);
  const dim3 &grid = launch.shape->grid, &block = launch.shape->block;
  Count blocks = Count(grid.x) * grid.y * grid.z, threads = Count(block.x) * block.y * block.z;
  Count warps = (threads + warp_lanes - 1) / warp_lanes;
  Residency residency = residency_of(launch, blocks, threads);
  if (kernel_now->launches == 1) kernel_now->first_residency = residency;
  Count resident = device_model().multiprocessors * residency.blocks;
  begin_waves({launch.device, std::min(resident, blocks), unsigned(warps), residency.l1_bytes});
  begin_traces();
}

void observe_launch_end() {
  end_interval();
  end_traces();
  end_waves();
}

void observe_block(unsigned long long) {
  end_interval();
  block_has_work = false;
  start_traces(block->threads);
  begin_block_in_wave();
}

// ---- barriers ----------------------------------------------------------------------------

void observe_barrier(const Block &block) {
  for (unsigned warp = 0; warp * warp_lanes < block.threads; ++warp) finish_before_meeting(warp);
  end_interval();
  ++row_at(block.at_barrier.first->barrier).counters.barriers;
  add_barrier_to_wave();
  for (const Fiber *fiber = block.at_barrier.first; fiber; fiber = fiber->next)
    resume_lane(fiber->thread);
}

// A meeting of some lanes says nothing about how far the others are.
void observe_rendezvous(unsigned warp_number, unsigned lanes) {
  const Warp &warp = block->warps[warp_number];
  unsigned first = unsigned(__builtin_ctz(lanes));
  if (warp.masks[first] == ~0u) finish_before_meeting(warp_number);
  const Fiber &fiber = *warp.fibers[first];
  if (fiber.meeting != Meeting::roll_call) {
    Counters &counters = row_at(fiber.barrier).counters;
    ++(fiber.meeting == Meeting::exchange ? counters.exchanges : counters.warp_barriers);
  }
  for (; lanes; lanes &= lanes - 1) resume_lane(warp_number * warp_lanes + unsigned(__builtin_ctz(lanes)));
}

}  // namespace cudasim
