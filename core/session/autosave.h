// The file of a project's unsaved changes: NAME.vantage.autosave next to the project or, where that folder is
// not writable, a file named after the project's path in the program's state folder ($XDG_STATE_HOME/vantage,
// else ~/.local/state/vantage). It is a project file and exists only while there are unsaved changes, so
// finding one means that the program ended early.
#pragma once

#include <cstdint>
#include <filesystem>

namespace vantage {

std::filesystem::path autosave_path(const std::filesystem::path& project);
// Unix time of a file's last change; 0 where it is not known.
int64_t modified_s(const std::filesystem::path& file);

}  // namespace vantage
