// YOLO's text: a folder with a file a frame; a line is "class x y width height [score]" in shares of the
// picture, x and y of the centre, or with keypoints behind the box.
#include <cmath>

#include "core/base/file.h"
#include "core/detections/formats/format.h"
#include "core/detections/skeletons.h"

namespace vantage::detections_detail {
namespace {

constexpr size_t kBox = 5;

bool recognise(const Source& source) {
  if (source.json) return false;
  const auto numbers = to_numbers(split_fields(first_line(source.text), ' '));
  if (!numbers || numbers->size() < kBox) return false;
  if ((*numbers)[0] < 0 || std::floor((*numbers)[0]) != (*numbers)[0]) return false;
  for (size_t i = 1; i < kBox; ++i)
    if ((*numbers)[i] < -0.5 || (*numbers)[i] > 1.5) return false;
  return true;
}

// After the box: nothing, a score, threes of keypoints, or these and a score.
bool read_rest(const std::vector<double>& numbers, const DetectionFileOptions& options, DetectionFile* file,
               PersonDetection* person) {
  std::vector<double> rest(numbers.begin() + kBox, numbers.end());
  if (rest.size() % 3 == 1) {
    person->score = static_cast<float>(rest.back());
    rest.pop_back();
  }
  if (rest.size() % 3 != 0) return false;
  if (rest.empty()) return true;
  for (size_t i = 0; i < rest.size(); i += 3)
    rest[i] = rest[i] * options.width_px - 0.5, rest[i + 1] = rest[i + 1] * options.height_px - 0.5;
  person->keypoints = joints_from_threes(rest).value();
  if (const Skeleton* skeleton = skeleton_of_size(person->keypoints.size())) file->skeleton = skeleton->name;
  return true;
}

void read_frame(const std::string& text, int64_t frame, const std::string& name,
                const DetectionFileOptions& options, DetectionFile* file, Frames* frames) {
  frames->look(frame, name);
  for_each_line(text, [&](int64_t number, std::string_view line) {
    const std::string where = name + ", " + line_name(number);
    const auto numbers = to_numbers(split_fields(line, ' '));
    if (!numbers || numbers->size() < kBox)
      return frames->problem(where, "class, x, y, width, height are expected");
    if ((*numbers)[0] != 0) return;  // a person is class 0
    PersonDetection person;
    person.width_px = static_cast<float>((*numbers)[3] * options.width_px);
    person.height_px = static_cast<float>((*numbers)[4] * options.height_px);
    person.left_px = static_cast<float>((*numbers)[1] * options.width_px - 0.5) - person.width_px / 2;
    person.top_px = static_cast<float>((*numbers)[2] * options.height_px - 0.5) - person.height_px / 2;
    if (!read_rest(*numbers, options, file, &person))
      return frames->problem(where, "keypoints are threes of x, y and score");
    frames->add(frame, std::move(person), where);
  });
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  if (options.width_px <= 0 || options.height_px <= 0)
    return fail(ErrorKind::invalid_argument,
                "YOLO's text holds shares of the picture, whose size is not known", source.path.string(),
                "Give the camera's picture size, a video or a calibration.");
  file->width_px = options.width_px, file->height_px = options.height_px;
  Frames frames(file);
  if (!source.folder) {
    const std::string name = source.path.stem().string();
    read_frame(source.text, frame_of_name(name).value_or(1), name, options, file, &frames);
  }
  for (const std::filesystem::path& path : source.files) {
    const std::string name = path.filename().string();
    const std::optional<int64_t> frame = frame_of_name(path.stem().string());
    if (!frame) {
      frames.problem(name, "the name holds no frame number");
      continue;
    }
    VANTAGE_ASSIGN(const std::string text, read_file(path));
    read_frame(text, *frame, name, options, file, &frames);
  }
  frames.finish(Gaps::empty, Numbers::from_one, options);
  return {};
}

}  // namespace

const Format kYolo = {
    "YOLO", recognise, read,
    "a folder with a text file a frame, class 0 a person, in shares of the picture; from 1"};

}  // namespace vantage::detections_detail
