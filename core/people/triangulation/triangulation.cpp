#include "core/people/triangulation/triangulation.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

namespace vantage {
namespace {

struct SeenRay {
  Ray ray;
  int camera = 0, point = 0;
  double weight = 1, size = 0;

  // How large the thing is, were it at `place`.
  double size_m(const Eigen::Vector3d& place) const { return size * (place - ray.origin_in_world_m).norm(); }
};

double distance_m(const Eigen::Vector3d& point, const Ray& ray) {
  const Eigen::Vector3d to_point = point - ray.origin_in_world_m;
  if (to_point.dot(ray.direction_in_world) <= 0) return to_point.norm();  // behind the camera
  return to_point.cross(ray.direction_in_world).norm();
}

// The closest approach of two lines: how far along each, and how far apart; nothing for parallel ones.
struct Passing {
  double along_a_m, along_b_m, apart_m;
};
std::optional<Passing> passing(const Ray& a, const Ray& b) {
  const Eigen::Vector3d between = b.origin_in_world_m - a.origin_in_world_m;
  const double cosine = a.direction_in_world.dot(b.direction_in_world), squared_sine = 1 - cosine * cosine;
  if (squared_sine < 1e-9) return std::nullopt;
  const double on_a = between.dot(a.direction_in_world), on_b = between.dot(b.direction_in_world);
  const double along_a = (on_a - cosine * on_b) / squared_sine,
               along_b = (cosine * on_a - on_b) / squared_sine;
  return Passing{along_a, along_b,
                 (between + along_b * b.direction_in_world - along_a * a.direction_in_world).norm()};
}

// The point of the smallest sum of weighted squared distances to the rays; none for parallel rays.
std::optional<Eigen::Vector3d> nearest_to(const std::vector<const SeenRay*>& rays) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (const SeenRay* seen : rays) {
    const Eigen::Vector3d& d = seen->ray.direction_in_world;
    const Eigen::Matrix3d across = seen->weight * (Eigen::Matrix3d::Identity() - d * d.transpose());
    sum += across;
    right += across * seen->ray.origin_in_world_m;
  }
  const Eigen::FullPivLU<Eigen::Matrix3d> solver(sum);
  if (solver.rcond() < 1e-6) return std::nullopt;
  return solver.solve(right);
}

class Triangulator {
 public:
  Triangulator(std::span<const Camera> cameras, std::span<const PointInView> points,
               const TriangulationParameters& parameters)
      : cameras_(cameras), parameters_(parameters) {
    for (size_t i = 0; i < points.size(); ++i)
      if (const auto ray = cameras[points[i].camera].ray({points[i].x_px, points[i].y_px}))
        rays_.push_back({*ray, points[i].camera, static_cast<int>(i), points[i].weight, points[i].size});
    std::stable_sort(rays_.begin(), rays_.end(),
                     [](const SeenRay& a, const SeenRay& b) { return a.camera < b.camera; });
    used_.assign(points.size(), false);
    propose();
  }

  std::vector<TriangulatedPoint> choose() {
    std::vector<TriangulatedPoint> chosen;
    while (true) {
      const TriangulatedPoint* best = nullptr;
      for (const TriangulatedPoint& proposal : proposals_)
        if (!best || proposal.value > best->value) best = &proposal;
      if (!best || best->value <= 0) return chosen;
      const TriangulatedPoint taken = *best;
      use_up(taken);
      gather_again();
      std::erase_if(proposals_, [&](const TriangulatedPoint& proposal) {
        return (proposal.point_in_world_m - taken.point_in_world_m).norm() < parameters_.separation_m;
      });
      if (!stands_with(chosen, taken)) chosen.push_back(taken);
    }
  }

