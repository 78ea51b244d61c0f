#include "core/calibration/people/refine.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/base/parallel_each.h"
#include "core/calibration/people/detail/held_out.h"
#include "core/calibration/people/detail/moved_cameras.h"
#include "core/calibration/people/detail/solved_poses.h"
#include "core/calibration/people/person_outlines.h"
#include "core/calibration/solve/camera_values.h"

namespace vantage {
namespace {

using namespace people_calibration_detail;

// Minimum ratio of the misses of outlines before to those after: masks have errors in common in all of the
// footage, which a pose can fit.
constexpr double kMinBefore = 1.2;

using Covariance = Eigen::Matrix<double, kChanges, kChanges>;

struct Tried {
  RefineStep step;
  HeldOutCameras cameras;
  std::vector<Covariance> covariances;
  double gain = 0;  // of the held-out data, in the mean
};

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / values.size();
}

class Refiner {
 public:
  Refiner(const RefineInput& input, const StopSource& stop)
      : input_(input), stop_(stop), held_out_(input, stop), current_(held_out_.given()) {
    covariances_.assign(input.cameras.size(), Covariance::Zero());
  }

  Result<Refinement> refine() {
    if (!input_.frames.empty()) VANTAGE_TRY(improve_by(RefineBy::people));
    if (!input_.points.empty()) VANTAGE_TRY(improve_by(RefineBy::points));
    return report();
  }

 private:
  // Camera by camera, the best first, then all that moved at once.
  Status improve_by(RefineBy by) {
    std::vector<size_t> left;
    for (size_t c = 0; c < input_.free.size(); ++c)
      if (input_.free[c]) left.push_back(c);
    const std::vector<size_t> asked = left;
    const HeldOutCameras start = current_;
    const size_t first_step = steps_.size();
    while (!left.empty()) {
      VANTAGE_ASSIGN(std::vector<Tried> tried, try_each(by, left));
      const auto best = std::ranges::max_element(
          tried, {}, [](const Tried& one) { return one.step.taken ? one.gain : -INFINITY; });
      if (!best->step.taken) {
        for (const Tried& one : tried) steps_.push_back(one.step);
        break;
      }
      std::erase(left, best->step.cameras.front());
      take(std::move(*best));
    }
    return asked.size() < 2 ? Status() : improve_together(by, asked, start, first_step);
  }

  Status improve_together(RefineBy by, const std::vector<size_t>& asked, const HeldOutCameras& start,
                          size_t first_step) {
    VANTAGE_ASSIGN(const MovedCameras moved,
                   moved_cameras(start.by_all, asked, input_.grid, [&](const std::vector<size_t>& free) {
                     return by_all(by, start.by_all, free);
                   }));
    std::vector<size_t> cameras = moved.cameras;
    const std::vector<size_t> before = taken_since(first_step);
    while (!cameras.empty()) {
      const bool tried_alone = before.empty() || before == cameras;
      if (cameras.size() == 1 && tried_alone) return {};
      VANTAGE_ASSIGN(Tried all, try_step(by, cameras, start));
      all.step.world_by_centers = moved.open;
      if (all.step.taken && !moved.open) {
        VANTAGE_ASSIGN(const std::vector<size_t> needless, needless_of(all, start));
        std::erase_if(cameras, [&](size_t c) { return std::ranges::find(needless, c) != needless.end(); });
        if (!needless.empty() && !cameras.empty()) continue;
        all.step.taken = !cameras.empty();
        if (cameras.empty()) all.step.why_not = "each of them fits as well at its given pose";
      }
      if (all.step.taken) VANTAGE_TRY(prefer(first_step, &all));
      take(std::move(all));
      return {};
    }
    steps_.push_back({.by = by, .cameras = asked, .why_not = unmoved_text()});
    return {};
  }

  // Outlines miss by so much less that masks' common errors do not explain it.
  static bool beyond_masks(RefineBy by, const HeldOutMiss& miss) {
    return by == RefineBy::points || miss.before >= kMinBefore * miss.after;
  }

  // The cameras of the step that do as well in their given poses, among the others' new ones.
  Result<std::vector<size_t>> needless_of(const Tried& tried, const HeldOutCameras& given) const {
    std::vector<size_t> needless;
    for (const size_t c : tried.step.cameras) {
      HeldOutCameras without = tried.cameras;
      without.put_back(c, given);
      VANTAGE_ASSIGN(const HeldOutGains gains, held_out_.gains(tried.step.by, without, tried.cameras, {c}));
      if (verdict_of(gains.each) != GainVerdict::better || !beyond_masks(tried.step.by, gains.miss))
        needless.push_back(c);
    }
    return needless;
  }

