// The model of core/foreground/foreground.h in double, sample by sample, with the learnt mean and
// variance taken from all learnt frames at once. Slow and obvious; for tests.
#pragma once

#include <vector>

#include "core/foreground/foreground.h"

namespace vantage::reference {

// One frame as plain numbers; chroma at half resolution.
struct Frame {
  int width = 0, height = 0;
  double black = 0;
  std::vector<double> luma, cb, cr;
};

Frame to_frame(const Picture& picture);

class Foreground {
 public:
  explicit Foreground(const ForegroundParameters& parameters) : p_(parameters) {}

  void learn(const Frame& frame);
  // The indicator times 255, not rounded. Where it lies within level_error of the mask's threshold, rounding
  // decides whether a pixel counts as background: there the reference follows `mask`, given row by row.
  std::vector<double> apply(const Frame& frame, const std::vector<bool>& mask, double level_error);

  // What the next apply() would find of one pixel.
  struct Pixel {
    double mean, sigma;  // of luma
    double distance, sharpened, vote;
    double light;  // as a share of the picture's gain
    double undecided, gain;
  };
  Pixel pixel(const Frame& frame, int x, int y);

 private:
  struct Sample {
    double mean, variance;
  };
  // The means over the samples of the 2x2 block that holds a pixel, above black.
  struct Block {
    double values = 0, means = 0;
  };
  struct Chroma {
    double cb, cr, luma;  // differences from the scene
    double shade;         // 0 to 1
    double distance;
  };

  size_t at(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }
  size_t chroma_at(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>((width_ + 1) / 2) + static_cast<size_t>(x);
  }
  std::vector<Sample> statistics(std::vector<double> Frame::* plane) const;
  // The medians of light_change.h over one whole 2x2 block in 4 x 4, each in a histogram, shortened
  // towards 1.
  void find_light(const Frame& frame);
  double median_ratio(const std::vector<double>& ratios, double no_change) const;
  Block block(const Frame& frame, int x, int y) const;
  double block_light(const Block& b) const;
  // value outside the displaced scene in light k
  // A chroma sample in the white balance of the scene, by what its channel gained; `luma` above black.
  static double balanced(double chroma, double luma, double channel_gain, double share);
  // What a chroma component differs by from the scene in light k; a clipped one has any balance.
  double chroma_difference(const std::vector<Sample>& plane, int x, int y, double chroma, double balanced,
                           double k, bool clipped) const;
  double beyond(const std::vector<Sample>& plane, int width, int height, int x, int y, double value,
                double zero, double k_low, double k_high, double displacement) const;
  double in_variances(double difference, const Sample& s) const;
  Chroma chroma_of(const Frame& frame, int x, int y) const;
  // The distance by the mean colour of the 3x3 blocks around; the border repeats.
  double shaded(const std::vector<Chroma>& chroma, int x, int y) const;
  std::vector<double> distances(const Frame& frame) const;
  double vote(double distance) const;
  // The least vote of a pixel.
  double undecided(const Frame& frame, int x, int y) const;
  std::vector<double> sharpened(const std::vector<double>& distance) const;
  template <typename Choose>
  std::vector<double> over_windows(const std::vector<double>& in, int radius, const Choose& choose) const;
  void move_towards(Sample& s, double value) const;
  void update_sample(Sample& s, double value, bool foreground) const;
  void update(const Frame& frame, const std::vector<bool>& foreground);

  ForegroundParameters p_;
  int width_ = 0, height_ = 0;
  double gain_ = 1, blue_ = 1, red_ = 1;  // the frame's light beside the scene's
  std::vector<Frame> learnt_;
  std::vector<Sample> luma_, cb_, cr_;
};

}  // namespace vantage::reference
