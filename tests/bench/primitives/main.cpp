// Integral images and non-maximum suppression, measured beside the libraries that users know.
//   primitives_bench [--cpu] [--cuda] [--integral] [--nms] [--json FILE]      (nothing named: everything)
#include <fmt/core.h>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "core/base/json.h"
#include "tests/bench/primitives/report.h"
#include "tests/support/choose_instruction_set.h"

namespace vantage::bench {

void Report::note(const std::string& text) {
  fmt::print("# {}\n", text);
  notes_.push_back(text);
}

void Report::add(Row row) {
  if (rows_.empty() || rows_.back().group != row.group)
    fmt::print("\n{}\n{:28} {:34} {:>12} {:>12} {:>10} {:>9}\n", row.group, "input", "method", "time us",
               "least us", "limit us", "fraction");
  fmt::print("{:28} {:34} {:12.2f}", row.input, row.method, row.time_us);
  if (row.min_us > 0)
    fmt::print(" {:12.2f}", row.min_us);
  else
    fmt::print(" {:>12}", "");
  if (row.limit_us > 0) fmt::print(" {:10.2f} {:8.1f}%", row.limit_us, 100 * row.limit_us / row.time_us);
  fmt::print("\n");
  std::fflush(stdout);
  rows_.push_back(std::move(row));
}

bool Report::write_json(const std::string& path) const {
  nlohmann::ordered_json json;
  json["notes"] = notes_;
  json["rows"] = nlohmann::ordered_json::array();
  for (const Row& row : rows_) {
    nlohmann::ordered_json item = {
        {"group", row.group}, {"input", row.input}, {"method", row.method}, {"time_us", row.time_us}};
    if (row.min_us > 0) item["min_us"] = row.min_us;
    if (row.limit_us > 0) item["limit_us"] = row.limit_us;
    json["rows"].push_back(std::move(item));
  }
  std::ofstream file(path);
  file << json_text(json, 1) << '\n';
  return file.good();
}

}  // namespace vantage::bench

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  using namespace vantage::bench;
  const auto named = [&](const char* name) {
    for (int i = 1; i < argc; ++i)
      if (std::strcmp(argv[i], name) == 0) return true;
    return false;
  };
  const bool all_devices = !named("--cpu") && !named("--cuda"),
             all_parts = !named("--integral") && !named("--nms");
  Report report;
  if (all_devices || named("--cuda")) {
    if (all_parts || named("--integral")) measure_integral_cuda(report);
    if (all_parts || named("--nms")) measure_nms_cuda(report);
  }
  if (all_devices || named("--cpu")) {
    if (all_parts || named("--integral")) measure_integral_cpu(report);
    if (all_parts || named("--nms")) measure_nms_cpu(report);
  }
  const auto write_json = [&] {
    for (int i = 1; i + 1 < argc; ++i)
      if (std::strcmp(argv[i], "--json") == 0 && !report.write_json(argv[i + 1])) {
        fmt::print(stderr, "primitives_bench: cannot write {}\n", argv[i + 1]);
        return false;
      }
    return true;
  };
  if (!write_json()) return 1;
  // Last, so that nothing is lost where NPP refuses to be captured into a graph.
  if ((all_devices || named("--cuda")) && (all_parts || named("--integral"))) measure_npp_cuda(report);
  return write_json() ? 0 : 1;
}