  static std::string unmoved_text() {
    return fmt::format("it moves no position on the floor by {:g} standard deviations", kMinRefineCertainty);
  }

  // The cameras of the steps from this one on that were taken.
  std::vector<size_t> taken_since(size_t first_step) const {
    std::vector<size_t> cameras;
    for (const RefineStep& step : std::span(steps_).subspan(first_step))
      if (step.taken) cameras.insert(cameras.end(), step.cameras.begin(), step.cameras.end());
    std::ranges::sort(cameras);
    return cameras;
  }

  // Prefers all that moved at once to the steps before: if several cameras are wrong, each was placed by
  // others that are.
  Status prefer(size_t first_step, Tried* all) {
    std::vector<size_t> cameras = taken_since(first_step);
    const size_t singles = cameras.size();
    if (singles == 0) return {};
    for (const size_t c : all->step.cameras)
      if (std::ranges::find(cameras, c) == cameras.end()) cameras.push_back(c);
    VANTAGE_ASSIGN(const HeldOutGains gains, held_out_.gains(all->step.by, current_, all->cameras, cameras));
    const GainVerdict verdict = verdict_of(gains.each);
    all->step.taken = singles > 1 ? verdict != GainVerdict::worse
                                  : verdict == GainVerdict::better && beyond_masks(all->step.by, gains.miss);
    if (!all->step.taken) {
      all->step.why_not = "hold-out data do not agree better with it than with the poses accepted before";
      return {};
    }
    for (RefineStep& step : std::span(steps_).subspan(first_step))
      if (step.taken)
        step.taken = false, step.why_not = "more than one camera is wrong: their poses are solved together";
    return {};
  }

  Result<std::vector<Tried>> try_each(RefineBy by, const std::vector<size_t>& cameras) const {
    std::vector<Result<Tried>> results(cameras.size(), Tried());
    parallel_each(cameras.size(), [&](size_t i) { results[i] = try_step(by, {cameras[i]}, current_); });
    std::vector<Tried> tried;
    for (Result<Tried>& result : results) {
      if (!result) return fail(result.error());
      tried.push_back(std::move(*result));
    }
    return tried;
  }

  void take(Tried tried) {
    steps_.push_back(tried.step);
    if (!tried.step.taken) return;
    current_ = std::move(tried.cameras);
    for (const size_t c : tried.step.cameras) covariances_[c] = tried.covariances[c];
  }

  // Failures due to the data are in the step; only others are errors.
  Result<Tried> try_step(RefineBy by, std::vector<size_t> cameras, const HeldOutCameras& from) const {
    if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    Tried tried{{.by = by, .cameras = std::move(cameras)}, from, {}, 0};
    Status judged = by == RefineBy::people ? try_people(from, &tried) : try_points(from, &tried);
    if (!judged && (judged.error().kind == ErrorKind::cancelled || stop_.stop_requested()))
      return fail(ErrorKind::cancelled, "stopped");
    if (!judged)
      tried.step.why_not = judged.error().what;
    else
      tried.step.taken = true;
    return tried;
  }

  static Status refused(std::string why) { return fail(ErrorKind::bad_data, std::move(why), "calibration"); }

  Status try_people(const HeldOutCameras& from, Tried* tried) const {
    const std::vector<size_t>& cameras = tried->step.cameras;
    for (const size_t parity : {0, 1}) {
      VANTAGE_ASSIGN(SolvedPoses part,
                     by_people(from.by_stretches[parity], cameras, held_out_.frames_of(parity)));
      tried->cameras.by_stretches[parity] = std::move(part.cameras);
    }
    VANTAGE_ASSIGN(const HeldOutGains gains, held_out_.people_gains(from, tried->cameras, cameras));
    VANTAGE_TRY(check_gains(gains, "stretches of the footage", tried));
    if (!beyond_masks(RefineBy::people, gains.miss))
      return refused("outlines miss by less than the masks' own errors may be");
    VANTAGE_ASSIGN(SolvedPoses all, by_all(tried->step.by, from.by_all, cameras));
    VANTAGE_TRY(check_certainty(from, all, cameras));
    // No points had a part in any of it yet.
    tried->cameras.by_points.assign(held_out_.turns(), all.cameras);
    tried->cameras.by_all = std::move(all.cameras), tried->covariances = std::move(all.covariances);
    if (verdict_of(held_out_.point_gains(from, tried->cameras, cameras).each) == GainVerdict::worse)
      return refused("the clicked points contradict it");
    return {};
  }

