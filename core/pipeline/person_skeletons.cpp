#include "core/pipeline/person_skeletons.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "core/people/triangulation/triangulation.h"

namespace vantage {
namespace {

constexpr double kReach_m = 1.0;       // reach of an arm or leg, on the floor, from the person's axis
constexpr double kBelow_m = 0.3;       // below the floor
constexpr double kAbove_m = 0.7;       // above the head: a raised hand
constexpr double kDeviation_m = 0.03;  // deviation of a joint of score 1 from its ray
constexpr double kOthersWeight = 0.5;  // weight of joints of detections without a person
// Maximum number of such detections tried per person and picture, nearest first: a file may have hundreds,
// and the cost grows with their third power.
constexpr size_t kMostOthers = 8;
// Standard deviations: at which a ray has half its weight, and beyond which it does not agree.
constexpr double kCauchy = 1.5, kAgree = 3;
constexpr int kMeetingRounds = 12;

// A camera's detection that may show the person.
struct SeenBody {
  int32_t camera = 0;
  const PersonDetection* detection = nullptr;
  const Skeleton* layout = nullptr;
  bool own = false;  // it belongs to the person
};

struct JointRay {
  Ray ray;
  int32_t camera = 0;
  double weight = 1;
  bool own = true;

  // Distance from the point, in standard deviations.
  double off(const Eigen::Vector3d& point) const {
    const double away_m = (point - ray.origin_in_world_m).cross(ray.direction_in_world).norm();
    return away_m * std::sqrt(weight) / kDeviation_m;
  }
  // Cauchy's weight: outlying rays hardly count.
  double pull(const Eigen::Vector3d& point) const {
    const double share = off(point) / kCauchy;
    return weight / (1 + share * share);
  }
};

Eigen::Matrix3d precision_of(const std::vector<JointRay>& rays, const Eigen::Vector3d& point, bool robust) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const JointRay& one : rays) {
    const Eigen::Vector3d& d = one.ray.direction_in_world;
    sum += (robust ? one.pull(point) : one.weight) * (Eigen::Matrix3d::Identity() - d * d.transpose());
  }
  return sum;
}

// Starts where the rays nearly meet; returns the start where they are parallel.
Eigen::Vector3d robust_meeting(const std::vector<JointRay>& rays, Eigen::Vector3d point) {
  for (int round = 0; round < kMeetingRounds; ++round) {
    const Eigen::FullPivLU<Eigen::Matrix3d> solver(precision_of(rays, point, true));
    if (solver.rcond() < 1e-6) break;
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    for (const JointRay& one : rays) {
      const Eigen::Vector3d &d = one.ray.direction_in_world, &o = one.ray.origin_in_world_m;
      right += one.pull(point) * (o - d * d.dot(o));
    }
    const Eigen::Vector3d moved = solver.solve(right);
    const bool there = (moved - point).norm() < 1e-6;
    point = moved;
    if (there) break;
  }
  return point;
}

class Finder {
 public:
  Finder(std::span<const Camera> cameras, std::span<const CameraDetections> detections,
         std::span<const FusedPerson> people, const SkeletonParameters& parameters)
      : cameras_(cameras), detections_(detections), parameters_(parameters) {
    std::set<std::pair<int32_t, int32_t>> carrying;
    for (const FusedPerson& person : people)
      for (const CameraEvidence& one : person.evidence)
        if (one.detection >= 0) carrying.insert({one.camera, one.detection});
    for (size_t c = 0; c < detections.size(); ++c)
      for (size_t i = 0; i < detections[c].people.size(); ++i)
        if (!carrying.contains({static_cast<int32_t>(c), static_cast<int32_t>(i)}))
          if (const auto body = body_of(static_cast<int32_t>(c), i, false)) nobodys_.push_back(*body);
  }

  PersonSkeleton skeleton_of(const FusedPerson& person) const {
    std::vector<SeenBody> bodies;
    PersonSkeleton skeleton;
    for (const CameraEvidence& one : person.evidence) {
      if (one.detection < 0) continue;
      const auto body = body_of(one.camera, static_cast<size_t>(one.detection), true);
      if (!body) continue;
      bodies.push_back(*body);
      if (!skeleton.layout || body->layout->joints.size() > skeleton.layout->joints.size())
        skeleton.layout = body->layout;
    }
    if (!skeleton.layout) return skeleton;
    add_nearest_others(person, &bodies);
    for (const std::string_view joint : skeleton.layout->joints)
      skeleton.joints.push_back(joint_of(joint, bodies, person));
    return skeleton;
  }

