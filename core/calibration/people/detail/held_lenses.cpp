#include "core/calibration/people/detail/held_lenses.h"

#include <algorithm>
#include <cmath>

#include "core/calibration/solve/compare_cameras.h"

namespace vantage::people_calibration_detail {
namespace {

std::vector<Camera> cameras_of(const PeopleSolution& solution) {
  std::vector<Camera> cameras;
  for (const PeopleSolvedCamera& camera : solution.cameras) cameras.push_back(camera.camera);
  return cameras;
}

bool all_determined(const PeopleSolution& solution) {
  return std::ranges::all_of(solution.cameras, &PeopleSolvedCamera::determined);
}

// Changes by which the solution with held lenses differs from that with solved ones, whose worlds are not the
// same.
std::vector<CameraChange> changes_by_lenses(const PeopleSolution& held, const PeopleSolution& freed) {
  std::vector<CameraChange> changes(held.cameras.size(), CameraChange::Zero());
  if (!all_determined(held) || !all_determined(freed)) return changes;
  const auto world = align_cameras(cameras_of(freed), cameras_of(held));
  if (!world) return changes;
  for (size_t c = 0; c < changes.size(); ++c)
    changes[c] = change_between(held.cameras[c].camera, in_changed_world(freed.cameras[c].camera, *world));
  return changes;
}

}  // namespace

void keep_given(const std::vector<Camera>& given, PeopleSolution* solution) {
  for (size_t c = 0; c < given.size(); ++c) {
    PeopleSolvedCamera& camera = solution->cameras[c];
    camera.camera = given[c], camera.change.setZero(), camera.determined = false;
    camera.after_px = camera.before_px, camera.turned_deg = camera.moved_m = 0;
  }
}

void judge_lenses(const std::vector<Camera>& given, const PeopleSolution& freed, PeopleSolution* held) {
  const std::vector<CameraChange> changes = changes_by_lenses(*held, freed);
  bool accepted = all_determined(*held);
  for (size_t c = 0; c < given.size(); ++c) {
    PeopleLens& lens = held->cameras[c].lens = freed.cameras[c].lens;
    lens.verdict = judge_held_lens(lens);
  }
  const bool any_wrong = !wrong_lenses(*held).empty();
  for (size_t c = 0; c < given.size(); ++c) {
    PeopleSolvedCamera& camera = held->cameras[c];
    const Eigen::Matrix<double, kChanges, kChanges> any_lens =
        freed.cameras[c].covariance + changes[c] * changes[c].transpose();
    camera.turned_any_lens_deg = turned_std_deg(any_lens), camera.moved_any_lens_m = moved_std_m(any_lens);
    // A wrong lens bends the poses of all.
    if (any_wrong || camera.lens.verdict == LensVerdict::open) {
      camera.covariance = any_lens;
      camera.turned_std_deg = camera.turned_any_lens_deg, camera.moved_std_m = camera.moved_any_lens_m;
    }
    accepted = accepted && camera.turned_std_deg <= kMaxTurnedStd_deg && camera.moved_std_m <= kMaxMovedStd_m;
  }
  if (!accepted || any_wrong) keep_given(given, held);
}

void open_lenses(const std::vector<Camera>& given, PeopleSolution* held) {
  for (PeopleSolvedCamera& camera : held->cameras) camera.lens.verdict = LensVerdict::open;
  keep_given(given, held);
}

}  // namespace vantage::people_calibration_detail
