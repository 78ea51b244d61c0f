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

// The text as a file without a name.
Result<FileBody> text_as_file(const std::string& text);
// All of it, from its beginning.
Result<std::string> text_of(const FileBody& body);

// The file of the project that the results are of: next to them, else where the run had it (`named`, of their
// header). not_found.
Result<std::filesystem::path> project_of_results(const std::filesystem::path& folder,
                                                 const std::string& named);

// The answer where it was not stated that the cameras' pictures are served.
tl::unexpected<Error> pictures_not_served();

}  // namespace vantage::server
