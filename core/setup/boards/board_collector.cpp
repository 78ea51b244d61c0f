#include "core/setup/boards/board_collector.h"

#include <Eigen/Core>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel_each.h"
#include "core/base/text.h"
#include "core/calibration/solve/board.h"
#include "core/calibration/solve/board_detector.h"
#include "core/geometry/dense.h"

namespace vantage {
namespace {

// Appearance of a board to a camera: position, size and slant in the picture. Views are compared by it.

struct BoardLook {
  Eigen::Vector2d middle;    // of the corners seen, in shares of the picture's width and height
  double log_square_px = 0;  // of a square's side, without the shortening by the slant
  Eigen::Vector2d slant;     // towards where the board recedes in the picture; length: the angle's sine

  // A camera learns something from this view that it did not from the other.
  bool differs_from(const BoardLook& other) const;
  bool slanted() const;  // by more than kSlantedBoard_rad
};

// Views that differ by less than this in everything are one. Position in shares of the picture; distance by
// the factor e^0.15, a seventh; slant by about 12 degrees of a board that faces the camera.
constexpr double kOtherPlace = 0.08, kOtherDistance = 0.15, kOtherSlant = 0.2;

bool BoardLook::differs_from(const BoardLook& other) const {
  return (middle - other.middle).cwiseAbs().maxCoeff() > kOtherPlace ||
         std::abs(log_square_px - other.log_square_px) > kOtherDistance ||
         (slant - other.slant).norm() > kOtherSlant;
}

bool BoardLook::slanted() const {
  return slant.norm() > std::sin(kSlantedBoard_rad);
}

// Appearance by the homography that fits the corners best, for a camera that points straight at them. Nothing
// if the corners do not determine it: fewer than 4, or all on a line.
std::optional<BoardLook> look_of(const Board& board, const std::vector<BoardCorner>& corners, int width_px,
                                 int height_px) {
  if (corners.size() < 4) return {};
  Eigen::Vector2d middle_m = Eigen::Vector2d::Zero(), middle_px = Eigen::Vector2d::Zero();
  for (const BoardCorner& corner : corners) {
    middle_m += Eigen::Vector2d(board.x_m(corner.index), board.y_m(corner.index));
    middle_px += Eigen::Vector2d(corner.x_px, corner.y_px);
  }
  middle_m /= static_cast<double>(corners.size()), middle_px /= static_cast<double>(corners.size());
  // x (1 + g u + h v) = a u + b v + c, y likewise; u and v in squares or tags, x and y in hundreds of pixels.
  const double unit_m = board.tags ? board.tags->side_m : board.square_m;
  constexpr double kUnit_px = 100;
  const auto rows = static_cast<Eigen::Index>(2 * corners.size());
  Eigen::Matrix<double, Eigen::Dynamic, 8> equations =
      Eigen::Matrix<double, Eigen::Dynamic, 8>::Zero(rows, 8);
  Eigen::VectorXd seen(rows);
  for (size_t i = 0; i < corners.size(); ++i) {
    const double u = (board.x_m(corners[i].index) - middle_m.x()) / unit_m;
    const double v = (board.y_m(corners[i].index) - middle_m.y()) / unit_m;
    const Eigen::Vector2d at = (Eigen::Vector2d(corners[i].x_px, corners[i].y_px) - middle_px) / kUnit_px;
    for (const Eigen::Index axis : {0, 1}) {
      const Eigen::Index row = 2 * static_cast<Eigen::Index>(i) + axis;
      equations.block<1, 3>(row, 3 * axis) << u, v, 1;
      equations.block<1, 2>(row, 6) << -at[axis] * u, -at[axis] * v;
      seen[row] = at[axis];
    }
  }
  Eigen::Index rank = 0;
  const Eigen::VectorXd map = least_squares(equations, seen, &rank);
  if (rank < 8) return {};
  const Eigen::Vector2d recedes(map[6], map[7]);
  Eigen::Matrix2d turned;  // how the picture's pixels follow the board's squares, at their middle
  turned << map[0], map[1], map[3], map[4];
  turned -= Eigen::Vector2d(map[2], map[5]) * recedes.transpose();
  const Eigen::JacobiSVD<Eigen::Matrix2d> parts(turned, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double longest = parts.singularValues()[0], shortest = parts.singularValues()[1];
  if (!(shortest > 0) || !std::isfinite(longest)) return {};
  BoardLook look;
  look.middle = middle_px.cwiseQuotient(Eigen::Vector2d(width_px, height_px));
  look.log_square_px = std::log(longest * kUnit_px);
  const double share = shortest / longest;
  const double away = recedes.dot(parts.matrixV().col(1)) < 0 ? -1 : 1;
  look.slant = away * std::sqrt(std::max(0.0, 1 - share * share)) * parts.matrixU().col(1);
  return look;
}

// Instructions to people: next views to show.

constexpr int kMinPairSets = 3;  // one may be off, three show it

std::string joined(const std::vector<std::string>& names, const char* last) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? last : ", ") + names[i];
  return text;
}

// The first camera that each camera is linked with, over others or not.
std::vector<size_t> groups_of(const CollectedBoards& collected) {
  std::vector<size_t> group(collected.cameras.size());
  for (size_t c = 0; c < group.size(); ++c) group[c] = c;
  for (size_t pass = 0; pass < group.size(); ++pass)
    for (const LinkedCameras& pair : collected.pairs)
      if (pair.sets >= kMinPairSets)
        group[pair.first] = group[pair.second] = std::min(group[pair.first], group[pair.second]);
  return group;
}

// Empty: all cameras are linked.
std::string next_link(const CollectedBoards& collected) {
  const std::vector<size_t> group = groups_of(collected);
  const auto apart = std::find_if(group.begin(), group.end(), [](size_t first) { return first != 0; });
  if (apart == group.end()) return {};
  std::vector<std::string> here, others;
  for (size_t c = 0; c < group.size(); ++c)
    (group[c] == *apart ? here : others).push_back(collected.cameras[c].name);
  return "Show the board to " + joined(here, " or ") + " and " + joined(others, " or ") + " at once.";
}

// Empty: enough.
std::string next_for(const CollectedCamera& camera) {
  if (camera.kept.views.empty()) return "show it the board";
  if (!camera.solve_lens) return {};
  const auto uncovered = uncovered_places(camera.coverage);
  // Slanted boards reach other parts, too.
  if (camera.slanted < kMinSlantedBoards &&
      camera.slanted * 2 < static_cast<int>(camera.kept.views.size()) - 1)
    return "slant the board, each time to another side";
  if (!uncovered.empty())
    return "bring the board to the " + std::string(uncovered.front()) + " of its picture";
  if (camera.slanted < kMinSlantedBoards) return "slant the board, each time to another side";
  return {};
}

// Never empty. Cameras that have seen nothing come first, then cameras that no other one is linked with, then
// the camera with the least coverage.
std::string next_for_all(const CollectedBoards& collected) {
  if (collected.cameras.empty()) return "There is no camera.";
  const auto any = [&](BoardMotion motion) {
    return std::any_of(collected.cameras.begin(), collected.cameras.end(),
                       [motion](const CollectedCamera& camera) { return camera.motion == motion; });
  };
  const std::string still = any(BoardMotion::moving) ? "Hold the board still. " : "";
  if (collected.sets == 0)
    return still.empty() ? "Show the board to the cameras and hold it still." : "Hold the board still.";
  std::vector<std::string> blind;
  for (const CollectedCamera& camera : collected.cameras)
    if (camera.kept.views.empty()) blind.push_back(camera.name);
  if (!blind.empty()) return still + "Show the board to " + joined(blind, " and ") + ".";
  if (const std::string link = next_link(collected); !link.empty()) return still + link;
  const CollectedCamera* least = nullptr;
  for (const CollectedCamera& camera : collected.cameras)
    if (!camera.next.empty() && (!least || camera.covered_percent < least->covered_percent)) least = &camera;
  if (least) return still + least->name + ": " + least->next + ".";
  return "All cameras have seen enough: solve.";
}

bool is_enough(const CollectedBoards& collected) {
  return !collected.cameras.empty() && next_link(collected).empty() &&
         std::all_of(collected.cameras.begin(), collected.cameras.end(),
                     [](const CollectedCamera& camera) { return camera.next.empty(); });
}

// Maximum move of a board at rest, as a share of the picture's width (RMS of its corners), and the time for
// it: 1.3 px of 1280 in 0.3 s. Pictures taken 20 ms apart then differ by less than a tenth of a pixel.
constexpr double kRestingMove = 0.001;
constexpr int64_t kRest_ns = 300'000'000;
// Older observations show nothing about rest.
constexpr int64_t kForget_ns = 3'000'000'000;
constexpr size_t kMinCommon = 4;  // corners
constexpr size_t kMaxViews = 60;  // of one camera; more change its lens by less than their noise
constexpr int kMaxPairSets = 12;  // of a pair that is requested by itself

// Move of the board; infinite if too few corners are in both.
double moved_px(const std::vector<BoardCorner>& before, const std::vector<BoardCorner>& now) {
  double sum2 = 0;
  size_t common = 0;
  for (size_t i = 0, j = 0; i < before.size() && j < now.size();) {
    const BoardCorner &a = before[i], &b = now[j];
    if (a.index == b.index) {
      sum2 += (a.x_px - b.x_px) * (a.x_px - b.x_px) + (a.y_px - b.y_px) * (a.y_px - b.y_px);
      ++common;
    }
    i += a.index <= b.index, j += b.index <= a.index;
  }
  return common < kMinCommon ? INFINITY : std::sqrt(sum2 / static_cast<double>(common));
}

}  // namespace

