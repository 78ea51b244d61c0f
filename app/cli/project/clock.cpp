// vantage-cli clock: the time of day of a recording.
#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/project_change.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/project/recording_clock.h"

namespace vantage::cli {
namespace {

struct ClockOptions {
  std::string project, set;
  int64_t frame = 0;
  bool forget = false, json = false;
};

// What was typed is the time of `frame`; the project keeps that of frame 0.
RecordingClock typed_clock(const ClockOptions& options, const Project& project) {
  Result<RecordingClock> clock = parse_clock(options.set);
  if (!clock) throw CLI::ValidationError("--set", clock.error().message());
  if (options.frame != 0)
    clock->start_utc_s -= static_cast<double>(options.frame) / base_rate_or_fail(project);
  return *clock;
}

void print(const ClockOptions& options, const std::optional<RecordingClock>& clock) {
  if (options.json) {
    nlohmann::ordered_json json = {{"known", clock.has_value()}};
    json["start"] = clock ? nlohmann::ordered_json(clock->text(0)) : nlohmann::ordered_json();
    json["start_utc_s"] = clock ? nlohmann::ordered_json(clock->start_utc_s) : nlohmann::ordered_json();
    json["source"] = clock ? nlohmann::ordered_json(clock->source) : nlohmann::ordered_json();
    return print_json(json);
  }
  if (clock)
    std::printf("frame 0 at %s (%s)\n", clock->text(0).c_str(), clock->source.c_str());
  else
    std::printf("not known: times count from the start; --set says when it began\n");
}

void run_clock(const ClockOptions& options) {
  auto [project, stamp] = read_project_or_fail(options.project);
  if (options.forget) project.clock.reset();
  if (!options.set.empty()) project.clock = typed_clock(options, project);
  if (options.forget || !options.set.empty()) write_project_or_fail(project, stamp);
  print(options, find_clock(project));
}

}  // namespace

void add_clock(CLI::App& app) {
  auto options = std::make_shared<ClockOptions>();
  CLI::App* command = app.add_subcommand("clock", "Print or set the time of day of a project's recording.");
  command->footer(
      "The clock is what was set, else what the first camera's container states (creation_time), else its "
      "file name\n"
      "(cam1_20260501_143205.mp4). Without Z or +02:00 a time is this machine's, with its daylight saving.\n"
      "Example: vantage-cli clock hall.vantage --set 2026-05-01T14:32:05 --frame 250");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  CLI::Option* set = command
                         ->add_option("--set", options->set,
                                      "the time of day of a frame, 2026-05-01T14:32:05; kept in the project")
                         ->type_name("TIME");
  command
      ->add_option("--frame", options->frame, "frame of the base camera to which the time of --set belongs")
      ->check(CLI::NonNegativeNumber)
      ->needs(set)
      ->capture_default_str();
  command->add_flag("--forget", options->forget, "remove what was set")->excludes(set);
  command->add_flag("--json", options->json, "print it as JSON");
  command->callback([options] { run_clock(*options); });
}

}  // namespace vantage::cli
