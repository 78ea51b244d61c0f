#include "core/calibration/people/footage_solve.h"

#include <fmt/core.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/calibration/adjust/uncertainty.h"
#include "core/calibration/people/detail/floor_paths.h"
#include "core/calibration/people/detail/floor_view.h"
#include "core/calibration/people/detail/footage_adjustment.h"
#include "core/calibration/people/detail/footage_joints.h"

namespace vantage {
namespace {

using namespace footage_detail;

// Slop of positions (m): by views of single cameras, and by an adjustment.
constexpr double kFirstSlop_m = 0.35, kLastSlop_m = 0.12;
constexpr size_t kFittedProposals = 60, kProposalsOfPair = 15, kKeptHypotheses = 6, kFirstPairs = 2;
// Two hypotheses are one where delay, yaw and position of the middle of the paths are as near.
constexpr double kSameDelay_s = 0.7, kSameYaw = 0.3, kSamePlace_m = 1;
// Log likelihoods: of a place, and above that of the next best one.
// Hypotheses behind the best one by more, or by more of its likelihood, are not adjusted, which would gain
// them so much.
constexpr double kHopelessShare = 0.5, kHopeless = 15, kUsualGain = 1.5;
constexpr double kMinLikelihood = 25, kMinMargin = 15, kMinMarginShare = 0.15, kMinMarginOfTwo = 60;
// People who move less, in any direction (m), tell little; across a line, paths of a camera scatter so much.
constexpr double kStill_m = 0.4, kLine_m = 0.35;
constexpr double kOpposite = -0.94;  // cosine of two cameras' directions

// b's place on a's floor.
struct Hypothesis {
  FloorView view_a, view_b;
  FloorPose pose;
  double likelihood = -1e300;
};

using Pairs = std::map<std::pair<size_t, size_t>, std::vector<Hypothesis>>;

Eigen::Vector2d middle_of(const FloorPaths& paths) {
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  double count = 0;
  for (const FloorPath& path : paths.paths)
    for (const PathPoint& point : path.points)
      if (point.known) sum += point.at_m, ++count;
  return count > 0 ? Eigen::Vector2d(sum / count) : sum;
}

bool same_pose(const FloorPose& a, const FloorPose& b, const Eigen::Vector2d& middle) {
  return std::abs(a.delay_s - b.delay_s) < kSameDelay_s &&
         std::abs(std::remainder(a.yaw - b.yaw, 2 * M_PI)) < kSameYaw &&
         (a(middle) - b(middle)).norm() < kSamePlace_m;
}

struct CameraFootage {
  PictureSize size;
  std::vector<PictureTrack> tracks;
  std::vector<FloorPaths> by_view;  // the likeliest view first; none: it shows too few people
  std::string reason, remedy;       // why it is open
};

// Fault of how people walk, as one camera sees it; empty: none.
std::string_view poor_motion(const FloorPaths& paths) {
  if (std::ranges::all_of(paths.paths, [](const FloorPath& path) { return path.extent_m < kStill_m; }))
    return "people stand still";
  const Eigen::Vector2d middle = middle_of(paths);
  Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
  double count = 0;
  for (const FloorPath& path : paths.paths)
    for (const PathPoint& point : path.points)
      if (point.known) spread += (point.at_m - middle) * (point.at_m - middle).transpose(), ++count;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(spread / count);
  if (axes.eigenvalues()[0] < kLine_m * kLine_m) return "everybody walks along one line";
  return {};
}

class FootageSolver {
 public:
  FootageSolver(const FootageInput& input, const StopSource& stop, const FootageProgressCallback& progress)
      : input_(input), stop_(stop), progress_(progress) {
    if (input.mean_height_m) prior_.mean_m = *input.mean_height_m;
  }

  Result<FootageSolution> solve() {
    VANTAGE_TRY(see());
    VANTAGE_TRY(join());
    while (true) {
      VANTAGE_TRY(adjust_all());
      VANTAGE_ASSIGN(const FootageSolution found, solution());
      std::vector<double> loose;
      for (size_t c = 0; c < cameras_.size(); ++c) loose.push_back(looseness(found.cameras[c], c));
      const auto loosest = std::ranges::max_element(loose);
      if (*loosest <= 1) return found;
      const auto camera = static_cast<size_t>(loosest - loose.begin());
      const FootageSolvedCamera& its = found.cameras[camera];
      const std::string off =
          fmt::format("± {:.1f}°, {:.0f} cm, focal length {:.0f} %, {:.1f} frames", its.turned_std_deg,
                      100 * its.moved_std_m, 100 * its.focal_std, its.offset_std_frames);
      if (placed().size() <= 2)
        return fail(ErrorKind::bad_data, "people do not determine the cameras well enough (" + off + ")",
                    names(placed()),
                    "Take a longer recording in which people walk all over the floor, and turn.");
      // It would bend the others.
      world_.problem.placed[camera] = false;
      cameras_[camera].reason = "people do not determine it well enough (" + off + ")";
      cameras_[camera].remedy = walk_where(camera);
    }
  }

