#include "core/project/missing_files.h"

#include <fmt/core.h>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace vantage {
namespace {

namespace fs = std::filesystem;

bool is_pattern(const std::string& video) {
  return video.find_first_of("%*?") != std::string::npos;
}

// The first file of a list that cannot be found; empty: all can, or the list itself cannot be read.
fs::path missing_in_list(const std::string& video) {
  if (!names_file_list(video)) return {};
  const Result<FileList> list = read_file_list(video);
  std::error_code ignored;
  for (size_t i = 0; list && i < list->files.size(); ++i)
    if (!fs::exists(list->files[i].file, ignored)) return list->files[i].file;
  return {};
}

// A pattern is not a file, but its folder can be checked.
bool is_there(const std::string& video) {
  std::error_code ignored;
  if (!missing_in_list(video).empty()) return false;
  if (is_address(video) || fs::exists(video, ignored)) return true;
  return is_pattern(video) && fs::is_directory(fs::path(video).parent_path(), ignored);
}

// Null for files that are not videos: these have no stored identity.
VideoIdentity* identity_of(ProjectCamera& camera, FileRole file) {
  if (file == FileRole::video) return &camera.video_identity;
  return file == FileRole::background ? &camera.background_identity : nullptr;
}

std::string& path_of(Project& project, size_t camera, FileRole file) {
  switch (file) {
    case FileRole::video:
      return project.cameras[camera].video;
    case FileRole::background:
      return project.cameras[camera].background;
    case FileRole::detections:
      return project.cameras[camera].detections.file;
    case FileRole::joints_model:
      return project.joints_model;
    case FileRole::model:
      break;
  }
  return project.detection_model;
}

// Number of equal names at the end of both paths: cam1/video.mp4 is not cam2/video.mp4.
int common_ending(const fs::path& a, const fs::path& b) {
  int common = 0;
  for (auto i = a.end(), j = b.end(); i != a.begin() && j != b.begin(); ++common)
    if (*--i != *--j) return common;
  return common;
}

std::string bytes_text(int64_t bytes) {
  return bytes >= 10'000'000 ? fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6)
                             : std::to_string(bytes) + " bytes";
}

// All files below a folder, by the keys of missing videos.
struct Tree {
  std::multimap<std::string, fs::path> by_name;  // files and folders with the names of missing videos
  std::multimap<int64_t, fs::path> by_bytes;     // files with the sizes of missing videos
  std::vector<fs::path> folders;                 // candidates for missing patterns and files of lists
};

struct Wanted {
  std::set<std::string> names;
  std::set<int64_t> bytes;
  bool patterns = false;
};

Wanted wanted_of(const std::vector<MissingFile>& missing) {
  Wanted wanted;
  for (const MissingFile& one : missing) {
    wanted.names.insert(fs::path(one.path).filename().string());
    if (one.identity.bytes > 0) wanted.bytes.insert(one.identity.bytes);
    wanted.patterns = wanted.patterns || is_pattern(one.path) || !missing_in_list(one.path).empty();
  }
  return wanted;
}

// Skips unreadable folders; links to folders are not followed, since they may be circular.
Result<Tree> walk(const fs::path& folder, const Wanted& wanted, const StopSource& stop) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed))
    return fail(ErrorKind::not_found, "there is no such folder", folder.string(), "Name an existing folder.");
  Tree tree;
  if (wanted.patterns) tree.folders.push_back(folder);
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed), end;
  for (; !failed && at != end; at.increment(failed)) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "the search was stopped", folder.string());
    const fs::path& path = at->path();
    if (const std::string name = path.filename().string(); wanted.names.contains(name))
      tree.by_name.emplace(name, path);
    std::error_code ignored;
    if (wanted.patterns && at->is_directory(ignored)) tree.folders.push_back(path);
    if (wanted.bytes.empty() || !at->is_regular_file(ignored)) continue;
    const auto bytes = static_cast<int64_t>(at->file_size(ignored));
    if (!ignored && wanted.bytes.contains(bytes)) tree.by_bytes.emplace(bytes, path);
  }
  return tree;
}

class Search {
 public:
  Search(const Tree& tree, ByName by_name) : tree_(tree), by_name_(by_name) {}

