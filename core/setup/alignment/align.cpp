#include "core/setup/alignment/align.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "core/sync/coarse_signals.h"
#include "core/sync/motion_offsets.h"
#include "core/video/audio.h"

namespace vantage {
namespace {

constexpr int kSoundRate_hz = 16000;
constexpr double kMaxSound_s = 180;
constexpr double kSoundTrend_s = 1;
// One signal a camera is rarely surer; and what follows looks about the rough finding, not only at it.
constexpr double kSoundConfidence = 0.7;
constexpr double kSameRate = 1e-9;

int camera_count(const Project& project) {
  return static_cast<int>(project.cameras.size());
}

int reach_frames(double rate) {
  return static_cast<int>(std::lround(kRoughReach_s * rate));
}

// Every pair of signals, one line each.
std::vector<PairSignals> all_pairs(const std::vector<LineSignals>& signals, int reach) {
  std::vector<PairSignals> pairs;
  for (size_t i = 0; i < signals.size(); ++i)
    for (size_t j = i + 1; j < signals.size(); ++j) {
      PairSignals& pair = pairs.emplace_back();
      pair.first = static_cast<int>(i), pair.second = static_cast<int>(j);
      pair.a = signals[i], pair.b = signals[j];
      pair.lowest_lag = -reach, pair.highest_lag = reach;
    }
  return pairs;
}

SyncEstimate estimate_from_sound(const std::vector<LineSignals>& signals, int base) {
  SyncParameters parameters;
  parameters.presence = 0;
  parameters.trend_s = kSoundTrend_s;
  parameters.min_confidence = kSoundConfidence;
  EstimateOptions how;
  how.cameras = static_cast<int>(signals.size());
  how.base = base;
  how.frame_rate = kSoundSignals_hz;
  how.follow = false;
  how.quiet_level = 0;
  return estimate_alignment(all_pairs(signals, reach_frames(kSoundSignals_hz)), parameters, how);
}

class Aligner {
 public:
  Aligner(const Project& project, const AlignOptions& options)
      : project_(project), options_(options), parameters_(project.parameters.get<SyncParameters>()) {}

  Result<Alignment> run() {
    if (camera_count(project_) < 2)
      return fail(ErrorKind::invalid_argument, "there is only one camera: nothing to synchronise with",
                  project_.path.string());
    VANTAGE_ASSIGN(signals_, collect_signals(project_, options_.collect));
    out_.frame_rates = signals_.frame_rates;
    out_.frames = signals_.frames;
    out_.notes = signals_.notes;
    to_base_rate();
    EstimateOptions how;
    how.base = options_.base;
    how.frame_rate = out_.frame_rates[options_.base];
    out_.motion = estimate_from_motion(signals_.motion, reach_frames(how.frame_rate), how);
    if (options_.sound) VANTAGE_TRY(listen());
    choose();
    to_own_frames();
    out_.first_frame = options_.collect.first_frame;
    if (options_.keep_signals) out_.compared = std::make_shared<CollectedSignals>(std::move(signals_));
    return std::move(out_);
  }

 private:
  double ratio(size_t camera) const { return out_.frame_rates[camera] / out_.frame_rates[options_.base]; }

  // All signals at the base's frame rate.
  void to_base_rate() {
    for (size_t c = 0; c < signals_.motion.size(); ++c) {
      if (std::abs(ratio(c) - 1) < kSameRate) continue;
      signals_.motion[c] = resample_signals(signals_.motion[c], ratio(c));
      for (PairSignals& pair : signals_.pairs) {
        if (pair.first == static_cast<int>(c)) pair.a = resample_signals(pair.a, ratio(c));
        if (pair.second == static_cast<int>(c)) pair.b = resample_signals(pair.b, ratio(c));
      }
    }
  }

  Status listen() {
    std::vector<LineSignals> sounds;
    int heard = 0;
    for (const ProjectCamera& camera : project_.cameras) {
      const auto sound = read_sound(camera.video, kSoundRate_hz, kMaxSound_s, options_.collect.stop);
      if (!sound && sound.error().kind == ErrorKind::cancelled) return fail(sound.error());
      LineSignals& signals = sounds.emplace_back();
      signals.lines = 1;
      if (!sound || !*sound) continue;  // a broken sound track is no reason to stop
      signals = sound_signals((*sound)->samples, (*sound)->sample_rate);
      ++heard;
    }
    if (heard > 1) out_.sound = estimate_from_sound(sounds, options_.base);
    return {};
  }

  // The rough finding for a camera, in frames at the base's rate.
  std::optional<double> rough_offset(size_t camera) const {
    const double rate = out_.frame_rates[options_.base];
    if (out_.sound && out_.sound->cameras[camera].offset_frames)
      return *out_.sound->cameras[camera].offset_frames / kSoundSignals_hz * rate;
    return out_.motion.cameras[camera].offset_frames;
  }

