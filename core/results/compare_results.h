// Two runs of one recording, say with two sets of parameters: in which frames, and where, their people,
// identities and events disagree.
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

// A person of one run and who it is in the other: pairs whose summed distance is smallest, within the reach.
struct PersonOfTwo {
  std::optional<FloorPerson> first, second;  // one at least
  double apart_m = 0;                        // of both
  bool differs = false;                      // one has no one there, or they are farther apart than allowed
  const FloorPerson& any() const { return first ? *first : *second; }
};

// A frame that at least one of the runs has.
struct FrameOfTwo {
  bool first = false, second = false;  // that run knows who is there
  std::vector<PersonOfTwo> people;     // those that differ first; no one differs where one run does not know

  bool compared() const { return first && second; }
};

enum class DifferenceKind : uint8_t {
  only_first,    // the second run has no one there
  only_second,   // the first run has no one there
  apart,         // both have the person, at positions too far from each other
  identity,      // the IDs of the two runs no longer go together as they did before
  event_first,   // only the first run has the event
  event_second,  // only the second run has it
};
// "only_first": as JSON names them.
std::string_view kind_name(DifferenceKind kind);

// A disagreement that lasts from one frame to another, both included; identities and events last one frame.
struct ResultsDifference {
  DifferenceKind kind = DifferenceKind::only_first;
  int64_t first_frame = 0, last_frame = 0;
  double x_m = 0, y_m = 0;              // in the first frame; by the first run where it has the person
  int64_t first_id = 0, second_id = 0;  // 0: that run has no one there, or no ID
  int64_t second_id_before = 0;         // identity: who in the second run went with `first_id`; 0: no one
  int64_t first_id_before = 0;          // identity: who in the first run went with `second_id`; 0: no one
  double apart_m = 0;                   // the largest
  std::string rule = {};                // of an event
};
// "only strict has a person (ID 3), 12 frames"; the runs under their names.
std::string difference_text(const ResultsDifference& difference, const std::string& first,
                            const std::string& second);
// The one to go to from a frame: behind `chosen` where that one begins in it (several can), else the first
// that begins later, else the first of all. The previous one likewise, backwards. Nothing: there is none.
// `all` by first frame.
std::optional<size_t> next_difference(std::span<const ResultsDifference> all, int64_t frame,
                                      std::optional<size_t> chosen);
std::optional<size_t> previous_difference(std::span<const ResultsDifference> all, int64_t frame,
                                          std::optional<size_t> chosen);

struct ResultsComparison {
  int64_t frames = 0;                                  // in which both know who is there
  int64_t differing = 0;                               // of these, with people who differ
  int64_t only_first = 0, only_second = 0, apart = 0;  // people, over all frames
  int64_t identities = 0, events = 0;                  // differences of these kinds
  std::map<int64_t, FrameOfTwo> by_frame;
  std::vector<ResultsDifference> differences;  // by first frame
};

struct CompareResultsOptions {
  double beyond_m = 0.3;             // two who are farther apart differ
  double reach_m = 0.7;              // farther apart they are not the same person
  double event_within_s = 1;         // events of a rule raised within that time are the same
  int64_t bridged_frames = 5;        // a difference that is gone for so long goes on
  const Project* project = nullptr;  // its rules make the events; null: events are not compared
  StopSource stop = {};
};

// Folders of results. Errors: those of reading and of find_events(); invalid_argument where they have no
// frame in common; cancelled.
Result<ResultsComparison> compare_results(const std::filesystem::path& first,
                                          const std::filesystem::path& second,
                                          const CompareResultsOptions& options = {});
// Which of the two is better by ground truth, in frames that are annotated and whose people both know, as far
// as these frames show. Empty without ground truth there. Errors: those of reading and of evaluate_tracks().
Result<std::vector<ComparedFigure>> compare_by_truth(const std::filesystem::path& first,
                                                     const std::filesystem::path& second,
                                                     const GroundTruth& truth,
                                                     const BootstrapOptions& options = {});
// The people of one frame.
std::vector<PersonOfTwo> compare_people(const std::vector<FloorPerson>& first,
                                        const std::vector<FloorPerson>& second,
                                        const CompareResultsOptions& options);

}  // namespace vantage