  FoundFile find(const MissingFile& missing) const {
    if (!missing_in_list(missing.path).empty()) return find_listed(missing);
    const std::vector<fs::path> named = candidates_by_name(missing);
    if (!missing.identity.known()) return by_name_alone(missing, named, "same name");
    std::vector<fs::path> all = named;
    const auto [first, last] = tree_.by_bytes.equal_range(missing.identity.bytes);
    for (auto at = first; at != last; ++at) all.push_back(at->second);
    std::vector<fs::path> same;
    for (const fs::path& path : all)
      if (const auto identity = identify_video(path.string()); identity && *identity == missing.identity)
        same.push_back(path);
    if (!same.empty()) {
      // Copies are equivalent: takes the one whose path is most like the old one.
      const fs::path path = *std::max_element(same.begin(), same.end(), [&](const auto& a, const auto& b) {
        const int of_a = common_ending(a, missing.path), of_b = common_ending(b, missing.path);
        return of_a != of_b ? of_a < of_b : b < a;
      });
      const bool named_so = path.filename() == fs::path(missing.path).filename();
      return {missing, path.string(), named_so ? "same name, size and checksum" : "same size and checksum"};
    }
    if (by_name_ == ByName::also_if_other)
      return by_name_alone(missing, named, "same name, different content");
    if (named.empty()) return {missing, {}, "no file of its name or content is there"};
    return {missing, {}, other_content(missing, named.front())};
  }

 private:
  // The list with the first folder that holds all its files, under a new name next to the old one.
  FoundFile find_listed(const MissingFile& missing) const {
    const Result<FileList> list = read_file_list(missing.path);
    const auto same = [](const ListedFile& entry) {
      const auto identity = identify_video(entry.file.string());
      return identity && *identity == entry.identity;
    };
    for (const fs::path& folder : tree_.folders) {
      if (!list) break;
      FileList moved = moved_to(*list, folder);
      if (!std::ranges::all_of(moved.files, same)) continue;
      const fs::path old(missing.path);
      fs::path fresh = old;
      std::error_code ignored;
      for (int number = 2; fs::exists(fresh, ignored); ++number)
        fresh.replace_filename(fmt::format("{}-{}{}", old.stem().string(), number, kFileListSuffix));
      return {missing, fresh.string(),
              "its files are in " + folder.string() + ", same names, sizes and checksums", std::move(moved)};
    }
    return {missing, {}, "no folder there holds all files of the list"};
  }

  std::vector<fs::path> candidates_by_name(const MissingFile& missing) const {
    const fs::path wanted(missing.path);
    std::vector<fs::path> found;
    if (is_pattern(missing.path)) {
      for (const fs::path& folder : tree_.folders)
        if (const fs::path path = folder / wanted.filename(); identify_video(path.string()))
          found.push_back(path);
      return found;
    }
    const auto [first, last] = tree_.by_name.equal_range(wanted.filename().string());
    for (auto at = first; at != last; ++at) found.push_back(at->second);
    return found;
  }

  static FoundFile by_name_alone(const MissingFile& missing, const std::vector<fs::path>& named,
                                 const std::string& why) {
    int best = 0, of_best = 0;
    fs::path found;
    for (const fs::path& path : named) {
      const int common = common_ending(path, missing.path);
      if (common > best) best = common, of_best = 0, found = path;
      of_best += common == best;
    }
    if (of_best == 0) return {missing, {}, "no file of its name is there"};
    if (of_best > 1)
      return {missing, {}, std::to_string(of_best) + " files have its name; which one is meant is unclear"};
    return {missing, found.string(), why};
  }

  static std::string other_content(const MissingFile& missing, const fs::path& path) {
    const auto identity = identify_video(path.string());
    if (!identity) return path.string() + " has its name, but cannot be read";
    const std::string here = bytes_text(identity->bytes), there = bytes_text(missing.identity.bytes);
    return path.string() + " has its name, but is another video (" +
           (identity->bytes != missing.identity.bytes ? here + " instead of " + there : "another checksum") +
           ")";
  }

  const Tree& tree_;
  const ByName by_name_;
};

// One file cannot be the video of two cameras, unless it was before.
void give_each_its_own(std::vector<FoundFile>* found) {
  std::vector<FoundFile> kept = *found;
  for (size_t i = 0; i < found->size(); ++i)
    for (const FoundFile& other : *found) {
      const FoundFile& one = (*found)[i];
      if (one.path.empty() || one.path != other.path || one.missing.path == other.missing.path) continue;
      const int of_one = common_ending(one.path, one.missing.path),
                of_other = common_ending(other.path, other.missing.path);
      if (of_one > of_other) continue;
      kept[i].why = one.path + " fits " + (of_one == of_other ? "several cameras" : "another camera better");
      kept[i].path.clear();
    }
  *found = std::move(kept);
}

}  // namespace

