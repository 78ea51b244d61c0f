// Single figures of results over time, by name: of a frame, a camera, a person, a stage. What plots show.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/pipeline/pipeline.h"

namespace vantage {

enum class ScalarOf : uint8_t { frame, camera, person, stage };

struct ScalarKind {
  std::string_view name;  // "litres"; of a camera, person or stage asked for as "foreground:cam1"
  std::string_view unit;  // empty: none
  std::string_view meaning;
  ScalarOf of = ScalarOf::frame;
};
// people, rejected, confidence, litres; foreground; x_m, y_m, height_m, person_confidence, speed_m_per_s; ms.
std::span<const ScalarKind> scalar_kinds();
std::string scalar_name(const ScalarKind& kind);  // "foreground:CAMERA", for lists

struct ScalarSeries {
  std::string name, unit;
  std::vector<double> values;  // by frame of ResultScalars; NaN: not known
};
struct ResultScalars {
  double frame_rate = 0;             // frames/s
  std::vector<int64_t> frames;       // that the results have within the range, ascending
  std::vector<ScalarSeries> series;  // in the order asked for
};

// From a folder of results. Errors: those of reading; invalid_argument for names that there are not;
// not_found for a camera, person or stage that the results do not have in these frames.
Result<ResultScalars> read_scalars(const std::filesystem::path& results, std::span<const std::string> names,
                                   FrameRange frames);

}  // namespace vantage
