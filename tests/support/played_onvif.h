// A camera with ONVIF, played on the loopback interface: it answers the probe, and SOAP over HTTP to those
// who have its password. Its clock is years ahead.
#pragma once

#include <fmt/format.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "core/live/onvif/onvif.h"
#include "tests/support/loopback_socket.h"

namespace vantage::test {

inline constexpr const char *kOnvifUser = "viewer & co", *kOnvifPassword = "s3cret<word>";

inline std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  const size_t to = text.find(end, from + begin.size());
  return text.substr(from + begin.size(), to - from - begin.size());
}

inline std::string decoded(const std::string& base64) {
  gnutls_datum_t from{reinterpret_cast<unsigned char*>(const_cast<char*>(base64.data())),
                      static_cast<unsigned>(base64.size())},
      to{};
  if (gnutls_base64_decode2(&from, &to) < 0) return {};
  std::string bytes(reinterpret_cast<char*>(to.data), to.size);
  gnutls_free(to.data);
  return bytes;
}

inline std::string envelope(const std::string& body) {
  return R"(<?xml version="1.0"?><env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope" )"
         R"(xmlns:tds="http://www.onvif.org/ver10/device/wsdl" xmlns:trt="http://www.onvif.org/ver10/media/wsdl" )"
         R"(xmlns:tt="http://www.onvif.org/ver10/schema" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" )"
         R"(xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing"><env:Body>)" +
         body + "</env:Body></env:Envelope>";
}

class PlayedDevice {
  LoopbackSocket probes_, requests_;  // made first

 public:
  PlayedDevice() : probes_(SOCK_DGRAM), requests_(SOCK_STREAM) {
    listening_ = std::thread([this] { listen(); });
    serving_ = std::thread([this] { serve(); });
  }
  ~PlayedDevice() {
    stop_ = true;
    probes_.shut_down(), requests_.shut_down();
    const sockaddr_in own = loopback_address(probes_.port());  // wakes its thread
    const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
    ::sendto(socket, "", 1, 0, reinterpret_cast<const sockaddr*>(&own), sizeof own);
    ::close(socket);
    listening_.join(), serving_.join();
  }
  DiscoverOptions options() const {
    DiscoverOptions options;
    options.address = "127.0.0.1", options.port = probes_.port(), options.wait_s = 0.5;
    return options;
  }
  std::string service() const {
    return fmt::format("http://127.0.0.1:{}/onvif/device_service", requests_.port());
  }
  std::string received() {
    const std::lock_guard lock(mutex_);
    return received_;
  }

  void move_media(const std::string& address) {
    const std::lock_guard lock(mutex_);
    media_ = address;
  }

