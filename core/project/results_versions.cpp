#include "core/project/results_versions.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/file.h"
#include "core/base/hash.h"

namespace vantage {

Status restate_versions(const std::filesystem::path& results,
                        const std::function<uint64_t(std::string_view, uint64_t)>& version_of,
                        int64_t first_changed) {
  VANTAGE_ASSIGN(const std::string before, read_file(results));
  std::istringstream stream(before);
  std::string text, line;
  std::getline(stream, text);  // the header
  text += '\n';
  while (std::getline(stream, line)) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(line, nullptr, false);
    const bool understood = json.is_object() && json.contains("versions") && json["versions"].is_object();
    if (understood && json.value("frame", int64_t{0}) < first_changed) {
      for (auto& [stage, version] : json["versions"].items())
        if (version.is_string()) version = hex64(version_of(stage, from_hex64(version.get<std::string>())));
      line = json.dump();
    }
    text += line + '\n';
  }
  return write_file_atomically(results, text);
}

}  // namespace vantage
