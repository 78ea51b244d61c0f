// The signals of every camera of a project, each read from its own first frame on, whatever its offset in the
// project: motion and, with a calibration, the sums along epipolar lines. If poses change later, the lines
// are those of the calibration with most frames, and nothing is compared along them before and after.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/threads.h"
#include "core/image/backend/registry.h"
#include "core/project/project.h"
#include "core/sync/signatures.h"
#include "core/sync/sync.h"
#include "core/video/video_source.h"

namespace vantage {

// Epipolar lines compared for every pair of a project's cameras, and the sums of a frame.

// The lines of a pair's signals; empty if it has none.
struct EpipolarLinePairs {
  std::vector<LineSegment> first, second;
};

struct EpipolarPairs {
  std::vector<PairSignals> pairs;        // every pair of cameras, without signals; impossible ones state why
  std::vector<EpipolarLinePairs> lines;  // by pair
  SignatureExtractor::Arguments arguments;  // of the possible pairs
  std::vector<size_t> extracted;            // by pair of the extractor: which of `pairs`
};

// Uses the cameras' calibrations at that frame set; the project is calibrated.
EpipolarPairs choose_epipolar_pairs(const Project& project, int lines, int64_t frame);

// One frame's sums of a row, appended to the signals; `valid`: the camera had something to compare.
void append_sums(const uint32_t* sums, bool valid, LineSignals* to);

struct CollectOptions {
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;  // null: software decoding
  int64_t first_frame = 0;                   // of each camera
  int64_t max_frames = INT64_MAX;            // of each camera
  bool lines = true;                         // also sums along lines; false: motion alone
  std::function<void(int64_t done, int64_t total)> progress;
  StopSource stop;
};

struct CollectedSignals {
  std::vector<double> frame_rates;  // by camera, frames/s
  std::vector<LineSignals> motion;  // by camera (core/sync/coarse_signals.h)
  // Every pair of cameras (only with lines), at each camera's own frame rate; lags are not set yet.
  std::vector<PairSignals> pairs;
  std::vector<EpipolarLinePairs> lines;  // by pair
  int64_t frames = 0;                    // read of the camera with most
  // Sentences: lines are compared in a part of the frames alone, those of one calibration.
  std::vector<std::string> notes;
};

// Fails when a video cannot be opened; a camera that breaks off ends there.
Result<CollectedSignals> collect_signals(const Project& project, const CollectOptions& options);

}  // namespace vantage
