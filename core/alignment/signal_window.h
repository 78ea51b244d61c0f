// The last seconds of what cameras showed along their epipolar lines, while frames are analysed: the sums of
// every frame's foreground, kept by each camera's own frames.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "core/alignment/epipolar_pairs.h"
#include "core/backend/memory_transfer.h"
#include "core/backend/registry.h"
#include "core/pipeline/frame_result.h"

namespace vantage {

struct SignalWindowOptions {
  DeviceBackends backends;
  double frame_rate = 25;  // of every camera
  double window_s = 20;
  int lines = 64;       // a pair
  int max_offset = 60;  // frames beside the present alignment
};

class SignalWindow {
 public:
  // Fails without a calibration, or where no two cameras see enough in common.
  static Result<SignalWindow> make(const Project& project, const SignalWindowOptions& options);

  // Keeps what the cameras show now, as their frames of those numbers. The foreground lies where the chain
  // ran.
  Status keep(const FrameResult& result, const std::vector<int64_t>& camera_frames);
  // Each camera's own frame that was kept last; -1: it showed nothing.
  const std::vector<int64_t>& moment() const { return moment_; }
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
  SignalWindow() = default;
  void keep_row(size_t camera, const ImageView<const uint32_t>& sums);
  LineSignals signals_of(int camera, size_t side, int lines, int64_t first) const;

  SignalWindowOptions options_;
  EpipolarPairs line_pairs_;
  std::unique_ptr<SignatureExtractor> extractor_;
  std::unique_ptr<MemoryTransfer> transfer_;
  std::vector<std::deque<Row>> rows_;  // by camera, the last window_s, in order of the camera's frames
  std::vector<int64_t> moment_;
};

}  // namespace vantage
