// Counts people across the lines and in the zones of a project, from the tracks of a run: totals for tables,
// and the CSV files that `vantage-cli count` and the window write.
//
// The people in a zone are unknown in frames whose people are unknown, and wherever cameras cover less than
// kCoveredEnough of it: a person may be where no camera sees. Crossings of a line are counted where they were
// seen; a line with less coverage may have had more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/project/project.h"
#include "core/tracking/paths/path_tracker.h"
#include "core/tracks/counting/counting.h"
#include "core/tracks/counting/rules.h"

namespace vantage {

inline constexpr double kCoveredEnough = 0.95;

struct RecordedPeople {
  std::vector<PersonPath> paths;
  std::vector<int64_t> frames,
      known_frames;        // frames that were analysed, and those whose people are known; ascending
  double frame_rate = 0;   // the base camera's
  PersonNames names = {};  // typed by the user, by ID
  std::vector<PersonReturn> returns = {};    // as in returns.csv: without the repairs
  std::optional<RecordingClock> clock = {};  // nothing: not known

  TrackedRange range() const { return {paths, known_frames, frame_rate}; }
  bool known(int64_t frame) const;
  double seconds(int64_t frame) const { return static_cast<double>(frame) / frame_rate; }
};

// The share of each shape that enough cameras see for people to be found; where cameras have later
// calibrations, the minimum over the spans. Errors: more than 64 cameras, or no calibration.
struct CoveredShares {
  std::vector<double> zones, lines;  // as in the project
};
Result<CoveredShares> covered_shares(const Project& project);

struct LineCount {
  double covered_share = 0;
  std::vector<Crossing> crossings;
  int64_t to_left = 0, to_right = 0;
  bool covered() const { return covered_share >= kCoveredEnough; }
};
LineCount count_line(const RecordedPeople& people, const FloorLine& line, double covered_share);

struct ZoneCount {
  double covered_share = 0;
  std::vector<Visit> visits;
  std::vector<std::optional<int64_t>> people;  // one per analysed frame; nothing: unknown
  std::optional<double> mean_people, mean_stay_s;
  std::optional<int64_t> max_people;
  bool covered() const { return covered_share >= kCoveredEnough; }
};
ZoneCount count_zone(const RecordedPeople& people, const FloorZone& zone, double covered_share);

struct FloorCounts {
  std::vector<LineCount> lines;
  std::vector<ZoneCount> zones;
};
FloorCounts count_floor(const RecordedPeople& people, const Project& project, const CoveredShares& covered);

// The texts of the files; names are quoted where necessary. A column `time` has the time of day where the
// clock is known, a column `name` the name where a person has one.
std::string crossings_csv(const RecordedPeople& people, const Project& project, const FloorCounts& counts);
std::string zones_csv(const RecordedPeople& people, const Project& project, const FloorCounts& counts);
std::string visits_csv(const RecordedPeople& people, const Project& project, const FloorCounts& counts);
std::string walks_csv(const RecordedPeople& people);
std::string names_csv(const PersonNames& names);  // person,name

// Writes crossings.csv, zones.csv, visits.csv and people.csv into that folder.
Status write_counts(const std::filesystem::path& folder, const RecordedPeople& people, const Project& project,
                    const FloorCounts& counts);

// Draws cells of the floor as a grey picture whose lowest row is the first row of cells.

// Keyword of the PNG text that holds floor_scale() (results_pictures.h), the position of such a picture.
inline constexpr const char* kFloorScaleKeyword = "Vantage floor";

// In host memory; `value` gives the Pixel of cell (x, y).
template <typename Pixel, typename Value>
Result<Image> picture_of_cells(int nx, int ny, const Value& value) {
  VANTAGE_ASSIGN(Image image, Image::make(image_type_of<Pixel>(), nx, ny, HostPool::shared()));
  const ImageView<Pixel> to = image.writable_view<Pixel>();
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) to.at(x, ny - 1 - y) = value(x, y);
  return image;
}

}  // namespace vantage
