#include "core/pipeline/joined_heads.h"

#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

constexpr double kPersonReach_m = 0.5, kHeadReach_m = 0.25;

struct Pair {
  double away_m;
  size_t head, other;
};

// For each head the other one it is paired with, -1: none.
template <typename Distance>
std::vector<int> paired(size_t heads, size_t others, double reach_m, const Distance& distance) {
  std::vector<Pair> pairs;
  for (size_t i = 0; i < heads; ++i)
    for (size_t j = 0; j < others; ++j)
      if (const double away = distance(i, j); away <= reach_m) pairs.push_back({away, i, j});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.away_m < b.away_m; });
  std::vector<int> other_of(heads, -1);
  std::vector<bool> taken(others);
  for (const Pair& pair : pairs) {
    if (other_of[pair.head] >= 0 || taken[pair.other]) continue;
    other_of[pair.head] = static_cast<int>(pair.other);
    taken[pair.other] = true;
  }
  return other_of;
}

}  // namespace

std::vector<JoinedHead> join_heads(std::span<const Head> heads, const PeopleArtifact* people,
                                   const HeadsArtifact* detected) {
  const std::vector<int> person_of =
      paired(heads.size(), people ? people->found.people.size() : 0, kPersonReach_m, [&](size_t i, size_t j) {
        const Person& person = people->found.people[j];
        return std::hypot(person.x_m - heads[i].x_m, person.y_m - heads[i].y_m);
      });
  const std::vector<int> head_of =
      paired(heads.size(), detected ? detected->heads.size() : 0, kHeadReach_m, [&](size_t i, size_t j) {
        const SceneHead& other = detected->heads[j];
        return std::hypot(other.x_m - heads[i].x_m, other.y_m - heads[i].y_m, other.z_m - heads[i].z_m);
      });
  std::vector<JoinedHead> joined(heads.size());
  for (size_t i = 0; i < heads.size(); ++i) joined[i] = {person_of[i], head_of[i]};
  return joined;
}

}  // namespace vantage
