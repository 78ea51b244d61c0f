// The tracks of the results on disk, with the project's repairs: who is shown in frames whose results are
// current, with which number, where the chain itself only knows its frame-by-frame tracker; and the ways of
// everybody over the whole recording.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/display/lanes.h"
#include "core/people/paths_by_frame.h"
#include "core/people/people.h"
#include "core/pipeline/frame_result.h"
#include "core/results/results_reader.h"
#include "core/session/shown_frame.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage {

struct Tracks {
  double frame_rate = 0;              // of the base camera
  std::vector<int64_t> frames;        // analysed, ascending
  std::vector<int64_t> known_frames;  // of these, where people are known
  std::vector<PersonPath> paths;      // with the repairs; by number
  PersonNames names;                  // typed, by number
  std::vector<FailedRepair> unmet;    // repairs that do not hold
  // For live cameras tracked by paths: numbers of frames from here on may still change, for so long.
  std::optional<int64_t> settled_end;
  double latency_s = 0;

  // What follows from the paths: made off the window's thread by the code that makes the tracks, when they
  // are complete.
  void index();
  std::vector<Lane> lanes;
  PathsByFrame by_frame;
};
using TracksRef = std::shared_ptr<const Tracks>;

class RecordedTracks {
 public:
  RecordedTracks() = default;
  // `paths` as tracks.csv holds them; the frames are added, then the repairs.
  RecordedTracks(double frame_rate, std::vector<PersonPath> paths);

  // In the file's order. The points of paths are joined to the frame's people by number.
  void add(const StoredFrame& frame);
  void repair(const std::vector<IdentityRepair>& repairs);
  // Null where there are no results, or the first repair() is still to come.
  const TracksRef& tracks() const { return tracks_; }

  // Whether they tell who is in the frame, under one of these versions of the tracking stage.
  bool tells(int64_t frame, std::span<const uint64_t> versions) const;
  // The people of that frame, which they tell, with their IDs. Where an exact result of the same version has
  // found them, they only get the IDs. Otherwise (pictures alone, a preview, people whom paths have found
  // again) the results' people take the place of the frame's own, with the evidence of the person who was
  // found there.
  void show_people(ShownFrame* shown) const;

 private:
  struct Frame {
    int64_t frame = 0;
    size_t first_person = 0;  // of its people, among those of all frames
    uint32_t people = 0;
    uint32_t version = 0;  // of the tracks; an index of versions_
    int cameras = 0, without_picture = 0;
    bool known = false;    // the count of people
    bool carried = false;  // from the looks before and after
  };
  void keep(const StoredFrame& frame);
  uint32_t index_of(uint64_t version);
  const Frame* find(int64_t frame) const;  // null: they do not tell
  std::vector<FoundPerson> people_of(const Frame& frame) const;
  std::vector<int64_t> numbers_of(const Frame& frame) const;  // by person; 0: none
  static bool found_same(const std::vector<FoundPerson>& stored, const FrameResult& result);
  static std::shared_ptr<const PeopleArtifact> people_in(const Frame& frame, std::vector<FoundPerson> stored,
                                                         const PeopleArtifact* own);

  std::vector<PersonPath> paths_;              // without repairs
  std::unordered_map<int64_t, size_t> by_id_;  // indices of these
  std::vector<Frame> frames_;                  // ascending
  std::vector<PathPoints> people_;             // what results hold of people, so many in each
  size_t people_count_ = 0;
  std::vector<uint64_t> versions_;
  std::shared_ptr<Tracks> growing_;  // until the first repair()
  TracksRef tracks_;
};

}  // namespace vantage
