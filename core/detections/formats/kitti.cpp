// KITTI's labels: one file for tracking (frame, track and the rest a line), or a folder with a file a frame.
#include <cmath>

#include "core/detections/formats/format.h"

namespace vantage::detections_detail {
namespace kitti {

// Fields after the type: truncated, occluded, alpha, left, top, right, bottom, 7 numbers in 3-D, the score.
constexpr size_t kNumbers = 14, kBox = 3;

bool is_name(std::string_view field) {
  return !field.empty() && ((field[0] >= 'A' && field[0] <= 'Z') || (field[0] >= 'a' && field[0] <= 'z'));
}

// The index of the type: 2 in a file for tracking, 0 in a frame's; nothing where the line is invalid.
std::optional<size_t> place_of_type(const std::vector<std::string_view>& fields) {
  for (const size_t type : {size_t{0}, size_t{2}})
    if (fields.size() >= type + 1 + kNumbers && fields.size() <= type + 2 + kNumbers && is_name(fields[type]))
      return type;
  return std::nullopt;
}

bool recognise(const Source& source) {
  const auto type = source.json ? std::nullopt : place_of_type(split_fields(first_line(source.text), ' '));
  return type && (source.folder ? *type == 0 : true);
}

void read_lines(const std::string& text, std::optional<int64_t> frame, const std::string& name,
                Frames* frames) {
  for_each_line(text, [&](int64_t number, std::string_view line) {
    const std::string where = (name.empty() ? "" : name + ", ") + line_name(number);
    const std::vector<std::string_view> fields = split_fields(line, ' ');
    const auto type = place_of_type(fields);
    if (!type) return frames->problem(where, "type and 14 or 15 numbers are expected");
    // -1 where it is not a number, which is refused below.
    const double own = *type == 2 ? to_number(fields[0]).value_or(-1) : -1;
    const auto numbers = to_numbers({fields.begin() + static_cast<std::ptrdiff_t>(*type) + 1, fields.end()});
    if (!numbers || (!frame && (own < 0 || own > 1e9)))
      return frames->problem(where, "a value is not a number");
    const auto at = [&](size_t i) { return static_cast<float>((*numbers)[i]); };
    PersonDetection person{at(kBox), at(kBox + 1), at(kBox + 2) - at(kBox), at(kBox + 3) - at(kBox + 1), 1,
                           {}};
    if (numbers->size() > kNumbers) person.score = at(kNumbers);
    frames->add(frame ? *frame : static_cast<int64_t>(own), std::move(person), where,
                std::string(fields[*type]));
  });
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  Frames frames(file);
  if (!source.folder) {
    const bool one_frame = place_of_type(split_fields(first_line(source.text), ' ')) == size_t{0};
    read_lines(source.text, one_frame ? std::optional(source.frame_or(0)) : std::nullopt, "", &frames);
  }
  for (size_t i = 0; i < source.files.size(); ++i) {
    const std::string name = source.files[i].filename().string();
    frames.look(source.frames[i], name);
    VANTAGE_ASSIGN(const std::string text, read_text(source.files[i]));
    read_lines(text, source.frames[i], name, &frames);
  }
  VANTAGE_TRY(frames.keep_people({}, ClassList::none, options, source.path.string()));
  frames.finish(Gaps::empty, Numbers::from_zero, options);
  return {};
}

}  // namespace kitti

const Format kKitti = {"KITTI", kitti::recognise, kitti::read,
                       "labels of KITTI's tracking (one file) or objects (a folder, a file a frame); from 0"};

}  // namespace vantage::detections_detail
