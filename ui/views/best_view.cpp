#include "ui/views/best_view.h"

#include <algorithm>
#include <cmath>

namespace vantage::ui {
namespace {

constexpr double kBetter = 1.25, kBetterFor_s = 0.8, kLostFor_s = 0.3, kJump_s = 1;

double area_px(const Eigen::AlignedBox2d& box) {
  return box.isEmpty() ? 0 : box.volume();
}

}  // namespace

double seen_share(const Camera& camera, const MarkedPerson& person, std::span<const MarkedPerson> everybody) {
  const auto rectangle = [&](const MarkedPerson& one) {
    return person_rectangle_px(camera_view(camera), one.position_in_world_m,
                               one.height_m > 0 ? one.height_m : kStandingFigure_m);
  };
  const auto box = rectangle(person);
  if (!box || area_px(*box) <= 0) return 0;
  const Eigen::AlignedBox2d picture(Eigen::Vector2d::Zero(),
                                    Eigen::Vector2d(camera.width_px() - 1, camera.height_px() - 1));
  const Eigen::AlignedBox2d inside = box->intersection(picture);
  const auto distance_m = [&](const MarkedPerson& one) {
    return (one.position_in_world_m - camera.center_in_world_m()).norm();
  };
  double hidden_px = 0;
  for (const MarkedPerson& other : everybody) {
    if (other.id == person.id || distance_m(other) >= distance_m(person)) continue;
    if (const auto before = rectangle(other))
      hidden_px = std::max(hidden_px, area_px(before->intersection(inside)));
  }
  const double free = std::max(0.0, area_px(inside) - hidden_px) / area_px(*box);
  return free * std::min(1.0, box->sizes().y() / camera.height_px());
}

std::optional<int> CalmChoice::choose(std::span<const double> shares, double time_s) {
  if (shares.size() != count_) forget();
  count_ = shares.size();
  const double passed_s = std::abs(time_s - last_s_);
  last_s_ = time_s;
  const auto best = std::max_element(shares.begin(), shares.end());
  if (best == shares.end() || *best <= 0) return chosen_;
  const double now = chosen_ ? shares[static_cast<size_t>(*chosen_)] : 0;
  if (chosen_ && *best <= kBetter * now) {
    better_for_s_ = 0;
    return chosen_;
  }
  better_for_s_ += passed_s;
  if (!chosen_ || passed_s > kJump_s || better_for_s_ >= (now > 0 ? kBetterFor_s : kLostFor_s)) {
    chosen_ = static_cast<int>(best - shares.begin());
    better_for_s_ = 0;
  }
  return chosen_;
}

}  // namespace vantage::ui
