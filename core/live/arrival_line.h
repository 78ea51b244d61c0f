// A stream's own clock against this machine's: a straight line through the least delayed arrivals.
//
// The smallest (arrival - stamp) of each second is kept, over the last kSeconds. Line: the median of the
// slopes between any two of them and the median of what is left (H. Theil 1950, P. K. Sen 1968), so that up
// to a quarter of the seconds may be disturbed. When the last kStepSeconds all lie more than kStep_ns to one
// side of it, the clock was set: what came before is forgotten. Nanoseconds throughout.
#pragma once

#include <cstdint>
#include <deque>

namespace vantage {

class ArrivalLine {
 public:
  static constexpr int kSeconds = 20;
  static constexpr int kStepSeconds = 3;
  static constexpr int64_t kStep_ns = 200'000'000;

  void add(int64_t arrival_ns, int64_t stamp_ns);
  bool empty() const { return !started_; }
  // arrival - stamp of an undelayed picture that arrives then.
  int64_t at(int64_t arrival_ns) const;
  double slope() const { return slope_; }  // 0 until kMinForSlope seconds are there
  int seconds() const { return static_cast<int>(minima_.size()); }

 private:
  struct Minimum {
    int64_t arrival_ns = 0, difference_ns = 0;
  };
  static constexpr int kMinForSlope = 5;
  void close_second();
  void drop_what_came_before_a_step();
  void fit();

  bool started_ = false;
  int64_t second_begin_ns_ = 0;
  Minimum smallest_;
  std::deque<Minimum> minima_;
  double slope_ = 0;
  int64_t origin_ns_ = 0, level_ns_ = 0;  // the line's value at the origin
};

}  // namespace vantage
