// Random loads and atomic operations on the L1 cache, against a list of lines in order of their use.
#include "profile.cpp"

#include <list>
#include <random>

using namespace cudasim;

struct ModelLine {
  unsigned long long number;
  unsigned sectors;
};

class Model {
 public:
  void begin(size_t capacity, unsigned sectors_per_line) {
    lines_.clear();
    capacity_ = capacity, sectors_per_line_ = sectors_per_line;
  }

  bool read(unsigned long long sector) {
    if (!capacity_) return false;
    auto line = find(sector);
    if (line == lines_.end()) {
      if (lines_.size() == capacity_) lines_.pop_back();
      lines_.push_front({sector / sectors_per_line_, 0});
    } else {
      lines_.splice(lines_.begin(), lines_, line);
    }
    unsigned bit = 1u << sector % sectors_per_line_;
    bool found = lines_.front().sectors & bit;
    lines_.front().sectors |= bit;
    return found;
  }

  void forget(unsigned long long sector) {
    auto line = find(sector);
    if (line != lines_.end()) line->sectors &= ~(1u << sector % sectors_per_line_);
  }

 private:
  std::list<ModelLine>::iterator find(unsigned long long sector) {
    auto line = lines_.begin();
    while (line != lines_.end() && line->number != sector / sectors_per_line_) ++line;
    return line;
  }

  std::list<ModelLine> lines_;  // the newest first
  size_t capacity_ = 0;
  unsigned sectors_per_line_ = 1;
};

int main() {
  std::mt19937_64 generator(1);
  auto any = [&](unsigned n) { return unsigned(generator() % n); };
  L1Cache cache;
  Model model;
  unsigned hits = 0, wrong = 0;
  for (unsigned launch = 1; launch <= 300; ++launch) {
    size_t lines = any(4) ? 1 + any(64) : any(2) * 1000;
    unsigned sectors_per_line = 1u << any(6), range = 1 + any(3 * 64 * sectors_per_line);
    // Far addresses too, with the same distance between lines.
    unsigned long long base = generator() >> 20, distance = any(2) ? 1 : sectors_per_line * 1024ull;
    model.begin(lines, sectors_per_line);
    for (int i = 0; i < 1000; ++i) {
      unsigned long long sector = base + any(range) * distance;
      cache.begin_launch(launch, lines, sectors_per_line);
      if (any(20) == 0) {
        cache.forget(sector), model.forget(sector);
        continue;
      }
      bool hit = model.read(sector);
      hits += hit;
      wrong += cache.read(sector) != hit;
    }
  }
  printf("%u hits, %u wrong\n", hits, wrong);
  fflush(stdout);
  _exit(wrong || hits < 10000);
}
