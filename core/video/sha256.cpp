#include "core/video/sha256.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <new>
#include <vector>

extern "C" {
#include <libavutil/mem.h>
#include <libavutil/sha.h>
}

namespace vantage {
namespace {

class Sha256 {
 public:
  Sha256() : state_(av_sha_alloc(), [](AVSHA* state) { av_free(state); }) {
    constexpr int kBits = 256;
    if (!state_) throw std::bad_alloc();
    av_sha_init(state_.get(), kBits);
  }
  void add(const char* bytes, size_t count) {
    av_sha_update(state_.get(), reinterpret_cast<const uint8_t*>(bytes), count);
  }
  std::string finish() {
    std::array<uint8_t, 32> digest = {};
    av_sha_final(state_.get(), digest.data());
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const uint8_t byte : digest) {
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
    return text;
  }

 private:
  std::unique_ptr<AVSHA, void (*)(AVSHA*)> state_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes.data(), bytes.size());
  return sum.finish();
}

Result<std::string> sha256_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::error_code none;
    if (!std::filesystem::exists(path, none))
      return fail(ErrorKind::not_found, "no such file", path.string(), "Check the path.");
    return fail(ErrorKind::io, "cannot be read", path.string(), "Check that you have permission to read it.");
  }
  Sha256 sum;
  std::vector<char> part(size_t{1} << 20);
  while (in) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    sum.add(part.data(), static_cast<size_t>(in.gcount()));
  }
  if (in.bad() || !in.eof()) return fail(ErrorKind::io, "reading failed", path.string(), "Check the disk.");
  return sum.finish();
}

}  // namespace vantage
