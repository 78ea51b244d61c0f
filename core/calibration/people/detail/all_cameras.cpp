#include "core/calibration/people/detail/all_cameras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/calibration/adjust/gauge.h"
#include "core/calibration/adjust/uncertainty.h"
#include "core/calibration/people/detail/first_rotations.h"
#include "core/calibration/people/detail/people_footage.h"
#include "core/calibration/people/detail/pose_uncertainty.h"
#include "core/calibration/people/detail/upright_people.h"
#include "core/calibration/people/people_solve.h"
#include "core/calibration/solve/camera_values.h"
#include "core/calibration/solve/measure.h"
#include "core/geometry/camera.h"

namespace vantage::people_calibration_detail {
namespace {

// Fixed lenses judged by a solution that solved them from the same footage.

std::vector<Camera> cameras_of(const PeopleSolution& solution) {
  std::vector<Camera> cameras;
  for (const PeopleSolvedCamera& camera : solution.cameras) cameras.push_back(camera.camera);
  return cameras;
}

bool all_determined(const PeopleSolution& solution) {
  return std::ranges::all_of(solution.cameras, &PeopleSolvedCamera::determined);
}

// Changes from the solution with fixed lenses to that with solved ones, whose worlds differ.
std::vector<CameraChange> changes_by_lenses(const PeopleSolution& fixed, const PeopleSolution& free) {
  std::vector<CameraChange> changes(fixed.cameras.size(), CameraChange::Zero());
  if (!all_determined(fixed) || !all_determined(free)) return changes;
  const auto world = align_cameras(cameras_of(free), cameras_of(fixed));
  if (!world) return changes;
  for (size_t c = 0; c < changes.size(); ++c)
    changes[c] = change_between(fixed.cameras[c].camera, in_changed_world(free.cameras[c].camera, *world));
  return changes;
}

// The given cameras instead of solved ones.
void keep_given(const std::vector<Camera>& given, PeopleSolution* solution) {
  for (size_t c = 0; c < given.size(); ++c) {
    PeopleSolvedCamera& camera = solution->cameras[c];
    camera.camera = given[c], camera.change.setZero(), camera.determined = false;
    camera.after_px = camera.before_px, camera.turned_deg = camera.moved_m = 0;
  }
}

// Fills in the verdicts of `fixed`, and the deviations of its poses whatever the lenses are. These are
// reported of a camera whose lens is open, and of all if one is wrong. If one is wrong, or a pose is open
// then, all remain as given.
void judge_lenses(const std::vector<Camera>& given, const PeopleSolution& free, PeopleSolution* fixed) {
  const std::vector<CameraChange> changes = changes_by_lenses(*fixed, free);
  bool accepted = all_determined(*fixed);
  for (size_t c = 0; c < given.size(); ++c) {
    PeopleLens& lens = fixed->cameras[c].lens = free.cameras[c].lens;
    lens.verdict = judge_fixed_lens(lens);
  }
  const bool any_wrong = !wrong_lenses(*fixed).empty();
  for (size_t c = 0; c < given.size(); ++c) {
    PeopleSolvedCamera& camera = fixed->cameras[c];
    const Eigen::Matrix<double, kChanges, kChanges> any_lens =
        free.cameras[c].covariance + changes[c] * changes[c].transpose();
    camera.turned_any_lens_deg = turned_std_deg(any_lens), camera.moved_any_lens_m = moved_std_m(any_lens);
    // A wrong lens bends the poses of all.
    if (any_wrong || camera.lens.verdict == LensVerdict::open) {
      camera.covariance = any_lens;
      camera.turned_std_deg = camera.turned_any_lens_deg, camera.moved_std_m = camera.moved_any_lens_m;
    }
    accepted = accepted && camera.turned_std_deg <= kMaxTurnedStd_deg && camera.moved_std_m <= kMaxMovedStd_m;
  }
  if (!accepted || any_wrong) keep_given(given, fixed);
}

// Verdicts if lenses cannot be solved: all are open, and so are the poses.
void open_lenses(const std::vector<Camera>& given, PeopleSolution* fixed) {
  for (PeopleSolvedCamera& camera : fixed->cameras) camera.lens.verdict = LensVerdict::open;
  keep_given(given, fixed);
}

// Each turn finds people, assigns outlines to them, and improves all poses. Marks and tangents may miss by
// less from turn to turn; tangents, exact but only near the solution, come in later.
struct Turn {
  double reach;       // PeopleFootage::assign()
  double widened;     // UprightProblem
  double scatter_px;  // TangentProblem
  bool tangents, lenses;
};
constexpr std::array<Turn, 8> kTurns = {{{0.35, 8, 20, false, false},
                                         {0.3, 5, 12, false, false},
                                         {0.25, 3, 8, true, true},
                                         {0.2, 2, 5, true, true},
                                         {0.2, 1, 3, true, true},
                                         {0.2, 1, 2, true, true},
                                         {0.2, 1, 1, true, true},
                                         {0.2, 1, 0.5, true, true}}};
// Maximum move of a person between two frames that are at most so many frames apart.
constexpr double kLinked_m = 0.6;
constexpr int64_t kLinkedFrames = 12;

class AllCamerasSolver {
 public:
  AllCamerasSolver(const PeopleSolveInput& input, const StopSource& stop)
      : input_(input), stop_(stop), footage_(input), tangents_(input.cameras) {
    tangents_.free = all(), tangents_.stop = stop_;
  }

