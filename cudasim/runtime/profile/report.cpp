#include "report.h"

#include <algorithm>

#include "turn.h"

namespace cudasim {

static bool is_before(const SourceLine &a, const SourceLine &b) {
  return a.file != b.file ? a.file < b.file : a.line < b.line;
}

static SourceLine line_of(const Row &row, const std::map<unsigned, SourceLine> &lines) {
  if (row.code) return lines.at(row.code);
  return {row.place.file, row.place.line};
}

static KernelReport report_kernel(const KernelProfile &kernel,
                                  const std::map<unsigned, SourceLine> &lines) {
  auto before = [](const SourceLine &a, const SourceLine &b) { return is_before(a, b); };
  std::map<SourceLine, Counters, decltype(before)> by_line(before);
  KernelReport report = {&kernel, {}, {}};
  for (const Row &row : kernel.rows) {
    SourceLine place = line_of(row, lines);
    place.file = short_path(place.file);
    by_line[place].add(row.counters);
    report.counters.add(row.counters);
  }
  for (const auto &[place, counters] : by_line) report.lines.push_back({place, counters});
  return report;
}

// All addresses are asked for at once: each call of addr2line reads the program anew.
static std::map<unsigned, SourceLine> find_lines() {
  std::vector<unsigned> codes;
  for (const KernelProfile &kernel : kernel_profiles())
    for (const Row &row : kernel.rows)
      if (row.code) codes.push_back(row.code);
  for (const auto &[key, count] : copy_counts()) codes.push_back(key.second);
  std::vector<SourceLine> found = source_lines(codes);
  std::map<unsigned, SourceLine> lines;
  for (size_t i = 0; i < codes.size(); ++i) lines[codes[i]] = found[i];
  return lines;
}

static void report_copies(Report &report, const std::map<unsigned, SourceLine> &lines) {
  for (const auto &[key, count] : copy_counts()) {
    CopyCount &total = report.copied[int(key.first)];
    total.calls += count.calls;
    total.bytes += count.bytes;
    SourceLine place = lines.at(key.second);
    place.file = short_path(place.file);
    report.copies.push_back({key.first, place, count});
  }
  std::stable_sort(report.copies.begin(), report.copies.end(),
                   [](const CopyReport &a, const CopyReport &b) {
                     return is_before(a.place, b.place);
                   });
}

Report make_report() {
  finish_traffic();
  Report report;
  std::map<unsigned, SourceLine> lines = find_lines();
  for (const KernelProfile &kernel : kernel_profiles()) {
    report.kernels.push_back(report_kernel(kernel, lines));
    report.total.add(report.kernels.back().counters);
  }
  report_copies(report, lines);
  return report;
}

// ---- at the end of the program -----------------------------------------------------------

static FILE *open_output(const char *name) {
  FILE *file = fopen(name, "w");
  if (!file) fprintf(stderr, "cudasim: the profile cannot be written to %s\n", name);
  return file;
}

__attribute__((destructor(102))) static void report_profile() {
  Turn turn;
  Report report = make_report();
  const char *name = getenv("CUDASIM_PROFILE");
  if (!name || !*name) {
    fflush(stdout);
    write_table(stderr, report);
  } else if (FILE *file = open_output(name)) {
    write_json(file, report);
    fclose(file);
  }
}

}  // namespace cudasim
