#include "core/project/push_target.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <set>

#include "core/live/credentials.h"

namespace vantage {
namespace {

constexpr size_t kMaxName = 64;

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= kMaxName && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

tl::unexpected<Error> wrong(const PushTarget& target, const std::string& what, const std::string& remedy) {
  return fail(ErrorKind::invalid_argument, what, "push target '" + target.name + "'", remedy);
}

bool begins_with_one_of(const std::string& text, std::initializer_list<const char*> starts) {
  return std::ranges::any_of(starts, [&](const char* start) { return text.starts_with(start); });
}

Status check_address(const PushTarget& target) {
  const bool mqtt = target.kind == PushKind::mqtt;
  const bool scheme = mqtt ? begins_with_one_of(target.address, {"mqtt://", "mqtts://"})
                           : begins_with_one_of(target.address, {"http://", "https://"});
  if (!scheme || host_of(target.address).empty())
    return wrong(target, "'" + target.address + "' is not an address of this kind",
                 mqtt ? "Use mqtt://HOST:PORT or mqtts://HOST:PORT." : "Use http://… or https://….");
  if (split_credentials(target.address).credentials)
    return wrong(target, "the address contains a password, which projects must not store",
                 "Leave it out and give it separately: it is stored with the cameras' passwords.");
  if (mqtt && target.address.find_first_of("/?#", target.address.find("://") + 3) != std::string::npos)
    return wrong(target, "the address of a broker has no path", "Use mqtt://HOST:PORT.");
  return {};
}

// Brokers refuse topics with a wildcard or an empty level.
Status check_topic(const PushTarget& target, const std::string& topic) {
  if (topic.find_first_of("+#") == std::string::npos && topic.find('\0') == std::string::npos &&
      (topic.empty() || (topic.front() != '/' && topic.back() != '/' && topic.front() != '$')))
    return {};
  return wrong(target, "'" + topic + "' cannot begin a topic", "Use words with '/' between them.");
}

}  // namespace

Status check_push_target(const PushTarget& target) {
  if (!is_name(target.name))
    return wrong(target, "the name is not usable", "Use letters, digits, '-' and '_', at most 64.");
  if (!(target.limit_s >= kMinPushLimit_s && target.limit_s <= kMaxPushLimit_s))
    return wrong(target, "limit_s is not between 1 and 600 s", "Choose another one.");
  const bool command = target.kind == PushKind::command;
  if (command &&
      (target.command.empty() || target.command.front().empty() || target.command.front()[0] != '/'))
    return wrong(target, "the command is not a program by its absolute path", "Give /PATH/PROGRAM.");
  if (!command) VANTAGE_TRY(check_address(target));
  const bool stray = command ? !target.address.empty() : !target.command.empty();
  if (stray) return wrong(target, "has both an address and a command", "Keep the one that its kind needs.");
  VANTAGE_TRY(check_topic(target, target.topic));
  return check_topic(target, target.discovery);
}

Status check_push_targets(const std::vector<PushTarget>& targets) {
  std::set<std::string> names;
  for (const PushTarget& target : targets) {
    VANTAGE_TRY(check_push_target(target));
    if (!names.insert(target.name).second) return wrong(target, "two targets have this name", "Rename one.");
  }
  return {};
}

std::string destination_text(const PushTarget& target) {
  if (target.kind != PushKind::command) return target.address;
  std::string text;
  for (const std::string& word : target.command) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace vantage
