// vantage-cli sync: finds the offsets between the cameras.
#include <fmt/core.h>
#include <charconv>
#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/project/project_store.h"
#include "core/setup/alignment/align.h"
#include "core/sync/coarse_signals.h"

namespace vantage::cli {
namespace {

struct SyncCommand {
  ChainOptions chain;
  std::string base, out;
  std::vector<std::string> marks;
  bool write = false, no_sound = false, rough = false, json = false;
};

double parse_number(const std::string& text, const std::string& mark) {
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size())
    throw CLI::ValidationError("--mark", "'" + mark + "' is not of the form CAMERA=FRAME@BASEFRAME");
  return value;
}

// The frames in which lost frames are excluded; in the rest, at the ends, they are not.
void add_vouched(const VouchedFrames& frames, Report* to) {
  if (frames.begin >= frames.end) {
    to->add_data("vouched", ReportValue());
    to->add_sentence("too little moves to tell whether frames were lost");
    return;
  }
  Report row;
  row.add_data("first_frame", frames.begin), row.add_data("last_frame", frames.end - 1);
  row.say("cannot tell whether frames were lost before base frame {first_frame} or behind {last_frame}");
  to->add_section("vouched", std::move(row));
}

Report camera_report(const CameraAlignment& camera, const std::string& name, double rate,
                     const std::string& base) {
  const auto if_found = [&](double value) {
    return camera.offset_frames ? ReportValue(value) : ReportValue();
  };
  const double offset = camera.offset_frames.value_or(0);
  const Unit frames{"frames", 2};
  Report row;
  row.add("name", "camera", name);
  row.add("offset_frames", "offset", camera.offset_frames,
          camera.offset_frames ? unit_text(offset, camera.sigma_frames, frames) : "none");
  row.add_data("offset_seconds", if_found(offset / rate));
  row.add("drift_ppm", "drift", if_found(camera.drift_ppm),
          camera.drift_ppm != 0 ? unit_text(camera.drift_ppm, {"ppm", 0}) : "");
  row.add_number("confidence", "confidence", camera.confidence, {"", 3});
  row.add_data("sigma_frames", if_found(camera.sigma_frames));
  if (!camera.reason.empty()) row.add_sentence("reason", camera.reason, "no offset: " + camera.reason);
  if (camera.offset_frames && name != base) row.add_sentence(describe_offset(offset, rate, base));
  if (camera.vouched) add_vouched(*camera.vouched, &row);
  for (const OffsetChange& change : camera.changes) {
    Report one;
    one.add_data("base_frame", change.base_frame), one.add_data("frames", change.frames);
    one.say(change.frames < 0 ? "{frames} frames lost at base frame {base_frame}"
                              : "{frames} frames gained at base frame {base_frame}");
    row.add_row("offset_changes", std::move(one));
  }
  return row;
}

Report pair_report(const PairEstimate& pair, const Project& project) {
  const std::string &first = project.cameras[pair.first].name, &second = project.cameras[pair.second].name;
  Report row, curve;
  row.add_data("first", first), row.add_data("second", second);
  row.add_data("offset_frames", pair.offset_frames), row.add_data("sigma_frames", pair.sigma_frames);
  row.add_data("confidence", pair.confidence), row.add_data("score", pair.score);
  row.add_data("peak", pair.peak), row.add_data("second_peak", pair.second_peak);
  row.add_data("width_frames", pair.width_frames);
  row.add_data("effective_samples", pair.effective_samples);
  row.add_data("active_lines", pair.active_lines), row.add_data("used", pair.used);
  row.add_data("residual_frames", pair.residual_frames);
  if (pair.offset_frames && !pair.used)
    row.add_sentence(
        "the pair " + first + ", " + second +
        fmt::format(" contradicts the others by {:.1f} frames and is not used", pair.residual_frames));
  if (!pair.reason.empty()) row.add_data("reason", pair.reason);
  curve.add_data("first_lag", pair.curve_lag), curve.add_data("values", pair.curve);
  row.add_section("curve", std::move(curve));
  return row;
}

void add_estimate(const SyncEstimate& estimate, const Project& project, const std::vector<double>& rates,
                  Report* to) {
  const std::string& base = project.cameras[estimate.base].name;
  std::vector<Report> cameras, pairs;
  for (size_t c = 0; c < estimate.cameras.size(); ++c)
    cameras.push_back(camera_report(estimate.cameras[c], project.cameras[c].name, rates[c], base));
  for (const PairEstimate& pair : estimate.pairs) pairs.push_back(pair_report(pair, project));
  to->add_rows("cameras", std::move(cameras)), to->add_rows("pairs", std::move(pairs));
}

// In JSON only.
void add_rough(const char* key, const SyncEstimate& estimate, const Project& project, double rate,
               Report* to) {
  Report rough;
  rough.add_data("frame_rate", rate);
  add_estimate(estimate, project, std::vector<double>(estimate.cameras.size(), rate), &rough);
  to->add_data(key, ReportValue::ready(json_of(rough)));
}

Report sync_report(const Alignment& alignment, const Project& project) {
  const auto base = static_cast<size_t>(alignment.estimate.base);
  Report report;
  report.add_data("schema", "vantage-sync-1");
  report.add_data("base", project.cameras[base].name);
  report.add_data("method", alignment.method), report.add_data("frames", alignment.frames);
  add_estimate(alignment.estimate, project, alignment.frame_rates, &report);
  if (!alignment.notes.empty()) report.add_data("notes", alignment.notes);
  for (const std::string& note : alignment.notes) report.add_sentence(note);
  if (!alignment.motion.cameras.empty())
    add_rough("motion", alignment.motion, project, alignment.frame_rates[base], &report);
  if (alignment.sound) add_rough("sound", *alignment.sound, project, kSoundSignals_hz, &report);
  return report;
}

// Alignment by every camera's marked instants, without a search.
Alignment align_by_marks(const SyncCommand& command, const Project& project, int base) {
  std::vector<std::vector<MarkedInstant>> marks(project.cameras.size());
  for (const std::string& mark : command.marks) {
    const size_t equal = mark.rfind('='), at = mark.find('@', equal == std::string::npos ? 0 : equal);
    if (equal == std::string::npos || at == std::string::npos)
      throw CLI::ValidationError("--mark", "'" + mark + "' is not of the form CAMERA=FRAME@BASEFRAME");
    const int camera = camera_named(project, mark.substr(0, equal), "--mark");
    if (camera == base) throw CLI::ValidationError("--mark", "the base camera needs no marks");
    marks[camera].push_back({parse_number(mark.substr(at + 1), mark),
                             parse_number(mark.substr(equal + 1, at - equal - 1), mark)});
  }
  Alignment alignment;
  alignment.method = "marks";
  alignment.estimate.base = base;
  for (const ProjectCamera& camera : project.cameras) {
    const auto video = open_video(camera.video, {});
    if (!video) fail_command(video.error());
    alignment.frame_rates.push_back(effective_frame_rate(camera.frame_rate, (*video)->info().frame_rate));
  }
  for (size_t c = 0; c < marks.size(); ++c) {
    CameraAlignment& camera = alignment.estimate.cameras.emplace_back();
    if (static_cast<int>(c) == base) {
      camera.offset_frames = 0, camera.confidence = 1;
    } else if (marks[c].empty()) {
      camera.reason = "no instant is marked";
    } else {
      const double base_rate = alignment.frame_rates[base];
      const auto found = alignment_from_marks(marks[c], alignment.frame_rates[c] / base_rate, base_rate);
      if (!found) fail_command(found.error());
      camera = *found;
    }
  }
  return alignment;
}

Alignment align_by_footage(const SyncCommand& command, const Project& project, int base) {
  const FrameRange range = parse_frames(command.chain.frames);
  TraceRecorder trace;
  const Backends backends = open_backends_or_fail(command.chain, &trace);
  AlignOptions options;
  options.base = base;
  options.sound = !command.no_sound;
  options.collect.backends = backends.on_device(&trace);
  options.collect.hardware = backends.hardware;
  options.collect.first_frame = range.begin;
  options.collect.max_frames = range.end - range.begin;
  options.collect.lines = !command.rough;
  options.collect.stop = interrupted();
  Progress progress("sync");
  options.collect.progress = [&](int64_t done, int64_t total) { progress.update(done, total); };
  Result<Alignment> alignment = align_project(project, options);
  if (!alignment) fail_command(alignment.error());
  return std::move(*alignment);
}

void sync(const SyncCommand& command) {
  Project project = load_project_or_fail(command.chain);
  const int base = command.base.empty() ? 0 : camera_named(project, command.base, "--base");
  const Alignment alignment = command.marks.empty() ? align_by_footage(command, project, base)
                                                    : align_by_marks(command, project, base);
  const Report report = sync_report(alignment, project);
  const std::string json = json_text(json_of(report), 1) + "\n";
  if (!command.out.empty()) check_or_fail(write_file_atomically(command.out, json));
  if (command.write) {
    // Present contents on the disk: --set applies to this run alone, and others may have written meanwhile.
    const auto written = change_project_file(
        command.chain.project, [&](Project& stored) { return apply_alignment(alignment, &stored); });
    if (!written) fail_command(written.error());
    tell_who_has_it(written->path);
  }
  fmt::print("{}", (command.json ? json : text_of(report)));
}

}  // namespace

