#include "report.h"

#include <algorithm>

#include "loops.h"
#include "price.h"
#include "turn.h"

namespace cudasim {

static bool is_before(const SourceLine &a, const SourceLine &b) {
  return a.file != b.file ? a.file < b.file : a.line < b.line;
}

// The lines of code addresses, and what basic blocks do.
struct Program {
  std::map<unsigned, SourceLine> lines;
  const BlockCodes &blocks;
};

static SourceLine line_of(unsigned code, const Program &program) {
  SourceLine place = program.lines.at(code);
  place.file = short_path(place.file);
  return place;
}

static SourceLine line_of(const Row &row, const Program &program) {
  if (row.code) return line_of(row.code, program);
  return {short_path(row.place.file), row.place.line};
}

static const BlockCode &code_of_block(unsigned mark, const BlockCodes &blocks) {
  static const auto &none = *new BlockCode;
  auto found = blocks.find(mark);
  return found == blocks.end() ? none : found->second;
}

static bool counts_something(const Counters &counters) {
  static const Counters none = {};
  return memcmp(&counters, &none, sizeof none) != 0;
}

typedef std::map<SourceLine, LineReport, bool (*)(const SourceLine &, const SourceLine &)> Lines;

// A step comes to a line if the block before has no code of the line, or if the step goes back.
static void add_step(Lines &lines, const Step &step, const WarpCount &count, const Program &program) {
  const BlockCode &from = code_of_block(step.from, program.blocks);
  const BlockCode &to = code_of_block(step.to, program.blocks);
  std::vector<const LineReport *> reached;
  if (step.from && to.number > from.number)
    for (const CodeOfLine &code : from.lines)
      reached.push_back(&lines[line_of(code.code, program)]);
  for (const CodeOfLine &code : to.lines) {
    LineReport &line = lines[line_of(code.code, program)];
    line.operations.add(code.operations, count.all);
    line.work += code.work() * count.all;
    line.busiest_work += code.work() * count.busiest;
    if (std::find(reached.begin(), reached.end(), &line) != reached.end()) continue;
    line.executions += count.all;
    reached.push_back(&line);
  }
}

static std::vector<LoopReport> report_loops(const std::vector<LoopCount> &loops,
                                            const Program &program) {
  std::map<SourceLine, LoopReport, bool (*)(const SourceLine &, const SourceLine &)> by_line(
      is_before);
  for (const LoopCount &loop : loops) {
    LoopReport &report = by_line[line_of(loop.condition, program)];
    report.entries += loop.entries;
    report.iterations += loop.iterations;
  }
  std::vector<LoopReport> reports;
  for (auto &[place, loop] : by_line) {
    loop.place = place;
    reports.push_back(loop);
  }
  return reports;
}

// If several innermost loops have code of a line, the one with most iterations counts.
static void place_in_loops(Lines &lines, std::vector<LoopCount> loops, const Program &program) {
  std::stable_sort(loops.begin(), loops.end(), [](const LoopCount &a, const LoopCount &b) {
    return a.iterations < b.iterations;
  });
  for (const LoopCount &loop : loops) {
    SourceLine condition = line_of(loop.condition, program);
    for (unsigned code : loop.body) {
      auto line = lines.find(line_of(code, program));
      if (line != lines.end() && line->first.file == condition.file)
        line->second.innermost_loop = condition.line;
    }
  }
}

static void add_row(LineReport &line, const Row &row) {
  line.counters.add(row.counters);
  line.work += row.accesses.work * row.accesses.all;
  line.busiest_work += row.accesses.work * row.accesses.busiest;
}

static KernelReport report_kernel(const KernelProfile &kernel, const Program &program) {
  Lines by_line(is_before);
  std::vector<LoopCount> loops = count_loops(kernel, program.blocks, program.lines);
  KernelReport report = {&kernel, {}, {}, report_loops(loops, program)};
  for (const Row &row : kernel.rows) {
    if (counts_something(row.counters)) add_row(by_line[line_of(row, program)], row);
    report.counters.add(row.counters);
  }
  for (const auto &[step, count] : kernel.steps) add_step(by_line, step, count, program);
  place_in_loops(by_line, loops, program);
  for (auto &[place, line] : by_line) {
    line.place = place;
    report.lines.push_back(line);
  }
  return report;
}

static void add_codes(const KernelProfile &kernel, const BlockCodes &blocks,
                      std::vector<unsigned> &codes) {
  for (const Row &row : kernel.rows)
    if (row.code) codes.push_back(row.code);
  for (const auto &[step, count] : kernel.steps)
    for (const CodeOfLine &code : code_of_block(step.to, blocks).lines) codes.push_back(code.code);
}

// All addresses are asked for at once: each call of addr2line reads the program anew.
static std::map<unsigned, SourceLine> find_lines(const BlockCodes &blocks) {
  std::vector<unsigned> codes;
  for (const KernelProfile &kernel : kernel_profiles()) add_codes(kernel, blocks, codes);
  for (const auto &[key, count] : copy_counts()) codes.push_back(key.second);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
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
  Program program = {{}, block_codes()};
  program.lines = find_lines(program.blocks);
  for (const KernelProfile &kernel : kernel_profiles()) {
    report.kernels.push_back(report_kernel(kernel, program));
    report.total.add(report.kernels.back().counters);
  }
  report_copies(report, program.lines);
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
    price(report);
  } else if (FILE *file = open_output(name)) {
    write_json(file, report);
    fclose(file);
  }
}

}  // namespace cudasim
