#include "core/check/camera_view.h"

#include <fmt/core.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <utility>

#include "core/base/quantile.h"
#include "core/check/detail/sample.h"
#include "core/geometry/camera.h"
#include "core/image/picture.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage {
namespace {

// Positions this far off are wrong by more than the distance between people: the results would be useless.
constexpr double kFailingShift_m = 0.10;
// With fewer pictures a jump is only doubtful and stops no run.
constexpr size_t kPicturesThatFail = 12;
// In a shorter recording a person may cover much of the picture throughout.
constexpr double kMinSpan_s = 5;
// Maximum residual of a jump that a turn explains.
constexpr double kMinLeft_px = 1, kMaxLeft = 0.1;
// Maximum distance in frames between a jump and the first frame of the later calibration that belongs to it.
constexpr int64_t kKnownWithin = 2;

std::string instant_text(int64_t frame, double rate) {
  return fmt::format("{:.1f} s (frame {})", static_cast<double>(frame) / rate, frame);
}

// Describes the jump and, for a calibrated camera, what it does to the calibration.
std::string jump_text(const SolvedJump& solved, double rate) {
  const ViewJump& jump = solved.jump;
  std::string text = fmt::format("jumped by {:.1f} px", jump.moved_px);
  if (solved.turn && !solved.known) text += fmt::format(", {:.2f} degrees", solved.turn->degrees);
  text += " at " + instant_text(jump.first_after, rate);
  if (jump.first_after - jump.last_before > 1)
    text += fmt::format(" or up to {:.1f} s before",
                        static_cast<double>(jump.first_after - jump.last_before - 1) / rate);
  text += " and stays there";
  if (solved.known) {
    text += ", where the project has another calibration";
    if (solved.known_px) text += fmt::format(", with which it misses by {:.1f} px", *solved.known_px);
    return text;
  }
  if (solved.floor_m)
    text += fmt::format("; positions on the floor are off by {:.0f} cm from there on", 100 * *solved.floor_m);
  if (solved.turn)
    text += fmt::format("; a rotation leaves {:.1f} of the {:.1f} px unexplained", solved.turn->after_px,
                        solved.turn->before_px);
  return text;
}

std::optional<double> median_floor_m(const Camera& calibrated, const Camera& stands, const VoxelGrid& grid) {
  std::vector<double> shifts;
  for (const Eigen::Vector3d& place : floor_places(stands, grid))
    if (const auto shift = floor_shift_m(stands, calibrated, place)) shifts.push_back(shift->norm());
  return shifts.empty() ? std::nullopt : std::optional(upper_median(std::move(shifts)));
}

Result<Image> read_view(VideoSource& source, int64_t frame) {
  VANTAGE_TRY(source.seek(frame));
  VANTAGE_ASSIGN(const DecodedFrame decoded, source.read());
  if (!decoded.picture || !decoded.problem.empty())
    return fail(ErrorKind::bad_data, "the frame has no complete picture", fmt::format("frame {}", frame));
  return reduced_mean(decoded.picture.plane(0), view_factor(decoded.picture.width()), HostPool::shared());
}

}  // namespace

bool SolvedJump::solved() const {
  return turn && turn->after_px <= std::max(kMinLeft_px, kMaxLeft * turn->before_px);
}

bool SolvedJump::known_and_fits() const {
  return known && known_px.value_or(0) <= std::max(kMinLeft_px, kMaxLeft * jump.moved_px);
}

std::vector<KnownCalibration> known_calibrations(const ProjectCamera& camera, double rate_ratio) {
  std::vector<KnownCalibration> known;
  for (const LaterCalibration& later : camera.later_calibrations) {
    const double own = camera_frame_at(camera, static_cast<double>(later.from_frame), rate_ratio);
    known.push_back({later.from_frame, std::llround(own), later.camera});
  }
  return known;
}

