#include "core/check/outline_fit.h"

#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/quantile.h"
#include "core/calibration/adjust/uncertainty.h"
#include "core/geometry/dense.h"

namespace vantage {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr size_t kMaxRays = 48;    // of a silhouette
constexpr double kStep_m = 0.04;   // along a ray
constexpr int kFineSteps = 4;      // of a step, where a ray misses least
constexpr double kMargin_m = 0.2;  // around the grid
constexpr double kNearest_m = 0.2;
// Share of the distance that a ray has to go at least until it misses less: distances are known to 8 %, and a
// point may come nearer to the camera.
constexpr double kSkip = 0.5;

// Set pixels with one next to them that is not, spread over all.
std::vector<Vector2d> rim_of(const Image& mask) {
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  const auto set = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < view.width && y < view.height && view.at(x, y) >= 128;
  };
  std::vector<Vector2d> rim, chosen;
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x)
      if (set(x, y) && !(set(x - 1, y) && set(x + 1, y) && set(x, y - 1) && set(x, y + 1)))
        rim.emplace_back(x, y);
  const size_t count = std::min(rim.size(), kMaxRays);
  for (size_t i = 0; i < count; ++i) chosen.push_back(rim[rim.size() * (2 * i + 1) / (2 * count)]);
  return chosen;
}

Vector3d direction_in_world(const RimRay& ray, const RimView& own) {
  return own.world_from_cam * Vector3d(ray.slope.x(), ray.slope.y(), own.focal_factor).normalized();
}

// The span in which a ray runs through the grid and its margin, metres along it.
std::pair<double, double> span_within(const VoxelGrid& grid, const Vector3d& origin,
                                      const Vector3d& direction) {
  const int counts[3] = {grid.nx, grid.ny, grid.nz};
  double first = kNearest_m, last = INFINITY;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = grid.origin_in_world_m[axis] - kMargin_m,
                 high = grid.origin_in_world_m[axis] + counts[axis] * grid.voxel_size_m + kMargin_m;
    double from = (low - origin[axis]) / direction[axis], to = (high - origin[axis]) / direction[axis];
    if (from > to) std::swap(from, to);
    first = std::max(first, from), last = std::min(last, to);
  }
  return {first, last};
}

}  // namespace

RimRays::RimRays(Neighbours neighbours, const VoxelGrid& grid, double largest_px)
    : neighbours_(std::move(neighbours)), grid_(grid), largest_px_(largest_px) {}

void RimRays::add(std::span<const Image> masks, const std::vector<RimView>& views) {
  const size_t cameras = neighbours_.size();
  auto& maps = maps_.emplace_back(cameras);
  std::vector<std::vector<Vector2d>> rims(cameras);
  tbb::parallel_for(size_t{0}, cameras, [&](size_t c) {
    if (masks[c]) maps[c] = DistanceMap(masks[c], largest_px_), rims[c] = rim_of(masks[c]);
  });
  for (size_t c = 0; c < cameras; ++c)
    for (const Vector2d& pixel : rims[c])
      if (const auto slope = views[c].camera.undistort(pixel)) rays_.push_back({c, maps_.size() - 1, *slope});
}

int RimRays::partners(size_t camera) const {
  const std::vector<size_t>& others = neighbours_[camera];
  return static_cast<int>(std::count_if(others.begin(), others.end(), [&](size_t c) {
    return std::any_of(maps_.begin(), maps_.end(),
                       [&](const auto& maps) { return !maps[c].empty() && !maps[camera].empty(); });
  }));
}

std::vector<size_t> RimRays::rays_of(size_t camera) const {
  std::vector<bool> its(neighbours_.size());
  for (size_t c = 0; c < neighbours_.size(); ++c)
    its[c] = c == camera || std::binary_search(neighbours_[c].begin(), neighbours_[c].end(), camera);
  std::vector<size_t> rays;
  for (size_t i = 0; i < rays_.size(); ++i)
    if (its[rays_[i].camera]) rays.push_back(i);
  return rays;
}

