// The identity of a shown person: the one answer that the views, what is pointed at, following, repairs and
// lanes share.
//
// A number is the results'. A frame that is shown carries the numbers that the session knows to be the
// results' (0 elsewhere: a preview, changed parameters, repairs not yet applied there). Where the tracks hold
// that frame too, they have the last word, by place and time: frames and tracks come one after the other, and
// between the two a number may already be another person's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/session/recorded_tracks.h"
#include "core/session/shown_frame.h"

namespace vantage {

struct ShownPerson {
  int64_t id = 0;  // 0: no one knows
  double x_m = 0, y_m = 0, height_m = 0;
  int32_t place = -1;                   // among the frame's people; -1: not among them, but on a path
  const PersonPath* path = nullptr;     // in the tracks; null: they do not tell, so nothing can be repaired
  std::optional<PathPoint> point = {};  // in this frame; nothing: none
};

class ShownPeople {
 public:
  ShownPeople() = default;
  // Either may be null.
  ShownPeople(ShownFrameRef shown, TracksRef tracks);

  // The frame's people, in their order.
  const std::vector<ShownPerson>& people() const { return people_; }
  // The person with that number in this frame: as it is shown, else where the path is.
  std::optional<ShownPerson> find(int64_t id) const;
  // Over the whole recording; null: the tracks have no one of that number.
  const PersonPath* path(int64_t id) const;
  const TracksRef& tracks() const { return tracks_; }
  // The number, in other tracks, of whom these call `id`: who goes through the same position in that frame
  // (or, not there then, in the person's last), else who has the number and stands within kRepairReach_m of
  // it. 0: no one.
  int64_t same_person(int64_t id, int64_t frame, const Tracks& others) const;

 private:
  void hold_against_tracks(int64_t frame, ShownPerson* person) const;

  ShownFrameRef shown_;
  TracksRef tracks_;
  std::vector<ShownPerson> people_;
};

}  // namespace vantage
