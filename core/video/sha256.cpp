#include "core/video/sha256.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include <fstream>
#include <new>
#include <vector>

namespace vantage {

struct Sha256::State {
  gnutls_hash_hd_t handle = nullptr;
};

Sha256::Sha256()
    : state_(new State, [](State* state) {
        if (state->handle) gnutls_hash_deinit(state->handle, nullptr);
        delete state;
      }) {
  if (gnutls_hash_init(&state_->handle, GNUTLS_DIG_SHA256) < 0) throw std::bad_alloc();
}

void Sha256::add(std::string_view bytes) {
  gnutls_hash(state_->handle, bytes.data(), bytes.size());
}

Sha256Digest Sha256::finish() {
  Sha256Digest digest = {};
  gnutls_hash_output(state_->handle, digest.data());
  return digest;
}

std::string hex_of(const Sha256Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return hex_of(sum.finish());
}

std::string sha1(std::string_view bytes) {
  std::string digest(20, '\0');
  gnutls_hash_fast(GNUTLS_DIG_SHA1, bytes.data(), bytes.size(), digest.data());
  return digest;
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
  std::vector<char> part(size_t{1} << 17);  // stays in the cache
  while (in) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    sum.add({part.data(), static_cast<size_t>(in.gcount())});
  }
  if (in.bad() || !in.eof()) return fail(ErrorKind::io, "reading failed", path.string(), "Check the disk.");
  return hex_of(sum.finish());
}

}  // namespace vantage
