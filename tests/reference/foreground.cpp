#include "tests/reference/foreground.h"

#include <algorithm>
#include <cmath>

#include "core/foreground/light_change.h"

namespace vantage::reference {
namespace {

// Calls visit(x, y) for the 3x3 samples around one, within the plane.
template <typename Visit>
void around(int x, int y, int width, int height, const Visit& visit) {
  for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
    for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) visit(u, v);
}

}  // namespace

Frame to_frame(const Picture& picture) {
  Frame frame{picture.width(), picture.height(), black_level(picture.format()), {}, {}, {}};
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

void Foreground::learn(const Frame& frame) {
  learnt_.push_back(frame);
  luma_ = statistics(&Frame::luma), cb_ = statistics(&Frame::cb), cr_ = statistics(&Frame::cr);
}

std::vector<double> Foreground::apply(const Frame& frame, const std::vector<bool>& mask, double level_error) {
  if (learnt_.empty()) learn(frame);
  width_ = frame.width, height_ = frame.height;
  find_light(frame);
  const std::vector<double> distance = sharpened(distances(frame));
  std::vector<double> level;
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x)
      level.push_back(255 * std::max(vote(distance[at(x, y)]), undecided(frame, x, y)));
  const auto larger = [](double a, double b) { return std::max(a, b); };
  const auto smaller = [](double a, double b) { return std::min(a, b); };
  level = over_windows(level, p_.opening_px, smaller);
  level = over_windows(level, p_.opening_px, larger);
  level = over_windows(level, p_.closing_px, larger);
  level = over_windows(level, p_.closing_px, smaller);
  std::vector<bool> foreground;
  for (size_t i = 0; i < level.size(); ++i)
    foreground.push_back(std::abs(level[i] - 127.5) > level_error ? level[i] > 127.5 : mask[i]);
  update(frame, foreground);
  return level;
}

Foreground::Pixel Foreground::pixel(const Frame& frame, int x, int y) {
  width_ = frame.width, height_ = frame.height;
  find_light(frame);
  const size_t i = at(x, y);
  const std::vector<double> distance = distances(frame);
  const double counts = sharpened(distance)[i];
  return {luma_[i].mean,
          std::sqrt(std::max(luma_[i].variance, p_.min_sigma * p_.min_sigma)),
          distance[i],
          counts,
          vote(counts),
          block_light(block(frame, x, y)) / gain_,
          undecided(frame, x, y),
          gain_};
}

