#include "core/push/push_target.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/base/json.h"
#include "core/live/credentials.h"
#include "core/push/detail/topics.h"

namespace vantage {
namespace {

using nlohmann::json;

constexpr char kPlace[] = "/push";

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

tl::unexpected<Error> wrong(const PushTarget& target, const std::string& what, const std::string& remedy) {
  return fail(ErrorKind::invalid_argument, what, "push target '" + target.name + "'", remedy);
}

bool begins_with_one_of(const std::string& text, std::initializer_list<const char*> starts) {
  return std::ranges::any_of(starts, [&](const char* start) { return text.rfind(start, 0) == 0; });
}

Status check_address(const PushTarget& target) {
  const bool mqtt = target.kind == PushKind::mqtt;
  const bool scheme = mqtt ? begins_with_one_of(target.address, {"mqtt://", "mqtts://"})
                           : begins_with_one_of(target.address, {"http://", "https://"});
  if (!scheme || host_of(target.address).empty())
    return wrong(target, "'" + target.address + "' is not an address of this kind",
                 mqtt ? "Use mqtt://HOST:PORT or mqtts://HOST:PORT." : "Use http://… or https://….");
  if (split_credentials(target.address).credentials)
    return wrong(target, "a password stands in the address, which projects must not hold",
                 "Leave it out; `vantage-cli push add --user NAME --password-file FILE` keeps it apart.");
  if (mqtt && target.address.find_first_of("/?#", target.address.find("://") + 3) != std::string::npos)
    return wrong(target, "the address of a broker has no path", "Use mqtt://HOST:PORT.");
  return {};
}

// Where a wildcard or nothing stands in it, no broker takes it.
Status check_topic(const PushTarget& target, const std::string& topic) {
  if (topic.find_first_of("+#") == std::string::npos && topic.find('\0') == std::string::npos &&
      (topic.empty() || (topic.front() != '/' && topic.back() != '/' && topic.front() != '$')))
    return {};
  return wrong(target, "'" + topic + "' cannot begin a topic", "Use words with '/' between them.");
}

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

json target_json(const PushTarget& target, const std::filesystem::path& folder) {
  const PushTarget plain;
  json value = {{"name", target.name}, {"kind", kPushKindNames[static_cast<size_t>(target.kind)]}};
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

Status check_all(const std::vector<PushTarget>& targets) {
  std::set<std::string> names;
  for (const PushTarget& target : targets) {
    VANTAGE_TRY(check_push_target(target));
    if (!names.insert(target.name).second) return wrong(target, "two targets have this name", "Rename one.");
  }
  return {};
}

json kept_keys(const Project& project) {
  json kept = project.unknown_keys.empty() ? json::object() : parse_json(project.unknown_keys);
  return kept.is_object() ? kept : json::object();
}

}  // namespace

Status check_push_target(const PushTarget& target) {
  if (!is_name(target.name))
    return wrong(target, "the name is not usable", "Use letters, digits, '-' and '_', at most 64.");
  if (!(target.limit_s >= 1 && target.limit_s <= kMaxPushLimit_s))
    return wrong(target, "limit_s is not between 1 and 600 s", "Choose another one.");
  const bool command = target.kind == PushKind::command;
  if (command &&
      (target.command.empty() || target.command.front().empty() || target.command.front()[0] != '/'))
    return wrong(target, "the command is not a program by its absolute path", "Give /PATH/PROGRAM.");
  if (!command) VANTAGE_TRY(check_address(target));
  const bool stray = command ? !target.address.empty() : !target.command.empty();
  if (stray) return wrong(target, "has both an address and a command", "Keep what its kind needs.");
  VANTAGE_TRY(check_topic(target, target.topic));
  return check_topic(target, target.discovery);
}

Result<std::vector<PushTarget>> push_targets(const Project& project) {
  std::vector<PushTarget> targets;
  const json kept = kept_keys(project);
  const auto push = kept.find(kPlace);
  if (push == kept.end() || push->is_null()) return targets;
  size_t number = 0;
  const auto at = [&] { return project.path.string() + " at /push/targets/" + std::to_string(number); };
  const auto bad = [&](const std::string& what) {
    return fail(ErrorKind::bad_data, what, at(), "Correct the file, or use `vantage-cli push add`.");
  };
  if (!push->is_object() || !push->contains("targets") || !(*push)["targets"].is_array() || push->size() != 1)
    return fail(ErrorKind::bad_data, "an object with the list \"targets\" is expected",
                project.path.string() + " at /push", "Correct the file, or use `vantage-cli push add`.");
  std::set<std::string> names;
  for (const json& value : (*push)["targets"]) {
    try {
      targets.push_back(target_from(value, project.path.parent_path()));
    } catch (const json::exception& error) {
      return bad(error.what());
    } catch (const std::string& what) {
      return bad(what);
    }
    if (const Status right = check_push_target(targets.back()); !right) return bad(right.error().what);
    if (!names.insert(targets.back().name).second) return bad("two targets are named " + targets.back().name);
    ++number;
  }
  return targets;
}

Status set_push_targets(Project* project, const std::vector<PushTarget>& targets) {
  VANTAGE_TRY(check_all(targets));
  json kept = kept_keys(*project);
  kept.erase(kPlace);
  for (const PushTarget& target : targets)
    kept[kPlace]["targets"].push_back(target_json(target, project->path.parent_path()));
  project->unknown_keys = kept.empty() ? std::string() : json_text(kept);
  return {};
}

std::string topic_base(const PushTarget& target, const std::string& project_name) {
  return target.topic.empty() ? "vantage/" + topic_level(project_name) : target.topic;
}

std::string destination_text(const PushTarget& target) {
  if (target.kind != PushKind::command) return target.address;
  std::string text;
  for (const std::string& word : target.command) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace vantage
