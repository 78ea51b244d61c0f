// Simulated footage for cameras from nothing: people of ellipsoids who walk through rooms and yards, as boxes
// of a detector in cameras of unknown lenses, poses and starts.
#pragma once

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/calibration/people/footage_solve.h"
#include "core/synth/detail/body.h"
#include "core/synth/detail/walk.h"

namespace vantage::test {

enum class FootageKind : uint8_t {
  walking,
  standing,    // everybody stands still
  one_line,    // one person walks straight on
  no_common,   // every camera shows people of its own
  to_and_fro,  // one person walks up and down a line, always the same
  circle,      // one person walks round and round
};

struct WalkedOptions {
  FootageKind kind = FootageKind::walking;
  uint32_t seed = 1;
  int cameras = 0, people = 0;      // 0: by the seed: 3 to 8, 1 to 6
  double seconds = 0;               // 0: by the seed: 20 to 60
  int width_px = 0, height_px = 0;  // 0: by the seed
  bool joints = false;              // of COCO_17, beside the boxes
  bool together = false;            // all cameras start at once
};

struct WalkedPerson {
  double x_m = 0, y_m = 0, height_m = 0;
};

struct WalkedFootage {
  FootageInput input;
  std::vector<Camera> truth;
  std::vector<double> offset_frames;  // as FootageSolvedCamera has them
  int people = 0;
  double seconds = 0;
  std::vector<std::vector<WalkedPerson>> walks;  // by frame of the first camera, then by person
};

// The box round the ellipsoid in the picture of a camera without distortion, in normalised coordinates: left,
// top, right, bottom. Nothing: a part of it is behind the camera.
inline std::optional<std::array<double, 4>> box_of(const Camera& camera, const synth::Ellipsoid& part) {
  const Eigen::Vector3d center = camera.cam_from_world() * part.center_in_world_m;
  const Eigen::Matrix3d axes = camera.rotation_cam_from_world() * part.axes;
  if (center.z() < part.radii_m.maxCoeff() + 0.05) return {};
  const Eigen::Matrix3d dual =
      axes * part.radii_m.cwiseAbs2().asDiagonal() * axes.transpose() - center * center.transpose();
  std::array<double, 4> box{};
  for (int i = 0; i < 2; ++i) {
    const double root = std::sqrt(std::max(0.0, dual(i, 2) * dual(i, 2) - dual(i, i) * dual(2, 2)));
    const double a = (dual(i, 2) + root) / dual(2, 2), b = (dual(i, 2) - root) / dual(2, 2);
    box[i] = std::min(a, b), box[i + 2] = std::max(a, b);
  }
  return box;
}

// The joints of a body as COCO_17 has them, but the ears. Limbs of the body are ellipsoids that reach beyond
// their ends by 0.55 of their radius (core/synth/detail/body.cpp).
inline std::array<std::optional<Eigen::Vector3d>, 17> joints_of(const synth::Body& body) {
  const auto end = [&](size_t part, double side) -> Eigen::Vector3d {
    const synth::Ellipsoid& its = body.parts[part];
    return its.center_in_world_m + side * (its.radii_m.z() - 0.55 * its.radii_m.x()) * its.axes.col(2);
  };
  const auto middle = [&](size_t part) { return body.parts[part].center_in_world_m; };
  return {middle(18),  middle(20), middle(19), {},         {},         end(11, -1),
          end(14, -1), end(11, 1), end(14, 1), end(12, 1), end(15, 1), end(0, -1),
          end(3, -1),  end(0, 1),  end(3, 1),  end(1, 1),  end(4, 1)};
}

class FootageMaker {
 public:
  explicit FootageMaker(const WalkedOptions& options) : options_(options), random_(options.seed) {}

