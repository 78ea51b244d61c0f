// Files of results that a server reads from their folder, also while a run still writes them.
#pragma once

#include <filesystem>
#include <string>

#include "app/server/request.h"
#include "app/server/result_source.h"

namespace vantage::server {

// Up to its last whole line, or what a run has written of it so far; not_found.
Result<FileBody> stored_table(const std::filesystem::path& folder, StoredTable table);
// A picture that the run has written, as it does of every so many frames; not_found says which option writes
// more. `camera`: whose mask or flow.
Result<std::string> stored_picture(const std::filesystem::path& folder, int64_t frame, PictureKind kind,
                                   const std::string& camera);

}  // namespace vantage::server
