#include "core/triangulation/triangulation.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

namespace vantage {
namespace {

struct SeenRay {
  Ray ray;
  int camera = 0, point = 0;
  double weight = 1;
};

double distance_m(const Eigen::Vector3d& point, const Ray& ray) {
  const Eigen::Vector3d to_point = point - ray.origin_in_world_m;
  if (to_point.dot(ray.direction_in_world) <= 0) return to_point.norm();  // behind the camera
  return to_point.cross(ray.direction_in_world).norm();
}

// Where the sum of weighted squared distances to the rays is least; nothing for parallel rays.
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
      if (const auto ray =
              cameras[static_cast<size_t>(points[i].camera)].ray({points[i].x_px, points[i].y_px}))
        rays_.push_back({*ray, points[i].camera, static_cast<int>(i), points[i].weight});
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
      chosen.push_back(*best);
      for (const int point : chosen.back().points) used_[static_cast<size_t>(point)] = true;
      const Eigen::Vector3d& place = chosen.back().point_in_world_m;
      gather_again();
      std::erase_if(proposals_, [&](const TriangulatedPoint& proposal) {
        return (proposal.point_in_world_m - place).norm() < parameters_.separation_m;
      });
    }
  }

 private:
  void propose() {
    for (const SeenRay& a : rays_)
      for (const SeenRay& b : rays_) {
        if (a.camera >= b.camera) continue;
        const auto meeting = nearest_to({&a, &b});
        if (!meeting || distance_m(*meeting, a.ray) > parameters_.gate_m ||
            distance_m(*meeting, b.ray) > parameters_.gate_m)
          continue;
        if (auto proposal = gathered(*meeting)) proposals_.push_back(std::move(*proposal));
      }
  }

  // What has lost a ray is looked at again from where it was.
  void gather_again() {
    std::vector<TriangulatedPoint> left;
    for (TriangulatedPoint& proposal : proposals_) {
      const bool lost = std::any_of(proposal.points.begin(), proposal.points.end(),
                                    [&](int point) { return used_[static_cast<size_t>(point)]; });
      if (!lost)
        left.push_back(std::move(proposal));
      else if (auto again = gathered(proposal.point_in_world_m))
        left.push_back(std::move(*again));
    }
    proposals_ = std::move(left);
  }

  // In each camera the free ray that passes nearest, within the gate.
  std::vector<const SeenRay*> rays_near(const Eigen::Vector3d& place) const {
    std::vector<const SeenRay*> near;
    double nearest = 0;
    for (const SeenRay& seen : rays_) {
      const double distance = distance_m(place, seen.ray);
      if (distance > parameters_.gate_m || used_[static_cast<size_t>(seen.point)]) continue;
      if (near.empty() || near.back()->camera != seen.camera)
        near.push_back(&seen);
      else if (distance < nearest)
        near.back() = &seen;
      else
        continue;
      nearest = distance;
    }
    return near;
  }

  std::optional<TriangulatedPoint> gathered(Eigen::Vector3d place) const {
    std::vector<const SeenRay*> near;
    for (int round = 0; round < 3; ++round) {
      near = rays_near(place);
      if (near.size() < static_cast<size_t>(std::max(parameters_.min_views, 2))) return std::nullopt;
      const auto moved = nearest_to(near);
      if (!moved) return std::nullopt;
      place = *moved;
    }
    if (!(place.z() >= parameters_.min_height_m && place.z() <= parameters_.max_height_m))
      return std::nullopt;
    return valued(place, near);
  }

  std::optional<TriangulatedPoint> valued(const Eigen::Vector3d& place,
                                          const std::vector<const SeenRay*>& near) const {
    TriangulatedPoint proposal{place, 0, 0, {}};
    for (const SeenRay* seen : near) {
      const double distance = distance_m(place, seen->ray), share = distance / parameters_.gate_m;
      if (share > 1) return std::nullopt;
      proposal.value += seen->weight * (1 - share * share);
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
  static const ParameterTable table = ParameterTable::make<P>(
      "triangulation", "Joining views",
      {real<&P::gate_m>({.name = "gate_m",
                         .display_name = "Gate",
                         .unit = "m",
                         .help = "How far from a point its rays may pass",
                         .minimum = 0.01,
                         .maximum = 1}),
       integer<&P::min_views>({.name = "min_views",
                               .display_name = "Fewest views",
                               .unit = "cameras",
                               .help = "Cameras that must have found the point",
                               .minimum = 2,
                               .maximum = 16}),
       real<&P::unseen_penalty>(
           {.name = "unseen_penalty",
            .display_name = "Penalty of a missing view",
            .unit = "",
            .help = "What a point loses for each camera that sees its place but found nothing there",
            .minimum = 0,
            .maximum = 2}),
       real<&P::separation_m>({.name = "separation_m",
                               .display_name = "Separation",
                               .unit = "m",
                               .help = "Two points nearer to each other are one",
                               .minimum = 0,
                               .maximum = 2}),
       real<&P::min_height_m>({.name = "min_height_m",
                               .display_name = "Smallest height",
                               .unit = "m",
                               .help = "Points below are not joined",
                               .minimum = -5,
                               .maximum = 5,
                               .level = ParameterLevel::expert}),
       real<&P::max_height_m>({.name = "max_height_m",
                               .display_name = "Largest height",
                               .unit = "m",
                               .help = "Points above are not joined",
                               .minimum = -5,
                               .maximum = 10,
                               .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
