#include "core/metrics/drawn_truth.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace vantage {
namespace {

using Disagreement = TruthDisagreement;

TruePosition between(const TruthKey& from, const TruthKey& to, int64_t frame) {
  const double share = static_cast<double>(frame - from.frame) / static_cast<double>(to.frame - from.frame);
  return {from.x_m + share * (to.x_m - from.x_m), from.y_m + share * (to.y_m - from.y_m), false};
}

double distance_m(const TruePosition& a, const TruePosition& b) {
  return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
}

// Gathers runs of frames in which the same pair disagrees in the same way.
class Disagreements {
 public:
  void add(Disagreement::Kind kind, int64_t ours, int64_t theirs, int64_t frame, double away_m) {
    Disagreement& run = open_[{kind, ours, theirs}];
    if (run.last + 1 != frame || (run.ours == 0 && run.theirs == 0)) {
      close(run);
      run = {kind, ours, theirs, frame, frame, away_m};
    }
    run.last = frame;
    run.distance_m = std::max(run.distance_m, away_m);
  }
  std::vector<Disagreement> finish() {
    for (auto& [key, run] : open_) close(run);
    std::ranges::sort(done_, {}, [](const Disagreement& one) {
      return std::tuple(one.first, one.kind, one.ours, one.theirs);
    });
    return std::move(done_);
  }

 private:
  void close(const Disagreement& run) {
    if (run.ours != 0 || run.theirs != 0) done_.push_back(run);
  }
  std::map<std::tuple<Disagreement::Kind, int64_t, int64_t>, Disagreement> open_;
  std::vector<Disagreement> done_;
};

// Whom of ours each of theirs is: pairs by the frames in which they stand together, the most first.
std::map<int64_t, int64_t> same_people(std::span<const TruePerson> ours, std::span<const TruePerson> theirs,
                                       const AnnotatedFrames& frames) {
  std::vector<std::tuple<int64_t, int64_t, int64_t>> together;  // frames (negative), ours, theirs
  for (const TruePerson& our : ours)
    for (const TruePerson& their : theirs) {
      int64_t count = 0;
      for (int64_t frame = frames.first; frame <= frames.last; ++frame) {
        const auto a = true_position(our, frame), b = true_position(their, frame);
        count += a && b && distance_m(*a, *b) <= kSameTruth_m;
      }
      if (count > 0) together.emplace_back(-count, our.id, their.id);
    }
  std::ranges::sort(together);
  std::map<int64_t, int64_t> pairs;
  std::set<int64_t> taken;
  for (const auto& [count, our, their] : together)
    if (!pairs.contains(their) && taken.insert(our).second) pairs[their] = our;
  return pairs;
}

}  // namespace

std::optional<TruePosition> true_position(const TruePerson& person, int64_t frame) {
  const auto next = std::ranges::lower_bound(person.keys, frame, {}, &TruthKey::frame);
  if (next == person.keys.end()) return std::nullopt;
  if (next->frame == frame) return TruePosition{next->x_m, next->y_m, true};
  if (next == person.keys.begin() || std::prev(next)->leaves) return std::nullopt;
  return between(*std::prev(next), *next, frame);
}

TruePerson& true_person(std::vector<TruePerson>* people, int64_t id) {
  const auto at = std::ranges::lower_bound(*people, id, {}, &TruePerson::id);
  if (at != people->end() && at->id == id) return *at;
  return *people->insert(at, {.id = id});
}

const TruePerson* find_true_person(std::span<const TruePerson> people, int64_t id) {
  const auto found = std::ranges::find(people, id, &TruePerson::id);
  return found == people.end() ? nullptr : &*found;
}

int64_t next_true_id(std::span<const TruePerson> people) {
  return people.empty() ? 1 : people.back().id + 1;
}

void set_key(TruePerson* person, const TruthKey& key) {
  const auto at = std::ranges::lower_bound(person->keys, key.frame, {}, &TruthKey::frame);
  if (at != person->keys.end() && at->frame == key.frame)
    *at = key;
  else
    person->keys.insert(at, key);
}

bool remove_key(std::vector<TruePerson>* people, int64_t id, int64_t frame) {
  const auto person = std::ranges::find(*people, id, &TruePerson::id);
  if (person == people->end()) return false;
  if (std::erase_if(person->keys, [&](const TruthKey& key) { return key.frame == frame; }) == 0) return false;
  if (person->keys.empty()) people->erase(person);
  return true;
}

