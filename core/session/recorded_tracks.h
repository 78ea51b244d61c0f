// Tracks of the stored results with the project's repairs: people and IDs shown in frames whose results are
// current, where the chain has only its frame-by-frame tracker, and everyone's paths over the recording.
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
  double frame_rate = 0;              // the base camera's
  std::vector<int64_t> frames;        // analysed, ascending
  std::vector<int64_t> known_frames;  // the ones with known people
  std::vector<PersonPath> paths;      // with the repairs; by ID
  PersonNames names;                  // typed by the user, by ID
  std::vector<FailedRepair> unmet;    // repairs that do not apply
  // For live cameras tracked by paths: IDs of frames from here on may still change.
  std::optional<int64_t> settled_end;
  double latency_s = 0;

  // Builds the data derived from the paths, off the window's thread, once they are complete.
  void index();
  std::vector<Lane> lanes;
  PathsByFrame by_frame;
};
using TracksRef = std::shared_ptr<const Tracks>;

class RecordedTracks {
 public:
  RecordedTracks() = default;
  // `paths`: as in tracks.csv. Frames are added next, then the repairs.
  RecordedTracks(double frame_rate, std::vector<PersonPath> paths);

  // In the file's order. Points of paths are joined to the frame's people by ID.
  void add(const StoredFrame& frame);
  void repair(const std::vector<IdentityRepair>& repairs);
  // Null without results or before the first repair().
  const TracksRef& tracks() const { return tracks_; }

  // The tracks cover the frame, under one of these versions of the tracking stage.
  bool tells(int64_t frame, std::span<const uint64_t> versions) const;
  // Sets the IDs of a frame's people, which the tracks must cover. An exact result of the same version only
  // gets the IDs. Otherwise (pictures alone, a preview, people found again by paths) the results' people
  // replace the frame's own, with the evidence of the person found at their position.
  void show_people(ShownFrame* shown) const;

 private:
  struct Frame {
    int64_t frame = 0;
    size_t first_person = 0;  // index of its first person among those of all frames
    uint32_t people = 0;
    uint32_t version = 0;  // the tracks'; an index of versions_
    int cameras = 0, without_picture = 0;
    bool known = false;    // the people are known
    bool carried = false;  // carried from detections before and after
  };
  void keep(const StoredFrame& frame);
  uint32_t index_of(uint64_t version);
  const Frame* find(int64_t frame) const;  // null: not covered
  std::vector<FoundPerson> people_of(const Frame& frame) const;
  std::vector<int64_t> numbers_of(const Frame& frame) const;  // one per person; 0: none
  static bool found_same(const std::vector<FoundPerson>& stored, const FrameResult& result);
  static std::shared_ptr<const PeopleArtifact> people_in(const Frame& frame, std::vector<FoundPerson> stored,
                                                         const PeopleArtifact* own);

  std::vector<PersonPath> paths_;              // without repairs
  std::unordered_map<int64_t, size_t> by_id_;  // indices of paths_
  std::vector<Frame> frames_;                  // ascending
  std::vector<PathPoints> people_;             // runs of people in the results
  size_t people_count_ = 0;
  std::vector<uint64_t> versions_;
  std::shared_ptr<Tracks> growing_;  // until the first repair()
  TracksRef tracks_;
};

}  // namespace vantage
