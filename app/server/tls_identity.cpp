#include "app/server/tls_identity.h"

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <sys/stat.h>

#include <ctime>

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/base/owned_handle.h"

namespace vantage::server {
namespace {

using Certificate = OwnedHandle<gnutls_x509_crt_t, &gnutls_x509_crt_deinit>;
using Key = OwnedHandle<gnutls_x509_privkey_t, &gnutls_x509_privkey_deinit>;
using Credentials = OwnedHandle<gnutls_certificate_credentials_t, &gnutls_certificate_free_credentials>;

gnutls_datum_t datum_of(const std::string& pem) {
  return {reinterpret_cast<unsigned char*>(const_cast<char*>(pem.data())), static_cast<unsigned>(pem.size())};
}

tl::unexpected<Error> tls_failed(int code) {
  return fail(ErrorKind::io, std::string("TLS cannot be set up (") + gnutls_strerror(code) + ")", {},
              "Serve without --serve-tls, behind a proxy with TLS.");
}

Result<Certificate> read_certificate(const std::string& pem, const std::filesystem::path& file) {
  gnutls_x509_crt_t made = nullptr;
  if (const int code = gnutls_x509_crt_init(&made); code < 0) return tls_failed(code);
  Certificate certificate(made);
  const gnutls_datum_t data = datum_of(pem);
  if (gnutls_x509_crt_import(made, &data, GNUTLS_X509_FMT_PEM) < 0)
    return fail(ErrorKind::bad_data, "this is not a certificate in PEM form", file.string(),
                "Give the certificate first, then its key; PEM begins with -----BEGIN CERTIFICATE-----.");
  return certificate;
}

Status check_key(const std::string& pem, const std::filesystem::path& file) {
  gnutls_x509_privkey_t made = nullptr;
  if (const int code = gnutls_x509_privkey_init(&made); code < 0) return tls_failed(code);
  const Key key(made);
  const gnutls_datum_t data = datum_of(pem);
  const int code = gnutls_x509_privkey_import2(made, &data, GNUTLS_X509_FMT_PEM, nullptr, 0);
  if (code >= 0) return {};
  // Older forms state it in a header.
  if (code == GNUTLS_E_DECRYPTION_FAILED || pem.find("ENCRYPTED") != std::string::npos)
    return fail(ErrorKind::bad_data, "the private key has a password", file.string(),
                "Write it without one, readable by you alone: openssl pkey -in KEY -out PLAIN.pem.");
  return fail(ErrorKind::bad_data, "this is not a private key in PEM form", file.string(),
              "Give the certificate first, then its key; PEM begins with -----BEGIN PRIVATE KEY-----.");
}

Status check_pair(const TlsIdentity& identity, const TlsFiles& files) {
  gnutls_certificate_credentials_t made = nullptr;
  if (const int code = gnutls_certificate_allocate_credentials(&made); code < 0) return tls_failed(code);
  const Credentials credentials(made);
  const gnutls_datum_t certificate = datum_of(identity.certificate), key = datum_of(identity.key);
  const int code = gnutls_certificate_set_x509_key_mem(made, &certificate, &key, GNUTLS_X509_FMT_PEM);
  if (code >= 0) return {};
  if (code == GNUTLS_E_CERTIFICATE_KEY_MISMATCH)
    return fail(ErrorKind::bad_data, "the private key is another certificate's", files.key.string(),
                "Give the key that " + files.certificate.string() +
                    " was made with; in a file of several certificates the server's own comes first.");
  return fail(ErrorKind::bad_data,
              std::string("the certificate cannot be used (") + gnutls_strerror(code) + ")",
              files.certificate.string(), "Make a new one.");
}

void tell_doubts(const Certificate& certificate, const TlsFiles& files) {
  const std::time_t now = std::time(nullptr);
  if (gnutls_x509_crt_get_expiration_time(certificate.get()) < now)
    log_warning(files.certificate.string() + ": the certificate has expired: clients will refuse it.");
  if (gnutls_x509_crt_get_activation_time(certificate.get()) > now)
    log_warning(files.certificate.string() + ": the certificate is not valid yet: clients will refuse it.");
  struct stat state = {};
  if (::stat(files.key.c_str(), &state) == 0 && (state.st_mode & S_IROTH) != 0)
    log_warning(files.key.string() + ": every user of this machine can read the private key (chmod o-r).");
}

}  // namespace

Result<TlsIdentity> read_tls_identity(const TlsFiles& files) {
  TlsIdentity identity;
  VANTAGE_ASSIGN(identity.certificate, read_file(files.certificate));
  VANTAGE_ASSIGN(identity.key, read_file(files.key));
  VANTAGE_ASSIGN(const Certificate certificate, read_certificate(identity.certificate, files.certificate));
  VANTAGE_TRY(check_key(identity.key, files.key));
  VANTAGE_TRY(check_pair(identity, files));
  tell_doubts(certificate, files);
  return identity;
}

}  // namespace vantage::server
