#include "app/cli/run/run_live.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/clock.h"

namespace vantage::cli {
namespace {

void print_camera(const CameraHealth& c) {
  fmt::print("{:10} {:5.1f} of {:4.1f} pictures/s  {:7.0f} kbit/s  jitter {:5.1f} ms  ", c.name,
             c.delivered_rate, c.declared_rate, c.bit_rate * 1e-3, c.jitter_ms);
  if (c.clock_offset_s) fmt::print("clock {:+.3f} s  ", *c.clock_offset_s);
  if (c.correction_s != 0) fmt::print("corrected by {:+.3f} s  ", c.correction_s);
  fmt::print("drift {:+.0f} ppm  errors {}  left out {}  late {}  reconnected {}  view of {}  {}{}{}{}\n",
             c.drift_ppm, c.decode_errors, c.left_out, c.late, c.reconnections,
             c.view_of_utc_s ? utc_date(*c.view_of_utc_s).c_str() : "the start", c.state,
             c.certificate_checked.value_or(true) ? "" : "; certificate not checked",
             c.picture.empty() ? "" : "; ", c.picture);
}

}  // namespace

void add_live_options(CLI::App& command, LiveRunOptions& options) {
  command.add_flag("--live", options.live,
                   "play the project's files at their own pace, as if they were cameras; a project with "
                   "addresses is live by itself");
  command.add_option("--seconds", options.seconds, "live: stop after this many seconds; 0: at Ctrl-C")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      .add_option("--bound", options.bound_ms,
                  "live: milliseconds that the pictures of a frame set wait for the last one")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--live-rate", options.options.rate,
                  "live: frame sets a second; 0: the first camera's frame rate")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      .add_option("--every", options.options.every,
                  "live: analyse every Nth frame set; 0: as many as the machine can")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      .add_option("--code-zero", options.options.code_zero_utc_s,
                  "live: time of 00:00:00 of a time code in the pictures, seconds since 1970, for the "
                  "latency; 0: midnight of this day")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      .add_option("--record", options.record,
                  "live: also record the streams, as they come, as a project with its results; see the "
                  "parameters recording.*, of which recording.events records each event by itself, from "
                  "recording.before_s before it on, in a project next to this one")
      ->type_name("NAME.vantage");
  command
      .add_option("--right-view", options.right_views,
                  "live: this camera's view at the start becomes its reference view, with which later views "
                  "are compared to find turned cameras; may be repeated")
      ->type_name("CAMERA");
}

std::optional<LiveOptions> chosen_live_options(const LiveRunOptions& options, const Project& project) {
  if (!options.live && !project.live()) {
    if (!options.right_views.empty())
      throw CLI::ValidationError("--right-view", "the project has no live camera");
    if (!options.record.empty()) throw CLI::ValidationError("--record", "the project has no live camera");
    return std::nullopt;
  }
  // A misspelt name is reported before waiting for the cameras.
  for (const std::string& name : options.right_views) camera_named(project, name, "--right-view");
  LiveOptions live = options.options;
  live.bound_s = options.bound_ms * 1e-3;
  return live;
}

void accept_views_or_fail(const LiveRunOptions& options, const Project& project, Analysis& analysis) {
  for (const std::string& name : options.right_views)
    analysis.live()->accept_view(static_cast<size_t>(camera_named(project, name, "--right-view")));
}

void LiveProgress::update(const LiveFrameSource& cameras) {
  constexpr int64_t kInterval_ns = 5'000'000'000;
  if (trace_now_ns() - printed_ns_ < kInterval_ns) return;
  printed_ns_ = trace_now_ns();
  const LiveHealth health = cameras.health();
  const auto here = std::count_if(health.cameras.begin(), health.cameras.end(),
                                  [](const CameraHealth& camera) { return camera.here; });
  fmt::print(stderr, "live  {} sets analysed, {} dropped, {} left out  {} of {} cameras  {:.0f} ms\n",
             health.analysed, health.dropped, health.thinned, here, health.cameras.size(),
             health.latency_p50_ms);
}

void print_recording(const EndedRecording& recording) {
  const RecordingState& state = recording.state;
  fmt::print("recorded {:.1f} s, {:.1f} MB in {}", state.seconds, static_cast<double>(state.bytes) * 1e-6,
             recording.project.string());
  if (state.lost_packets > 0) fmt::print(", {} packets lost to a slow disk", state.lost_packets);
  fmt::print("{}{}\n", state.problem.empty() ? "" : "; stopped: ", state.problem);
}

void print_health(const LiveHealth& health) {
  for (const CameraHealth& camera : health.cameras) print_camera(camera);
  fmt::print("{} frame sets at {:.2f} a second: {} analysed, {} dropped, {} left out, {} incomplete\n",
             health.sets, health.rate, health.analysed, health.dropped, health.thinned, health.incomplete);
  std::string span;
  if (health.delay_span_ms > 0)
    span = ", behind the " + std::to_string(std::lround(health.delay_span_ms)) +
           " ms between the cameras' corrections";
  fmt::print(
      "latency from the last camera's bytes {:.0f} ms (p50), {:.0f} (p95), {:.0f} (max); age of results "
      "{:.0f}, "
      "{:.0f}, {:.0f} ms; bound {:.0f} ms{}\n",
      health.latency_p50_ms, health.latency_p95_ms, health.latency_max_ms, health.age_p50_ms,
      health.age_p95_ms, health.age_max_ms, health.bound_ms, span);
  if (health.code_max_ms >= 0)
    fmt::print(
        "by the time code in the pictures: from capture to the result {:.0f} ms (p50), {:.0f} (p95), {:.0f} "
        "(max)\n",
        health.code_p50_ms, health.code_p95_ms, health.code_max_ms);
}

}  // namespace vantage::cli