struct BoardCollector::Track {
  int64_t picture = -1;                             // the newest
  std::vector<BoardCorner> since;                   // where the board was when it came to rest
  int64_t since_ns = 0, seen_ns = 0;                // `seen_ns`: when it was seen last
  std::optional<BoardLook> look;                    // of the newest picture
  std::vector<std::pair<int64_t, BoardLook>> kept;  // by number of the set
};

BoardCollector::BoardCollector(const Board& board, const std::vector<CollectingCamera>& cameras)
    : board_(board), tracks_(cameras.size()) {
  for (const CollectingCamera& camera : cameras) {
    CollectedCamera& one = collected_.cameras.emplace_back();
    one.name = camera.name, one.solve_lens = camera.solve_lens;
  }
  advise();
}

BoardCollector::~BoardCollector() = default;

bool BoardCollector::add(int64_t time_ns, std::vector<SeenBoard> seen) {
  if (time_ns < time_ns_)  // other pictures: the cameras were opened again
    for (Track& track : tracks_) track.picture = -1, track.since.clear();
  time_ns_ = time_ns;
  seen.resize(tracks_.size());
  for (size_t c = 0; c < tracks_.size(); ++c) note(c, time_ns, std::move(seen[c]));
  const std::vector<size_t> sees = seeing();
  const bool all_rest = std::all_of(sees.begin(), sees.end(), [&](size_t c) {
    return collected_.cameras[c].motion == BoardMotion::resting;
  });
  collected_.newest_kept = all_rest && shows_something_new();
  if (collected_.newest_kept) keep();
  advise();
  return collected_.newest_kept;
}

