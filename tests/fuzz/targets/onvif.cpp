// What devices of the network answer: the probe's answers and those of ONVIF's services.
#include "core/live/onvif/detail/onvif_messages.h"
#include "tests/fuzz/target.h"

using namespace vantage;
using namespace vantage::onvif_detail;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  for (const FoundCamera& camera : probe_matches(text))
    fuzz::hold(camera.service.starts_with("http"), "a device has an address over HTTP");
  if (const auto time = device_time_s(text)) fuzz::hold(*time > -2'000'000'000'000, "a time is one");
  if (const auto address = media_service(text)) fuzz::hold(!address->empty(), "a service has an address");
  if (const auto profiles = media_profiles(text))
    for (const MediaProfile& profile : *profiles)
      fuzz::hold(!profile.token.empty() && profile.stream.width_px >= 0, "a profile has a token");
  if (const auto address = stream_address(text)) fuzz::hold(!address->empty(), "a stream has an address");
  return 0;
}
