#include "core/seal/signing_key.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/owned_handle.h"
#include "core/base/process_owner.h"
#include "core/base/text.h"
#include "core/video/sha256.h"

namespace vantage {
namespace {

using PrivateKey = OwnedHandle<gnutls_privkey_t, &gnutls_privkey_deinit>;
using PlainKey = OwnedHandle<gnutls_x509_privkey_t, &gnutls_x509_privkey_deinit>;
using PublicKey = OwnedHandle<gnutls_pubkey_t, &gnutls_pubkey_deinit>;

gnutls_datum_t bytes_of(const std::string& text) {
  return {reinterpret_cast<unsigned char*>(const_cast<char*>(text.data())),
          static_cast<unsigned>(text.size())};
}

std::string taken(gnutls_datum_t& datum) {
  std::string text(reinterpret_cast<const char*>(datum.data), datum.size);
  gnutls_free(datum.data);
  return text;
}

tl::unexpected<Error> key_failed(int code, const std::string& where) {
  return fail(ErrorKind::io, std::string("the signing key cannot be used (") + gnutls_strerror(code) + ")",
              where);
}

Result<PublicKey> read_public(const std::string& pem) {
  gnutls_pubkey_t made = nullptr;
  if (const int code = gnutls_pubkey_init(&made); code < 0) return key_failed(code, {});
  PublicKey key(made);
  const gnutls_datum_t data = bytes_of(pem);
  if (gnutls_pubkey_import(made, &data, GNUTLS_X509_FMT_PEM) < 0 ||
      gnutls_pubkey_get_pk_algorithm(made, nullptr) != GNUTLS_PK_EDDSA_ED25519)
    return fail(ErrorKind::bad_data, "this is not an Ed25519 public key in PEM form", "public_key.pem");
  return key;
}

class UserKey final : public SigningKey {
 public:
  explicit UserKey(PrivateKey key) : key_(std::move(key)) {}

  Status describe(const std::string& file) {
    gnutls_pubkey_t made = nullptr;
    if (const int code = gnutls_pubkey_init(&made); code < 0) return key_failed(code, file);
    const PublicKey key(made);
    gnutls_datum_t pem = {};
    int code = gnutls_pubkey_import_privkey(made, key_.get(), 0, 0);
    if (code >= 0) code = gnutls_pubkey_export2(made, GNUTLS_X509_FMT_PEM, &pem);
    if (code < 0) return key_failed(code, file);
    public_pem_ = taken(pem);
    VANTAGE_ASSIGN(fingerprint_, fingerprint_of(public_pem_));
    return {};
  }

  Result<std::string> sign(const std::string& message) const override {
    const gnutls_datum_t data = bytes_of(message);
    gnutls_datum_t signature = {};
    const int code = gnutls_privkey_sign_data2(key_.get(), GNUTLS_SIGN_EDDSA_ED25519, 0, &data, &signature);
    if (code < 0) return key_failed(code, {});
    return taken(signature);
  }
  const std::string& public_pem() const override { return public_pem_; }
  const std::string& fingerprint() const override { return fingerprint_; }

 private:
  const PrivateKey key_;
  std::string public_pem_, fingerprint_;
};

// A new key as text.
Result<std::string> generate() {
  gnutls_x509_privkey_t made = nullptr;
  if (const int code = gnutls_x509_privkey_init(&made); code < 0) return key_failed(code, {});
  const PlainKey key(made);
  gnutls_datum_t pem = {};
  int code = gnutls_x509_privkey_generate(made, GNUTLS_PK_EDDSA_ED25519, 0, 0);
  if (code >= 0)
    code = gnutls_x509_privkey_export2_pkcs8(made, GNUTLS_X509_FMT_PEM, nullptr, GNUTLS_PKCS_PLAIN, &pem);
  if (code < 0) return key_failed(code, {});
  return taken(pem);
}

// In place at once and complete, or not at all; another program's key, made meanwhile, stays.
Status write_key(const std::filesystem::path& file, const std::string& pem) {
  const auto failed = [&](int code) {
    return fail(ErrorKind::io, std::string("the signing key cannot be written (") + std::strerror(code) + ")",
                file.string(), "Choose a folder that you can write to (XDG_CONFIG_HOME).");
  };
  std::string temporary = file.string() + ".XXXXXX";
  const int fd = ::mkstemp(temporary.data());  // 0600
  if (fd < 0) return failed(errno);
  const bool written =
      ::write(fd, pem.data(), pem.size()) == static_cast<ssize_t>(pem.size()) && ::fsync(fd) == 0;
  int code = written ? 0 : errno;
  if (::close(fd) != 0 && code == 0) code = errno;
  if (code == 0 && ::link(temporary.c_str(), file.c_str()) != 0 && errno != EEXIST) code = errno;
  ::unlink(temporary.c_str());
  return code == 0 ? Status() : Status(failed(code));
}

std::filesystem::path own_key_path() {
  return config_folder() / "case_key.pem";
}

}  // namespace

Result<std::unique_ptr<SigningKey>> SigningKey::of_user() {
  return read_or_make(own_key_path());
}

Result<std::unique_ptr<SigningKey>> SigningKey::read_or_make(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) {
    VANTAGE_TRY(make_folder(file.parent_path()));
    VANTAGE_ASSIGN(const std::string pem, generate());
    VANTAGE_TRY(write_key(file, pem));
  }
  struct stat status = {};
  if (::stat(file.c_str(), &status) == 0 && (status.st_mode & 077) != 0)
    return fail(ErrorKind::invalid_argument, "other users can read the signing key", file.string(),
                "Make it yours alone: chmod 600 " + file.string());
  VANTAGE_ASSIGN(const std::string pem, read_file(file));
  gnutls_privkey_t made = nullptr;
  if (const int code = gnutls_privkey_init(&made); code < 0) return key_failed(code, file.string());
  PrivateKey key(made);
  const gnutls_datum_t data = bytes_of(pem);
  if (gnutls_privkey_import_x509_raw(made, &data, GNUTLS_X509_FMT_PEM, nullptr, 0) < 0 ||
      gnutls_privkey_get_pk_algorithm(made, nullptr) != GNUTLS_PK_EDDSA_ED25519)
    return fail(ErrorKind::bad_data, "this is not an Ed25519 key in PEM form", file.string(),
                "Move it away: another one is made with the next case.");
  auto signing = std::make_unique<UserKey>(std::move(key));
  VANTAGE_TRY(signing->describe(file.string()));
  return std::unique_ptr<SigningKey>(std::move(signing));
}

