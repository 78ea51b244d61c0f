#include "core/live/onvif/detail/onvif_messages.h"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <pugixml.hpp>

#include "core/base/text.h"
#include "core/live/http_post.h"
#include "core/video/sha256.h"

namespace vantage::onvif_detail {
namespace {

constexpr const char* kEnvelope = "http://www.w3.org/2003/05/soap-envelope";

std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

pugi::xml_node child(const pugi::xml_node& of, std::string_view name) {
  return of.find_child([&](const pugi::xml_node& node) { return local_name(node) == name; });
}
// The first below `of`, at any depth.
pugi::xml_node below(const pugi::xml_node& of, std::string_view name) {
  return of.find_node([&](const pugi::xml_node& node) { return local_name(node) == name; });
}
std::string text_in(const pugi::xml_node& of, std::string_view name) {
  return std::string(trimmed(below(of, name).text().get()));
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    words.emplace_back(text.substr(0, text.find_first_of(" \t\r\n")));
    text.remove_prefix(words.back().size());
  }
  return words;
}

// The part of an answer below its body, or the fault that it states.
Result<pugi::xml_node> body_of(pugi::xml_document& document, std::string_view text, const char* wanted) {
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  const pugi::xml_node body = below(document, "Body");
  if (const pugi::xml_node fault = child(body, "Fault")) {
    std::string reason = text_in(fault, "Text");
    if (reason.empty()) reason = text_in(fault, "Value");
    return fail(ErrorKind::io, "the device refused: " + (reason.empty() ? "it says not why" : reason));
  }
  const pugi::xml_node found = child(body, wanted);
  if (parsed && found) return found;
  return fail(ErrorKind::bad_data, std::string("the device did not answer with a ") + wanted);
}

}  // namespace

std::string probe_message(const std::string& id) {
  return fmt::format(
      R"(<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="{}" )"
      R"(xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing"><s:Header>)"
      R"(<a:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</a:Action>)"
      R"(<a:MessageID>urn:uuid:{}</a:MessageID>)"
      R"(<a:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To></s:Header><s:Body>)"
      R"(<d:Probe xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery">)"
      R"(<d:Types xmlns:n="http://www.onvif.org/ver10/network/wsdl">n:NetworkVideoTransmitter</d:Types>)"
      R"(</d:Probe></s:Body></s:Envelope>)",
      kEnvelope, id);
}

std::vector<FoundCamera> probe_matches(std::string_view text) {
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return {};
  std::vector<FoundCamera> cameras;
  for (const pugi::xml_node& match : below(document, "ProbeMatches").children()) {
    FoundCamera camera;
    for (const std::string& address : words_in(text_in(match, "XAddrs")))
      if (camera.service.empty() && (address.starts_with("http://") || address.starts_with("https://")))
        camera.service = split_credentials(address).address;
    for (const std::string& scope : words_in(text_in(match, "Scopes")))
      for (const auto& [prefix, value] : {std::pair("onvif://www.onvif.org/name/", &camera.name),
                                          {"onvif://www.onvif.org/hardware/", &camera.hardware}})
        if (scope.starts_with(prefix))
          *value = percent_decoded(scope.substr(std::string_view(prefix).size()));
    if (!camera.service.empty()) cameras.push_back(std::move(camera));
  }
  return cameras;
}

std::string password_digest(std::string_view nonce, const std::string& created, const std::string& password) {
  const std::string text = std::string(nonce) + created + password;
  return base64(sha1(text));
}

std::string soap_request(const std::string& body, const std::optional<SoapLogin>& login) {
  std::string header;
  if (login)
    header = fmt::format(
        R"(<s:Header><w:Security s:mustUnderstand="1" )"
        R"(xmlns:w="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd" )"
        R"(xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd">)"
        R"(<w:UsernameToken><w:Username>{}</w:Username><w:Password )"
        R"(Type="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordDigest">)"
        R"({}</w:Password><w:Nonce EncodingType=)"
        R"("http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary">)"
        R"({}</w:Nonce><u:Created>{}</u:Created></w:UsernameToken></w:Security></s:Header>)",
        xml_escaped(login->credentials.user),
        password_digest(login->nonce, login->created, login->credentials.password), base64(login->nonce),
        login->created);
  return fmt::format(
      R"(<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="{}">{}<s:Body>{}</s:Body></s:Envelope>)",
      kEnvelope, header, body);
}

Result<int64_t> device_time_s(std::string_view answer) {
  pugi::xml_document document;
  VANTAGE_ASSIGN(const pugi::xml_node found, body_of(document, answer, "GetSystemDateAndTimeResponse"));
  const pugi::xml_node time = below(found, "UTCDateTime");
  const auto number = [&](const char* name) { return below(time, name).text().as_int(-1); };
  const std::chrono::year_month_day day(std::chrono::year(number("Year")),
                                        std::chrono::month(static_cast<unsigned>(number("Month"))),
                                        std::chrono::day(static_cast<unsigned>(number("Day"))));
  const int hour = number("Hour"), minute = number("Minute"), second = number("Second");
  if (!time || !day.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
    return fail(ErrorKind::bad_data, "the device's clock has no valid time");
  return std::chrono::sys_days(day).time_since_epoch() / std::chrono::seconds(1) + hour * 3600 + minute * 60 +
         second;
}

Result<std::string> media_service(std::string_view answer) {
  pugi::xml_document document;
  VANTAGE_ASSIGN(const pugi::xml_node found, body_of(document, answer, "GetCapabilitiesResponse"));
  std::string address = text_in(below(found, "Media"), "XAddr");
  if (address.empty()) return fail(ErrorKind::bad_data, "the device states no media service");
  return address;
}

Result<std::vector<MediaProfile>> media_profiles(std::string_view answer) {
  pugi::xml_document document;
  VANTAGE_ASSIGN(const pugi::xml_node found, body_of(document, answer, "GetProfilesResponse"));
  std::vector<MediaProfile> profiles;
  for (const pugi::xml_node& node : found.children()) {
    const pugi::xml_node encoder = child(node, "VideoEncoderConfiguration");
    MediaProfile profile{node.attribute("token").value(), {}};
    if (local_name(node) != "Profiles" || !encoder || profile.token.empty()) continue;
    profile.stream.name = trimmed(child(node, "Name").text().get());
    profile.stream.codec = text_in(encoder, "Encoding");
    const pugi::xml_node size = child(encoder, "Resolution");
    profile.stream.width_px = std::max(0, below(size, "Width").text().as_int());
    profile.stream.height_px = std::max(0, below(size, "Height").text().as_int());
    profile.stream.frame_rate = std::max(0, below(encoder, "FrameRateLimit").text().as_int());
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

Result<std::string> stream_address(std::string_view answer) {
  pugi::xml_document document;
  VANTAGE_ASSIGN(const pugi::xml_node found, body_of(document, answer, "GetStreamUriResponse"));
  std::string address = text_in(found, "Uri");
  if (address.empty()) return fail(ErrorKind::bad_data, "the device states no address of the stream");
  return split_credentials(address).address;
}

}  // namespace vantage::onvif_detail
