#include "core/setup/boards/board_collector.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/formatted.h"
#include "core/base/parallel_each.h"
#include "core/calibration/solve/board_detector.h"
#include "core/setup/boards/detail/board_look.h"
#include "core/setup/boards/detail/showing_advice.h"

namespace vantage {
namespace {

// A board rests that has moved by no more than this share of the picture's width (RMS of its corners) for so
// long: 1.3 px of 1280 in 0.3 s. Pictures taken 20 ms apart then differ by less than a tenth of a pixel.
constexpr double kRestingMove = 0.001;
constexpr int64_t kRest_ns = 300'000'000;
// What was seen longer ago says nothing about rest.
constexpr int64_t kForget_ns = 3'000'000'000;
constexpr size_t kMinCommon = 4;  // corners
constexpr size_t kMaxViews = 60;  // of one camera; more change its lens by less than their noise
constexpr int kMaxPairSets = 12;  // of a pair that is asked for by itself

// How far the board moved; infinite where too few corners are in both.
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
