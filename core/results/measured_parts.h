// Evaluates results by parts of a recording: over time, for each true person, in each zone of the floor, and
// by the number of cameras that see the position.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/metrics/track_figures.h"
#include "core/project/project.h"

namespace vantage {

enum class MeasuredBy : uint8_t { all, time, person, zone, cameras };
inline constexpr std::array<std::string_view, 5> kMeasuredByNames = {"all", "time", "person", "zone",
                                                                     "cameras"};

struct MeasuredPart {
  std::string name;  // "all", "0-249", the person's ID, the zone's name, the number of cameras
  int64_t first_frame = 0, last_frame = 0;     // compared frames, from 0
  std::vector<FrameCounts> frames = {};        // at least one
  std::vector<double> values = {};             // one per figure; NaN: unknown
  std::vector<FigureInterval> intervals = {};  // one per figure; empty: not requested
};
struct MeasuredParts {
  MeasuredBy by = MeasuredBy::all;
  std::vector<const TrackFigure*> figures = {};
  std::vector<MeasuredPart> parts = {};  // only parts with a true or found person
};

struct MeasureOptions {
  int time_parts = 10;               // each with equally many compared frames
  const Project* project = nullptr;  // provides zones and cameras
  std::optional<BootstrapOptions> intervals = {};
};
// Rows count frames from 1, as in tracks.csv. A person's figures exclude other people who were not found. A
// camera sees a position if the floor there and 1 m above it lie in the picture. Errors: invalid_argument
// without zones or a calibration in the project, or for positions that are not on the floor.
Result<MeasuredParts> measure_parts(const MatchedTracks& tracks, MeasuredBy by,
                                    const MeasureOptions& options = {});

// Table with part, first_frame, last_frame, frames, and each figure's value with, where requested, NAME_from
// and NAME_to; unknown values are empty.
std::string parts_csv(const MeasuredParts& parts);
// "0.812", with its interval "0.812 [0.790, 0.834]"; empty where it is unknown.
std::string figure_text(double value);
std::string figure_text(const FigureInterval& interval);

}  // namespace vantage
