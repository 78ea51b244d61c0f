#include "core/foreground/scene_modes.h"

#include <algorithm>
#include <cmath>

#include "core/foreground/surface_tolerance.h"

namespace vantage {
namespace {

constexpr float kSteady = 2, kUnsteadyCost = 0.5f;  // 8-bit steps, a block's mean luma
constexpr int kMaxModes = 4;
constexpr int kMinOfMode = 2;  // pictures
constexpr int kMeanShifts = 2;

}  // namespace

SceneModes BlockModes::find(const float* y, const float* cb, const float* cr) {
  y_ = y, cb_ = cb, cr_ = cr;
  std::fill_n(mode_, count_, -1);
  SceneModes found;
  for (int mode = 0; mode < kMaxModes; ++mode) {
    const int members = take_mode(mode);
    if (members < kMinOfMode && mode > 0) break;
    const SceneMode next{pictures_of(mode), score_of(mode, members)};
    if (!found.chosen.exists() || next.score > found.chosen.score) {
      found.other = found.chosen;
      found.chosen = next;
    } else if (!found.other.exists() || next.score > found.other.score) {
      found.other = next;
    }
  }
  return found;
}

// Takes the pictures around the free one with the most free ones within the tolerance; returns how many.
int BlockModes::take_mode(int mode) {
  int densest = -1, most = 0;
  for (int i = 0; i < count_; ++i) {
    if (mode_[i] >= 0) continue;
    const int near = count_near(y_[i], cb_[i], cr_[i]);
    if (near > most) most = near, densest = i;
  }
  if (densest < 0) return 0;
  float y = y_[densest], cb = cb_[densest], cr = cr_[densest];
  for (int shift = 0; shift < kMeanShifts; ++shift) {
    float sum_y = 0, sum_cb = 0, sum_cr = 0, near = 0;
    for (int i = 0; i < count_; ++i) {
      const float member = mode_[i] < 0 && within(i, y, cb, cr) ? 1.0f : 0.0f;
      sum_y += member * y_[i], sum_cb += member * cb_[i], sum_cr += member * cr_[i], near += member;
    }
    if (near == 0) break;
    y = sum_y / near, cb = sum_cb / near, cr = sum_cr / near;
  }
  int members = 0;
  for (int i = 0; i < count_; ++i)
    if (mode_[i] < 0 && within(i, y, cb, cr)) mode_[i] = mode, ++members;
  return members;
}

bool BlockModes::within(int i, float y, float cb, float cr) const {
  return same_surface(y_[i] - y, cb_[i] - cb, cr_[i] - cr);
}

int BlockModes::count_near(float y, float cb, float cr) const {
  int near = 0;
  for (int i = 0; i < count_; ++i)
    near += static_cast<int>(mode_[i] < 0) & static_cast<int>(within(i, y, cb, cr));
  return near;
}

float BlockModes::score_of(int mode, int members) const {
  int first = count_, last = -1;
  float sum = 0, squares = 0;
  for (int i = 0; i < count_; ++i) {
    if (mode_[i] != mode) continue;
    first = std::min(first, i), last = i;
    sum += y_[i] - y_[first], squares += (y_[i] - y_[first]) * (y_[i] - y_[first]);
  }
  if (last < 0) return 0;
  const auto number = static_cast<float>(members);
  const float deviation = std::sqrt(std::max(0.0f, squares / number - sum * sum / (number * number)));
  const float unsteady = std::clamp((deviation - kSteady) / kSteady, 0.0f, 1.0f);
  return number / static_cast<float>(count_) + times_[last] - times_[first] - kUnsteadyCost * unsteady;
}

ScenePictures BlockModes::pictures_of(int mode) const {
  ScenePictures pictures = {};
  for (int i = 0; i < count_; ++i)
    if (mode_[i] == mode) pictures[static_cast<size_t>(i / 64)] |= uint64_t{1} << (i % 64);
  return pictures;
}

}  // namespace vantage
