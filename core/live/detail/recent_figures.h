// The last kMax values of a figure, for its quantiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/quantile.h"

namespace vantage {

class RecentFigures {
 public:
  static constexpr size_t kMax = 20000;

  void add(double value) {
    const size_t place = static_cast<size_t>(count_++) % kMax;
    if (values_.size() <= place) values_.resize(place + 1);
    values_[place] = newest_ = value;
  }
  void clear() { values_.clear(), count_ = 0; }
  bool empty() const { return count_ == 0; }
  double newest() const { return newest_; }
  // As quantile() has them.
  void put(double* half, double* nearly_all, double* all) const {
    *half = quantile(values_, 0.5), *nearly_all = quantile(values_, 0.95), *all = quantile(values_, 1);
  }

 private:
  std::vector<double> values_;
  int64_t count_ = 0;
  double newest_ = 0;
};

}  // namespace vantage
