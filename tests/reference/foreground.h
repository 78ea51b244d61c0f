// The model of core/foreground/foreground.h in double, sample by sample, with the learnt mean and
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

  // The indicator times 255, not rounded. Where it lies within level_error of the mask's threshold, rounding
  // decides whether a pixel counts as background: there the reference follows `mask`, given row by row.
  std::vector<double> apply(const Frame& frame, const std::vector<bool>& mask, double level_error) {
    if (learnt_.empty()) learn(frame);
    width_ = frame.width, height_ = frame.height;
    std::vector<double> level;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const size_t i = at(x, y), c = chroma_at(x / 2, y / 2);
        const double light = block_light(frame, x, y);
        const double d2 =
            squared(luma_[i], frame.luma[i], light * luma_[i].mean) +
            p_.chroma_weight * (squared(cb_[c], frame.cb[c], 128 + light * (cb_[c].mean - 128)) +
                                squared(cr_[c], frame.cr[c], 128 + light * (cr_[c].mean - 128)));
        const double vote =
            std::clamp((std::sqrt(d2) - p_.distance_low) / (p_.distance_high - p_.distance_low), 0.0, 1.0);
        level.push_back(255 * vote);
      }
    const auto larger = [](double a, double b) { return std::max(a, b); };
    const auto smaller = [](double a, double b) { return std::min(a, b); };
    level = over_windows(level, p_.opening, smaller);
    level = over_windows(level, p_.opening, larger);
    level = over_windows(level, p_.closing, larger);
    level = over_windows(level, p_.closing, smaller);
    std::vector<bool> foreground;
    for (size_t i = 0; i < level.size(); ++i)
      foreground.push_back(std::abs(level[i] - 127.5) > level_error ? level[i] > 127.5 : mask[i]);
    update(frame, foreground);
    return level;
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

  double squared(const Sample& s, double value, double expected) const {
    return std::pow(value - expected, 2) / std::max(s.variance, p_.min_sigma * p_.min_sigma);
  }

  // The light of the 2x2 block that holds pixel (x, y).
  double block_light(const Frame& frame, int x, int y) const {
    double values = 0, means = 0;
    for (int v = y / 2 * 2; v < std::min(y / 2 * 2 + 2, height_); ++v)
      for (int u = x / 2 * 2; u < std::min(x / 2 * 2 + 2, width_); ++u)
        values += frame.luma[at(u, v)], means += luma_[at(u, v)].mean;
    return std::clamp(means > 0 ? values / means : 1.0, p_.darkest_shadow, 1.0);
  }

  template <typename Choose>
  std::vector<double> over_windows(const std::vector<double>& in, int radius, const Choose& choose) const {
    std::vector<double> out = in;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        for (int v = std::max(0, y - radius); v <= std::min(height_ - 1, y + radius); ++v)
          for (int u = std::max(0, x - radius); u <= std::min(width_ - 1, x + radius); ++u)
            out[at(x, y)] = choose(out[at(x, y)], in[at(u, v)]);
    return out;
  }

  void move_towards(Sample& s, double value) const {
    const double difference = value - s.mean;
    s.mean += p_.learning_rate * difference;
    s.variance = (1 - p_.learning_rate) * s.variance + p_.learning_rate * difference * difference;
  }

  void update_sample(Sample& s, double value, bool foreground) const {
    if (foreground)
      s.mean += p_.absorption_rate * (value - s.mean);
    else
      move_towards(s, value);
  }

  void update(const Frame& frame, const std::vector<bool>& foreground) {
    std::vector<bool> block_has_foreground(cb_.size());
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const size_t i = at(x, y);
        if (foreground[i]) block_has_foreground[chroma_at(x / 2, y / 2)] = true;
        update_sample(luma_[i], frame.luma[i], foreground[i]);
      }
    for (size_t c = 0; c < cb_.size(); ++c) {
      update_sample(cb_[c], frame.cb[c], block_has_foreground[c]);
      update_sample(cr_[c], frame.cr[c], block_has_foreground[c]);
    }
  }

  ForegroundParameters p_;
  int width_ = 0, height_ = 0;
  std::vector<Frame> learnt_;
  std::vector<Sample> luma_, cb_, cr_;
};

}  // namespace vantage::reference