// Looks no further once it misses by more than `give_up_px`.
RimMiss RimRays::miss_at(const RimRay& ray, const Vector3d& direction, const std::vector<RimView>& views,
                         double at_m, double give_up_px) const {
  const Vector3d place = views[ray.camera].center_in_world_m + at_m * direction;
  RimMiss miss{0, at_m, ray.camera, 0, false};
  size_t seeing = 0, others = 0;
  for (const size_t c : neighbours_[ray.camera]) {
    const DistanceMap& map = maps_[ray.instant][c];
    if (map.empty()) continue;
    ++others;
    const auto pixel = views[c].camera.project(place);
    if (!pixel || !map.covers(*pixel)) continue;
    ++seeing;
    if (miss.px >= give_up_px) continue;
    const double px = map.at(*pixel);
    if (px <= miss.px) continue;
    const double distance_m = (place - views[c].center_in_world_m).norm();
    miss.px = px, miss.camera = c, miss.pixel_m = distance_m / views[c].camera.model().fx_px;
  }
  miss.known = seeing > 0 && seeing >= std::min<size_t>(2, others);
  return miss;
}

RimMiss RimRays::miss_near(size_t index, const std::vector<RimView>& views, double at_m) const {
  const RimRay& ray = rays_[index];
  const Vector3d direction = direction_in_world(ray, views[ray.camera]);
  RimMiss best{INFINITY, at_m, ray.camera, 0, false};
  for (int i = -kFineSteps; i <= kFineSteps && best.px > 0; ++i) {
    const RimMiss one = miss_at(ray, direction, views, at_m + i * kStep_m / kFineSteps, best.px);
    if (one.known && one.px < best.px) best = one;
  }
  return best;
}

RimMiss RimRays::miss(size_t index, const std::vector<RimView>& views, const RimMiss* near) const {
  const RimRay& ray = rays_[index];
  const RimView& own = views[ray.camera];
  const Vector3d direction = direction_in_world(ray, own);
  RimMiss best{largest_px_, 0, ray.camera, 0, false};
  if (near && near->known) {
    const RimMiss one = miss_near(index, views, near->at_m);
    if (one.known && one.px < best.px) best = one;
  }
  bool coarse = false;
  const auto [first, last] = span_within(grid_, own.center_in_world_m, direction);
  for (double at_m = first; at_m <= last && best.px > 0;) {
    const RimMiss one = miss_at(ray, direction, views, at_m, best.px);
    if (one.known && one.px < best.px) best = one, coarse = true;
    best.known = best.known || one.known;
    at_m += std::max(kStep_m, kSkip * (one.px - best.px) * one.pixel_m);
  }
  if (!coarse || best.px == 0) return best;
  const RimMiss fine = miss_near(index, views, best.at_m);
  return fine.known && fine.px < best.px ? fine : best;
}

std::vector<RimMiss> RimRays::misses(const std::vector<size_t>& rays, const std::vector<RimView>& views,
                                     const std::vector<RimMiss>& near) const {
  std::vector<RimMiss> all(rays.size());
  tbb::parallel_for(size_t{0}, rays.size(), [&](size_t i) {
    all[i] = miss(rays[i], views, near.empty() ? nullptr : &near[i]);
    if (!all[i].known) all[i].px = 0;
  });
  return all;
}

