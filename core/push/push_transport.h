// One way to send messages. A transport is used by one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/live/credentials.h"
#include "core/project/push_target.h"
#include "core/push/push_message.h"
#include "core/tracks/counting/rules.h"

namespace vantage {

// Project data for a target, in addition to the messages.
struct PushedProject {
  std::string name;
  std::vector<FloorRule> rules;
  std::vector<std::string> cameras;
};

PushedProject pushed_project(const Project& project);

class PushTransport {
 public:
  virtual ~PushTransport() = default;
  // Returns the receiver's answer, for people ("answered 200"), once it has accepted the message. Waits up to
  // the target's limit_s. Errors: io (not reached, refused, no answer), cancelled (`stop`).
  virtual Result<std::string> send(const PushMessage& message, const StopSource& stop) = 0;
  // Called while there is nothing to send: restores a broken connection. Errors: as send().
  virtual Status keep(const StopSource&) { return {}; }
};

// Does not connect yet. Errors: unsupported.
Result<std::unique_ptr<PushTransport>> make_push_transport(const PushTarget& target,
                                                           const std::optional<Credentials>& secret,
                                                           const PushedProject& project);

// Sends one message without the queue and returns the answer. Errors: as send().
Result<std::string> send_test_message(const PushTarget& target, const std::optional<Credentials>& secret,
                                      const PushedProject& project, const StopSource& stop);

// The transports by kind.

Result<std::unique_ptr<PushTransport>> make_mqtt_transport(const PushTarget& target,
                                                           const std::optional<Credentials>& secret,
                                                           const PushedProject& project);
Result<std::unique_ptr<PushTransport>> make_webhook_transport(const PushTarget& target,
                                                              const std::optional<Credentials>& secret);
Result<std::unique_ptr<PushTransport>> make_command_transport(const PushTarget& target);

}  // namespace vantage
