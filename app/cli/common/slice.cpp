#include "app/cli/common/slice.h"

#include <charconv>
#include <string_view>

#include "app/cli/common/command.h"

namespace vantage::cli {

CutPlane parse_slice(const std::string& text) {
  const auto wrong = [&] {
    return CLI::ValidationError("--slice", "'" + text + "' is not of the form z=1.0");
  };
  const size_t axis = std::string_view("xyz").find(text.empty() ? '?' : text[0]);
  if (axis == std::string_view::npos || text.size() < 3 || text[1] != '=') throw wrong();
  CutPlane plane{static_cast<int>(axis), 0};
  const auto end = std::from_chars(text.data() + 2, text.data() + text.size(), plane.at_m);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) throw wrong();
  return plane;
}

}  // namespace vantage::cli
