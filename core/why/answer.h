#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/report.h"
#include "core/base/result.h"
#include "core/base/threads.h"

namespace vantage {

// A question about a position on the floor or a pixel of a frame, and its answer.

class Analysis;
struct FrameResult;
struct Project;

// Why is a person at this position of the floor, or no one?
struct FloorQuestion {
  double x_m = 0, y_m = 0;
  bool operator==(const FloorQuestion&) const = default;
};
// Why is this pixel in the mask, or not?
struct PixelQuestion {
  size_t camera = 0;
  int x_px = 0, y_px = 0;
  bool operator==(const PixelQuestion&) const = default;
};

// Name of the person at a position, for front ends that show other IDs than the chain's.
struct NamedPlace {
  std::string name;
  double x_m = 0, y_m = 0;
};

struct WhyQuestion {
  int64_t frame = 0;
  std::variant<FloorQuestion, PixelQuestion> about;
  std::vector<NamedPlace> people = {};  // the frame's; none: they have the IDs of the chain's tracks
};

struct WhyReport {
  WhyQuestion question;
  Result<Report> answer;
};

// Names of the frame's people, in order: that of the nearest of `named` within kWhyReach_m or, where none are
// named, of the chain's track ("person 7"); else their positions.
std::vector<std::string> people_in(const FrameResult& result, std::span<const NamedPlace> named);

// Errors: as why_place() and why_pixel().
Result<Report> answer_to(const WhyQuestion& question, const Project& project, Analysis& analysis,
                         const FrameResult& result, const StopSource& stop);

}  // namespace vantage
