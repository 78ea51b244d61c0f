#include "core/project/camera_files.h"

#include <fmt/core.h>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "core/base/text.h"
#include "core/project/recording_clock.h"
#include "core/video/stream_packet.h"
#include "core/video/video_files.h"
#include "core/video/video_source.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

constexpr double kSameRate = 0.001;  // relative
constexpr double kMaxOverlap = 0.5;  // of the shorter file: more is another camera's
constexpr size_t kMinCounter = 3;    // digits: cam1 and cam2 are cameras

// A path whose folders are dates and hours: 2026-01-01/22 or 2026/01/01/22, also with a camera's folder among
// them.
struct DatedPath {
  fs::path folder;         // without them
  std::string dates = {};  // joined
};

DatedPath without_dates(const fs::path& folder) {
  static const std::regex day("20\\d\\d[-_.]?(?:0\\d|1[0-2])[-_.]?[0-3]\\d(?:[-_.T]?[0-2]\\d)?"),
      year("20\\d\\d"), part("[0-5]\\d");
  DatedPath path;
  for (const fs::path& one : folder) {
    const std::string name = one.string();
    const bool begins = path.dates.empty() && (std::regex_match(name, day) || std::regex_match(name, year));
    if (begins || (!path.dates.empty() && std::regex_match(name, part)))
      path.dates += name + '_';
    else
      path.folder /= one;
  }
  constexpr size_t kYear = 5;  // "2026_": a folder of everything of a year is none of a recorder's
  if (path.dates.size() <= kYear) return {folder};
  return path;
}

// The clock in the name; of a name that is a time alone, with the folders' date. Minutes and seconds that are
// not stated are 0.
std::optional<RecordingClock> clock_of_path(const std::string& file) {
  if (auto clock = clock_of_name(file)) return clock;
  const fs::path path(file);
  const std::string stem = path.stem().string(), dates = without_dates(path.parent_path()).dates;
  static const std::regex time("[0-5]\\d(?:[-_.h]?[0-5]\\d){0,2}[ms]?");
  if (dates.empty() || !std::regex_match(stem, time)) return std::nullopt;
  std::string digits;
  for (const char c : dates + stem)
    if (std::isdigit(static_cast<unsigned char>(c))) digits += c;
  constexpr size_t kHour = 10, kSecond = 14;  // digits up to them
  if (digits.size() < kHour || digits.size() > kSecond || digits.size() % 2 != 0) return std::nullopt;
  digits.resize(kSecond, '0');
  return clock_of_name(digits + ".mp4");
}

// A file, and what its name says about it.
struct NamedVideo {
  std::string file, folder, stem;
  std::string camera_folder = {};      // without dates
  std::optional<double> clock_s = {};  // since 1970
  std::string key = {};                // the name without what differs between a camera's files
  int64_t number = 0;                  // chapter, counter
  FileGroup::By by = FileGroup::By::alone;
};

// "GH010123": chapter 1 of recording 123; "GOPR0123", "GP010123": the first and the second of cameras before.
bool read_chapter(NamedVideo* video) {
  static const std::regex form("(?:G[HXLS](\\d{2})|GP(\\d{2})|GOPR)(\\d{4})", std::regex::icase);
  std::smatch found;
  if (!std::regex_match(video->stem, found, form)) return false;
  const bool newer = found[1].matched;
  video->number = newer ? std::stoi(found[1]) : found[2].matched ? std::stoi(found[2]) : 0;
  video->key = (newer ? lower_case(video->stem.substr(0, 2)) : std::string("gopr")) + found[3].str();
  return true;
}

// "C0001": the last number, where it is long enough for a counter and the name is not a camera's.
bool read_counter(NamedVideo* video) {
  static const std::regex form("(\\D*(?:\\d+\\D+)*?)(\\d+)(\\D*)"),
      camera("(?:.*[^a-z])?(?:cam|camera|ch|channel|view)[^a-z0-9]*", std::regex::icase);
  constexpr size_t kMaxDigits = 15;
  std::smatch found;
  if (video->stem.size() > 128 || !std::regex_match(video->stem, found, form)) return false;
  const std::string digits = found[2], before = found[1];
  if (digits.size() < kMinCounter || digits.size() > kMaxDigits || std::regex_match(before, camera))
    return false;
  video->number = std::stoll(digits);
  video->key = before + '#' + found[3].str();
  return true;
}

