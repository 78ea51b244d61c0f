// Counts of `run` over its results, reported when it is done.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/backends/backends.h"
#include "core/base/distinct_ids.h"
#include "core/live/health.h"
#include "core/run/run.h"

namespace vantage::cli {

// A camera and the figures of its detector.
struct CameraDetector {
  std::string camera;
  DetectorState state;
};

struct RunSummary {
  int64_t frames = 0;
  double seconds = 0;
  // Seconds until the first frame of a recording was done, learning included, and from there to the last.
  std::optional<double> opening_s, steady_s;
  int64_t volumes = 0;                       // frames with a volume, of people known or unknown
  int64_t people_sum = 0, known_frames = 0;  // frames whose people are known
  int64_t carried_frames = 0;                // of those: carried from an earlier look
  int64_t litres_frames = 0;                 // frames whose volume is known
  double litres_sum = 0;                     // over those
  DistinctIds tracks;
  int64_t height_maps = 0, map_heads = 0, joined_heads = 0;  // heads of people that were found otherwise too
  std::string results;                                       // the folder
  std::string served;                                        // where; empty: nowhere
  std::optional<int64_t> events;                             // of live cameras whose project has rules
  std::optional<LiveHealth> live;           // when the last set was done: the cameras go on meanwhile
  std::optional<EndedRecording> recording;  // of live cameras
  std::vector<EndedRecording> event_recordings;
  std::map<std::string, int64_t> stopped_at;   // frames without people by where the search stopped
  std::map<std::string, int64_t> unknown_for;  // frames whose people are unknown, by why
  std::vector<CameraDetector> detectors;       // of people from detections; empty: of none

  void add(const FrameResult& result);
};

void print_summary(const RunSummary& summary, const Backends& backends);
void print_summary_json(const RunSummary& summary, const Backends& backends);

}  // namespace vantage::cli
