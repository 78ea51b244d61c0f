#include "core/video/file_list.h"

#include <fmt/core.h>
#include <algorithm>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace vantage {
namespace {

constexpr const char* kListFormat = "vantage files 1";
constexpr int kMaxSide_px = 65536;
constexpr size_t kNamedGaps = 4;

tl::unexpected<Error> wrong(const std::filesystem::path& file, const std::string& where,
                            const std::string& what) {
  return fail(ErrorKind::bad_data, where + ": " + what, file.string(),
              "Correct it there, or make the list again with `vantage-cli new`.");
}

std::string frames_text(int64_t begin, int64_t end, double frame_rate) {
  const std::string frames =
      end - begin == 1 ? fmt::format("frame {}", begin) : fmt::format("frames {} to {}", begin, end - 1);
  return fmt::format("{} ({:.2f} s)", frames, static_cast<double>(end - begin) / frame_rate);
}

// Frames of a file that an earlier one shows.
int64_t hidden_frames(const FileList& list, size_t file) {
  int64_t end = 0;
  for (size_t i = 0; i < file; ++i) end = std::max(end, list.files[i].first_frame + list.files[i].frames);
  const ListedFile& own = list.files[file];
  return std::clamp<int64_t>(end - own.first_frame, 0, own.frames);
}

int64_t whole_number(const nlohmann::json& json, const char* key) {
  const nlohmann::json& value = json.at(key);
  return value.is_number_integer() ? value.get<int64_t>() : -1;
}

Result<ListedFile> read_entry(const nlohmann::json& json, const std::filesystem::path& list,
                              const std::filesystem::path& folder, const std::string& where) {
  ListedFile entry;
  const auto name = json.at("file").get<std::string>();
  if (name.empty() || names_file_list(name))
    return wrong(list, where + ", file", "the name of a video file was expected");
  entry.file = (folder / name).lexically_normal();
  entry.first_frame = whole_number(json, "first_frame"), entry.frames = whole_number(json, "frames");
  entry.identity = {whole_number(json, "bytes"), from_hex64(json.at("checksum").get<std::string>())};
  if (entry.first_frame < 0 || entry.frames < 1 || entry.frames > kMaxListedFrames ||
      entry.first_frame > kMaxListedFrames - entry.frames)
    return wrong(list, where,
                 fmt::format("first_frame of at least 0 and frames of at least 1, together at most {}, were "
                             "expected",
                             kMaxListedFrames));
  if (entry.identity.bytes < 1 || !entry.identity.known())
    return wrong(list, where, "bytes of at least 1 and a checksum of 16 hexadecimal digits were expected");
  int64_t end = 0;
  for (const nlohmann::json& gap : json.value("gaps", nlohmann::json::array())) {
    const bool pair =
        gap.is_array() && gap.size() == 2 && gap[0].is_number_integer() && gap[1].is_number_integer();
    const VideoGap read = pair ? VideoGap{gap[0].get<int64_t>(), gap[1].get<int64_t>()} : VideoGap{};
    if (read.first_frame < end || read.frames < 1 || read.first_frame >= entry.frames ||
        read.frames > entry.frames - read.first_frame)
      return wrong(list, where + ", gaps",
                   "first frame and number of each, rising and within the file, were expected");
    end = read.first_frame + read.frames;
    entry.gaps.push_back(read);
  }
  return entry;
}

}  // namespace

std::vector<ListedSpan> spans_of(const FileList& list) {
  std::vector<ListedSpan> spans;
  int64_t at = 0;
  for (size_t i = 0; i < list.files.size(); ++i) {
    const ListedFile& file = list.files[i];
    const int64_t end = file.first_frame + file.frames;
    if (end <= at) continue;
    if (file.first_frame > at) spans.push_back({at, file.first_frame, -1});
    spans.push_back({std::max(at, file.first_frame), end, static_cast<int>(i)});
    at = end;
  }
  return spans;
}

bool names_file_list(const std::string& video) {
  return video.ends_with(kFileListSuffix);
}