  WalkedFootage make() {
    WalkedFootage made;
    const int cameras = options_.cameras > 0 ? options_.cameras : 3 + below(6);
    made.people = options_.people > 0 ? options_.people : 1 + below(6);
    made.seconds = options_.seconds > 0 ? options_.seconds : in(20, 60);
    const double side_m = std::max(in(4.5, 10), 2.2 * std::sqrt(made.people));
    const auto plan = synth::WalkPlan::make(made.people, side_m, made.seconds + 10, options_.seed * 77 + 5);
    length_s_ = made.seconds + 10;
    std::vector<synth::PersonLook> looks(static_cast<size_t>(made.people));
    for (synth::PersonLook& look : looks) {
      look.height_m = std::clamp(1.69 + 0.09 * normal(), 1.5, 1.95);
      look.build = in(0.93, 1.14), look.long_hair = chance(0.4);
    }
    const double rate = 12.5, first_angle = in(0, 6.3);
    for (int c = 0; c < cameras; ++c) {
      const std::string name = "cam" + std::to_string(c + 1);
      made.truth.push_back(camera(name, first_angle + 2 * M_PI * (c + in(-0.3, 0.3)) / cameras, side_m));
      double start_s = in(0, 10);
      if (c == 0) first_start_s_ = start_s;
      if (options_.together) start_s = first_start_s_;
      made.offset_frames.push_back((first_start_s_ - start_s) * rate);
      FootageCamera& its = made.input.cameras.emplace_back();
      its.name = name, its.frame_rate = rate;
      its.width_px = made.truth.back().width_px(), its.height_px = made.truth.back().height_px();
      const auto frames = static_cast<size_t>(made.seconds * rate);
      jitter_.clear(), joint_jitter_.clear();
      for (size_t f = 0; f < frames; ++f)
        its.frames.push_back(
            {true, boxes(made.truth.back(), plan, looks, start_s + static_cast<double>(f) / rate, c)});
    }
    for (size_t f = 0; f < made.input.cameras.front().frames.size(); ++f) {
      std::vector<WalkedPerson>& people = made.walks.emplace_back();
      for (size_t p = 0; p < looks.size(); ++p) {
        const synth::WalkState at =
            state(plan, static_cast<int>(p), first_start_s_ + static_cast<double>(f) / rate, 0);
        people.push_back({at.x_m, at.y_m, looks[p].height_m});
      }
    }
    return made;
  }

 private:
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  double normal() { return std::normal_distribution<double>()(random_); }
  bool chance(double share) { return in(0, 1) < share; }

  Camera camera(const std::string& name, double angle, double side_m) {
    const double away_m = side_m * in(0.55, 0.8) + 0.5;
    const Eigen::Vector3d center(away_m * std::cos(angle), away_m * std::sin(angle), in(2.1, 4));
    const Eigen::Vector3d target(side_m * in(-0.15, 0.15), side_m * in(-0.15, 0.15), in(0.6, 1.1));
    const Eigen::Vector3d ahead = (target - center).normalized();
    const Eigen::Vector3d right = ahead.cross(Eigen::Vector3d::UnitZ()).normalized();
    Eigen::Matrix3d rotation;
    rotation.row(0) = right, rotation.row(1) = ahead.cross(right), rotation.row(2) = ahead;
    rotation = Eigen::AngleAxisd(in(-0.04, 0.04), Eigen::Vector3d::UnitZ()).toRotationMatrix() * rotation;
    PinholeCamera<double> model;
    constexpr std::array<std::array<int, 2>, 3> kSizes = {{{1280, 720}, {1920, 1080}, {1280, 960}}};
    std::array<int, 2> size = kSizes[static_cast<size_t>(below(3))];
    if (options_.width_px > 0) size = {options_.width_px, options_.height_px};
    model.width_px = size[0], model.height_px = size[1];
    model.fx_px = model.fy_px = 0.75 * size[0] * in(0.6, 1.4);
    model.cx_px = (size[0] - 1) / 2.0, model.cy_px = (size[1] - 1) / 2.0;
    model.k1 = in(-0.02, 0.02);
    const Eigen::Vector3d translation = -rotation * center;
    for (int i = 0; i < 9; ++i) model.rotation_cam_from_world[i] = rotation(i / 3, i % 3);
    for (int i = 0; i < 3; ++i) model.translation_cam_from_world_m[i] = translation[i];
    return Camera::make(name, model).value();
  }

