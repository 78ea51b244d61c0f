// Cameras of the network found by ONVIF: WS-Discovery (OASIS 2009), one question by multicast, and the
// streams that each device states (ONVIF Core and Media Service Specification, 2.x and 1.x). Nothing at a
// camera is changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/live/credentials.h"

namespace vantage {

struct FoundStream {
  std::string name, address;        // without credentials
  std::string codec;                // "H264"; empty: not stated
  int width_px = 0, height_px = 0;  // 0: not stated
  double frame_rate = 0;            // maximum, frames/s; 0: not stated
};

struct FoundCamera {
  std::string name, hardware;  // as the device states them; may be empty
  std::string service;         // "http://192.168.1.64/onvif/device_service"
  std::vector<FoundStream> streams = {};
  std::string problem = {};  // why its streams are not known; empty: they are
};

struct DiscoverOptions {
  double wait_s = 3;  // for answers
  std::string address = "239.255.255.250";
  int port = 3702;
  const CredentialStore* store = nullptr;       // by a camera's host; null: none
  std::optional<Credentials> credentials = {};  // for all cameras, instead of the store's
  StopSource stop = {};
};

// Asks on every interface of this machine, then each device that answers for its streams. Passwords are sent
// as digests alone (WS-UsernameToken), to the host that answered alone. By service; empty: no camera
// answered. Errors: io (no question could be sent), cancelled.
Result<std::vector<FoundCamera>> discover_cameras(const DiscoverOptions& options);

// Asks one device, at its service's address.
FoundCamera ask_camera(FoundCamera camera, const DiscoverOptions& options);

}  // namespace vantage