 private:
  void propose() {
    for (const SeenRay& a : rays_)
      for (const SeenRay& b : rays_) {
        if (a.camera >= b.camera || !may_meet(a, b)) continue;
        const auto meeting = nearest_to({&a, &b});
        if (!meeting) continue;
        const double size_m = size_of({&a, &b}, *meeting);
        if (worth(a, *meeting, size_m) < 0 || worth(b, *meeting, size_m) < 0) continue;
        if (auto proposal = gathered(*meeting, size_m)) proposals_.push_back(std::move(*proposal));
      }
  }

  bool stands_with(const std::vector<TriangulatedPoint>& chosen, const TriangulatedPoint& point) const {
    return std::any_of(chosen.begin(), chosen.end(), [&](const TriangulatedPoint& other) {
      const Eigen::Vector3d apart = other.point_in_world_m - point.point_in_world_m;
      return apart.head<2>().norm() < parameters_.floor_separation_m;
    });
  }

  // Quickly says no where worth() or gathered() would.
  bool may_meet(const SeenRay& a, const SeenRay& b) const {
    const std::optional<Passing> there = passing(a.ray, b.ray);
    if (!there || there->apart_m > 2 * parameters_.gate_m || there->along_a_m <= 0 || there->along_b_m <= 0)
      return false;
    const double reach_m = 2 * parameters_.gate_m;  // from one of the two rays to what is gathered
    const double z_m = a.ray.origin_in_world_m.z() + there->along_a_m * a.ray.direction_in_world.z();
    if (z_m < parameters_.min_height_m - 2 * reach_m || z_m > parameters_.max_height_m + 2 * reach_m)
      return false;
    if (a.size <= 0 || b.size <= 0) return true;
    const double ratio = a.size * there->along_a_m / (b.size * there->along_b_m);
    return std::abs(std::log(ratio)) <= 2.2 * parameters_.size_gate;
  }

  void use_up(const TriangulatedPoint& point) {
    for (const int own : point.points) used_[own] = true;
    if (point.size_m <= 0) return;
    for (const SeenRay& seen : rays_)
      if (seen.size > 0 && distance_m(point.point_in_world_m, seen.ray) < point.size_m)
        used_[seen.point] = true;
  }

  // Points that lost a ray gather again from where they were.
  void gather_again() {
    std::vector<TriangulatedPoint> left;
    for (TriangulatedPoint& proposal : proposals_) {
      const bool lost = std::any_of(proposal.points.begin(), proposal.points.end(),
                                    [&](int point) { return used_[point]; });
      if (!lost)
        left.push_back(std::move(proposal));
      else if (auto again = gathered(proposal.point_in_world_m, proposal.size_m))
        left.push_back(std::move(*again));
    }
    proposals_ = std::move(left);
  }

  // Below 0: not within the gates. Sizes of 0 are unknown.
  double worth(const SeenRay& seen, const Eigen::Vector3d& place, double size_m) const {
    const double share = distance_m(place, seen.ray) / parameters_.gate_m;
    if (share > 1) return -1;
    const double value = seen.weight * (1 - share * share);
    if (size_m <= 0 || seen.size <= 0) return value;
    const double off = std::log(seen.size_m(place) / size_m) / parameters_.size_gate;
    return std::abs(off) > 1 ? -1 : value * (1 - off * off);
  }

  // 0 where no ray knows it.
  static double size_of(const std::vector<const SeenRay*>& rays, const Eigen::Vector3d& place) {
    double sum = 0;
    int known = 0;
    for (const SeenRay* seen : rays) {
      if (seen->size <= 0) continue;
      sum += std::log(seen->size_m(place));
      ++known;
    }
    return known > 0 ? std::exp(sum / known) : 0;
  }

  // In each camera the free ray that is worth most.
  std::vector<const SeenRay*> rays_near(const Eigen::Vector3d& place, double size_m) const {
    std::vector<const SeenRay*> near;
    double max = 0;
    for (const SeenRay& seen : rays_) {
      if (used_[seen.point]) continue;
      const double value = worth(seen, place, size_m);
      if (value < 0) continue;
      if (near.empty() || near.back()->camera != seen.camera)
        near.push_back(&seen);
      else if (value > max)
        near.back() = &seen;
      else
        continue;
      max = value;
    }
    return near;
  }

