// Compares two runs of one recording, for instance with two sets of parameters: frames and positions where
// their people, identities or events differ.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/metrics/track_figures.h"
#include "core/people/floor_person.h"
#include "core/project/project.h"
#include "core/results/truth_files.h"

namespace vantage {

// A person of one run and the matching person of the other: pairs within reach with the smallest sum of
// distances.
struct PersonOfTwo {
  std::optional<FloorPerson> first, second;  // at least one is there
  double apart_m = 0;                        // distance between both
  bool differs = false;  // only one run has the person, or they are farther apart than allowed
  const FloorPerson& any() const { return first ? *first : *second; }
};

// A frame that at least one of the runs has.
struct FrameOfTwo {
  bool first = false, second = false;  // true: the run knows the frame's people
  std::vector<PersonOfTwo>
      people;  // differing ones first; none differs where one run does not know the people

  bool compared() const { return first && second; }
};

enum class DifferenceKind : uint8_t {
  only_first,    // the second run has no one there
  only_second,   // the first run has no one there
  apart,         // both have the person, at positions too far apart
  identity,      // the pairing of the runs' IDs has changed
  event_first,   // only the first run has the event
  event_second,  // only the second run has it
};
// The name in JSON: "only_first".
std::string_view kind_name(DifferenceKind kind);

// A difference over a range of frames, both ends included; those of identities and events have one frame.
struct ResultsDifference {
  DifferenceKind kind = DifferenceKind::only_first;
  int64_t first_frame = 0, last_frame = 0;
  double x_m = 0, y_m = 0;              // in the first frame; from the first run where it has the person
  int64_t first_id = 0, second_id = 0;  // 0: no person in that run, or no ID
  int64_t second_id_before = 0;  // identity: the second run's ID paired with `first_id` before; 0: none
  int64_t first_id_before = 0;   // identity: the first run's ID paired with `second_id` before; 0: none
  double apart_m = 0;            // maximum
  std::string rule = {};         // an event's rule
};
// "only strict has a person (ID 3), 12 frames"; `names`: those of the runs.
std::string difference_text(const ResultsDifference& difference, const std::string& first,
                            const std::string& second);
// The difference to go to from a frame: the one after `chosen` if that begins in it (several can), else the
// first that begins later, else the first of all. The previous one likewise, backwards. Nothing: there is
// none. `all`: by first frame.
std::optional<size_t> next_difference(std::span<const ResultsDifference> all, int64_t frame,
                                      std::optional<size_t> chosen);
std::optional<size_t> previous_difference(std::span<const ResultsDifference> all, int64_t frame,
                                          std::optional<size_t> chosen);

struct ResultsComparison {
  int64_t frames = 0;                                  // whose people both runs know
  int64_t differing = 0;                               // frames with differing people
  int64_t only_first = 0, only_second = 0, apart = 0;  // people, over all frames
  int64_t identities = 0, events = 0;                  // differences of these kinds
  std::map<int64_t, FrameOfTwo> by_frame;
  std::vector<ResultsDifference> differences;  // sorted by first frame
};

struct CompareResultsOptions {
  double beyond_m = 0.3;             // two people farther apart differ
  double reach_m = 0.7;              // two people farther apart are not the same person
  double event_within_s = 1;         // maximum time between equal events of a rule
  int64_t bridged_frames = 5;        // maximum gap within one difference
  const Project* project = nullptr;  // provides the rules of the events; null: events are not compared
  StopSource stop = {};
};

// Compares folders of results. Errors: those of reading and of find_events(); invalid_argument without a
// common frame; cancelled.
Result<ResultsComparison> compare_results(const std::filesystem::path& first,
                                          const std::filesystem::path& second,
                                          const CompareResultsOptions& options = {});
// Compares both runs with ground truth in the annotated frames whose people both know. Empty without ground
// truth there. Errors: those of reading and of evaluate_tracks().
Result<std::vector<ComparedFigure>> compare_by_truth(const std::filesystem::path& first,
                                                     const std::filesystem::path& second,
                                                     const GroundTruth& truth,
                                                     const BootstrapOptions& options = {});
// Compares the people of one frame.
std::vector<PersonOfTwo> compare_people(const std::vector<FloorPerson>& first,
                                        const std::vector<FloorPerson>& second,
                                        const CompareResultsOptions& options);

}  // namespace vantage
