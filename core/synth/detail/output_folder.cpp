#include "core/synth/detail/output_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/base/file.h"

namespace vantage::synth {
namespace fs = std::filesystem;

Result<OutputFolder> OutputFolder::make(const fs::path& target) {
  std::error_code code;
  OutputFolder folder;
  folder.target_ = fs::absolute(target, code).lexically_normal();
  if (!folder.target_.has_filename()) folder.target_ = folder.target_.parent_path();  // "DIR/"
  folder.target_is_new_ = !fs::exists(folder.target_, code);
  VANTAGE_TRY(make_folder(folder.target_));
  std::string pattern = (folder.target_ / ".rendering-XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    return fail(ErrorKind::io, std::string("the folder cannot be written (") + std::strerror(errno) + ")",
                folder.target_.string(), "Choose a folder you can write to.");
  folder.staging_ = pattern;
  fs::permissions(folder.staging_, fs::perms::group_read | fs::perms::group_exec, fs::perm_options::add,
                  code);
  return folder;
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : target_(std::move(other.target_)),
      staging_(std::exchange(other.staging_, {})),
      target_is_new_(std::exchange(other.target_is_new_, false)) {}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
  if (target_is_new_) fs::remove(target_, ignored);  // only when empty
}

Status OutputFolder::publish() {
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(staging_, code)) {
    const fs::path to = target_ / entry.path().filename();
    if (fs::is_directory(to, code)) fs::remove_all(to, code);
    fs::rename(entry.path(), to, code);
    if (code)
      return fail(ErrorKind::io, "moving the rendered file into place failed (" + code.message() + ")",
                  to.string(), "Check that the folder can be written.");
  }
  fs::remove_all(staging_, code);
  staging_.clear();
  target_is_new_ = false;
  return {};
}

}  // namespace vantage::synth
