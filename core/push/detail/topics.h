// Users' names as parts of MQTT topics and of Home Assistant's identifiers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/project/push_target.h"
#include "core/push/push_transport.h"

namespace vantage {

// One level of a topic: '/', '+', '#', '%' and control characters become %XX, so that names stay different.
std::string topic_level(const std::string& name);

// Prefix of the target's topics.
std::string topic_base(const PushTarget& target, const std::string& project_name);

// Letters, digits, '_' and '-' only. Names that lose characters get a checksum, so that they stay different.
std::string discovery_id(const std::string& name);

// Entities that Home Assistant finds by itself: each rule and each camera as a binary sensor, each rule's
// last picture as an image (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery).

// Topics with their JSON, to be retained by the broker.
std::vector<std::pair<std::string, std::string>> discovery_messages(const PushTarget& target,
                                                                    const PushedProject& project,
                                                                    const std::string& base);

}  // namespace vantage
