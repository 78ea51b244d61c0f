// Positions in time of a project's recordings, found from pictures and sound.
//
// First roughly, without a calibration: what moves over +-20 s, and the sound where at least two files
// have it. Then, with a calibration, from epipolar lines, looking sync.max_offset_frames either way from the
// rough finding, from the project's own offsets and from 0.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/setup/alignment/collect.h"

namespace vantage {

inline constexpr double kRoughReach_s = 20;

struct AlignOptions {
  CollectOptions collect;
  int base = 0;
  bool sound = true;
  bool keep_signals = false;  // Alignment::compared
};

struct Alignment {
  std::string method;                                // what `estimate` is from: "lines", "sound" or "motion"
  SyncEstimate estimate;                             // offsets and changes in each camera's own frames
  SyncEstimate motion;                               // at the base's frame rate
  std::optional<SyncEstimate> sound;                 // at kSoundSignals_hz
  std::vector<double> frame_rates;                   // by camera
  int64_t frames = 0;                                // examined
  int64_t first_frame = 0;                           // of each camera: its signals' frame 0
  std::vector<std::string> notes;                    // CollectedSignals::notes
  std::shared_ptr<const CollectedSignals> compared;  // at the base's frame rate
};

Result<Alignment> align_project(const Project& project, const AlignOptions& options);

// Puts the offsets that were found into the project, marked as confirmed; drift becomes the camera's frame
// rate. The project's base is its first camera whatever `alignment` is relative to. Cameras without a finding
// are left as they are. Fails when the first camera has none.
Status apply_alignment(const Alignment& alignment, Project* project);

// "started 12 frames (0.48 s) before cam1"
std::string describe_offset(double offset_frames, double frame_rate, const std::string& base);

}  // namespace vantage
