#include "core/results/results_versions.h"

#include <sstream>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"

namespace vantage {
namespace {

using project_detail::StageVersionsRef;

StageVersions restated(StageVersions versions, int64_t frame, std::span<const VersionChange> changes) {
  for (auto& [stage, version] : versions)
    for (const VersionChange& change : changes) {
      if (frame >= change.first_frame) continue;
      const auto before = change.before.find(stage), now = change.now.find(stage);
      if (before != change.before.end() && before->second == version && now != change.now.end())
        version = now->second;
    }
  return versions;
}

// `before`, `now`: versions stated by the header.
std::string restated_line(const std::string& line, const StageVersionsRef& before,
                          const StageVersionsRef& now, std::span<const VersionChange> changes) {
  nlohmann::ordered_json json = parse_ordered_json(line);
  if (!json.is_object()) return line;
  try {
    const auto own = json.find("versions");
    if (own == json.end() && !before) return line;
    const StageVersions versions = own == json.end() ? *before : project_detail::versions_from(*own);
    project_detail::set_versions(restated(versions, json.value("frame", int64_t{0}), changes), now, &json);
  } catch (const nlohmann::json::exception&) {
    return line;
  }
  return json_text(json);
}

}  // namespace

// The header gets the versions that most lines have in the end.
Status restate_versions(const std::filesystem::path& results, std::span<const VersionChange> changes) {
  VANTAGE_ASSIGN(const std::string given, read_file(results));
  std::istringstream stream(given);
  std::string text, line;
  std::getline(stream, text);  // the header
  const StageVersionsRef before = project_detail::versions_of_header(text);
  StageVersionsRef now;
  if (before) {
    now = std::make_shared<const StageVersions>(restated(*before, INT64_MIN, changes));
    nlohmann::ordered_json header = parse_ordered_json(text);
    header["versions"] = project_detail::versions_json(*now);
    text = json_text(header);
  }
  text += '\n';
  while (std::getline(stream, line)) text += restated_line(line, before, now, changes) + '\n';
  return write_file_atomically(results, text);
}

}  // namespace vantage

namespace vantage::project_detail {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json versions_json(const StageVersions& versions) {
  ordered_json json = ordered_json::object();
  for (const auto& [stage, version] : versions) json[stage] = hex64(version);
  return json;
}

StageVersions versions_from(const json& json) {
  StageVersions versions;
  for (const auto& [stage, version] : json.items())
    versions.emplace(stage, from_hex64(version.get<std::string>()));
  return versions;
}

StageVersionsRef versions_of_header(const std::string& header) {
  const json parsed = parse_json(header);
  if (!parsed.is_object() || !parsed.contains("versions")) return nullptr;
  try {
    return std::make_shared<const StageVersions>(versions_from(parsed["versions"]));
  } catch (const json::exception&) {
    return nullptr;
  }
}

void set_versions(const StageVersions& versions, const StageVersionsRef& header, ordered_json* line) {
  if (header && *header == versions)
    line->erase("versions");
  else
    (*line)["versions"] = versions_json(versions);
}

std::string line_under_header(const std::string& line, const StageVersionsRef& from,
                              const StageVersionsRef& to) {
  if (from == to || (from && to && *from == *to)) return line;
  ordered_json parsed = parse_ordered_json(line);
  if (!parsed.is_object()) return line;
  try {
    if (const auto own = parsed.find("versions"); own != parsed.end())
      set_versions(versions_from(*own), to, &parsed);
    else if (from)
      set_versions(*from, to, &parsed);
  } catch (const json::exception&) {
    return line;
  }
  return json_text(parsed);
}

}  // namespace vantage::project_detail
