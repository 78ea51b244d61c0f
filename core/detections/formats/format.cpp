#include "core/detections/formats/format.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

#include "core/base/frame_names.h"
#include "core/base/json.h"
#include "core/detections/skeletons.h"

namespace vantage::detections_detail {
namespace {

constexpr int64_t kLastFrame = 10'000'000;  // four days at 25 frames/s
constexpr size_t kToldProblems = 20;
constexpr int64_t kFewestForStep = 5;  // minimum number of frames with rows for a step above 1
// Scores of joints are peaks of maps lowered by blur and size, not probabilities: the best people of a file
// get this score, the others in proportion. Scores up to 1 are never reduced, nor changed in a file of fewer
// people.
constexpr double kBestShare = 0.9;
constexpr float kScoreOfBest = 0.75F;
constexpr size_t kFewestForScale = 30;
constexpr float kMaxScale = 2;  // an empty room has only false people

// As in our layouts: lower case, the side first. A plain "head" is its middle in layouts of other makers, at
// the height of the nose.
std::string usual_joint_name(const std::string& name) {
  std::string usual, side;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    // "RShoulder", "leftHip"
    const bool begins =
        std::isupper(c) && i > 0 && (std::islower(static_cast<unsigned char>(name[i - 1])) || i == 1);
    if (begins) usual += '_';
    usual += std::isalnum(c) ? static_cast<char>(std::tolower(c)) : '_';
  }
  std::string rest;
  for (const std::string_view word : split_fields(usual, '_')) {
    if (word.empty()) continue;
    if (word == "l" || word == "left")
      side = "left_";
    else if (word == "r" || word == "right")
      side = "right_";
    else
      rest += (rest.empty() ? "" : "_") + std::string(word);
  }
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"head", "nose"},        {"head_top", "head"},   {"top_head", "head"}, {"head_bottom", "neck"},
      {"upper_neck", "neck"},  {"thorax", "neck"},     {"pelvis", "hip"},    {"mid_hip", "hip"},
      {"bottom_head", "neck"}, {"top_of_head", "head"}};
  if (side.empty())
    for (const auto& [theirs, ours] : kNames)
      if (rest == theirs) return std::string(ours);
  return side + rest;
}

constexpr const char* kNoBox = "the box has no size, or lies nowhere near a picture";

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

// Distance of examined frames: 1, or k where all are k frames apart.
int64_t step_of(const std::map<int64_t, CameraDetections>& frames) {
  if (static_cast<int64_t>(frames.size()) < kFewestForStep) return 1;
  int64_t step = 0;
  for (const auto& [frame, found] : frames) step = std::gcd(step, frame - frames.begin()->first);
  return std::max<int64_t>(1, step);
}

}  // namespace

