#include "core/results/detail/results_heads.h"

#include <fstream>
#include <string>

#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/json.h"

namespace vantage {
namespace {

using nlohmann::json;

void append_rows(const json& line, std::string* rows) {
  for (const json& camera : line["heads"]["cameras"])
    for (const json& box : camera["boxes"]) {
      *rows += camera["name"].get<std::string>();
      *rows += formatted(",%lld,%.2f,%.2f,%.2f,%.2f,%.4f,%d\n", line["frame"].get<long long>(),
                         box["x_px"].get<double>(), box["y_px"].get<double>(), box["width_px"].get<double>(),
                         box["height_px"].get<double>(), box["score"].get<double>(),
                         box.value("guided", false) ? 1 : 0);
    }
}

}  // namespace

Status write_head_rows(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "results.jsonl", std::ios::binary);
  std::string rows = "camera,frame,x,y,w,h,score,guided\n";
  bool searched = false;
  for (std::string text; std::getline(stream, text);) {
    if (text.find("\"heads\":{\"cameras\":") == std::string::npos) continue;
    const json line = parse_json(text);
    if (line.is_discarded()) continue;  // damaged: counted where results are read
    searched = true;
    append_rows(line, &rows);
  }
  if (searched) return write_file_atomically(folder / "heads.csv", rows);
  std::error_code ignored;
  std::filesystem::remove(folder / "heads.csv", ignored);
  return {};
}

}  // namespace vantage