std::string random_id(size_t bytes) {
  std::string random(bytes, '\0'), id;
  gnutls_rnd(GNUTLS_RND_NONCE, random.data(), random.size());
  for (const char byte : random)
    id += fmt::format("{:02x}", static_cast<unsigned>(static_cast<uint8_t>(byte)));
  return id;
}

Result<std::string> fingerprint_of(const std::string& public_pem) {
  VANTAGE_ASSIGN(const PublicKey key, read_public(public_pem));
  gnutls_datum_t der = {};
  if (const int code = gnutls_pubkey_export2(key.get(), GNUTLS_X509_FMT_DER, &der); code < 0)
    return key_failed(code, {});
  return sha256(taken(der));
}

Result<bool> verify_signature(const std::string& public_pem, const std::string& message,
                              const std::string& signature) {
  VANTAGE_ASSIGN(const PublicKey key, read_public(public_pem));
  const gnutls_datum_t data = bytes_of(message), signed_by = bytes_of(signature);
  return gnutls_pubkey_verify_data2(key.get(), GNUTLS_SIGN_EDDSA_ED25519, 0, &data, &signed_by) >= 0;
}

Result<std::string> base64_bytes(const std::string& text) {
  const gnutls_datum_t encoded = bytes_of(text);
  gnutls_datum_t bytes = {};
  if (gnutls_base64_decode2(&encoded, &bytes) < 0)
    return fail(ErrorKind::bad_data, "this is not a text in Base64");
  std::string decoded = taken(bytes);
  if (base64(decoded) != text) return fail(ErrorKind::bad_data, "this is not a text in Base64");
  return decoded;
}

namespace {

constexpr char kKeysSchema[] = "vantage-case-keys-1";

}  // namespace

std::filesystem::path KnownKeys::default_path() {
  return config_folder() / "case_keys.json";
}

Result<KnownKeys> KnownKeys::read(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return KnownKeys();
  VANTAGE_ASSIGN(const std::string text, read_file(file));
  const nlohmann::json document = parse_json(text);
  try {
    if (document.at("schema") == kKeysSchema)
      return KnownKeys{document.at("keys").get<std::map<std::string, std::string>>(),
                       document.at("cases").get<std::map<std::string, std::string>>()};
  } catch (const nlohmann::json::exception&) {
    // Said below, as for another schema.
  }
  return fail(ErrorKind::bad_data, "is not a list of known keys", file.string(),
              "Move it away: another one is made with the next case.");
}

Result<KnownKeys> KnownKeys::with_own() {
  VANTAGE_ASSIGN(KnownKeys known, read());
  std::error_code none;
  if (!std::filesystem::exists(own_key_path(), none)) return known;
  VANTAGE_ASSIGN(const std::unique_ptr<SigningKey> own, SigningKey::of_user());
  known.names.emplace(own->fingerprint(), kOwn);
  return known;
}

std::string KnownKeys::name_of(const std::string& fingerprint) const {
  const auto name = names.find(fingerprint);
  return name == names.end() ? std::string() : name->second;
}

Status KnownKeys::write(const std::filesystem::path& file) const {
  VANTAGE_TRY(make_folder(file.parent_path()));
  const nlohmann::ordered_json document = {{"schema", kKeysSchema}, {"keys", names}, {"cases", cases}};
  return write_file_atomically(file, json_text(document, 2) + "\n");
}

}  // namespace vantage