 private:
  Status see() {
    for (const FootageCamera& camera : input_.cameras) {
      CameraFootage& its = cameras_.emplace_back();
      its.size = {static_cast<double>(camera.width_px), static_cast<double>(camera.height_px)};
      its.tracks = picture_tracks(camera);
      for (const FloorView& view : views_of(its.size, its.tracks, prior_))
        its.by_view.push_back(floor_paths(its.size, its.tracks, view, prior_));
      if (!its.by_view.empty())
        if (const std::string_view poor = poor_motion(its.by_view.front()); !poor.empty())
          doubts_.push_back(fmt::format("{}: {}", camera.name, poor));
      if (its.by_view.empty()) {
        its.reason = "it shows too few people from head to feet";
        its.remedy = fmt::format("Walk where {} shows people as a whole.", camera.name);
      }
      if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "stopped", "calibration");
    }
    const auto blind = [&](size_t c) { return cameras_[c].by_view.empty(); };
    std::vector<size_t> without = all_cameras();
    std::erase_if(without, [&](size_t c) { return !blind(c); });
    if (without.size() + 2 <= cameras_.size()) return {};
    return fail(ErrorKind::bad_data, "too few people are shown from head to feet", names(without),
                "Take a recording in which people walk where these cameras show them as a whole.");
  }