 private:
  void add_nearest_others(const FusedPerson& person, std::vector<SeenBody>* bodies) const {
    for (auto begin = nobodys_.begin(); begin != nobodys_.end();) {
      const auto end = std::find_if(begin, nobodys_.end(),
                                    [&](const SeenBody& body) { return body.camera != begin->camera; });
      std::vector<SeenBody> of_camera(begin, end);
      if (of_camera.size() > kMostOthers) {
        const Pixel<double> middle =
            project(cameras_[begin->camera].model(), person.x_m, person.y_m, person.height_m / 2);
        const auto away_px = [&](const SeenBody& body) {
          const PersonDetection& box = *body.detection;
          return std::hypot(box.left_px + box.width_px / 2 - middle.x,
                            box.top_px + box.height_px / 2 - middle.y);
        };
        std::stable_sort(of_camera.begin(), of_camera.end(),
                         [&](const SeenBody& a, const SeenBody& b) { return away_px(a) < away_px(b); });
        of_camera.resize(middle.in_front ? kMostOthers : 0);
      }
      bodies->insert(bodies->end(), of_camera.begin(), of_camera.end());
      begin = end;
    }
  }

  std::optional<SeenBody> body_of(int32_t camera, size_t detection, bool own) const {
    const PersonDetection& seen = detections_[camera].people.at(detection);
    const Skeleton* layout = seen.keypoints.empty() ? nullptr : skeleton_of_size(seen.keypoints.size());
    if (!layout) return std::nullopt;
    return SeenBody{camera, &seen, layout, own};
  }

  std::optional<SceneJoint> joint_of(std::string_view joint, const std::vector<SeenBody>& bodies,
                                     const FusedPerson& person) const {
    std::vector<PointInView> points;
    std::vector<char> own;
    for (const SeenBody& body : bodies) {
      const int index = body.layout->joint(joint);
      if (index < 0) continue;
      const Keypoint& seen = body.detection->keypoints[index];
      if (seen.score <= 0 || seen.score < parameters_.min_score) continue;
      const double weight = seen.score * (body.own ? 1 : kOthersWeight);
      points.push_back({body.camera, seen.x_px, seen.y_px, weight});
      own.push_back(body.own);
    }
    TriangulationParameters joining;
    joining.gate_m = parameters_.gate_m, joining.unseen_penalty = 0;
    joining.min_height_m = -kBelow_m, joining.max_height_m = person.height_m + kAbove_m;
    for (const TriangulatedPoint& point : triangulate(cameras_, points, joining)) {
      const auto is_own = [&](int i) { return own[i] != 0; };
      const double away_m =
          std::hypot(point.point_in_world_m.x() - person.x_m, point.point_in_world_m.y() - person.y_m);
      if (away_m > kReach_m || std::none_of(point.points.begin(), point.points.end(), is_own)) continue;
      const auto found = scene_joint(point, points, own);
      if (found && found->deviation_m() <= parameters_.max_deviation_m) return found;
    }
    return std::nullopt;
  }

  // Nothing unless the agreeing rays outweigh the person's disagreeing views.
  std::optional<SceneJoint> scene_joint(const TriangulatedPoint& point,
                                        const std::vector<PointInView>& points,
                                        const std::vector<char>& own) const {
    std::vector<JointRay> rays;
    for (const int i : point.points) {
      const PointInView& seen = points[i];
      if (const auto ray = cameras_[seen.camera].ray({seen.x_px, seen.y_px}))
        rays.push_back({*ray, seen.camera, seen.weight, own[i] != 0});
    }
    SceneJoint joint;
    joint.point_in_world_m = robust_meeting(rays, point.point_in_world_m);
    double all = 0;
    for (size_t i = 0; i < points.size(); ++i)
      if (own[i]) all += points[i].weight;
    for (const JointRay& ray : rays)
      if (!ray.own) all += ray.weight;
    std::erase_if(rays, [&](const JointRay& ray) { return ray.off(joint.point_in_world_m) > kAgree; });
    if (rays.size() < 2) return std::nullopt;
    joint.point_in_world_m = robust_meeting(rays, joint.point_in_world_m);
    double agree = 0, all_wrong = 1, off = 0;
    for (const JointRay& ray : rays) {
      joint.cameras.push_back(ray.camera);
      agree += ray.weight, all_wrong *= 1 - ray.weight;
      off += ray.off(joint.point_in_world_m) * ray.off(joint.point_in_world_m);
    }
    if (2 * agree <= all) return std::nullopt;
    std::sort(joint.cameras.begin(), joint.cameras.end());
    joint.confidence = agree / all * (1 - all_wrong);
    // Rays that miss each other by more than their deviations reduce the joint's certainty.
    const double freedom = 2 * static_cast<double>(rays.size()) - 3;
    joint.covariance_m2 = std::max(1.0, off / freedom) * kDeviation_m * kDeviation_m *
                          precision_of(rays, joint.point_in_world_m, false).inverse();
    return joint;
  }

