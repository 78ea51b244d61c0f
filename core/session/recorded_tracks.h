// The tracks of the results on disk, with the project's repairs: who is shown in frames whose results are
// current, with which number, where the chain itself only knows its frame-by-frame tracker; and the ways of
// everybody over the whole recording.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/people/people.h"
#include "core/pipeline/frame_result.h"
#include "core/repairs/repairs.h"
#include "core/results/results_reader.h"
#include "core/session/shown_frame.h"

namespace vantage {

struct Tracks {
  double frame_rate = 0;              // of the base camera
  std::vector<int64_t> frames;        // analysed, ascending
  std::vector<int64_t> known_frames;  // of these, where people are known
  std::vector<PersonPath> paths;      // with the repairs; by number
  std::vector<UnmetRepair> unmet;     // repairs that do not hold
  // For live cameras tracked by paths: numbers of frames from here on may still change, for so long.
  std::optional<int64_t> settled_end;
  double latency_s = 0;
};
using TracksRef = std::shared_ptr<const Tracks>;

class RecordedTracks {
 public:
  // `paths` as tracks.csv holds them; their points are joined to the frames' people by number.
  RecordedTracks() = default;
  RecordedTracks(const StoredResults& results, std::vector<PersonPath> paths);

  void repair(const std::vector<IdentityRepair>& repairs);
  // Null where there are no results.
  const TracksRef& tracks() const { return tracks_; }

  // Whether they tell who is in the frame, under one of these versions of the tracking stage.
  bool tells(int64_t frame, std::span<const uint64_t> versions) const;
  // The people of that frame, which they tell, with their IDs. Where an exact result of the same version has
  // found them, they only get the IDs. Otherwise (pictures alone, a preview, people whom paths have found
  // again) the results' people take the place of the frame's own, with the evidence of whoever was found
  // there.
  void show_people(ShownFrame* shown) const;

 private:
  struct Frame {
    uint64_t version = 0;             // of the tracks
    std::vector<int64_t> numbers;     // by person; 0: none
    std::vector<FoundPerson> people;  // what results hold of them
    int cameras = 0, without_picture = 0;
    bool known = false;    // the count of people
    bool carried = false;  // from the looks before and after
  };
  static bool found_same(const Frame& frame, const FrameResult& result);
  static std::shared_ptr<const PeopleArtifact> people_in(const Frame& frame, const PeopleArtifact* own);

  std::vector<PersonPath> paths_;  // without repairs
  std::map<int64_t, Frame> frames_;
  TracksRef tracks_;
};

}  // namespace vantage