  synth::WalkState state(const synth::WalkPlan& plan, int person, double time_s, int camera) {
    if (options_.kind == FootageKind::standing) {
      synth::WalkState still = plan.at(person, 0);
      still.x_m += 0.02 * std::sin(time_s + person), still.y_m += 0.02 * std::cos(0.7 * time_s);
      return still;
    }
    if (options_.kind == FootageKind::one_line) {
      synth::WalkState straight;
      straight.distance_m = 0.1 * time_s;
      straight.x_m = straight.distance_m - 2.5, straight.y_m = 0.3 * straight.x_m;
      straight.heading_rad = std::atan2(0.3, 1);
      return straight;
    }
    if (options_.kind == FootageKind::to_and_fro) {
      constexpr double kHalf_s = 4;
      const double phase = std::fmod(time_s, 2 * kHalf_s),
                   walked_m = 1.1 * std::min(phase, 2 * kHalf_s - phase);
      synth::WalkState back_and_forth;
      back_and_forth.x_m = walked_m - 2.2, back_and_forth.y_m = 0.4;
      back_and_forth.heading_rad = phase < kHalf_s ? 0 : M_PI, back_and_forth.distance_m = 1.1 * time_s;
      return back_and_forth;
    }
    if (options_.kind == FootageKind::circle) {
      synth::WalkState round;
      round.distance_m = 1.1 * time_s;
      const double angle = round.distance_m / 1.5;
      round.x_m = 1.5 * std::cos(angle), round.y_m = 1.5 * std::sin(angle),
      round.heading_rad = angle + M_PI / 2;
      return round;
    }
    // Other people, at other times, in every camera.
    if (options_.kind == FootageKind::no_common)
      return plan.at((person + camera) % plan.people(),
                     std::fabs(length_s_ * ((camera + 1) % 2) - 0.7 * time_s));
    return plan.at(person, time_s);
  }

  struct Seen {
    std::array<double, 4> box;
    double distance_m;
    size_t person;
    std::array<std::optional<Eigen::Vector3d>, 17> joints;
  };

  // Errors of joints last, as those of boxes; behind other people they are guessed or missed.
  void add_joints(const Camera& camera, const std::vector<Seen>& seen, size_t i, PersonDetection* person) {
    person->keypoints.assign(17, {});
    joint_jitter_.resize(std::max(joint_jitter_.size(), seen[i].person + 1));
    for (size_t j = 0; j < 17; ++j) {
      auto& jitter = joint_jitter_[seen[i].person][j];
      for (double& one : jitter) one = 0.8 * one + 0.6 * normal();
      const auto pixel = seen[i].joints[j] ? camera.project(*seen[i].joints[j]) : std::nullopt;
      if (!pixel || !camera.sees(*seen[i].joints[j]) || chance(0.05)) continue;
      bool hidden = false;
      for (size_t front = 0; front < i; ++front) {
        const auto& box = seen[front].box;
        hidden = hidden ||
                 (pixel->x() > box[0] && pixel->x() < box[2] && pixel->y() > box[1] && pixel->y() < box[3]);
      }
      if (hidden && chance(0.6)) continue;
      const double noise_px = (hidden ? 4 : 1) * (1 + 0.01 * person->height_px);
      person->keypoints[j] = {static_cast<float>(pixel->x() + noise_px * jitter[0]),
                              static_cast<float>(pixel->y() + noise_px * jitter[1]), hidden ? 0.4F : 0.9F};
    }
  }

