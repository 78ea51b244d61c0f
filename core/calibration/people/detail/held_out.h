// Calibrations judged by data that had no part in them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/calibration/people/person_outlines.h"
#include "core/calibration/people/refine.h"

namespace vantage::people_calibration_detail {

// A calibration as each part of the data leaves it.
struct HeldOutCameras {
  std::vector<Camera> by_all;
  std::array<std::vector<Camera>, 2> by_stretches;  // by the stretches of even and of odd numbers
  std::vector<std::vector<Camera>> by_points;       // without the points of each turn

  // One camera as `from` has it.
  void put_back(size_t camera, const HeldOutCameras& from);
};

struct HeldOutGains {
  std::vector<double> each;  // of each stretch or point
  HeldOutMiss miss;          // of all together
};

class HeldOut {
 public:
  HeldOut(const RefineInput& input, const StopSource& stop);

  // Cameras of the input, all parts alike.
  HeldOutCameras given() const;
  // The frames that solutions and judgements use: all else of a long recording is not copied.
  const std::vector<PeopleFrame>& frames() const { return all_frames_; }
  const std::vector<PeopleFrame>& frames_of(size_t parity) const { return frames_[parity]; }
  size_t turns() const { return turns_; }
  std::vector<ClickedPoint> points_without(size_t turn) const;

  // Gains of `to` against `from`; of outlines or points that one of the cameras shows. Errors: cancelled.
  Result<HeldOutGains> gains(RefineBy by, const HeldOutCameras& from, const HeldOutCameras& to,
                             const std::vector<size_t>& cameras) const;
  Result<HeldOutGains> people_gains(const HeldOutCameras& from, const HeldOutCameras& to,
                                    const std::vector<size_t>& cameras) const;
  HeldOutGains point_gains(const HeldOutCameras& from, const HeldOutCameras& to,
                           const std::vector<size_t>& cameras) const;

  // Misses by camera; nothing where none of its outlines or clicks is judged. Errors: cancelled.
  Result<std::vector<std::optional<HeldOutMiss>>> people_misses(const HeldOutCameras& from,
                                                                const HeldOutCameras& to) const;
  std::vector<std::optional<HeldOutMiss>> point_misses(const HeldOutCameras& from,
                                                       const HeldOutCameras& to) const;

 private:
  Result<std::vector<OutlineMiss>> misses(const HeldOutCameras& from, const HeldOutCameras& to) const;
  // Misses of a point's clicks, by camera; empty where it is not placed.
  std::vector<std::optional<double>> click_misses_px(const std::vector<Camera>& cameras, size_t point) const;

  const RefineInput& input_;
  const StopSource& stop_;
  size_t turns_ = 0;
  std::vector<int64_t> begins_;  // of the stretches
  std::vector<PeopleFrame> all_frames_;
  std::array<std::vector<PeopleFrame>, 2> frames_;  // of even and of odd stretches
};

}  // namespace vantage::people_calibration_detail
