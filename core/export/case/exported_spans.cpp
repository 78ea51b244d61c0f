#include "core/export/case/exported_spans.h"

#include "core/base/file.h"
#include "core/base/json.h"

namespace vantage {
namespace {

constexpr char kExportedSchema[] = "vantage-exported-1";
constexpr char kExportedFile[] = "exported.json";

}  // namespace

Result<std::vector<ExportedSpan>> read_exported_spans(const std::filesystem::path& results_folder) {
  const std::filesystem::path path = results_folder / kExportedFile;
  std::error_code none;
  std::vector<ExportedSpan> spans;
  if (!std::filesystem::exists(path, none)) return spans;
  VANTAGE_ASSIGN(const std::string text, read_file(path));
  const nlohmann::json document = parse_json(text);
  const auto damaged = [&] {
    return fail(ErrorKind::bad_data, "is not a list of exported spans", path.string(), "Remove it.");
  };
  if (!document.is_object() || document.value("schema", nlohmann::json()) != kExportedSchema ||
      !document.contains("exported") || !document["exported"].is_array())
    return damaged();
  for (const nlohmann::json& entry : document["exported"]) {
    const auto is = [&](const char* key, auto check) {
      return entry.is_object() && entry.contains(key) && (entry[key].*check)();
    };
    constexpr auto kNumber = &nlohmann::json::is_number_integer;
    constexpr auto kText = &nlohmann::json::is_string;
    if (!is("first_frame", kNumber) || !is("last_frame", kNumber) || !is("case", kText) ||
        !is("folder", kText))
      return damaged();
    spans.push_back({entry["first_frame"].get<int64_t>(), entry["last_frame"].get<int64_t>(),
                     entry["case"].get<std::string>(), entry["folder"].get<std::string>()});
    if (spans.back().first_frame < 0 || spans.back().first_frame > spans.back().last_frame) return damaged();
  }
  return spans;
}

Status add_exported_span(const std::filesystem::path& results_folder, const ExportedSpan& span) {
  VANTAGE_ASSIGN(std::vector<ExportedSpan> spans, read_exported_spans(results_folder));
  spans.push_back(span);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ExportedSpan& one : spans)
    list.push_back({{"first_frame", one.first_frame},
                    {"last_frame", one.last_frame},
                    {"case", one.id},
                    {"folder", one.folder}});
  const nlohmann::ordered_json document = {{"schema", kExportedSchema}, {"exported", list}};
  VANTAGE_TRY(make_folder(results_folder));
  return write_file_atomically(results_folder / kExportedFile, json_text(document, 1) + "\n");
}

}  // namespace vantage
