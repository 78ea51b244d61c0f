#include "core/export/collect/collect.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/file.h"
#include "core/base/output_folder.h"
#include "core/detections/class_names.h"
#include "core/project/missing_files.h"
#include "core/seal/custody.h"
#include "core/seal/recording_seal.h"
#include "core/setup/boards/recorded_instants.h"
#include "core/video/file_list.h"
#include "core/video/video_files.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

// Files and folders next to a project: NAME and a suffix.
constexpr std::string_view kNextToIt[] = {".results",    ".variants",   ".truth",      ".sweep",
                                          ".detections", ".views.json", kCustodySuffix};
constexpr size_t kBlock_bytes = size_t{4} << 20;

// The files to be copied, by their paths in the new folder, and the project with its paths in it.
class Collection {
 public:
  Collection(const Project& project, const fs::path& staging)
      : copy(project), from_(project.path.parent_path()), staging_(staging) {
    copy.path = staging / project.path.filename();
  }

  Status plan();
  Status write_lists() const {
    for (const auto& [path, list] : lists_) {
      VANTAGE_TRY(make_folder(path.parent_path()));
      VANTAGE_TRY(write_file_list(path, list));
    }
    return {};
  }

  Project copy;
  std::map<fs::path, fs::path> files;  // the sources

 private:
  fs::path next_to_it(std::string_view suffix) const {
    return (from_ / copy.path.filename()).replace_extension(suffix);
  }
  // A folder of the project, or of NAME.footage.
  fs::path folder_of_copy(const fs::path& folder);
  fs::path path_of_copy(const fs::path& file) { return folder_of_copy(file.parent_path()) / file.filename(); }
  void add(const fs::path& file) { files[path_of_copy(file)] = file; }
  Status add_tree(const fs::path& folder, const fs::path& to);

  // Each replaces the path by that of the copy. `what`: "cam1's video".
  Status take_video(const std::string& what, std::string* video);
  Status take_list(const std::string& what, std::string* video);
  Status take_detections(const std::string& what, std::string* path);
  Status take_boards();
  void miss(const std::string& what, const fs::path& path) {
    missing_ += (missing_.empty() ? "" : "; ") + what + ' ' + path.string();
  }

  const fs::path from_, staging_;
  std::map<fs::path, fs::path> folders_;  // those from elsewhere
  std::set<fs::path> taken_;
  std::vector<std::pair<fs::path, FileList>> lists_;
  std::string missing_;
};

fs::path Collection::folder_of_copy(const fs::path& folder) {
  const fs::path below = folder.lexically_relative(from_);
  if (!below.empty() && *below.begin() != "..") return (staging_ / below).lexically_normal();
  const auto [known, is_new] = folders_.try_emplace(folder);
  if (!is_new) return known->second;
  const fs::path footage = next_to_it(".footage").filename();
  const std::string name = folder.has_filename() ? folder.filename().string() : "files";
  fs::path free = footage / name;
  std::error_code ignored;
  for (int i = 2; taken_.contains(free) || fs::exists(from_ / free, ignored); ++i)
    free = footage / (name + '-' + std::to_string(i));
  taken_.insert(free);
  return known->second = staging_ / free;
}

Status Collection::add_tree(const fs::path& folder, const fs::path& to) {
  std::error_code code;
  fs::recursive_directory_iterator at(folder, fs::directory_options::follow_directory_symlink, code), end;
  for (; !code && at != end; at.increment(code))
    if (at->is_regular_file(code)) files[to / at->path().lexically_relative(folder)] = at->path();
  if (code)
    return fail(ErrorKind::io, "the folder cannot be read: " + code.message(), folder.string(),
                "Check its permissions.");
  return {};
}

Status Collection::take_video(const std::string& what, std::string* video) {
  if (video->empty() || is_address(*video)) return {};
  if (names_file_list(*video)) return take_list(what, video);
  const auto found = files_of_video(*video);
  if (!found && found.error().kind != ErrorKind::not_found) return fail(found.error());
  if (!found) return miss(what, *video), Status();
  std::error_code code;
  const bool is_folder = fs::is_directory(*video, code);
  const fs::path folder = is_folder ? fs::path(*video) : fs::path(*video).parent_path();
  const fs::path to = folder_of_copy(folder);
  for (const fs::path& file : *found) files[to / file.lexically_relative(folder)] = file;
  *video = (is_folder ? to : to / fs::path(*video).filename()).string();
  return {};
}