  Status try_points(const HeldOutCameras& from, Tried* tried) const {
    const std::vector<size_t>& cameras = tried->step.cameras;
    for (size_t turn = 0; turn < held_out_.turns(); ++turn) {
      if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
      VANTAGE_ASSIGN(SolvedPoses part,
                     poses_by_points(from.by_points[turn], cameras, held_out_.points_without(turn)));
      tried->cameras.by_points[turn] = std::move(part.cameras);
    }
    VANTAGE_TRY(check_gains(held_out_.point_gains(from, tried->cameras, cameras), "clicked points", tried));
    VANTAGE_ASSIGN(SolvedPoses all, by_all(tried->step.by, from.by_all, cameras));
    VANTAGE_TRY(check_certainty(from, all, cameras));
    tried->cameras.by_all = std::move(all.cameras), tried->covariances = std::move(all.covariances);
    for (std::vector<Camera>& part : tried->cameras.by_stretches) {
      VANTAGE_ASSIGN(SolvedPoses solved, poses_by_points(part, cameras, input_.points));
      part = std::move(solved.cameras);
    }
    VANTAGE_ASSIGN(const HeldOutGains against, held_out_.people_gains(from, tried->cameras, cameras));
    if (verdict_of(against.each) == GainVerdict::worse)
      return refused("the outlines of people contradict it");
    return {};
  }

  static Status check_gains(const HeldOutGains& gains, const char* of, Tried* tried) {
    tried->gain = mean_of(gains.each), tried->step.miss = gains.miss;
    switch (verdict_of(gains.each)) {
      case GainVerdict::better:
        return {};
      case GainVerdict::too_few:
        return refused(
            fmt::format("only {} {} test it; at least {} are needed", gains.each.size(), of, kMinGains));
      default:
        return refused(fmt::format("{} that were held out do not agree better with it", of));
    }
  }

  Status check_certainty(const HeldOutCameras& from, const SolvedPoses& solved,
                         const std::vector<size_t>& cameras) const {
    for (const size_t c : cameras)
      if (moves(from.by_all[c], solved.cameras[c], solved.covariances[c], input_.grid)) return {};
    return refused(unmoved_text());
  }

  Result<SolvedPoses> by_people(const std::vector<Camera>& start, const std::vector<size_t>& cameras,
                                const std::vector<PeopleFrame>& frames) const {
    return poses_by_people(start, cameras, frames, input_.grid, stop_);
  }

  // Solves by all data of the kind.
  Result<SolvedPoses> by_all(RefineBy by, const std::vector<Camera>& start,
                             const std::vector<size_t>& cameras) const {
    return by == RefineBy::people ? by_people(start, cameras, held_out_.frames())
                                  : poses_by_points(start, cameras, input_.points);
  }

  Result<Refinement> report() const {
    Refinement all;
    all.steps = steps_;
    all.accepted = std::ranges::any_of(steps_, &RefineStep::taken);
    const HeldOutCameras given = held_out_.given();
    VANTAGE_ASSIGN(const auto people, held_out_.people_misses(given, current_));
    const auto points = held_out_.point_misses(given, current_);
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      RefinedCamera camera{.camera = current_.by_all[c]};
      camera.people = people[c], camera.points = points[c];
      const bool tried = std::ranges::any_of(steps_, [c](const RefineStep& step) {
        return step.taken && std::ranges::find(step.cameras, c) != step.cameras.end();
      });
      camera.change = change_between(input_.cameras[c], camera.camera);
      camera.changed = tried && !camera.change.isZero(0);
      if (!camera.changed) camera.change = CameraChange::Zero();
      if (camera.changed) {
        camera.turned_deg = camera.change.head<3>().norm() * 180 / M_PI;
        camera.moved_m = camera.change.segment<3>(3).norm();
        camera.turned_std_deg = turned_std_deg(covariances_[c]);
        camera.moved_std_m = moved_std_m(covariances_[c]);
        const FloorEffect floor =
            floor_effect(input_.cameras[c], camera.change, covariances_[c], input_.grid);
        camera.floor_m = floor.largest_m, camera.floor_std_m = floor.sigma_m;
      }
      all.cameras.push_back(std::move(camera));
    }
    return all;
  }

  const RefineInput& input_;
  const StopSource& stop_;
  const HeldOut held_out_;
  HeldOutCameras current_;
  std::vector<Covariance> covariances_;  // of the last change of each camera
  std::vector<RefineStep> steps_;
};

}  // namespace

Result<Refinement> refine_cameras(const RefineInput& input, const StopSource& stop) {
  if (std::ranges::find(input.free, true) == input.free.end())
    return fail(ErrorKind::invalid_argument, "no camera is free", "calibration", "Name cameras, or all.");
  if (input.frames.empty() && input.points.empty())
    return fail(ErrorKind::invalid_argument, "there are neither people nor clicked points", "calibration",
                "Record people who walk, or click points.");
  return Refiner(input, stop).refine();
}

}  // namespace vantage
