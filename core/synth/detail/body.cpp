#include "core/synth/detail/body.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/video/working_colors.h"

namespace vantage::synth {
namespace {

constexpr int curve_steps = 8192;

const std::array<float, curve_steps + 1>& srgb_curve() {
  static const auto curve = [] {
    std::array<float, curve_steps + 1> values{};
    for (int i = 0; i <= curve_steps; ++i) {
      const double linear = static_cast<double>(i) / curve_steps;
      values[i] = static_cast<float>(linear <= 0.0031308 ? 12.92 * linear
                                                         : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
    }
    return values;
  }();
  return curve;
}

}  // namespace

Color gamma_encode(const Color& linear) {
  const auto& curve = srgb_curve();
  const Color index = linear.max(0.f).min(1.f) * static_cast<float>(curve_steps) + 0.5f;
  return {curve[static_cast<int>(index[0])], curve[static_cast<int>(index[1])],
          curve[static_cast<int>(index[2])]};
}

YCbCr to_ycbcr(const Color& c, ColorMatrix matrix) {
  const bool hd = matrix == ColorMatrix::bt709;
  const float luma =
      hd ? 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2] : 0.299f * c[0] + 0.587f * c[1] + 0.114f * c[2];
  return {16.f + 219.f * luma, 128.f + 224.f * (c[2] - luma) / (hd ? 1.8556f : 1.772f),
          128.f + 224.f * (c[0] - luma) / (hd ? 1.5748f : 1.402f)};
}

uint8_t round_to_byte(float value) {
  return static_cast<uint8_t>(value <= 0.f ? 0.f : value >= 255.f ? 255.f : value + 0.5f);
}

PictureFormat picture_format(int width_px, int height_px) {
  return working_format({.width = width_px, .height = height_px});
}

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The gait (small, smooth curves that pass for walking): all angles in radians from the phase of the left
// leg.
constexpr double degree = std::numbers::pi / 180;
constexpr double hip_swing = 25 * degree;
constexpr double leg_length = 0.49;  // share of the height, hip to ankle
constexpr double stride_length =
    2 * 2 * leg_length * 0.4226;  // share of the height, two steps; 0.4226 = sin(hip_swing)

struct Frame {
  Vector3d forward, left, up;
};

class BodyBuilder {
 public:
  BodyBuilder(const PersonLook& look, const WalkState& state, const Posture& posture)
      : look_(look),
        posture_(posture),
        height_(look.height_m),
        phase_(2 * std::numbers::pi * state.distance_m / (stride_length * height_)) {
    const double c = std::cos(state.heading_rad), s = std::sin(state.heading_rad);
    frame_ = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
    axis_ = {state.x_m, state.y_m, 0};
  }

  Body build() {
    add_leg(+1);
    add_leg(-1);
    const double lowest = lowest_sole();
    const size_t trunk = body_.parts.size();
    add_trunk();
    add_arm(+1);
    add_arm(-1);
    const size_t head = body_.parts.size();
    add_head();
    turn(head, point(0.012, 0, 0.86),
         rotation(posture_.head_nod, posture_.head_tilt_left, posture_.head_turn_left));
    turn(trunk, point(0, 0, 0.53), rotation(posture_.lean_forward, posture_.lean_left, 0));
    for (Ellipsoid& part : body_.parts) part.center_in_world_m.z() -= lowest;
    body_.head_center_in_world_m.z() -= lowest;
    return std::move(body_);
  }

 private:
  // A point of the body: forward, left and up as fractions of the height.
  Vector3d point(double forward, double left, double up) const {
    return axis_ + height_ * (forward * frame_.forward + left * frame_.left + up * frame_.up);
  }
  // Down, turned forward by an angle.
  Vector3d swing(double angle) const {
    return std::sin(angle) * frame_.forward - std::cos(angle) * frame_.up;
  }

  void add(const Vector3d& center, const Matrix3d& axes, const Vector3d& radii, const Material& material) {
    body_.parts.push_back({center, axes, radii * height_, &material, false});
  }
  // An upright part: radii forward, left, up.
  void add_upright(const Vector3d& center, const Vector3d& radii, const Material& material, double yaw = 0) {
    const double c = std::cos(yaw), s = std::sin(yaw);
    Matrix3d axes;
    axes << c * frame_.forward + s * frame_.left, c * frame_.left - s * frame_.forward, frame_.up;
    add(center, axes, radii, material);
  }
  // A limb from a to b, reaching a little beyond both joints.
  void add_limb(const Vector3d& a, const Vector3d& b, double radius, const Material& material) {
    const Vector3d along = (b - a).normalized();
    const Vector3d across = std::abs(along.dot(frame_.left)) < 0.9 ? frame_.left : frame_.up;
    const Vector3d side = along.cross(across).normalized();
    Matrix3d axes;
    axes << side, along.cross(side), along;
    add(0.5 * (a + b), axes, {radius, radius, 0.5 * (b - a).norm() / height_ + 0.55 * radius}, material);
  }

