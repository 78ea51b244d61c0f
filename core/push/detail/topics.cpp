#include "core/push/detail/topics.h"

#include <fmt/core.h>
#include <algorithm>
#include <cctype>
#include <cstring>

#include "core/base/hash.h"
#include "core/base/json.h"

namespace vantage {

std::string topic_level(const std::string& name) {
  std::string level;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || std::strchr("/+#%", c) != nullptr)
      level += fmt::format("%{:02X}", static_cast<unsigned>(byte));
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

namespace {

using nlohmann::ordered_json;

ordered_json entity(const PushedProject& project, const std::string& base, const std::string& id,
                    const std::string& name) {
  return {{"name", name},
          {"unique_id", id},
          {"availability_topic", base + "/status"},
          {"device",
           {{"identifiers", {"vantage_" + discovery_id(base)}},
            {"name", project.name},
            {"manufacturer", "Vantage"}}},
          {"origin", {{"name", "Vantage"}}}};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> discovery_messages(const PushTarget& target,
                                                                    const PushedProject& project,
                                                                    const std::string& base) {
  std::vector<std::pair<std::string, std::string>> messages;
  const std::string device = "vantage_" + discovery_id(base);
  const auto add = [&](const char* component, const std::string& id, const ordered_json& text) {
    messages.emplace_back(target.discovery + "/" + component + "/" + device + "/" + id + "/config",
                          json_text(text));
  };
  for (const FloorRule& rule : project.rules) {
    const bool chosen =
        target.rules.empty() || std::ranges::find(target.rules, rule.name) != target.rules.end();
    if (!target.events || !chosen) continue;
    const std::string id = "rule_" + discovery_id(rule.name), level = topic_level(rule.name);
    ordered_json sensor = entity(project, base, device + "_" + id, rule.name);
    sensor["state_topic"] = base + "/rules/" + level;
    sensor["json_attributes_topic"] = base + "/events/" + level;
    sensor["device_class"] = "occupancy";
    add("binary_sensor", id, sensor);
    if (!target.pictures) continue;
    ordered_json picture = entity(project, base, device + "_picture_" + id, rule.name);
    picture["image_topic"] = base + "/pictures/" + level;
    picture["content_type"] = "image/jpeg";
    add("image", id, picture);
  }
  for (const std::string& camera : project.cameras) {
    if (!target.health) continue;
    const std::string id = "camera_" + discovery_id(camera), topic = base + "/cameras/" + topic_level(camera);
    ordered_json sensor = entity(project, base, device + "_" + id, camera);
    sensor["state_topic"] = topic;
    sensor["value_template"] = "{{ 'ON' if value_json.state == 'fault' else 'OFF' }}";
    sensor["json_attributes_topic"] = topic;
    sensor["device_class"] = "problem";
    add("binary_sensor", id, sensor);
  }
  return messages;
}

}  // namespace vantage
