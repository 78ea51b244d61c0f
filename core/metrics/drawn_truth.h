// Ground truth drawn by hand: positions of people in some frames, and on the straight line from one to the
// next in the frames between.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/metrics/tracking_metrics.h"

namespace vantage {

// A position that was set by hand.
struct TruthKey {
  int64_t frame = 0;  // the base camera's, from 0
  double x_m = 0, y_m = 0;
  bool leaves = false;  // absent after this frame, until the next key
  bool operator==(const TruthKey&) const = default;
};

struct TruePerson {
  int64_t id = 0;                   // counted from 1
  double height_m = 0;              // to the top of the head; 0: unknown
  std::vector<TruthKey> keys = {};  // sorted by frame, no two of the same; at least one
  bool operator==(const TruePerson&) const = default;
};

struct TruePosition {
  double x_m = 0, y_m = 0;
  bool key = false;  // set in this very frame
};
// Nothing: absent.
std::optional<TruePosition> true_position(const TruePerson& person, int64_t frame);

// The person of that ID, added where there is none; people stay sorted by ID.
TruePerson& true_person(std::vector<TruePerson>* people, int64_t id);
const TruePerson* find_true_person(std::span<const TruePerson> people, int64_t id);  // null: there is none
int64_t next_true_id(std::span<const TruePerson> people);
// Replaces the key of that frame.
void set_key(TruePerson* person, const TruthKey& key);
// Removes the key of that frame, and a person without a key. False: there is none.
bool remove_key(std::vector<TruePerson>* people, int64_t id, int64_t frame);

// Frames from the first key of anyone to the last one, in which all people are known. Other frames are not
// annotated and not compared.
struct AnnotatedFrames {
  int64_t first = 0, last = -1;  // both belong to it
  int64_t count() const { return last - first + 1; }
  bool contains(int64_t frame) const { return first <= frame && frame <= last; }
  bool operator==(const AnnotatedFrames&) const = default;
};
AnnotatedFrames annotated_frames(std::span<const TruePerson> people);  // count() 0: no one was drawn

// A row for every person and frame, on the floor; frames count from 1, as in tracks.csv.
std::vector<TrackRow> truth_rows(std::span<const TruePerson> people);
// The inverse: a key for every row. `frames` (from 1): annotated ones; a person without a row in one of them
// is absent. Rows with confidence 0 are left out; IDs below 1 shift all of them.
std::vector<TruePerson> truth_of_rows(std::span<const TrackRow> rows, const std::set<int64_t>& frames);

// A disagreement of two annotators of one recording, in frames that both annotated.
struct TruthDisagreement {
  enum class Kind : uint8_t { apart, only_ours, only_theirs };
  Kind kind = Kind::apart;
  int64_t ours = 0, theirs = 0;  // IDs; 0: no one
  int64_t first = 0, last = 0;   // frames, from 0
  double distance_m = 0;         // apart: the largest
  bool operator==(const TruthDisagreement&) const = default;
};
struct MergedTruth {
  std::vector<TruePerson> people;                // ours unchanged, and theirs that we lack
  int64_t matched = 0, added = 0;                // their numbers
  std::vector<TruthDisagreement> disagreements;  // sorted by first frame
};
// Maximum distance of the same person: ours and theirs are paired by the most frames within it.
inline constexpr double kSameTruth_m = 0.5;
MergedTruth merge_truth(std::span<const TruePerson> ours, std::span<const TruePerson> theirs);

}  // namespace vantage
