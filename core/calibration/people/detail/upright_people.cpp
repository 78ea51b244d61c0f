#include "core/calibration/people/detail/upright_people.h"

#include <ceres/autodiff_cost_function.h>
#include <ceres/dynamic_autodiff_cost_function.h>
#include <ceres/rotation.h>

#include <cmath>
#include <memory>

namespace vantage::people_calibration_detail {
namespace {

constexpr double kLossDeviations = 4;
constexpr double kMinLong_px = 4;         // between head and feet
constexpr double kNear_m = 0.1;           // nearer in front of the camera nothing is shown
constexpr double kScaleDeviation = 1e-4;  // of the mean distance of the cameras
// Distance by which the lowest point of feet is nearer to a camera than their middle.
constexpr double kFeetAhead_m = 0.12;

template <typename T>
struct PointOf {
  T x, y;
};

// A lens whose k1, instead of its own, may carry derivatives.
template <typename T>
struct BentLens : Lens<double> {
  T k1;
};

// Beyond where the lens folds back into the picture, straight on.
template <typename T>
PointOf<T> bent(const Lens<double>& lens, const T& k1_change, const T& full_x, const T& full_y) {
  using std::sqrt;
  const T radius2 = full_x * full_x + full_y * full_y;
  const bool beyond = radius2 > T(lens.max_radius2);
  const T share = beyond ? sqrt(T(lens.max_radius2) / radius2) : T(1);
  const T x = share * full_x, y = share * full_y;
  const BentLens<T> numbers{lens, lens.k1 + k1_change};
  PointOf<T> point;
  if (lens.lens == LensModel::polynomial)
    distort_polynomial(numbers, x, y, &point.x, &point.y);
  else if (lens.lens == LensModel::fisheye)
    distort_fisheye(numbers, x, y, &point.x, &point.y);
  else
    distort_rational(numbers, x, y, &point.x, &point.y);
  return {point.x / share, point.y / share};
}

// A mark's pixels by its camera's pose and lens.
struct MarkError {
  const Camera& camera;
  Eigen::Matrix3d rotation;
  Eigen::Vector3d center_m;
  UprightMark mark;
  double widened;

  template <typename T>
  PointOf<T> pixel_of(const T* change, const T* lens, const std::array<T, 3>& center,
                      const std::array<T, 3>& point) const {
    const PinholeCamera<double>& model = camera.model();
    T in_given[3], in_camera[3];
    for (int i = 0; i < 3; ++i)
      in_given[i] = rotation(i, 0) * (point[0] - center[0]) + rotation(i, 1) * (point[1] - center[1]) +
                    rotation(i, 2) * (point[2] - center[2]);
    ceres::AngleAxisRotatePoint(change, in_given, in_camera);
    const T depth = in_camera[2] > T(kNear_m) ? in_camera[2] : T(kNear_m);
    const PointOf<T> seen = bent<T>(model, lens[1], in_camera[0] / depth, in_camera[1] / depth);
    const T longer = T(1) + lens[0];
    return {model.fx_px * longer * seen.x + model.cx_px, model.fy_px * longer * seen.y + model.cy_px};
  }

  template <typename T>
  std::array<T, 3> center_of(const T* change) const {
    return {center_m.x() + change[3], center_m.y() + change[4], center_m.z() + change[5]};
  }

  template <typename T>
  PointOf<T> head_of(const T* change, const T* place, const T* height, const T* lens) const {
    return pixel_of(change, lens, center_of(change), {place[0], place[1], height[0]});
  }

  template <typename T>
  PointOf<T> feet_of(const T* change, const T* place, const T* lens) const {
    const std::array<T, 3> center = center_of(change);
    const T x = center[0] - place[0], y = center[1] - place[1];
    const T distance = ceres::sqrt(x * x + y * y + T(1e-6));
    return pixel_of(
        change, lens, center,
        {place[0] + T(kFeetAhead_m) * x / distance, place[1] + T(kFeetAhead_m) * y / distance, T(0)});
  }