AnnotatedFrames annotated_frames(std::span<const TruePerson> people) {
  AnnotatedFrames frames;
  for (const TruePerson& person : people) {
    const int64_t first = person.keys.front().frame, last = person.keys.back().frame;
    if (frames.count() == 0) frames = {first, last};
    frames = {std::min(frames.first, first), std::max(frames.last, last)};
  }
  return frames;
}

std::vector<TrackRow> truth_rows(std::span<const TruePerson> people) {
  std::vector<TrackRow> rows;
  for (const TruePerson& person : people)
    for (int64_t frame = person.keys.front().frame; frame <= person.keys.back().frame; ++frame)
      if (const auto at = true_position(person, frame))
        rows.push_back({.frame = frame + 1,
                        .id = person.id,
                        .x_m = at->x_m,
                        .y_m = at->y_m,
                        .height_m = person.height_m});
  std::ranges::sort(rows, {}, [](const TrackRow& row) { return std::pair(row.frame, row.id); });
  return rows;
}

std::vector<TruePerson> truth_of_rows(std::span<const TrackRow> rows, const std::set<int64_t>& frames) {
  std::map<int64_t, std::map<int64_t, const TrackRow*>> by_person;
  for (const TrackRow& row : rows)
    if (row.confidence != 0) by_person[row.id][row.frame] = &row;
  // Files that count people from 0.
  const int64_t shift = by_person.empty() ? 0 : std::max(int64_t{0}, 1 - by_person.begin()->first);
  std::vector<TruePerson> people;
  for (const auto& [id, stands] : by_person) {
    TruePerson& person = people.emplace_back(TruePerson{.id = id + shift});
    for (const auto& [frame, row] : stands) {
      const auto missed =
          person.keys.empty() ? frames.end() : frames.upper_bound(person.keys.back().frame + 1);
      if (missed != frames.end() && *missed < frame) person.keys.back().leaves = true;
      person.keys.push_back({frame - 1, row->x_m, row->y_m});
      if (row->height_m > 0) person.height_m = row->height_m;
    }
  }
  return people;
}

MergedTruth merge_truth(std::span<const TruePerson> ours, std::span<const TruePerson> theirs) {
  MergedTruth merged{{ours.begin(), ours.end()}, 0, 0, {}};
  const AnnotatedFrames by_us = annotated_frames(ours), by_them = annotated_frames(theirs);
  const AnnotatedFrames both{std::max(by_us.first, by_them.first), std::min(by_us.last, by_them.last)};
  const std::map<int64_t, int64_t> pairs = same_people(ours, theirs, both);
  Disagreements found;
  const auto compare = [&](const TruePerson* our, const TruePerson* their) {
    const int64_t our_id = our ? our->id : 0, their_id = their ? their->id : 0;
    for (int64_t frame = both.first; frame <= both.last; ++frame) {
      const auto a = our ? true_position(*our, frame) : std::nullopt;
      const auto b = their ? true_position(*their, frame) : std::nullopt;
      if (a && b && distance_m(*a, *b) > kSameTruth_m)
        found.add(Disagreement::Kind::apart, our_id, their_id, frame, distance_m(*a, *b));
      if (a && !b) found.add(Disagreement::Kind::only_ours, our_id, their_id, frame, 0);
      if (b && !a) found.add(Disagreement::Kind::only_theirs, our_id, their_id, frame, 0);
    }
  };
  std::set<int64_t> met;
  for (const TruePerson& their : theirs) {
    const auto pair = pairs.find(their.id);
    if (pair != pairs.end()) {
      ++merged.matched;
      met.insert(pair->second);
      compare(find_true_person(ours, pair->second), &their);
      continue;
    }
    ++merged.added;
    compare(nullptr, &their);
    const int64_t id = find_true_person(merged.people, their.id) ? next_true_id(merged.people) : their.id;
    TruePerson& added = true_person(&merged.people, id);
    added = their, added.id = id;
  }
  for (const TruePerson& our : ours)
    if (!met.contains(our.id)) compare(&our, nullptr);
  merged.disagreements = found.finish();
  return merged;
}

}  // namespace vantage
