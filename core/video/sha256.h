// SHA-256 of bytes and of files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

std::string sha256(std::string_view bytes);  // 64 hexadecimal digits
// The same of a file, whatever its size. Errors: not_found, io.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace vantage