std::vector<Foreground::Sample> Foreground::statistics(std::vector<double> Frame::* plane) const {
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

void Foreground::find_light(const Frame& frame) {
  gain_ = blue_ = red_ = 1;
  if (p_.largest_change <= 1) return;
  const auto counts = [](double shown, double expected) {
    return shown >= kDimmestCounted && expected >= kDimmestCounted && shown <= kBrightestCounted;
  };
  std::vector<double> brightness, blue, red;
  for (int y = 0; y + 1 < height_; y += 2 * kLightSpacing)
    for (int x = 0; x + 1 < width_; x += 2 * kLightSpacing) {
      const Block b = block(frame, x, y);
      if (!counts(b.values, b.means)) continue;
      const double ratio = b.values / b.means;
      brightness.push_back(ratio);
      const size_t c = chroma_at(x / 2, y / 2);
      const auto add = [&](double chroma, double mean, double share, std::vector<double>& ratios) {
        const double shown = b.values + (chroma - 128) / share,
                     expected = ratio * (b.means + (mean - 128) / share);
        if (counts(shown, expected)) ratios.push_back(shown / expected);
      };
      add(frame.cb[c], cb_[c].mean, static_cast<double>(kBlueShare), blue);
      add(frame.cr[c], cr_[c].mean, static_cast<double>(kRedShare), red);
    }
  gain_ = median_ratio(brightness, static_cast<double>(kNoLightChange));
  blue_ = median_ratio(blue, static_cast<double>(kNoBalanceChange));
  red_ = median_ratio(red, static_cast<double>(kNoBalanceChange));
}

double Foreground::median_ratio(const std::vector<double>& ratios, double no_change) const {
  const size_t total = ratios.size();
  if (total < kFewestLightSamples) return 1;
  std::vector<int> histogram(kLightBins);
  for (const double ratio : ratios)
    ++histogram[static_cast<size_t>(std::min(kLightBins - 1.0, ratio * kLightBinsPerUnit))];
  const double half = 0.5 * static_cast<double>(total);
  double before = 0;
  size_t bin = 0;
  while (before + histogram[bin] <= half) before += histogram[bin++];
  const double ratio = (static_cast<double>(bin) + (half - before) / histogram[bin]) / kLightBinsPerUnit;
  const double shortened = std::max(0.0, std::abs(ratio - 1) - no_change);
  return std::clamp(ratio > 1 ? 1 + shortened : 1 - shortened, 1 / p_.largest_change, p_.largest_change);
}

double Foreground::balanced(double chroma, double luma, double channel_gain, double share) {
  return 128 + share * ((luma + (chroma - 128) / share) / channel_gain - luma);
}

double Foreground::chroma_difference(const std::vector<Sample>& plane, int x, int y, double chroma,
                                     double balanced, double k, bool clipped) const {
  const auto difference = [&](double value) {
    return beyond(plane, (width_ + 1) / 2, (height_ + 1) / 2, x, y, value, 128, k, k,
                  p_.displacement_px * 2 / 3);
  };
  const double a = difference(balanced), b = difference(chroma);
  if (!clipped) return a;
  return a * b <= 0 ? 0 : std::abs(a) < std::abs(b) ? a : b;
}

Foreground::Block Foreground::block(const Frame& frame, int x, int y) const {
  Block b;
  int count = 0;
  for (int v = y / 2 * 2; v < std::min(y / 2 * 2 + 2, height_); ++v)
    for (int u = x / 2 * 2; u < std::min(x / 2 * 2 + 2, width_); ++u, ++count)
      b.values += frame.luma[at(u, v)] - frame.black, b.means += luma_[at(u, v)].mean - frame.black;
  return {b.values / count, b.means / count};
}

double Foreground::block_light(const Block& b) const {
  const double ratio = b.means > 0 ? b.values / b.means : b.values < gain_ * b.means ? 0 : gain_;
  return std::clamp(ratio, gain_ * p_.darkest_shadow, gain_);
}

double Foreground::beyond(const std::vector<Sample>& plane, int width, int height, int x, int y, double value,
                          double zero, double k_low, double k_high, double displacement) const {
  const auto sample = [&](int u, int v) {
    return plane[static_cast<size_t>(v) * static_cast<size_t>(width) + static_cast<size_t>(u)];
  };
  const Sample own = sample(x, y);
  double low = own.mean, high = own.mean;
  around(x, y, width, height, [&](int u, int v) {
    low = std::min(low, sample(u, v).mean), high = std::max(high, sample(u, v).mean);
  });
  low = own.mean + displacement * (low - own.mean), high = own.mean + displacement * (high - own.mean);
  return value - std::clamp(value, zero + k_low * (low - zero), zero + k_high * (high - zero));
}

double Foreground::in_variances(double difference, const Sample& s) const {
  return difference * difference / std::max(s.variance, p_.min_sigma * p_.min_sigma);
}

Foreground::Chroma Foreground::chroma_of(const Frame& frame, int x, int y) const {
  const size_t i = chroma_at(x, y);
  const Block b = block(frame, 2 * x, 2 * y);
  const double k = block_light(b);
  const auto blue_share = static_cast<double>(kBlueShare), red_share = static_cast<double>(kRedShare);
  const bool clipped =
      (blue_ != 1 || red_ != 1) &&
      b.values + std::max({0.0, (frame.cb[i] - 128) / blue_share, (frame.cr[i] - 128) / red_share}) >
          static_cast<double>(kBrightestCounted);
  double cb = chroma_difference(cb_, x, y, frame.cb[i], balanced(frame.cb[i], b.values, blue_, blue_share), k,
                                clipped);
  double cr =
      chroma_difference(cr_, x, y, frame.cr[i], balanced(frame.cr[i], b.values, red_, red_share), k, clipped);
  const double luma = b.values - gain_ * b.means;
  const double blue = p_.shade_blue, red = p_.shade_red;
  if (blue != 0 || red != 0) {
    const double moved =
        std::clamp((cb * blue + cr * red) / (blue * blue + red * red), 0.0, std::max(0.0, -luma));
    cb -= moved * blue, cr -= moved * red;
  }
  return {cb, cr, luma, std::clamp((0.9 - k / gain_) / 0.05, 0.0, 1.0),
          std::sqrt(p_.chroma_weight * (in_variances(cb, cb_[i]) + in_variances(cr, cr_[i])))};
}

double Foreground::shaded(const std::vector<Chroma>& chroma, int x, int y) const {
  const int width = (width_ + 1) / 2, height = (height_ + 1) / 2;
  const Chroma& own = chroma[chroma_at(x, y)];
  double cb = 0, cr = 0, weights = 0;
  for (int v = -1; v <= 1; ++v)
    for (int u = -1; u <= 1; ++u) {
      const Chroma& near =
          chroma[chroma_at(std::clamp(x + u, 0, width - 1), std::clamp(y + v, 0, height - 1))];
      const double weight = 1 / (1 + std::pow((near.luma - own.luma) / 4, 2));
      cb += weight * near.cb, cr += weight * near.cr, weights += weight;
    }
  return own.shade * std::sqrt(p_.shaded_chroma_weight) * std::hypot(cb, cr) / weights / p_.min_sigma;
}

std::vector<double> Foreground::distances(const Frame& frame) const {
  const int chroma_width = (width_ + 1) / 2, chroma_height = (height_ + 1) / 2;
  std::vector<Chroma> chroma;
  for (int y = 0; y < chroma_height; ++y)
    for (int x = 0; x < chroma_width; ++x) chroma.push_back(chroma_of(frame, x, y));
  std::vector<double> coloured;
  for (int y = 0; y < chroma_height; ++y)
    for (int x = 0; x < chroma_width; ++x)
      coloured.push_back(std::max(chroma[chroma_at(x, y)].distance, shaded(chroma, x, y)));
  std::vector<double> distance;
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      const size_t i = at(x, y);
      const double own = frame.luma[i] - frame.black - gain_ * (luma_[i].mean - frame.black);
      double sum = 0, weights = 0;
      for (const int v : {0, 1})
        for (const int u : {0, 1}) {
          const int cx = std::clamp(x / 2 + u * (x % 2 ? 1 : -1), 0, chroma_width - 1);
          const int cy = std::clamp(y / 2 + v * (y % 2 ? 1 : -1), 0, chroma_height - 1);
          const size_t c = chroma_at(cx, cy);
          const double weight =
              (u ? 0.25 : 0.75) * (v ? 0.25 : 0.75) / (1 + std::pow((own - chroma[c].luma) / 4, 2));
          sum += weight * coloured[c], weights += weight;
        }
      const double luma = beyond(luma_, width_, height_, x, y, frame.luma[i], frame.black,
                                 block_light(block(frame, x, y)), gain_, p_.displacement_px);
      distance.push_back(std::sqrt(in_variances(luma, luma_[i]) + std::pow(sum / weights, 2)));
    }
  return distance;
}

