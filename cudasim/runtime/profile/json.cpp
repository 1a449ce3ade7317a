// The profile as JSON; README.md describes the fields.

#include "device_model.h"
#include "report.h"

namespace cudasim {

// Writes objects and arrays, and the commas and line ends between their members.
class JsonWriter {
 public:
  explicit JsonWriter(FILE *file) : file_(file) {}

  void open(char bracket, const char *name = nullptr) {
    begin(name);
    fputc(bracket, file_);
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (!first_) new_line();
    fputc(bracket, file_);
    first_ = false;
    if (depth_ == 0) fputc('\n', file_);
  }
  void number(const char *name, Count value) {
    begin(name);
    fprintf(file_, "%llu", value);
  }
  void text(const char *name, const std::string &value) {
    begin(name);
    string(value);
  }
  void position(const char *name, const dim3 &value) {
    begin(name);
    fprintf(file_, "[%u, %u, %u]", value.x, value.y, value.z);
  }

 private:
  void begin(const char *name) {
    if (!first_) fputc(',', file_);
    if (depth_) new_line();
    first_ = false;
    if (name) fprintf(file_, "\"%s\": ", name);
  }
  void new_line() { fprintf(file_, "\n%*s", 2 * depth_, ""); }
  void string(const std::string &value) {
    fputc('"', file_);
    for (char c : value) {
      if (c == '"' || c == '\\') fprintf(file_, "\\%c", c);
      else if ((unsigned char)c < 0x20) fprintf(file_, "\\u%04x", c);
      else fputc(c, file_);
    }
    fputc('"', file_);
  }