  Result<PeopleSolution> solve() {
    if (footage_.frames().size() < 2 * kParts)
      return fail(ErrorKind::bad_data, "too few frames show people in two cameras", "calibration",
                  "Take a longer recording in which people walk through what the cameras see.");
    if (input_.mean_height_m && !(*input_.mean_height_m > 0))
      return fail(ErrorKind::invalid_argument, "the mean height must be above 0 m", "calibration");
    VANTAGE_TRY(choose_start());
    for (const Turn& turn : kTurns) {
      if (&turn != kTurns.data()) {
        VANTAGE_ASSIGN(const std::vector<Camera> cameras, presents());
        VANTAGE_ASSIGN(people_, footage_.find_people(cameras, all(), stop_));
      }
      VANTAGE_TRY(give_outlines(turn.reach));
      VANTAGE_TRY(check_outlines());
      weigh_by_place();
      if (!turn.tangents) tangents_.pairs.clear();
      tangents_.scatter_px = {turn.scatter_px, turn.scatter_px};
      upright_.widened = turn.widened;
      tangents_.solve_lenses = input_.solve_lenses && turn.lenses;
      VANTAGE_ASSIGN(covariance_, adjust_all(&tangents_, &upright_));
    }
    return solution();
  }

 private:
  // Errors: bad_data where a solved lens is not valid.
  Result<std::vector<Camera>> presents() const {
    std::vector<Camera> cameras;
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      const auto moved = changed_camera(input_.cameras[c], camera_change(tangents_.changes[c]));
      auto camera = moved ? with_lens(*moved, tangents_.lenses[c]) : Result<Camera>(input_.cameras[c]);
      if (!moved || !camera)
        return fail(ErrorKind::bad_data, "the solved camera is not valid: people do not determine it",
                    input_.cameras[c].name(),
                    input_.solve_lenses ? "Fix the lenses, or take a longer recording."
                                        : "Take a longer recording, or a better calibration to start from.");
      cameras.push_back(std::move(*camera));
    }
    return cameras;
  }
  std::vector<bool> all() const { return std::vector<bool>(input_.cameras.size(), true); }