void BoardCollector::note(size_t c, int64_t time_ns, SeenBoard seen) {
  CollectedCamera& camera = collected_.cameras[c];
  Track& track = tracks_[c];
  // The same picture once more, of a slower camera, shows what it showed before.
  if (seen.picture >= 0 && seen.picture == track.picture) return;
  camera.corners.clear(), camera.motion = BoardMotion::unseen;
  track.look.reset();
  if (seen.picture < 0) return;
  track.picture = seen.picture;
  ++camera.examined;
  if (seen.width_px != camera.kept.width_px || seen.height_px != camera.kept.height_px) {
    camera.kept.views.clear(), track.kept.clear(), track.since.clear();
    camera.coverage = {}, camera.covered_percent = camera.slanted = 0;
    camera.kept.width_px = seen.width_px, camera.kept.height_px = seen.height_px;
    std::erase_if(collected_.pairs,
                  [c](const LinkedCameras& pair) { return pair.first == c || pair.second == c; });
  }
  if (!seen.corners.empty()) track.look = look_of(board_, seen.corners, seen.width_px, seen.height_px);
  if (!track.look) return;
  const bool known = !track.since.empty() && time_ns - track.seen_ns <= kForget_ns;
  track.seen_ns = time_ns;
  camera.motion = BoardMotion::moving;
  if (!known || moved_px(track.since, seen.corners) > kRestingMove * seen.width_px)
    track.since = seen.corners, track.since_ns = time_ns;
  else if (time_ns - track.since_ns >= kRest_ns)
    camera.motion = BoardMotion::resting;
  camera.corners = std::move(seen.corners);
}

