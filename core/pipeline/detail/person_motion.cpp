#include "core/pipeline/detail/person_motion.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/quantile.h"
#include "core/pipeline/detail/body_points.h"

namespace vantage {
namespace {

constexpr double kMinConfidence = 0.25;
constexpr int kMinPoints = 20;  // of a camera
constexpr int kRounds = 6;
// Smallest against largest eigenvalue of the normal equations: below it one direction is a guess.
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

// The flow that ends at a pixel of the later picture: looked up where it came from, in two steps.
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
    const MotionView& view = views_[static_cast<size_t>(index)];
    const size_t before = equations_.size();
    for (const BodyPoint& point : visible_points(view.camera, view.mask, people_, person))
      add_point(index, point);
    const size_t points = equations_.size() - before;
    if (points < kMinPoints) return equations_.resize(before);
    for (size_t i = before; i < equations_.size(); ++i) equations_[i].weight /= static_cast<double>(points);
    ++cameras_;
  }

  void add_point(int index, const BodyPoint& point) {
    const MotionView& view = views_[static_cast<size_t>(index)];
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
    double scale = 1e9;  // the first round weighs all alike
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

}  // namespace vantage
