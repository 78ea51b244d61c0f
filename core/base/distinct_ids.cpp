#include "core/base/distinct_ids.h"

#include <iterator>

namespace vantage {

void DistinctIds::add(int64_t number) {
  auto after = end_of_run_.upper_bound(number);
  const bool has_before = after != end_of_run_.begin();
  if (has_before && std::prev(after)->second > number) return;
  ++count_;
  int64_t end = number + 1;
  if (after != end_of_run_.end() && after->first == end) {
    end = after->second;
    after = end_of_run_.erase(after);
  }
  if (has_before && std::prev(after)->second == number)
    std::prev(after)->second = end;
  else
    end_of_run_.emplace_hint(after, number, end);
}

}  // namespace vantage
