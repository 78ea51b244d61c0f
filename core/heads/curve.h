// How good a head detector is: recall against false positives per picture, over all thresholds.
//
// In a picture the best detection comes first; it takes the true head it overlaps most, by at least
// kHeadMatchOverlap of the union, unless that one is taken. What is left over is a false positive, except on
// a head that does not count (cut by the border, more than half hidden, smaller than what is searched for):
// that one is neither asked for nor punished.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/primitives/nms_rule.h"

namespace vantage {

inline constexpr double kHeadMatchOverlap = 0.4;
inline constexpr double kHeadCountsFrom = 0.5;  // visible share

// A head that a detector should find; one that does not count may be found or not.
struct GroundTruthHead {
  float x = 0, y = 0, w = 0, h = 0;  // box in pixels
  bool counts = true;
};

class HeadCurve {
 public:
  // `detections` the best first.
  void add(std::span<const Detection> detections, std::span<const GroundTruthHead> truth);

  struct Point {
    double score = 0;                        // of the threshold
    double recall = 0, false_positives = 0;  // per picture
  };
  // At the threshold that leaves at most so many false positives a picture.
  Point at(double false_positives) const;
  Point at_score(double score) const;
  int64_t pictures() const { return pictures_; }
  int64_t heads() const { return heads_; }
  std::string text() const;  // a few lines

 private:
  struct Scored {
    float score;
    bool right;
  };
  std::vector<Scored> scored_;
  int64_t pictures_ = 0, heads_ = 0;
};

// truth/heads_camN.csv of rendered footage: the heads of each frame. `width` and `height` are the picture's.
Result<std::vector<std::vector<GroundTruthHead>>> read_true_heads(const std::string& text,
                                                                  const std::string& source, int width,
                                                                  int height, double smallest_px);

}  // namespace vantage
