#include "core/base/output_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/durable.h"
#include "core/base/file.h"

namespace vantage {
namespace fs = std::filesystem;

Result<OutputFolder> OutputFolder::make(const fs::path& target) {
  std::error_code code;
  OutputFolder folder;
  folder.target_ = fs::absolute(target, code).lexically_normal();
  if (!folder.target_.has_filename()) folder.target_ = folder.target_.parent_path();  // "DIR/"
  if (Status made = make_folder(folder.target_.parent_path()); !made) {
    made.error().where = folder.target_.string();
    return fail(made.error());
  }
  std::string pattern =
      (folder.target_.parent_path() / ("." + folder.target_.filename().string() + ".XXXXXX")).string();
  if (!::mkdtemp(pattern.data()))
    return fail(ErrorKind::io, std::string("the folder cannot be written (") + std::strerror(errno) + ")",
                folder.target_.parent_path().string(), "Choose a folder that you can write to.");
  folder.staging_ = pattern;
  // mkdtemp makes it private; what is published is as readable as the user's other folders.
  fs::permissions(folder.staging_,
                  fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                      fs::perms::others_read | fs::perms::others_exec,
                  code);
  return folder;
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : target_(std::move(other.target_)), staging_(std::exchange(other.staging_, {})) {}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
}

Status OutputFolder::move(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (fs::is_directory(to, code)) fs::remove_all(to, code);
  code = rename_durably(from, to);
  if (!code) return {};
  return fail(ErrorKind::io, "it cannot be moved into place (" + code.message() + ")", to.string(),
              "Check the folder and its permissions.");
}

Status OutputFolder::publish(std::string_view last) {
  std::error_code code;
  if (!fs::exists(target_, code) || (fs::is_directory(target_, code) && fs::is_empty(target_, code))) {
    code = rename_durably(staging_, target_);  // also over an empty folder
    if (code)
      return fail(ErrorKind::io, "it cannot be moved into place (" + code.message() + ")", target_.string(),
                  "Check the folder and its permissions.");
    staging_.clear();
    return {};
  }
  if (!last.empty()) fs::remove(target_ / last, code);
  std::vector<fs::path> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(staging_, code))
    names.push_back(entry.path().filename());
  for (const fs::path& name : names)
    if (name != last) VANTAGE_TRY(move(staging_ / name, target_ / name));
  if (!last.empty()) VANTAGE_TRY(move(staging_ / last, target_ / last));
  fs::remove_all(staging_, code);
  staging_.clear();
  return {};
}

}  // namespace vantage