std::vector<SolvedJump> solve_jumps(const ViewFinding& found, const std::optional<Camera>& calibration,
                                    const VoxelGrid* grid, const std::vector<KnownCalibration>& known) {
  std::vector<SolvedJump> solved;
  std::optional<Camera> stands = calibration,
                        calibrated =
                            calibration;  // the pose as measured so far, and as the project states it
  int64_t passed = -1;  // the camera's frame up to which known calibrations have been applied
  for (const ViewJump& jump : found.jumps) {
    SolvedJump& one = solved.emplace_back(SolvedJump{jump, {}, {}, {}, {}});
    for (const KnownCalibration& view : known)
      if (view.from_camera_frame > passed && view.from_camera_frame < jump.last_before - kKnownWithin)
        stands = calibrated = view.camera;
    const auto is_here = [&](const KnownCalibration& view) {
      return view.from_camera_frame > passed && view.from_camera_frame >= jump.last_before - kKnownWithin &&
             view.from_camera_frame <= jump.first_after + kKnownWithin;
    };
    const auto here = std::find_if(known.begin(), known.end(), is_here);
    passed = std::max(jump.first_after, here == known.end() ? passed : here->from_camera_frame);
    if (stands) one.turn = solve_turn(*stands, jump);
    if (here != known.end()) {
      one.known = *here;
      if (stands && only_turned(*stands, here->camera)) one.known_px = missed_px(*stands, here->camera, jump);
      calibrated = here->camera;
      if (one.known_and_fits()) {
        stands = here->camera;
        continue;
      }
    }
    stands = one.turn ? std::optional(one.turn->camera) : std::nullopt;
    if (stands && grid) one.floor_m = median_floor_m(*calibrated, *stands, *grid);
  }
  return solved;
}

ReadView view_reader(const std::string& video, const StopSource& stop) {
  const auto opened = std::make_shared<std::unique_ptr<VideoSource>>();
  return [video, stop, opened](int64_t frame) -> Result<Image> {
    if (!*opened) {
      VideoOpenOptions how;
      how.stop = stop;
      VANTAGE_ASSIGN(*opened, open_video(video, how));
    }
    return read_view(**opened, frame);
  };
}

Result<WatchedView> watch_view(const std::string& video, int pictures, const StopSource& stop) {
  VideoOpenOptions how;
  how.stop = stop;
  VANTAGE_ASSIGN(const auto source, open_video(video, how));
  const VideoInfo info = source->info();
  const int64_t frames = source->wait_for_frame_count(stop).value_or(info.frame_count);
  std::vector<TimedView> views;
  for (const int64_t frame : sample_moments(*source, frames, pictures)) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "the search was stopped", video);
    if (Result<Image> view = read_view(*source, frame)) views.push_back({frame, std::move(*view)});
  }
  return WatchedView{find_view_jumps(views, view_factor(info.width_px), view_reader(video, stop)),
                     info.frame_rate, info.width_px};
}

CheckItem examine_view(const ProjectCamera& camera, const std::vector<TimedView>& views, int width_px,
                       const VoxelGrid* grid, const ViewRates& rates, const StopSource& stop) {
  const double rate = rates.own;
  const int factor = view_factor(width_px);
  CheckItem item{"view", camera.name, Verdict::passed, {}, {}, {}, -1};
  item.limit = fmt::format("the view jumps by less than {:.1f} px", smallest_jump_px(factor));
  const ViewFinding found = find_view_jumps(views, factor, view_reader(camera.video, stop));
  if (found.jumps.empty() && !found.untold.empty()) {
    item.verdict = Verdict::cannot_tell;
    item.figure = found.untold;
    item.frame = found.untold_frame;
    item.remedy = "Examine the pictures: does the camera stand still?";
    return item;
  }
  if (found.jumps.empty()) {
    item.figure = fmt::format("stays within {:.1f} px over {} pictures", found.largest_px, views.size());
    return item;
  }
  if (static_cast<double>(views.back().frame - views.front().frame) < kMinSpan_s * rate) {
    item.verdict = Verdict::cannot_tell;
    item.figure = fmt::format(
        "{:.1f} px apart, but {:.0f} s are needed to tell a jump from people who cover much of "
        "the picture",
        found.jumps.front().moved_px, kMinSpan_s);
    item.frame = found.jumps.front().first_after;
    item.remedy = "Examine the pictures: does the camera stand still?";
    return item;
  }
  const std::optional<Camera>& calibrated = camera.calibration;
  const bool fits = calibrated && calibrated->width_px() == width_px;
  std::vector<KnownCalibration> known;
  if (fits) known = known_calibrations(camera, rates.base > 0 ? rate / rates.base : 1);
  const SolvedJump* first = nullptr;  // the first one that nothing explains
  const std::vector<SolvedJump> jumps = solve_jumps(found, fits ? calibrated : std::nullopt, grid, known);
  for (const SolvedJump& solved : jumps) {
    item.figure += (item.figure.empty() ? "" : "; ") + jump_text(solved, rate);
    if (solved.known_and_fits()) continue;
    if (!first) first = &solved;
    if (item.verdict != Verdict::failed) item.verdict = Verdict::doubtful;
    if (solved.floor_m && *solved.floor_m >= kFailingShift_m && views.size() >= kPicturesThatFail)
      item.verdict = Verdict::failed;
  }
  if (!first) return item;
  item.frame = first->jump.first_after;
  item.remedy =
      first->known
          ? "The calibration from there on does not fit these pictures: find bumped cameras again."
          : "The camera may have been bumped: find bumped cameras, which gives it a calibration from "
            "there on.";
  item.command = "vantage-cli calibrate bumped";
  return item;
}

