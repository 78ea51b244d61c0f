// The targets of a project's messages. A project stores them without passwords, and each sends only where the
// user of this machine has allowed it (core/push/push_consent.h): projects of strangers send nothing and
// start nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace vantage {

enum class PushKind : uint8_t { mqtt, webhook, command };
// Names in files and on the command line, by value.
inline constexpr std::array<std::string_view, 3> kPushKindNames = {"mqtt", "webhook", "command"};

struct PushTarget {
  std::string name;  // letters, digits, '-' and '_'; names differ
  PushKind kind = PushKind::mqtt;
  std::string address = {};               // mqtt, mqtts, http or https; never with a password
  std::string ca = {};                    // PEM file of the authorities to trust; empty: the machine's.
                                          // Absolute here, relative to the project file on disk
  std::string topic = {};                 // MQTT: prefix of all topics; empty: vantage/PROJECT
  std::string discovery = {};             // MQTT: Home Assistant's prefix, "homeassistant"; empty: none
  std::vector<std::string> command = {};  // program and arguments
  double limit_s = 30;                    // for one attempt, kMinPushLimit_s to kMaxPushLimit_s
  bool events = true, health = true, pictures = true;
  std::vector<std::string> rules = {};  // whose events are sent; empty: all
  bool operator==(const PushTarget&) const = default;
};

inline constexpr double kMinPushLimit_s = 1, kMaxPushLimit_s = 600;

// Errors (invalid_argument), with the target's name: a value is not usable.
Status check_push_target(const PushTarget& target);
// Checks all targets of a project, and that their names differ.
Status check_push_targets(const std::vector<PushTarget>& targets);

// The destination as text: "mqtts://hall.example:8883", "/usr/local/bin/lamp on".
std::string destination_text(const PushTarget& target);

}  // namespace vantage