 private:
  void listen() {
    std::string datagram(65536, '\0');
    while (!stop_) {
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const ssize_t count = ::recvfrom(probes_.file(), datagram.data(), datagram.size(), 0,
                                       reinterpret_cast<sockaddr*>(&from), &size);
      if (count < 2 || datagram.substr(0, static_cast<size_t>(count)).find(":NetworkVideoTransmitter<") ==
                           std::string::npos)
        continue;
      const std::string match = envelope(fmt::format(
          "<d:ProbeMatches><d:ProbeMatch><a:EndpointReference><a:Address>urn:uuid:1</a:Address></"
          "a:EndpointReference>"
          "<d:Scopes>onvif://www.onvif.org/type/video_encoder onvif://www.onvif.org/name/Front%20Door%2c\n"
          "onvif://www.onvif.org/hardware/X-100</d:Scopes>"
          "<d:XAddrs>urn:none {} "
          "http://[fe80::1]/onvif/device_service</d:XAddrs></d:ProbeMatch></d:ProbeMatches>",
          service()));
      for (const std::string& answer : {std::string("noise"), match, std::string("<a><b/></a>"), match})
        ::sendto(probes_.file(), answer.data(), answer.size(), 0, reinterpret_cast<sockaddr*>(&from), size);
    }
  }
  void serve() {
    for (int client = requests_.accept(); client >= 0 && !stop_; client = requests_.accept()) {
      std::string text;
      std::array<char, 4096> part;
      for (size_t end = 0, size = 0; end == 0 || text.size() < end + size;) {
        const ssize_t count = ::recv(client, part.data(), part.size(), 0);
        if (count <= 0) break;
        text.append(part.data(), static_cast<size_t>(count));
        if (const size_t blank = text.find("\r\n\r\n"); blank != std::string::npos) {
          end = blank + 4;
          size = std::stoul(between(text, "Content-Length: ", "\r\n"));
        }
      }
      const std::lock_guard lock(mutex_);
      received_ += text;
      const auto [status, body] = answer(text);
      send_all(client,
               fmt::format("HTTP/1.1 {} x\r\nContent-Type: application/soap+xml\r\nContent-Length: {}\r\n"
                           "Connection: close\r\n\r\n{}",
                           status, body.size(), body));
      ::close(client);
    }
  }
  bool allowed(const std::string& request) const {
    const std::string created = between(request, "<u:Created>", "<");
    const std::string nonce = between(request, "<w:Nonce", "</w:Nonce>");
    const std::string hashed = decoded(nonce.substr(nonce.find('>') + 1)) + created + kOnvifPassword;
    std::string digest(20, '\0');
    gnutls_hash_fast(GNUTLS_DIG_SHA1, hashed.data(), hashed.size(), digest.data());
    return between(request, "<w:Username>", "<") == "viewer &amp; co" &&
           created.starts_with("2041-05-01T12:") &&
           decoded(between(request, "#PasswordDigest\">", "<")) == digest;
  }
  std::pair<int, std::string> answer(const std::string& request) const {
    if (request.find("<GetSystemDateAndTime") != std::string::npos)
      return {
          200,
          envelope(
              "<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:UTCDateTime><tt:Time><tt:Hour>12"
              "</tt:Hour><tt:Minute>10</tt:Minute><tt:Second>0</tt:Second></tt:Time><tt:Date><tt:Year>2041"
              "</tt:Year><tt:Month>5</tt:Month><tt:Day>1</tt:Day></tt:Date></tt:UTCDateTime>"
              "</tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>")};
    if (!allowed(request))
      return {400, envelope("<env:Fault><env:Code><env:Value>env:Sender</env:Value></env:Code><env:Reason>"
                            "<env:Text>Sender not authorized</env:Text></env:Reason></env:Fault>")};
    if (request.find("<GetCapabilities") != std::string::npos)
      return {200, envelope("<tds:GetCapabilitiesResponse><tds:Capabilities><tt:Media><tt:XAddr>" + media_ +
                            "</tt:XAddr></tt:Media></tds:Capabilities></tds:GetCapabilitiesResponse>")};
    if (request.find("<GetProfiles") != std::string::npos)
      return {200, envelope("<trt:GetProfilesResponse>" + profiles_ + "</trt:GetProfilesResponse>")};
    const std::string token = between(request, "<ProfileToken>", "</ProfileToken>");
    return {200,
            envelope("<trt:GetStreamUriResponse><trt:MediaUri><tt:Uri>rtsp://someone:else@127.0.0.1:554/" +
                     std::string(token == "p&amp;1" ? "first" : "second") +
                     "?a=1&amp;b=2</tt:Uri></trt:MediaUri></trt:GetStreamUriResponse>")};
  }

  const std::string profiles_ =
      R"(<trt:Profiles token="p&amp;1" fixed="true"><tt:Name>main stream</tt:Name><tt:VideoEncoderConfiguration token="v">)"
      R"(<tt:Encoding>H264</tt:Encoding><tt:Resolution><tt:Width>2560</tt:Width><tt:Height>1440</tt:Height></tt:Resolution>)"
      R"(<tt:RateControl><tt:FrameRateLimit>25</tt:FrameRateLimit></tt:RateControl></tt:VideoEncoderConfiguration></trt:Profiles>)"
      R"(<trt:Profiles token="p2"><tt:Name>small</tt:Name><tt:VideoEncoderConfiguration><tt:Encoding>JPEG</tt:Encoding>)"
      R"(<tt:Resolution><tt:Width>640</tt:Width><tt:Height>360</tt:Height></tt:Resolution></tt:VideoEncoderConfiguration></trt:Profiles>)"
      R"(<trt:Profiles token="sound"><tt:Name>sound alone</tt:Name></trt:Profiles>)";
  std::string media_ = fmt::format("http://127.0.0.1:{}/onvif/media", requests_.port());
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::string received_;
  std::thread listening_, serving_;
};

}  // namespace vantage::test
