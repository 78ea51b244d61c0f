#include "core/session/detail/project_file.h"

#include <sys/stat.h>

#include <utility>

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/project/missing_files.h"
#include "core/project/rename.h"
#include "core/results/drawn_masks.h"
#include "core/seal/custody.h"
#include "core/session/autosave.h"

namespace vantage {
namespace {

// Changes whenever the file is written; faster than reading it.
uint64_t look_of(const std::filesystem::path& file) {
  struct stat facts = {};
  if (::stat(file.c_str(), &facts) != 0) return 0;
  Hasher hasher;
  hasher.add(facts.st_ino).add(facts.st_size).add(facts.st_mtim.tv_sec).add(facts.st_mtim.tv_nsec);
  return hasher.value();
}

Status refused(const ProcessOwner& owner, const std::filesystem::path& path) {
  return fail(ErrorKind::io, "is open in " + owner_text(owner) + "; nothing was saved", path.string(),
              "Save under another name, or close it there.");
}

}  // namespace

void ProjectFile::opened(const Project& project, uint64_t stamp) {
  on_disk_ = project;
  stamp_ = stamp;
  seen_ = look_of(project.path);
  lock_ = ProjectLock::take(project.path);
  held_by_ = lock_.held();
  note_custody(project.path, "opened");
  compare(project);
  std::error_code none;
  const std::filesystem::path file = autosave_path(project.path);
  if (held_by_ || !std::filesystem::exists(file, none)) return;  // its owner keeps it there
  const Result<Project> kept = load_project(file);
  if (!kept) return log_warning(kept.error().message());
  recoverable_ = *kept;
  recoverable_->path = project.path;
  if (!difference(*recoverable_, project).any()) return recoverable_.reset();
  recoverable_s_ = modified_s(file);
}

Result<Saved> ProjectFile::save(Project& project, const std::filesystem::path& path, Over over) {
  const std::filesystem::path file = std::filesystem::absolute(path).lexically_normal();
  const bool own = on_disk_ && file == project.path;
  if (const auto owner = held_by_other(file)) {
    save_failed_ = true;
    if (own) held_by_ = owner;
    return fail(refused(*owner, file).error());
  }
  remember_videos(&project);
  uint64_t stamp = own && over == Over::what_was_read ? stamp_ : project_stamp(file);
  if (own && project_stamp(file) == 0) stamp = 0;  // it was removed: nothing is overwritten
  const Result<Saved> saved = save_project_over(project, file, &stamp);
  save_failed_ = !saved || *saved == Saved::changed_outside;
  if (!saved) return saved;
  if (save_failed_) {
    seen_ = 0;
    look(project);
    return saved;
  }
  stamp_ = stamp;
  autosaved_ = autosaved_ || recoverable_;  // the user saw the offered changes and left them
  drop_autosave(project);
  recoverable_.reset();
  if (!own) lock_ = ProjectLock::take(file);
  project.path = file;
  wrote(project);
  return saved;
}

Status ProjectFile::keep_names(const Project& changed) {
  if (!on_disk_) return {};
  const std::vector<CameraRename> renamed = renamed_cameras(*on_disk_, changed);
  if (renamed.empty()) return {};
  const std::filesystem::path file = on_disk_->path;
  if (held_by_ = lock_.held(); held_by_)
    return fail(ErrorKind::io, "is open in " + owner_text(*held_by_) + "; cameras are renamed there",
                file.string(), "Close it there, or save under another name.");
  if (project_stamp(file) != stamp_)
    return fail(ErrorKind::io, "was changed by another program; no camera was renamed", file.string(),
                "Load its changes first.");
  VANTAGE_ASSIGN(const Project written, rename_cameras_on_disk(file, renamed));
  on_disk_ = written;
  stamp_ = project_stamp(file);
  seen_ = look_of(file);
  return {};
}

void ProjectFile::wrote(const Project& project) {
  held_by_ = lock_.held();
  on_disk_ = project;
  changed_outside_.clear();
  seen_ = look_of(project.path);
  compare(project);
}

void ProjectFile::look(const Project& project) {
  if (!on_disk_ || project.path.empty()) return;
  const bool held = held_by_.has_value();
  held_by_ = lock_.held();
  if (held && !held_by_) lock_ = ProjectLock::take(project.path);  // it was closed there
  if (std::exchange(seen_, look_of(project.path)) == seen_) return;
  const uint64_t stamp = project_stamp(project.path);
  if (stamp == stamp_ || stamp == 0) return changed_outside_.clear();
  const Result<Project> there = load_project(project.path);
  changed_outside_ = there ? difference_text(*there, *on_disk_) : "it can no longer be read";
  if (changed_outside_.empty()) stamp_ = stamp;  // the contents are equal
}

Result<Project> ProjectFile::read_again() {
  read_stamp_ = on_disk_ ? project_stamp(on_disk_->path) : 0;
  return load_project(on_disk_ ? on_disk_->path : std::filesystem::path());
}

void ProjectFile::took(const Project& there) {
  on_disk_ = there;
  stamp_ = read_stamp_;
  seen_ = 0;
  changed_outside_.clear();
  save_failed_ = false;
}

void ProjectFile::take_over() {
  if (!on_disk_) return;
  lock_ = ProjectLock::take_over(on_disk_->path);
  held_by_ = lock_.held();
}

void ProjectFile::autosave(const Project& project) {
  if (project.path.empty() || (held_by_ = lock_.held())) return;
  if (!unsaved_) return drop_autosave(project);
  if (const Status kept = save_project(project, autosave_path(project.path)); !kept)
    return log_warning(kept.error().message());
  autosaved_ = true;
  recoverable_.reset();
}

void ProjectFile::leave(const Project& project) {
  save_failed_ ? autosave(project) : drop_autosave(project);
  *this = {};
}

std::optional<Project> ProjectFile::take_recoverable() {
  if (recoverable_) autosaved_ = true;
  return std::exchange(recoverable_, std::nullopt);
}

void ProjectFile::drop_autosave(const Project& project) {
  std::error_code ignored;
  if (std::exchange(autosaved_, false)) std::filesystem::remove(autosave_path(project.path), ignored);
}

}  // namespace vantage
