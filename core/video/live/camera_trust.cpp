#include "core/video/live/camera_trust.h"

#include <gio/gio.h>

#include <algorithm>

namespace vantage {
namespace {

GTlsCertificateFlags vouch_for_nobody(GTlsDatabase*, GTlsCertificate*, const gchar*, GSocketConnectable*,
                                      GTlsInteraction*, GTlsDatabaseVerifyFlags, GCancellable*, GError**) {
  return G_TLS_CERTIFICATE_UNKNOWN_CA;
}
void fill_class(void* made, void*) {
  static_cast<GTlsDatabaseClass*>(made)->verify_chain = vouch_for_nobody;
}

// A fingerprint replaces the system's authorities: with their database GLib would accept what they signed,
// without asking.
GTlsDatabase* make_empty_database() {
  static const GType type =
      g_type_register_static_simple(G_TYPE_TLS_DATABASE, "VantageEmptyTlsDatabase", sizeof(GTlsDatabaseClass),
                                    fill_class, sizeof(GTlsDatabase), nullptr, G_TYPE_FLAG_NONE);
  return static_cast<GTlsDatabase*>(g_object_new(type, nullptr));
}

std::string sha256_of(GTlsCertificate* certificate) {
  GByteArray* der = nullptr;
  g_object_get(certificate, "certificate", &der, nullptr);
  if (!der) return {};
  gchar* text = g_compute_checksum_for_data(G_CHECKSUM_SHA256, der->data, der->len);
  std::string sum = text;
  g_free(text);
  g_byte_array_unref(der);
  return sum;
}

}  // namespace

CameraTrust::CameraTrust(const LiveAddress& address) : fingerprint_(address.fingerprint) {
  if (!fingerprint_.empty()) database_ = make_empty_database();
  if (address.ca_file.empty()) return;
  database_ = g_tls_file_database_new(address.ca_file.c_str(), nullptr);
  if (!database_) database_ = make_empty_database();
  GList* own = g_tls_certificate_list_new_from_file(address.ca_file.c_str(), nullptr);
  for (GList* one = own; one; one = one->next) own_.push_back(G_TLS_CERTIFICATE(one->data));
  g_list_free(own);
}

CameraTrust::~CameraTrust() {
  for (GTlsCertificate* one : own_) g_object_unref(one);
  g_clear_object(&database_);
}

bool CameraTrust::vouches_for(GTlsCertificate* shown) const {
  if (!fingerprint_.empty()) return sha256_of(shown) == fingerprint_;
  return std::ranges::any_of(own_,
                             [&](GTlsCertificate* own) { return g_tls_certificate_is_same(own, shown); });
}

}  // namespace vantage