  std::vector<size_t> all_cameras() const {
    std::vector<size_t> all(cameras_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return all;
  }
  std::vector<size_t> placed() const {
    std::vector<size_t> all = all_cameras();
    std::erase_if(all, [&](size_t c) { return !world_.problem.placed[c]; });
    return all;
  }

  // The footage that would place a camera: with the placed one whose people its own fit best.
  std::string walk_where(size_t camera) const {
    const size_t* best = nullptr;
    double most = -1e300;
    const std::vector<size_t> others = placed();
    for (const size_t& other : others) {
      const auto pair = pairs_.find(std::minmax(other, camera));
      const double its =
          pair == pairs_.end() || pair->second.empty() ? -1e290 : pair->second.front().likelihood;
      if (other != camera && its > most) most = its, best = &other;
    }
    if (!best) return fmt::format("Walk across what {} and other cameras show.", input_.cameras[camera].name);
    return fmt::format("Walk across the middle of {} and {}, and turn.", input_.cameras[*best].name,
                       input_.cameras[camera].name);
  }

  // The worst deviation as a share of the largest one allowed; 0: open.
  double looseness(const FootageSolvedCamera& camera, size_t number) const {
    if (!camera.placed()) return 0;
    if (camera.boxes < kMinCommonBoxes) return 1e300;
    const double offset_std_s = camera.offset_std_frames / input_.cameras[number].frame_rate;
    const double worst =
        std::max({camera.turned_std_deg / kMaxFootageTurned_deg, camera.moved_std_m / kMaxFootageMoved_m,
                  camera.focal_std / kMaxFootageFocal, offset_std_s / kMaxFootageOffset_s});
    return std::isfinite(worst) ? worst : 1e300;
  }

  void tell(double done) const {
    if (!progress_) return;
    FootageProgress progress{done, {}, doubts_};
    for (size_t c = 0; c < cameras_.size(); ++c) {
      progress.found.emplace_back();
      if (world_.problem.placed.empty() || !world_.problem.placed[c]) continue;
      if (auto camera = camera_of(input_.cameras[c].name, cameras_[c].size, world_.problem.values[c]))
        progress.found.back() = *camera;
    }
    progress_(progress);
  }

  // Distinct ones, the likeliest first.
  static void keep_distinct(const Eigen::Vector2d& middle, size_t count, std::vector<Hypothesis>* all) {
    std::ranges::stable_sort(*all, [](const auto& x, const auto& y) { return x.likelihood > y.likelihood; });
    std::vector<Hypothesis> kept;
    for (Hypothesis& one : *all)
      if (kept.size() < count && std::ranges::none_of(kept, [&](const auto& other) {
            return same_pose(one.pose, other.pose, middle);
          }))
        kept.push_back(std::move(one));
    *all = std::move(kept);
  }

  std::vector<Hypothesis> hypotheses(size_t a, size_t b) const {
    struct Proposed {
      const FloorPaths *in_a, *in_b;
      FloorPose pose;
      double likelihood;
    };
    std::vector<Proposed> proposed;
    for (const FloorPaths& in_a : cameras_[a].by_view)
      for (const FloorPaths& in_b : cameras_[b].by_view)
        for (const PoseProposal& one : propose_poses(in_a, in_b, input_.max_offset_s))
          proposed.push_back({&in_a, &in_b, one.pose,
                              likelihood_together({&in_a, {}}, {&in_b, one.pose}, 2 * kFirstSlop_m)});
    std::ranges::stable_sort(proposed,
                             [](const auto& x, const auto& y) { return x.likelihood > y.likelihood; });
    if (proposed.size() > kFittedProposals) proposed.resize(kFittedProposals);
    std::vector<Hypothesis> all;
    for (const Proposed& one : proposed) {
      const std::vector<PlacedPaths> placed = {{one.in_a, {}}};
      PlacedPaths moving{one.in_b, one.pose};
      bool fits = true;
      for (const double reach_m : {1.5, 1.2, 1.0})
        fits = fits && fit_pose(placed, reach_m, kFirstSlop_m, &moving);
      if (!fits || std::abs(moving.pose.delay_s) > input_.max_offset_s + 0.5) continue;
      all.push_back({one.in_a->view, one.in_b->view, moving.pose,
                     likelihood_together(placed.front(), moving, kFirstSlop_m)});
    }
    keep_distinct(middle_of(cameras_[b].by_view.front()), kKeptHypotheses, &all);
    return all;
  }

  // Cameras placed so far.
  struct World {
    FootageProblem problem;
    std::vector<std::vector<double>> heights;  // by camera and track
    std::vector<FootagePerson> people;
  };

  World empty_world() const {
    World world;
    world.problem.prior = prior_;
    for (const CameraFootage& camera : cameras_) {
      world.problem.sizes.push_back(camera.size), world.problem.tracks.push_back(&camera.tracks);
      world.problem.values.push_back({}), world.problem.placed.push_back(false);
      world.heights.push_back(camera.by_view.empty()
                                  ? std::vector<double>(camera.tracks.size(), prior_.mean_m)
                                  : camera.by_view.front().view.heights_m);
    }
    return world;
  }

  static void place(size_t camera, const FloorView& view, const FloorPose& pose, World* world) {
    world->problem.values[camera] = view.values;
    pose.put_into(&world->problem.values[camera]);
    world->problem.placed[camera] = true;
    world->heights[camera] = view.heights_m;
  }

  struct Round {
    double reach_m, widened;
  };

  Status adjust(World* world, std::span<const Round> rounds, int max_iterations, size_t max_marks) const {
    for (const Round& round : rounds) {
      world->people = people_together(world->problem, round.reach_m, world->heights);
      AdjustmentOptions options;
      options.widened = round.widened, options.max_iterations = max_iterations, options.max_marks = max_marks;
      VANTAGE_TRY(adjust_footage(&world->problem, &world->people, options, stop_));
      for (const FootagePerson& person : world->people)
        for (const TrackOf& one : person.tracks) world->heights[one.camera][one.track] = person.height_m;
    }
    return {};
  }

  FloorPaths paths_in(const World& world, size_t camera) const {
    FloorView view;
    view.values = world.problem.values[camera];
    FloorPose().put_into(&view.values);
    view.heights_m = world.heights[camera];
    return floor_paths(cameras_[camera].size, cameras_[camera].tracks, view, prior_);
  }

  // Likelihood of the camera with all others that are placed.
  double likelihood_of(const World& world, size_t camera) const {
    const FloorPaths its = paths_in(world, camera);
    double sum = 0;
    for (size_t c = 0; c < cameras_.size(); ++c) {
      if (c == camera || !world.problem.placed[c]) continue;
      const FloorPaths others = paths_in(world, c);
      sum += likelihood_together({&others, pose_of(world.problem.values[c])},
                                 {&its, pose_of(world.problem.values[camera])}, kLastSlop_m);
    }
    return sum;
  }

  struct Placement {
    World world;
    double likelihood = -1e300, margin = 0;
    bool clear() const {
      return likelihood >= kMinLikelihood && margin >= std::max(kMinMargin, kMinMarginShare * likelihood);
    }
  };

  // The best of worlds that differ in where a camera is, the likeliest first, and how much better it is than
  // any other. Those far less likely are not adjusted, and taken to gain by it.
  Placement best_of(const std::vector<std::pair<World, double>>& worlds, size_t camera,
                    size_t relative_to) const {
    constexpr std::array<Round, 3> kRounds = {{{1.2, 4}, {0.8, 2}, {0.6, 1.2}}};
    Placement best;
    std::vector<std::pair<FloorPose, double>> found;
    const Eigen::Vector2d middle = middle_of(cameras_[camera].by_view.front());
    const auto relative = [&](const World& world) {
      return pose_of(world.problem.values[camera]).then(pose_of(world.problem.values[relative_to]).inverse());
    };
    double next = 0;  // nothing in common is a hypothesis, too
    for (const auto& [given, before] : worlds) {
      if (before < worlds.front().second - std::max(kHopeless, kHopelessShare * worlds.front().second)) {
        next = std::max(next, kUsualGain * before);
        continue;
      }
      World world = given;
      if (!adjust(&world, kRounds, 12, 1200)) continue;
      double likelihood = likelihood_of(world, camera);
      if (shows_joints(world.problem)) {
        AdjustmentOptions options;
        options.max_iterations = 12, options.max_marks = 1200;
        if (const auto joints = likelihood_by_joints(camera, &world.problem, &world.people, options, stop_))
          likelihood += *joints;
      }
      found.emplace_back(relative(world), likelihood);
      // With little in common, an adjustment may take it anywhere.
      if (std::abs(found.back().first.delay_s) > input_.max_offset_s + kSameDelay_s) continue;
      if (likelihood > best.likelihood) best.likelihood = likelihood, best.world = std::move(world);
    }
    if (best.likelihood < 0) return best;
    const FloorPose chosen = relative(best.world);
    for (const auto& [pose, likelihood] : found)
      if (!same_pose(pose, chosen, middle)) next = std::max(next, likelihood);
    best.margin = best.likelihood - next;
    return best;
  }

  std::string names(const std::vector<size_t>& cameras) const {
    std::string all;
    for (const size_t c : cameras) append_item(&all, input_.cameras[c].name);
    return all;
  }

  Status join() {
    const size_t count = cameras_.size();
    for (size_t a = 0; a < count; ++a)
      for (size_t b = a + 1; b < count; ++b) {
        if (cameras_[a].by_view.empty() || cameras_[b].by_view.empty()) continue;
        pairs_[{a, b}] = hypotheses(a, b);
        tell(kPairsShare * static_cast<double>(pairs_.size()) /
             (0.5 * static_cast<double>(count * (count - 1))));
        if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "stopped", "calibration");
      }
    margins_.assign(count, 0);
    // Pairs by how clear they are before they are adjusted; the best of the first few that are clear.
    std::vector<std::pair<double, std::pair<size_t, size_t>>> order;
    for (const auto& [pair, all] : pairs_)
      if (!all.empty())
        order.emplace_back(all.front().likelihood - (all.size() > 1 ? all[1].likelihood : 0), pair);
    std::ranges::stable_sort(order, [](const auto& x, const auto& y) { return x.first > y.first; });
    Placement first;
    std::pair<size_t, size_t> of_first;
    for (size_t i = 0, clear = 0; i < order.size() && clear < kFirstPairs; ++i) {
      const auto& pair = order[i].second;
      const std::vector<Hypothesis>& all = pairs_.at(pair);
      std::vector<std::pair<World, double>> worlds;
      for (size_t h = 0; h < all.size(); ++h) {
        worlds.emplace_back(empty_world(), all[h].likelihood);
        place(pair.first, all[h].view_a, {}, &worlds.back().first);
        place(pair.second, all[h].view_b, all[h].pose, &worlds.back().first);
      }
      Placement its = best_of(worlds, pair.second, pair.first);
      clear += its.clear();
      if (its.clear() && its.margin > first.margin) first = std::move(its), of_first = pair;
    }
    if (!first.clear()) return fail(ErrorKind::bad_data, why_none(), "calibration", kFirstRemedy);
    world_ = std::move(first.world);
    margins_[of_first.first] = margins_[of_first.second] = first.margin;
    while (true) {
      std::vector<size_t> missing = all_cameras();
      std::erase_if(missing,
                    [&](size_t c) { return world_.problem.placed[c] || cameras_[c].by_view.empty(); });
      tell(kPairsShare + (kJoinedShare - kPairsShare) *
                             (1 - static_cast<double>(missing.size()) / static_cast<double>(count)));
      std::vector<Candidates> candidates;
      for (const size_t camera : missing) candidates.push_back(candidates_of(camera));
      std::ranges::stable_sort(candidates,
                               [](const auto& x, const auto& y) { return x.clearness() > y.clearness(); });
      bool joined = false;
      for (const Candidates& one : candidates) {
        Placement best = best_of(one.worlds, one.camera, of_first.first);
        if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "stopped", "calibration");
        joined = best.clear();
        if (joined) {
          world_ = std::move(best.world), margins_[one.camera] = best.margin;
          break;
        }
        CameraFootage& its = cameras_[one.camera];
        its.reason = poor_motion(its.by_view.front());
        if (its.reason.empty())
          its.reason = best.likelihood < kMinLikelihood
                           ? "too few of its people are clearly those of another camera"
                           : "its people fit several places about as well";
        its.remedy = walk_where(one.camera);
      }
      if (!joined) break;
    }
    // Two cameras that none of the others confirms may fit each other by chance.
    if (count > 2 && placed().size() == 2 && first.margin < kMinMarginOfTwo)
      return fail(ErrorKind::bad_data, why_none(), "calibration", kFirstRemedy);
    return {};
  }