  // The given poses, or turned by the boxes' displacements: whichever explain more people in more cameras.
  Status choose_start() {
    const std::vector<PoseChange> given(input_.cameras.size());
    int64_t most = -1;
    std::vector<PoseChange> best;
    FoundPeople best_people;
    for (const auto& changes : {given, first_rotations(input_.cameras, footage_, stop_)}) {
      tangents_.changes = changes;
      VANTAGE_ASSIGN(const std::vector<Camera> cameras, presents());
      VANTAGE_ASSIGN(people_, footage_.find_people(cameras, all(), stop_));
      VANTAGE_ASSIGN(const int64_t explained, give_outlines(kTurns.front().reach));
      if (explained > most) most = explained, best = changes, best_people = people_;
    }
    tangents_.changes = best, people_ = std::move(best_people);
    return {};
  }

  // The number of outlines less that of people.
  Result<int64_t> give_outlines(double reach) {
    tangents_.outlines.clear(), tangents_.pairs.clear();
    measured_.outlines.clear(), measured_.pairs.clear();
    upright_.people.clear(), upright_.heights_m.clear(), upright_.marks.clear();
    tangent_people_.clear();
    outlines_of_.assign(input_.cameras.size(), 0);
    int64_t explained = 0;
    VANTAGE_ASSIGN(const std::vector<Camera> cameras, presents());
    lens_slopes_.clear();
    for (const Camera& camera : cameras) lens_slopes_.emplace_back(camera);
    if (input_.solve_lenses) footage_.see_by(cameras, true);
    tangents_.seen_by = tangents_.lenses;
    std::vector<size_t> before;  // people of the frame before, in upright_.people
    for (size_t f = 0; f < footage_.frames().size(); ++f) {
      std::vector<std::vector<int>> assigned;
      for (size_t c = 0; c < cameras.size(); ++c)
        assigned.push_back(footage_.assign(f, c, cameras[c], people_[f], reach));
      std::vector<size_t> now;
      for (size_t p = 0; p < people_[f].size(); ++p) {
        const auto shown =
            std::count_if(assigned.begin(), assigned.end(), [p](const auto& its) { return its[p] >= 0; });
        if (shown < 2) continue;
        explained += shown - 1;
        now.push_back(upright_.people.size());
        add_person(f, p, before);
        std::vector<size_t> pieces, seen;
        for (size_t c = 0; c < cameras.size(); ++c)
          if (assigned[c][p] >= 0)
            add_outline(f, c, static_cast<size_t>(assigned[c][p]), now.back(), &pieces, &seen);
        for (size_t b = 0; b < pieces.size(); ++b)
          for (size_t a = 0; a < b; ++a) tangents_.pairs.push_back({pieces[a], pieces[b]});
        for (size_t b = 0; b < seen.size(); ++b)
          for (size_t a = 0; a < b; ++a) measured_.pairs.push_back({seen[a], seen[b]});
      }
      before = std::move(now);
    }
    return explained;
  }

  // Continues the track of the person near it in the frame before, who has no one else near.
  void add_person(size_t f, size_t p, const std::vector<size_t>& before) {
    const FoundPerson& person = people_[f][p];
    const auto near = [&](double x, double y) {
      return std::hypot(person.x_m - x, person.y_m - y) < kLinked_m;
    };
    std::optional<size_t> track;
    int around = 0;
    for (const size_t one : before)
      if (footage_.frames()[f]->frame - upright_.people[one].frame <= kLinkedFrames &&
          near(upright_.people[one].at_m[0], upright_.people[one].at_m[1]))
        track = upright_.people[one].track, ++around;
    for (const FoundPerson& other : people_[f])
      if (&other != &person && near(other.x_m, other.y_m)) ++around;
    if (around != 1 || !track) {
      track = upright_.heights_m.size();
      upright_.heights_m.push_back(person.height_m);
    }
    upright_.people.push_back({footage_.frames()[f]->frame, *track, {person.x_m, person.y_m}});
  }