namespace {

constexpr double kFreedom = 3;        // of Student's t
constexpr double kMinNoise_px = 0.5;  // masks are not finer
constexpr double kRaysAsOne = 5;      // neighbouring rays miss alike
// Usual errors of a calibration, weakly preferred to larger ones.
constexpr double kUsualAngle = 0.05, kUsualShift_m = 0.15, kUsualFocal = 0.04;
// Slopes for the fit are those of rays whose misses can become smaller; for its uncertainty, those of all
// rays over a longer step, which makes rays miss that do not yet.
constexpr double kFittedMiss_px = 0.2, kFittedStep = 0.02, kUncertaintyStep = 0.1;
// Errors that masks of a pair of cameras have in common at all instants.
constexpr double kCommon_px = 1.0;
constexpr int kSteps = 6, kAttempts = 3;
constexpr double kMinProgress = 0.1;  // of the log-likelihood
// Limits for blaming a camera: its change gains so much, so much more than any other's, and so many times
// what that does.
constexpr double kMinGain = 25, kMinLead = 10, kClearlyMore = 1.25;
constexpr double kMinCertainty = 2;
// In shares of the focal length, 0.9 degrees: where rays that the camera has no part in miss by more, masks
// are to blame.
constexpr double kMaxOthers = 0.016;
constexpr int kMinPartners = 2, kMinRays = 100;
constexpr double kOutlineQuantile = 0.9;

// Silhouettes of all cameras together that overlap by more show the same people in the same places.
constexpr double kAlike = 0.6;  // intersection over union

CameraChange usual_change() {
  CameraChange usual;
  usual << kUsualAngle, kUsualAngle, kUsualAngle, kUsualShift_m, kUsualShift_m, kUsualShift_m, kUsualFocal;
  return usual;
}
double prior_cost(const CameraChange& change) {
  return 0.5 * (change.array() / usual_change().array()).square().sum();
}
double ray_cost(double miss_px, double noise_px) {
  const double u = miss_px / noise_px;
  return 0.5 * (kFreedom + 1) * std::log1p(u * u / kFreedom) / kRaysAsOne;
}
double ray_weight(double miss_px, double noise_px) {
  const double u = miss_px / noise_px;
  return (kFreedom + 1) / (kFreedom + u * u) / (noise_px * noise_px * kRaysAsOne);
}

RimView view_of(const Camera& camera, double focal_factor) {
  return {camera, camera.rotation_cam_from_world().transpose(), camera.center_in_world_m(), focal_factor};
}

bool are_empty(const std::vector<Cells>& shown) {
  return std::all_of(shown.begin(), shown.end(), [](const Cells& cells) {
    return std::find(cells.set.begin(), cells.set.end(), 1) == cells.set.end();
  });
}
bool are_alike(const std::vector<Cells>& a, const std::vector<Cells>& b) {
  int64_t both = 0, either = 0;
  for (size_t c = 0; c < a.size(); ++c)
    for (size_t i = 0; i < std::min(a[c].set.size(), b[c].set.size()); ++i)
      both += a[c].set[i] && b[c].set[i], either += a[c].set[i] || b[c].set[i];
  return static_cast<double>(both) > kAlike * static_cast<double>(either);
}

// None where the changed camera is not valid.
std::optional<RimView> changed_view(const RimView& view, const CameraChange& change) {
  const auto changed = changed_camera(view.camera, change);
  if (!changed) return std::nullopt;
  return view_of(*changed, 1 + change[6]);
}

}  // namespace

OutlineFit::OutlineFit(const std::vector<Camera>& cameras, const Neighbours& neighbours,
                       const VoxelGrid& grid, double largest_px)
    : grid_(grid), rays_(neighbours, grid, largest_px) {
  for (const Camera& camera : cameras) views_.push_back(view_of(camera, 1));
  for (const std::vector<size_t>& others : neighbours) pairs_ += others.size();
}

void OutlineFit::add(std::span<const Image> masks) {
  rays_.add(masks, views_);
  std::vector<Cells> shown;
  for (const Image& mask : masks) shown.push_back(mask ? shrink(mask) : Cells());
  if (are_empty(shown)) return;
  ++instants_;
  if (std::none_of(different_.begin(), different_.end(),
                   [&](const std::vector<Cells>& before) { return are_alike(before, shown); }))
    different_.push_back(std::move(shown));
}

double OutlineFit::instants_alike() const {
  return static_cast<double>(instants_) / static_cast<double>(std::max<size_t>(1, different_.size()));
}

double OutlineFit::cost(const std::vector<RimMiss>& misses, double noise_px) const {
  double sum = 0;
  for (const RimMiss& miss : misses) sum += ray_cost(miss.px, noise_px);
  return sum;
}

// The least scale that is left without one camera.
double OutlineFit::noise_px(const std::vector<RimMiss>& misses) const {
  double least = INFINITY;
  for (size_t c = 0; c < views_.size(); ++c) {
    std::vector<double> others;
    for (size_t i = 0; i < misses.size(); ++i)
      if (misses[i].known && rays_.ray(i).camera != c && misses[i].camera != c)
        others.push_back(misses[i].px);
    if (!others.empty()) least = std::min(least, robust_scatter(std::move(others), kBestFourFifths));
  }
  return std::max(kMinNoise_px, std::isfinite(least) ? least : 0);
}