  static constexpr const char* kFirstRemedy =
      "Take a longer recording in which people walk, and turn, where two cameras and more see them; or allow "
      "larger offsets.";

  std::string why_none() const {
    std::string poor;
    for (const std::string& doubt : doubts_) append_item(&poor, doubt);
    return "no two cameras show the same people clearly enough" + (poor.empty() ? poor : " (" + poor + ")");
  }

  // Where a camera may be among those that are placed, with its likelihood before an adjustment.
  struct Candidates {
    size_t camera = 0;
    std::vector<std::pair<World, double>> worlds;
    double clearness() const {
      if (worlds.empty()) return -1e300;
      return worlds.front().second - (worlds.size() > 1 ? std::max(0.0, worlds[1].second) : 0);
    }
  };

  Candidates candidates_of(size_t camera) const {
    std::vector<FloorPaths> paths;
    std::vector<PlacedPaths> placed;
    std::vector<size_t> numbers;
    for (size_t c = 0; c < cameras_.size(); ++c)
      if (world_.problem.placed[c]) paths.push_back(paths_in(world_, c)), numbers.push_back(c);
    for (size_t i = 0; i < numbers.size(); ++i)
      placed.push_back({&paths[i], pose_of(world_.problem.values[numbers[i]])});
    // Placed cameras' paths are better known than those by single cameras.
    struct Proposed {
      const FloorPaths* own;
      FloorPose pose;
      double likelihood;
    };
    std::vector<Proposed> proposed;
    for (size_t i = 0; i < numbers.size(); ++i)
      for (const FloorPaths& own : cameras_[camera].by_view) {
        std::vector<PoseProposal> its = propose_poses(paths[i], own, input_.max_offset_s);
        if (its.size() > kProposalsOfPair) its.resize(kProposalsOfPair);
        for (const PoseProposal& one : its) {
          const PlacedPaths moving{&own, one.pose.then(placed[i].pose)};
          proposed.push_back({&own, moving.pose, likelihood_together(placed[i], moving, 2 * kFirstSlop_m)});
        }
      }
    std::ranges::stable_sort(proposed,
                             [](const auto& x, const auto& y) { return x.likelihood > y.likelihood; });
    if (proposed.size() > kFittedProposals) proposed.resize(kFittedProposals);
    std::vector<Hypothesis> all;
    for (const Proposed& one : proposed) {
      PlacedPaths moving{one.own, one.pose};
      bool fits = true;
      for (const double reach_m : {1.5, 1.2, 1.0})
        fits = fits && fit_pose(placed, reach_m, kFirstSlop_m, &moving);
      if (!fits) continue;
      double likelihood = 0;
      for (const PlacedPaths& its : placed) likelihood += likelihood_together(its, moving, kFirstSlop_m);
      all.push_back({{}, one.own->view, moving.pose, likelihood});
    }
    keep_distinct(middle_of(cameras_[camera].by_view.front()), kKeptHypotheses, &all);
    Candidates candidates{camera, {}};
    for (const Hypothesis& one : all) {
      candidates.worlds.emplace_back(world_, one.likelihood);
      place(camera, one.view_b, one.pose, &candidates.worlds.back().first);
    }
    return candidates;
  }

