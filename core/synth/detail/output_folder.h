// Files are rendered into a hidden folder inside the target and moved to their final paths when all are
// complete: a render that is stopped or fails leaves the target as it was.
#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace vantage::synth {

class OutputFolder {
 public:
  static Result<OutputFolder> make(const std::filesystem::path& target);
  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder();  // removes what was not published

  const std::filesystem::path& target() const { return target_; }    // absolute
  const std::filesystem::path& staging() const { return staging_; }  // where to write
  // Moves everything into the target; same names there are replaced.
  Status publish();

 private:
  OutputFolder() = default;
  std::filesystem::path target_, staging_;
  bool target_is_new_ = false;
};

}  // namespace vantage::synth
