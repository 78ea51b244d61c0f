#include "core/session/shown_people.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/tracks/repairs/repairs.h"

namespace vantage {
namespace {

const PersonPath* path_in(const Tracks* tracks, int64_t id) {
  if (!tracks || id <= 0) return nullptr;
  const auto found =
      std::lower_bound(tracks->paths.begin(), tracks->paths.end(), id,
                       [](const PersonPath& path, int64_t number) { return path.id < number; });
  return found == tracks->paths.end() || found->id != id ? nullptr : &*found;
}

bool near(const PathPoint& point, double x_m, double y_m) {
  return std::hypot(point.x_m - x_m, point.y_m - y_m) <= kRepairReach_m;
}

}  // namespace

ShownPeople::ShownPeople(ShownFrameRef shown, TracksRef tracks)
    : shown_(std::move(shown)), tracks_(std::move(tracks)) {
  if (!shown_) return;
  const int64_t frame = shown_->result->frame;
  const bool tracked = tracks_ && std::binary_search(tracks_->frames.begin(), tracks_->frames.end(), frame);
  for (const FramePerson& one : people_of(*shown_)) {
    ShownPerson person{
        .id = one.id(), .x_m = one.found.x_m, .y_m = one.found.y_m, .height_m = one.found.height_m};
    person.place = static_cast<int32_t>(people_.size());
    if (person.id > 0 && tracked)
      hold_against_tracks(frame, &person);
    else
      person.path = path_in(tracks_.get(), person.id);
    people_.push_back(person);
  }
}

// The path that contains this person, else the nearest one within reach.
void ShownPeople::hold_against_tracks(int64_t frame, ShownPerson* person) const {
  for (const uint32_t index : tracks_->by_frame.near(frame)) {
    const PersonPath& path = tracks_->paths[index];
    const std::optional<PathPoint> point = path.points.find(frame);
    if (!point || point->person != person->place || !near(*point, person->x_m, person->y_m)) continue;
    person->id = path.id, person->path = &path, person->point = point;
    return;
  }
  const auto nearest = person_at(tracks_->paths, tracks_->by_frame, {frame, person->x_m, person->y_m});
  person->path = nearest ? &tracks_->paths[*nearest] : nullptr;
  person->point = person->path ? person->path->points.find(frame) : std::nullopt;
  person->id = person->path ? person->path->id : 0;
}

std::optional<ShownPerson> ShownPeople::find(int64_t id) const {
  if (id <= 0) return std::nullopt;
  for (const ShownPerson& person : people_)
    if (person.id == id) return person;
  const PersonPath* path = this->path(id);
  const std::optional<PathPoint> point =
      path && shown_ ? path->points.find(shown_->result->frame) : std::nullopt;
  if (!point) return std::nullopt;
  return ShownPerson{id, point->x_m, point->y_m, point->height_m, -1, path, point};
}

const PersonPath* ShownPeople::path(int64_t id) const {
  return path_in(tracks_.get(), id);
}

int64_t ShownPeople::same_person(int64_t id, int64_t frame, const Tracks& others) const {
  const PersonPath* path = this->path(id);
  if (!path || path->points.empty()) return 0;
  const PathPoint point = path->points.find(frame).value_or(path->points.back());
  for (const uint32_t index : others.by_frame.near(point.frame)) {
    const PersonPath& other = others.paths[index];
    const std::optional<PathPoint> same = other.points.find(point.frame);
    if (same && same->x_m == point.x_m && same->y_m == point.y_m) return other.id;
  }
  const PersonPath* numbered = path_in(&others, id);
  const std::optional<PathPoint> there = numbered ? numbered->points.find(point.frame) : std::nullopt;
  return there && near(*there, point.x_m, point.y_m) ? id : 0;
}

}  // namespace vantage
