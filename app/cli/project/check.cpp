// vantage-cli check: the checks of a project, before a run.
#include "core/check/check.h"
#include "app/backends/backend_option.h"

#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "app/cli/run/reported_run.h"
#include "core/algorithms.h"
#include "core/base/json.h"

namespace vantage::cli {
namespace {

struct CheckCommand {
  std::string project, out, backend = "auto";
  bool json = false, without_missing = false, brief = false;
};

void print_text(const CheckReport& report) {
  for (const CheckItem& item : report.items) {
    std::printf("%-11s  %-11s  %-10s %s (limit: %s)\n", std::string(verdict_name(item.verdict)).c_str(),
                item.check.c_str(), item.camera.empty() ? "-" : item.camera.c_str(), item.figure.c_str(),
                item.limit.c_str());
    if (item.frame >= 0) std::printf("%26sframe %lld\n", "", static_cast<long long>(item.frame));
    if (!item.remedy.empty()) std::printf("%26s%s\n", "", item.remedy.c_str());
  }
  for (const CheckPart& part : report.parts)
    std::printf("%-11s  %.1f s, %.1f s of processor time\n", part.part.c_str(), part.seconds,
                part.cpu_seconds);
  std::printf("%s after %.1f s\n", std::string(verdict_name(report.worst())).c_str(), report.seconds);
}

nlohmann::ordered_json json_of(const CheckReport& report) {
  nlohmann::ordered_json out = {{"verdict", verdict_name(report.worst())}, {"seconds", report.seconds}};
  auto& items = out["checks"] = nlohmann::ordered_json::array();
  for (const CheckItem& item : report.items) {
    nlohmann::ordered_json one = {
        {"check", item.check},   {"camera", item.camera}, {"verdict", verdict_name(item.verdict)},
        {"figure", item.figure}, {"limit", item.limit},   {"remedy", item.remedy}};
    if (item.frame >= 0) one["frame"] = item.frame;
    items.push_back(std::move(one));
  }
  auto& parts = out["parts"] = nlohmann::ordered_json::array();
  for (const CheckPart& part : report.parts)
    parts.push_back({{"part", part.part}, {"seconds", part.seconds}, {"cpu_seconds", part.cpu_seconds}});
  return out;
}

void check(const CheckCommand& command) {
  const auto project = load_project(command.project);
  if (!project) fail_command(project.error());
  CheckOptions options = command.brief ? quick_check_options() : CheckOptions();
  options.out = command.out;
  options.without_missing = command.without_missing;
  const CheckReport report = check_for(command.backend, *project, options);
  if (report.stopped) fail_command({ErrorKind::cancelled, "the check was stopped", command.project, ""});
  if (command.json)
    print_json(json_of(report));
  else
    print_text(report);
  if (report.worst() == Verdict::failed) throw CLI::RuntimeError(1);
}

}  // namespace

// Looks at the frames on the CPU; the memory is that of the device that would run it, keeping nothing, as
// every frame of a run is seen once.
CheckReport check_for(const std::string& backend, const Project& project, CheckOptions options) {
  const Backends device = value_or_fail(open_backends(backend, nullptr));
  options.device = device.device;
  if (device.device != Device::cpu) options.memory.device_bytes = value_or_fail(free_device_bytes(device));
  options.pipeline.cache_bytes = 0;
  BackendRegistry backends;
  register_cpu_backends(backends);
  options.backends = &backends;
  options.stop = interrupted();
  Progress progress("check");
  options.progress = [&](const CheckProgress& at) {
    progress.update(at.part, static_cast<int64_t>(at.done), static_cast<int64_t>(at.total));
  };
  return check_project(project, options);
}

void check_before_run(const Project& project, const std::string& backend, const std::string& out, bool force,
                      bool without_missing) {
  CheckOptions options = quick_check_options();
  options.without_missing = without_missing;
  options.out = out;
  const CheckReport report = check_for(backend, project, options);
  if (report.stopped)
    fail_command(
        {ErrorKind::cancelled, "stopped during the check before the run", project.path.string(), ""});
  for (const CheckItem& item : report.items)
    if (item.verdict >= Verdict::doubtful)
      std::fprintf(stderr, "%s: %s %s: %s. %s\n", std::string(verdict_name(item.verdict)).c_str(),
                   item.check.c_str(), item.camera.c_str(), item.figure.c_str(), item.remedy.c_str());
  if (report.worst() == Verdict::failed && !force)
    fail_command({ErrorKind::bad_data, "the check before the run failed", project.path.string(),
                  "Fix what is named above, look closer with vantage-cli check, or run with --force or "
                  "--no-check."});
}

void add_check(CLI::App& app) {
  auto options = std::make_shared<CheckCommand>();
  CLI::App* command = app.add_subcommand(
      "check", "Check videos, foreground, calibration, offsets, disk, memory and time on a few frames.");
  command->footer(
      "Each check says passed, cannot tell, doubtful or failed, with its figure, its limit and what to do. "
      "Exit "
      "code 1 when one failed.\n"
      "Example: vantage-cli check hall.vantage --json");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  command->add_option("--out", options->out, "where the results would go; NAME.results if absent")
      ->type_name("DIR");
  add_backend_option(*command, options->backend,
                     "device that would run it; auto takes a GPU when there is one");
  command->add_flag("--without-missing", options->without_missing,
                    "for a run --without-missing: videos that are not there are doubtful, not failed");
  command->add_flag("--brief", options->brief, "only what `run` checks first");
  add_json_flag(*command, &options->json);
  command->callback([options] { check(*options); });
}

}  // namespace vantage::cli
