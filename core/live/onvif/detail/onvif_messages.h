// SOAP messages of ONVIF: texts to send, and what the answers state. Prefixes of names are the sender's: only
// the names themselves count. Private to core/live/onvif.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/live/onvif/onvif.h"

namespace vantage::onvif_detail {

std::string probe_message(const std::string& id);
// Devices of an answer; empty: it is none, or has no address over HTTP.
std::vector<FoundCamera> probe_matches(std::string_view text);

// Base64 of the SHA-1 of nonce, time and password (WS-Security UsernameToken Profile 1.0). `nonce`: its
// bytes.
std::string password_digest(std::string_view nonce, const std::string& created, const std::string& password);

struct SoapLogin {
  Credentials credentials;
  std::string nonce;    // bytes
  std::string created;  // "2026-05-01T14:32:05Z", by the device's clock
};
std::string soap_request(const std::string& body, const std::optional<SoapLogin>& login);

// What answers state. Errors: bad_data (other content), io with a fault's own text.
Result<int64_t> device_time_s(std::string_view answer);  // seconds since 1970
Result<std::string> media_service(std::string_view answer);

struct MediaProfile {
  std::string token;
  FoundStream stream;  // without address
};
Result<std::vector<MediaProfile>> media_profiles(std::string_view answer);  // those with a picture
Result<std::string> stream_address(std::string_view answer);

}  // namespace vantage::onvif_detail
