#include "core/people_calibration/detail/all_cameras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/base/quantile.h"
#include "core/geometry/world_change.h"
#include "core/people_calibration/detail/first_rotations.h"
#include "core/people_calibration/detail/people_footage.h"
#include "core/people_calibration/detail/unseen.h"
#include "core/people_calibration/detail/upright_people.h"

namespace vantage::people_calibration_detail {
namespace {

// In each turn people are found, outlines given to them, and all poses improved. Marks and tangents are
// allowed to miss by less from turn to turn; tangents, which are exact but know no way, come in later.
struct Turn {
  double reach;       // PeopleFootage::assign()
  double widened;     // UprightProblem
  double scatter_px;  // TangentProblem
  bool tangents;
};
constexpr std::array<Turn, 8> kTurns = {{{0.35, 8, 20, false},
                                         {0.3, 5, 12, false},
                                         {0.25, 3, 8, true},
                                         {0.2, 2, 5, true},
                                         {0.2, 1, 3, true},
                                         {0.2, 1, 2, true},
                                         {0.2, 1, 1, true},
                                         {0.2, 1, 0.5, true}}};
// The scatter of what nothing hides is that of the best fifth, as of cameras placed against others.
constexpr double kBest = 0.2, kOfDeviation = 0.2533;
// Somebody moves by less from one frame to another that lies so few frames behind it.
constexpr double kLinked_m = 0.6;
constexpr int64_t kLinkedFrames = 12;
constexpr double kBorder_px = 3;  // boxes that end nearer to the picture's border may be cut off there
constexpr double kPlace_m = 0.25;
constexpr double kTopShare = 0.02;  // of an outline's height: its corners that high are the head's
// Standard deviations of marks, pixels and shares of the box's height: across and upright.
struct MarkDeviation {
  double px, across, upright;
};
constexpr MarkDeviation kOutlineHead = {1, 0.03, 0.012}, kBoxHead = {1.5, 0.04, 0.02},
                        kFeet = {2, 0.06, 0.03};
constexpr double kNotSeen_px = 1e3;  // of what a border cuts off
// Of the covariance that places counted once leave, and by how much parts of the footage overstate shifts:
// chosen on two rendered rooms (resources/docs/performance/calibration.md).
constexpr double kLeftOpen = 0.06, kShiftShare = 0.6;

class AllCamerasSolver {
 public:
  AllCamerasSolver(const PeopleSolveInput& input, const StopSource& stop)
      : input_(input), stop_(stop), footage_(input) {}

  Result<PeopleSolution> solve() {
    tangents_.cameras = input_.cameras, tangents_.stop = stop_;
    tangents_.free.assign(input_.cameras.size(), true);
    if (footage_.frames().size() < 2 * kParts)
      return fail(ErrorKind::bad_data, "too few frames show people in two cameras", "calibration",
                  "Take a longer recording in which people walk through what the cameras see.");
    if (input_.mean_height_m && !(*input_.mean_height_m > 0))
      return fail(ErrorKind::invalid_argument, "a mean height is above 0 m", "calibration");
    VANTAGE_TRY(choose_start());
    for (const Turn& turn : kTurns) {
      if (&turn != kTurns.data()) {
        VANTAGE_ASSIGN(people_, footage_.find_people(presents(), all(), stop_));
      }
      give_outlines(turn.reach);
      VANTAGE_TRY(check_outlines());
      weigh_by_place();
      if (!turn.tangents) tangents_.pairs.clear();
      tangents_.scatter_px = {turn.scatter_px, turn.scatter_px};
      upright_.widened = turn.widened;
      VANTAGE_ASSIGN(covariance_, adjust_all(&tangents_, &upright_, 0, 0));
    }
    return solution();
  }

 private:
  std::vector<Camera> presents() const {
    std::vector<Camera> cameras;
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      CameraChange change = CameraChange::Zero();
      for (size_t i = 0; i < 6; ++i) change[static_cast<Eigen::Index>(i)] = tangents_.changes[c][i];
      cameras.push_back(changed_camera(input_.cameras[c], change).value_or(input_.cameras[c]));
    }
    return cameras;
  }
  std::vector<bool> all() const { return std::vector<bool>(input_.cameras.size(), true); }

  // The given poses, or turned as the boxes' displacements say: what explains more people in more cameras.
  Status choose_start() {
    const std::vector<PoseChange> given(input_.cameras.size());
    int64_t most = -1;
    std::vector<PoseChange> best;
    FoundPeople best_people;
    for (const auto& changes : {given, first_rotations(input_.cameras, footage_, stop_)}) {
      tangents_.changes = changes;
      VANTAGE_ASSIGN(people_, footage_.find_people(presents(), all(), stop_));
      const int64_t explained = give_outlines(kTurns.front().reach);
      if (explained > most) most = explained, best = changes, best_people = people_;
    }
    tangents_.changes = best, people_ = std::move(best_people);
    return {};
  }

