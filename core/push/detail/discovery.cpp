#include "core/push/detail/discovery.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/push/detail/topics.h"

namespace vantage {
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
