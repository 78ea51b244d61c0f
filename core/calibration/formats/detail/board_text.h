// The text of a small file that describes a board.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace vantage::calibration_detail {

// `advice`: what to give instead, as a sentence. Errors: io; bad_data on an empty, large or binary file.
Result<std::string> read_board_text(const std::filesystem::path& path, const char* advice);

}  // namespace vantage::calibration_detail