std::vector<size_t> BoardCollector::seeing() const {
  std::vector<size_t> cameras;
  for (size_t c = 0; c < tracks_.size(); ++c)
    if (tracks_[c].look) cameras.push_back(c);
  return cameras;
}

bool BoardCollector::shows_something_new() const {
  const std::vector<size_t> sees = seeing();
  const auto is_new = [&](size_t c, auto among) {
    return std::all_of(tracks_[c].kept.begin(), tracks_[c].kept.end(), [&](const auto& kept) {
      return !among(kept.first) || tracks_[c].look->differs_from(kept.second);
    });
  };
  for (const size_t c : sees)
    if (tracks_[c].kept.size() < kMaxViews && is_new(c, [](int64_t) { return true; })) return true;
  const auto kept_in = [&](size_t c, int64_t set) {
    return std::any_of(tracks_[c].kept.begin(), tracks_[c].kept.end(),
                       [set](const auto& kept) { return kept.first == set; });
  };
  for (size_t i = 0; i < sees.size(); ++i)
    for (size_t j = i + 1; j < sees.size(); ++j) {
      const size_t a = sees[i], b = sees[j];
      const auto pair =
          std::find_if(collected_.pairs.begin(), collected_.pairs.end(),
                       [&](const LinkedCameras& one) { return one.first == a && one.second == b; });
      if (pair != collected_.pairs.end() && pair->sets >= kMaxPairSets) continue;
      const auto both = [&](int64_t set) { return kept_in(a, set) && kept_in(b, set); };
      if (is_new(a, both) || is_new(b, both)) return true;
    }
  return false;
}

void BoardCollector::keep() {
  const std::vector<size_t> sees = seeing();
  const int64_t number = collected_.sets++;
  for (const size_t c : sees) {
    CollectedCamera& camera = collected_.cameras[c];
    camera.kept.views.push_back({static_cast<int>(c), number, camera.corners});
    tracks_[c].kept.emplace_back(number, *tracks_[c].look);
    camera.slanted += tracks_[c].look->slanted();
    for (const BoardCorner& corner : camera.corners)
      ++camera.coverage[coverage_part(corner.x_px, corner.y_px, camera.kept.width_px, camera.kept.height_px)];
    const auto covered =
        std::count_if(camera.coverage.begin(), camera.coverage.end(), [](int n) { return n > 0; });
    camera.covered_percent = static_cast<int>(100 * covered / static_cast<int64_t>(camera.coverage.size()));
  }
  for (CollectedCamera& camera : collected_.cameras) camera.kept.pictures = static_cast<int>(collected_.sets);
  for (size_t i = 0; i < sees.size(); ++i)
    for (size_t j = i + 1; j < sees.size(); ++j) {
      const auto pair = std::find_if(
          collected_.pairs.begin(), collected_.pairs.end(),
          [&](const LinkedCameras& one) { return one.first == sees[i] && one.second == sees[j]; });
      if (pair == collected_.pairs.end())
        collected_.pairs.push_back({sees[i], sees[j], 1});
      else
        ++pair->sets;
    }
}

void BoardCollector::advise() {
  for (CollectedCamera& camera : collected_.cameras) camera.next = next_for(camera);
  collected_.next = next_for_all(collected_);
  collected_.enough = is_enough(collected_);
}

std::vector<FoundBoards> BoardCollector::found() const {
  std::vector<FoundBoards> found;
  for (const CollectedCamera& camera : collected_.cameras) found.push_back(camera.kept);
  return found;
}

std::vector<SeenBoard> see_boards(const FrameSet& frames, const Board& board, const StopSource& stop) {
  std::vector<SeenBoard> seen(frames.cameras.size());
  parallel_each(seen.size(), [&](size_t c) {
    const CameraFrame& frame = frames.cameras[c];
    if (!frame.picture) return;
    seen[c].picture = frame.camera_frame;
    seen[c].width_px = frame.picture.width(), seen[c].height_px = frame.picture.height();
    if (auto corners = find_board(frame.picture.plane(0), board)) seen[c].corners = std::move(*corners);
  });
  return seen;
}

}  // namespace vantage