// Slopes of each ray's miss by the entries of the camera's change.
std::vector<CameraChange> OutlineFit::slopes(size_t camera, const std::vector<RimView>& views,
                                             const Fitted& at, const Probe& probe) const {
  const CameraChange little = probe.step * usual_change();
  std::vector<std::vector<RimView>> near(kChanges, views);
  for (int p = 0; p < kChanges; ++p)
    if (const auto view = changed_view(views_[camera], at.change + little[p] * CameraChange::Unit(p)))
      near[p][camera] = *view;
  std::vector<CameraChange> slopes(at.rays.size(), CameraChange::Zero());
  tbb::parallel_for(size_t{0}, at.rays.size(), [&](size_t i) {
    const RimMiss& miss = at.misses[i];
    if (!miss.known || miss.px < probe.min_px || miss.px >= rays_.largest_px()) return;
    for (int p = 0; p < kChanges; ++p) {
      const RimMiss moved = rays_.miss_near(at.rays[i], near[p], miss.at_m);
      if (moved.known) slopes[i][p] = (moved.px - miss.px) / little[p];
    }
  });
  return slopes;
}

OutlineFit::Step OutlineFit::step(size_t camera, const std::vector<RimView>& views, const Fitted& at,
                                  double noise_px, const Probe& probe) const {
  const Matrix prior = usual_change().array().square().inverse().matrix().asDiagonal();
  Step out{prior, prior, prior * at.change};
  std::map<size_t, CameraChange> by_instant, by_pair;
  const auto add_to = [](std::map<size_t, CameraChange>& sums, size_t key, const CameraChange& value) {
    sums.try_emplace(key, CameraChange::Zero()).first->second += value;
  };
  const std::vector<CameraChange> slopes = this->slopes(camera, views, at, probe);
  for (size_t i = 0; i < at.rays.size(); ++i) {
    const RimMiss& miss = at.misses[i];
    const RimRay& ray = rays_.ray(at.rays[i]);
    const double w = ray_weight(miss.px, noise_px);
    out.information += w * slopes[i] * slopes[i].transpose();
    out.gradient += w * miss.px * slopes[i];
    add_to(by_instant, ray.instant, w * miss.px * slopes[i]);
    add_to(by_pair, ray.camera * views_.size() + miss.camera, w * slopes[i]);
  }
  for (const auto& [instant, sum] : by_instant) out.scatter += sum * sum.transpose();
  for (const auto& [pair, sum] : by_pair) out.scatter += kCommon_px * kCommon_px * sum * sum.transpose();
  return out;
}

// Takes the step where it makes the cost less, a shorter one where not. False: none does.
bool OutlineFit::improve(size_t camera, const Step& step, double noise_px, double* damping,
                         std::vector<RimView>* views, Fitted* fitted) const {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Matrix damped = step.information;
    damped.diagonal() *= 1 + *damping;
    const CameraChange change = fitted->change - CameraChange(solve_symmetric(damped, step.gradient));
    std::vector<RimView> tried = views_;
    if (const auto view = changed_view(views_[camera], change)) {
      tried[camera] = *view;
      std::vector<RimMiss> misses = rays_.misses(fitted->rays, tried, fitted->misses);
      const double cost = this->cost(misses, noise_px),
                   progress = fitted->cost + prior_cost(fitted->change) - cost - prior_cost(change);
      if (progress > 0) {
        fitted->change = change, fitted->misses = std::move(misses), fitted->cost = cost;
        *views = std::move(tried);
        *damping /= 5;
        return progress > kMinProgress;
      }
    }
    *damping *= 20;
  }
  return false;
}

