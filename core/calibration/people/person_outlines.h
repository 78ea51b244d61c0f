// The outlines of people in a foreground mask: its connected parts, each with its box and its convex outline.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/detections/detections.h"
#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"
#include "core/image/image_view.h"
#include "core/image/picture.h"

namespace vantage {

struct PersonOutline {
  PersonDetection box;                   // as a detector would report it
  std::vector<Eigen::Vector2d> hull_px;  // corners of the convex hull; (0, 0) is the centre of the first
                                         // pixel; none where a detector found the person
};

// Parts as tall and as narrow as an upright person may be; two who touch are one part, whose box then fits
// no one. `mask`: 0 or 255.
std::vector<PersonOutline> person_outlines(ImageView<const uint8_t> mask);

// A detector's boxes as they are, without outlines.
std::vector<PersonOutline> person_boxes(const CameraDetections& detections);

// Outlines of all cameras in one frame.
struct PeopleFrame {
  int64_t frame = 0;
  std::vector<std::vector<PersonOutline>> cameras;
};

// `masks`: by camera; an empty one shows no one.
PeopleFrame people_frame(int64_t frame, std::span<const Image> masks);

// Two calibrations of the same cameras, judged by the outlines of people: how far the epipolar tangents of
// one person's outlines in two cameras miss each other by either (detail/tangents.h). Nothing is solved, and
// the world of a calibration does not count.

// Miss of the feet's side or the heads' side of two outlines.
struct OutlineMiss {
  int64_t frame = 0;
  std::array<size_t, 2> cameras = {};
  std::array<double, 2> px = {};  // by the first calibration, and by the second
  bool of(size_t camera) const { return cameras[0] == camera || cameras[1] == camera; }
};

// Outlines that either calibration assigns to one person; both judge the same. At most kMaxPeopleFrames of
// the frames count, evenly. `floor`: where people may stand. In the order of time. Errors: invalid_argument
// if the calibrations have different numbers of cameras; cancelled.
Result<std::vector<OutlineMiss>> outline_misses(const std::vector<Camera>& first,
                                                const std::vector<Camera>& second,
                                                const std::vector<PeopleFrame>& frames,
                                                const FloorRectangle& floor, const StopSource& stop);

// Misses of a camera (nothing: of all) where nothing hides people, as a standard deviation, by the first
// calibration (0) or the second (1): of the best fifth. 0 if there are none.
double outline_scatter_px(std::span<const OutlineMiss> misses, size_t calibration,
                          std::optional<size_t> camera);

// Weight of a miss, 0 to 1. It saturates, since large misses are of hidden people.
inline constexpr double kDoubtfulMiss_px = 2;
inline double weight_of_miss(double px) {
  return px * px / (px * px + kDoubtfulMiss_px * kDoubtfulMiss_px);
}

// Gain of the second calibration in each stretch of time: the mean of weight_of_miss by the first, less that
// by the second. `begins`: the first frame of each stretch, ascending. Stretches without misses are left out.
std::vector<double> outline_gains(std::span<const OutlineMiss> misses, std::span<const int64_t> begins);

// Verdict on gains: above or below 0 beyond their scatter (core/metrics/block_bootstrap.h, Middle).
enum class GainVerdict : uint8_t { better, worse, unclear, too_few };
GainVerdict verdict_of(const std::vector<double>& gains);
std::string_view verdict_text(GainVerdict verdict);  // "better", "worse", "cannot tell", "too few to tell"
inline constexpr size_t kMinGains = 6;

}  // namespace vantage
