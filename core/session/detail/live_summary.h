// The timeline's summary of live sets: bounded, however many days they are recorded. Each entry stands for
// `every` sets; when there are kMax, two become one.
#pragma once

#include "core/pipeline/frame_result.h"
#include "core/session/session.h"

namespace vantage {

class LiveSummary {
 public:
  static constexpr int64_t kMax = 32'768;  // entries

  // Results of a set; it speaks for those that are left out behind it, one in `thinning` being analysed.
  void note(const FrameResult& result, int thinning);
  void forget_before(int64_t set);
  SetSummariesRef sets() const { return std::make_shared<const SetSummaries>(sets_); }

 private:
  void add(int64_t set, int16_t people);
  void halve();

  SetSummaries sets_;
};

}  // namespace vantage
