// How many different whole numbers there were, of any number of them: a tracker's rise by one, so they lie in
// a few runs however long it goes on, and only the runs are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace vantage {

class DistinctIds {
 public:
  void add(int64_t number);  // below the largest of its type
  size_t count() const { return count_; }
  size_t runs() const { return end_of_run_.size(); }

 private:
  std::map<int64_t, int64_t> end_of_run_;  // by its first number; no two runs touch
  size_t count_ = 0;
};

}  // namespace vantage