  // Forward about the left axis, then to the left about the forward axis, after a turn about the upright one.
  Matrix3d rotation(double forward, double left, double turn_left) const {
    using Eigen::AngleAxisd;
    return (AngleAxisd(-left, frame_.forward) * AngleAxisd(forward, frame_.left) *
            AngleAxisd(turn_left, frame_.up))
        .toRotationMatrix();
  }
  // Turns the parts from `first` on, and the head's centre with them.
  void turn(size_t first, const Vector3d& about, const Matrix3d& by) {
    if (by.isIdentity(0)) return;
    for (size_t i = first; i < body_.parts.size(); ++i) {
      Ellipsoid& part = body_.parts[i];
      part.center_in_world_m = about + by * (part.center_in_world_m - about);
      part.axes = by * part.axes;
    }
    body_.head_center_in_world_m = about + by * (body_.head_center_in_world_m - about);
  }

  double leg_phase(int side) const { return side > 0 ? phase_ : phase_ + std::numbers::pi; }

  void add_leg(int side) {
    const double phase = leg_phase(side), b = look_.build;
    const double hip_angle = hip_swing * std::sin(phase) + 3 * degree;
    const double lift = std::max(0.0, std::cos(phase - 0.25));  // the leg swings forward
    const double knee_angle = 6 * degree + 52 * degree * lift * lift;
    const Vector3d hip = point(0, side * 0.052, 0.53);
    const Vector3d knee = hip + 0.245 * height_ * swing(hip_angle);
    const Vector3d ankle = knee + 0.245 * height_ * swing(hip_angle - knee_angle);
    add_limb(hip, knee, 0.050 * b, look_.trousers);
    add_limb(knee, ankle, 0.036 * b, look_.shorts ? look_.skin : look_.trousers);
    const double pitch = 0.45 * (hip_angle - knee_angle) + 6 * degree * std::sin(phase);
    const Vector3d along = std::cos(pitch) * frame_.forward + std::sin(pitch) * frame_.up;
    Matrix3d axes;
    axes << along, frame_.left, along.cross(frame_.left);
    add(ankle + height_ * (0.035 * along - 0.014 * frame_.up), axes, {0.074, 0.029, 0.025}, look_.shoes);
    soles_.push_back(body_.parts.back());
  }

  double lowest_sole() const {
    double lowest = 1e9;
    for (const Ellipsoid& foot : soles_) {
      const Vector3d reach = foot.radii_m.cwiseProduct(foot.axes.row(2).transpose());
      lowest = std::min(lowest, foot.center_in_world_m.z() - reach.norm());
    }
    return lowest;
  }

  void add_trunk() {
    const double b = look_.build, shoulder_yaw = -9 * degree * std::sin(phase_);
    add_upright(point(0, 0, 0.535), {0.070 * b, 0.095 * b, 0.075}, look_.trousers, -0.5 * shoulder_yaw);
    add_upright(point(0.006, 0, 0.625), {0.066 * b, 0.088 * b, 0.105}, look_.shirt);
    add_upright(point(0.014, 0, 0.735), {0.070 * b, 0.108 * b, 0.125}, look_.shirt, shoulder_yaw);
    add_limb(point(0.012, 0.100 * b, 0.800), point(0.012, -0.100 * b, 0.800), 0.043 * b, look_.shirt);
    add_limb(point(0.012, 0, 0.825), point(0.024, 0, 0.890), 0.032, look_.skin);
  }

  void add_arm(int side) {
    const double b = look_.build, swing_phase = std::sin(leg_phase(-side));
    const size_t of = side > 0 ? 0 : 1;
    const double upper_angle = 22 * degree * swing_phase - 3 * degree + posture_.arm_forward[of];
    const double elbow = 18 * degree + 14 * degree * std::max(0.0, swing_phase);
    const double forward = 0.012 - 0.014 * side * std::sin(phase_);
    const Vector3d shoulder = point(forward, side * 0.122 * b, 0.802);
    const Vector3d outward = side * (0.10 + std::tan(0.5 * posture_.arm_outward[of])) * frame_.left;
    const Vector3d hand_inward = side * -0.02 * frame_.left;
    const Vector3d elbow_point = shoulder + 0.175 * height_ * (swing(upper_angle) + outward).normalized();
    const Vector3d wrist =
        elbow_point + 0.145 * height_ * (swing(upper_angle + elbow) + hand_inward).normalized();
    const Vector3d knuckles =
        wrist + 0.062 * height_ * (swing(upper_angle + 1.2 * elbow) + hand_inward).normalized();
    add_limb(shoulder, elbow_point, 0.030 * b, look_.shirt);
    add_limb(elbow_point, wrist, 0.0235 * b, look_.short_sleeves ? look_.skin : look_.shirt);
    add_limb(wrist, knuckles, 0.020, look_.skin);
  }

