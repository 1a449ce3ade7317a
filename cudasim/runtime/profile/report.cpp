#include "report.h"

#include <algorithm>

#include "turn.h"

namespace cudasim {

static bool is_before(const SourceLine &a, const SourceLine &b) {
  return a.file != b.file ? a.file < b.file : a.line < b.line;
}

// The lines of code addresses, and what basic blocks do.
struct Program {
  std::map<unsigned, SourceLine> lines;
  BlockCode blocks;
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

static const std::vector<CodeOfLine> &code_of_block(const Row &row, const BlockCode &blocks) {
  static const auto &none = *new std::vector<CodeOfLine>;
  auto found = blocks.find(row.code);
  return row.executions && found != blocks.end() ? found->second : none;
}

static bool counts_something(const Counters &counters) {
  static const Counters none = {};
  return memcmp(&counters, &none, sizeof none) != 0;
}

typedef std::map<SourceLine, LineReport, bool (*)(const SourceLine &, const SourceLine &)> Lines;

// A block executes a line once, however many pieces of code it has of it.
static void add_work(Lines &lines, const Row &row, const Program &program) {
  std::vector<LineWork *> executed;
  for (const CodeOfLine &code : code_of_block(row, program.blocks)) {
    LineWork &work = lines[line_of(code.code, program)].work;
    work.fp32 += code.once.fp32 * row.executions;
    work.fp64 += code.once.fp64 * row.executions;
    work.library += code.once.library * row.executions;
    if (std::find(executed.begin(), executed.end(), &work) != executed.end()) continue;
    work.executions += row.executions;
    executed.push_back(&work);
  }
}

static KernelReport report_kernel(const KernelProfile &kernel, const Program &program) {
  Lines by_line(is_before);
  KernelReport report = {&kernel, {}, {}};
  for (const Row &row : kernel.rows) {
    if (counts_something(row.counters)) by_line[line_of(row, program)].counters.add(row.counters);
    report.counters.add(row.counters);
    add_work(by_line, row, program);
  }
  for (auto &[place, line] : by_line) {
    line.place = place;
    report.lines.push_back(line);
  }
  return report;
}

static void add_codes(const Row &row, const BlockCode &blocks, std::vector<unsigned> &codes) {
  codes.push_back(row.code);
  for (const CodeOfLine &code : code_of_block(row, blocks)) codes.push_back(code.code);
}

// All addresses are asked for at once: each call of addr2line reads the program anew.
static std::map<unsigned, SourceLine> find_lines(const BlockCode &blocks) {
  std::vector<unsigned> codes;
  for (const KernelProfile &kernel : kernel_profiles())
    for (const Row &row : kernel.rows)
      if (row.code) add_codes(row, blocks, codes);
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
  Program program;
  program.blocks = read_block_code();
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
  } else if (FILE *file = open_output(name)) {
    write_json(file, report);
    fclose(file);
  }
}

}  // namespace cudasim