namespace {

// Positions on the floor and at chest height, over the whole region: cameras that show no floor still show
// people.
constexpr int kPlaces = 32;  // along one side
constexpr double kChest_m = 1.3;
// Cameras that see the middle of the floor from directions this far apart all count as equally good.
constexpr double kFromElsewhere = std::numbers::pi / 6;

struct SeenPlaces {
  std::vector<uint64_t> bits;  // one bit per position, in 64-bit words
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
};

SeenPlaces places_seen(const Camera& camera, const VoxelGrid& grid) {
  SeenPlaces seen;
  seen.bits.resize((2 * kPlaces * kPlaces + 63) / 64);
  const double width_m = grid.nx * grid.voxel_size_m, depth_m = grid.ny * grid.voxel_size_m,
               chest_m = std::min(kChest_m, grid.nz * grid.voxel_size_m);
  size_t place = 0;
  double count = 0;
  for (const double height_m : {0.0, chest_m})
    for (int y = 0; y < kPlaces; ++y)
      for (int x = 0; x < kPlaces; ++x, ++place) {
        const Eigen::Vector3d at =
            Eigen::Vector3d(grid.origin_in_world_m[0], grid.origin_in_world_m[1], grid.origin_in_world_m[2]) +
            Eigen::Vector3d((x + 0.5) / kPlaces * width_m, (y + 0.5) / kPlaces * depth_m, height_m);
        if (!camera.sees(at)) continue;
        seen.bits[place / 64] |= uint64_t{1} << (place % 64);
        seen.middle += at, ++count;
      }
  if (count > 0) seen.middle /= count;
  return seen;
}

int shared(const SeenPlaces& a, const SeenPlaces& b) {
  int count = 0;
  for (size_t word = 0; word < a.bits.size(); ++word) count += std::popcount(a.bits[word] & b.bits[word]);
  return count;
}

double angle_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// Neighbours of one camera, best first. A camera scores by the area it shares, and less the nearer its
// direction is to that of the camera or of one chosen before. Ties: the lower index.
std::vector<size_t> chosen_for(size_t own, const std::vector<Camera>& cameras,
                               const std::vector<SeenPlaces>& seen) {
  std::vector<Eigen::Vector3d> directions;  // start in the middle of the area that the camera sees
  std::vector<double> apart(cameras.size(), std::numbers::pi), share;
  for (size_t c = 0; c < cameras.size(); ++c) {
    directions.push_back(cameras[c].center_in_world_m() - seen[own].middle);
    share.push_back(c == own ? 0 : shared(seen[own], seen[c]));
  }
  std::vector<size_t> chosen;
  for (size_t last = own; chosen.size() < kMaxNeighbours;) {
    double most = 0;
    size_t best = cameras.size();
    for (size_t c = 0; c < cameras.size(); ++c) {
      if (share[c] == 0) continue;
      apart[c] = std::min(apart[c], angle_between(directions[c], directions[last]));
      const double worth = share[c] * (0.1 + std::min(apart[c], kFromElsewhere) / kFromElsewhere);
      if (worth > most) most = worth, best = c;
    }
    if (best == cameras.size()) break;
    chosen.push_back(best);
    share[best] = 0, last = best;
  }
  return chosen;
}

}  // namespace

Neighbours neighbours_of(const std::vector<Camera>& cameras, const VoxelGrid& grid) {
  Neighbours neighbours(cameras.size());
  if (cameras.size() <= kMaxNeighbours + 1) {
    for (size_t c = 0; c < cameras.size(); ++c)
      for (size_t other = 0; other < cameras.size(); ++other)
        if (other != c) neighbours[c].push_back(other);
    return neighbours;
  }
  std::vector<SeenPlaces> seen;
  for (const Camera& camera : cameras) seen.push_back(places_seen(camera, grid));
  for (size_t c = 0; c < cameras.size(); ++c) {
    neighbours[c] = chosen_for(c, cameras, seen);
    std::sort(neighbours[c].begin(), neighbours[c].end());
  }
  return neighbours;
}

}  // namespace vantage
