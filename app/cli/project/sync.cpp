// vantage-cli sync: which frame of each camera belongs to which frame of the base.
#include <charconv>
#include <cmath>
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

using nlohmann::ordered_json;

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

ordered_json number_or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json camera_json(const CameraAlignment& camera, const std::string& name, double rate) {
  ordered_json json = {{"name", name}, {"offset_frames", number_or_null(camera.offset_frames)}};
  json["offset_seconds"] = camera.offset_frames ? ordered_json(*camera.offset_frames / rate) : ordered_json();
  json["drift_ppm"] = camera.offset_frames ? ordered_json(camera.drift_ppm) : ordered_json();
  json["confidence"] = camera.confidence;
  json["sigma_frames"] = camera.offset_frames ? ordered_json(camera.sigma_frames) : ordered_json();
  if (!camera.reason.empty()) json["reason"] = camera.reason;
  for (const OffsetChange& change : camera.changes)
    json["offset_changes"].push_back({{"base_frame", change.base_frame}, {"frames", change.frames}});
  return json;
}

ordered_json pairs_json(const SyncEstimate& estimate, const Project& project) {
  ordered_json pairs = ordered_json::array();
  for (const PairEstimate& pair : estimate.pairs) {
    ordered_json json = {{"first", project.cameras[static_cast<size_t>(pair.first)].name},
                         {"second", project.cameras[static_cast<size_t>(pair.second)].name},
                         {"offset_frames", number_or_null(pair.offset_frames)},
                         {"sigma_frames", pair.sigma_frames},
                         {"confidence", pair.confidence},
                         {"score", pair.score},
                         {"peak", pair.peak},
                         {"second_peak", pair.second_peak},
                         {"width_frames", pair.width_frames},
                         {"effective_samples", pair.effective_samples},
                         {"active_lines", pair.active_lines},
                         {"used", pair.used},
                         {"residual_frames", pair.residual_frames}};
    if (!pair.reason.empty()) json["reason"] = pair.reason;
    json["curve"] = {{"first_lag", pair.curve_lag}, {"values", pair.curve}};
    pairs.push_back(std::move(json));
  }
  return pairs;
}

ordered_json rough_json(const SyncEstimate& estimate, const Project& project, double rate) {
  ordered_json cameras = ordered_json::array();
  for (size_t c = 0; c < estimate.cameras.size(); ++c)
    cameras.push_back(camera_json(estimate.cameras[c], project.cameras[c].name, rate));
  return {{"frame_rate", rate}, {"cameras", std::move(cameras)}, {"pairs", pairs_json(estimate, project)}};
}

ordered_json report_json(const Alignment& alignment, const Project& project) {
  const auto base = static_cast<size_t>(alignment.estimate.base);
  ordered_json json = {{"schema", "vantage-sync-1"},
                       {"base", project.cameras[base].name},
                       {"method", alignment.method},
                       {"frames", alignment.frames},
                       {"cameras", ordered_json::array()}};
  for (size_t c = 0; c < project.cameras.size(); ++c)
    json["cameras"].push_back(
        camera_json(alignment.estimate.cameras[c], project.cameras[c].name, alignment.frame_rates[c]));
  json["pairs"] = pairs_json(alignment.estimate, project);
  if (!alignment.notes.empty()) json["notes"] = alignment.notes;
  if (!alignment.motion.cameras.empty())
    json["motion"] = rough_json(alignment.motion, project, alignment.frame_rates[base]);
  if (alignment.sound) json["sound"] = rough_json(*alignment.sound, project, kSoundSignals_hz);
  return json;
}

// Every camera's marked instants; nothing is searched.
Alignment align_by_marks(const SyncCommand& command, const Project& project, int base) {
  std::vector<std::vector<MarkedInstant>> marks(project.cameras.size());
  for (const std::string& mark : command.marks) {
    const size_t equal = mark.rfind('='), at = mark.find('@', equal == std::string::npos ? 0 : equal);
    if (equal == std::string::npos || at == std::string::npos)
      throw CLI::ValidationError("--mark", "'" + mark + "' is not of the form CAMERA=FRAME@BASEFRAME");
    const int camera = camera_named(project, mark.substr(0, equal), "--mark");
    if (camera == base) throw CLI::ValidationError("--mark", "the base camera needs no marks");
    marks[static_cast<size_t>(camera)].push_back(
        {parse_number(mark.substr(at + 1), mark),
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
      const double base_rate = alignment.frame_rates[static_cast<size_t>(base)];
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

void print_text(const Alignment& alignment, const Project& project) {
  const auto base = static_cast<size_t>(alignment.estimate.base);
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const CameraAlignment& camera = alignment.estimate.cameras[c];
    const std::string& name = project.cameras[c].name;
    if (c == base) continue;
    if (!camera.offset_frames) {
      std::printf("%-10s no offset: %s\n", name.c_str(), camera.reason.c_str());
      continue;
    }
    std::printf(
        "%-10s %s", name.c_str(),
        describe_offset(*camera.offset_frames, alignment.frame_rates[c], project.cameras[base].name).c_str());
    std::printf("; offset %.2f +- %.2f frames, confidence %.3f", *camera.offset_frames, camera.sigma_frames,
                camera.confidence);
    if (camera.drift_ppm != 0) std::printf(", drift %.0f ppm", camera.drift_ppm);
    for (const OffsetChange& change : camera.changes)
      std::printf(", %g frames %s at base frame %lld", std::abs(change.frames),
                  change.frames < 0 ? "lost" : "gained", static_cast<long long>(change.base_frame));
    std::printf("\n");
  }
  for (const std::string& note : alignment.notes) std::printf("%s\n", note.c_str());
  for (const PairEstimate& pair : alignment.estimate.pairs)
    if (pair.offset_frames && !pair.used)
      std::printf("the pair %s, %s contradicts the others by %.1f frames and is not used\n",
                  project.cameras[static_cast<size_t>(pair.first)].name.c_str(),
                  project.cameras[static_cast<size_t>(pair.second)].name.c_str(), pair.residual_frames);
}

void sync(const SyncCommand& command) {
  Project project = load_project_or_fail(command.chain);
  const int base = command.base.empty() ? 0 : camera_named(project, command.base, "--base");
  const Alignment alignment = command.marks.empty() ? align_by_footage(command, project, base)
                                                    : align_by_marks(command, project, base);
  const std::string report = json_text(report_json(alignment, project), 1) + "\n";
  if (!command.out.empty())
    if (const Status written = write_file_atomically(command.out, report); !written)
      fail_command(written.error());
  if (command.write) {
    // As it is on the disk by now: --set holds for this run alone, and others may have written meanwhile.
    const auto written = change_project_file(
        command.chain.project, [&](Project& stored) { return apply_alignment(alignment, &stored); });
    if (!written) fail_command(written.error());
    tell_who_has_it(written->path);
  }
  if (command.json)
    std::printf("%s", report.c_str());
  else
    print_text(alignment, project);
}

}  // namespace

void add_sync(CLI::App& app) {
  auto options = std::make_shared<SyncCommand>();
  CLI::App* command =
      app.add_subcommand("sync", "Find which frame of each camera belongs to which frame of the base.");
  command->footer(
      "Compares what moves through epipolar lines, with a calibration; otherwise motion and sound. "
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
  command->add_flag("--write", options->write, "put the offsets that were found into the project");
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