  std::optional<TriangulatedPoint> gathered(Eigen::Vector3d place, double size_m) const {
    std::vector<const SeenRay*> near;
    for (int round = 0; round < 3; ++round) {
      near = rays_near(place, size_m);
      if (near.size() < static_cast<size_t>(std::max(parameters_.min_views, 2))) return std::nullopt;
      const auto moved = nearest_to(near);
      if (!moved) return std::nullopt;
      place = *moved;
      size_m = size_of(near, place);
    }
    if (!(place.z() >= parameters_.min_height_m && place.z() <= parameters_.max_height_m))
      return std::nullopt;
    if (size_m > 0 && (size_m < parameters_.min_size_m || size_m > parameters_.max_size_m))
      return std::nullopt;
    return valued(place, size_m, near);
  }

  std::optional<TriangulatedPoint> valued(const Eigen::Vector3d& place, double size_m,
                                          const std::vector<const SeenRay*>& near) const {
    TriangulatedPoint proposal;
    proposal.point_in_world_m = place;
    proposal.size_m = size_m;
    for (const SeenRay* seen : near) {
      const double value = worth(*seen, place, size_m), distance = distance_m(place, seen->ray);
      if (value < 0) return std::nullopt;
      proposal.value += value;
      proposal.distance_m += distance * distance;
      proposal.points.push_back(seen->point);
    }
    proposal.distance_m = std::sqrt(proposal.distance_m / static_cast<double>(near.size()));
    const auto see =
        std::count_if(cameras_.begin(), cameras_.end(), [&](const Camera& c) { return c.sees(place); });
    proposal.value -= parameters_.unseen_penalty *
                      std::max(0.0, static_cast<double>(see) - static_cast<double>(near.size()));
    return proposal;
  }

  const std::span<const Camera> cameras_;
  const TriangulationParameters& parameters_;
  std::vector<SeenRay> rays_;  // by camera
  std::vector<bool> used_;     // per point of the input
  std::vector<TriangulatedPoint> proposals_;
};

}  // namespace

std::vector<TriangulatedPoint> triangulate(std::span<const Camera> cameras,
                                           std::span<const PointInView> points,
                                           const TriangulationParameters& parameters) {
  return Triangulator(cameras, points, parameters).choose();
}

template <>
const ParameterTable& parameter_table<TriangulationParameters>() {
  using P = TriangulationParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "triangulation", "Joining views",
      {
          real<&P::gate_m>("Gate", "m", 0.01, 1, "Maximum distance of a point from its rays."),
          integer<&P::min_views>("Minimum views", "cameras", 2, 16,
                                 "Cameras that must have found the point."),
          real<&P::unseen_penalty>(
              "Penalty of a missing view", "", 0, 2,
              "What a point loses for each camera that sees its place but found nothing there."),
          real<&P::separation_m>("Separation", "m", 0, 2, "Two points nearer to each other are one."),
          real<&P::min_height_m>("Minimum height", "m", -5, 5, "Lower points are not joined.", expert),
          real<&P::max_height_m>("Maximum height", "m", -5, 10, "Higher points are not joined.", expert),
          real<&P::floor_separation_m>("Separation across the floor", "m", 0, 2,
                                       "Of two points nearer to each other across the floor one is "
                                       "suppressed: people do not stand above one another.",
                                       expert),
          real<&P::size_gate>("Size gate", "", 0.01, 3,
                              "Maximum difference of the logarithm of a size from its point's.", expert),
          real<&P::min_size_m>("Minimum size", "m", 0, 100, "Smaller things are not joined.", expert),
          real<&P::max_size_m>("Maximum size", "m", 0, 100, "Larger things are not joined.", expert),
      });
  return table;
}

}  // namespace vantage