  const std::span<const Camera> cameras_;
  const std::span<const CameraDetections> detections_;
  const SkeletonParameters& parameters_;
  std::vector<SeenBody> nobodys_;
};

}  // namespace

std::vector<PersonSkeleton> find_skeletons(std::span<const Camera> cameras,
                                           std::span<const CameraDetections> detections,
                                           std::span<const FusedPerson> people,
                                           const SkeletonParameters& parameters) {
  const Finder finder(cameras, detections, people, parameters);
  std::vector<PersonSkeleton> skeletons;
  for (const FusedPerson& person : people) skeletons.push_back(finder.skeleton_of(person));
  return skeletons;
}

namespace {

constexpr double kHalfWidth_m = 0.2;
constexpr double kCoverRadius_m = 0.25;  // a nearer person hides points behind a body of this width

// True when a person nearer to the camera is in front of the point.
bool hidden(const Eigen::Vector3d& eye, const Eigen::Vector3d& x, size_t self,
            std::span<const FoundPerson> people) {
  const Eigen::Vector2d way = (x - eye).head<2>();
  const double length = way.norm();
  for (size_t k = 0; k < people.size(); ++k) {
    if (k == self) continue;
    const Eigen::Vector2d to(people[k].x_m - eye.x(), people[k].y_m - eye.y());
    const double along = to.dot(way) / length;
    if (along <= 0 || along >= length - kCoverRadius_m) continue;
    const double beside = std::abs(to.x() * way.y() - to.y() * way.x()) / length;
    const double height_m = eye.z() + (x.z() - eye.z()) * along / length;
    if (beside < kCoverRadius_m && height_m < people[k].height_m) return true;
  }
  return false;
}

bool in_mask(const ImageView<const uint8_t>& mask, const Eigen::Vector2d& pixel) {
  if (!mask.data) return true;
  const int x = static_cast<int>(std::lround(pixel.x())), y = static_cast<int>(std::lround(pixel.y()));
  return x >= 0 && y >= 0 && x < mask.width && y < mask.height && mask.at(x, y) != 0;
}

}  // namespace

std::vector<BodyPoint> visible_points(const Camera& camera, const ImageView<const uint8_t>& mask,
                                      std::span<const FoundPerson> people, size_t person) {
  const FoundPerson& body = people[person];
  const Eigen::Vector3d eye = camera.center_in_world_m();
  const Eigen::Vector2d towards(eye.x() - body.x_m, eye.y() - body.y_m);
  std::vector<BodyPoint> points;
  if (towards.norm() < 1e-3) return points;
  const Eigen::Vector2d side(-towards.y() / towards.norm(), towards.x() / towards.norm());
  for (int row = 0; row < kBodyRows; ++row)
    for (int column = 0; column < kBodyColumns; ++column) {
      const double across = kHalfWidth_m * (2.0 * column / (kBodyColumns - 1) - 1);
      const double share = (row + 1.0) / (kBodyRows + 1.0);
      const Eigen::Vector3d x(body.x_m + across * side.x(), body.y_m + across * side.y(),
                              body.height_m * share);
      const auto pixel = camera.project(x);
      if (pixel && camera.sees(x) && in_mask(mask, *pixel) && !hidden(eye, x, person, people))
        points.push_back({x, *pixel, share});
    }
  return points;
}

}  // namespace vantage