  template <typename T>
  T in_deviations(const T& off, double std_px) const {
    return std_px > 0 ? off / (widened * std_px) : T(0);
  }
};

// The head, and the axis.
struct HeadError : MarkError {
  template <typename T>
  bool operator()(const T* change, const T* place, const T* height, const T* lens, T* residual) const {
    const PointOf<T> head = head_of(change, place, height, lens), feet = feet_of(change, place, lens);
    const T long_px = feet.y - head.y > T(kMinLong_px) ? feet.y - head.y : T(kMinLong_px);
    const T share = ((mark.top_px + mark.bottom_px) / 2 - head.y) / long_px;
    const T middle = head.x + (feet.x - head.x) * share;
    residual[0] = in_deviations(T(head.y - mark.top_px), mark.top_std_px);
    residual[1] = in_deviations(T(middle - (mark.left_px + mark.right_px) / 2), mark.middle_std_px);
    residual[2] = in_deviations(T(head.x - mark.head_px), mark.head_std_px);
    return true;
  }
};

struct FeetError : MarkError {
  template <typename T>
  bool operator()(const T* change, const T* place, const T* lens, T* residual) const {
    residual[0] = in_deviations(T(feet_of(change, place, lens).y - mark.bottom_px), mark.bottom_std_px);
    return true;
  }
};

MarkError error_of(const TangentProblem& tangents, const UprightMark& mark, double widened) {
  const Camera& camera = tangents.cameras[mark.camera];
  return {camera, camera.rotation_cam_from_world(), camera.center_in_world_m(), mark, widened};
}

// The logarithm of the mean distance between the cameras, less that of the given ones.
struct ScaleError {
  std::vector<Eigen::Vector3d> centers_m;
  template <typename T>
  bool operator()(T const* const* changes, T* residual) const {
    T sum(0);
    double given = 0;
    for (size_t a = 0; a < centers_m.size(); ++a)
      for (size_t b = 0; b < a; ++b) {
        T square(1e-12);
        for (int i = 0; i < 3; ++i) {
          const T off = centers_m[a][i] + changes[a][3 + i] - centers_m[b][i] - changes[b][3 + i];
          square += off * off;
        }
        sum += ceres::sqrt(square);
        given += (centers_m[a] - centers_m[b]).norm();
      }
    residual[0] = ceres::log(sum / given) / kScaleDeviation;
    return true;
  }
};

void fix_scale(TangentProblem& tangents, Adjustment& adjustment) {
  auto error = std::make_unique<ScaleError>();
  std::vector<double*> blocks;
  for (size_t c = 0; c < tangents.cameras.size(); ++c) {
    error->centers_m.push_back(tangents.cameras[c].center_in_world_m());
    blocks.push_back(tangents.changes[c].data());
  }
  auto* cost = new ceres::DynamicAutoDiffCostFunction<ScaleError>(error.release());
  for (size_t c = 0; c < blocks.size(); ++c) cost->AddParameterBlock(6);
  cost->SetNumResiduals(1);
  adjustment.add(cost, {}, blocks);
}

constexpr double kBorder_px = 3;    // boxes that end nearer to the picture's border may be cut off there
constexpr double kTopShare = 0.02;  // of an outline's height: its corners that high are the head's
// Standard deviations, in pixels and shares of the box's height. That of a box's middle off the axis is what
// it is in rendered rooms (resources/docs/performance/calibration.md).
struct MarkDeviation {
  double px, share;
};
constexpr MarkDeviation kOutlineHead = {1, 0.03}, kOutlineTop = {1, 0.012}, kBoxTop = {1.5, 0.02},
                        kMiddle = {1, 0.022}, kBottom = {2, 0.03};

// The middle of an outline's uppermost corners.
double head_across_px(const PersonOutline& outline) {
  double sum = 0;
  int count = 0;
  for (const Eigen::Vector2d& corner : outline.hull_px)
    if (corner.y() < outline.box.top_px + kTopShare * outline.box.height_px) sum += corner.x(), ++count;
  return count > 0 ? sum / count : outline.box.left_px + outline.box.width_px / 2.0;
}

}  // namespace

UprightMark mark_of(const PersonOutline& outline, const Camera& camera, size_t number, size_t person) {
  const PersonDetection& box = outline.box;
  UprightMark mark{.camera = number,
                   .person = person,
                   .left_px = box.left_px,
                   .top_px = box.top_px,
                   .right_px = double{box.left_px} + box.width_px,
                   .bottom_px = double{box.top_px} + box.height_px,
                   .head_px = head_across_px(outline)};
  const bool hull = !outline.hull_px.empty();
  const bool side_cut = mark.left_px < kBorder_px || mark.right_px > camera.width_px() - kBorder_px;
  const auto std_px = [&](const MarkDeviation& deviation) {
    return deviation.px + deviation.share * box.height_px;
  };
  if (mark.top_px > kBorder_px) mark.top_std_px = std_px(hull ? kOutlineTop : kBoxTop);
  if (mark.top_px > kBorder_px && hull && !side_cut) mark.head_std_px = std_px(kOutlineHead);
  if (!side_cut) mark.middle_std_px = std_px(kMiddle);
  if (mark.bottom_px < camera.height_px() - kBorder_px) mark.bottom_std_px = std_px(kBottom);
  return mark;
}

Result<Eigen::MatrixXd> adjust_all(TangentProblem* tangents, UprightProblem* upright) {
  Adjustment adjustment;
  add_tangents(*tangents, adjustment);
  for (const UprightMark& mark : upright->marks) {
    UprightPerson& person = upright->people[mark.person];
    double* change = tangents->changes[mark.camera].data();
    double* lens = tangents->lenses[mark.camera].data();
    const MarkError error = error_of(*tangents, mark, upright->widened);
    const Loss loss{Loss::Kind::tukey, kLossDeviations, mark.weight};
    if (mark.top_std_px > 0 || mark.middle_std_px > 0)
      adjustment.add(new ceres::AutoDiffCostFunction<HeadError, 3, 6, 2, 1, 2>(new HeadError{error}), loss,
                     {change, person.at_m.data(), &upright->heights_m[person.track], lens});
    if (mark.bottom_std_px > 0)
      adjustment.add(new ceres::AutoDiffCostFunction<FeetError, 1, 6, 2, 2>(new FeetError{error}), loss,
                     {change, person.at_m.data(), lens});
  }
  if (adjustment.empty())
    return fail(ErrorKind::bad_data, "no person is left to solve poses from", "calibration");
  add_known(*tangents, adjustment);
  fix_scale(*tangents, adjustment);
  name_blocks(*tangents, adjustment);
  const int columns = adjustment.columns();
  for (UprightPerson& person : upright->people) adjustment.block("a person's position", person.at_m, true);
  for (double& height_m : upright->heights_m) adjustment.block("a person's height", height_m, true);
  // Tukey's loss has a constant part: it changes little in proportion.
  VANTAGE_TRY(adjustment.solve({Minimiser::Equations::schur, 100, 1e-8, 1e-8, 1e-10}, {}, tangents->stop));
  return adjustment.covariance(columns);
}

}  // namespace vantage::people_calibration_detail
