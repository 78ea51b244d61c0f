#include "core/project/results_versions.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/file.h"
#include "core/base/hash.h"

namespace vantage {

Status restate_versions(const std::filesystem::path& results,
                        const std::function<uint64_t(std::string_view)>& version_of) {
  VANTAGE_ASSIGN(const std::string before, read_file(results));
  std::istringstream stream(before);
  std::string text, line;
  std::getline(stream, text);  // the header
  text += '\n';
  while (std::getline(stream, line)) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("versions") && json["versions"].is_object()) {
      for (auto& [stage, version] : json["versions"].items()) version = hex64(version_of(stage));
      line = json.dump();
    }
    text += line + '\n';
  }
  return write_file_atomically(results, text);
}

}  // namespace vantage
