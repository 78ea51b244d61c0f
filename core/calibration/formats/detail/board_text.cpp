#include "core/calibration/formats/detail/board_text.h"

#include <system_error>

#include "core/base/file.h"

namespace vantage::calibration_detail {

Result<std::string> read_board_text(const std::filesystem::path& path, const char* advice) {
  constexpr size_t kMaxBytes = 1 << 20;
  const auto other = [&] {
    return fail(ErrorKind::bad_data, "is not a board's file", path.string(), advice);
  };
  std::error_code code;
  if (const auto bytes = std::filesystem::file_size(path, code); !code && bytes > kMaxBytes) return other();
  VANTAGE_ASSIGN(std::string text, read_file(path));
  if (text.empty() || text.size() > kMaxBytes || text.find('\0') != std::string::npos) return other();
  return text;
}

}  // namespace vantage::calibration_detail
