#include "core/push/detail/signature.h"

#include <fmt/core.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include <array>

namespace vantage {

Result<std::string> hmac_sha256(std::string_view key, std::string_view text) {
  std::array<unsigned char, 32> digest{};
  const int code =
      gnutls_hmac_fast(GNUTLS_MAC_SHA256, key.data(), key.size(), text.data(), text.size(), digest.data());
  if (code < 0)
    return fail(ErrorKind::unsupported, std::string("a message cannot be signed: ") + gnutls_strerror(code));
  std::string digits;
  for (const unsigned char byte : digest) digits += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return digits;
}

}  // namespace vantage