NamedVideo read_name(const std::string& file) {
  const fs::path path(file);
  NamedVideo video{file, path.parent_path().string(), path.stem().string()};
  if (!is_video_file(path) || file.find("://") != std::string::npos) return video;
  if (const auto clock = clock_of_path(file)) {
    video.by = FileGroup::By::clocks;
    video.clock_s = clock->start_utc_s;
    video.camera_folder = without_dates(path.parent_path()).folder.string();
    // DJI writes a counter behind the clock.
    static const std::regex counter("^(DJI_)_\\d{4}");
    if (clock_of_name(file)) video.key = std::regex_replace(name_without_clocks(video.stem), counter, "$1");
  } else if (read_chapter(&video)) {
    video.by = FileGroup::By::chapters;
  } else if (read_counter(&video)) {
    video.by = FileGroup::By::numbers;
  }
  return video;
}

// Without separators at its ends.
std::string trimmed_key(const std::string& key) {
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0; };
  const auto begin = std::ranges::find_if(key, is_letter);
  const auto end = std::find_if(key.rbegin(), key.rend(), is_letter).base();
  return begin < end ? std::string(begin, end) : std::string();
}

// The key of a camera: files with the same one are its own.
using CameraId = std::pair<std::string, std::string>;  // folder, or empty; name

std::vector<CameraId> cameras_of(const std::vector<NamedVideo>& videos) {
  std::map<std::string, std::set<std::string>> clocked, all;  // keys by folder
  for (const NamedVideo& video : videos) {
    if (video.by == FileGroup::By::clocks) clocked[video.camera_folder].insert(video.key);
    all[video.folder].insert(video.by == FileGroup::By::numbers ? video.key : "/" + video.stem);
  }
  std::vector<CameraId> cameras;
  for (const NamedVideo& video : videos) {
    const bool counts = all.size() > 1 && all[video.folder].size() == 1;
    switch (video.by) {
      case FileGroup::By::clocks:
        cameras.emplace_back(clocked[video.camera_folder].size() == 1 ? video.camera_folder : "",
                             "clocks " + video.key);
        break;
      case FileGroup::By::chapters:
        cameras.emplace_back(video.folder, "chapters " + video.key);
        break;
      case FileGroup::By::numbers:
        cameras.emplace_back(video.folder, counts ? "numbers" : "file " + video.file);
        break;
      case FileGroup::By::alone:
        cameras.emplace_back(video.folder, "file " + video.file);
    }
  }
  return cameras;
}

std::string name_of(const NamedVideo& first) {
  const bool clocked = first.by == FileGroup::By::clocks;
  const std::string folder = fs::path(clocked ? first.camera_folder : first.folder).filename().string();
  if (first.by == FileGroup::By::chapters) return first.stem;
  const std::string key = clocked ? trimmed_key(first.key) : std::string();
  return key.empty() ? folder : key;
}

// Equal names are told apart by their folders.
void tell_apart(std::vector<FileGroup>* groups) {
  std::map<std::string, int> count;
  for (const FileGroup& group : *groups) ++count[group.camera];
  for (FileGroup& group : *groups)
    if (!group.camera.empty() && count[group.camera] > 1)
      if (const std::string folder =
              without_dates(fs::path(group.files.front()).parent_path()).folder.filename().string();
          !folder.empty())
        group.camera = folder;
}

// ---- where each file lies in time

struct CountedFile {
  ListedFile entry;
  VideoInfo info;
  std::optional<double> clock_s;
};

Result<CountedFile> count_file(const std::string& file, const StopSource& stop,
                               std::vector<std::string>* notes) {
  VideoOpenOptions options;
  options.stop = stop;
  VANTAGE_ASSIGN(const auto source, open_video(file, options));
  CountedFile counted;
  VANTAGE_ASSIGN(counted.entry.frames, source->wait_for_frame_count(stop));
  VANTAGE_ASSIGN(counted.entry.identity, identify_video(file));
  counted.entry.file = fs::absolute(file).lexically_normal();
  counted.info = source->info();
  if (counted.info.picture_of_frame) counted.entry.gaps = gaps_in(*counted.info.picture_of_frame);
  const std::string name = fs::path(file).filename().string();
  if (!counted.info.timing.empty()) notes->push_back(name + ": " + counted.info.timing);
  for (const auto& [frame, text] : source->problems())
    if (!in_gap(counted.info, frame)) {
      notes->push_back(fmt::format("{}, frame {}: {}", name, frame, text));
      break;
    }
  return counted;
}