  // How many more outlines than people there are.
  int64_t give_outlines(double reach) {
    tangents_.outlines.clear(), tangents_.pairs.clear();
    measured_.outlines.clear(), measured_.pairs.clear();
    upright_.people.clear(), upright_.heights_m.clear(), upright_.marks.clear();
    tangent_people_.clear();
    outlines_of_.assign(input_.cameras.size(), 0);
    int64_t explained = 0;
    const std::vector<Camera> cameras = presents();
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

  // In the track of whoever of the frame before is near, and has nobody else near.
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

  // Of an outline the middle of its uppermost corners, of a box its middle.
  static double head_across_px(const PersonOutline& outline) {
    double sum = 0;
    int count = 0;
    for (const Eigen::Vector2d& corner : outline.hull_px)
      if (corner.y() < outline.box.top_px + kTopShare * outline.box.height_px) sum += corner.x(), ++count;
    return count > 0 ? sum / count : place_of(outline.box).middle_px;
  }

  void add_outline(size_t f, size_t c, size_t number, size_t person, std::vector<size_t>* pieces,
                   std::vector<size_t>* seen_in) {
    ++outlines_of_[c];
    const PersonOutline& outline = footage_.frames()[f]->cameras[c][number];
    const Camera& camera = input_.cameras[c];
    const BoxPlace seen = place_of(outline.box);
    const double right_px = outline.box.left_px + outline.box.width_px,
                 bottom_px = seen.top_px + seen.height_px;
    const bool side_cut = outline.box.left_px < kBorder_px || right_px > camera.width_px() - kBorder_px;
    const auto add = [&](bool head, double x, double y, const MarkDeviation& deviation) {
      const double across = deviation.px + deviation.across * seen.height_px;
      if (const auto at = camera.undistort({x, y}))
        upright_.marks.push_back(
            {c,
             person,
             head,
             *at,
             {side_cut ? kNotSeen_px : across, deviation.px + deviation.upright * seen.height_px}});
    };
    const double head_x = head_across_px(outline);
    if (seen.top_px > kBorder_px)
      add(true, head_x, seen.top_px, outline.hull_px.empty() ? kBoxHead : kOutlineHead);
    if (bottom_px < camera.height_px() - kBorder_px) add(false, seen.middle_px, bottom_px, kFeet);
    if (const auto& body = footage_.body(f, c, number)) {
      pieces->push_back(tangents_.outlines.size());
      tangents_.outlines.push_back(*body);
      tangent_people_.push_back(person);
      seen_in->push_back(measured_.outlines.size());
      measured_.outlines.push_back(*body);
    } else if (const auto at = camera.undistort({head_x, seen.top_px}); at && seen.top_px > kBorder_px) {
      // Of a box the head alone: two cameras' rays to it lie in one plane with their centres.
      const Eigen::Vector3d ray = Eigen::Vector3d(at->x(), at->y(), 1).normalized();
      seen_in->push_back(measured_.outlines.size());
      measured_.outlines.push_back({c, footage_.frames()[f]->frame, {ray}, {false}, ray});
    }
  }

  Status check_outlines() const {
    for (size_t c = 0; c < input_.cameras.size(); ++c)
      if (outlines_of_[c] < kMinOutlines) return too_few_outlines(input_.cameras[c], outlines_of_[c]);
    return {};
  }

  // Each place of the floor counts once: somebody who stands still shows the same in every frame.
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

  // How far heads and outlines miss by, as a standard deviation of where nothing hides them.
  double scatter_of_px(const std::vector<PoseChange>& changes, size_t camera) const {
    std::vector<Pose> poses;
    for (size_t c = 0; c < input_.cameras.size(); ++c)
      poses.push_back(pose_of(input_.cameras[c], changes[c]));
    std::vector<double> misses;
    for (const OutlinePair& pair : measured_.pairs) {
      const BodyOutline &a = measured_.outlines[pair.first], &b = measured_.outlines[pair.second];
      if (a.camera != camera && b.camera != camera) continue;
      const TangentMiss miss = tangent_miss(poses[a.camera], a, poses[b.camera], b);
      for (const Touch touch : {kBelow, kAbove})
        if (miss.counts[touch]) misses.push_back(std::abs(miss.px[touch]));
    }
    return quantile(misses, kBest) / kOfDeviation;
  }

  // What parts of the footage differ by, and what the people leave open, but for what no picture shows.
  Result<Eigen::MatrixXd> shape_covariance() const {
    const auto values_of = [](const std::vector<PoseChange>& changes) {
      Eigen::VectorXd values(6 * static_cast<Eigen::Index>(changes.size()));
      for (size_t c = 0; c < changes.size(); ++c)
        for (size_t i = 0; i < 6; ++i) values[static_cast<Eigen::Index>(6 * c + i)] = changes[c][i];
      return values;
    };
    const Eigen::MatrixXd seen = without_unseen(presents());
    std::vector<Eigen::VectorXd> parts;
    const size_t count = footage_.frames().size();
    for (size_t part = 0; part < kParts; ++part) {
      if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
      const size_t begin = part * count / kParts, end = (part + 1) * count / kParts;
      if (begin == end) continue;
      TangentProblem rest = tangents_;
      UprightProblem people = upright_;
      VANTAGE_TRY(
          adjust_all(&rest, &people, footage_.frames()[begin]->frame, footage_.frames()[end - 1]->frame + 1));
      parts.push_back(seen * values_of(rest.changes));
    }
    const auto taken = static_cast<double>(parts.size());
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(seen.rows());
    for (const Eigen::VectorXd& part : parts) mean += part / taken;
    Eigen::MatrixXd covariance = kLeftOpen * seen * covariance_ * seen.transpose();
    for (const Eigen::VectorXd& part : parts)
      covariance += (taken - 1) / taken * (part - mean) * (part - mean).transpose();
    Eigen::VectorXd shares = Eigen::VectorXd::Ones(covariance.rows());
    for (Eigen::Index i = 0; i < shares.size(); ++i)
      if (i % 6 >= 3) shares[i] = kShiftShare;
    return shares.asDiagonal() * covariance * shares.asDiagonal();
  }

  // The mean height of the people, each place counted once, as weigh_by_place() has it.
  double mean_height_m() const {
    double sum = 0, weights = 0;
    for (const UprightMark& mark : upright_.marks)
      if (mark.head) {
        sum += mark.weight * upright_.heights_m[upright_.people[mark.person].track];
        weights += mark.weight;
      }
    return weights > 0 ? sum / weights : 0;
  }

  Result<PeopleSolution> solution() const {
    VANTAGE_ASSIGN(const Eigen::MatrixXd covariance, shape_covariance());
    const std::vector<PoseChange> given(input_.cameras.size());
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
      solved.before_px = scatter_of_px(given, c), solved.after_px = scatter_of_px(tangents_.changes, c);
      const auto at = static_cast<Eigen::Index>(6 * c);
      solved.covariance.topLeftCorner<6, 6>() = covariance.block<6, 6>(at, at);
      solved.covariance.block<3, 6>(3, 0) *= scale, solved.covariance.block<6, 3>(0, 3) *= scale;
      const auto variances = solved.covariance.diagonal();
      solved.turned_std_deg = std::sqrt(variances.head<3>().sum()) * 180 / M_PI;
      solved.moved_std_m = std::sqrt(variances.segment<3>(3).sum());
      determined =
          determined && solved.turned_std_deg <= kMaxTurnedStd_deg && solved.moved_std_m <= kMaxMovedStd_m;
      all.cameras.push_back(std::move(solved));
    }
    const std::vector<Camera> cameras = presents();
    for (size_t c = 0; c < input_.cameras.size(); ++c) {
      PeopleSolvedCamera& solved = all.cameras[c];
      // One that is open leaves the others open, too: all stand where they do together.
      solved.determined = determined;
      solved.camera = determined ? in_changed_world(cameras[c], stretch) : input_.cameras[c];
      if (determined)
        solved.change = change_between(input_.cameras[c], solved.camera);
      else
        solved.after_px = solved.before_px;
      solved.turned_deg = solved.change.head<3>().norm() * 180 / M_PI;
      solved.moved_m = solved.change.segment<3>(3).norm();
    }
    return all;
  }

  const PeopleSolveInput& input_;
  const StopSource& stop_;
  PeopleFootage footage_;
  FoundPeople people_;
  TangentProblem tangents_;
  UprightProblem upright_;
  std::vector<size_t> tangent_people_;  // of tangents_.outlines, in upright_.people
  TangentProblem measured_;             // outlines and heads, for what they miss by
  Eigen::MatrixXd covariance_;          // of all changes
  std::vector<int64_t> outlines_of_;    // cameras
};

}  // namespace

Result<PeopleSolution> solve_all_cameras(const PeopleSolveInput& input, const StopSource& stop) {
  return AllCamerasSolver(input, stop).solve();
}

}  // namespace vantage::people_calibration_detail
