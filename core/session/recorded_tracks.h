// The tracks of the results on disk, with the project's repairs: whose numbers a front end shows in frames
// that are analysed, where the chain itself only knows those of its frame-by-frame tracker; and the ways of
// everybody over the whole recording.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/project/results_reader.h"
#include "core/repairs/repairs.h"

namespace vantage {

struct Tracks {
  double frame_rate = 0;              // of the base camera
  std::vector<int64_t> frames;        // analysed, ascending
  std::vector<int64_t> known_frames;  // of these, where people are known
  std::vector<PersonPath> paths;      // with the repairs; by number
  std::vector<UnmetRepair> unmet;     // repairs that do not hold
  // Of live cameras followed by paths: numbers of frames from here on may still change, for so long.
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

  // The result with these numbers, under a version of tracks of its own; as it is where the frame's results
  // are of another version, or not there.
  FrameResultRef with_numbers(FrameResultRef result) const;

 private:
  struct Frame {
    uint64_t version = 0;          // of the tracks
    std::vector<int64_t> numbers;  // by person; 0: none
  };
  std::vector<PersonPath> paths_;  // without repairs
  std::map<int64_t, Frame> frames_;
  TracksRef tracks_;
  uint64_t stamp_ = 0;  // of the numbers as they are
};

}  // namespace vantage
