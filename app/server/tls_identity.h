// A server's identity in TLS: its certificate with the chain to its authority, and the private key. No part
// of the key goes into errors or logs.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace vantage::server {

// PEM files. The certificate file begins with the server's own.
struct TlsFiles {
  std::filesystem::path certificate, key;
};

struct TlsIdentity {
  std::string certificate, key;  // PEM
};

// not_found, io: as read_file(). bad_data where one of them is invalid, the key has a password, or the two do
// not match. A certificate that is not valid today, and a key that everyone on this machine can read, are
// logged.
Result<TlsIdentity> read_tls_identity(const TlsFiles& files);

}  // namespace vantage::server