  std::vector<PersonDetection> boxes(const Camera& camera, const synth::WalkPlan& plan,
                                     const std::vector<synth::PersonLook>& looks, double time_s, int number) {
    std::vector<Seen> seen;
    for (size_t p = 0; p < looks.size(); ++p) {
      const synth::WalkState at = state(plan, static_cast<int>(p), time_s, number);
      const synth::Body body = synth::pose_body(looks[p], at);
      std::array<double, 4> box = {1e9, 1e9, -1e9, -1e9};
      bool behind = false;
      for (const synth::Ellipsoid& part : body.parts) {
        const auto its = box_of(camera, part);
        behind = behind || !its;
        if (!its) continue;
        for (int i = 0; i < 2; ++i) box[i] = std::min(box[i], (*its)[i]);
        for (int i = 2; i < 4; ++i) box[i] = std::max(box[i], (*its)[i]);
      }
      if (behind) continue;
      const double distance_m = (camera.center_in_world_m() - Eigen::Vector3d(at.x_m, at.y_m, 0.9)).norm();
      seen.push_back({in_pixels(camera, box), distance_m, p, joints_of(body)});
    }
    std::ranges::sort(seen, {}, &Seen::distance_m);
    std::vector<PersonDetection> found;
    jitter_.resize(looks.size(), {});
    for (size_t i = 0; i < seen.size(); ++i) {
      auto [left, top, right, bottom] = seen[i].box;
      const double height = bottom - top, width = right - left;
      // Those in front hide it or its feet.
      double hidden = 0;
      for (size_t j = 0; j < i; ++j) {
        const auto& front = seen[j].box;
        const double across = std::min(right, front[2]) - std::max(left, front[0]),
                     down = std::min(bottom, front[3]) - std::max(top, front[1]);
        if (across > 0 && down > 0) {
          hidden = std::max(hidden, across * down / (width * height));
          if (across > 0.7 * width && front[1] > top + 0.3 * height && front[3] >= bottom)
            bottom = std::min(bottom, front[1] + 0.15 * (front[3] - front[1]));
        }
      }
      auto& jitter = jitter_[seen[i].person];
      for (double& one : jitter) one = 0.8 * one + 0.6 * normal();
      left += jitter[0] * (1 + 0.012 * height), right += jitter[1] * (1 + 0.012 * height);
      top += jitter[2] * (0.7 + 0.01 * height), bottom += jitter[3] * (1 + 0.015 * height);
      left = std::max(left, -0.5), top = std::max(top, -0.5);
      right = std::min(right, camera.width_px() - 0.5), bottom = std::min(bottom, camera.height_px() - 0.5);
      if (right - left < 0.4 * width || bottom - top < 0.4 * height || height < 25) continue;
      if (hidden > 0.7 || chance(0.05 + 0.3 * hidden)) continue;
      found.push_back(box_at(left, top, right, bottom));
      if (options_.joints) add_joints(camera, seen, i, &found.back());
    }
    if (chance(0.02)) {
      const double left = in(0, camera.width_px() - 100.0), top = in(0, camera.height_px() - 200.0);
      found.push_back(box_at(left, top, left + in(30, 80), top + in(80, 180)));
    }
    return found;
  }

  static std::array<double, 4> in_pixels(const Camera& camera, const std::array<double, 4>& box) {
    const auto at = [&](double x, double y) {
      double xd = 0, yd = 0;
      distort(camera.model(), x, y, &xd, &yd);
      return Eigen::Vector2d(camera.model().fx_px * xd + camera.model().cx_px,
                             camera.model().fy_px * yd + camera.model().cy_px);
    };
    const double x = (box[0] + box[2]) / 2, y = (box[1] + box[3]) / 2;
    return {at(box[0], y).x(), at(x, box[1]).y(), at(box[2], y).x(), at(x, box[3]).y()};
  }

  static PersonDetection box_at(double left, double top, double right, double bottom) {
    PersonDetection box;
    box.left_px = static_cast<float>(left), box.top_px = static_cast<float>(top);
    box.width_px = static_cast<float>(right - left), box.height_px = static_cast<float>(bottom - top);
    box.score = 0.9F;
    return box;
  }

