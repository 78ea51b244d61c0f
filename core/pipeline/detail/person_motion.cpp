#include "core/pipeline/detail/person_motion.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/quantile.h"
#include "core/pipeline/person_skeletons.h"

namespace vantage {
namespace {

constexpr double kMinConfidence = 0.25;
constexpr int kMinPoints = 20;  // per camera
constexpr int kRounds = 6;
// Minimum ratio of the smallest to the largest eigenvalue of the normal equations: below, one direction is
// undetermined.
constexpr double kMinCondition = 0.02;
constexpr double kMinScale_m_per_s = 0.05;

// Two equations for v: a row of J, in metres on the body, and the flow's part.
struct PointEquation {
  Eigen::Matrix<double, 2, 3> j;
  Eigen::Vector2d flow_m_per_s;
  double weight = 0;
  int camera = 0;
};

// The derivative of the projection, by differences of 2 mm: exact to far below a pixel's thousandth.
std::optional<Eigen::Matrix<double, 2, 3>> derivative(const Camera& camera, const Eigen::Vector3d& x) {
  constexpr double kStep_m = 1e-3;
  Eigen::Matrix<double, 2, 3> j;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d step = kStep_m * Eigen::Vector3d::Unit(i);
    const auto a = camera.project(x - step), b = camera.project(x + step);
    if (!a || !b) return std::nullopt;
    j.col(i) = (*b - *a) / (2 * kStep_m);
  }
  return j;
}

struct FlowSample {
  Eigen::Vector2d vector_px;
  double confidence = 1;
};

// The flow that ends at a pixel of the later picture: interpolated at its origin, in two steps.
std::optional<FlowSample> flow_into(const FlowField& field, const Eigen::Vector2d& pixel) {
  const ImageView<const float> vectors = field.vectors.view<float>();
  Eigen::Vector2d from = pixel;
  FlowSample sample;
  for (int step = 0; step < 2; ++step) {
    const int x = static_cast<int>(std::lround(from.x())), y = static_cast<int>(std::lround(from.y()));
    if (x < 0 || y < 0 || x >= field.width || y >= field.height) return std::nullopt;
    const float dx = vectors.at(2 * x, y), dy = vectors.at(2 * x + 1, y);
    if (!is_known_flow(dx) || !is_known_flow(dy)) return std::nullopt;
    sample.vector_px = {dx, dy};
    if (field.confidence) sample.confidence = field.confidence.view<uint8_t>().at(x, y) / 255.0;
    from = pixel - sample.vector_px;
  }
  return sample;
}

class MotionSolver {
 public:
  MotionSolver(std::span<const MotionView> views, std::span<const FoundPerson> people)
      : views_(views), people_(people) {}

  std::optional<PersonMotion> measure(size_t person) {
    equations_.clear();
    cameras_ = 0;
    for (size_t c = 0; c < views_.size(); ++c)
      if (views_[c].flow && views_[c].flow->field) add_camera(static_cast<int>(c), person);
    if (cameras_ == 0) return std::nullopt;
    return solve();
  }

 private:
  void add_camera(int index, size_t person) {
    const MotionView& view = views_[index];
    const size_t before = equations_.size();
    for (const BodyPoint& point : visible_points(view.camera, view.mask, people_, person))
      add_point(index, point);
    const size_t points = equations_.size() - before;
    if (points < kMinPoints) return equations_.resize(before);
    for (size_t i = before; i < equations_.size(); ++i) equations_[i].weight /= static_cast<double>(points);
    ++cameras_;
  }

  void add_point(int index, const BodyPoint& point) {
    const MotionView& view = views_[index];
    const auto sample = flow_into(view.flow->field, point.pixel);
    if (!sample || sample->confidence < kMinConfidence) return;
    const auto j = derivative(view.camera, point.in_world_m);
    if (!j) return;
    // Metres on the body for a pixel: J's larger singular value is close to focal length over distance.
    const double metres = 1 / std::sqrt(0.5 * j->squaredNorm());
    const double per_s = view.frame_rate / static_cast<double>(view.flow->camera_frames);
    equations_.push_back({metres * *j, metres * per_s * sample->vector_px, sample->confidence, index});
  }

  std::optional<PersonMotion> solve() const {
    Eigen::Vector3d v = Eigen::Vector3d::Zero();
    double scale = 1e9;  // the first round weights all points alike
    for (int round = 0; round < kRounds; ++round) {
      Eigen::Matrix3d a = Eigen::Matrix3d::Zero();
      Eigen::Vector3d b = Eigen::Vector3d::Zero();
      for (const PointEquation& e : equations_) {
        const double w = e.weight * robust(e, v, scale);
        a += w * e.j.transpose() * e.j;
        b += w * e.j.transpose() * e.flow_m_per_s;
      }
      const Eigen::Vector3d values = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(a).eigenvalues();
      if (!(values[0] > kMinCondition * values[2])) return std::nullopt;
      v = a.ldlt().solve(b);
      scale = std::max(kMinScale_m_per_s, 1.5 * median_residual(v));
    }
    return describe(v, scale);
  }

