// A format of detection files, and helpers of its readers; private to core/detections.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/byte_stream.h"
#include "core/detections/detection_file.h"
#include "core/detections/formats/classes.h"

namespace vantage::detections_detail {

// A file with its text, or a folder with the names of its files. A folder's text is that of its first file
// that is not empty.
struct Source {
  std::filesystem::path path;
  bool folder = false;
  std::vector<std::filesystem::path> files;  // a folder's, sorted by frame
  std::vector<int64_t> frames;               // one per file, from their names; a single file's is frames[0]
  bool from_zero = false;                    // frames come from times or an order, not from numbers
  std::vector<std::string> notes;            // files that were left out
  std::string frames_said;                   // the numbers in names that are the frames
  std::string text;
  std::shared_ptr<const nlohmann::json> json;  // set if the text is one JSON value; else null

  int64_t frame_or(int64_t unknown) const { return frames.empty() ? unknown : frames.front(); }
};

struct Format {
  const char* name;
  bool (*recognise)(const Source& source);
  Status (*read)(const Source& source, const DetectionFileOptions& options, DetectionFile* file);
  const char* help;
};
extern const Format kVantageLines, kMotChallenge, kCoco, kYolo, kOpenPose, kAlphaPose, kKitti, kShelf, kCvat,
    kLabelStudio, kFiftyOne, kDeepLabCut, kSleap, kEasyMocap;

// ---- text

Result<std::string> read_text(const std::filesystem::path& path);                   // as UTF-8
std::vector<std::string_view> split_fields(std::string_view line, char separator);  // ' ': any white space
std::optional<double> to_number(std::string_view text);  // the complete text is a finite number; else nothing
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
std::string first_line(std::string_view text);  // the first that is not empty

// Calls back with each frame's JSON (discarded: it is none) and where it is: a file for each frame of a
// folder.
Status for_each_document(
    const Source& source,
    const std::function<void(const nlohmann::json& document, int64_t frame, const std::string& where)>& read);

// The frames of pictures, by the numbers in all their names (with or without folders).
struct PictureFrames {
  std::map<std::string, int64_t> frames;  // for names of the common form
  bool from_zero = false;                 // frames come from times or an order, not from numbers
  std::string said;
  bool left_out = false;  // some names do not have the common form
};
Result<PictureFrames> frames_of_pictures(const std::vector<std::string>& names,
                                         const DetectionFileOptions& options, const std::string& where);
void tell(const PictureFrames& pictures, DetectionFile* file);

// ---- frames

enum class Gaps { unknown, empty };  // meaning of frames without an entry between those with one
enum class Numbers { from_zero, from_one };

// Collects detections under the file's own frame numbers.
class Frames {
 public:
  explicit Frames(DetectionFile* file) : file_(file) {}
  // Skips, with a problem, impossible numbers and boxes. `kind`: the class as in the file; empty: the file
  // has none.
  void add(int64_t frame, PersonDetection person, const std::string& where, const std::string& kind = {});
  // Leaves out boxes that are not people, see choose_people(). `classes`: the file's names; the boxes are
  // counted here.
  Status keep_people(FileClasses classes, ClassList list, const DetectionFileOptions& options,
                     const std::string& where);
  void look(int64_t frame, const std::string& where);  // marks the frame as examined
  void problem(const std::string& where, const std::string& what);
  void finish(Gaps gaps, Numbers numbers, const DetectionFileOptions& options);

 private:
  bool sensible(int64_t frame, const std::string& where);
  void judge_scores();
  void scale_scores_of_joints();
  void judge_joints();
  struct Refused {
    std::string kind, where;
  };
  DetectionFile* file_;
  std::map<int64_t, CameraDetections> frames_;
  std::map<int64_t, std::vector<std::string>> kinds_;  // kinds of frames_' people, where any has one
  std::vector<Refused> refused_;                       // impossible boxes whose class is not decided yet
};
std::string line_name(int64_t line);

// x, y, score of each joint; nothing where the length is not a multiple of three. Of joints of the whole body
// (COCO-WholeBody, HALPE_136) those of HALPE_26.
std::optional<std::vector<Keypoint>> joints_from_threes(const std::vector<double>& numbers);
// For joints in the order of these names the index of each in HALPE_26, -1 where it has none: "RShoulder",
// "left shoulder", "l_hip", "upper neck". Empty where fewer than three are known, or the layout is known by
// its number of joints.
std::vector<int> places_in_layout(const std::vector<std::string>& names);
// The joints in that order; as they are where `places` is empty or of another number.
std::vector<Keypoint> in_layout(const std::vector<Keypoint>& joints, const std::vector<int>& places);

// Numbers of a JSON list; nothing for other values.
std::optional<std::vector<double>> numbers_of(const nlohmann::json& list);
const nlohmann::json* member(const nlohmann::json& object, const char* key);  // null: none

}  // namespace vantage::detections_detail
