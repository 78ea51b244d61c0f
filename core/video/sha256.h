// SHA-256 of bytes and of files, and SHA-1 for protocols that ask for it, through GnuTLS, which uses the
// processor's own instructions for it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

using Sha256Digest = std::array<uint8_t, 32>;

// The sum of bytes that come in parts.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  Sha256Digest finish();  // then empty, as if made new

 private:
  struct State;
  std::unique_ptr<State, void (*)(State*)> state_;
};

std::string hex_of(const Sha256Digest& digest);  // 64 hexadecimal digits

std::string sha256(std::string_view bytes);  // 64 hexadecimal digits
std::string sha1(std::string_view bytes);    // 20 bytes
// The same of a file, whatever its size. Errors: not_found, io.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace vantage
