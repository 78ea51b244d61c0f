// Single figures of results over time, by name: of a frame, a camera, a person, a stage, a kernel. What plots
// show.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/pipeline/pipeline.h"

namespace vantage {

enum class ScalarOf : uint8_t { frame, camera, person, stage, kernel };
// The step from the value in a line to the figure.
enum class ScalarMeasure : uint8_t { number, count, length, mean_confidence, speed };

struct ScalarKind {
  std::string_view name;  // "litres"; of a camera, person, stage or kernel asked for as "foreground:cam1"
  std::string_view unit;  // empty: none
  std::string_view meaning;
  // The value's keys in a line of results or, of a person, in their entry; #: the camera's position.
  std::string_view path;
  ScalarMeasure measure = ScalarMeasure::number;
  ScalarOf of = ScalarOf::frame;
};
std::span<const ScalarKind> scalar_kinds();
std::string scalar_name(const ScalarKind& kind);  // "foreground:CAMERA", for lists
// The kind of a name: of "foreground:cam1" that of "foreground". Errors: invalid_argument for names that
// there are not.
Result<const ScalarKind*> scalar_kind(const std::string& name);

// Whose figures there are.
struct ScalarOwners {
  std::vector<std::string> cameras;
  std::vector<int64_t> people;
  std::vector<std::string> stages, kernels;
  bool operator==(const ScalarOwners&) const = default;
};
// All names by which figures of them can be asked for, in the order of the kinds.
std::vector<std::string> scalar_names(const ScalarOwners& owners);

struct ScalarSeries {
  std::string name, unit;
  std::vector<double> values;  // by frame of ResultScalars; NaN: not known
  bool found = true;           // the results have that camera, person, stage or kernel in these frames
};
struct ResultScalars {
  double frame_rate = 0;             // frames/s
  std::vector<int64_t> frames;       // that the results have within the range, ascending
  std::vector<ScalarSeries> series;  // in the order asked for
};
using ScalarsRef = std::shared_ptr<const ResultScalars>;
// Figures of the frames of a range alone; `found` stays.
ResultScalars scalars_in(const ResultScalars& scalars, FrameRange frames);

// Reads a folder of results. Errors: those of reading; invalid_argument for names that there are not;
// not_found for a camera, person, stage or kernel that the results do not have in these frames.
Result<ResultScalars> read_scalars(const std::filesystem::path& results, std::span<const std::string> names,
                                   FrameRange frames);

// The figures of a folder's results, which may grow while a run writes them, and be replaced. Times of stages
// and kernels are there when a run has ended.
class ScalarFollower {
 public:
  // Errors: invalid_argument for names that there are not.
  static Result<ScalarFollower> make(std::filesystem::path results, const std::vector<std::string>& names,
                                     FrameRange frames);
  ~ScalarFollower();
  ScalarFollower(ScalarFollower&&) noexcept;
  ScalarFollower& operator=(ScalarFollower&&) noexcept;

  // Reads what was added since the last call, or all of it where the results are others; true: something is
  // new. `running`: a run is writing, whose frames are read in place of older results that are still there.
  // Errors: not_found where there are no results, and what was read is gone; cancelled; io; bad_data.
  Result<bool> read_on(const StopSource& stop = {}, bool running = false);
  const ResultScalars& scalars() const;
  const ScalarOwners& owners() const;

 private:
  struct State;
  explicit ScalarFollower(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vantage