  void choose() {
    if (!signals_.pairs.empty()) {
      out_.method = "lines";
      for (PairSignals& pair : signals_.pairs) set_lags(&pair);
      EstimateOptions how;
      how.cameras = camera_count(project_);
      how.base = options_.base;
      how.frame_rate = out_.frame_rates[options_.base];
      out_.estimate = estimate_alignment(signals_.pairs, parameters_, how);
      return;
    }
    out_.method = out_.sound ? "sound" : "motion";
    out_.estimate = out_.motion;
    for (size_t c = 0; out_.sound && c < out_.estimate.cameras.size(); ++c) {
      if (!out_.sound->cameras[c].offset_frames) continue;
      CameraAlignment& camera = out_.estimate.cameras[c];
      camera = out_.sound->cameras[c];
      camera.offset_frames = rough_offset(c);
      camera.sigma_frames *= out_.frame_rates[options_.base] / kSoundSignals_hz;
    }
  }

  void set_lags(PairSignals* pair) const {
    const auto i = static_cast<size_t>(pair->first), j = static_cast<size_t>(pair->second);
    std::vector<double> centers = {
        0.0, project_.cameras[j].offset_frames / ratio(j) - project_.cameras[i].offset_frames / ratio(i)};
    const auto a = rough_offset(i), b = rough_offset(j);
    if (a && b) centers.push_back(*b - *a);
    const auto [low, high] = std::minmax_element(centers.begin(), centers.end());
    pair->lowest_lag = static_cast<int>(std::floor(*low)) - parameters_.max_offset_frames;
    pair->highest_lag = static_cast<int>(std::ceil(*high)) + parameters_.max_offset_frames;
  }

  // Offsets of the signals, which may start late in the files, become offsets of the files.
  void to_own_frames() {
    const auto first = static_cast<double>(options_.collect.first_frame);
    for (size_t c = 0; c < out_.estimate.cameras.size(); ++c) {
      CameraAlignment& camera = out_.estimate.cameras[c];
      if (!camera.offset_frames) continue;
      const double scale = ratio(c);
      const double own = *camera.offset_frames * scale;
      camera.offset_frames = first + own - first * scale * (1 + 1e-6 * camera.drift_ppm);
      camera.sigma_frames *= scale;
      for (OffsetChange& change : camera.changes) {
        change.frames *= scale;
        change.base_frame += options_.collect.first_frame;
      }
      if (camera.vouched)
        for (int64_t* frame : {&camera.vouched->begin, &camera.vouched->end})
          *frame += options_.collect.first_frame;
    }
  }

  const Project& project_;
  const AlignOptions& options_;
  const SyncParameters parameters_;
  CollectedSignals signals_;
  Alignment out_;
};

}  // namespace

Result<Alignment> align_project(const Project& project, const AlignOptions& options) {
  return Aligner(project, options).run();
}

Status apply_alignment(const Alignment& alignment, Project* project) {
  const std::vector<CameraAlignment>& found = alignment.estimate.cameras;
  if (found.empty() || !found[0].offset_frames)
    return fail(ErrorKind::bad_data, "the project's base camera has no offset", project->cameras[0].name,
                "Give another --base, or leave the offsets as they are.");
  // Base frame m of `alignment` is frame first(m) of the project's first camera: offset o and rate of that.
  const CameraAlignment& first = found[0];
  if (!first.changes.empty())
    return fail(ErrorKind::unsupported,
                "the project's first camera lost frames and cannot be compared with --base",
                project->cameras[0].name, "Write with the first camera as the base.");
  for (size_t c = 0; c < found.size(); ++c) {
    const CameraAlignment& camera = found[c];
    if (!camera.offset_frames) continue;
    ProjectCamera& out = project->cameras[c];
    const double step = alignment.frame_rates[c] / alignment.frame_rates[0] * (1 + 1e-6 * camera.drift_ppm) /
                        (1 + 1e-6 * first.drift_ppm);
    out.offset_frames = c == 0 ? 0.0 : *camera.offset_frames - *first.offset_frames * step;
    out.offset_confirmed = true;
    out.offset_changes.clear();
    for (const OffsetChange& change : camera.changes)
      out.offset_changes.push_back(
          {change.base_frame + static_cast<int64_t>(std::llround(*first.offset_frames)), change.frames});
    if (c > 0 && (camera.drift_ppm != 0 || first.drift_ppm != 0))
      out.frame_rate = alignment.frame_rates[0] * step;
  }
  return {};
}

std::string describe_offset(double offset_frames, double frame_rate, const std::string& base) {
  const double rounded = std::round(offset_frames * 10) / 10;
  if (rounded == 0) return "started with " + base;
  return fmt::format("started {:g} frame{} ({:.2f} s) {} ", std::abs(rounded),
                     std::abs(rounded) == 1 ? "" : "s", std::abs(offset_frames) / frame_rate,
                     offset_frames > 0 ? "before" : "after") +
         base;
}

}  // namespace vantage
