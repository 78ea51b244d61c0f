// Hands a target every file of the folders that are named, once: what CI runs. Usage: NAME FOLDER…
#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"

int main(int count, char** arguments) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i)
    for (const auto& entry : fs::directory_iterator(arguments[i]))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    fmt::print("{}\n", path.filename().string());
    std::fflush(stdout);  // the last name is the one that ended the program
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  fmt::print("{} files\n", files.size());
  return files.empty() ? 1 : 0;
}
