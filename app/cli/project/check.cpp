// vantage-cli check: the checks of a project, before a run.
#include "core/check/check.h"
#include "app/backends/backend_option.h"

#include <fmt/core.h>
#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "app/cli/run/reported_run.h"
#include "core/algorithms.h"

namespace vantage::cli {
namespace {

struct CheckCommand {
  std::string project, out, backend = "auto";
  bool json = false, without_missing = false, brief = false;
};

Report report_of(const CheckReport& checked) {
  std::vector<Report> items, parts;
  for (const CheckItem& item : checked.items) {
    Report& row = items.emplace_back();
    row.add("check", "check", item.check);
    row.add("camera", "camera", item.camera, item.camera.empty() ? "-" : item.camera);
    row.add("verdict", "verdict", std::string(verdict_name(item.verdict)));
    row.add_sentence("figure", item.figure, item.figure + " (limit: " + item.limit + ")");
    row.add_data("limit", item.limit);
    row.add_sentence("remedy", remedy_text(item));
    if (item.frame >= 0) row.add_sentence("frame", item.frame, "frame " + std::to_string(item.frame));
  }
  for (const CheckPart& part : checked.parts) {
    Report& row = parts.emplace_back();
    row.add("part", "part", part.part);
    row.add_number("seconds", "time", part.seconds, {"s", 1});
    row.add_number("cpu_seconds", "of processors", part.cpu_seconds, {"s", 1});
  }
  const std::string verdict(verdict_name(checked.worst()));
  Report report;
  report.add_sentence("verdict", verdict, verdict + " after " + unit_text(checked.seconds, {"s", 1}));
  report.add_data("seconds", checked.seconds);
  report.add_rows("checks", std::move(items)), report.add_rows("parts", std::move(parts));
  return report;
}

void check(const CheckCommand& command) {
  const auto project = load_project(command.project);
  if (!project) fail_command(project.error());
  CheckOptions options = command.brief ? quick_check_options() : CheckOptions();
  options.out = command.out;
  options.without_missing = command.without_missing;
  const CheckReport report = check_for(command.backend, *project, options);
  if (report.stopped) fail_command({ErrorKind::cancelled, "the check was stopped", command.project, ""});
  print_report(report_of(report), command.json);
  if (report.worst() == Verdict::failed) throw CLI::RuntimeError(1);
}

}  // namespace

// Examines the frames on the CPU; the memory is that of the run's device, keeping nothing, since every frame
// of a run is used once.
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
      fmt::print(stderr, "{}: {} {}: {}. {}\n", verdict_name(item.verdict), item.check, item.camera,
                 item.figure, remedy_text(item));
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
      "Each check reports passed, cannot tell, doubtful or failed, with its figure, its limit and a remedy. "
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
