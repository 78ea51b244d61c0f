// A server's identity in TLS: its certificate, with those that lead to its authority, and the private key. No
// part of the key's file goes into an error or a log.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace vantage::server {

// PEM files. The certificate's begins with the server's own.
struct TlsFiles {
  std::filesystem::path certificate, key;
};

struct TlsIdentity {
  std::string certificate, key;  // PEM
};

// not_found, io: as read_file(). bad_data where one of them is not what it should be, the key has a password,
// or the two do not belong together. A certificate that is not valid today, and a key that everybody on this
// machine can read, are said in the log.
Result<TlsIdentity> read_tls_identity(const TlsFiles& files);

}  // namespace vantage::server