  Status adjust_all() {
    constexpr std::array<Round, 4> kRounds = {{{0.8, 2}, {0.6, 1.2}, {0.5, 1}, {0.5, 1}}};
    VANTAGE_TRY(adjust(&world_, kRounds, 60, kAllMarks));
    by_joints_ = shows_joints(world_.problem);
    AdjustmentOptions options;
    options.max_iterations = 30, options.max_marks = kAllMarks;
    if (by_joints_) VANTAGE_TRY(adjust_finally(&world_.problem, &world_.people, options));
    return {};
  }

  Result<AdjustmentOutcome> adjust_finally(FootageProblem* problem, std::vector<FootagePerson>* people,
                                           const AdjustmentOptions& options) const {
    return by_joints_ ? adjust_by_joints(problem, people, options, stop_)
                      : adjust_footage(problem, people, options, stop_);
  }

  // A world's values relative to `reference`: after the change of the floor's axes, its scale and the clock
  // that brings cameras nearest to it; last the logarithm of the scale.
  static Eigen::VectorXd aligned(const std::vector<FloorValues>& values,
                                 const std::vector<FloorValues>& reference) {
    const auto count = static_cast<double>(values.size());
    constexpr double kYawArm_m = 2;
    using Complex = std::complex<double>;
    Complex middle, to;
    double later = 0;
    for (size_t c = 0; c < values.size(); ++c) {
      middle += Complex(values[c][kX], values[c][kY]) / count;
      to += Complex(reference[c][kX], reference[c][kY]) / count;
      later += (reference[c][kClock] - values[c][kClock]) / count;
    }
    Complex turn;
    double own = 0, others = 0;
    for (size_t c = 0; c < values.size(); ++c) {
      const Complex off = Complex(values[c][kX], values[c][kY]) - middle,
                    its = Complex(reference[c][kX], reference[c][kY]) - to;
      turn += its * std::conj(off) +
              kYawArm_m * kYawArm_m * std::polar(1.0, reference[c][kYaw] - values[c][kYaw]);
      own += std::norm(off) + values[c][kHeight] * values[c][kHeight];
      others += std::norm(its) + reference[c][kHeight] * reference[c][kHeight];
    }
    const double angle = std::arg(turn), scale = std::sqrt(others / own);
    Eigen::VectorXd all(static_cast<Eigen::Index>(values.size()) * kFloorValues + 1);
    for (size_t c = 0; c < values.size(); ++c) {
      const Complex at =
          to + scale * std::polar(1.0, angle) * (Complex(values[c][kX], values[c][kY]) - middle);
      const FloorValues& given = values[c];
      FloorValues its = given;
      its[kHeight] *= scale, its[kX] = at.real(), its[kY] = at.imag(), its[kClock] += later;
      its[kYaw] = reference[c][kYaw] + std::remainder(given[kYaw] + angle - reference[c][kYaw], 2 * M_PI);
      for (int i = 0; i < kFloorValues; ++i) all[static_cast<Eigen::Index>(c) * kFloorValues + i] = its[i];
    }
    all[all.size() - 1] = -std::log(scale);
    return all;
  }

