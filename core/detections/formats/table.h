// Rows of fields as written by detectors and spreadsheets: separator and columns; private to core/detections.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vantage::detections_detail {

// Indices of the columns; -1: none.
struct Columns {
  int frame = -1, picture = -1;  // its number, or the name of its picture
  int left = -1, top = -1, right = -1, bottom = -1, width = -1, height = -1;
  int center_x = -1, center_y = -1;
  int score = -1, kind = -1, kind_name = -1;
  bool frames_from_zero = false;  // "frame_index"
};

struct TableForm {
  char separator = ',';   // ' ': any white space
  bool named = false;     // named by a header; else the columns are MOTChallenge's
  int64_t first_row = 1;  // first line of the rows
  Columns columns;
  std::vector<std::string> names;  // the header's
};

// The form of a text's rows; nothing where its first lines are neither a header nor MOTChallenge's numbers.
std::optional<TableForm> form_of(std::string_view text);

// The reason why a text is not a table with named columns: "names a, b, c, but no column for the frame";
// empty: its first line is not such a header.
std::string lacking_columns(std::string_view text);

// Without quotes and blanks around them; separators within quotes are text.
std::vector<std::string> fields_of_row(std::string_view line, char separator);
// A number, also with a decimal comma ("185,5") where commas do not separate fields.
std::optional<double> number_of_field(std::string_view field, char separator);

bool is_comment(std::string_view line);

}  // namespace vantage::detections_detail