double Foreground::undecided(const Frame& frame, int x, int y) const {
  const Block b = block(frame, x, y);
  const double dark = (48 - b.values) / 16, shade = (0.9 - block_light(b) / gain_) / 0.05;
  return p_.undecided * std::clamp(std::max(dark, shade), 0.0, 1.0);
}

double Foreground::vote(double distance) const {
  return std::clamp((distance - p_.distance_low) / (p_.distance_high - p_.distance_low), 0.0, 1.0);
}

std::vector<double> Foreground::sharpened(const std::vector<double>& distance) const {
  if (p_.edge <= 0) return distance;
  std::vector<double> out;
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      const double own = distance[at(x, y)];
      double smallest = own, largest = own;
      around(x, y, width_, height_, [&](int u, int v) {
        smallest = std::min(smallest, distance[at(u, v)]), largest = std::max(largest, distance[at(u, v)]);
      });
      const double share = largest > 0 ? own / largest : 1;
      const double kept = std::clamp((share - p_.edge + 0.1) / 0.2, 0.0, 1.0);
      out.push_back(own * (1 - (1 - vote(smallest)) * (1 - kept)));
    }
  return out;
}

template <typename Choose>
std::vector<double> Foreground::over_windows(const std::vector<double>& in, int radius,
                                             const Choose& choose) const {
  std::vector<double> out = in;
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x)
      for (int v = std::max(0, y - radius); v <= std::min(height_ - 1, y + radius); ++v)
        for (int u = std::max(0, x - radius); u <= std::min(width_ - 1, x + radius); ++u)
          out[at(x, y)] = choose(out[at(x, y)], in[at(u, v)]);
  return out;
}

void Foreground::move_towards(Sample& s, double value) const {
  const double difference = value - s.mean;
  s.mean += p_.learning_rate * difference;
  s.variance = (1 - p_.learning_rate) * s.variance + p_.learning_rate * difference * difference;
}

void Foreground::update_sample(Sample& s, double value, bool foreground) const {
  if (foreground)
    s.mean += p_.absorption_rate * (value - s.mean);
  else
    move_towards(s, value);
}

void Foreground::update(const Frame& frame, const std::vector<bool>& foreground) {
  std::vector<bool> block_has_foreground(cb_.size());
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      const size_t i = at(x, y);
      if (foreground[i]) block_has_foreground[chroma_at(x / 2, y / 2)] = true;
      update_sample(luma_[i], frame.black + (frame.luma[i] - frame.black) / gain_, foreground[i]);
    }
  for (int y = 0; y < (height_ + 1) / 2; ++y)
    for (int x = 0; x < (width_ + 1) / 2; ++x) {
      const size_t c = chroma_at(x, y);
      const double luma = block(frame, 2 * x, 2 * y).values;
      const auto learnt = [&](double chroma, double channel_gain, float share) {
        return 128 + (balanced(chroma, luma, channel_gain, static_cast<double>(share)) - 128) / gain_;
      };
      update_sample(cb_[c], learnt(frame.cb[c], blue_, kBlueShare), block_has_foreground[c]);
      update_sample(cr_[c], learnt(frame.cr[c], red_, kRedShare), block_has_foreground[c]);
    }
}

}  // namespace vantage::reference
