// The Ed25519 key that this user's seals, cases and custody logs are signed with (RFC 8032), through GnuTLS.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace vantage {

class SigningKey {
 public:
  virtual ~SigningKey() = default;
  // The user's: case_key.pem in config_folder(), readable by the user alone (PKCS #8, PEM), made the first
  // time. Errors: io, bad_data (it is not such a key), invalid_argument (others can read it).
  static Result<std::unique_ptr<SigningKey>> of_user();
  static Result<std::unique_ptr<SigningKey>> read_or_make(const std::filesystem::path& file);

  // 64 bytes, as RFC 8032 has them.
  virtual Result<std::string> sign(const std::string& message) const = 0;
  virtual const std::string& public_pem() const = 0;   // SubjectPublicKeyInfo
  virtual const std::string& fingerprint() const = 0;  // as fingerprint_of()
};

// So many random bytes as hexadecimal digits, unlike any made before.
std::string random_id(size_t bytes);

// The SHA-256 of the key's SubjectPublicKeyInfo, 64 hexadecimal digits. bad_data where the text is not an
// Ed25519 public key in PEM form.
Result<std::string> fingerprint_of(const std::string& public_pem);

// True when it is the key's signature of the message; bad_data as above.
Result<bool> verify_signature(const std::string& public_pem, const std::string& message,
                              const std::string& signature);

// The bytes of a text in Base64, as base64() writes them. bad_data where it is none.
Result<std::string> base64_bytes(const std::string& text);

// The keys of people whose cases are trusted, and the key that signed each case when it was made or seen
// here: case_keys.json in config_folder().

struct KnownKeys {
  static constexpr const char* kOwn = "this user";  // the name of the user's own key

  std::map<std::string, std::string> names;  // by fingerprint
  std::map<std::string, std::string> cases;  // fingerprints by the case's id

  // No file: none are known. Errors: io, bad_data.
  static Result<KnownKeys> read(const std::filesystem::path& file = default_path());
  // With the user's own key, where there is one. Errors: as above, those of the key.
  static Result<KnownKeys> with_own();
  // Empty: not known.
  std::string name_of(const std::string& fingerprint) const;
  Status write(const std::filesystem::path& file = default_path()) const;
  static std::filesystem::path default_path();
};

}  // namespace vantage