  void add_head() {
    const Vector3d center = point(0.030, 0, 0.928);
    body_.head_center_in_world_m = center;
    const size_t first = body_.parts.size();
    add_upright(center, {0.056, 0.045, 0.068}, look_.skin);
    add_upright(point(0.088, 0, 0.920), {0.010, 0.009, 0.015},
                look_.skin);  // the nose: shows where people look
    for (const double side : {-1.0, 1.0})
      add_upright(point(0.079, side * 0.018, 0.938), {0.006, 0.008, 0.005}, look_.eyes);
    add_upright(point(0.020, 0, 0.946), {0.057, 0.050, 0.058}, look_.hair);
    add_upright(point(0.006, 0, 0.928), {0.046, 0.048, 0.058}, look_.hair);
    if (look_.headwear != Headwear::none)
      add_upright(point(0.018, 0, 0.958), {0.060, 0.053, look_.headwear == Headwear::hat ? 0.062 : 0.050},
                  look_.cloth);
    for (size_t i = first; i < body_.parts.size(); ++i) body_.parts[i].of_head = true;
    if (look_.headwear == Headwear::hat)  // its brim is not the head
      add_upright(point(0.020, 0, 0.962), {0.092, 0.084, 0.009}, look_.cloth);
    if (look_.headwear == Headwear::peaked_cap) {  // nor is a peak
      const double turn = look_.peak_turn_left;
      add_upright(point(0.018 + 0.068 * std::cos(turn), 0.060 * std::sin(turn), 0.950), {0.040, 0.038, 0.006},
                  look_.cloth, turn);
    }
    if (look_.long_hair) add_upright(point(-0.014, 0, 0.885), {0.036, 0.050, 0.075}, look_.hair);
  }

  const PersonLook& look_;
  const Posture& posture_;
  double height_, phase_;
  Frame frame_;
  Vector3d axis_;
  Body body_;
  std::vector<Ellipsoid> soles_;
};

}  // namespace

Body pose_body(const PersonLook& look, const WalkState& state, const Posture& posture) {
  return BodyBuilder(look, state, posture).build();
}

namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

// d^T M d for d = d0 + (u, v, 0).
Quadratic expand(const Matrix3d& m, const Vector3d& d0) {
  const Vector3d md = m * d0;
  return {static_cast<float>(d0.dot(md)), static_cast<float>(2 * md.x()),  static_cast<float>(2 * md.y()),
          static_cast<float>(m(0, 0)),    static_cast<float>(2 * m(0, 1)), static_cast<float>(m(1, 1))};
}

// Border points of the outline's bounding rectangle, from the dual conic A^-1 - c c^T (R. Hartley, A.
// Zisserman, "Multiple View Geometry", 2004, section 8.3).
std::vector<Vector2d> outline_rectangle(const Matrix3d& inverse_shape, const Vector3d& center) {
  const Matrix3d dual = inverse_shape - center * center.transpose();
  double low[2], high[2];
  for (int axis = 0; axis < 2; ++axis) {
    const double root = std::sqrt(dual(axis, 2) * dual(axis, 2) - dual(axis, axis) * dual(2, 2));
    low[axis] = (dual(axis, 2) + root) / dual(2, 2);
    high[axis] = (dual(axis, 2) - root) / dual(2, 2);
  }
  std::vector<Vector2d> points;
  for (int i = 0; i <= 2; ++i)
    for (int k = 0; k <= 2; ++k)
      points.emplace_back(low[0] + (high[0] - low[0]) * i / 2, low[1] + (high[1] - low[1]) * k / 2);
  return points;
}

}  // namespace

Silhouette::Silhouette(const Ellipsoid& ellipsoid, const CameraView& view) {
  const Matrix3d rotation = view.camera().rotation_cam_from_world();
  const Vector3d center = view.camera().cam_from_world() * ellipsoid.center_in_world_m;
  const Matrix3d axes = rotation * ellipsoid.axes;
  const Vector3d radii2 = ellipsoid.radii_m.cwiseAbs2();
  if (center.z() - ellipsoid.radii_m.maxCoeff() < 0.05) return;
  const Matrix3d shape = axes * radii2.cwiseInverse().asDiagonal() * axes.transpose();
  const Matrix3d inverse_shape = axes * radii2.asDiagonal() * axes.transpose();
  const Vector3d d0 = center / center.z(), shaped_center = shape * center;
  x0_ = static_cast<float>(d0.x()), y0_ = static_cast<float>(d0.y());
  square_ = expand(shape, d0);
  linear_ = {static_cast<float>(shaped_center.dot(d0)),
             static_cast<float>(shaped_center.x()),
             static_cast<float>(shaped_center.y()),
             0,
             0,
             0};
  const Matrix3d conic = shaped_center * shaped_center.transpose() - (center.dot(shaped_center) - 1) * shape;
  discriminant_ = expand(conic, d0);
  shape_ = shape.cast<float>();
  center_ = center.cast<float>();
  along_ = (axes.col(2) / ellipsoid.radii_m.z()).cast<float>();
  box_ = view.box_around(outline_rectangle(inverse_shape, center), 1.5);
}

}  // namespace vantage::synth