Status Collection::take_list(const std::string& what, std::string* video) {
  std::error_code code;
  if (!fs::is_regular_file(*video, code)) return miss(what, *video), Status();
  VANTAGE_ASSIGN(const FileList list, read_file_list(*video));
  FileList moved = moved_to(list, folder_of_copy(folder_of(list)));
  for (size_t i = 0; i < list.files.size(); ++i) {
    files[moved.files[i].file] = list.files[i].file;
    if (!fs::is_regular_file(list.files[i].file, code)) miss(what, list.files[i].file);
  }
  *video = path_of_copy(*video).string();
  lists_.emplace_back(*video, std::move(moved));
  return {};
}

Status Collection::take_detections(const std::string& what, std::string* path) {
  std::error_code code;
  if (path->empty()) return {};
  if (!fs::exists(*path, code)) return miss(what, *path), Status();
  const fs::path from = *path;
  const bool is_folder = fs::is_directory(from, code);
  const fs::path to = folder_of_copy(is_folder ? from : from.parent_path());
  if (is_folder) VANTAGE_TRY(add_tree(from, to));
  if (!is_folder) add(from);
  *path = (is_folder ? to : to / from.filename()).string();
  // Names of classes from above go into the folder itself, where they are found first.
  if (const fs::path names = class_names_file(from); !names.empty())
    files.try_emplace(to / names.filename(), names);
  return {};
}

Status Collection::take_boards() {
  std::vector<std::pair<std::string, std::string*>> clips;
  for (ProjectCamera& camera : copy.cameras)
    clips.emplace_back(camera.name + "'s pictures of the board", &camera.board_pictures);
  for (std::string& clip : copy.boards.hand_held)
    clips.emplace_back("hand-held pictures of the board", &clip);
  for (const auto& [what, clip] : clips) {
    if (clip->empty() || is_address(*clip)) continue;
    for (const fs::path& file : files_of_instants(*clip)) add(file);
    VANTAGE_TRY(take_video(what, clip));
  }
  return {};
}

Status Collection::plan() {
  VANTAGE_TRY(take_boards());
  for (ProjectCamera& camera : copy.cameras) {
    VANTAGE_TRY(take_video(camera.name + "'s video", &camera.video));
    VANTAGE_TRY(take_video(camera.name + "'s empty-scene clip", &camera.background));
    VANTAGE_TRY(take_detections(camera.name + "'s detections", &camera.detections.file));
  }
  VANTAGE_TRY(take_detections("the detections' model", &copy.detection_model));
  VANTAGE_TRY(take_detections("the joints' model", &copy.joints_model));
  if (!missing_.empty())
    return fail(ErrorKind::not_found, "files are missing: " + missing_,
                (from_ / copy.path.filename()).string(),
                "Put them back, or find them where they are now: `vantage-cli relink PROJECT --folder DIR`.");
  for (const std::string_view suffix : kNextToIt) {
    const fs::path path = next_to_it(suffix);
    std::error_code code;
    if (fs::is_directory(path, code)) VANTAGE_TRY(add_tree(path, staging_ / path.filename()));
    if (fs::is_regular_file(path, code)) add(path);
  }
  std::map<fs::path, fs::path> seals;
  for (const auto& [to, from] : files)
    if (std::error_code code; fs::is_regular_file(seal_path(from), code))
      seals[seal_path(to)] = seal_path(from);
  files.merge(seals);
  return {};
}

// Copies, and knows how far it is.

class Copying {
 public:
  Copying(const CollectProjectOptions& options, int64_t total) : options_(options), total_(total) {}

  Status copy(const fs::path& from, const fs::path& to, int64_t bytes);

 private:
  static Status failed(const char* doing, const fs::path& path) {
    const int code = errno;
    return fail(ErrorKind::io, fmt::format("{} failed ({})", doing, std::strerror(code)), path.string(),
                code == ENOSPC ? "The disk is full: free some space or choose another folder."
                               : "Check the file and its permissions.");
  }

