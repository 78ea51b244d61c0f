// Agreement of each camera's detector with the people found by all cameras, over many frames: a detector may
// be blind, report people twice, put its boxes next to them, or be late.
//
// A person carried by at least two other cameras is placed again without the camera, by least squares with
// the deviations of fusion.h, and the camera's box is compared with the one that a person there would have.
// Over the frames, with r the difference of the boxes' centre and top and v the motion of the predicted ones
// in pixels a frame,
//
//   r = shift - delay v
//
// is solved robustly. A faulty camera pulls people away from where the others see them, so that these seem
// faulty, too: the one without which all others agree is named. That takes at least three cameras, since of
// two either may be wrong. If leaving out no camera helps, none is named.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/detections/detections.h"
#include "core/fusion/fusion.h"
#include "core/geometry/projection.h"

namespace vantage {

enum class DetectorFault : uint8_t { none, blind, doubled, shifted, late };

// Figures of one camera's detector, over the latest people (kKept).
struct DetectorState {
  DetectorFault fault = DetectorFault::none;
  int64_t expected = 0;  // people who should be plainly in its picture, found by at least two other cameras
  int64_t seen = 0;      // of these
  int64_t boxes = 0;     // that carry a person
  int64_t doubled = 0;   // that carry no one and cover one that does
  int64_t compared = 0;  // boxes that shift and delay come from
  double shift_x_px = 0, shift_y_px = 0;  // of its boxes, to the right and down
  double shift_error_px = 0;              // standard error of either
  double delay_frames = 0;                // positive: its boxes are where people were earlier
  double delay_error_frames = 0;          // 0: no one moved, the delay is unknown
};

class DetectorWatch {
 public:
  static constexpr size_t kKept = 2000;        // people compared; older ones are forgotten, and older looks
  static constexpr int64_t kMinCompared = 40;  // fewer are inconclusive

  // `frame_rate`: frames/s of the base camera.
  DetectorWatch(std::vector<PinholeCamera<double>> cameras, double frame_rate);

  // Takes cameras with other poses from the next frame on.
  void set_cameras(std::vector<PinholeCamera<double>> cameras) { geometry_ = std::move(cameras); }

  // A frame in which people were found (PeopleFusion::find) in these detections, one per camera; `ids` of the
  // people, 0: not tracked. Frames come in order.
  void add(int64_t frame, std::span<const CameraDetections> detections, std::span<const FusedPerson> people,
           std::span<const int64_t> ids);

  // One per camera.
  std::vector<DetectorState> states() const;

 private:
  // A camera's box against the person's, to first order in the person's x, y and height; edges are centre,
  // top and bottom.
  struct Equation {
    size_t camera = 0;
    Eigen::Vector3d residual_px = Eigen::Vector3d::Zero();     // observed less predicted
    Eigen::Matrix3d slope_px_per_m = Eigen::Matrix3d::Zero();  // of the predicted edges
    Eigen::Vector3d weight = Eigen::Vector3d::Zero();          // 1 / px^2
    Eigen::Vector2d motion_px = Eigen::Vector2d::Zero();       // a frame, of the predicted centre and top
    double height_px = 0;
  };
  struct SeenPerson {
    std::vector<Equation> equations;  // one per camera that sees the person
    double height_m = 0;
    bool moves = false;  // the motion is known
  };
  struct Counts {
    int32_t expected = 0, seen = 0, boxes = 0, doubled = 0;  // as in DetectorState
  };
  struct Look {
    std::vector<Counts> cameras;
    std::vector<SeenPerson> people;  // seen by three cameras at least
  };
  struct Place {
    int64_t frame = 0;
    double x_m = 0, y_m = 0;
  };
  struct Comparison;  // of one camera with the others

  std::optional<Equation> equation_of(size_t camera, const FusedPerson& person,
                                      const PersonDetection& detection, const Place* before,
                                      int64_t frame) const;
  static Eigen::Vector3d residual_without(const Equation& own, const SeenPerson& person,
                                          const std::vector<bool>& left_out);
  Comparison compare(size_t camera, const std::vector<bool>& left_out) const;
  std::vector<Comparison> compare_all(const std::vector<bool>& left_out) const;
  static void count(const FusedPerson& person, const SeenPerson& seen, Look* look);
  void count_doubled(size_t camera, const CameraDetections& detections, std::span<const FusedPerson> people,
                     Look* look) const;
  void name_displaced(std::vector<DetectorState>* states) const;
  std::optional<size_t> worst(const std::vector<Comparison>& present, double (Comparison::*off)() const,
                              std::vector<Comparison>* shown) const;
  const Place* earlier(int64_t frame, int64_t id) const;
  void remember(int64_t frame, std::span<const FusedPerson> people, std::span<const int64_t> ids);

  std::vector<PinholeCamera<double>> geometry_;
  int64_t motion_frames_ = 1;                   // over which a person's motion is measured at most
  std::deque<Look> looks_;                      // the latest, with kKept people and as many looks at most
  size_t people_ = 0;                           // in them
  std::map<int64_t, std::deque<Place>> paths_;  // of the last frames, by ID
};

// One sentence on a camera that has a fault, with its figures and what to do; empty: it has none.
std::string describe(const DetectorState& state, const std::string& camera);

}  // namespace vantage