Status check_alike(const std::vector<CountedFile>& files) {
  const VideoInfo& first = files.front().info;
  const std::string model = files.front().entry.file.filename().string();
  constexpr const char* kRemedy = "Leave it out, or put the files of each camera into a folder of their own.";
  for (const auto& [entry, info, clock_s] : files) {
    if (!(info.frame_rate > 0))
      return fail(ErrorKind::invalid_argument, "states no frame rate, by which its pictures would have times",
                  entry.file.string(), "Give it by --rate, or convert the file to MP4 or Matroska.");
    if (info.width_px != first.width_px || info.height_px != first.height_px)
      return fail(ErrorKind::invalid_argument,
                  fmt::format("has {}x{} px, {} of the same camera has {}x{} px", info.width_px,
                              info.height_px, model, first.width_px, first.height_px),
                  entry.file.string(), kRemedy);
    if (std::abs(info.frame_rate / first.frame_rate - 1) > kSameRate)
      return fail(ErrorKind::invalid_argument,
                  fmt::format("has {:.6g} frames/s, {} of the same camera has {:.6g}", info.frame_rate, model,
                              first.frame_rate),
                  entry.file.string(), kRemedy);
  }
  return {};
}

// Sets clocks and the order's text. Those of containers count where they rise in the order of the numbers.
Status find_clocks(const FileGroup& group, std::vector<CountedFile>* files, std::string* order) {
  if (group.by == FileGroup::By::clocks) {
    for (CountedFile& file : *files) file.clock_s = clock_of_path(file.entry.file.string())->start_utc_s;
    *order = "the clocks in their names";
    return {};
  }
  std::set<double> different;
  bool known = true;
  for (CountedFile& file : *files) {
    const Result<double> start = container_start_utc_s(file.entry.file.string());
    if (start && *start > 0) file.clock_s = *start, different.insert(*start);
    known = known && file.clock_s;
  }
  const auto forget = [&] {  // but for the first, which dates the recording
    for (size_t i = 1; i < files->size(); ++i) (*files)[i].clock_s.reset();
  };
  if (group.by == FileGroup::By::chapters) {
    forget();
    *order = "their chapters, one after the other without gaps";
    return {};
  }
  if (!known || different.size() == 1) {
    forget();
    *order = "the numbers in their names, one after the other: ";
    *order += known ? "all containers state one time, which tells of no gaps" : "no clock tells of gaps";
    return {};
  }
  for (size_t i = 1; i < files->size(); ++i)
    if (*(*files)[i].clock_s <= *(*files)[i - 1].clock_s)
      return fail(ErrorKind::invalid_argument,
                  "its number is higher than that of " + (*files)[i - 1].entry.file.filename().string() +
                      ", its container's clock is not later: the order of this camera's files is not certain",
                  (*files)[i].entry.file.string(),
                  "Put the date and time into their names (cam1_20260101_220000.mp4).");
  *order = "their containers' clocks";
  return {};
}

Status set_positions(std::vector<CountedFile>* files, double rate) {
  int64_t end = 0;
  for (size_t i = 0; i < files->size(); ++i) {
    ListedFile& own = (*files)[i].entry;
    own.first_frame = end;
    if (i > 0 && (*files)[i].clock_s) {
      const ListedFile& before = (*files)[i - 1].entry;
      const double at = (*(*files)[i].clock_s - *files->front().clock_s) * rate;
      if (at > static_cast<double>(kMaxListedFrames))
        return fail(ErrorKind::invalid_argument,
                    fmt::format("begins {:.1f} days after the camera's first file", at / rate / 86400),
                    own.file.string(), "Make a project for each recording.");
      if (std::abs(at - static_cast<double>(end)) >= kFileClock_s * rate)
        own.first_frame = std::max<int64_t>(std::llround(at), before.first_frame);
      const auto shared = static_cast<double>(std::min(own.frames, end - own.first_frame));
      if (shared > kMaxOverlap * static_cast<double>(std::min(own.frames, before.frames)))
        return fail(
            ErrorKind::invalid_argument,
            fmt::format("{:.2f} of its {:.2f} s are of the same time as {}: these are not one camera's",
                        shared / rate, static_cast<double>(own.frames) / rate,
                        before.file.filename().string()),
            own.file.string(),
            "Keep the files apart (--apart, Separate Files), or put each camera's into a folder of its "
            "own.");
    }
    if (own.first_frame + own.frames > kMaxListedFrames)
      return fail(ErrorKind::invalid_argument,
                  fmt::format("the camera's files last for more than {} frames", kMaxListedFrames),
                  own.file.string(), "Make a project for each part.");
    end = std::max(end, own.first_frame + own.frames);
  }
  return {};
}

}  // namespace

