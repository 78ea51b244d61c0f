// Merges the results of a recording's parts (RunDescription::part), frame after frame, into an ordinary
// results folder. With tracking.method = paths people get their IDs here, over all parts, as a run's do
// (results_writer.h).
//
// Memory does not grow with the recording: lines are copied from file to file. Only paths over all frames at
// once (paths.window_s = 0) need all of them (for_length()). finish() completes the results; until then an
// older result in the folder stays complete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/project/project.h"
#include "core/results/finalized_lines.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"

namespace vantage {

class MergedResults {
 public:
  // `header`: of the first part; its tracker becomes that of `numbering`. Errors: io; those of
  // PathFollower::make().
  static Result<std::unique_ptr<MergedResults>> open(const std::filesystem::path& folder,
                                                     const Project& project, const std::string& header,
                                                     double frame_rate,
                                                     std::optional<PathNumbering> numbering);
  // Without finish() the .part files remain.
  ~MergedResults() = default;
  MergedResults(const MergedResults&) = delete;
  MergedResults& operator=(const MergedResults&) = delete;

  // Header of the part that the following lines belong to.
  void begin_part(const std::string& header);
  // Adds the next frame's line, without its newline. Errors: bad_data for other lines; those of the tracker.
  Status add_line(const std::string& line);
  // Adds rows of tracks.csv, which a tracker of paths replaces by its own.
  Status add_rows(std::string_view rows);
  // Also writes heads.csv and repaired.csv.
  Status finish();

 private:
  MergedResults(std::filesystem::path folder, const Project& project)
      : folder_(std::move(folder)), project_(project) {}
  Status open_files(const std::string& header);

  const std::filesystem::path folder_;
  const Project& project_;
  std::shared_ptr<const StageVersions> versions_, part_versions_;  // stated by the headers
  std::optional<project_detail::PartFile> lines_, tracks_;
  std::unique_ptr<FinalizedLines>
      paths_;  // null: IDs are those of the parts; destroyed first: uses the files
};

// Replaces the IDs of the line's people by `id` of them. bad_data for lines that are not frames.
Result<std::string> line_with_ids(const std::string& line, const std::function<int64_t(int64_t)>& id);

}  // namespace vantage
