#include "core/video/sha256.h"

#include <array>
#include <cstdint>
#include <new>

extern "C" {
#include <libavutil/mem.h>
#include <libavutil/sha.h>
}

namespace vantage {

std::string sha256(std::string_view bytes) {
  constexpr int kBits = 256;
  AVSHA* state = av_sha_alloc();
  if (!state) throw std::bad_alloc();
  av_sha_init(state, kBits);
  av_sha_update(state, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  std::array<uint8_t, kBits / 8> digest = {};
  av_sha_final(state, digest.data());
  av_free(state);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace vantage