  void add_outline(size_t f, size_t c, size_t number, size_t person, std::vector<size_t>* pieces,
                   std::vector<size_t>* seen_in) {
    ++outlines_of_[c];
    const PersonOutline& outline = footage_.frames()[f]->cameras[c][number];
    const UprightMark mark = mark_of(outline, input_.cameras[c], c, person);
    upright_.marks.push_back(mark);
    if (const auto& body = footage_.body(f, c, number)) {
      pieces->push_back(tangents_.outlines.size());
      tangents_.outlines.push_back(*body);
      tangent_people_.push_back(person);
      seen_in->push_back(measured_.outlines.size());
      measured_.outlines.push_back(*body);
    } else if (const auto at = lens_slopes_[c].at(
                   {(mark.left_px + mark.right_px) / 2, (mark.top_px + mark.bottom_px) / 2});
               at && mark.top_std_px > 0 && mark.bottom_std_px > 0 && mark.middle_std_px > 0) {
      // The middle of a box is about the body's: two cameras' rays to it lie in one plane with their centres.
      const Eigen::Vector3d ray = Eigen::Vector3d(at->at.x(), at->at.y(), 1);
      Eigen::Matrix<double, 3, 2> slopes = Eigen::Matrix<double, 3, 2>::Zero();
      slopes.topRows<2>() = at->slopes / ray.norm();
      seen_in->push_back(measured_.outlines.size());
      measured_.outlines.push_back(
          {c, footage_.frames()[f]->frame, {ray.normalized()}, {slopes}, {false}, ray.normalized()});
    }
  }

  Status check_outlines() const {
    for (size_t c = 0; c < input_.cameras.size(); ++c)
      if (outlines_of_[c] < kMinOutlines) return too_few_outlines(input_.cameras[c], outlines_of_[c]);
    return {};
  }

  // Weighs positions equally: a person who stands still shows the same in every frame.
  void weigh_by_place() {
    std::map<std::pair<long, long>, int> places;
    const auto place = [&](size_t person) {
      const auto& at_m = upright_.people[person].at_m;
      return std::pair(std::lround(at_m[0] / kPlace_m), std::lround(at_m[1] / kPlace_m));
    };
    for (size_t person = 0; person < upright_.people.size(); ++person) ++places[place(person)];
    for (UprightMark& mark : upright_.marks) mark.weight = 1.0 / places[place(mark.person)];
    for (OutlinePair& pair : tangents_.pairs) pair.weight = 1.0 / places[place(tangent_people_[pair.first])];
  }

  // Misses of outlines and middles of boxes, as a standard deviation where nothing hides them.
  double scatter_of_px(const std::vector<PoseChange>& changes, const std::vector<LensChange>& lenses,
                       size_t camera) const {
    const auto its = [camera](size_t a, size_t b) { return a == camera || b == camera; };
    return robust_scatter(misses_px(measured_, tangents_.poses(changes, lenses), its), kWhereSeen);
  }

  Result<Eigen::MatrixXd> shape_covariance() const {
    VANTAGE_ASSIGN(const std::vector<Camera> cameras, presents());
    return covariance_by_parts(tangents_, upright_, tangent_people_, covariance_,
                               without_gauge_freedom(cameras), stop_);
  }

  // The mean height of the people, each position counted once, as in weigh_by_place().
  double mean_height_m() const {
    double sum = 0, weights = 0;
    for (const UprightMark& mark : upright_.marks)
      if (mark.top_std_px > 0) {
        sum += mark.weight * upright_.heights_m[upright_.people[mark.person].track];
        weights += mark.weight;
      }
    return weights > 0 ? sum / weights : 0;
  }

