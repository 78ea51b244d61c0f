#include "core/project/files_of_videos.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/project/match_cameras.h"

namespace vantage {
namespace {

using Found = std::vector<std::optional<size_t>>;  // the file of each video

bool is_numeral(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// The numbers in a name, without leading zeros.
std::vector<std::string> numbers_in(const std::string& name) {
  std::vector<std::string> numbers;
  for (size_t i = 0; i < name.size();) {
    if (!is_numeral(name[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < name.size() && is_numeral(name[end])) ++end;
    while (i + 1 < end && name[i] == '0') ++i;
    numbers.push_back(name.substr(i, end - i));
    i = end;
  }
  return numbers;
}

// The only number that differs from name to name; nothing where none or several do.
std::vector<std::string> telling_numbers(const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& name : names) all.push_back(numbers_in(name));
  std::vector<std::string> telling;
  for (size_t at = 0; !all.empty() && at < all.front().size(); ++at) {
    std::vector<std::string> column;
    for (const auto& numbers : all) {
      if (numbers.size() != all.front().size()) return {};
      column.push_back(numbers[at]);
    }
    const size_t different = std::set<std::string>(column.begin(), column.end()).size();
    if (different == 1 && names.size() > 1) continue;
    if (different < names.size() || !telling.empty()) return {};
    telling = column;
  }
  return telling;
}

// Numbers of either the stems or the folders.
std::vector<std::string> numbers_of_videos(const std::vector<std::string>& videos) {
  for (const bool folder : {false, true}) {
    std::vector<std::string> names;
    for (const std::string& video : videos) {
      const std::vector<std::string> known = names_of_video(video);
      names.push_back(folder ? known.back() : known.front());
    }
    if (std::vector<std::string> numbers = telling_numbers(names); !numbers.empty()) return numbers;
  }
  return {};
}

std::vector<std::string> level_of(const std::vector<NamedFile>& files, size_t level) {
  std::vector<std::string> names;
  for (const NamedFile& file : files)
    names.push_back(level < file.names.size() ? file.names[level] : std::string());
  return names;
}

bool complete(const Found& found) {
  return std::all_of(found.begin(), found.end(), [](const auto& file) { return file.has_value(); });
}

Found by_numbers(const std::vector<std::string>& videos, const std::vector<std::string>& names) {
  const std::vector<std::string> of_videos = numbers_of_videos(videos), of_files = telling_numbers(names);
  Found found(videos.size());
  for (size_t i = 0; i < of_videos.size(); ++i) {
    const auto same = std::find(of_files.begin(), of_files.end(), of_videos[i]);
    if (same != of_files.end()) found[i] = static_cast<size_t>(same - of_files.begin());
  }
  return found;
}

// The index of the first video whose name matches another file than `expected`; nothing: none does.
std::optional<size_t> contradicted(const Found& found, const std::vector<size_t>& expected) {
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i] && *found[i] != expected[i]) return i;
  return std::nullopt;
}

tl::unexpected<Error> in_conflict(const std::string& video, const std::string& one, const std::string& other,
                                  const std::string& why) {
  return fail(ErrorKind::invalid_argument,
              "it is not certain whose calibration this is: " + why + ", " + one + " or " + other, video,
              "State it with --map VIDEO=CAMERA, once for each video.");
}

// Matches the videos and files that no map names.
Result<FilesOfVideos> match_unmapped(const std::vector<std::string>& videos,
                                     const std::vector<NamedFile>& files) {
  size_t levels = 0;
  for (const NamedFile& file : files) levels = std::max(levels, file.names.size());
  std::vector<Found> all;
  for (size_t level = 0; level < levels; ++level)
    all.push_back(match_by_name(videos, level_of(files, level)));
  for (size_t level = 0; level < levels; ++level) all.push_back(by_numbers(videos, level_of(files, level)));
  std::optional<std::vector<size_t>> decided;
  for (size_t level = 0; level < all.size(); ++level) {
    if (!complete(all[level]) || (level >= levels && decided)) continue;
    if (!decided) {
      decided.emplace();
      for (const auto& file : all[level]) decided->push_back(*file);
    } else if (const auto video = contradicted(all[level], *decided)) {
      return in_conflict(videos[*video], files[(*decided)[*video]].file, files[*all[level][*video]].file,
                         "the names of the files and of the cameras in them differ");
    }
  }
  if (decided) return FilesOfVideos{*decided, ""};
  std::vector<size_t> order(videos.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (const Found& found : all)
    if (const auto video = contradicted(found, order))
      return in_conflict(videos[*video], files[*video].file, files[*found[*video]].file,
                         "its position in the order and its name contradict each other");
  if (videos.size() == 1) return FilesOfVideos{order, ""};
  std::string note;
  for (size_t i = 0; i < videos.size(); ++i)
    note += (i == 0 ? "" : ", ") + videos[i] + " has " + files[i].file;
  return FilesOfVideos{
      order, "the calibrations are taken in the order of the videos, since no names match: " + note};
}

bool is_named(const NamedFile& file, const std::string& name) {
  const std::filesystem::path path(file.file);
  return std::find(file.names.begin(), file.names.end(), name) != file.names.end() || file.file == name ||
         path.filename().string() == name;
}

// The only file of that name: equal names are preferred to names of folders.
std::optional<size_t> file_named(const std::vector<NamedFile>& files, const std::string& name) {
  std::optional<size_t> only;
  for (size_t i = 0; i < files.size(); ++i) {
    if (!is_named(files[i], name)) continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

Result<std::map<size_t, size_t>> mapped_files(
    const std::vector<std::string>& videos, const std::vector<NamedFile>& files,
    const std::vector<std::pair<std::string, std::string>>& mapped) {
  std::map<size_t, size_t> result;
  std::set<size_t> taken;
  for (const auto& [video, camera] : mapped) {
    std::optional<size_t> at;
    for (size_t i = 0; i < videos.size() && !at; ++i) {
      std::vector<std::string> names = names_of_video(videos[i]);
      names.push_back(videos[i]);
      names.push_back(std::filesystem::path(videos[i]).filename().string());
      if (std::find(names.begin(), names.end(), video) != names.end()) at = i;
    }
    if (!at) return fail(ErrorKind::invalid_argument, "--map names " + video + ", which is not a video");
    const auto file = file_named(files, camera);
    if (!file)
      return fail(ErrorKind::invalid_argument, "not exactly one calibration is named " + camera, videos[*at],
                  "Name its file in --map VIDEO=FILE.");
    if (!taken.insert(*file).second)
      return fail(ErrorKind::invalid_argument, "two videos are assigned to " + files[*file].file, videos[*at],
                  "Correct --map.");
    result[*at] = *file;
  }
  return result;
}

}  // namespace

Result<FilesOfVideos> match_files(const std::vector<std::string>& videos, const std::vector<NamedFile>& files,
                                  const std::vector<std::pair<std::string, std::string>>& mapped) {
  if (videos.size() != files.size())
    return fail(ErrorKind::invalid_argument, "there is not one calibration for each video");
  VANTAGE_ASSIGN(const auto fixed, mapped_files(videos, files, mapped));
  std::vector<size_t> open_videos, open_files;
  for (size_t i = 0; i < videos.size(); ++i) {
    if (!fixed.contains(i)) open_videos.push_back(i);
    if (std::none_of(fixed.begin(), fixed.end(), [&](const auto& pair) { return pair.second == i; }))
      open_files.push_back(i);
  }
  std::vector<std::string> some_videos;
  std::vector<NamedFile> some_files;
  for (const size_t i : open_videos) some_videos.push_back(videos[i]);
  for (const size_t i : open_files) some_files.push_back(files[i]);
  FilesOfVideos result{std::vector<size_t>(videos.size()), ""};
  for (const auto& [video, file] : fixed) result.file_of[video] = file;
  if (open_videos.empty()) return result;
  VANTAGE_ASSIGN(const FilesOfVideos rest, match_unmapped(some_videos, some_files));
  for (size_t i = 0; i < open_videos.size(); ++i)
    result.file_of[open_videos[i]] = open_files[rest.file_of[i]];
  result.note = rest.note;
  return result;
}

Status check_order(const std::vector<std::string>& videos, const std::vector<std::string>& files,
                   const std::string& option) {
  for (const bool folder : {false, true}) {
    std::vector<std::string> names;
    for (const std::string& file : files) {
      const std::vector<std::string> known = names_of_video(file);
      names.push_back(file == "-" ? std::string() : folder ? known.back() : known.front());
    }
    const Found found = match_by_name(videos, names);
    size_t named = 0, given = 0;
    for (size_t i = 0; i < videos.size(); ++i) given += files[i] != "-", named += found[i].has_value();
    if (named < given) continue;
    for (size_t i = 0; i < videos.size(); ++i)
      if (found[i] && *found[i] != i)
        return fail(ErrorKind::invalid_argument,
                    "stands at the place of " + files[*found[i]] + ", which has this video's name", videos[i],
                    "Give " + option + " in the order of the videos, - where there is none.");
    return {};
  }
  return {};
}

std::vector<std::string> camera_file_names(const std::vector<std::string>& cameras) {
  std::vector<std::string> names;
  for (std::string name : cameras) {
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end())
      name += "-" + std::to_string(names.size() + 1);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace vantage
