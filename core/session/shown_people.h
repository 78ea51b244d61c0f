// The identity of a shown person, common to the views, picking, tracking, repairs and lanes.
//
// An ID is that of the results. A frame that is shown has the IDs that the session knows to be the results'
// (0 elsewhere: a preview, changed parameters, repairs not yet applied). Where the tracks have that frame
// too, they decide by position and time: frames and tracks are updated one after the other, and between the
// two an ID may already be another person's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/session/recorded_tracks.h"
#include "core/session/shown_frame.h"

namespace vantage {

struct ShownPerson {
  int64_t id = 0;  // 0: unknown
  double x_m = 0, y_m = 0, height_m = 0;
  int32_t place = -1;                   // among the frame's people; -1: not among them, but on a path
  const PersonPath* path = nullptr;     // in the tracks; null: unknown, so that nothing can be repaired
  std::optional<PathPoint> point = {};  // in this frame; nothing: none
};

class ShownPeople {
 public:
  ShownPeople() = default;
  // Either may be null.
  ShownPeople(ShownFrameRef shown, TracksRef tracks);

  // The frame's people, in their order.
  const std::vector<ShownPerson>& people() const { return people_; }
  // The person with that ID in this frame: as it is shown, else at the path's position.
  std::optional<ShownPerson> find(int64_t id) const;
  // Over the complete recording; null: the tracks do not have the ID.
  const PersonPath* path(int64_t id) const;
  const TracksRef& tracks() const { return tracks_; }
  // The ID in other tracks of the person with `id` in these: the path through the same position in that frame
  // (or in the person's last frame, if not there then), else the one with the same ID within kRepairReach_m.
  // 0: none.
  int64_t same_person(int64_t id, int64_t frame, const Tracks& others) const;

 private:
  void hold_against_tracks(int64_t frame, ShownPerson* person) const;

  ShownFrameRef shown_;
  TracksRef tracks_;
  std::vector<ShownPerson> people_;
};

}  // namespace vantage
