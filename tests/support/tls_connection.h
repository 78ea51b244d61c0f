// Certificates and keys that a test makes for itself, and a client that speaks TLS.
#pragma once

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "tests/support/http_client.h"

namespace vantage::test {

struct PemPair {
  std::string certificate, key, encrypted_key;  // the last with a password
};

// 64 hexadecimal digits.
inline std::string sha256_of_certificate(const std::string& pem) {
  gnutls_x509_crt_t certificate = nullptr;
  gnutls_x509_crt_init(&certificate);
  const gnutls_datum_t text = {reinterpret_cast<unsigned char*>(const_cast<char*>(pem.data())),
                               static_cast<unsigned>(pem.size())};
  EXPECT_GE(gnutls_x509_crt_import(certificate, &text, GNUTLS_X509_FMT_PEM), 0);
  unsigned char sum[32] = {};
  size_t size = sizeof sum;
  EXPECT_GE(gnutls_x509_crt_get_fingerprint(certificate, GNUTLS_DIG_SHA256, sum, &size), 0);
  gnutls_x509_crt_deinit(certificate);
  std::string digits;
  for (const unsigned char byte : sum)
    digits += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
  return digits;
}

// A certificate of "localhost", signed by itself; valid from a day ago for so many days.
inline PemPair make_certificate(int days = 2) {
  constexpr std::time_t kDay_s = 24 * 3600;
  const std::time_t begin = std::time(nullptr) - kDay_s;
  gnutls_x509_privkey_t key = nullptr;
  gnutls_x509_crt_t certificate = nullptr;
  gnutls_x509_privkey_init(&key);
  gnutls_x509_crt_init(&certificate);
  gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
  gnutls_x509_crt_set_version(certificate, 3);
  gnutls_x509_crt_set_serial(certificate, "\1", 1);
  gnutls_x509_crt_set_activation_time(certificate, begin);
  gnutls_x509_crt_set_expiration_time(certificate, begin + days * kDay_s);
  gnutls_x509_crt_set_dn(certificate, "CN=localhost", nullptr);
  gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_DNSNAME, "localhost", 9, GNUTLS_FSAN_SET);
  gnutls_x509_crt_set_key(certificate, key);
  EXPECT_GE(gnutls_x509_crt_sign2(certificate, certificate, key, GNUTLS_DIG_SHA256, 0), 0);
  const auto text = [](gnutls_datum_t data) {
    std::string pem(reinterpret_cast<const char*>(data.data), data.size);
    gnutls_free(data.data);
    return pem;
  };
  PemPair pair;
  gnutls_datum_t out = {};
  EXPECT_GE(gnutls_x509_crt_export2(certificate, GNUTLS_X509_FMT_PEM, &out), 0);
  pair.certificate = text(out);
  EXPECT_GE(gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &out), 0);
  pair.key = text(out);
  EXPECT_GE(gnutls_x509_privkey_export2_pkcs8(key, GNUTLS_X509_FMT_PEM, "password", GNUTLS_PKCS_PBES2_AES_256,
                                              &out),
            0);
  pair.encrypted_key = text(out);
  gnutls_x509_crt_deinit(certificate);
  gnutls_x509_privkey_deinit(key);
  return pair;
}

// Trusts that one certificate and checks that it is of "localhost".
class TlsConnection final : public HttpConnection {
 public:
  TlsConnection(int port, const std::string& trusted, const char* priorities = "NORMAL")
      : HttpConnection(port) {
    const gnutls_datum_t pem = {reinterpret_cast<unsigned char*>(const_cast<char*>(trusted.data())),
                                static_cast<unsigned>(trusted.size())};
    gnutls_certificate_allocate_credentials(&credentials_);
    gnutls_certificate_set_x509_trust_mem(credentials_, &pem, GNUTLS_X509_FMT_PEM);
    gnutls_init(&session_, GNUTLS_CLIENT | GNUTLS_NO_SIGNAL);
    gnutls_priority_set_direct(session_, priorities, nullptr);
    gnutls_credentials_set(session_, GNUTLS_CRD_CERTIFICATE, credentials_);
    gnutls_server_name_set(session_, GNUTLS_NAME_DNS, "localhost", 9);
    gnutls_session_set_verify_cert(session_, "localhost", 0);
    gnutls_transport_set_int(session_, descriptor());
    int code = 0;
    do {
      code = gnutls_handshake(session_);
    } while (code < 0 && gnutls_error_is_fatal(code) == 0);
    trusted_ = code >= 0;
  }
  ~TlsConnection() override {
    gnutls_deinit(session_);
    gnutls_certificate_free_credentials(credentials_);
  }
  bool trusted() const { return trusted_; }

 private:
  ssize_t send_some(const char* from, size_t size) override {
    return trusted_ ? gnutls_record_send(session_, from, size) : -1;
  }
  ssize_t receive_some(char* to, size_t size) override {
    if (!trusted_) return -1;
    ssize_t got = 0;
    do {
      got = gnutls_record_recv(session_, to, size);  // tickets come in between
    } while (got == GNUTLS_E_AGAIN || got == GNUTLS_E_INTERRUPTED);
    return got;
  }

  gnutls_certificate_credentials_t credentials_ = nullptr;
  gnutls_session_t session_ = nullptr;
  bool trusted_ = false;
};

}  // namespace vantage::test