Result<FileList> read_file_list(const std::filesystem::path& file) {
  VANTAGE_ASSIGN(const std::string text, vantage::read_file(file));
  const nlohmann::json json = parse_json(text);
  FileList list;
  const std::filesystem::path own = std::filesystem::absolute(file).parent_path();
  try {
    if (json.at("format").get<std::string>() != kListFormat)
      return wrong(file, "format", fmt::format("'{}' was expected", kListFormat));
    list.order = json.value("order", std::string()), list.clock = json.value("clock", std::string());
    list.frame_rate = json.at("frame_rate").get<double>();
    const int64_t width = whole_number(json, "width_px"), height = whole_number(json, "height_px");
    const auto is_side = [](int64_t px) { return px >= 1 && px <= kMaxSide_px; };
    if (!(list.frame_rate > 0 && list.frame_rate <= 1e6) || !is_side(width) || !is_side(height))
      return wrong(file, "frame_rate, width_px, height_px", "positive numbers were expected");
    list.width_px = static_cast<int>(width), list.height_px = static_cast<int>(height);
    const std::filesystem::path folder = own / json.at("folder").get<std::string>();
    for (const nlohmann::json& entry : json.at("files")) {
      const std::string where = fmt::format("files, number {}", list.files.size() + 1);
      VANTAGE_ASSIGN(ListedFile read, read_entry(entry, file, folder, where));
      const int64_t before = list.files.empty() ? 0 : list.files.back().first_frame;
      if (read.first_frame < before || (list.files.empty() && read.first_frame != 0))
        return wrong(file, where + ", first_frame",
                     "0 was expected for the first file, and no less than the one before for others");
      list.files.push_back(std::move(read));
    }
  } catch (const nlohmann::json::exception& error) {
    return wrong(file, "list of one camera's files", error.what());
  }
  if (list.files.empty()) return wrong(file, "files", "at least one was expected");
  return list;
}

std::filesystem::path folder_of(const FileList& list) {
  std::filesystem::path folder = list.files.at(0).file.parent_path();
  for (const ListedFile& entry : list.files)
    while (folder.has_relative_path() && entry.file.lexically_relative(folder).string().starts_with(".."))
      folder = folder.parent_path();
  return folder;
}

FileList moved_to(const FileList& list, const std::filesystem::path& folder) {
  const std::filesystem::path old = folder_of(list);
  FileList moved = list;
  for (ListedFile& entry : moved.files) entry.file = folder / entry.file.lexically_relative(old);
  return moved;
}

Status write_file_list(const std::filesystem::path& file, const FileList& list) {
  // One line to correct when the footage moves.
  const std::filesystem::path folder = folder_of(list);
  const std::filesystem::path own = std::filesystem::absolute(file).parent_path();
  const std::filesystem::path relative = folder.lexically_relative(own);
  nlohmann::ordered_json json = {{"format", kListFormat}, {"order", list.order}};
  if (!list.clock.empty()) json["clock"] = list.clock;
  json["frame_rate"] = list.frame_rate;
  json["width_px"] = list.width_px, json["height_px"] = list.height_px;
  json["folder"] = relative.empty() ? folder.string() : relative.string();
  json["files"] = nlohmann::ordered_json::array();
  for (const ListedFile& entry : list.files) {
    nlohmann::ordered_json one = {{"file", entry.file.lexically_relative(folder).string()},
                                  {"first_frame", entry.first_frame},
                                  {"frames", entry.frames},
                                  {"bytes", entry.identity.bytes},
                                  {"checksum", hex64(entry.identity.checksum)}};
    for (const VideoGap& gap : entry.gaps) one["gaps"].push_back({gap.first_frame, gap.frames});
    json["files"].push_back(std::move(one));
  }
  return write_file_atomically(file, json_text(json, 2) + "\n");
}

std::string file_list_text(const FileList& list) {
  std::string text = fmt::format("{} files by {}", list.files.size(), list.order);
  std::string gaps;
  size_t count = 0;
  for (const ListedSpan& span : spans_of(list))
    if (span.file < 0 && ++count <= kNamedGaps)
      append_item(&gaps, frames_text(span.begin, span.end, list.frame_rate));
  if (count > 0) text += ", without pictures: " + gaps;
  if (count > kNamedGaps) text += fmt::format(" and {} more", count - kNamedGaps);
  int64_t hidden = 0;
  for (size_t i = 0; i < list.files.size(); ++i) hidden += hidden_frames(list, i);
  if (hidden > 0)
    text += fmt::format("; where files overlap ({:.2f} s) the earlier one is shown",
                        static_cast<double>(hidden) / list.frame_rate);
  return text;
}

std::vector<std::string> file_list_lines(const FileList& list) {
  std::vector<std::string> lines;
  int64_t at = 0;
  for (size_t i = 0; i < list.files.size(); ++i) {
    const ListedFile& file = list.files[i];
    const int64_t end = file.first_frame + file.frames;
    if (file.first_frame > at)
      lines.push_back("gap: " + frames_text(at, file.first_frame, list.frame_rate) + ", unknown");
    std::string line =
        file.file.filename().string() + ": " + frames_text(file.first_frame, end, list.frame_rate);
    if (const int64_t hidden = hidden_frames(list, i); hidden > 0)
      line += fmt::format("; overlap: its first {} ({:.2f} s) are not shown, the earlier file's are",
                          hidden == 1 ? "frame" : fmt::format("{} frames", hidden),
                          static_cast<double>(hidden) / list.frame_rate);
    lines.push_back(std::move(line));
    at = std::max(at, end);
  }
  return lines;
}

uint64_t file_list_checksum(const FileList& list) {
  Hasher hasher;
  for (const ListedFile& file : list.files)
    hasher.add(file.first_frame).add(file.frames).add(file.identity.bytes).add(file.identity.checksum);
  return hasher.value();
}

}  // namespace vantage
