#include "core/results/compare_results.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/assignment.h"
#include "core/results/results_reader.h"

namespace vantage {
namespace {

double apart_m(const FloorPerson& a, const FloorPerson& b) {
  return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
}

// Whether the frame tells who is there.
bool knows(const StoredFrame& frame) {
  return frame.people_count >= 0;
}

Result<StoredResults> read(const std::filesystem::path& folder, const StopSource& stop) {
  if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
  return read_results(folder);
}

void add_frame(int64_t frame, std::vector<PersonOfTwo> people, ResultsComparison* to) {
  bool differs = false;
  for (const PersonOfTwo& one : people) {
    if (!one.differs) continue;
    differs = true;
    ++(one.first && one.second ? to->apart : one.first ? to->only_first : to->only_second);
  }
  ++to->frames;
  to->differing += differs;
  if (!people.empty()) to->people.emplace(frame, std::move(people));
}

}  // namespace

std::optional<int64_t> ResultsComparison::next_difference(int64_t frame) const {
  const auto differs = [](const auto& one) { return one.second.front().differs; };
  const auto behind = people.upper_bound(frame);
  if (const auto found = std::find_if(behind, people.end(), differs); found != people.end())
    return found->first;
  if (const auto found = std::find_if(people.begin(), behind, differs); found != behind) return found->first;
  return std::nullopt;
}

std::vector<PersonOfTwo> compare_people(const std::vector<FloorPerson>& first,
                                        const std::vector<FloorPerson>& second,
                                        const CompareResultsOptions& options) {
  ScoreMatrix scores(static_cast<int>(first.size()), static_cast<int>(second.size()));
  for (size_t a = 0; a < first.size(); ++a)
    for (size_t b = 0; b < second.size(); ++b)
      scores.at(static_cast<int>(a), static_cast<int>(b)) =
          std::max(0.0, options.reach_m - apart_m(first[a], second[b]));
  const std::vector<int> partners =
      first.empty() || second.empty() ? std::vector<int>(first.size(), -1) : assign_maximum(scores);
  std::vector<PersonOfTwo> people;
  std::vector<bool> taken(second.size());
  for (size_t a = 0; a < first.size(); ++a) {
    PersonOfTwo& one = people.emplace_back();
    one.first = first[a];
    const int partner = partners[a];
    if (partner >= 0 && scores.at(static_cast<int>(a), partner) > 0) {
      const auto b = static_cast<size_t>(partner);
      one.second = second[b], one.apart_m = apart_m(first[a], second[b]);
      taken[b] = true;
    }
    one.differs = !one.second || one.apart_m > options.beyond_m;
  }
  for (size_t b = 0; b < second.size(); ++b)
    if (!taken[b]) people.push_back({{}, second[b], 0, true});
  std::stable_partition(people.begin(), people.end(), [](const PersonOfTwo& one) { return one.differs; });
  return people;
}

Result<ResultsComparison> compare_results(const std::filesystem::path& first,
                                          const std::filesystem::path& second,
                                          const CompareResultsOptions& options) {
  VANTAGE_ASSIGN(const StoredResults a, read(first, options.stop));
  VANTAGE_ASSIGN(const StoredResults b, read(second, options.stop));
  ResultsComparison compared;
  auto other = b.frames.begin();
  for (const StoredFrame& frame : a.frames) {
    while (other != b.frames.end() && other->frame < frame.frame) ++other;
    if (other == b.frames.end()) break;
    if (other->frame != frame.frame || !knows(frame) || !knows(*other)) continue;
    add_frame(frame.frame, compare_people(frame.people, other->people, options), &compared);
  }
  if (compared.frames == 0)
    return fail(ErrorKind::invalid_argument, "the two have no frame in common in which people are known",
                first.string() + ", " + second.string(), "Analyse the same frames with both.");
  return compared;
}

}  // namespace vantage
