#include "core/live/onvif/onvif.h"

#include <map>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/live/http_post.h"
#include "core/live/onvif/detail/onvif_messages.h"
#include "core/live/onvif/detail/probe.h"
#include "core/seal/signing_key.h"

namespace vantage {
namespace {

using namespace onvif_detail;

constexpr double kAnswer_s = 5;
constexpr size_t kMaxStreams = 32;  // of a camera

std::string random_uuid() {
  std::string id = random_id(16);
  for (const size_t at : {20, 16, 12, 8}) id.insert(at, 1, '-');
  return id;
}

// "192.168.1.64" of "http://192.168.1.64:8080/onvif".
std::string host_without_port(const std::string& address) {
  const std::string host = host_of(address);
  return host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host.substr(0, host.find(':'));
}

class OnvifDevice {
 public:
  OnvifDevice(const FoundCamera& camera, const DiscoverOptions& options)
      : camera_(camera), options_(options) {}

  Result<std::vector<FoundStream>> streams() {
    VANTAGE_TRY(find_credentials());
    VANTAGE_TRY(compare_clocks());
    VANTAGE_ASSIGN(
        const std::string capabilities,
        ask(camera_.service,
            R"(<GetCapabilities xmlns="http://www.onvif.org/ver10/device/wsdl"><Category>Media</Category></GetCapabilities>)"));
    VANTAGE_ASSIGN(const std::string media, media_service(capabilities));
    if (host_without_port(media) != host_without_port(camera_.service))
      return fail(ErrorKind::unsupported, "its media service is at another host",
                  split_credentials(media).address, "Give the stream's address by hand.");
    VANTAGE_ASSIGN(const std::string listed,
                   ask(media, R"(<GetProfiles xmlns="http://www.onvif.org/ver10/media/wsdl"/>)"));
    VANTAGE_ASSIGN(std::vector<MediaProfile> profiles, media_profiles(listed));
    if (profiles.size() > kMaxStreams) profiles.resize(kMaxStreams);
    std::vector<FoundStream> streams;
    for (MediaProfile& profile : profiles) {
      VANTAGE_ASSIGN(
          const std::string answer,
          ask(media,
              R"(<GetStreamUri xmlns="http://www.onvif.org/ver10/media/wsdl"><StreamSetup>)"
              R"(<Stream xmlns="http://www.onvif.org/ver10/schema">RTP-Unicast</Stream>)"
              R"(<Transport xmlns="http://www.onvif.org/ver10/schema"><Protocol>RTSP</Protocol></Transport>)"
              R"(</StreamSetup><ProfileToken>)" +
                  xml_escaped(profile.token) + "</ProfileToken></GetStreamUri>"));
      VANTAGE_ASSIGN(profile.stream.address, stream_address(answer));
      streams.push_back(std::move(profile.stream));
    }
    return streams;
  }

 private:
  // Credentials of the camera's stream serve, too: it has one list of users.
  Status find_credentials() {
    credentials_ = options_.credentials;
    const std::string stream = "rtsp://" + host_without_port(camera_.service);
    for (const std::string& address : {camera_.service, stream + '/', stream + ":554/"}) {
      if (credentials_ || !options_.store) break;
      VANTAGE_ASSIGN(credentials_, options_.store->find(address));
    }
    return {};
  }

  // Devices refuse digests of another time than theirs.
  Status compare_clocks() {
    if (!credentials_) return {};
    VANTAGE_ASSIGN(const std::string answer,
                   ask(camera_.service,
                       R"(<GetSystemDateAndTime xmlns="http://www.onvif.org/ver10/device/wsdl"/>)", false));
    if (const Result<int64_t> time = device_time_s(answer)) ahead_s_ = *time - utc_now_ns() / 1'000'000'000;
    return {};
  }

  Result<std::string> ask(const std::string& address, const std::string& body, bool with_login = true) {
    std::optional<SoapLogin> login;
    if (credentials_ && with_login)
      login = SoapLogin{*credentials_, random_id(16),
                        utc_time(static_cast<double>(utc_now_ns() / 1'000'000'000 + ahead_s_))};
    HttpPost request{
        .address = address,
        .body = soap_request(body, login),
        .headers = {"Content-Type: application/soap+xml; charset=utf-8", "Expect:", "User-Agent: vantage"},
        .limit_s = kAnswer_s};
    VANTAGE_ASSIGN(HttpAnswer answer, poster_.post(request, options_.stop));
    if (answer.status == 401 || answer.status == 403)
      return fail(ErrorKind::io, credentials_ ? "the device refused the user name or password"
                                              : "the device asks for a user name and password");
    return std::move(answer.body);  // a fault has the status 400 or 500
  }

  const FoundCamera& camera_;
  const DiscoverOptions& options_;
  std::optional<Credentials> credentials_;
  int64_t ahead_s_ = 0;  // its clock, of this machine's
  HttpPoster poster_;
};

}  // namespace

FoundCamera ask_camera(FoundCamera camera, const DiscoverOptions& options) {
  Result<std::vector<FoundStream>> streams = OnvifDevice(camera, options).streams();
  if (streams)
    camera.streams = std::move(*streams);
  else
    camera.problem = streams.error().message();
  return camera;
}

Result<std::vector<FoundCamera>> discover_cameras(const DiscoverOptions& options) {
  std::map<std::string, FoundCamera> found;  // by service: a device answers on every interface
  VANTAGE_TRY(probe(options, probe_message(random_uuid()), [&](std::string_view datagram) {
    for (FoundCamera& camera : probe_matches(datagram)) found.try_emplace(camera.service, camera);
  }));
  std::vector<FoundCamera> cameras;
  for (auto& [service, camera] : found) {
    if (options.stop.stop_requested()) return fail(ErrorKind::cancelled, "the search was stopped");
    cameras.push_back(ask_camera(std::move(camera), options));
  }
  return cameras;
}

}  // namespace vantage
