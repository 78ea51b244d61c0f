// A format of detection files, and what its readers share; private to core/detections.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/line_blocks.h"
#include "core/detections/detection_file.h"

namespace vantage::detections_detail {

// A file with its text, or a folder with the names of its files. A folder's text is that of its first file
// that is not empty.
struct Source {
  std::filesystem::path path;
  bool folder = false;
  std::vector<std::filesystem::path> files;  // of a folder, by frame number, then by name
  std::string text;
  std::shared_ptr<const nlohmann::json> json;  // of text that is one JSON value; null otherwise
};

struct Format {
  const char* name;
  bool (*recognise)(const Source& source);
  Status (*read)(const Source& source, const DetectionFileOptions& options, DetectionFile* file);
  const char* help;
};
extern const Format kVantageLines, kMotChallenge, kCoco, kYolo, kOpenPose, kAlphaPose, kKitti, kShelf;

// ---- text

std::vector<std::string_view> split_fields(std::string_view line, char separator);  // ' ': any white space
std::optional<double> to_number(std::string_view text);  // finite, the whole text; nothing else
std::optional<std::vector<double>> to_numbers(const std::vector<std::string_view>& fields);
// Calls back with the number (from 1) and the text of each line that is not empty.
template <typename Function>
void for_each_line(std::string_view text, const Function& function) {
  int64_t number = 0;
  vantage::for_each_line(text, [&](std::string_view line) {
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
      line.remove_suffix(1);
    if (!line.empty()) function(number, line);
  });
}
std::string first_line(std::string_view text);  // that is not empty

// The last number in a file's name; nothing where there is none.
std::optional<int64_t> frame_of_name(const std::string& name);

// ---- frames

enum class Gaps { unknown, empty };  // frames without an entry between those with one
enum class Numbers { from_zero, from_one };

// Gathers what is found under the file's own frame numbers.
class Frames {
 public:
  explicit Frames(DetectionFile* file) : file_(file) {}
  // Skipped with a problem where the number or a box makes no sense.
  void add(int64_t frame, PersonDetection person, const std::string& where);
  void look(int64_t frame, const std::string& where);  // somebody looked, found or not
  void problem(const std::string& where, const std::string& what);
  void finish(Gaps gaps, Numbers numbers, const DetectionFileOptions& options);

 private:
  bool sensible(int64_t frame, const std::string& where);
  void judge_scores();
  DetectionFile* file_;
  std::map<int64_t, CameraDetections> frames_;
};
std::string line_name(int64_t line);

// The box round a person's joints, wider by what joints leave out: the top of the head, the soles.
// False where fewer than three are seen.
bool box_from_joints(const std::string& skeleton, PersonDetection* person);
// x, y, score of each joint; nothing where the numbers are not threes.
std::optional<std::vector<Keypoint>> joints_from_threes(const std::vector<double>& numbers);

// Numbers of a JSON list; nothing where it is none.
std::optional<std::vector<double>> numbers_of(const nlohmann::json& list);
const nlohmann::json* member(const nlohmann::json& object, const char* key);  // null: none

}  // namespace vantage::detections_detail
