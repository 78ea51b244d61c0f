// Results on disk as those of a long recording: other numbers than a chain gives that begins where somebody
// looks.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "core/base/file.h"
#include "core/base/json.h"

namespace vantage::test {

// Adds `by` to the number of everybody in results.jsonl and tracks.csv of the folder.
inline void renumber_results(const std::filesystem::path& folder, int64_t by) {
  std::string changed, line;
  std::istringstream lines(read_file(folder / "results.jsonl").value());
  while (std::getline(lines, line)) {
    nlohmann::ordered_json entry = parse_ordered_json(line);
    if (entry.contains("people") && entry["people"].is_object())
      for (auto& person : entry["people"]["people"])
        if (person["id"].is_number()) person["id"] = person["id"].get<int64_t>() + by;
    changed += json_text(entry) + "\n";
  }
  ASSERT_TRUE(write_file_atomically(folder / "results.jsonl", changed));
  changed.clear();
  std::istringstream rows(read_file(folder / "tracks.csv").value());
  while (std::getline(rows, line)) {
    const size_t first = line.find(','), second = line.find(',', first + 1);
    const int64_t number = std::stoll(line.substr(first + 1, second - first - 1));
    changed += line.substr(0, first + 1) + std::to_string(number + by) + line.substr(second) + "\n";
  }
  ASSERT_TRUE(write_file_atomically(folder / "tracks.csv", changed));
}

}  // namespace vantage::test