bool is_address(const std::string& video) {
  return video.find("://") != std::string::npos;
}

std::vector<MissingFile> missing_files(const Project& project) {
  std::vector<MissingFile> missing;
  const auto look = [&](size_t camera, FileRole file, const std::string& path,
                        const VideoIdentity& identity) {
    const bool named = file == FileRole::video || !path.empty();
    if (named && !is_there(path)) missing.push_back({camera, file, path, identity});
  };
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const ProjectCamera& camera = project.cameras[c];
    look(c, FileRole::video, camera.video, camera.video_identity);
    look(c, FileRole::background, camera.background, camera.background_identity);
    look(c, FileRole::detections, camera.detections.file, {});
  }
  look(0, FileRole::model, project.detection_model, {});
  look(0, FileRole::joints_model, project.joints_model, {});
  return missing;
}

Status check_project_files(const Project& project) {
  const std::vector<MissingFile> missing = missing_files(project);
  if (missing.empty()) return {};
  return fail(ErrorKind::not_found, "files are missing: " + missing_text(project, missing),
              project.path.string(),
              "Put them back, or find them where they are now: `vantage-cli relink PROJECT --folder DIR`.");
}

std::string missing_file_name(const Project& project, const MissingFile& missing) {
  if (missing.role == FileRole::model) return "the detections' model";
  if (missing.role == FileRole::joints_model) return "the joints' model";
  const std::string& camera = project.cameras.at(missing.camera).name;
  switch (missing.role) {
    case FileRole::background:
      return camera + "'s empty-scene clip";
    case FileRole::detections:
      return camera + "'s detections";
    default:
      return camera + "'s video";
  }
}

namespace {

std::string shown_path(const std::string& path) {
  const fs::path listed = missing_in_list(path);
  return listed.empty() ? path : listed.string() + " of " + path;
}

}  // namespace

std::string missing_text(const Project& project, const std::vector<MissingFile>& missing) {
  std::string words;
  for (const MissingFile& one : missing)
    words += (words.empty() ? "" : "; ") + missing_file_name(project, one) + ' ' + shown_path(one.path);
  return words;
}

Result<std::vector<FoundFile>> find_missing_files(const Project& project, const std::filesystem::path& folder,
                                                  ByName by_name, const StopSource& stop) {
  const std::vector<MissingFile> missing = missing_files(project);
  VANTAGE_ASSIGN(const Tree tree, walk(fs::absolute(folder).lexically_normal(), wanted_of(missing), stop));
  const Search search(tree, by_name);
  std::vector<FoundFile> found;
  for (const MissingFile& one : missing) found.push_back(search.find(one));
  give_each_its_own(&found);
  return found;
}

Status write_found_lists(const std::vector<FoundFile>& found) {
  for (const FoundFile& one : found)
    if (one.list) VANTAGE_TRY(write_file_list(one.path, *one.list));
  return {};
}

size_t relink(const std::vector<FoundFile>& found, Project* project) {
  size_t count = 0;
  for (const FoundFile& one : found) {
    const auto& [camera, file, was, _] = one.missing;
    if (one.path.empty() || camera >= project->cameras.size()) continue;
    std::string& path = path_of(*project, camera, file);
    if (path != was) continue;  // it was changed meanwhile
    path = one.path;
    if (VideoIdentity* remembered = identity_of(project->cameras[camera], file))
      if (const auto identity = identify_video(one.path)) *remembered = *identity;
    ++count;
  }
  return count;
}

std::string found_text(const Project& project, const FoundFile& found) {
  const std::string what = missing_file_name(project, found.missing) + ": ";
  if (found.path.empty()) return what + "not found: " + found.why;
  return what + found.path + " (" + found.why + ")";
}

void remember_videos(Project* project) {
  for (size_t c = 0; c < project->cameras.size(); ++c)
    for (const FileRole which : {FileRole::video, FileRole::background}) {
      const std::string& path = path_of(*project, c, which);
      if (path.empty() || is_address(path) || !is_there(path)) continue;
      VideoIdentity& remembered = *identity_of(project->cameras[c], which);
      std::error_code ignored;
      const bool file = fs::is_regular_file(path, ignored);
      const bool same_size =
          file && remembered.bytes == static_cast<int64_t>(fs::file_size(path, ignored)) && !ignored;
      if (remembered.known() && (same_size || !file || remembered.bytes == 0)) continue;
      if (const auto identity = identify_video(path)) remembered = *identity;
    }
}

}  // namespace vantage
