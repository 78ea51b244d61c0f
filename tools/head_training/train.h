// Trains a head detector from rendered people alone, reproducibly from a seed.
//
// Heads: from rendered pictures (core/synth/head_pictures.h), as the detector would meet them: the window of
// the level and place nearest to the head, and some a pixel away from it. Others: all windows of the same
// pictures that are no head, of painted clutter and, if given, of the pictures of a folder; those that the
// detector so far takes for heads replace those it has rejected (bootstrapping). The two thresholds are
// chosen on other scenes, whose curve becomes part of the model's description.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/heads/curve.h"
#include "core/heads/head_model.h"
#include "core/synth/head_pictures.h"

namespace vantage {

struct HeadTrainingOptions {
  uint64_t seed = 1;
  int scenes = 60;     // rendered ones, 12 pictures each
  int weak = 400;      // classifiers
  int others = 14000;  // windows without a head that are learnt from at a time
  double alpha = 0.05;
  synth::HeadPictureShares shares;
  double false_positives = 0.1;     // per picture of the other scenes: there heads are accepted from
  std::filesystem::path negatives;  // PNG files; empty: none
};

struct HeadTrainingProgress {
  std::string what;
  int64_t done = 0, total = 0;
};

struct TrainedHeads {
  HeadModel model;
  HeadCurve curve;
};

// Errors: what rendering and reading give; cancelled; bad_data when the pictures run out of windows.
Result<TrainedHeads> train_heads(const HeadTrainingOptions& options,
                                 const std::function<void(const HeadTrainingProgress&)>& progress,
                                 const StopSource& stop);

}  // namespace vantage
