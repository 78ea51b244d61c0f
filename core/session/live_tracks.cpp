#include "core/session/live_tracks.h"

#include <algorithm>

namespace vantage {

void LiveTracks::add(const FrameResult& result, double frame_rate) {
  const PeopleArtifact* people = result.people();
  const TracksArtifact* tracks = result.tracks();
  if (!people || !tracks || frame_rate <= 0) return;
  frame_rate_ = frame_rate;
  frames_.push_back(result.frame);
  if (people->count_known()) known_frames_.push_back(result.frame);
  for (size_t i = 0; i < std::min(tracks->tracked.size(), people->found.people.size()); ++i) {
    const auto& person = people->found.people[i];
    if (tracks->tracked[i].id <= 0) continue;
    PathPoint point;
    point.frame = result.frame;
    point.x_m = person.x_m, point.y_m = person.y_m, point.height_m = person.height_m;
    point.confidence = person.confidence;
    point.seen = true;
    point.person = static_cast<int32_t>(i);
    paths_[tracks->tracked[i].id].push_back(point);
  }
  const auto oldest = result.frame - static_cast<int64_t>(kWindow_s * frame_rate);
  while (frames_.front() < oldest) frames_.pop_front();
  while (!known_frames_.empty() && known_frames_.front() < oldest) known_frames_.pop_front();
  for (auto path = paths_.begin(); path != paths_.end();) {
    std::deque<PathPoint>& points = path->second;
    while (!points.empty() && points.front().frame < oldest) points.pop_front();
    path = points.empty() ? paths_.erase(path) : std::next(path);
  }
}

TracksRef LiveTracks::tracks() const {
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = frame_rate_;
  tracks->frames.assign(frames_.begin(), frames_.end());
  tracks->known_frames.assign(known_frames_.begin(), known_frames_.end());
  for (const auto& [id, points] : paths_) tracks->paths.push_back({id, {points.begin(), points.end()}});
  return tracks;
}

}  // namespace vantage
