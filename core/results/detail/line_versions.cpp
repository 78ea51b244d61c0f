#include "core/results/detail/line_versions.h"

#include "core/base/hash.h"
#include "core/base/json.h"

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
