// A program without a window that keeps and recovers unsaved changes by the session's code, for the tests of
// faults.
//   unsaved_changes keep PROJECT     opens the project, adds a zone, keeps it as the window does between two
//   saves, and dies unsaved_changes recover PROJECT  opens it, recovers what an earlier program kept, and
//   saves it
#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "core/base/memory.h"
#include "core/session/autosave.h"
#include "core/session/detail/project_file.h"

using namespace vantage;

namespace {

int fail_with(const Error& error) {
  std::fprintf(stderr, "unsaved_changes: %s\n", error.message().c_str());
  return 1;
}

int keep(ProjectFile& file, Project& project) {
  project.zones.push_back({"kept", {{0, 0}, {1, 0}, {1, 1}}});
  file.compare(project);
  file.autosave(project);
  std::error_code none;
  if (std::filesystem::exists(autosave_path(project.path), none)) _exit(0);
  return fail_with({ErrorKind::io, "the changes are not kept", project.path.string(), {}});
}

int recover(ProjectFile& file, Project& project) {
  std::optional<Project> kept = file.take_recoverable();
  if (!kept)
    return fail_with({ErrorKind::not_found, "there is nothing to recover", project.path.string(), {}});
  file.compare(*kept);
  const Result<Saved> saved = file.save(*kept, kept->path, ProjectFile::Over::what_was_read);
  if (!saved) return fail_with(saved.error());
  if (*saved == Saved::changed_outside)
    return fail_with({ErrorKind::io, "the project is not what was read", project.path.string(), {}});
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  end_where_memory_runs_out("unsaved_changes");
  if (count != 3) return 2;
  try {
    const std::filesystem::path path = std::filesystem::absolute(arguments[2]);
    const uint64_t stamp = project_stamp(path);
    Result<Project> project = load_project(path);
    if (!project) return fail_with(project.error());
    ProjectFile file;
    file.opened(*project, stamp);
    return std::string_view(arguments[1]) == "keep" ? keep(file, *project) : recover(file, *project);
  } catch (const std::bad_alloc&) {
    return fail_with({ErrorKind::out_of_memory, kMemoryRanOut, {}, {}});
  }
}
