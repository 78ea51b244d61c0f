#include "core/session/project_file.h"

#include <utility>

#include "core/base/log.h"
#include "core/session/autosave.h"

namespace vantage {

void ProjectFile::opened(const Project& project) {
  on_disk_ = project;
  compare(project);
  std::error_code none;
  const std::filesystem::path file = autosave_path(project.path);
  if (!std::filesystem::exists(file, none)) return;
  const Result<Project> kept = load_project(file);
  if (!kept) return log_warning(kept.error().message());
  recoverable_ = *kept;
  recoverable_->path = project.path;
  if (!difference(*recoverable_, project).any()) return recoverable_.reset();
  recoverable_s_ = modified_s(file);
}

Status ProjectFile::save(Project& project, const std::filesystem::path& path) {
  const Status saved = save_project(project, path);
  save_failed_ = !saved;
  if (!saved) return saved;
  autosaved_ = autosaved_ || recoverable_;  // what it offered was seen and left
  drop_autosave(project);
  recoverable_.reset();
  project.path = std::filesystem::absolute(path).lexically_normal();
  on_disk_ = project;
  compare(project);
  return {};
}

void ProjectFile::autosave(const Project& project) {
  if (project.path.empty()) return;
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
