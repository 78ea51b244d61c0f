// How good results are by parts of a recording: over time, for each true person, in each zone of the floor,
// and by how many cameras see the position.
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
  int64_t first_frame = 0, last_frame = 0;     // compared ones, from 0
  std::vector<FrameCounts> frames = {};        // at least one
  std::vector<double> values = {};             // by figure; NaN: unknown
  std::vector<FigureInterval> intervals = {};  // likewise; empty: they were not asked for
};
struct MeasuredParts {
  MeasuredBy by = MeasuredBy::all;
  std::vector<const TrackFigure*> figures = {};
  std::vector<MeasuredPart> parts = {};  // in which a person is true or found
};

struct MeasureOptions {
  int time_parts = 10;               // of equally many compared frames
  const Project* project = nullptr;  // its zones, or its cameras
  std::optional<BootstrapOptions> intervals = {};
};
// Rows count frames from 1, as tracks.csv does. A person's figures are those that people whom no one was
// found for do not matter to. A position is seen by a camera where its floor and the chest above it (1 m) lie
// in the picture. Errors: invalid_argument where the project has no zones, or no calibration, or positions
// are not on the floor.
Result<MeasuredParts> measure_parts(const MatchedTracks& tracks, MeasuredBy by,
                                    const MeasureOptions& options = {});

// A table: part, first_frame, last_frame, frames, and of each figure its value and, where they were asked
// for, NAME_from and NAME_to; unknown ones are empty.
std::string parts_csv(const MeasuredParts& parts);
// 0.812, or an empty text where it is unknown; with its interval "0.812 [0.790, 0.834]".
std::string figure_text(double value);
std::string figure_text(const FigureInterval& interval);

}  // namespace vantage
