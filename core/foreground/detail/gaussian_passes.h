// The passes of the method `gaussian` over one frame on the CPU: light, evidence of blocks and pixels, votes,
// the model's update. GaussianCpu segments with them, and gaussian_explain.cpp reads one pixel of what they
// leave.
#pragma once

#include <functional>
#include <vector>

#include "core/foreground/foreground.h"
#include "core/foreground/gaussian_model.h"

namespace vantage::foreground_detail {

// The intermediate results of one frame between the passes: of each 2x2 block what BlockRow holds, with one
// sample more on either side of a row; of each pixel its distance.
class FrameEvidence {
 public:
  void start(int width, int height) {
    width_ = static_cast<size_t>(width), stride_ = static_cast<size_t>((width + 1) / 2 + 2);
    const size_t blocks = stride_ * static_cast<size_t>((height + 1) / 2);
    for (std::vector<float>& plane : blocks_) plane.resize(blocks);
    distance_.resize(width_ * static_cast<size_t>(height));
  }
  foreground::BlockRow row(int y) {
    const auto plane = [&](int k) { return blocks_[k].data() + at(y); };
    return {plane(0), plane(1), plane(2), plane(3), plane(4), plane(5)};
  }
  float* distance(int y) { return distance_.data() + static_cast<size_t>(y) * width_; }

  // Repeats the outermost samples of a row in those next to it.
  void repeat_border(float* row) const {
    row[-1] = row[0];
    row[stride_ - 2] = row[stride_ - 3];
  }

 private:
  size_t at(int y) const { return static_cast<size_t>(y) * stride_ + 1; }

  size_t width_ = 0, stride_ = 0;
  std::vector<float> blocks_[6], distance_;  // in the order of BlockRow
};

foreground::ChromaSamples chroma_samples(const Picture& picture, int y);

// Copyable: a copy can look at a frame without changing the model.
class GaussianPasses {
 public:
  GaussianModel& model() { return model_; }
  const GaussianModel& model() const { return model_; }
  FrameEvidence& evidence() { return evidence_; }
  const GaussianSettings& settings() const { return settings_; }
  void set_settings(const GaussianSettings& settings) { settings_ = settings; }

  // May throw bad_alloc.
  void start(int width, int height);
  void take(GaussianModel model);

  // Every picture has the model's size and lies in host memory.
  void learn(const Picture& picture);
  LightGains gains_of(const Picture& picture);
  FrameLight light_of(const Picture& picture);
  // Fills in the evidence and the votes before cleaning.
  void find_votes(const Picture& picture, const FrameLight& light, const ImageView<uint8_t>& votes);
  // Makes the mask of the indicator and updates the model; how many pixels the mask has.
  int64_t update(const Picture& picture, const FrameLight& light, ForegroundImages& images);
  // The scene's interval around row y of a plane, in rows that the caller has.
  foreground::SceneRow scene_row(GaussianModel::Plane plane, int y, float displacement,
                                 std::vector<float>& low, std::vector<float>& high);

 private:
  // The scene's intervals along one row, of luma or of both chroma components.
  struct Scratch {
    std::vector<float> low[2], high[2];
  };
  int64_t for_row_pairs(const std::function<int64_t(int pair, Scratch& scratch)>& work);
  foreground::LumaRows luma_rows(const Picture& picture, int pair);
  int64_t block_row(const Picture& picture, int pair, const FrameLight& frame, Scratch& scratch);
  int64_t shade_pair(int pair, const FrameLight& frame);
  int64_t distance_rows(const Picture& picture, int pair, const FrameLight& frame, Scratch& scratch);
  void vote_rows(const FrameLight& frame, const ImageView<uint8_t>& votes);
  int64_t update_row_pair(const Picture& picture, int pair, const FrameLight& frame,
                          ForegroundImages& images);

  GaussianSettings settings_ = gaussian_settings({});
  GaussianModel model_;
  FrameEvidence evidence_;
};

}  // namespace vantage::foreground_detail
