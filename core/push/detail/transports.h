// The transports by kind.
#pragma once

#include "core/push/push_transport.h"

namespace vantage {

Result<std::unique_ptr<PushTransport>> make_mqtt_transport(const PushTarget& target,
                                                           const std::optional<Credentials>& secret,
                                                           const PushedProject& project);
Result<std::unique_ptr<PushTransport>> make_webhook_transport(const PushTarget& target,
                                                              const std::optional<Credentials>& secret);
Result<std::unique_ptr<PushTransport>> make_command_transport(const PushTarget& target);

}  // namespace vantage
