#include "core/video/live/live_address.h"

extern "C" {
#include <libavutil/error.h>
}

#include <gio/gio.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>

#include "core/base/log.h"
#include "core/base/text.h"
#include "core/video/av_handles.h"
#include "core/video/no_video.h"

namespace vantage {
namespace {

struct Scheme {
  LiveProtocol protocol;
  const char* for_ffmpeg;
};
const std::map<std::string, Scheme>& schemes() {
  static const std::map<std::string, Scheme> table = {
      {"rtsp", {LiveProtocol::rtsp, "rtsp"}},     {"rtsps", {LiveProtocol::rtsp, "rtsps"}},
      {"rtsp+udp", {LiveProtocol::rtsp, "rtsp"}}, {"udp", {LiveProtocol::udp, "udp"}},
      {"http", {LiveProtocol::http, "http"}},     {"https", {LiveProtocol::http, "https"}},
      {"device", {LiveProtocol::by_program, ""}}, {"v4l2", {LiveProtocol::device, ""}},
      {"paced", {LiveProtocol::paced_file, ""}}};
  return table;
}

Error device_error(const std::string& where, int code) {
  switch (code) {
    case AVERROR(ENOENT):
    case AVERROR(ENXIO):
    case AVERROR(ENODEV):
      return {ErrorKind::not_found, "there is no such camera at this machine", where,
              "Plug it in, or look for another /dev/video device."};
    case AVERROR(EBUSY):
      return {ErrorKind::io, "another program uses the camera", where, "End that program."};
    case AVERROR(EACCES):
    case AVERROR(EPERM):
      return {ErrorKind::io, "this user may not use the camera", where, "Join the group video."};
    case AVERROR_DEMUXER_NOT_FOUND:
      return {ErrorKind::unsupported, "FFmpeg's devices (libavdevice) are not installed", where,
              "Install libavdevice59 (Debian 12) or libavdevice61 (13)."};
    default:
      return {ErrorKind::io, "the camera cannot be opened (" + av::error_text(code) + ")", where,
              "Check that it is a camera, and that it works with another program."};
  }
}

// Empty: it is not the text of a SHA-256.
std::string fingerprint_of(std::string text) {
  constexpr size_t kDigits = 64;
  std::erase(text, ':');
  text = lower_case(text);
  const bool hexadecimal =
      std::ranges::all_of(text, [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
  return text.size() == kDigits && hexadecimal ? text : std::string();
}

// The part behind '#' is for this program, not for the camera.
Status take_trust(LiveAddress* address) {
  constexpr std::string_view kFile = "ca=", kFingerprint = "sha256=";
  const size_t mark = address->url.find('#');
  if (mark == std::string::npos) return {};
  const std::string trust = address->url.substr(mark + 1);
  address->url.resize(mark);
  if (trust.starts_with(kFile)) address->ca_file = trust.substr(kFile.size());
  if (trust.starts_with(kFingerprint))
    address->fingerprint = fingerprint_of(trust.substr(kFingerprint.size()));
  if (address->fingerprint.empty() && !std::filesystem::path(address->ca_file).is_absolute())
    return fail(ErrorKind::invalid_argument,
                "only ca=FILE, with its whole path, or sha256=FINGERPRINT, with its 64 digits, can follow #",
                address->shown(),
                "Write it as rtsps://HOST/PATH#ca=/FOLDER/FILE.pem or rtsps://HOST/PATH#sha256=AB:CD:….");
  return {};
}

}  // namespace

bool LiveAddress::encrypted() const {
  return url.starts_with("rtsps://") || url.starts_with("https://");
}

bool LiveAddress::unchecked() const {
  return encrypted() && ca_file.empty() && fingerprint.empty();
}

std::string LiveAddress::shown() const {
  return redact_credentials(url);
}

bool is_live_address(const std::string& video) {
  return video.find("://") != std::string::npos && !names_no_video(video);
}

Result<LiveAddress> parse_live_address(const std::string& text) {
  const size_t colon = text.find("://");
  const std::string name = text.substr(0, colon);
  const auto scheme = schemes().find(name);
  if (colon == std::string::npos || scheme == schemes().end())
    return fail(ErrorKind::unsupported, "is not an address of a camera that can be opened",
                redact_credentials(text),
                "Addresses begin with rtsp://, rtsp+udp://, udp://, http://, https://, v4l2://, device:// or "
                "paced://.");
  const std::string rest = text.substr(colon + 3);
  const LiveProtocol protocol = scheme->second.protocol;
  const bool is_path = protocol == LiveProtocol::paced_file || protocol == LiveProtocol::device ||
                       protocol == LiveProtocol::by_program;
  if (rest.empty() || (rest[0] == '/' && !is_path))
    return fail(ErrorKind::invalid_argument, "the address names no host", redact_credentials(text),
                "Write it as rtsp://HOST/PATH.");
  LiveAddress address;
  address.protocol = protocol;
  address.over_udp = name == "rtsp+udp";
  address.url = rest;
  if (!is_path) {
    VANTAGE_TRY(check_credentials(text));
    address.url = with_encoded_credentials(std::string(scheme->second.for_ffmpeg) + "://" + rest);
  }
  if (name == "rtsps") VANTAGE_TRY(take_trust(&address));
  return address;
}

std::string silence_text(double seconds) {
  return "nothing was received for " + std::to_string(std::lround(seconds)) + " s";
}

Error live_error(const LiveAddress& address, int code, bool late) {
  const std::string where = address.shown();
  if (late)
    return {ErrorKind::io, silence_text(address.open_limit_s), where,
            "Check that the camera is on and sends, and that no firewall is between."};
  if (address.protocol == LiveProtocol::device) return device_error(where, code);
  switch (code) {
    case AVERROR_HTTP_UNAUTHORIZED:
    case AVERROR_HTTP_FORBIDDEN:
      return {
          ErrorKind::io, "the camera refuses the user name or password", where,
          "Give those of the camera: USER:PASSWORD@ in front of the host, or --user and --password-file."};
    case AVERROR(EKEYREJECTED):
      return address.ca_file.empty()
                 ? Error{ErrorKind::io,
                         "the camera's certificate has another fingerprint than its address says", where,
                         "If the camera or its certificate was exchanged, write the new one's fingerprint "
                         "behind #sha256=; else another machine may be between."}
                 : Error{
                       ErrorKind::io,
                       "the camera's certificate is not one that " + address.ca_file + " vouches for", where,
                       "If the camera or its certificate was exchanged, save the new one as that file; else "
                       "another machine may be between."};
    case AVERROR(ENOKEY):
      return {ErrorKind::not_found, "holds no certificate in PEM form", address.ca_file,
              "Give the file of the camera's certificate, or of its signer, behind #ca= in its address."};
    case AVERROR_HTTP_NOT_FOUND:
      return {ErrorKind::not_found, "the camera answers, but has no such path", where,
              "Look up the stream's path in the camera's manual."};
    case AVERROR(ECONNREFUSED):
      return {ErrorKind::io, "the connection was refused: nothing listens on that port", where,
              "Check address and port, and that streaming is switched on in the camera."};
    case AVERROR(EHOSTUNREACH):
    case AVERROR(ENETUNREACH):
    case AVERROR(ETIMEDOUT):
      return {ErrorKind::io, "the camera cannot be reached", where,
              "Check its address, its cable and this machine's network."};
    case AVERROR_HTTP_OTHER_4XX:
      return {ErrorKind::io, "the camera refuses this transport", where,
              address.over_udp ? "Try rtsp:// (TCP)." : "Try rtsp+udp://."};
    case AVERROR_HTTP_SERVER_ERROR:
      return {ErrorKind::io, "the camera reports a failure of its own", where, "Restart the camera."};
    case AVERROR(ENOMEM):
      return {ErrorKind::out_of_memory, "not enough memory to open the stream", where, {}};
    case AVERROR_DECODER_NOT_FOUND:
      return {ErrorKind::unsupported, "the camera sends a codec that is not supported", where,
              "Set the camera to H.264, HEVC or Motion JPEG."};
    case AVERROR_STREAM_NOT_FOUND:
      return {ErrorKind::bad_data, "holds no video", where, "Choose one that does."};
    case AVERROR_EOF:
      return {ErrorKind::io, "the camera closed the connection", where,
              "It may already have as many viewers as it allows."};
    default:
      return {ErrorKind::io, "the stream cannot be opened (" + av::error_text(code) + ")", where,
              "Check the address; a browser or player should show the same stream."};
  }
}

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
