#include "app/cli/common/command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/trace.h"

namespace vantage::cli {
namespace {

StopSource& stop_source() {
  static StopSource source;
  return source;
}

// Removes passwords of addresses from its texts.
template <typename Json>
Json redacted(Json document) {
  if (document.is_string() &&
      document.template get_ref<const std::string&>().find("://") != std::string::npos)
    document = redact_credentials(document.template get<std::string>());
  if (document.is_structured())
    for (auto& value : document) value = redacted(std::move(value));
  return document;
}

extern "C" void on_interrupt(int) {
  if (stop_source().stop_requested()) std::_Exit(130);
  stop_source().request_stop();
}

}  // namespace

void fail_command(const Error& error) {
  std::fflush(stdout);
  fmt::print(stderr, "vantage-cli: {}\n", redact_credentials(error.message()));
  throw CLI::RuntimeError(1);
}

CLI::Option* add_json_flag(CLI::App& command, bool* json) {
  return command.add_flag("--json", *json, "print JSON");
}

void print_json(const nlohmann::json& document) {
  fmt::print("{}\n", json_text(redacted(document), 2));
}
void print_json(const nlohmann::ordered_json& document) {
  fmt::print("{}\n", json_text(redacted(document), 2));
}

void print_report(const Report& report, bool json) {
  if (json)
    print_json(json_of(report));
  else
    fmt::print("{}", redact_credentials(text_of(report)));
}

const StopSource& interrupted() {
  static const bool installed = [] {
    stop_source();
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    return true;
  }();
  static_cast<void>(installed);
  return stop_source();
}

Progress::Progress(std::string label)
    : label_(std::move(label)),
      start_ns_(trace_now_ns()),
      last_ns_(start_ns_),
      terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (printed_ && terminal_) std::fputc('\n', stderr);
}

bool Progress::due(bool last) {
  const int64_t now = trace_now_ns();
  const int64_t interval = terminal_ ? 200'000'000 : 10'000'000'000;
  if (now - last_ns_ < interval && !(last && terminal_)) return false;
  last_ns_ = now;
  printed_ = true;
  return true;
}

void Progress::print(const std::string& text) const {
  fmt::print(stderr, "{}{}  {}{}", terminal_ ? "\r\033[K" : "", label_, text, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void Progress::update(int64_t done, int64_t total) {
  if (!due(total >= 0 && done >= total)) return;
  const double seconds = static_cast<double>(last_ns_ - start_ns_) * 1e-9;
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string text = fmt::format("{}", done);
  if (total >= 0) text += fmt::format("/{}", total);
  text += fmt::format("  {:.1f} frames/s", rate);
  if (total >= 0 && rate > 0) {
    const auto left = static_cast<long long>(static_cast<double>(total - done) / rate + 0.5);
    text += fmt::format("  {}:{:02} left", left / 60, left % 60);
  }
  print(text);
}

void Progress::update(const std::string& part, int64_t done, int64_t total) {
  if (due(false)) print(fmt::format("{} {}/{}", part, done, total));
}

namespace {

void check_assignment(const Status& set) {
  if (!set) throw CLI::ValidationError("--set", set.error().message());
}

}  // namespace

void SetOption::add_to(CLI::App& command, const std::string& stages) {
  command
      .add_option("--set", assignments,
                  "a parameter for this run" + (stages.empty() ? "" : " of " + stages) +
                      ", repeatable; vantage-cli parameters lists them")
      ->type_name("STAGE.PARAMETER=VALUE");
}

void SetOption::apply_to(Project* project) const {
  for (const std::string& assignment : assignments) check_assignment(set_from_text(project, assignment));
}

ParameterStore SetOption::apply_to(std::vector<const ParameterTable*> tables) const {
  ParameterStore store(std::move(tables));
  for (const std::string& assignment : assignments) check_assignment(store.set_from_text(assignment));
  return store;
}

CutPlane parse_slice(const std::string& text) {
  const auto wrong = [&] {
    return CLI::ValidationError("--slice", "'" + text + "' is not of the form z=1.0");
  };
  const size_t axis = std::string_view("xyz").find(text.empty() ? '?' : text[0]);
  if (axis == std::string_view::npos || text.size() < 3 || text[1] != '=') throw wrong();
  CutPlane plane{static_cast<int>(axis), 0};
  const auto end = std::from_chars(text.data() + 2, text.data() + text.size(), plane.at_m);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) throw wrong();
  return plane;
}

}  // namespace vantage::cli
