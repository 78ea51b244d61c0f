#include "tests/fuzz/target.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "core/base/log.h"

namespace vantage::fuzz {
namespace {

namespace fs = std::filesystem;

// In memory where there is such a folder; removed at the end of the process.
const fs::path& own_folder() {
  struct Folder {
    fs::path path;
    Folder() {
      std::error_code none;
      const fs::path in_memory = "/dev/shm";
      path = (fs::is_directory(in_memory, none) ? in_memory : fs::temp_directory_path()) /
             ("vantage-fuzz-" + std::to_string(getpid()));
      fs::create_directories(path);
      set_log_level(LogLevel::error);
    }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace

fs::path as_file(const std::string& name, std::string_view bytes) {
  const fs::path path = own_folder() / name;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

fs::path empty_folder(const std::string& name) {
  const fs::path path = own_folder() / name;
  fs::remove_all(path);
  fs::create_directories(path);
  return path;
}

void hold(bool promise, const char* what) {
  if (promise) return;
  fmt::print(stderr, "does not hold: {}\n", what);
  std::abort();
}

}  // namespace vantage::fuzz