  Result<PeopleSolution> solution() const {
    VANTAGE_ASSIGN(const Eigen::MatrixXd covariance, shape_covariance());
    const std::vector<PoseChange> given(input_.cameras.size());
    const std::vector<LensChange> given_lenses(input_.cameras.size());
    PeopleSolution all;
    all.frames = static_cast<int64_t>(footage_.frames().size());
    all.people = static_cast<int64_t>(upright_.people.size());
    all.all_free = true;
    all.mean_height_m = mean_height_m();
    if (input_.mean_height_m && !(all.mean_height_m > 0))
      return fail(ErrorKind::bad_data, "no camera shows a head: people's height gives no scale",
                  "calibration");
    const double scale = input_.mean_height_m ? *input_.mean_height_m / all.mean_height_m : 1;
    all.scale = scale, all.mean_height_m *= scale;
    WorldChange stretch;
    stretch.scale = scale;
    bool determined = true;
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      PeopleSolvedCamera solved;
      solved.free = true, solved.outlines = outlines_of_[c];
      solved.before_px = scatter_of_px(given, given_lenses, c);
      solved.after_px = scatter_of_px(tangents_.changes, tangents_.lenses, c);
      const auto at = static_cast<Eigen::Index>(6 * c);
      solved.covariance.topLeftCorner<6, 6>() = covariance.block<6, 6>(at, at);
      if (tangents_.solve_lenses) {
        const auto lens = static_cast<Eigen::Index>(6 * input_.cameras.size() + 2 * c);
        solved.covariance.block<6, 1>(0, 6) = covariance.block<6, 1>(at, lens);
        solved.covariance.block<1, 6>(6, 0) = covariance.block<1, 6>(lens, at);
        solved.covariance(6, 6) = covariance(lens, lens);
        PeopleLens& its = solved.lens;
        its.focal_change = tangents_.lenses[c][0], its.focal_std = std::sqrt(covariance(lens, lens));
        its.k1_change = tangents_.lenses[c][1], its.k1_std = std::sqrt(covariance(lens + 1, lens + 1));
        its.corner_px = corner_shift_px(input_.cameras[c], its.k1_change);
        its.verdict = its.focal_std <= kMaxFocalStd && its.k1_std <= kMaxK1Std ? LensVerdict::solved
                                                                               : LensVerdict::barely_solved;
      }
      solved.covariance.middleRows<3>(3) *= scale, solved.covariance.middleCols<3>(3) *= scale;
      solved.turned_std_deg = turned_std_deg(solved.covariance);
      solved.moved_std_m = moved_std_m(solved.covariance);
      determined =
          determined && solved.turned_std_deg <= kMaxTurnedStd_deg && solved.moved_std_m <= kMaxMovedStd_m;
      all.cameras.push_back(std::move(solved));
    }
    VANTAGE_ASSIGN(const std::vector<Camera> cameras, presents());
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      PeopleSolvedCamera& solved = all.cameras[c];
      solved.camera = in_changed_world(cameras[c], stretch);
      solved.change = change_between(input_.cameras[c], solved.camera);
      solved.turned_deg = solved.change.head<3>().norm() * 180 / M_PI;
      solved.moved_m = solved.change.segment<3>(3).norm();
    }
    // One open camera leaves the others open, too: poses are common to all.
    if (!determined) keep_given(input_.cameras, &all);
    return all;
  }

  const PeopleSolveInput& input_;
  const StopSource& stop_;
  PeopleFootage footage_;
  FoundPeople people_;
  TangentProblem tangents_;
  UprightProblem upright_;
  std::vector<size_t> tangent_people_;   // of tangents_.outlines, in upright_.people
  TangentProblem measured_;              // outlines and middles of boxes, for what they miss by
  Eigen::MatrixXd covariance_;           // of all changes, then of lenses where they are solved
  std::vector<LensSlopes> lens_slopes_;  // cameras, by the present lenses
  std::vector<int64_t> outlines_of_;     // cameras
};

}  // namespace

Result<PeopleSolution> solve_all_cameras(const PeopleSolveInput& input, const StopSource& stop) {
  VANTAGE_ASSIGN(PeopleSolution solution, AllCamerasSolver(input, stop).solve());
  if (input.solve_lenses || !input.judge_lenses) return solution;
  PeopleSolveInput with_lenses = input;
  with_lenses.solve_lenses = true;
  const auto freed = AllCamerasSolver(with_lenses, stop).solve();
  if (!freed && freed.error().kind == ErrorKind::cancelled) return fail(freed.error());
  if (freed)
    judge_lenses(input.cameras, *freed, &solution);
  else
    open_lenses(input.cameras, &solution);
  return solution;
}

}  // namespace vantage::people_calibration_detail
