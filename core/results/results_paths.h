// Tracks the people of stored results over all frames at once (core/tracking/paths): used by `vantage-cli
// track` and at the end of a run with tracking.method = paths, which may also track window by window
// (finalized_lines.h).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/byte_stream.h"
#include "core/metrics/tracking_metrics.h"
#include "core/pipeline/frame_result.h"
#include "core/project/project.h"
#include "core/results/results_reader.h"
#include "core/results/second_pass_people.h"
#include "core/tracking/paths/path_tracker.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage {

// The source of the project's people, with `automatic` resolved.
PeopleSource people_source(const Project& project);
// The parameters with paths.method = automatic resolved.
PathParameters resolved_paths(PathParameters parameters, bool fused_people);

// Path tracker for the people of a project's results. Nothing: frame by frame, as tracking.method = automatic
// means for live cameras, whose IDs cannot wait. Those of live cameras are always tracked in windows.
struct PathNumbering {
  PathParameters parameters;
  std::vector<FloorZone> entrances;
  bool operator==(const PathNumbering&) const = default;
};
std::optional<PathNumbering> path_numbering(const Project& project, bool live);

// Longer recordings are tracked in windows of kLongWindow_s, so that memory does not grow with them.
inline constexpr int64_t kPathFramesAtOnce = 45'000;
inline constexpr double kLongWindow_s = 120, kLongOverlap_s = 20;
// The same for that number of frames. `window_s`: as requested; 0: all frames at once, and memory for them;
// nothing: as in the project, or as above.
PathNumbering for_length(PathNumbering numbering, int64_t frames, std::optional<double> window_s = {});

// A frame as path trackers use it: equal to the stored frame, to the last rounded digit. Nothing where
// pictures are missing, so that people cannot be seen: that is not a loss.
std::optional<SeenFrame> seen_frame(const FrameResult& result);

Result<std::vector<PersonPath>> follow_stored(const StoredResults& results, const PathParameters& parameters,
                                              std::span<const FloorZone> entrances = {});

// Rows of tracks.csv, by frame, including those that bridge a gap, with confidence 0.
std::string path_rows(const std::vector<PersonPath>& paths, const PathDeviations& deviations = {});

// The paths of a tracks file, tracks.csv or paths.csv, read in pieces. Rows with confidence 0 bridge a gap.
class PathsReader {
 public:
  // Errors: not_found.
  static Result<PathsReader> open(const std::filesystem::path& tracks);
  // Continues reading; false: all is read. Errors: io; bad_data, which names the line.
  Result<bool> next();
  double share() const { return blocks_.share(); }  // of the file that was read, 0 to 1
  // Paths by ID, once all is read. Errors: bad_data where a person is twice in a frame.
  Result<std::vector<PersonPath>> paths();

 private:
  PathsReader(LineBlocks blocks, std::string where) : blocks_(std::move(blocks)), where_(std::move(where)) {}
  void add(const TrackRow& row);

  LineBlocks blocks_;
  std::string where_;
  int64_t next_line_ = 1;
  std::vector<PersonPath> paths_;              // in the order in which they begin
  std::unordered_map<int64_t, size_t> by_id_;  // indices of these
};

Result<std::vector<PersonPath>> read_paths(const std::filesystem::path& tracks);

// Writes tracks.csv with the repairs applied into repaired.csv next to it, and people's names into names.csv;
// without repairs or names that file is removed.
Result<RepairedPaths> write_repaired(const std::filesystem::path& folder,
                                     const std::vector<IdentityRepair>& repairs);
// Removes these files as for no repairs, without reading the tracks.
void drop_repaired(const std::filesystem::path& folder);

// returns.csv of a folder of results: who came back, and who may have (PersonReturn), in the order in which
// they came. IDs are those of tracks.csv, without repairs.
std::filesystem::path returns_file(const std::filesystem::path& folder);
std::string returns_csv(std::span<const PersonReturn> returns);
// Empty where there is no such file. Errors: io; bad_data, which names the line.
Result<std::vector<PersonReturn>> read_returns(const std::filesystem::path& folder);

// Gives the people of a results file the IDs of their paths, and writes `tracks` from the paths, and
// returns.csv next to it. People on no path have no ID. Former IDs become `provisional_id`. `again` finds
// people where paths expect them; null: they are unchanged. In windows, and under for_length(), lines are
// copied from file to file.
Status number_by_paths(const std::filesystem::path& results, const std::filesystem::path& tracks,
                       const PathNumbering& numbering, const std::shared_ptr<SecondPassPeople>& again);

}  // namespace vantage