OutlineFit::Fitted OutlineFit::fit(size_t camera, const std::vector<size_t>& rays, double noise_px,
                                   const std::vector<RimMiss>& start, const StopSource& stop) const {
  Fitted fitted{rays, CameraChange::Zero(), Matrix::Zero(), start, cost(start, noise_px)};
  std::vector<RimView> views = views_;
  double damping = 1e-3;
  const Probe fitting{kFittedMiss_px, kFittedStep}, uncertainty{0, kUncertaintyStep};
  for (int i = 0; i < kSteps && !stop.stop_requested(); ++i) {
    const Step next = step(camera, views, fitted, noise_px, fitting);
    if (!improve(camera, next, noise_px, &damping, &views, &fitted)) break;
  }
  const Step last = step(camera, views, fitted, noise_px, uncertainty);
  const Matrix inverse = inverse_of(last.information);
  fitted.covariance = inverse * last.scatter * inverse;
  return fitted;
}

CameraFit OutlineFit::describe(size_t camera, const std::vector<RimMiss>& start, double noise_px,
                               const StopSource& stop) const {
  CameraFit out;
  std::vector<double> own, others;
  for (size_t i = 0; i < rays_.size(); ++i) {
    if (!start[i].known) continue;
    const bool involved = rays_.ray(i).camera == camera || start[i].camera == camera;
    (involved ? own : others).push_back(start[i].px);
  }
  out.rays = static_cast<int>(own.size()), out.partners = rays_.partners(camera);
  out.middle_px = quantile(own, 0.5), out.error_px = quantile(std::move(own), kOutlineQuantile);
  out.others_px = quantile(std::move(others), kOutlineQuantile);
  const std::vector<size_t> rays = rays_.rays_of(camera);
  std::vector<RimMiss> its;
  for (const size_t ray : rays) its.push_back(start[ray]);
  const Fitted fitted = fit(camera, rays, noise_px, its, stop);
  out.gain = cost(its, noise_px) - fitted.cost - prior_cost(fitted.change);
  out.floor = floor_effect(views_[camera].camera, fitted.change, fitted.covariance, grid_);
  out.floor.blind_m *= std::sqrt(instants_alike());
  return out;
}

bool is_judged(const CameraFit& fit) {
  return fit.partners >= kMinPartners && fit.rays >= kMinRays && fit.floor.blind_m > 0 &&
         fit.floor.blind_m <= kMaxBlind_m;
}

bool is_suspected(const CameraFit& fit) {
  return fit.gain >= kMinGain && fit.floor.largest_m > kMaxFloorShift_m;
}

std::optional<size_t> camera_by_rays(const std::vector<CameraFit>& fits,
                                     const std::vector<double>& focal_px) {
  size_t best = 0;
  double next_gain = 0;
  for (size_t c = 1; c < fits.size(); ++c)
    if (fits[c].gain > fits[best].gain) best = c;
  for (size_t c = 0; c < fits.size(); ++c)
    if (c != best) next_gain = std::max(next_gain, fits[c].gain);
  if (fits.empty() || !is_suspected(fits[best])) return std::nullopt;
  const CameraFit& most = fits[best];
  const bool leads = most.gain >= std::max(next_gain + kMinLead, kClearlyMore * next_gain);
  const bool others_fit = most.others_px <= kMaxOthers * focal_px[best];
  const bool certain =
      most.partners >= kMinPartners && most.rays >= kMinRays && most.floor.certainty >= kMinCertainty;
  return leads && others_fit && certain ? std::optional(best) : std::nullopt;
}

OutlineReport OutlineFit::report(const std::function<void()>& fitted, const StopSource& stop) const {
  OutlineReport report;
  report.pairs = pairs_;
  report.cameras.resize(views_.size());
  std::vector<size_t> all(rays_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  const std::vector<RimMiss> start = rays_.misses(all, views_, {});
  report.noise_px = noise_px(start);
  std::vector<double> focal_px;
  for (size_t c = 0; c < views_.size(); ++c) {
    if (stop.stop_requested()) return report;
    report.cameras[c] = describe(c, start, report.noise_px, stop);
    focal_px.push_back(views_[c].camera.model().fx_px);
    fitted();
  }
  report.wrong = camera_by_rays(report.cameras, focal_px);
  return report;
}

}  // namespace vantage
