#include "l1_cache.h"

namespace cudasim {

void L1Cache::begin_launch(unsigned long long launch, size_t lines, unsigned sectors_per_line) {
  if (launch == launch_) return;
  launch_ = launch;
  sectors_per_line_ = sectors_per_line;
  empty(lines);
}

// Costs as much as was in use, since most launches are small.
void L1Cache::empty(size_t lines) {
  for (const Line &line : lines_) hash_list(line.number) = none;
  lines_.clear();
  oldest_ = newest_ = none;
  capacity_ = lines;
  size_t lists = hash_lists_.empty() ? 1 : hash_lists_.size();
  while (lists < lines) lists *= 2;
  if (lists != hash_lists_.size()) hash_lists_.assign(lists, none);
}

L1Cache::Index L1Cache::find(unsigned long long number) {
  Index line = hash_list(number);
  while (line != none && lines_[line].number != number) line = lines_[line].next_of_hash;
  return line;
}

void L1Cache::leave_hash_list(Index line) {
  Index *place = &hash_list(lines_[line].number);
  while (*place != line) place = &lines_[*place].next_of_hash;
  *place = lines_[line].next_of_hash;
}

void L1Cache::leave_age_list(Index line) {
  Index older = lines_[line].older, newer = lines_[line].newer;
  (older == none ? oldest_ : lines_[older].newer) = newer;
  (newer == none ? newest_ : lines_[newer].older) = older;
}

void L1Cache::become_newest(Index line) {
  lines_[line].older = newest_;
  lines_[line].newer = none;
  (newest_ == none ? oldest_ : lines_[newest_].newer) = line;
  newest_ = line;
}

// A line for new contents: one more, or the oldest.
L1Cache::Index L1Cache::take(unsigned long long number) {
  Index line = Index(lines_.size());
  if (line < capacity_) {
    lines_.push_back({});
  } else {
    line = oldest_;
    leave_hash_list(line);
    leave_age_list(line);
  }
  Index &list = hash_list(number);
  lines_[line] = {number, 0, none, none, list};
  list = line;
  become_newest(line);
  return line;
}

bool L1Cache::read(unsigned long long sector) {
  if (!capacity_) return false;
  unsigned long long number = sector / sectors_per_line_;
  unsigned bit = 1u << sector % sectors_per_line_;
  Index line = newest_ != none && lines_[newest_].number == number ? newest_ : find(number);
  if (line == none) {
    line = take(number);
  } else if (line != newest_) {
    leave_age_list(line);
    become_newest(line);
  }
  bool found = lines_[line].sectors & bit;
  lines_[line].sectors |= bit;
  return found;
}

void L1Cache::forget(unsigned long long sector) {
  if (!capacity_) return;
  Index line = find(sector / sectors_per_line_);
  if (line != none) lines_[line].sectors &= ~(1u << sector % sectors_per_line_);
}

}  // namespace cudasim