  static std::vector<FloorValues> placed_values(const FootageProblem& problem) {
    std::vector<FloorValues> all;
    for (size_t c = 0; c < problem.values.size(); ++c)
      if (problem.placed[c]) all.push_back(problem.values[c]);
    return all;
  }

  // The covariance of aligned() values: of solutions without each part of the time, and as if boxes were
  // independent.
  Result<Eigen::MatrixXd> covariance() {
    AdjustmentOptions options;
    options.covariance = true, options.max_iterations = 30, options.max_marks = kAllMarks;
    VANTAGE_ASSIGN(const AdjustmentOutcome whole, adjust_finally(&world_.problem, &world_.people, options));
    marks_ = whole.marks, together_s_ = whole.end_s - whole.begin_s;
    const std::vector<FloorValues> reference = placed_values(world_.problem);
    std::set<size_t> parts;
    for (size_t part = 0; part < kFootageParts; ++part) parts.insert(part);
    const double length_s = std::max(together_s_, 1e-3) / kFootageParts;
    const auto without = [&](size_t part) -> Result<Eigen::VectorXd> {
      FootageProblem problem = world_.problem;
      std::vector<FootagePerson> people = world_.people;
      AdjustmentOptions rest = options;
      rest.covariance = false;
      rest.leave_out = [&, part](double time_s) {
        return std::min(static_cast<size_t>(std::max(0.0, (time_s - whole.begin_s) / length_s)),
                        kFootageParts - 1) == part;
      };
      VANTAGE_TRY(adjust_finally(&problem, &people, rest));
      return aligned(placed_values(problem), reference);
    };
    VANTAGE_ASSIGN(const Eigen::MatrixXd by_parts, jackknife(parts, without, stop_));
    const auto count = static_cast<Eigen::Index>(reference.size()) * kFloorValues;
    Eigen::MatrixXd slopes(count + 1, count);
    for (Eigen::Index i = 0; i < count; ++i) {
      constexpr double kStep = 1e-5;
      std::vector<FloorValues> more = reference, less = reference;
      more[static_cast<size_t>(i / kFloorValues)][static_cast<size_t>(i % kFloorValues)] += kStep;
      less[static_cast<size_t>(i / kFloorValues)][static_cast<size_t>(i % kFloorValues)] -= kStep;
      slopes.col(i) = (aligned(more, reference) - aligned(less, reference)) / (2 * kStep);
    }
    return Eigen::MatrixXd(kByParts * by_parts + kByBoxes * slopes * whole.covariance * slopes.transpose());
  }