  WalkedOptions options_;
  std::mt19937 random_;
  double first_start_s_ = 0, length_s_ = 0;
  std::vector<std::array<double, 4>> jitter_;
  std::vector<std::array<std::array<double, 2>, 17>> joint_jitter_;
};

inline WalkedFootage walked_footage(const WalkedOptions& options) {
  return FootageMaker(options).make();
}

// Errors of a solution after the similarity that brings its placed cameras nearest to the true ones, the
// floor kept; 0: of an open one.
struct FootageErrors {
  std::vector<double> turned_deg, moved_m, focal, offset_frames;  // by camera
  double scale = 0;                                               // relative
};

// The angle by which the rays of a camera's pixels are turned from the true ones, once its world is turned by
// `rotation`. That of the camera itself would count a principal point twice, which moves the rays back.
inline double turned_between(const Camera& truth, const Camera& solved, const Eigen::Matrix3d& rotation) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  constexpr int kSide = 8;
  for (int i = 0; i < kSide * kSide; ++i) {
    const Eigen::Vector2d pixel((i % kSide + 0.5) / kSide * truth.width_px() - 0.5,
                                (i / kSide + 0.5) / kSide * truth.height_px() - 0.5);
    const auto its = truth.ray(pixel), own = solved.ray(pixel);
    if (its && own) sum += its->direction_in_world * (rotation * own->direction_in_world).transpose();
  }
  const Eigen::JacobiSVD<Eigen::Matrix3d> parts(sum, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Vector3d signs(1, 1, (parts.matrixU() * parts.matrixV()).determinant());
  const Eigen::Matrix3d off = parts.matrixU() * signs.asDiagonal() * parts.matrixV().transpose();
  return Eigen::AngleAxisd(off).angle() * 180 / M_PI;
}

inline FootageErrors errors_of(const FootageSolution& solution, const std::vector<Camera>& truth,
                               const std::vector<double>& offset_frames) {
  std::vector<size_t> placed;
  for (size_t c = 0; c < truth.size(); ++c)
    if (solution.cameras[c].placed()) placed.push_back(c);
  const auto count = static_cast<double>(placed.size());
  Eigen::Vector3d middle = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();
  for (const size_t c : placed) {
    middle += solution.cameras[c].camera.center_in_world_m() / count;
    to += truth[c].center_in_world_m() / count;
  }
  const auto yaw = [](const Camera& camera) {
    const Eigen::Vector3d ahead =
        camera.ray({(camera.width_px() - 1) / 2.0, (camera.height_px() - 1) / 2.0})->direction_in_world;
    return std::atan2(ahead.y(), ahead.x());
  };
  std::complex<double> turn;
  double own = 0, others = 0;
  for (const size_t c : placed) {
    const Camera& solved = solution.cameras[c].camera;
    const Eigen::Vector3d off = solved.center_in_world_m() - middle, its = truth[c].center_in_world_m() - to;
    turn += std::complex<double>(its.x(), its.y()) * std::conj(std::complex<double>(off.x(), off.y())) +
            4.0 * std::polar(1.0, yaw(truth[c]) - yaw(solved));
    own += off.head<2>().squaredNorm() + std::pow(solved.center_in_world_m().z(), 2);
    others += its.head<2>().squaredNorm() + std::pow(truth[c].center_in_world_m().z(), 2);
  }
  const std::vector<double> none(truth.size(), 0);
  FootageErrors errors{none, none, none, none};
  const double scale = std::sqrt(others / own);
  errors.scale = 1 / scale - 1;
  const Eigen::Matrix3d rotation =
      Eigen::AngleAxisd(std::arg(turn), Eigen::Vector3d::UnitZ()).toRotationMatrix();
  for (const size_t c : placed) {
    const Camera& solved = solution.cameras[c].camera;
    Eigen::Vector3d at = scale * (rotation * (solved.center_in_world_m() - middle));
    at.z() = scale * solved.center_in_world_m().z();
    Eigen::Vector3d its = truth[c].center_in_world_m() - to;
    its.z() = truth[c].center_in_world_m().z();
    errors.moved_m[c] = (at - its).norm();
    errors.turned_deg[c] = turned_between(truth[c], solved, rotation);
    errors.focal[c] = solved.model().fx_px / truth[c].model().fx_px - 1;
    errors.offset_frames[c] =
        solution.cameras[c].offset_frames - (offset_frames[c] - offset_frames[placed.front()]);
  }
  return errors;
}

}  // namespace vantage::test
