// The frame signature: the sum of the foreground indicator along the epipolar line pairs of every camera
// pair.
//
//   S = sum over i = 0 .. 511 of indicator(round(project(l a + (1 - l) b))),   l = i / 511
//
// with the lens's distortion; points behind the camera or outside the picture count 0. The cameras stand
// still, so the pixels of the points are computed once, in double, by line_points(); what is left for each
// frame are sums of whole numbers, so every implementation gives the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/geometry/projection.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"
#include "core/sync/line_segment.h"

namespace vantage {

inline constexpr int kLinePoints = 512;
inline constexpr uint32_t kNoPoint = 0xffffffffu;
inline constexpr uint32_t kNoSignature = 0xffffffffu;

// x in the low 16 bits, y in the high ones, or kNoPoint.
constexpr uint32_t pack_point(int x, int y) {
  return static_cast<uint32_t>(x) | static_cast<uint32_t>(y) << 16;
}

struct SignaturePair {
  int first = 0, second = 0;  // cameras
  std::vector<LineSegment> first_lines, second_lines;
};

class SignatureExtractor {
 public:
  static constexpr std::string_view kAlgorithm = "frame signatures";
  struct Arguments {
    std::vector<PinholeCamera<double>> cameras;  // pictures of at most 65534 pixels a side
    std::vector<SignaturePair> pairs;            // each with as many lines for the first as for the second
  };
  virtual ~SignatureExtractor() = default;
  // `indicators`: u8, one a camera in its picture's size, in the extractor's memory; empty: the camera has no
  // frame. The result is u32 in the same memory: rows 2p and 2p + 1 are pair p's first and second camera,
  // one column a line, in units of 1/255 point; kNoSignature where the camera has no frame or the pair has
  // fewer lines. Errors: invalid_argument, out_of_memory, device_lost.
  virtual Result<Image> extract(std::span<const Image> indicators, int64_t frame) = 0;
};

namespace signatures {

// The pixels of the points of the camera's lines: kLinePoints numbers a line.
std::vector<uint32_t> line_points(const PinholeCamera<double>& camera, std::span<const LineSegment> lines);

// One row of the result: which camera, and where its points start.
struct Row {
  int camera = 0;
  int lines = 0;
  uint32_t first_point = 0;  // in the points of all rows
};
struct Layout {
  std::vector<Row> rows;
  std::vector<uint32_t> points;
  int columns = 0;  // most lines of a row
};
Layout lay_out(const SignatureExtractor::Arguments& arguments);

Status check(const SignatureExtractor::Arguments& arguments);
Status check(const SignatureExtractor::Arguments& arguments, std::span<const Image> indicators,
             MemoryPlace place);

}  // namespace signatures

}  // namespace vantage
