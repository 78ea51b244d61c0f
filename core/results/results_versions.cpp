#include "core/results/results_versions.h"

#include <sstream>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"

namespace vantage {
namespace {

uint64_t restated(const std::string& stage, uint64_t version, int64_t frame,
                  std::span<const VersionChange> changes) {
  for (const VersionChange& change : changes) {
    if (frame >= change.first_frame) continue;
    const auto before = change.before.find(stage), now = change.now.find(stage);
    if (before != change.before.end() && before->second == version && now != change.now.end())
      version = now->second;
  }
  return version;
}

}  // namespace

Status restate_versions(const std::filesystem::path& results, std::span<const VersionChange> changes) {
  VANTAGE_ASSIGN(const std::string before, read_file(results));
  std::istringstream stream(before);
  std::string text, line;
  std::getline(stream, text);  // the header
  text += '\n';
  while (std::getline(stream, line)) {
    nlohmann::ordered_json json = parse_ordered_json(line);
    if (json.is_object() && json.contains("versions") && json["versions"].is_object()) {
      const int64_t frame = json.value("frame", int64_t{0});
      for (auto& [stage, version] : json["versions"].items())
        if (version.is_string())
          version = hex64(restated(stage, from_hex64(version.get<std::string>()), frame, changes));
      line = json_text(json);
    }
    text += line + '\n';
  }
  return write_file_atomically(results, text);
}

}  // namespace vantage