void add_sync(CLI::App& app) {
  auto options = std::make_shared<SyncCommand>();
  CLI::App* command = app.add_subcommand("sync", "Find the offset of each camera against the base.");
  command->footer(
      "With a calibration, compares motion along epipolar lines; otherwise motion and sound. "
      "offset_frames is the camera's frame simultaneous with frame 0 of the base; null, with its reason, "
      "where the footage does not determine it.\n"
      "Example: vantage-cli sync hall.vantage --out sync.json --write\n"
      "By hand: vantage-cli sync hall.vantage --mark cam2=131@120 --mark cam2=9140@9127 --write");
  add_chain_options(*command, options->chain);
  command
      ->add_option("--frames", options->chain.frames,
                   "frames A to B of every camera, B excluded; all if absent")
      ->type_name("A:B");
  command->add_option("--base", options->base, "reference camera of the offsets; the first if absent")
      ->type_name("CAMERA");
  command->add_option("--out", options->out, "offsets, pairs and their curves as JSON")
      ->type_name("FILE.json");
  command->add_flag("--write", options->write, "write the offsets found into the project");
  command
      ->add_option(
          "--mark", options->marks,
          "the same instant by hand: frame FRAME of the camera is BASEFRAME of the base; two far apart "
          "give the drift too (repeatable)")
      ->type_name("CAMERA=FRAME@BASEFRAME");
  command->add_flag("--rough", options->rough, "motion and sound only, also with a calibration");
  command->add_flag("--no-sound", options->no_sound, "do not use the sound");
  add_json_flag(*command, &options->json);
  command->callback([options] { sync(*options); });
}

}  // namespace vantage::cli
