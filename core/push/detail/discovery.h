// What Home Assistant finds by itself: each rule and each camera as a binary sensor, each rule's last picture
// as an image (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/push/push_transport.h"

namespace vantage {

// Topics with their JSON, all to be kept by the broker.
std::vector<std::pair<std::string, std::string>> discovery_messages(const PushTarget& target,
                                                                    const PushedProject& project,
                                                                    const std::string& base);

}  // namespace vantage
