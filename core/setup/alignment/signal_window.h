// The last seconds of what cameras showed along their epipolar lines, while frames are analysed: the sums of
// every frame's foreground, kept by each camera's own frames. Where a camera stands otherwise from a frame
// on, the lines are others: the window is empty then and fills again.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "core/image/backend/memory_transfer.h"
#include "core/image/backend/registry.h"
#include "core/pipeline/frame_result.h"
#include "core/setup/alignment/epipolar_pairs.h"

namespace vantage {

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

}  // namespace vantage
