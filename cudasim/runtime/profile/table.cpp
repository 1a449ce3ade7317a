// The profile as tables for people.

#include <algorithm>

#include "report.h"

namespace cudasim {

constexpr size_t worst_lines = 10;

// ---- what is shown of the counts ---------------------------------------------------------

struct Summary {
  Count requests = 0, touched_sectors = 0, ideal_sectors = 0, l1_hits = 0, sectors = 0;
  Count wavefronts = 0, ideal_wavefronts = 0;

  explicit Summary(const Counters &counters) {
    add(counters.async_copies);
    wavefronts = counters.async_shared_wavefronts, ideal_wavefronts = counters.async_shared_ideal;
    for (int kind = 0; kind < access_kinds; ++kind) {
      const BankUse &shared = counters.shared[kind];
      add(counters.global[kind]);
      wavefronts += shared.wavefronts, ideal_wavefronts += shared.ideal_wavefronts;
    }
  }

  void add(const Traffic &traffic) {
    requests += traffic.requests;
    touched_sectors += traffic.touched_sectors, ideal_sectors += traffic.ideal_sectors;
    l1_hits += traffic.l1_hits, sectors += traffic.sectors;
  }

  // What could be saved.
  Count excess() const { return touched_sectors - ideal_sectors + wavefronts - ideal_wavefronts; }
};

static std::string ratio(Count actual, Count ideal) {
  char text[32] = "-";
  if (ideal) snprintf(text, sizeof text, "%.2f", double(actual) / double(ideal));
  return text;
}

static std::string bytes_text(Count bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
  auto value = double(bytes);
  int unit = 0;
  for (; value >= 10000 && unit < 4; ++unit) value /= 1000;
  char text[32];
  snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
  return text;
}

// ---- tables ------------------------------------------------------------------------------

typedef std::vector<std::string> TableRow;

// The first column is aligned to the left, the others to the right.
static void write_rows(FILE *file, const std::vector<TableRow> &rows) {
  std::vector<size_t> width(rows[0].size());
  for (const TableRow &row : rows)
    for (size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  for (const TableRow &row : rows) {
    fprintf(file, "%-*s", int(width[0]), row[0].c_str());
    for (size_t i = 1; i < row.size(); ++i) fprintf(file, "  %*s", int(width[i]), row[i].c_str());
    fputc('\n', file);
  }
}

static TableRow row_of(std::vector<std::string> first, const Counters &counters) {
  Summary summary(counters);
  for (const std::string &text :
       {std::to_string(summary.requests), std::to_string(summary.touched_sectors),
        ratio(summary.touched_sectors, summary.ideal_sectors), std::to_string(summary.l1_hits),
        std::to_string(summary.sectors), std::to_string(summary.wavefronts),
        ratio(summary.wavefronts, summary.ideal_wavefronts), std::to_string(counters.barriers),
        std::to_string(counters.divergent_branches),
        bytes_text(counters.dram_read_bytes + counters.dram_written_bytes)})
    first.push_back(text);
  return first;
}

static TableRow heading(std::vector<std::string> first) {
  for (const char *text : {"requests", "touched", "/ideal", "L1 hits", "sectors", "shared", "/ideal",
                           "barriers", "divergent", "DRAM"})
    first.push_back(text);
  return first;
}

static void write_kernels(FILE *file, const Report &report) {
  std::vector<TableRow> rows = {heading({"kernel", "launches"})};
  for (const KernelReport &kernel : report.kernels)
    rows.push_back(row_of({kernel.kernel->name, std::to_string(kernel.kernel->launches)},
                          kernel.counters));
  write_rows(file, rows);
}

static bool costs_something(const Counters &counters) {
  return Summary(counters).excess() || counters.divergent_branches;
}

static void write_worst_lines(FILE *file, const Report &report) {
  std::vector<const LineReport *> lines;
  for (const KernelReport &kernel : report.kernels)
    for (const LineReport &line : kernel.lines)
      if (costs_something(line.counters)) lines.push_back(&line);
  if (lines.empty()) return;
  std::stable_sort(lines.begin(), lines.end(), [](const LineReport *a, const LineReport *b) {
    Count excess = Summary(a->counters).excess(), other = Summary(b->counters).excess();
    if (excess != other) return excess > other;
    return a->counters.divergent_branches > b->counters.divergent_branches;
  });
  lines.resize(std::min(lines.size(), worst_lines));
  std::vector<TableRow> rows = {heading({"lines that cost most beyond the ideal"})};
  for (const LineReport *line : lines) rows.push_back(row_of({line->place.text()}, line->counters));
  fputc('\n', file);
  write_rows(file, rows);
}

static void write_copies(FILE *file, const Report &report) {
  static const char *const names[ways] = {"host to device", "device to host", "device to device",
                                          "host to host", "fills"};
  std::vector<TableRow> rows = {{"copies", "calls", "bytes"}};
  for (int way = 0; way < ways; ++way)
    if (report.copied[way].calls)
      rows.push_back({names[way], std::to_string(report.copied[way].calls),
                      bytes_text(report.copied[way].bytes)});
  if (rows.size() == 1) return;
  fputc('\n', file);
  write_rows(file, rows);
}

void write_table(FILE *file, const Report &report) {
  write_kernels(file, report);
  write_worst_lines(file, report);
  write_copies(file, report);
}

}  // namespace cudasim
