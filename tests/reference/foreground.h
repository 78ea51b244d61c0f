// The running Gaussian of core/foreground/foreground.h in double, sample by sample, with the learnt mean and
// variance taken from all learnt frames at once. Slow and obvious; for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/foreground/foreground.h"

namespace vantage::reference {

// One frame as plain numbers; chroma at half resolution.
struct Frame {
  int width = 0, height = 0;
  std::vector<double> luma, cb, cr;
};

inline Frame to_frame(const Picture& picture) {
  Frame frame{picture.width(), picture.height(), {}, {}, {}};
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x) frame.luma.push_back(picture.plane(0).at(x, y));
  const bool planar = picture.format().layout == PictureLayout::i420;
  for (int y = 0; y < (frame.height + 1) / 2; ++y)
    for (int x = 0; x < (frame.width + 1) / 2; ++x) {
      frame.cb.push_back(planar ? picture.plane(1).at(x, y) : picture.plane(1).at(2 * x, y));
      frame.cr.push_back(planar ? picture.plane(2).at(x, y) : picture.plane(1).at(2 * x + 1, y));
    }
  return frame;
}

class Foreground {
 public:
  explicit Foreground(const ForegroundParameters& parameters) : p_(parameters) {}

  void learn(const Frame& frame) {
    learnt_.push_back(frame);
    luma_ = statistics(&Frame::luma), cb_ = statistics(&Frame::cb), cr_ = statistics(&Frame::cr);
  }

  // The indicator times 255, not rounded. `doubtful` holds the pixels that rounding may put on either side of
  // the mask's threshold, now or in an earlier frame: from then on their models may honestly differ.
  struct Segmented {
    std::vector<double> level;
    std::vector<bool> doubtful;
  };
  Segmented apply(const Frame& frame, double level_error) {
    if (learnt_.empty()) learn(frame);
    width_ = frame.width, height_ = frame.height;
    doubtful_.resize(frame.luma.size());
    Segmented result;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const size_t i = at(x, y), c = chroma_at(x / 2, y / 2);
        const double d2 = squared(luma_[i], frame.luma[i]) +
                          p_.chroma_weight * (squared(cb_[c], frame.cb[c]) + squared(cr_[c], frame.cr[c]));
        const double indicator =
            std::clamp((std::sqrt(d2) - p_.distance_low) / (p_.distance_high - p_.distance_low), 0.0, 1.0);
        result.level.push_back(255 * indicator);
      }
    spread_doubt(result.level, level_error);
    result.doubtful = doubtful_;
    update(frame, result.level);
    return result;
  }

 private:
  struct Sample {
    double mean, variance;
  };

  size_t at(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }
  size_t chroma_at(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>((width_ + 1) / 2) + static_cast<size_t>(x);
  }

  std::vector<Sample> statistics(std::vector<double> Frame::*plane) const {
    std::vector<Sample> samples((learnt_[0].*plane).size());
    const auto count = static_cast<double>(learnt_.size());
    for (size_t i = 0; i < samples.size(); ++i) {
      double sum = 0, squares = 0;
      for (const Frame& frame : learnt_) sum += (frame.*plane)[i];
      for (const Frame& frame : learnt_) squares += std::pow((frame.*plane)[i] - sum / count, 2);
      samples[i] = {sum / count, squares / count};
    }
    return samples;
  }

  double squared(const Sample& s, double value) const {
    return std::pow(value - s.mean, 2) / std::max(s.variance, p_.min_sigma * p_.min_sigma);
  }

  // Luma pixels of one 2x2 block share their chroma samples, so a doubtful one makes all of them doubtful.
  void spread_doubt(const std::vector<double>& level, double level_error) {
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        if (std::abs(level[at(x, y)] - 127.5) > level_error) continue;
        for (int v = y / 2 * 2; v < std::min(y / 2 * 2 + 2, height_); ++v)
          for (int u = x / 2 * 2; u < std::min(x / 2 * 2 + 2, width_); ++u) doubtful_[at(u, v)] = true;
      }
  }

  void move_towards(Sample& s, double value) const {
    const double difference = value - s.mean;
    s.mean += p_.learning_rate * difference;
    s.variance = (1 - p_.learning_rate) * s.variance + p_.learning_rate * difference * difference;
  }

  void update(const Frame& frame, const std::vector<double>& level) {
    std::vector<bool> block_is_background(cb_.size(), true);
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const size_t i = at(x, y);
        if (level[i] >= 127.5)
          block_is_background[chroma_at(x / 2, y / 2)] = false;
        else
          move_towards(luma_[i], frame.luma[i]);
      }
    for (size_t c = 0; c < cb_.size(); ++c)
      if (block_is_background[c]) move_towards(cb_[c], frame.cb[c]), move_towards(cr_[c], frame.cr[c]);
  }

  ForegroundParameters p_;
  int width_ = 0, height_ = 0;
  std::vector<Frame> learnt_;
  std::vector<Sample> luma_, cb_, cr_;
  std::vector<bool> doubtful_;
};

}  // namespace vantage::reference
