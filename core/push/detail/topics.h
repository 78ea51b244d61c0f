// Names of people's things as parts of MQTT topics and of Home Assistant's identifiers.
#pragma once

#include <string>

#include "core/project/push_target.h"

namespace vantage {

// One level of a topic: '/', '+', '#', '%' and control characters become %XX, so that names stay different.
std::string topic_level(const std::string& name);

// What the target's topics begin with.
std::string topic_base(const PushTarget& target, const std::string& project_name);

// Letters, digits, '_' and '-' only. Names that lose something get a checksum, so that they stay different.
std::string discovery_id(const std::string& name);

}  // namespace vantage
