// Watches the alignment while a run goes on: the sums along epipolar lines of every frame's foreground, kept
// by each camera's own frames, and four times a second an estimate over the last seconds. Where a camera has
// come out of step (it was never in step, or it just lost frames), that is a proposal; what is done about it
// is the caller's.
//
// A change within the last seconds (LatestOffset) is proposed once it is probable and lasts long enough to
// tell its size from a frame more or less, at the latest 1.8 s after it ended; an older offset, when all
// estimates of half a second say the same whole number of frames. The camera's confidence
// has to be at least sync.min_confidence, and it has to be off by more than the half frame that is left to
// it by rounding: a camera between two frames is in step with either.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/setup/alignment/signal_window.h"

namespace vantage {

struct OffsetProposal {
  int camera = 0;
  int frames = 0;          // further ahead than now; negative: it has lost some
  int64_t base_frame = 0;  // of the estimate's end
  double confidence = 0;
  // The base frame from which on it is so; 0, or where a camera's later calibration begins: ever since it is
  // watched, or since then.
  int64_t since = 0;
  // For live cameras, in place of `frames` and `since`: by how much older its pictures are than the base's of
  // the same set; negative: younger.
  std::optional<double> delay_s = {};
};

struct OffsetMonitorOptions : SignalWindowOptions {
  double period_s = 0.24;
};

class OffsetMonitor {
 public:
  // Fails without a calibration, or where no two cameras see enough in common.
  static Result<std::unique_ptr<OffsetMonitor>> make(const Project& project,
                                                     const OffsetMonitorOptions& options);

  // Frames in order; what is to be proposed after this one. Where it is applied, the frames after this one
  // are others. The foreground lies where the chain ran.
  Result<std::vector<OffsetProposal>> add(const FrameResult& result);

 private:
  struct Candidate {
    int frames = 0;
    int64_t since = -1;  // base frame at which the estimates began to say so
  };
  struct OutOfStep {
    int frames = 0;
    int64_t since = 0;
  };
  OffsetMonitor(const Project& project, const OffsetMonitorOptions& options, SignalWindow window);
  Status keep(const FrameResult& result);
  void restart();
  std::vector<OffsetProposal> estimate(int64_t base_frame);
  bool settled(const LatestOffset& latest, bool again, int64_t said_since, int64_t base_frame) const;
  int64_t window_begin(int64_t base_frame) const;
  int64_t out_of_step_since(const CameraAlignment& camera, int frames, int64_t base_frame,
                            OutOfStep* known) const;

  const OffsetMonitorOptions options_;
  const SyncParameters parameters_;
  SignalWindow window_;
  std::vector<Candidate> candidates_;   // by camera
  std::vector<OutOfStep> out_of_step_;  // by camera: what was proposed, until it is in step again
  std::vector<int64_t> waiting_until_;  // by camera: base frame up to which nothing is proposed
  int64_t frames_ = 0;                  // watched since the cameras stand as they do
  int64_t first_frame_ = -1;            // of these
};

}  // namespace vantage