std::vector<std::string_view> split_fields(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  if (separator == ' ') {
    while (true) {
      while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
      if (line.empty()) return fields;
      size_t end = 0;
      while (end < line.size() && !is_space(line[end])) ++end;
      fields.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
  }
  while (true) {
    const size_t end = line.find(separator);
    std::string_view field = line.substr(0, end);
    while (!field.empty() && is_space(field.front())) field.remove_prefix(1);
    while (!field.empty() && is_space(field.back())) field.remove_suffix(1);
    fields.push_back(field);
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

std::optional<double> to_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<std::vector<double>> to_numbers(const std::vector<std::string_view>& fields) {
  std::vector<double> numbers;
  for (const std::string_view field : fields) {
    const std::optional<double> number = to_number(field);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::string first_line(std::string_view text) {
  std::string first;
  const size_t begin = text.find_first_not_of("\r\n \t");
  if (begin == std::string_view::npos) return first;
  text.remove_prefix(begin);
  first = text.substr(0, text.find('\n'));
  while (!first.empty() && (first.back() == '\r' || is_space(first.back()))) first.pop_back();
  return first;
}

Result<PictureFrames> frames_of_pictures(const std::vector<std::string>& names,
                                         const DetectionFileOptions& options, const std::string& where) {
  const std::set<std::string> different(names.begin(), names.end());
  std::vector<std::string> whole(different.begin(), different.end()), files;
  for (const std::string& name : whole)
    files.push_back(name.substr(std::min(name.size(), name.find_last_of("/\\") + 1)));
  const bool same_files = std::set<std::string>(files.begin(), files.end()).size() < files.size();
  FrameNameOptions how;
  how.rule = options.frames_by, how.ask = options.ask;
  how.frame_rate = options.frame_rate, how.frame_count = options.frame_count;
  auto read = frames_of_names(same_files ? whole : files, how);
  if (!read) {
    Error error = std::move(read).error();
    error.where = where;
    return fail(std::move(error));
  }
  PictureFrames result;
  result.said = read->said;
  result.left_out = !read->left_out.empty();
  result.from_zero = read->by != FrameNames::By::number;
  for (size_t i = 0; i < whole.size(); ++i)
    if (read->frames[i]) result.frames[whole[i]] = *read->frames[i];
  return result;
}

void tell(const PictureFrames& pictures, DetectionFile* file) {
  file->frames_said = pictures.said;
  if (pictures.left_out) file->notes.push_back(pictures.said);
}

std::string line_name(int64_t line) {
  return "line " + std::to_string(line);
}

void Frames::problem(const std::string& where, const std::string& what) {
  ++file_->skipped;
  if (file_->problems.size() < kToldProblems) file_->problems.push_back(where + ": " + what);
}

bool Frames::sensible(int64_t frame, const std::string& where) {
  if (frame >= 0 && frame <= kLastFrame) return true;
  problem(where, "frame " + std::to_string(frame) + " is not a frame of a recording");
  return false;
}

void Frames::add(int64_t frame, PersonDetection person, const std::string& where, const std::string& kind) {
  if (!sensible(frame, where)) return;
  constexpr float kFarthest_px = 1e6F;
  constexpr float kSmallest_px = 0.01F;  // our own lines have hundredths of a pixel
  const float corners[] = {person.left_px, person.top_px, person.left_px + person.width_px,
                           person.top_px + person.height_px};
  const bool inside = std::all_of(std::begin(corners), std::end(corners),
                                  [](float corner) { return std::abs(corner) <= kFarthest_px; });
  if (!inside || !(person.width_px >= kSmallest_px) || !(person.height_px >= kSmallest_px) ||
      !std::isfinite(person.score)) {
    if (kind.empty()) return problem(where, kNoBox);
    return refused_.push_back({kind, where});
  }
  for (Keypoint& joint : person.keypoints)
    if (!(std::abs(joint.x_px) <= kFarthest_px && std::abs(joint.y_px) <= kFarthest_px &&
          std::isfinite(joint.score))) {
      problem(where, "a joint lies nowhere near a picture, and is left out");
      joint = {};
    }
  CameraDetections& found = frames_[frame];
  found.known = true;
  if (!kind.empty()) kinds_[frame].resize(found.people.size() + 1);
  if (const auto kinds = kinds_.find(frame); kinds != kinds_.end()) {
    kinds->second.resize(found.people.size() + 1);
    kinds->second.back() = kind;
  }
  found.people.push_back(std::move(person));
}

Status Frames::keep_people(FileClasses classes, ClassList list, const DetectionFileOptions& options,
                           const std::string& where) {
  for (const auto& [frame, kinds] : kinds_)
    for (const std::string& kind : kinds) ++classes.boxes[kind];
  VANTAGE_ASSIGN(const auto people, choose_people(classes, list, options, where, file_));
  const auto is_person = [&](const std::string& kind) {
    const auto known = people.find(kind);
    return known == people.end() || known->second;
  };
  for (const auto& [frame, kinds] : kinds_) {
    std::vector<PersonDetection> kept;
    std::vector<PersonDetection>& all = frames_[frame].people;
    for (size_t i = 0; i < all.size(); ++i)
      if (i >= kinds.size() || is_person(kinds[i])) kept.push_back(std::move(all[i]));
    all = std::move(kept);
  }
  for (const Refused& refused : refused_)
    if (is_person(refused.kind)) problem(refused.where, kNoBox);
  refused_.clear(), kinds_.clear();
  return {};
}

void Frames::look(int64_t frame, const std::string& where) {
  if (sensible(frame, where)) frames_[frame].known = true;
}

// Scores are shares from 0 to 1; -1 everywhere means none.
void Frames::judge_scores() {
  int64_t boxes = 0, absent = 0, outside = 0;
  for (const auto& [frame, found] : frames_)
    for (const PersonDetection& person : found.people) ++boxes, absent += person.score == -1;
  for (auto& [frame, found] : frames_)
    for (PersonDetection& person : found.people) {
      if (absent == boxes) person.score = 1;
    }
  if (file_->boxes_from_keypoints) scale_scores_of_joints();
  for (auto& [frame, found] : frames_)
    for (PersonDetection& person : found.people) {
      outside += person.score < 0 || person.score > 1;
      person.score = std::clamp(person.score, 0.0F, 1.0F);
    }
  if (boxes > 0 && absent == boxes) file_->notes.emplace_back("boxes have no scores: all count as certain");
  if (outside > 0)
    file_->notes.push_back(std::to_string(outside) + " of " + std::to_string(boxes) +
                           " scores lie outside 0 to 1 and were cut there: this detector's scale is another");
}

// Without names no joint is a head or a foot: boxes are the hulls of all.
void Frames::judge_joints() {
  for (const auto& [frame, found] : frames_)
    for (const PersonDetection& person : found.people) {
      if (person.keypoints.empty() || skeleton_of_size(person.keypoints.size())) continue;
      file_->notes.push_back(
          fmt::format("a layout of {} joints is not known: name them in \"keypoints\" of the file's "
                      "category, as COCO does; "
                      "until then nothing is known of head and feet",
                      person.keypoints.size()));
      return;
    }
}

void Frames::scale_scores_of_joints() {
  std::vector<float> scores;
  for (const auto& [frame, found] : frames_)
    for (const PersonDetection& person : found.people) scores.push_back(person.score);
  if (scores.size() < kFewestForScale) return;
  const auto best =
      scores.begin() + static_cast<ptrdiff_t>(kBestShare * static_cast<double>(scores.size() - 1));
  std::nth_element(scores.begin(), best, scores.end());
  if (!(*best > 0) || (*best >= kScoreOfBest && *best <= 1)) return;
  const float factor = std::min(kMaxScale, kScoreOfBest / *best);
  for (auto& [frame, found] : frames_)
    for (PersonDetection& person : found.people) person.score = std::min(1.0F, person.score * factor);
  file_->notes.push_back(
      fmt::format("scores of joints are {}, {:.2f} of the best tenth: all are multiplied by {:.2f}",
                  factor > 1 ? "low" : "high", static_cast<double>(*best), static_cast<double>(factor)));
}

void Frames::finish(Gaps gaps, Numbers numbers, const DetectionFileOptions& options) {
  if (frames_.empty()) return;
  judge_scores();
  judge_joints();
  int64_t first = numbers == Numbers::from_one ? 1 : 0;
  if (first == 1 && frames_.begin()->first == 0) {
    first = 0;
    file_->notes.emplace_back("frames count from 0, since there is a frame 0");
  }
  first = options.first_frame.value_or(first);
  file_->first_number = first;
  file_->may_count_from_zero = numbers == Numbers::from_one && first == 1 && !options.first_frame;
  const int64_t step = gaps == Gaps::empty ? step_of(frames_) : 0;
  if (step > 1)
    file_->notes.push_back("every " + std::to_string(step) + "th frame was examined, the others are unknown");
  const int64_t begin = frames_.begin()->first, end = frames_.rbegin()->first;
  if (begin < first)
    problem("frames " + std::to_string(begin) + " to " + std::to_string(std::min(first - 1, end)),
            "lie before the first frame, " + std::to_string(first));
  if (end < first) return;
  file_->frames.resize(end - first + 1);
  for (int64_t frame = begin; step > 0 && frame <= end; frame += step)
    if (frame >= first) file_->frames[frame - first].known = true;
  for (auto& [frame, found] : frames_)
    if (frame >= first) file_->frames[frame - first] = std::move(found);
}

Status for_each_document(
    const Source& source,
    const std::function<void(const nlohmann::json&, int64_t, const std::string&)>& read) {
  if (!source.folder) read(*source.json, source.frame_or(0), source.path.stem().string());
  for (size_t i = 0; i < source.files.size(); ++i) {
    VANTAGE_ASSIGN(const std::string text, read_text(source.files[i]));
    read(parse_json_with_nan(text), source.frames[i], source.files[i].filename().string());
  }
  return {};
}

std::optional<std::vector<Keypoint>> joints_from_threes(const std::vector<double>& numbers) {
  if (numbers.empty() || numbers.size() % 3 != 0) return std::nullopt;
  std::vector<Keypoint> joints;
  for (size_t i = 0; i < numbers.size(); i += 3)
    joints.push_back({static_cast<float>(numbers[i]), static_cast<float>(numbers[i + 1]),
                      static_cast<float>(std::clamp(numbers[i + 2], 0.0, 1.0))});
  constexpr size_t kHalpe136 = 136, kWholeBody = 133, kBody = 17, kHalpe26 = 26;
  if (joints.size() == kHalpe136) joints.resize(kHalpe26);
  if (joints.size() != kWholeBody) return joints;
  std::vector<Keypoint> halpe(joints.begin(), joints.begin() + kBody);
  halpe.resize(kHalpe26);
  // Big toe, small toe, heel of the left foot, then of the right one.
  constexpr std::array<size_t, 6> kFeet = {20, 22, 24, 21, 23, 25};
  for (size_t i = 0; i < kFeet.size(); ++i) halpe[kFeet[i]] = joints[kBody + i];
  return halpe;
}

std::vector<int> places_in_layout(const std::vector<std::string>& names) {
  if (skeleton_of_size(names.size())) return {};
  const Skeleton& layout = *find_skeleton("HALPE_26");
  std::vector<int> places;
  for (const std::string& name : names) places.push_back(layout.joint(usual_joint_name(name)));
  return std::ranges::count_if(places, [](int place) { return place >= 0; }) < 3 ? std::vector<int>()
                                                                                 : places;
}

std::vector<Keypoint> in_layout(const std::vector<Keypoint>& joints, const std::vector<int>& places) {
  if (places.empty() || places.size() != joints.size()) return joints;
  std::vector<Keypoint> all(find_skeleton("HALPE_26")->joints.size());
  for (size_t i = 0; i < joints.size(); ++i)
    if (places[i] >= 0) all[static_cast<size_t>(places[i])] = joints[i];
  return all;
}

std::optional<std::vector<double>> numbers_of(const nlohmann::json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<double> numbers;
  for (const nlohmann::json& value : list) {
    if (!value.is_number()) return std::nullopt;
    numbers.push_back(value.get<double>());
    if (!std::isfinite(numbers.back())) return std::nullopt;
  }
  return numbers;
}

const nlohmann::json* member(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace vantage::detections_detail