const std::vector<std::string>& video_suffixes() {
  static const std::vector<std::string> suffixes = {"mp4", "mkv",  "avi", "mov", "webm", "m4v", "ts",  "mts",
                                                    "mpg", "mpeg", "mxf", "wmv", "flv",  "264", "265", "y4m"};
  return suffixes;
}

bool is_video_file(const fs::path& file) {
  const std::string suffix = lower_case(file.extension().string());
  return !suffix.empty() && std::ranges::find(video_suffixes(), suffix.substr(1)) != video_suffixes().end();
}

std::vector<std::string> videos_in(const fs::path& folder) {
  std::vector<std::string> found;
  std::set<std::string> pictures;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed), end;
  for (; !failed && at != end; at.increment(failed)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    if (is_video_file(at->path())) found.push_back(at->path().string());
    if (is_picture_file(at->path())) pictures.insert(at->path().parent_path().string());
  }
  if (found.empty()) found.assign(pictures.begin(), pictures.end());
  std::ranges::sort(found);
  return found;
}

std::string people_next_to(const fs::path& video) {
  const fs::path people = video.parent_path().parent_path() / "annots" / video.stem();
  std::error_code none;
  return fs::is_directory(people, none) ? people.string() : std::string();
}

std::string FileGroup::video() const {
  if (files.size() == 1) return files.front();
  return (fs::path(files.front()).parent_path() / (camera + std::string(kFileListSuffix))).string();
}

std::vector<FileGroup> group_files(const std::vector<std::string>& files) {
  std::vector<NamedVideo> videos;
  for (const std::string& file : files) videos.push_back(read_name(file));
  const std::vector<CameraId> cameras = cameras_of(videos);
  std::vector<std::vector<NamedVideo>> together;
  std::map<CameraId, size_t> known;
  for (size_t i = 0; i < videos.size(); ++i) {
    const auto [found, is_new] = known.emplace(cameras[i], together.size());
    if (is_new) together.emplace_back();
    together[found->second].push_back(videos[i]);
  }
  std::vector<FileGroup> groups;
  for (std::vector<NamedVideo>& of_camera : together) {
    std::ranges::stable_sort(of_camera, [](const NamedVideo& a, const NamedVideo& b) {
      return a.clock_s != b.clock_s ? a.clock_s < b.clock_s : a.number < b.number;
    });
    FileGroup& group = groups.emplace_back();
    for (const NamedVideo& video : of_camera) group.files.push_back(video.file);
    if (of_camera.size() == 1) continue;
    group.by = of_camera.front().by;
    group.camera = name_of(of_camera.front());
  }
  tell_apart(&groups);
  return groups;
}

std::vector<FileGroup> keep_apart(const std::vector<std::string>& files) {
  std::vector<FileGroup> groups;
  for (const std::string& file : files) groups.push_back({FileGroup::By::alone, {}, {file}});
  return groups;
}

Result<JoinedFiles> join_files(const FileGroup& group, double frame_rate, const StopSource& stop) {
  JoinedFiles joined;
  std::vector<CountedFile> files;
  for (const std::string& file : group.files) {
    VANTAGE_ASSIGN(CountedFile counted, count_file(file, stop, &joined.notes));
    if (frame_rate > 0) counted.info.frame_rate = frame_rate;
    files.push_back(std::move(counted));
  }
  VANTAGE_TRY(check_alike(files));
  FileList& list = joined.list;
  VANTAGE_TRY(find_clocks(group, &files, &list.order));
  const VideoInfo& first = files.front().info;
  list.frame_rate = first.frame_rate;
  list.width_px = first.width_px, list.height_px = first.height_px;
  if (files.front().clock_s)
    list.clock = RecordingClock{*files.front().clock_s, std::nullopt, {}}.typed_text();
  VANTAGE_TRY(set_positions(&files, list.frame_rate));
  for (CountedFile& file : files) list.files.push_back(std::move(file.entry));
  return joined;
}

}  // namespace vantage