  const CollectProjectOptions& options_;
  const int64_t total_;
  int64_t done_ = 0;
  std::vector<char> block_ = std::vector<char>(kBlock_bytes);
};

Status Copying::copy(const fs::path& from, const fs::path& to, int64_t bytes) {
  VANTAGE_TRY(make_folder(to.parent_path()));
  using OpenFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  const OpenFile in(std::fopen(from.c_str(), "rbe"), &std::fclose);
  if (!in) return failed("reading", from);
  OpenFile out(std::fopen(to.c_str(), "wbxe"), &std::fclose);
  if (!out) return failed("writing", to);
  int64_t copied = 0;
  while (const size_t read = std::fread(block_.data(), 1, block_.size(), in.get())) {
    if (options_.stop.stop_requested())
      return fail(ErrorKind::cancelled, "collecting was stopped; nothing was kept");
    if (std::fwrite(block_.data(), 1, read, out.get()) != read) return failed("writing", to);
    copied += static_cast<int64_t>(read), done_ += static_cast<int64_t>(read);
    if (options_.progress) options_.progress(done_, total_);
  }
  if (std::ferror(in.get())) return failed("reading", from);
  if (std::fclose(out.release()) != 0) return failed("writing", to);
  if (copied != bytes)
    return fail(ErrorKind::io, "changed while it was copied", from.string(),
                "Collect the project while nothing analyses or records it.");
  std::error_code ignored;  // the time is a courtesy
  const auto time = fs::last_write_time(from, ignored);
  if (!ignored) fs::last_write_time(to, time, ignored);
  return {};
}

// A loss of power behind this undoes nothing of the folder's content.
void sync_all(const fs::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  static_cast<void>(::syncfs(opened));
  ::close(opened);
}

std::string gigabytes(int64_t bytes) {
  return fmt::format("{:.2f} GB", static_cast<double>(bytes) * 1e-9);
}

Status check_space(const fs::path& folder, int64_t bytes) {
  std::error_code unknown;
  const auto free = static_cast<int64_t>(fs::space(folder, unknown).available);
  if (unknown || free < 0 || bytes <= free) return {};
  return fail(ErrorKind::io, "needs " + gigabytes(bytes) + ", and " + gigabytes(free) + " are free",
              folder.parent_path().string(), "Free some space, or choose another disk.");
}

std::vector<std::string> notes_on(const Project& project) {
  std::vector<std::string> notes;
  if (project.live()) notes.emplace_back("Live cameras are named by their addresses, without passwords.");
  if (!project.push_targets.empty())
    notes.emplace_back("Programs and certificates of its messages stay on this machine.");
  if (!project.unknown_keys.empty())
    notes.emplace_back("Keys of another version are kept; files that they name are not collected.");
  return notes;
}

}  // namespace

Result<CollectedProject> collect_project(const Project& project, const CollectProjectOptions& options) {
  if (project.path.empty())
    return fail(ErrorKind::invalid_argument, "the project has no file", {}, "Save it first.");
  VANTAGE_ASSIGN(OutputFolder folder, OutputFolder::make_new(options.folder));
  Collection collection(project, folder.staging());
  VANTAGE_TRY(collection.plan());
  CollectedProject collected;
  std::map<fs::path, int64_t> sizes;
  for (const auto& [to, from] : collection.files) {
    std::error_code code;
    collected.bytes += sizes[to] = static_cast<int64_t>(fs::file_size(from, code));
    if (code)
      return fail(ErrorKind::io, "cannot be read (" + code.message() + ")", from.string(),
                  "Check the file and its permissions.");
  }
  VANTAGE_TRY(check_space(folder.staging(), collected.bytes));
  Copying copying(options, collected.bytes);
  for (const auto& [to, from] : collection.files) VANTAGE_TRY(copying.copy(from, to, sizes[to]));
  VANTAGE_TRY(collection.write_lists());
  VANTAGE_TRY(save_project(collection.copy, collection.copy.path));
  sync_all(folder.staging());
  VANTAGE_TRY(folder.publish());
  collected.project = folder.target() / project.path.filename();
  collected.files = static_cast<int64_t>(collection.files.size());
  collected.notes = notes_on(project);
  return collected;
}

}  // namespace vantage