  Result<FootageSolution> solution() {
    VANTAGE_ASSIGN(const Eigen::MatrixXd covariance, this->covariance());
    FootageSolution all;
    all.people = static_cast<int64_t>(world_.people.size());
    all.together_s = together_s_;
    double weight = 0;
    Eigen::Vector2d middle = Eigen::Vector2d::Zero();
    for (const FootagePerson& person : world_.people) {
      double its = 0;
      for (const TrackOf& one : person.tracks) {
        const PictureTrack& track = cameras_[one.camera].tracks[one.track];
        its += static_cast<double>(track.marks.size());
        for (const BoxMark& mark : track.marks)
          if (const auto at = position_of(cameras_[one.camera].size, world_.problem.values[one.camera], mark,
                                          person.height_m, 0.05))
            middle += at->at_m, ++weight;
      }
      all.mean_height_m += person.height_m / static_cast<double>(world_.people.size());
    }
    if (weight > 0) middle /= weight;
    const double scale = input_.mean_height_m ? *input_.mean_height_m / all.mean_height_m : 1;
    all.mean_height_m *= scale;
    const Eigen::Index last = covariance.rows() - 1;
    all.scale_std = std::sqrt(covariance(last, last) + kScaleBias * kScaleBias);
    const size_t base = placed().front();
    const double turn = M_PI / 2 - world_.problem.values[base][kYaw];
    const FloorPose to_origin{turn, -(FloorPose{turn}.rotation() * middle), 0};
    Eigen::Index first = 0;  // of the camera's rows
    for (size_t c = 0; c < cameras_.size(); ++c) {
      FootageSolvedCamera& one = all.cameras.emplace_back();
      one.name = input_.cameras[c].name;
      if (!world_.problem.placed[c]) {
        one.state = FootageState::open, one.reason = cameras_[c].reason, one.remedy = cameras_[c].remedy;
        continue;
      }
      FloorValues values = world_.problem.values[c];
      const FloorPose pose = pose_of(values).then(to_origin);
      pose.put_into(&values);
      for (const FloorValue value : {kX, kY, kHeight}) values[value] *= scale;
      VANTAGE_ASSIGN(one.camera, camera_of(one.name, cameras_[c].size, values));
      const auto var = [&](int value) { return covariance(first + value, first + value); };
      one.focal_std = std::hypot(std::sqrt(var(kLogFocal)), kFocalBias);
      const Eigen::MatrixXd own = covariance.block<kFloorValues, kFloorValues>(first, first);
      one.turned_std_deg =
          std::hypot(std::sqrt(turned_variance(cameras_[c].size, world_.problem.values[c], own)) * 180 / M_PI,
                     by_joints_ ? kTurnBias_deg : kTurnBiasOfBoxes_deg);
      one.moved_std_m = std::hypot(std::sqrt(var(kX) + var(kY) + var(kHeight)) * scale, kMoveBias_m);
      const double later_s = values[kClock] - world_.problem.values[base][kClock];
      one.offset_frames = -later_s * input_.cameras[c].frame_rate;
      const double delay_std_s = c == base
                                     ? 0
                                     : std::hypot(std::sqrt(delay_variance(covariance, first)), kDelayBias_s,
                                                  kDelayBias_frames / input_.cameras[c].frame_rate);
      one.offset_std_frames = delay_std_s * input_.cameras[c].frame_rate;
      one.boxes = marks_[c], one.margin = margins_[c];
      first += kFloorValues;
    }
    all.doubts = doubts_;
    if (const std::vector<size_t> two = placed(); two.size() == 2) {
      const auto ahead = [&](size_t c) {
        return Eigen::Vector2d(all.cameras[c].camera.rotation_cam_from_world().row(2).head<2>()).normalized();
      };
      if (ahead(two[0]).dot(ahead(two[1])) < kOpposite)
        all.doubts.push_back(fmt::format(
            "{} and {} face each other: a third camera from the side would show how far apart they are",
            all.cameras[two[0]].name, all.cameras[two[1]].name));
    }
    return all;
  }

