// Two runs of one recording, say with two sets of parameters: in which frames, and where, their people
// disagree.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "core/people/floor_person.h"

namespace vantage {

// A person of one run and who it is in the other: pairs whose summed distance is smallest, within the reach.
struct PersonOfTwo {
  std::optional<FloorPerson> first, second;  // one at least
  double apart_m = 0;                        // of both
  bool differs = false;                      // one has nobody there, or they are farther apart than allowed
  const FloorPerson& any() const { return first ? *first : *second; }
};

struct ResultsComparison {
  int64_t frames = 0;                                  // in which both know who is there
  int64_t differing = 0;                               // of these
  int64_t only_first = 0, only_second = 0, apart = 0;  // people, over all frames
  std::map<int64_t, std::vector<PersonOfTwo>> people;  // by frame, those that differ first
  // The first differing frame behind `frame`, or from the start again; nothing: there is none.
  std::optional<int64_t> next_difference(int64_t frame) const;
};

struct CompareResultsOptions {
  double beyond_m = 0.3;  // two who are farther apart differ
  double reach_m = 0.7;   // farther apart they are not the same person
  StopSource stop = {};
};

// Folders of results. Errors: those of reading; invalid_argument where they have no frame in common;
// cancelled.
Result<ResultsComparison> compare_results(const std::filesystem::path& first,
                                          const std::filesystem::path& second,
                                          const CompareResultsOptions& options = {});
// The people of one frame.
std::vector<PersonOfTwo> compare_people(const std::vector<FloorPerson>& first,
                                        const std::vector<FloorPerson>& second,
                                        const CompareResultsOptions& options);

}  // namespace vantage
