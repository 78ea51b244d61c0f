#include "core/results/merged_results.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/durable.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/results/detail/line_versions.h"
#include "core/results/detail/results_heads.h"
#include "core/results/results_reader.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;
constexpr const char *kMergedLines = "results.jsonl", *kMergedTracks = "tracks.csv";

tl::unexpected<Error> merge_error(const std::filesystem::path& path, int code) {
  return fail(ErrorKind::io, std::string("writing failed (") + std::strerror(code) + ")", path.string(),
              code == ENOSPC ? "The disk is full: free some space or choose another folder."
                             : "Choose a folder you can write to.");
}

// The window that was used instead of the project's.
std::string header_with_window(const std::string& header, double window_s) {
  ordered_json json = parse_ordered_json(header);
  if (!json.is_object() || !json.contains("tracker")) return header;
  json["tracker"]["latency_s"] = window_s > 0 ? ordered_json(window_s) : ordered_json();
  return json_text(json);
}

Status repair_merged(const std::filesystem::path& folder, const std::vector<IdentityRepair>& repairs) {
  VANTAGE_ASSIGN(const RepairedPaths repaired, write_repaired(folder, repairs));
  for (const UnmetRepair& unmet : repaired.unmet)
    log_warning("repair " + std::to_string(unmet.number + 1) + " no longer applies: " + unmet.why);
  return {};
}

}  // namespace

std::optional<PathNumbering> merged_numbering(const Project& project, int64_t frames,
                                              std::optional<double> window_s) {
  auto numbering = path_numbering(project, false);
  if (!numbering) return numbering;
  PathParameters& paths = numbering->parameters;
  const bool too_long = paths.window_s == 0 && frames > MergedResults::kFramesAtOnce;
  if (!window_s && !too_long) return numbering;
  paths.window_s = window_s.value_or(MergedResults::kWindow_s);
  paths.overlap_s = std::min(MergedResults::kOverlap_s, paths.window_s / 2);
  return numbering;
}

Result<std::unique_ptr<MergedResults>> MergedResults::open(const std::filesystem::path& folder,
                                                           const Project& project, const std::string& header,
                                                           double frame_rate,
                                                           std::optional<PathNumbering> numbering) {
  VANTAGE_TRY(make_folder(folder));
  std::unique_ptr<MergedResults> merged(new MergedResults(folder, project));
  merged->versions_ = merged->part_versions_ = project_detail::versions_of_header(header);
  VANTAGE_TRY(
      merged->open_files(numbering ? header_with_window(header, numbering->parameters.window_s) : header));
  if (!numbering) return merged;
  std::shared_ptr<PeopleAgain> again;
  if (project.calibrated()) {
    VANTAGE_ASSIGN(const VoxelGrid grid, project.effective_grid());
    again = PeopleAgain::of(project, grid);
  }
  VANTAGE_ASSIGN(PathFollower follower,
                 PathFollower::make(frame_rate, numbering->parameters, std::move(numbering->entrances),
                                    PeopleAgain::finder(again)));
  MergedResults* const self = merged.get();
  merged->paths_ = std::make_unique<FinalizedLines>(
      std::move(follower), QueuePolicy::block,
      [self](const std::string& line) { return self->write(self->lines_, line + '\n', kMergedLines); },
      [self](const std::string& rows) { return self->write(self->tracks_, rows, kMergedTracks); }, nullptr,
      again);
  return merged;
}

MergedResults::~MergedResults() {
  paths_.reset();
  for (std::FILE* file : {lines_, tracks_})
    if (file) std::fclose(file);
}

Status MergedResults::open_files(const std::string& header) {
  const auto opened = [this](const char* name) {
    return std::fopen((folder_ / (std::string(name) + ".part")).c_str(), "wb");
  };
  lines_ = opened(kMergedLines);
  if (!lines_) return merge_error(folder_ / kMergedLines, errno);
  if (project_.calibrated() && !(tracks_ = opened(kMergedTracks)))
    return merge_error(folder_ / kMergedTracks, errno);
  return write(lines_, header + '\n', kMergedLines);
}

Status MergedResults::write(std::FILE* file, std::string_view text, const char* name) {
  if (file && std::fwrite(text.data(), 1, text.size(), file) != text.size())
    return merge_error(folder_ / name, errno);
  return {};
}

void MergedResults::begin_part(const std::string& header) {
  part_versions_ = project_detail::versions_of_header(header);
}

Status MergedResults::add_line(const std::string& of_part) {
  const std::string line = project_detail::line_under_header(of_part, part_versions_, versions_);
  if (!paths_) return write(lines_, line + '\n', kMergedLines);
  VANTAGE_ASSIGN(StoredFrame frame, parse_frame_line(line, versions_));
  std::optional<SeenFrame> seen;
  if (frame.searched()) seen = SeenFrame{frame.frame, std::move(frame.people), std::move(frame.rejected)};
  return paths_->add(frame.frame, line, std::move(seen));
}

Status MergedResults::add_rows(std::string_view rows) {
  return paths_ ? Status() : write(tracks_, rows, kMergedTracks);
}

// A .part file gets its name.
Status MergedResults::complete(std::FILE** file, const char* name) {
  const std::filesystem::path whole = folder_ / name;
  const bool flushed = std::fflush(*file) == 0 && ::fsync(::fileno(*file)) == 0;
  const int code = errno;
  const bool closed = std::fclose(std::exchange(*file, nullptr)) == 0;
  if (!flushed || !closed) return merge_error(whole, flushed ? errno : code);
  const std::error_code renamed = rename_durably(whole.string() + ".part", whole);
  return renamed ? Status(merge_error(whole, renamed.value())) : Status();
}

Status MergedResults::finish() {
  if (paths_) VANTAGE_TRY(paths_->finish());
  VANTAGE_TRY(complete(&lines_, kMergedLines));
  std::error_code ignored;
  if (tracks_)
    VANTAGE_TRY(complete(&tracks_, kMergedTracks));
  else
    std::filesystem::remove(folder_ / kMergedTracks, ignored);  // of an older run, with a calibration
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
