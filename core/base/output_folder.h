// A folder of files that belong together: written next to their place under a hidden name, and put there when
// all are complete. What fails or is stopped before leaves the place as it was. What a program that was
// killed has left next to it goes when the next one is made for the same place.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

class OutputFolder {
 public:
  // Creates the folders above the target, not itself. Errors: io.
  static Result<OutputFolder> make(const std::filesystem::path& target);
  // The same for a folder that nothing may be in, neither now nor when it is published: invalid_argument.
  static Result<OutputFolder> make_new(const std::filesystem::path& target);
  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder();  // removes what was not published

  const std::filesystem::path& target() const { return target_; }    // absolute
  const std::filesystem::path& staging() const { return staging_; }  // where to write
  // Puts everything into the target: at once where it is not there or empty; else file by file, in place of
  // those of the same name, and what else is there stays. Then `last` is the file without which the others do
  // not count: the old one goes first, the new one comes when all others are there. Empty: none.
  Status publish(std::string_view last = {});

 private:
  OutputFolder() = default;
  Status move(const std::filesystem::path& from, const std::filesystem::path& to);
  void remove_abandoned() const;
  std::filesystem::path target_, staging_;
  bool only_new_ = false;
  int lock_ = -1;  // of the staging folder, which others may not remove meanwhile
};

}  // namespace vantage
