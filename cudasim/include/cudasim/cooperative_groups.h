// Cooperative groups: the block, tiles of a warp, and the lanes that are at the same place.
#pragma once

#include "../cuda_runtime.h"

namespace cooperative_groups {

namespace details {

inline unsigned thread_rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned threads_in_block() { return blockDim.x * blockDim.y * blockDim.z; }
CUDASIM_UNCHECKED inline unsigned low_lanes(unsigned count) { return count >= 32 ? ~0u : (1u << count) - 1; }

// The lanes of a tile of `size` lanes around the caller; the block may end within it.
CUDASIM_UNCHECKED inline unsigned tile_mask(unsigned size) {
  unsigned lane = cudasim::lane_number(), first = lane & ~(size - 1);
  unsigned left = threads_in_block() - (thread_rank_in_block() - lane);
  return (low_lanes(size) << first) & low_lanes(left);
}

// Tells a new part of a group from a copy.
struct Partition {};

// `count` of the lanes, from the one with the rank `first` on.
CUDASIM_UNCHECKED inline unsigned members(unsigned lanes, unsigned first, unsigned count) {
  unsigned found = 0, rank = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    if (rank >= first && rank - first < count) found |= 1u << lane;
    ++rank;
  }
  return found;
}

}  // namespace details

// Lanes of a warp, numbered in order: what tiles and coalesced groups have in common.
class lane_group {
 public:
  explicit lane_group(unsigned mask) : mask_(mask) {}

  unsigned thread_rank() const {
    return unsigned(__popc(mask_ & details::low_lanes(cudasim::lane_number())));
  }
  unsigned num_threads() const { return unsigned(__popc(mask_)); }
  unsigned size() const { return num_threads(); }
  void sync(CUDASIM_HERE) const { __syncwarp(mask_, file, line); }

  template <class Type>
  Type shfl(Type value, int rank, CUDASIM_HERE) const {
    return cudasim::shuffle(mask_, value, lane_of(unsigned(rank)), {file, line});
  }
  template <class Type>
  Type shfl_up(Type value, unsigned delta, CUDASIM_HERE) const {
    unsigned rank = thread_rank();
    return cudasim::shuffle(mask_, value, lane_of(rank < delta ? rank : rank - delta), {file, line});
  }
  template <class Type>
  Type shfl_down(Type value, unsigned delta, CUDASIM_HERE) const {
    unsigned rank = thread_rank();
    return cudasim::shuffle(mask_, value, lane_of(rank + delta < size() ? rank + delta : rank),
                            {file, line});
  }
  int any(int predicate, CUDASIM_HERE) const { return __any_sync(mask_, predicate, file, line); }
  int all(int predicate, CUDASIM_HERE) const { return __all_sync(mask_, predicate, file, line); }
  unsigned ballot(int predicate, CUDASIM_HERE) const {
    return ranks_of(__ballot_sync(mask_, predicate, file, line));
  }
  template <class Type>
  unsigned match_any(Type value, CUDASIM_HERE) const {
    return ranks_of(__match_any_sync(mask_, value, file, line));
  }
  template <class Type>
  unsigned match_all(Type value, int &all, CUDASIM_HERE) const {
    return ranks_of(__match_all_sync(mask_, value, &all, file, line));
  }

  unsigned lanes() const { return mask_; }

 private:
  // The rank is taken modulo the size, as a shuffle does.
  CUDASIM_UNCHECKED unsigned lane_of(unsigned rank) const {
    unsigned mask = mask_;
    for (rank %= size(); rank > 0; --rank) mask &= mask - 1;
    return unsigned(__ffs(int(mask)) - 1);
  }
  CUDASIM_UNCHECKED unsigned ranks_of(unsigned lanes) const {
    unsigned ranks = 0, rank = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask_ >> lane & 1) ranks |= (lanes >> lane & 1) << rank++;
    return ranks;
  }

  unsigned mask_;
};

class thread_block {
 public:
  static void sync(CUDASIM_HERE) { __syncthreads(file, line); }
  static unsigned thread_rank() { return details::thread_rank_in_block(); }
  static unsigned num_threads() { return details::threads_in_block(); }
  static unsigned size() { return num_threads(); }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_index() { return blockIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return thread_block(); }

template <unsigned count, class Parent = void>
class thread_block_tile : public lane_group {
  static_assert(count <= 32 && (count & (count - 1)) == 0,
                "cudasim: a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  // The tile around the caller, of those that the parent is cut into.
  template <class Group>
  thread_block_tile(details::Partition, const Group &parent)
      : lane_group(details::tile_mask(count)),
        meta_rank_(parent.thread_rank() / count),
        meta_size_((parent.size() + count - 1) / count) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<count, Other> &other)
      : lane_group(other.lanes()),
        meta_rank_(other.meta_group_rank()),
        meta_size_(other.meta_group_size()) {}

