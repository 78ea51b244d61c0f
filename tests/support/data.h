// Where the real recordings are. Tests that need one say so and skip where it is absent:
//   VANTAGE_NEED_DATA(folder, "uu-voxel-1p");   // folder: std::filesystem::path
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace vantage::test {

inline std::filesystem::path data_dir() {
  const char* set = std::getenv("VANTAGE_DATA_DIR");
  return set && *set ? set : VANTAGE_DEFAULT_DATA_DIR;
}

// A folder that is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vantage-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace vantage::test

#define VANTAGE_NEED_DATA(variable, folder)                                                            \
  const std::filesystem::path variable = ::vantage::test::data_dir() / (folder);                       \
  if (!std::filesystem::exists(variable))                                                              \
  GTEST_SKIP() << "no recording at " << variable << ": set VANTAGE_DATA_DIR to the folder that holds " \
               << (folder)
