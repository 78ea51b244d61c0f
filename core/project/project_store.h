// Writing a project file that others may have written since: nothing newer is wiped out unseen. Every writer
// of a file that was read before goes through here; save_project() alone is for files that are new.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/project/project.h"

namespace vantage {

// A stamp of the file's content. 0: there is no file.
uint64_t project_stamp(const std::filesystem::path& path);

enum class Saved : uint8_t {
  written,
  changed_outside,  // nothing was written: the file is not the one that `known` tells of
};
// Writes the project if the file is still the one of that stamp; `known` is then the new one's.
Result<Saved> save_project_over(const Project& project, const std::filesystem::path& path, uint64_t* known);

// Reads the project, changes it and writes it, with no one else's change in between. Nothing is written where
// `change` fails. Returns the project as it is now in the file.
Result<Project> change_project_file(const std::filesystem::path& path,
                                    const std::function<Status(Project&)>& change);

// The difference, in words: "cam2's video, zones, the parameters of carving"; empty: nothing.
std::string difference_text(const Project& a, const Project& b);

}  // namespace vantage
