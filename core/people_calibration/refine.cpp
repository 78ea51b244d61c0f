#include "core/people_calibration/refine.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/base/formatted.h"
#include "core/base/parallel_each.h"
#include "core/calibrate/compare_cameras.h"
#include "core/calibrate/points_solve.h"
#include "core/people_calibration/detail/held_out.h"
#include "core/people_calibration/outline_misses.h"
#include "core/people_calibration/people_solve.h"

namespace vantage {
namespace {

using namespace people_calibration_detail;

// Masks have errors in common in all of the footage, which a pose can fit: outlines must have missed by so
// many times what they then miss by.
constexpr double kMinBefore = 1.2;

using Covariance = Eigen::Matrix<double, kChanges, kChanges>;

struct SolvedPoses {
  std::vector<Camera> cameras;
  std::vector<Covariance> covariances;  // by camera; 0: held
};

struct Tried {
  RefineStep step;
  HeldOutCameras cameras;
  std::vector<Covariance> covariances;
  double gain = 0;  // of the data held out, in the mean
};

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / values.size();
}

// Cameras that are not free to the last digit as they were.
void hold(const std::vector<Camera>& start, const std::vector<size_t>& free, SolvedPoses* solved) {
  for (size_t c = 0; c < start.size(); ++c)
    if (std::ranges::find(free, c) == free.end()) solved->cameras[c] = start[c];
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
  // Camera by camera, the best first, and all that may be changed at once.
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
    if (asked.size() < 2) return {};
    VANTAGE_ASSIGN(Tried all, try_step(by, asked, start));
    if (all.step.taken) VANTAGE_TRY(prefer(first_step, &all));
    take(std::move(all));
    return {};
  }

  // All at once in place of the steps before. Where several cameras are wrong, each was placed by others that
  // are: these moved the world with them.
  Status prefer(size_t first_step, Tried* all) {
    const auto steps = std::span(steps_).subspan(first_step);
    const auto singles = std::ranges::count_if(steps, &RefineStep::taken);
    if (singles == 0) return {};
    const std::vector<size_t>& cameras = all->step.cameras;
    HeldOutGains gains;
    if (all->step.by == RefineBy::people) {
      VANTAGE_ASSIGN(gains, held_out_.people_gains(current_, all->cameras, cameras));
    } else {
      gains = held_out_.point_gains(current_, all->cameras, cameras);
    }
    const GainVerdict verdict = verdict_of(gains.each);
    all->step.taken =
        singles > 1 ? verdict != GainVerdict::worse
                    : verdict == GainVerdict::better && gains.miss.before >= kMinBefore * gains.miss.after;
    if (!all->step.taken) {
      all->step.why_not = "held-out data do not agree better with it than with what was taken before";
      return {};
    }
    for (RefineStep& step : steps)
      if (step.taken)
        step.taken = false, step.why_not = "more than one camera is wrong: all are placed at once";
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

  // What data say against it is in the step; only what is not about data is an error.
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
    if (gains.miss.before < kMinBefore * gains.miss.after)
      return refused("outlines miss by less than the masks' own errors may be");
    VANTAGE_ASSIGN(SolvedPoses all, by_people(from.by_all, cameras, input_.frames));
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
                     by_points(from.by_points[turn], cameras, held_out_.points_without(turn)));
      tried->cameras.by_points[turn] = std::move(part.cameras);
    }
    VANTAGE_TRY(check_gains(held_out_.point_gains(from, tried->cameras, cameras), "clicked points", tried));
    VANTAGE_ASSIGN(SolvedPoses all, by_points(from.by_all, cameras, input_.points));
    VANTAGE_TRY(check_certainty(from, all, cameras));
    tried->cameras.by_all = std::move(all.cameras), tried->covariances = std::move(all.covariances);
    for (std::vector<Camera>& part : tried->cameras.by_stretches) {
      VANTAGE_ASSIGN(SolvedPoses solved, by_points(part, cameras, input_.points));
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
            formatted("only %zu %s tell of it; at least %zu are needed", gains.each.size(), of, kMinGains));
      default:
        return refused(formatted("%s that were held out do not agree better with it", of));
    }
  }

  Status check_certainty(const HeldOutCameras& from, const SolvedPoses& solved,
                         const std::vector<size_t>& cameras) const {
    for (const size_t c : cameras) {
      const Camera& before = from.by_all[c];
      if (floor_effect(before, change_between(before, solved.cameras[c]), solved.covariances[c], input_.grid)
              .certainty >= kMinRefineCertainty)
        return {};
    }
    return refused(
        formatted("it moves no place on the floor by %g standard deviations", kMinRefineCertainty));
  }

  Result<SolvedPoses> by_people(const std::vector<Camera>& start, const std::vector<size_t>& cameras,
                                const std::vector<PeopleFrame>& frames) const {
    PeopleSolveInput solve{start, std::vector<bool>(start.size(), false), frames, floor_around(input_.grid)};
    for (const size_t c : cameras) solve.free[c] = true;
    solve.judge_lenses = false;  // held-out data judge what comes of it
    VANTAGE_ASSIGN(const PeopleSolution solution, solve_from_people(solve, stop_));
    SolvedPoses solved;
    bool determined = false;
    for (const PeopleSolvedCamera& camera : solution.cameras) {
      determined |= camera.free && camera.determined;
      solved.cameras.push_back(camera.camera), solved.covariances.push_back(camera.covariance);
    }
    if (!determined) return fail(ErrorKind::bad_data, "the footage leaves it open", "calibration");
    hold(start, cameras, &solved);
    if (!solution.all_free) return solved;
    // Feet say less of where the floor is than the cameras that stand right.
    VANTAGE_ASSIGN(const WorldChange back, align_cameras(solved.cameras, start));
    for (Camera& camera : solved.cameras) camera = in_changed_world(camera, back);
    return solved;
  }

  Result<SolvedPoses> by_points(const std::vector<Camera>& start, const std::vector<size_t>& cameras,
                                const std::vector<ClickedPoint>& points) const {
    PointsInput solve;
    for (size_t c = 0; c < start.size(); ++c)
      solve.cameras.push_back({start[c], std::ranges::find(cameras, c) != cameras.end(), false});
    solve.points = points;
    VANTAGE_ASSIGN(const PointsSolution solution, solve_points(solve));
    SolvedPoses solved;
    for (const PointsSolvedCamera& camera : solution.cameras)
      solved.cameras.push_back(camera.camera), solved.covariances.push_back(camera.covariance);
    hold(start, cameras, &solved);
    return solved;
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
        camera.turned_std_deg = std::sqrt(covariances_[c].diagonal().head<3>().sum()) * 180 / M_PI;
        camera.moved_std_m = std::sqrt(covariances_[c].diagonal().segment<3>(3).sum());
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
    return fail(ErrorKind::invalid_argument, "no camera may be changed", "calibration",
                "Name cameras, or all.");
  if (input.frames.empty() && input.points.empty())
    return fail(ErrorKind::invalid_argument, "there are neither people nor clicked points", "calibration",
                "Record people who walk, or click points.");
  return Refiner(input, stop).refine();
}

}  // namespace vantage
