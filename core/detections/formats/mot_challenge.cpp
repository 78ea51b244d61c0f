// MOTChallenge's det.txt, gt.txt and results, and tables whose header names the columns.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/base/frame_names.h"
#include "core/detections/formats/format.h"
#include "core/detections/formats/table.h"

namespace vantage::detections_detail {
namespace mot_challenge {

constexpr double kLargestShare = 1.5;  // a box without values above it is in shares of the picture
constexpr size_t kTruthFields = 9, kTruthKind = 7;  // rows of gt.txt: the eighth column is the class

bool recognise(const Source& source) {
  return !source.folder && !source.json && form_of(source.text).has_value();
}

struct Row {
  int64_t line = 0, frame = 0;
  double left = 0, top = 0, width = 0, height = 0, score = 1;
  std::string kind, picture;
  std::string problem;  // not empty: the row is left out
};

class TableReader {
 public:
  TableReader(const Source& source, const DetectionFileOptions& options, DetectionFile* file)
      : source_(source), options_(options), file_(file), form_(*form_of(source.text)), frames_(file) {}

  Status read() {
    for_each_line(source_.text, [&](int64_t number, std::string_view line) {
      if (number >= form_.first_row && !is_comment(line)) read_row(number, line);
    });
    VANTAGE_TRY(name_frames());
    VANTAGE_TRY(scale_shares());
    for (const Row& row : rows_)
      if (!row.problem.empty())
        frames_.problem(line_name(row.line), row.problem);
      else
        frames_.add(row.frame,
                    {static_cast<float>(row.left),
                     static_cast<float>(row.top),
                     static_cast<float>(row.width),
                     static_cast<float>(row.height),
                     static_cast<float>(row.score),
                     {}},
                    line_name(row.line), row.kind);
    VANTAGE_TRY(frames_.keep_people(classes_, form_.named ? ClassList::single : ClassList::mot_challenge,
                                    options_, source_.path.string()));
    const bool zero = form_.columns.frames_from_zero || named_from_zero_;
    frames_.finish(Gaps::empty, zero ? Numbers::from_zero : Numbers::from_one, options_);
    return {};
  }

 private:
  // The number in a column; else sets the row's problem.
  std::optional<double> value(const std::vector<std::string>& fields, int column, const char* expected,
                              Row* row) {
    const std::string text = column < static_cast<int>(fields.size()) ? fields[column] : std::string();
    const auto number = number_of_field(text, form_.separator);
    if (number) return number;
    row->problem = column < static_cast<int>(fields.size())
                       ? "\"" + text + "\" stands where the number of the " + expected + " is expected"
                       : "it ends before the " + std::string(expected);
    return std::nullopt;
  }

  // Reads left and width, or top and height, from corners, size or centre.
  bool read_side(const std::vector<std::string>& fields, std::array<int, 4> columns, const char* begin_name,
                 const char* size_name, Row* row, double* begin, double* size) {
    const auto [low, high, extent, center] = columns;
    const auto first = value(fields, low >= 0 ? low : center, begin_name, row);
    if (!first) return false;
    const bool by_corner = low >= 0 && high >= 0;
    const auto second = value(fields, by_corner ? high : extent, size_name, row);
    if (!second) return false;
    *size = by_corner ? *second - *first : *second;
    *begin = low >= 0 ? *first : *first - *second / 2;
    return true;
  }

  void read_row(int64_t number, std::string_view line) {
    const std::vector<std::string> fields = fields_of_row(line, form_.separator);
    Row& row = rows_.emplace_back();
    row.line = number;
    const Columns& columns = form_.columns;
    if (columns.frame >= 0) {
      const auto frame = value(fields, columns.frame, "frame", &row);
      if (!frame) return;
      if (std::floor(*frame) != *frame) row.problem = "the frame is not a whole number";
      row.frame = std::abs(*frame) < 1e15 ? static_cast<int64_t>(*frame) : -1;
    } else if (columns.picture < static_cast<int>(fields.size())) {
      row.picture = fields[columns.picture];
    } else {
      row.problem = "it ends before the picture's name";
    }
    if (!row.problem.empty() ||
        !read_side(fields, {columns.left, columns.right, columns.width, columns.center_x}, "left side",
                   "width", &row, &row.left, &row.width) ||
        !read_side(fields, {columns.top, columns.bottom, columns.height, columns.center_y}, "top", "height",
                   &row, &row.top, &row.height))
      return;
    if (columns.score >= 0 && columns.score < static_cast<int>(fields.size()))
      row.score = value(fields, columns.score, "score", &row).value_or(0);
    take_kind(fields, &row);
  }

  void take_kind(const std::vector<std::string>& fields, Row* row) {
    const auto text = [&](int column) {
      return column >= 0 && column < static_cast<int>(fields.size()) ? class_text(fields[column])
                                                                     : std::string();
    };
    if (!form_.named) {
      if (fields.size() == kTruthFields) row->kind = class_text(fields[kTruthKind]);
      return;
    }
    row->kind = text(form_.columns.kind);
    const std::string name = text(form_.columns.kind_name);
    if (row->kind.empty()) row->kind = name;
    if (!name.empty() && name != row->kind) classes_.names[row->kind] = name;
  }

  // Frames from pictures named in rows: by the numbers in all these names together.
  Status name_frames() {
    if (form_.columns.frame >= 0) return {};
    std::vector<std::string> pictures;
    for (const Row& row : rows_)
      if (row.problem.empty()) pictures.push_back(row.picture);
    if (pictures.empty()) return {};
    VANTAGE_ASSIGN(const PictureFrames named, frames_of_pictures(pictures, options_, source_.path.string()));
    tell(named, file_);
    named_from_zero_ = named.from_zero;
    for (Row& row : rows_) {
      if (!row.problem.empty()) continue;
      const auto frame = named.frames.find(row.picture);
      if (frame == named.frames.end())
        row.problem = row.picture + " is not named as the other pictures";
      else
        row.frame = frame->second;
    }
    return {};
  }

  Status scale_shares() {
    double largest = 0;
    bool any = false;
    for (const Row& row : rows_) {
      if (!row.problem.empty()) continue;
      any = true;
      largest = std::max({largest, std::abs(row.left), std::abs(row.top), row.width, row.height});
    }
    if (!any || largest > kLargestShare) return {};
    if (options_.width_px <= 0 || options_.height_px <= 0)
      return fail(ErrorKind::invalid_argument, "its boxes are shares of the picture, whose size is not known",
                  source_.path.string(), "Give the camera's picture size, a video or a calibration.");
    file_->notes.emplace_back("boxes are shares of the picture");
    for (Row& row : rows_) {
      row.left = row.left * options_.width_px - 0.5, row.width *= options_.width_px;
      row.top = row.top * options_.height_px - 0.5, row.height *= options_.height_px;
    }
    return {};
  }

  const Source& source_;
  const DetectionFileOptions& options_;
  DetectionFile* file_;
  const TableForm form_;
  Frames frames_;
  FileClasses classes_;
  std::vector<Row> rows_;
  bool named_from_zero_ = false;
};

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  if (!form_of(source.text))
    return fail(ErrorKind::bad_data, "it is not a table of boxes", source.path.string());
  return TableReader(source, options, file).read();
}

}  // namespace mot_challenge

const Format kMotChallenge = {
    "MOTChallenge", mot_challenge::recognise, mot_challenge::read,
    "frame,id,left,top,width,height,score,... a line, frames from 1; or a table with named columns"};

}  // namespace vantage::detections_detail