  // Variance of the direction of the ray through the picture's middle, and about it. With another principal
  // point the camera is turned, and its rays are where they were.
  static double turned_variance(const PictureSize& size, const FloorValues& values,
                                const Eigen::MatrixXd& covariance) {
    Eigen::Matrix<double, 3, kFloorValues> slopes;
    for (int i = 0; i < kFloorValues; ++i) {
      constexpr double kStep = 1e-5;
      FloorValues more = values, less = values;
      more[i] += kStep, less[i] -= kStep;
      const auto ray = [&](const FloorValues& its) {
        return ray_of(size, its, (size.width_px - 1) / 2, (size.height_px - 1) / 2).normalized();
      };
      slopes.col(i) = (ray(more) - ray(less)) / (2 * kStep);
    }
    return (slopes * covariance * slopes.transpose()).trace() + covariance(kRoll, kRoll);
  }

  // Variance of the delay relative to the first placed camera's, of the camera whose rows begin at `first`.
  static double delay_variance(const Eigen::MatrixXd& covariance, Eigen::Index first) {
    const Eigen::Index row = first + kClock;
    return std::max(0.0, covariance(row, row) + covariance(kClock, kClock) - 2 * covariance(row, kClock));
  }

  static constexpr double kPairsShare = 0.4, kJoinedShare = 0.7;  // of the work
  static constexpr int64_t kMinCommonBoxes = 10;  // a camera with fewer is where others left it
  static constexpr size_t kAllMarks = 4000, kFootageParts = 6;
  // Deviations beyond those that the footage itself shows, from simulated rooms: people are no posts.
  static constexpr double kByParts = 1.5, kByBoxes = 1;
  static constexpr double kScaleBias = 0.02, kFocalBias = 0.01, kTurnBias_deg = 0.3, kMoveBias_m = 0.03,
                          kDelayBias_s = 0.01;
  // Real recordings (cmc-detections): boxes miss people's bodies by as much, and frames their times.
  static constexpr double kTurnBiasOfBoxes_deg = 0.5, kDelayBias_frames = 0.2;

  const FootageInput& input_;
  const StopSource& stop_;
  const FootageProgressCallback& progress_;
  HeightPrior prior_;
  std::vector<CameraFootage> cameras_;
  Pairs pairs_;
  World world_;
  std::vector<double> margins_;
  std::vector<int64_t> marks_;
  std::vector<std::string> doubts_;
  double together_s_ = 0;
  bool by_joints_ = false;
};

}  // namespace

Result<FootageSolution> solve_from_footage(const FootageInput& input, const StopSource& stop,
                                           const FootageProgressCallback& progress) {
  if (input.cameras.size() < 2)
    return fail(ErrorKind::invalid_argument,
                "cameras are placed relative to each other: at least two are needed", "calibration");
  for (const FootageCamera& camera : input.cameras)
    if (camera.width_px < 1 || camera.height_px < 1 || !(camera.frame_rate > 0))
      return fail(ErrorKind::invalid_argument, "the picture's size and the frame rate must be above 0",
                  camera.name);
  if (!(input.max_offset_s >= 0))
    return fail(ErrorKind::invalid_argument, "the largest offset must be 0 s or more", "calibration");
  if (input.mean_height_m && !(*input.mean_height_m > 0))
    return fail(ErrorKind::invalid_argument, "the mean height must be above 0 m", "calibration");
  return FootageSolver(input, stop, progress).solve();
}

}  // namespace vantage
