#include "core/results/detail/results_merge.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/results/detail/line_versions.h"
#include "core/results/results_reader.h"

namespace vantage::project_detail {
namespace {

struct Lines {
  std::string header;
  StageVersionsRef header_versions;
  std::map<int64_t, std::string> frames;
  StageVersions versions;  // of the first frame
};

// Frames of one of the `wanted` versions only; all where none are given.
Lines read_lines(const std::filesystem::path& file, const std::vector<StageVersions>& wanted) {
  Lines lines;
  std::ifstream stream(file, std::ios::binary);
  std::getline(stream, lines.header);
  lines.header_versions = versions_of_header(lines.header);
  for (std::string line; std::getline(stream, line);) {
    const Result<StoredFrame> frame = parse_frame_line(line, lines.header_versions);
    if (!frame) continue;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), *frame->versions) == wanted.end())
      continue;
    if (lines.frames.empty()) lines.versions = *frame->versions;
    lines.frames.emplace(frame->frame, std::move(line));
  }
  return lines;
}

Status write_lines(const std::filesystem::path& file, const Lines& lines) {
  std::string text = lines.header + '\n';
  for (const auto& [frame, line] : lines.frames) text += line + '\n';
  return write_file_atomically(file, text);
}

// Rows of tracks.csv count frames from 1 and have no header.
std::multimap<int64_t, std::string> read_rows(const std::filesystem::path& file) {
  std::multimap<int64_t, std::string> rows;
  std::ifstream stream(file, std::ios::binary);
  for (std::string row; std::getline(stream, row);) {
    int64_t number = 0;
    if (std::from_chars(row.data(), row.data() + row.size(), number).ec == std::errc())
      rows.emplace(number - 1, std::move(row));
  }
  return rows;
}

}  // namespace

Result<std::set<int64_t>> add_older_frames(const std::filesystem::path& fresh,
                                           const std::filesystem::path& older,
                                           const std::filesystem::path& fresh_tracks,
                                           const std::filesystem::path& older_tracks,
                                           const StageVersions& also_kept) {
  std::error_code none;
  if (!std::filesystem::exists(older, none)) return std::set<int64_t>();
  Lines lines = read_lines(fresh, {});
  if (lines.frames.empty()) return std::set<int64_t>();
  std::vector<StageVersions> kept = {lines.versions};
  if (!also_kept.empty()) kept.push_back(also_kept);
  Lines before = read_lines(older, kept);
  std::set<int64_t> added;
  for (const auto& [frame, line] : before.frames)
    if (const std::string own = line_under_header(line, before.header_versions, lines.header_versions);
        lines.frames.emplace(frame, own).second)
      added.insert(frame);
  if (added.empty()) return added;
  VANTAGE_TRY(write_lines(fresh, lines));
  if (!std::filesystem::exists(fresh_tracks, none)) return added;
  auto rows = read_rows(fresh_tracks);
  for (auto& [frame, row] : read_rows(older_tracks))
    if (added.contains(frame)) rows.emplace(frame, row);
  std::string text;
  for (const auto& [frame, row] : rows) text += row + '\n';
  VANTAGE_TRY(write_file_atomically(fresh_tracks, text));
  return added;
}

}  // namespace vantage::project_detail
