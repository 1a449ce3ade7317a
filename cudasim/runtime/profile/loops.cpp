// Loops are found in the graph of the steps that warps made.  A step back in the order of
// tools/number-blocks leads from the last block of a loop to its first one.  gcc lets loops that
// begin at the same place share the first block: of two last blocks, that which comes first in the
// order is the inner loop's, and what returns from the outer one enters the inner loop.
#include "loops.h"

#include <algorithm>
#include <set>

namespace cudasim {

typedef std::set<unsigned> Blocks;  // by their marks

struct StepGraph {
  const KernelProfile &kernel;
  const BlockCodes &blocks;
  const std::map<unsigned, SourceLine> &lines;  // of code addresses
  std::map<unsigned, Blocks> before;            // from which steps lead to a block

  unsigned number_of(unsigned mark) const {
    auto found = blocks.find(mark);
    return found == blocks.end() ? 0 : found->second.number;
  }

  // Blocks that no jump divides have the same number, and marks in order of address.
  bool goes_back(const Step &step) const {
    unsigned from = number_of(step.from), to = number_of(step.to);
    return step.from && (to < from || (to == from && step.to <= step.from));
  }
};

static StepGraph graph_of(const KernelProfile &kernel, const BlockCodes &blocks,
                          const std::map<unsigned, SourceLine> &lines) {
  StepGraph graph = {kernel, blocks, lines, {}};
  for (const auto &[step, count] : kernel.steps)
    if (step.from) graph.before[step.to].insert(step.from);
  return graph;
}

// The blocks that lead to the last one without passing the first one again.
static Blocks body_of(unsigned first, unsigned last, const StepGraph &graph) {
  Blocks body = {first};
  std::vector<unsigned> open = {last};
  while (!open.empty()) {
    unsigned block = open.back();
    open.pop_back();
    auto before = graph.before.find(block);
    if (body.insert(block).second && before != graph.before.end())
      open.insert(open.end(), before->second.begin(), before->second.end());
  }
  return body;
}

static const CodeOfLine *end_of(unsigned mark, const BlockCodes &blocks) {
  auto block = blocks.find(mark);
  if (block == blocks.end()) return nullptr;
  for (const CodeOfLine &code : block->second.lines)
    if (code.ending != Ending::none) return &code;
  return nullptr;
}

// The block that decides whether to go on: the last one if it ends with a branch, else the last
// from which a step leaves the loop, and none of inner loops; 0 if there is none.
static unsigned deciding_block(unsigned last, const Blocks &body, const Blocks &inner,
                               const StepGraph &graph) {
  const CodeOfLine *end = end_of(last, graph.blocks);
  if (end && end->ending == Ending::branch) return last;
  unsigned deciding = 0;
  for (const auto &[step, count] : graph.kernel.steps) {
    if (!body.count(step.from) || inner.count(step.from) || body.count(step.to)) continue;
    if (!deciding || graph.number_of(step.from) > graph.number_of(deciding)) deciding = step.from;
  }
  return deciding;
}

static std::set<int> lines_of(unsigned mark, const StepGraph &graph) {
  std::set<int> lines;
  auto block = graph.blocks.find(mark);
  if (block == graph.blocks.end()) return lines;
  for (const CodeOfLine &code : block->second.lines) lines.insert(graph.lines.at(code.code).line);
  return lines;
}

// Whether a loop decides before its body, so that what precedes the decision is executed once more
// than the body.  Then lines of the body come only after the decision.
static bool decides_first(const Blocks &body, unsigned deciding, const StepGraph &graph) {
  std::set<int> before, after;
  for (unsigned block : body) {
    bool follows = graph.number_of(block) > graph.number_of(deciding);
    (follows ? after : before).merge(lines_of(block, graph));
  }
  return !std::includes(before.begin(), before.end(), after.begin(), after.end());
}

static std::vector<unsigned> codes_of(const Blocks &body, const StepGraph &graph) {
  std::vector<unsigned> codes;
  for (unsigned mark : body) {
    auto block = graph.blocks.find(mark);
    if (block == graph.blocks.end()) continue;
    for (const CodeOfLine &code : block->second.lines) codes.push_back(code.code);
  }
  return codes;
}

typedef std::map<unsigned, std::vector<std::pair<Step, Count>>> Returns;  // by the first block

static bool has_inner_loop(unsigned first, const Blocks &body, const Returns &returns) {
  return std::any_of(body.begin(), body.end(),
                     [&](unsigned block) { return block != first && returns.count(block); });
}

// Of the loops that begin with a block, given the steps back to it, the outer ones first.
static void count_loops_at(unsigned first, const Returns &all, const StepGraph &graph,
                           std::vector<LoopCount> &loops) {
  const std::vector<std::pair<Step, Count>> &returns = all.at(first);
  Count entries = 0;
  for (const auto &[step, count] : graph.kernel.steps)
    if (step.to == first && !graph.goes_back(step)) entries += count.all;
  for (size_t i = 0; i < returns.size(); ++i) {
    unsigned last = returns[i].first.from;
    Blocks inner;
    if (i + 1 < returns.size()) inner = body_of(first, returns[i + 1].first.from, graph);
    Blocks body = body_of(first, last, graph);
    Count back = returns[i].second;
    unsigned deciding = deciding_block(last, body, inner, graph);
    const CodeOfLine *end = end_of(deciding, graph.blocks);
    Count extra = decides_first(body, deciding, graph) ? 0 : entries;
    bool is_innermost = inner.empty() && !has_inner_loop(first, body, all);
    if (end)
      loops.push_back({end->code, entries, back + extra,
                       is_innermost ? codes_of(body, graph) : std::vector<unsigned>()});
    entries += back;
  }
}

std::vector<LoopCount> count_loops(const KernelProfile &kernel, const BlockCodes &blocks,
                                   const std::map<unsigned, SourceLine> &lines) {
  StepGraph graph = graph_of(kernel, blocks, lines);
  Returns returns;
  for (const auto &[step, count] : kernel.steps)
    if (graph.goes_back(step)) returns[step.to].push_back({step, count.all});
  std::vector<LoopCount> loops;
  for (auto &[first, back] : returns) {
    std::sort(back.begin(), back.end(), [&](const auto &a, const auto &b) {
      return graph.number_of(a.first.from) > graph.number_of(b.first.from);
    });
  }
  for (const auto &[first, back] : returns) count_loops_at(first, returns, graph, loops);
  return loops;
}

}  // namespace cudasim
