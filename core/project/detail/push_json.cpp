#include "core/project/detail/push_json.h"

#include <algorithm>
#include <set>

namespace vantage::project_detail {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Throws json::exception, or a text with what is wrong.
PushTarget target_from(const json& value, const std::filesystem::path& folder) {
  static const std::set<std::string> known = {"name",   "kind",      "address", "ca",
                                              "topic",  "discovery", "command", "limit_s",
                                              "events", "pictures",  "rules",   "health"};
  if (!value.is_object()) throw std::string("an object is expected");
  for (const auto& [key, ignored] : value.items())
    if (!known.contains(key)) throw "the key '" + key + "' is not understood here";
  PushTarget target;
  target.name = value.at("name").get<std::string>();
  const auto kind = value.at("kind").get<std::string>();
  const auto found = std::ranges::find(kPushKindNames, kind);
  if (found == kPushKindNames.end()) throw "the kind '" + kind + "' is not mqtt, webhook or command";
  target.kind = static_cast<PushKind>(found - kPushKindNames.begin());
  target.address = value.value("address", std::string());
  target.ca = value.value("ca", std::string());
  if (!target.ca.empty()) target.ca = (folder / target.ca).lexically_normal().string();
  target.topic = value.value("topic", std::string());
  target.discovery = value.value("discovery", std::string());
  target.command = value.value("command", std::vector<std::string>());
  target.limit_s = value.value("limit_s", target.limit_s);
  target.events = value.value("events", true);
  target.health = value.value("health", true);
  target.pictures = value.value("pictures", true);
  target.rules = value.value("rules", std::vector<std::string>());
  return target;
}

ordered_json target_json(const PushTarget& target, const std::filesystem::path& folder) {
  const PushTarget plain;
  ordered_json value = {{"name", target.name}, {"kind", kPushKindNames[static_cast<size_t>(target.kind)]}};
  if (!target.address.empty()) value["address"] = target.address;
  if (!target.ca.empty()) {
    const std::string relative = std::filesystem::path(target.ca).lexically_relative(folder).string();
    value["ca"] = relative.empty() ? target.ca : relative;
  }
  if (!target.topic.empty()) value["topic"] = target.topic;
  if (!target.discovery.empty()) value["discovery"] = target.discovery;
  if (!target.command.empty()) value["command"] = target.command;
  if (target.limit_s != plain.limit_s) value["limit_s"] = target.limit_s;
  if (!target.events) value["events"] = false;
  if (!target.health) value["health"] = false;
  if (!target.pictures) value["pictures"] = false;
  if (!target.rules.empty()) value["rules"] = target.rules;
  return value;
}

}  // namespace

void write_push(const Project& project, const std::filesystem::path& folder, ordered_json* document) {
  for (const PushTarget& target : project.push_targets)
    (*document)["push"]["targets"].push_back(target_json(target, folder));
}

Status read_push(const json& document, const std::filesystem::path& file, Project* project) {
  const auto push = document.find("push");
  if (push == document.end() || push->is_null()) return {};
  std::string at = "/push";
  const auto bad = [&](const std::string& what) {
    return fail(ErrorKind::bad_data, what, file.string() + " at " + at,
                "Correct the file, or remove the target from it.");
  };
  if (!push->is_object() || !push->contains("targets") || !(*push)["targets"].is_array() || push->size() != 1)
    return bad("an object with the list \"targets\" is expected");
  for (const json& value : (*push)["targets"]) {
    at = "/push/targets/" + std::to_string(project->push_targets.size());
    try {
      project->push_targets.push_back(target_from(value, file.parent_path()));
    } catch (const json::exception& error) {
      return bad(error.what());
    } catch (const std::string& what) {
      return bad(what);
    }
    if (const Status right = check_push_targets(project->push_targets); !right)
      return bad(right.error().what);
  }
  return {};
}

}  // namespace vantage::project_detail
