#include "core/foreground/scene_agreement.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

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

// Makes a mode of the densest group of pictures that are in none yet (mean shift from the picture with the
// most of them within the tolerance); returns their number.
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
    if (mode_[i] == mode) pictures[i / 64] |= uint64_t{1} << (i % 64);
  return pictures;
}

namespace {

int count(const ScenePictures& pictures) {
  return std::popcount(pictures[0]) + std::popcount(pictures[1]);
}

float alike(const ScenePictures& a, const ScenePictures& b) {
  const int both = count({a[0] & b[0], a[1] & b[1]}), either = count({a[0] | b[0], a[1] | b[1]});
  return either == 0 ? 0.0f : static_cast<float>(both) / static_cast<float>(either);
}

// Regions as a forest (R. Tarjan, "Efficiency of a good but not linear set union algorithm", 1975). A block
// also knows whether its modes are exchanged compared with its root's.
class Regions {
 public:
  explicit Regions(size_t blocks) : parent_(blocks), crossed_(blocks, false) {
    std::iota(parent_.begin(), parent_.end(), uint32_t{0});
  }

  struct Root {
    uint32_t block = 0;
    bool crossed = false;
  };
  Root root_of(uint32_t block) {
    // Path halving: every second block on the way is linked to its grandparent.
    bool crossed = false;
    while (parent_[block] != block) {
      const uint32_t above = parent_[block];
      crossed_[block] = crossed_[block] != crossed_[above];
      parent_[block] = parent_[above];
      crossed = crossed != crossed_[block];
      block = parent_[block];
    }
    return {block, crossed};
  }
  // The first join holds where both are in one region already.
  void join(uint32_t a, uint32_t b, bool crosswise) {
    const Root first = root_of(a), second = root_of(b);
    if (first.block == second.block) return;
    parent_[second.block] = first.block;
    crossed_[second.block] = (first.crossed != second.crossed) != crosswise;
  }

 private:
  std::vector<uint32_t> parent_;
  std::vector<bool> crossed_;  // compared with its parent; of a root: false
};

void join_where_alike(const std::vector<SceneModes>& blocks, uint32_t a, uint32_t b, Regions& regions) {
  const SceneModes &first = blocks[a], &second = blocks[b];
  if (!first.other.exists() || !second.other.exists()) return;
  const float straight =
      std::min(alike(first.chosen.shown, second.chosen.shown), alike(first.other.shown, second.other.shown));
  const float crosswise =
      std::min(alike(first.chosen.shown, second.other.shown), alike(first.other.shown, second.chosen.shown));
  if (std::max(straight, crosswise) >= kAlike) regions.join(a, b, crosswise > straight);
}

double lead_of(const SceneModes& block) {
  return static_cast<double>(block.chosen.score) - static_cast<double>(block.other.score);
}

struct RegionVotes {
  double balance = 0;  // above 0: for what the root takes for the scene
  double all = 0;

  bool decided() const { return std::abs(balance) >= kConsensus * all; }
};

}  // namespace

Status choose_by_agreement(std::vector<SceneModes>& blocks, int columns, const StopSource& stop) {
  Regions regions(blocks.size());
  const int rows = static_cast<int>(blocks.size()) / columns;
  const auto index = [columns](int column, int row) { return static_cast<uint32_t>(row * columns + column); };
  for (int row = 0; row < rows; ++row) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    for (int column = 0; column < columns; ++column)
      for (int apart = 1; apart <= kAgreementReach; ++apart) {
        if (column + apart < columns)
          join_where_alike(blocks, index(column, row), index(column + apart, row), regions);
        if (row + apart < rows)
          join_where_alike(blocks, index(column, row), index(column, row + apart), regions);
      }
  }
  std::vector<RegionVotes> votes(blocks.size());  // by root
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    if (!blocks[b].other.exists()) continue;
    const Regions::Root root = regions.root_of(b);
    votes[root.block].balance += root.crossed ? -lead_of(blocks[b]) : lead_of(blocks[b]);
    votes[root.block].all += lead_of(blocks[b]);
  }
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    if (!blocks[b].other.exists()) continue;
    const Regions::Root root = regions.root_of(b);
    const RegionVotes& region = votes[root.block];
    if (region.decided() && root.crossed == (region.balance > 0))
      std::swap(blocks[b].chosen, blocks[b].other);
  }
  return {};
}

}  // namespace vantage