  static constexpr unsigned num_threads() { return count; }
  static constexpr unsigned size() { return count; }
  unsigned thread_rank() const { return cudasim::lane_number() % count; }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

  template <class Type>
  Type shfl(Type value, int rank, CUDASIM_HERE) const {
    return __shfl_sync(lanes(), value, rank, count, file, line);
  }
  template <class Type>
  Type shfl_up(Type value, unsigned delta, CUDASIM_HERE) const {
    return __shfl_up_sync(lanes(), value, delta, count, file, line);
  }
  template <class Type>
  Type shfl_down(Type value, unsigned delta, CUDASIM_HERE) const {
    return __shfl_down_sync(lanes(), value, delta, count, file, line);
  }
  template <class Type>
  Type shfl_xor(Type value, unsigned ranks, CUDASIM_HERE) const {
    return __shfl_xor_sync(lanes(), value, int(ranks), count, file, line);
  }

 private:
  unsigned meta_rank_, meta_size_;
};

class coalesced_group : public lane_group {
 public:
  explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : lane_group(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

 private:
  unsigned meta_rank_, meta_size_;
};
inline coalesced_group coalesced_threads(CUDASIM_HERE) {
  return coalesced_group(__activemask(file, line));
}

// A group whose kind is known when the program runs: the block, or lanes of a warp.
class thread_group {
 public:
  thread_group(const thread_block &) : mask_(0) {}
  thread_group(const lane_group &group) : mask_(group.lanes()) {}

  unsigned thread_rank() const {
    return is_block() ? thread_block::thread_rank() : lane_group(mask_).thread_rank();
  }
  unsigned num_threads() const {
    return is_block() ? thread_block::num_threads() : lane_group(mask_).num_threads();
  }
  unsigned size() const { return num_threads(); }
  void sync(CUDASIM_HERE) const {
    if (is_block()) thread_block::sync(file, line);
    else lane_group(mask_).sync(file, line);
  }

 private:
  bool is_block() const { return mask_ == 0; }

  unsigned mask_;
};

// Blocks run one after the other here, so only a grid of one block can wait for all its threads.
class grid_group {
 public:
  bool is_valid() const { return num_blocks() == 1; }
  void sync(CUDASIM_HERE) const {
    if (!is_valid()) {
      fprintf(stderr, "cudasim: %s:%d: a grid of several blocks cannot be synchronised here\n", file,
              line);
      abort();
    }
    __syncthreads(file, line);
  }
  unsigned long long num_blocks() const { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  unsigned long long block_rank() const {
    return blockIdx.x + 1ull * gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
  }
  unsigned long long thread_rank() const {
    return block_rank() * details::threads_in_block() + details::thread_rank_in_block();
  }
  unsigned long long num_threads() const { return num_blocks() * details::threads_in_block(); }
  unsigned long long size() const { return num_threads(); }
  dim3 group_dim() const { return gridDim; }
  dim3 dim_blocks() const { return gridDim; }
  dim3 block_index() const { return blockIdx; }
};
inline grid_group this_grid() { return grid_group(); }

template <unsigned count, class Parent>
thread_block_tile<count, Parent> tiled_partition(const Parent &parent) {
  return thread_block_tile<count, Parent>(details::Partition(), parent);
}
template <class Parent>
thread_group tiled_partition(const Parent &, unsigned count) {
  return lane_group(details::tile_mask(count));
}

// Of a coalesced group, each `count` lanes in order of rank.
inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned count) {
  unsigned tile = parent.thread_rank() / count;
  return coalesced_group(details::members(parent.lanes(), tile * count, count), tile,
                         (parent.size() + count - 1) / count);
}

// The lanes of a group that have the same label.
template <class Group, class Label>
coalesced_group labeled_partition(const Group &group, Label label, CUDASIM_HERE) {
  return coalesced_group(__match_any_sync(group.lanes(), label, file, line));
}
template <class Group>
coalesced_group binary_partition(const Group &group, bool label, CUDASIM_HERE) {
  return labeled_partition(group, int(label), file, line);
}

template <class Group>
void sync(const Group &group, CUDASIM_HERE) { group.sync(file, line); }
template <class Group>
unsigned thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group>
unsigned group_size(const Group &group) { return group.size(); }

}  // namespace cooperative_groups
