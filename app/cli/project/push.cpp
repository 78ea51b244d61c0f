// vantage-cli push: targets of a project's events and the health of its cameras.
#include "core/push/push.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/push/push_consent.h"
#include "core/push/push_transport.h"

namespace vantage::cli {
namespace {

struct PushArguments {
  std::string project, name, mqtt, webhook, user, password_file, secret_file;
  PushTarget target;
  bool replace = false, drop = false, json = false, withdraw = false;
  bool no_events = false, no_health = false, no_pictures = false;
  double seconds = 30;
};

std::string first_line_or_fail(const std::string& file, const char* option) {
  const std::string text = value_or_fail(read_file(file));
  std::string line = text.substr(0, text.find_first_of("\r\n"));
  if (line.empty()) throw CLI::ValidationError(option, "the first line of " + file + " is empty");
  return line;
}

PushTarget target_of(const PushArguments& arguments) {
  PushTarget target = arguments.target;
  target.name = arguments.name;
  const int kinds = (arguments.mqtt.empty() ? 0 : 1) + (arguments.webhook.empty() ? 0 : 1) +
                    (target.command.empty() ? 0 : 1);
  if (kinds != 1) throw CLI::ValidationError("push add", "give one of --mqtt, --webhook and --command");
  target.kind = !target.command.empty()  ? PushKind::command
                : arguments.mqtt.empty() ? PushKind::webhook
                                         : PushKind::mqtt;
  target.address = arguments.mqtt + arguments.webhook;
  if (!target.ca.empty()) target.ca = std::filesystem::absolute(target.ca).lexically_normal().string();
  target.events = !arguments.no_events, target.health = !arguments.no_health;
  target.pictures = !arguments.no_pictures;
  if (const Status right = check_push_target(target); !right)
    throw CLI::ValidationError("push add", right.error().message());
  return target;
}

// Name and password of a broker, or the key of a webhook's signatures; nothing: none was given.
std::optional<Credentials> secret_of(const PushArguments& arguments, const PushTarget& target) {
  if (!arguments.user.empty()) {
    if (target.kind != PushKind::mqtt) throw CLI::ValidationError("--user", "only brokers have users");
    return Credentials{arguments.user, first_line_or_fail(arguments.password_file, "--password-file")};
  }
  if (arguments.secret_file.empty()) return std::nullopt;
  if (target.kind != PushKind::webhook)
    throw CLI::ValidationError("--secret-file", "only webhooks are signed");
  return Credentials{"", first_line_or_fail(arguments.secret_file, "--secret-file")};
}

PushTarget target_or_fail(const Project& project, const std::string& name) {
  const auto found = std::ranges::find(project.push_targets, name, &PushTarget::name);
  if (found != project.push_targets.end()) return *found;
  fail_command({ErrorKind::not_found, "has no push target '" + name + "'", project.path.string(),
                "`vantage-cli push list` names those there are."});
}

// Only senders create the queue; null: nothing was ever sent.
std::unique_ptr<PushQueue> queue_of(const Project& project) {
  const std::filesystem::path folder = push_folder(project.path);
  std::error_code none;
  if (!std::filesystem::exists(folder, none)) return nullptr;
  return value_or_fail(PushQueue::open(folder));
}

void add_target(const PushArguments& arguments) {
  ReadProject read = read_project_or_fail(arguments.project);
  const PushTarget target = target_of(arguments);
  for (const std::string& rule : target.rules)
    if (std::ranges::find(read.project.rules, rule, &FloorRule::name) == read.project.rules.end())
      fail_command({ErrorKind::not_found, "the project has no rule '" + rule + "'",
                    read.project.path.string(),
                    "Rules are made in the window or with `vantage-cli count --rule`."});
  const std::optional<Credentials> secret = secret_of(arguments, target);
  std::vector<PushTarget>& targets = read.project.push_targets;
  const auto there = std::ranges::find(targets, target.name, &PushTarget::name);
  if (there != targets.end() && !arguments.replace)
    fail_command({ErrorKind::invalid_argument, "there is a push target '" + target.name + "' already",
                  read.project.path.string(), "Choose another name, or --replace it."});
  if (there != targets.end())
    *there = target;
  else
    targets.push_back(target);
  if (secret) {
    const auto store = make_credential_file(default_credential_path());
    check_or_fail(store->keep(secret_address(target), *secret));
    fmt::print(stderr, "the secret is in {}\n", store->place());
  }
  write_project_or_fail(read.project, read.stamp);
  check_or_fail(PushConsent(default_consent_path()).allow(target));
  fmt::print("{}: {}\n", target.name, destination_text(target));
}

void remove_target(const PushArguments& arguments) {
  ReadProject read = read_project_or_fail(arguments.project);
  target_or_fail(read.project, arguments.name);
  const auto queue = queue_of(read.project);
  const int64_t waiting = queue ? value_or_fail(queue->waiting(arguments.name, 0)) : 0;
  if (waiting > 0 && !arguments.drop)
    fail_command({ErrorKind::invalid_argument, std::to_string(waiting) + " messages wait for it",
                  arguments.name, "`vantage-cli push send` sends them; --drop discards them."});
  std::erase_if(read.project.push_targets,
                [&](const PushTarget& target) { return target.name == arguments.name; });
  write_project_or_fail(read.project, read.stamp);
  if (waiting > 0) check_or_fail(queue->remove(arguments.name, INT64_MAX));
}

void drop_waiting(const PushArguments& arguments) {
  const Project project = value_or_fail(load_project(arguments.project));
  const auto queue = queue_of(project);
  const int64_t waiting = queue ? value_or_fail(queue->waiting(arguments.name, 0)) : 0;
  if (queue) check_or_fail(queue->remove(arguments.name, INT64_MAX));
  fmt::print("{} messages discarded\n", waiting);
}

std::string what_is_sent(const PushTarget& target) {
  std::string text;
  const auto add = [&](const std::string& part) { append_item(&text, part); };
  if (target.events && target.rules.empty()) add("events of all rules");
  for (const std::string& rule : target.rules)
    if (target.events) add("events of " + rule);
  if (target.events && target.pictures) add("pictures");
  if (target.health) add("health");
  return text.empty() ? "nothing" : text;
}

void list_targets(const PushArguments& arguments) {
  const Project project = value_or_fail(load_project(arguments.project));
  const auto queue = queue_of(project);
  const PushConsent consent(default_consent_path());
  auto list = nlohmann::ordered_json::array();
  for (const PushTarget& target : project.push_targets) {
    const bool allowed = value_or_fail(consent.allows(target));
    const int64_t waiting = queue ? value_or_fail(queue->waiting(target.name, 0)) : 0;
    const std::string problem = queue ? value_or_fail(queue->problem(target.name)) : std::string();
    list.push_back({{"name", target.name},
                    {"kind", kPushKindNames[static_cast<size_t>(target.kind)]},
                    {"destination", destination_text(target)},
                    {"sends", what_is_sent(target)},
                    {"allowed", allowed},
                    {"waiting", waiting},
                    {"problem", problem}});
    if (arguments.json) continue;
    fmt::print("{:16} {}\n                 {}; {} wait{}{}{}\n", target.name, destination_text(target),
               what_is_sent(target), waiting,
               allowed ? "" : "; not allowed on this machine (`vantage-cli push allow`)",
               problem.empty() ? "" : "; ", problem);
  }
  if (arguments.json) print_json(nlohmann::ordered_json{{"targets", list}});
  if (!arguments.json && list.empty()) fmt::print("nothing is sent: `vantage-cli push add` adds a target\n");
}

void allow_target(const PushArguments& arguments) {
  const Project project = value_or_fail(load_project(arguments.project));
  const PushTarget target = target_or_fail(project, arguments.name);
  const PushConsent consent(default_consent_path());
  check_or_fail(arguments.withdraw ? consent.withdraw(target) : consent.allow(target));
  fmt::print("{} {} be sent to: {}\n", target.name, arguments.withdraw ? "may not" : "may",
             destination_text(target));
}

// Bypasses the queue, to report the answer.
void test_target(const PushArguments& arguments) {
  const Project project = value_or_fail(load_project(arguments.project));
  const PushTarget target = target_or_fail(project, arguments.name);
  if (!value_or_fail(PushConsent(default_consent_path()).allows(target)))
    fail_command({ErrorKind::invalid_argument, "is not allowed on this machine", target.name,
                  "If you trust " + destination_text(target) + ": `vantage-cli push allow`."});
  const auto store = make_credential_file(default_credential_path());
  const std::string answer = value_or_fail(send_test_message(
      target, value_or_fail(find_secret(target, *store)), pushed_project(project), interrupted()));
  if (arguments.json)
    print_json(nlohmann::ordered_json{{"name", target.name}, {"answer", answer}});
  else
    fmt::print("{}: {}\n", target.name, answer);
}

void send_waiting(const PushArguments& arguments) {
  const Project project = value_or_fail(load_project(arguments.project));
  const auto push = value_or_fail(Push::open(project, {}));
  if (!push)
    fail_command({ErrorKind::not_found, "has no push target", project.path.string(),
                  "`vantage-cli push add` adds one."});
  const bool all = push->finish(arguments.seconds, interrupted());
  for (const PushState& state : push->states())
    fmt::print("{}: {} delivered, {} wait{}{}\n", state.target, state.delivered, state.waiting,
               state.problem.empty() ? "" : "; ", state.problem);
  if (!all) throw CLI::RuntimeError(1);
}

CLI::App* add_part(CLI::App& command, const std::shared_ptr<PushArguments>& arguments, const char* name,
                   const char* help, void (*work)(const PushArguments&), bool named) {
  CLI::App* part = command.add_subcommand(name, help);
  part->add_option("project", arguments->project, "project file")->required()->type_name("P.vantage");
  if (named) part->add_option("name", arguments->name, "the target's name")->required()->type_name("NAME");
  part->callback([arguments, work] { work(*arguments); });
  return part;
}

void add_add(CLI::App& command, const std::shared_ptr<PushArguments>& arguments) {
  CLI::App* part =
      add_part(command, arguments, "add", "Add a target, and allow it on this machine.", add_target, true);
  PushTarget& target = arguments->target;
  part->add_option("--mqtt", arguments->mqtt, "a broker (MQTT 5): mqtt://HOST:PORT, or mqtts:// for TLS")
      ->type_name("ADDRESS");
  part->add_option("--webhook", arguments->webhook, "JSON by POST to http:// or https://")->type_name("URL");
  part->add_option(
          "--command", target.command,
          "a program that gets each message as JSON on its standard input; no shell; the last option")
      ->type_name("PROGRAM ARGUMENT...")
      ->expected(1, 1000);
  part->add_option("--ca", target.ca, "PEM file of the authorities to trust, in place of the machine's")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  part->add_option("--topic", target.topic, "MQTT: prefix of all topics; vantage/PROJECT if absent")
      ->type_name("TOPIC");
  part->add_option("--discovery", target.discovery,
                   "MQTT: Home Assistant finds rules and cameras under this prefix, as a rule homeassistant")
      ->type_name("PREFIX");
  part->add_option("--limit", target.limit_s, "seconds for one attempt")
      ->type_name("S")
      ->check(CLI::Range(1.0, kMaxPushLimit_s))
      ->capture_default_str();
  part->add_option("--rule", target.rules, "only events of this rule; may be repeated")
      ->type_name("NAME")
      ->take_all()
      ->expected(1);
  part->add_flag("--no-events", arguments->no_events, "no events");
  part->add_flag("--no-health", arguments->no_health, "no health of cameras");
  part->add_flag("--no-pictures", arguments->no_pictures, "events without pictures");
  CLI::Option* user =
      part->add_option("--user", arguments->user, "MQTT: user name at the broker")->type_name("NAME");
  CLI::Option* password =
      part->add_option("--password-file", arguments->password_file, "file whose first line is the password")
          ->type_name("FILE")
          ->check(CLI::ExistingFile)
          ->needs(user);
  user->needs(password);
  part->add_option("--secret-file", arguments->secret_file,
                   "webhook: file whose first line is the key of the signatures")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  part->add_flag("--replace", arguments->replace, "replace a target of that name");
}

}  // namespace

void add_push(CLI::App& app) {
  auto arguments = std::make_shared<PushArguments>();
  CLI::App* command =
      app.add_subcommand("push", "Send events and the health of cameras to MQTT, a webhook or a program.");
  command->require_subcommand(1);
  command->footer(
      "`run` on live cameras and the window send; what cannot be delivered waits in NAME.push next to the "
      "project.\n"
      "Passwords are kept in a file that only you can read. A target that another person put into a project "
      "sends\n"
      "only after `push allow`.\n"
      "Example: vantage-cli push add hall.vantage home --mqtt mqtt://192.168.1.5 --discovery homeassistant");
  add_add(*command, arguments);
  add_part(*command, arguments, "list", "List the targets: their events, waiting messages and problems.",
           list_targets, false)
      ->add_flag("--json", arguments->json, "print it as JSON");
  add_part(*command, arguments, "test", "Send a test message, and print the answer.", test_target, true)
      ->add_flag("--json", arguments->json, "print it as JSON");
  add_part(*command, arguments, "allow", "Allow a target that came with the project on this machine.",
           allow_target, true)
      ->add_flag("--withdraw", arguments->withdraw, "withdraw the permission");
  add_part(*command, arguments, "send", "Send the waiting messages.", send_waiting, false)
      ->add_option("--seconds", arguments->seconds, "maximum duration")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_part(*command, arguments, "drop", "Discard a target's waiting messages.", drop_waiting, true);
  add_part(*command, arguments, "remove", "Remove a target.", remove_target, true)
      ->add_flag("--drop", arguments->drop, "also its waiting messages");
}

}  // namespace vantage::cli
