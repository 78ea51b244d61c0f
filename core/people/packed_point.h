// A point of a person's path, and the same in less memory.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace vantage {

// A person's path in one frame of it.
struct PathPoint {
  int64_t frame = 0;
  double x_m = 0, y_m = 0, height_m = 0;
  double confidence = 0;
  bool seen = false;    // false: between two frames where the person was found, on the straight line; the
                        // confidence is carried from the nearer one
  int32_t person = -1;  // place among the frame's people; -1: a rejected peak, or not seen
};

// A point in 20 bytes instead of 48, without loss: one whose values are multiples of 0.0001, as files hold
// them. Others do not fit.
class PackedPoint {
 public:
  static std::optional<PackedPoint> of(const PathPoint& point) {
    PackedPoint packed;
    int32_t height = 0, confidence = 0;
    if (!pack(point.x_m, &packed.x_) || !pack(point.y_m, &packed.y_) || !pack(point.height_m, &height) ||
        !pack(point.confidence, &confidence) || !std::in_range<int32_t>(point.frame) ||
        !std::in_range<uint16_t>(height) || confidence < 0 || confidence >= kSeen ||
        !std::in_range<int16_t>(point.person))
      return std::nullopt;
    packed.frame_ = static_cast<int32_t>(point.frame), packed.height_ = static_cast<uint16_t>(height);
    packed.confidence_ = static_cast<uint16_t>(confidence | (point.seen ? kSeen : 0));
    packed.person_ = static_cast<int16_t>(point.person);
    return packed;
  }

  int64_t frame() const { return frame_; }
  PathPoint point() const {
    return {frame_,
            unpack(x_),
            unpack(y_),
            unpack(height_),
            unpack(confidence_ & (kSeen - 1)),
            (confidence_ & kSeen) != 0,
            person_};
  }

 private:
  static constexpr double kUnits = 1e4;
  static constexpr int32_t kSeen = 1 << 15;
  static constexpr int32_t kMinusZero = INT32_MIN;  // "-0.000" of a file

  static bool pack(double value, int32_t* packed) {
    const double scaled = kUnits * value;
    if (!(std::abs(scaled) < 2e9)) return false;
    *packed = static_cast<int32_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    if (value == 0 && std::signbit(value)) *packed = kMinusZero;
    return std::bit_cast<uint64_t>(unpack(*packed)) == std::bit_cast<uint64_t>(value);
  }
  // Division rounds to the double that is nearest to the decimal number, as reading it from text does.
  static double unpack(int32_t packed) { return packed == kMinusZero ? -0.0 : packed / kUnits; }

  int32_t frame_ = 0, x_ = 0, y_ = 0;
  uint16_t height_ = 0, confidence_ = 0;
  int16_t person_ = -1;
};

}  // namespace vantage
