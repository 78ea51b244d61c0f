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

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/image/backend/memory_transfer.h"
#include "core/image/backend/registry.h"
#include "core/pipeline/frame_result.h"
#include "core/setup/alignment/collect.h"

namespace vantage {

// The last seconds of what cameras showed along their epipolar lines, while frames are analysed: the sums of
// every frame's foreground, kept by each camera's own frames. Where a camera stands otherwise from a frame
// on, the lines are others: the window is empty then and fills again.

struct SignalWindowOptions {
  DeviceBackends backends;
  double frame_rate = 25;  // of every camera
  double window_s = 20;
  int lines = 64;       // a pair
  int max_offset = 60;  // frames either way from the present alignment
};

class SignalWindow {
 public:
  // Fails without a calibration, or where no two cameras see enough in common, however they stand.
  static Result<SignalWindow> make(const Project& project, const SignalWindowOptions& options);

  // Keeps what the cameras show now, as their frames of those numbers. The foreground lies where the chain
  // ran.
  Status keep(const FrameResult& result, const std::vector<int64_t>& camera_frames);
  // Each camera's own frame that was kept last; -1: it showed nothing.
  const std::vector<int64_t>& moment() const { return moment_; }
  // The frame that the window begins with at the earliest: that from which on the cameras stand as they do.
  int64_t stands_since() const { return spans_[span_].begin; }
  // Every camera's signals begin window_s before its present frame, so that lag 0 is the present alignment.
  std::vector<PairSignals> signals_now() const;
  int64_t frames() const;  // that it is long
  // Empty, and of cameras with another rate.
  void restart(double frame_rate, int max_offset);

 private:
  // The sums of one camera's frame.
  struct Row {
    int64_t camera_frame = -1;
    std::vector<std::vector<uint32_t>> sums;  // by side of a pair (2 * pair + side); of this camera's alone
  };
  // Line pairs of the cameras as they stand from a frame on.
  struct Span {
    int64_t begin = 0;
    EpipolarPairs line_pairs;
  };
  SignalWindow() = default;
  Status go_to_span_of(int64_t frame);
  Status make_extractor();
  const EpipolarPairs& line_pairs() const { return spans_[span_].line_pairs; }
  void keep_row(size_t camera, const ImageView<const uint32_t>& sums);
  LineSignals signals_of(int camera, size_t side, int lines, int64_t first) const;

  SignalWindowOptions options_;
  std::vector<Span> spans_;
  size_t span_ = 0;
  std::unique_ptr<SignatureExtractor> extractor_;  // null: no two cameras see enough in common in this span
  std::unique_ptr<MemoryTransfer> transfer_;
  std::vector<std::deque<Row>> rows_;  // by camera, the last window_s, in order of the camera's frames
  std::vector<int64_t> moment_;
};

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

// Watches live cameras: whether the pictures that their clocks bring together show one instant. A camera
// whose clock is wrong by less than can be told, or whose pictures are longer in transit than the others' and
// say nothing about it, is late (or early) by a constant time, which what it shows tells: the same sums along
// epipolar lines as for recordings, over the last 20 s of sets, and one offset a camera.
//
// A delay is proposed when two estimates in a row, a second apart, agree on it: by more than kWorthWhile of a
// set's period, with a confidence of at least sync.min_confidence. Drift is left to the clock (core/live):
// what remains of it is proposed again as soon as it is large enough. Where only every n-th set is analysed,
// n of them are the period.

class DelayMonitor {
 public:
  static constexpr double kWorthWhile = 0.5, kAlike = 0.5;  // periods
  static constexpr double kMinWindow_s = 8, kReach_s = 2.4, kEvery_s = 1;

  // `options.frame_rate`: sets a second; max_offset is what kReach_s makes. Fails as SignalWindow::make().
  static Result<std::unique_ptr<DelayMonitor>> make(const Project& project, SignalWindowOptions options);

  // The next set, of which one in `every` is analysed; what is to be proposed after it (OffsetProposal::
  // delay_s). What is proposed once is proposed again as long as it is so.
  Result<std::vector<OffsetProposal>> add(const FrameResult& result, int every);
  // The cameras are brought together otherwise from that set on.
  void restart(int64_t first_set);

 private:
  DelayMonitor(const Project& project, const SignalWindowOptions& options, SignalWindow window);
  std::vector<OffsetProposal> estimate(int64_t set);
  double rate() const { return options_.frame_rate / every_; }

  const SignalWindowOptions options_;
  const SyncParameters parameters_;
  SignalWindow window_;
  int every_ = 1;
  int64_t first_set_ = -1;      // that the window holds; -1: none yet
  int64_t not_before_ = 0;      // sets before it are not examined
  int64_t estimated_ = -1;      // the set of the last estimate
  std::vector<double> before_;  // by camera: what the last estimate said, periods; 0: nothing
};

}  // namespace vantage
