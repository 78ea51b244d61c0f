#include "core/results/merged_results.h"

#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/results/detail/number_in_windows.h"
#include "core/results/detail/results_people.h"
#include "core/results/results_reader.h"
#include "core/results/results_versions.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;
constexpr const char *kMergedLines = "results.jsonl", *kMergedTracks = "tracks.csv";

Status repair_merged(const std::filesystem::path& folder, const std::vector<IdentityRepair>& repairs) {
  VANTAGE_ASSIGN(const RepairedPaths repaired, write_repaired(folder, repairs));
  for (const FailedRepair& unmet : repaired.unmet)
    log_warning("repair " + std::to_string(unmet.number + 1) + " no longer applies: " + unmet.why);
  return {};
}

}  // namespace

Result<std::unique_ptr<MergedResults>> MergedResults::open(const std::filesystem::path& folder,
                                                           const Project& project, const std::string& header,
                                                           double frame_rate,
                                                           std::optional<PathNumbering> numbering) {
  VANTAGE_TRY(make_folder(folder));
  std::unique_ptr<MergedResults> merged(new MergedResults(folder, project));
  merged->versions_ = merged->part_versions_ = project_detail::versions_of_header(header);
  VANTAGE_TRY(merged->open_files(
      numbering ? project_detail::header_with_window(header, numbering->parameters.window_s) : header));
  if (!numbering) return merged;
  std::shared_ptr<SecondPassPeople> again;
  if (project.calibrated()) {
    VANTAGE_ASSIGN(const VoxelGrid grid, project.effective_grid());
    again = SecondPassPeople::of(project, grid);
  }
  VANTAGE_ASSIGN(PathFollower follower,
                 PathFollower::make(frame_rate, numbering->parameters, std::move(numbering->entrances),
                                    SecondPassPeople::finder(again)));
  MergedResults* const self = merged.get();
  merged->paths_ = std::make_unique<FinalizedLines>(
      RunningPaths{std::move(follower)}, QueuePolicy::block,
      [self](const std::string& line) { return self->lines_->write(line + '\n'); },
      [self](const std::string& rows) { return self->tracks_ ? self->tracks_->write(rows) : Status(); },
      nullptr, again);
  return merged;
}

Status MergedResults::open_files(const std::string& header) {
  VANTAGE_ASSIGN(lines_, project_detail::PartFile::open(folder_ / kMergedLines));
  if (project_.calibrated()) {
    VANTAGE_ASSIGN(tracks_, project_detail::PartFile::open(folder_ / kMergedTracks));
  }
  return lines_->write(header + '\n');
}

void MergedResults::begin_part(const std::string& header) {
  part_versions_ = project_detail::versions_of_header(header);
}

Status MergedResults::add_line(const std::string& of_part) {
  const std::string line = project_detail::line_under_header(of_part, part_versions_, versions_);
  if (!paths_) return lines_->write(line + '\n');
  VANTAGE_ASSIGN(StoredFrame frame, parse_frame_line(line, versions_));
  const int64_t number = frame.frame;
  return paths_->add(number, line, project_detail::seen_by_paths(std::move(frame)));
}

Status MergedResults::add_rows(std::string_view rows) {
  return paths_ || !tracks_ ? Status() : tracks_->write(rows);
}

Status MergedResults::finish() {
  std::error_code ignored;
  if (paths_) {
    VANTAGE_TRY(paths_->finish());
    VANTAGE_TRY(write_file_atomically(returns_file(folder_), returns_csv(paths_->returns())));
  } else {
    std::filesystem::remove(returns_file(folder_), ignored);  // left by an earlier run by paths
  }
  VANTAGE_TRY(lines_->complete());
  if (tracks_)
    VANTAGE_TRY(tracks_->complete());
  else
    std::filesystem::remove(folder_ / kMergedTracks, ignored);  // left by an earlier run with a calibration
  VANTAGE_TRY(write_head_rows(folder_));
  return project_.repairs.empty() ? Status() : repair_merged(folder_, project_.repairs);
}

Result<std::string> line_with_ids(const std::string& text, const std::function<int64_t(int64_t)>& id) {
  ordered_json line = parse_ordered_json(text);
  try {
    ordered_json& people = line.at("people");
    if (people.is_null()) return text;
    for (ordered_json& person : people.at("people"))
      if (person.contains("id") && !person["id"].is_null()) person["id"] = id(person["id"].get<int64_t>());
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorKind::bad_data, std::string("not a line of results (") + error.what() + ")");
  }
  return json_text(line);
}

}  // namespace vantage
