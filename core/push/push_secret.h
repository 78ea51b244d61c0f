// A target's user name and password (MQTT), or the key of its signatures (webhook: the password alone), in
// the store that cameras' passwords are in.
#pragma once

#include "core/live/credentials.h"
#include "core/project/push_target.h"

namespace vantage {

// The address under which the store has them. The host is part of it: a project that names another host under
// a known target's name does not get that one's secret. Commands have none: empty.
std::string secret_address(const PushTarget& target);

// Empty where there is none.
Result<std::optional<Credentials>> find_secret(const PushTarget& target, const CredentialStore& store);

}  // namespace vantage