  FILE *file_;
  int depth_ = 0;
  bool first_ = true;
};

static const char *const access_names[access_kinds] = {"loads", "stores", "atomics"};

static void write_traffic(JsonWriter &json, const Traffic &traffic) {
  json.number("requests", traffic.requests);
  json.number("lanes", traffic.lanes);
  json.number("sectors", traffic.sectors);
  json.number("l1_hits", traffic.l1_hits);
  json.number("touched_sectors", traffic.touched_sectors);
  json.number("ideal_sectors", traffic.ideal_sectors);
  json.number("bytes", traffic.bytes);
  json.number("width_bytes", traffic.width_bytes);
  json.number("l1_wavefronts", traffic.l1_wavefronts);
}

static void write_all_traffic(JsonWriter &json, const Counters &counters) {
  json.open('{', "global");
  for (int kind = 0; kind < access_kinds; ++kind) {
    json.open('{', access_names[kind]);
    write_traffic(json, counters.global[kind]);
    json.close('}');
  }
  json.close('}');
  json.open('{', "async_copies");
  write_traffic(json, counters.async_copies);
  json.number("shared_wavefronts", counters.async_shared_wavefronts);
  json.number("ideal_shared_wavefronts", counters.async_shared_ideal);
  json.close('}');
}

static void write_bank_use(JsonWriter &json, const char *name, const BankUse &use) {
  json.open('{', name);
  json.number("requests", use.requests);
  json.number("lanes", use.lanes);
  json.number("wavefronts", use.wavefronts);
  json.number("ideal_wavefronts", use.ideal_wavefronts);
  json.number("width_bytes", use.width_bytes);
  json.close('}');
}

static void write_counters(JsonWriter &json, const Counters &counters) {
  write_all_traffic(json, counters);
  json.open('{', "shared");
  for (int kind = 0; kind < access_kinds; ++kind)
    write_bank_use(json, access_names[kind], counters.shared[kind]);
  json.close('}');
  write_bank_use(json, "constant", counters.constant);
  json.number("barriers", counters.barriers);
  json.number("warp_barriers", counters.warp_barriers);
  json.number("exchanges", counters.exchanges);
  json.number("branches", counters.branches);
  json.number("divergent_branches", counters.divergent_branches);
  json.number("dram_read_bytes", counters.dram_read_bytes);
  json.number("dram_written_bytes", counters.dram_written_bytes);
}

static void write_operations(JsonWriter &json, const Operations &operations) {
  json.open('{', "operations");
  json.number("fp32_sums", operations.sums32);
  json.number("fp32_products", operations.products32);
  json.number("fp64_sums", operations.sums64);
  json.number("fp64_products", operations.products64);
  json.number("library", operations.library);
  json.close('}');
}

static void write_line(JsonWriter &json, const LineReport &line) {
  json.open('{');
  json.text("file", line.place.file);
  json.number("line", Count(line.place.line));
  json.number("executions", line.executions);
  json.number("work", line.work);
  json.number("busiest_work", line.busiest_work);
  json.number("innermost_loop", Count(line.innermost_loop));
  write_operations(json, line.operations);
  write_counters(json, line.counters);
  json.close('}');
}

static void write_loop(JsonWriter &json, const LoopReport &loop) {
  json.open('{');
  json.text("file", loop.place.file);
  json.number("line", Count(loop.place.line));
  json.number("entries", loop.entries);
  json.number("iterations", loop.iterations);
  json.close('}');
}

static void write_kernel(JsonWriter &json, const KernelReport &report) {
  const KernelProfile &kernel = *report.kernel;
  json.open('{');
  json.text("name", kernel.name);
  json.text("file", short_path(kernel.site.file));
  json.number("line", Count(kernel.site.line));
  json.number("launches", kernel.launches);
  json.number("blocks", kernel.blocks);
  json.number("blocks_with_work", kernel.blocks_with_work);
  json.number("threads", kernel.threads);
  json.number("warps", kernel.warps);
  json.position("grid", kernel.first_shape.grid);
  json.position("block", kernel.first_shape.block);
  json.number("dynamic_shared_bytes", kernel.first_shape.dynamic_shared);
  json.number("static_shared_bytes", kernel.first_residency.static_shared);
  json.number("registers", kernel.first_residency.registers);
  json.number("resident_blocks", kernel.first_residency.blocks);
  json.number("l1_cache_bytes", kernel.first_residency.l1_bytes);
  write_counters(json, report.counters);
  json.open('[', "lines");
  for (const LineReport &line : report.lines) write_line(json, line);
  json.close(']');
  json.open('[', "loops");
  for (const LoopReport &loop : report.loops) write_loop(json, loop);
  json.close(']');
  json.close('}');
}

static const char *const way_names[ways] = {"host_to_device", "device_to_host",
                                            "device_to_device", "host_to_host", "fill"};

static void write_copies(JsonWriter &json, const Report &report) {
  json.open('{', "copies");
  for (int way = 0; way < ways; ++way) {
    json.open('{', way_names[way]);
    json.number("calls", report.copied[way].calls);
    json.number("bytes", report.copied[way].bytes);
    json.close('}');
  }
  json.open('[', "lines");
  for (const CopyReport &copy : report.copies) {
    json.open('{');
    json.text("file", copy.place.file);
    json.number("line", Count(copy.place.line));
    json.text("way", way_names[int(copy.way)]);
    json.number("calls", copy.count.calls);
    json.number("bytes", copy.count.bytes);
    json.close('}');
  }
  json.close(']');
  json.close('}');
}

static Count launch_count(const Report &report) {
  Count count = 0;
  for (const KernelReport &kernel : report.kernels) count += kernel.kernel->launches;
  return count;
}

static void write_device(JsonWriter &json) {
  const DeviceModel &model = device_model();
  json.open('{', "device");
  json.text("name", model.name);
  json.number("multiprocessors", model.multiprocessors);
  json.number("l1_bytes", model.l1.bytes);
  json.number("l1_line_bytes", model.l1.line_bytes);
  json.number("l2_bytes", model.l2.bytes);
  json.number("l2_line_bytes", model.l2.line_bytes);
  json.number("l2_ways", model.l2.ways);
  json.close('}');
}

void write_json(FILE *file, const Report &report) {
  JsonWriter json(file);
  json.open('{');
  json.text("format", "cudasim-profile");
  json.number("version", 2);
  write_device(json);
  json.open('[', "kernels");
  for (const KernelReport &kernel : report.kernels) write_kernel(json, kernel);
  json.close(']');
  write_copies(json, report);
  json.open('{', "totals");
  json.number("launches", launch_count(report));
  write_counters(json, report.total);
  json.close('}');
  json.close('}');
}

}  // namespace cudasim
