#include "app/cli/common/project_change.h"

#include <cstdio>

#include "app/cli/common/value_or_fail.h"
#include "core/project/missing_files.h"
#include "core/project/project_lock.h"
#include "core/project/project_store.h"

namespace vantage::cli {

ReadProject read_project_or_fail(const std::string& path) {
  const uint64_t stamp = project_stamp(path);
  return {value_or_fail(load_project(path)), stamp};
}

void write_project_or_fail(const Project& project, uint64_t stamp) {
  Project written = project;
  remember_videos(&written);
  if (value_or_fail(save_project_over(written, project.path, &stamp)) == Saved::changed_outside)
    fail_command({ErrorKind::io, "was changed by another program meanwhile; nothing was written",
                  project.path.string(), "Run the command again: it then starts from the current file."});
  tell_who_has_it(project.path);
}

void tell_who_has_it(const std::filesystem::path& project) {
  if (const auto owner = held_by_other(project))
    std::fprintf(stderr, "%s is open in %s, which is notified of the change\n", project.filename().c_str(),
                 owner_text(*owner).c_str());
}

}  // namespace vantage::cli
