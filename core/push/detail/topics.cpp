#include "core/push/detail/topics.h"

#include <cctype>
#include <cstring>

#include "core/base/formatted.h"
#include "core/base/hash.h"

namespace vantage {

std::string topic_level(const std::string& name) {
  std::string level;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || std::strchr("/+#%", c) != nullptr)
      level += formatted("%%%02X", static_cast<unsigned>(byte));
    else
      level += c;
  }
  return level;
}

std::string topic_base(const PushTarget& target, const std::string& project_name) {
  return target.topic.empty() ? "vantage/" + topic_level(project_name) : target.topic;
}

std::string discovery_id(const std::string& name) {
  std::string id;
  bool changed = name.empty();
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || c == '_' || c == '-');
    id += plain ? c : '_';
    changed = changed || !plain;
  }
  return changed ? id + "_" + hex64(Hasher().add(name).value()).substr(0, 8) : id;
}

}  // namespace vantage