  static double robust(const PointEquation& e, const Eigen::Vector3d& v, double scale) {
    return 1 / (1 + (e.flow_m_per_s - e.j * v).squaredNorm() / (scale * scale));
  }

  double median_residual(const Eigen::Vector3d& v) const {
    std::vector<double> residuals;
    residuals.reserve(equations_.size());
    for (const PointEquation& e : equations_) residuals.push_back((e.flow_m_per_s - e.j * v).norm());
    return upper_median(std::move(residuals));
  }

  PersonMotion describe(const Eigen::Vector3d& v, double scale) const {
    PersonMotion motion;
    motion.velocity_m_per_s = {v.x(), v.y(), v.z()};
    motion.cameras = cameras_;
    motion.points = static_cast<int>(equations_.size());
    double sum = 0, weights = 0;
    for (const PointEquation& e : equations_) {
      const double w = e.weight * robust(e, v, scale);
      sum += w * (e.flow_m_per_s - e.j * v).squaredNorm() / 2;
      weights += w;
    }
    motion.scatter_m_per_s = weights > 0 ? std::sqrt(sum / weights) : 0;
    return motion;
  }

  std::span<const MotionView> views_;
  std::span<const FoundPerson> people_;
  std::vector<PointEquation> equations_;
  int cameras_ = 0;
};

}  // namespace

std::vector<std::optional<PersonMotion>> measure_motion(std::span<const MotionView> views,
                                                        std::span<const FoundPerson> people) {
  MotionSolver solver(views, people);
  std::vector<std::optional<PersonMotion>> motions;
  for (size_t i = 0; i < people.size(); ++i) motions.push_back(solver.measure(i));
  return motions;
}

namespace {

// Parts of a body by height, without the head, which shows little, and the feet, which are in shadows.
struct Part {
  double low, high;
  bool holds(double share) const { return share >= low && share < high; }
  int points() const {
    int rows = 0;
    for (int row = 0; row < kBodyRows; ++row) rows += holds((row + 1.0) / (kBodyRows + 1.0));
    return rows * kBodyColumns;
  }
};
constexpr Part kTrunk{0.5, 0.84}, kLegs{0.08, 0.46};

std::array<float, 3> color_at(const Picture& picture, const Eigen::Vector2d& pixel) {
  const int x = std::clamp(static_cast<int>(std::lround(pixel.x())), 0, picture.width() - 1);
  const int y = std::clamp(static_cast<int>(std::lround(pixel.y())), 0, picture.height() - 1);
  const float luma = picture.plane(0).at(x, y);
  const ImageView<const uint8_t> first = picture.plane(1);
  if (picture.plane_count() == 2)
    return {luma, static_cast<float>(first.at(x / 2 * 2, y / 2)),
            static_cast<float>(first.at(x / 2 * 2 + 1, y / 2))};
  return {luma, static_cast<float>(first.at(x / 2, y / 2)),
          static_cast<float>(picture.plane(2).at(x / 2, y / 2))};
}

std::optional<std::array<float, 3>> mean_of(const std::vector<BodyPoint>& points, const Part& part,
                                            const Picture& picture) {
  std::array<float, 3> sum{};
  int count = 0;
  for (const BodyPoint& point : points) {
    if (!part.holds(point.height_share)) continue;
    const std::array<float, 3> color = color_at(picture, point.pixel);
    for (size_t i = 0; i < 3; ++i) sum[i] += color[i];
    ++count;
  }
  if (count < kMinSeen * part.points()) return std::nullopt;
  for (float& channel : sum) channel /= static_cast<float>(count);
  return sum;
}

}  // namespace

std::vector<std::vector<BodyColor>> measure_appearance(std::span<const AppearanceView> views,
                                                       std::span<const FoundPerson> people) {
  std::vector<std::vector<BodyColor>> colors(people.size());
  for (size_t person = 0; person < people.size(); ++person)
    for (size_t c = 0; c < views.size(); ++c) {
      if (!views[c].picture || !*views[c].picture) continue;
      const std::vector<BodyPoint> points = visible_points(*views[c].camera, views[c].mask, people, person);
      const auto trunk = mean_of(points, kTrunk, *views[c].picture),
                 legs = mean_of(points, kLegs, *views[c].picture);
      if (trunk || legs) colors[person].push_back({static_cast<int32_t>(c), trunk, legs});
    }
  return colors;
}

}  // namespace vantage
