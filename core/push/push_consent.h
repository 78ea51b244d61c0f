// Which push targets the user of this machine has allowed. A project file may come from anybody, and a target
// sends pictures away or starts a program: it does so only once a person has said so here.
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/live/credentials.h"
#include "core/project/push_target.h"

namespace vantage {

// A file of the user's: kind, address and command of each allowed target. Another address, command, user of
// the machine or authority (ca) is another target; names and what is sent may change.
class PushConsent {
 public:
  explicit PushConsent(std::filesystem::path file) : file_(std::move(file)) {}

  // Errors: the file cannot be read (io, bad_data). Nothing is allowed then.
  Result<bool> allows(const PushTarget& target) const;
  Status allow(const PushTarget& target) const;
  Status withdraw(const PushTarget& target) const;

 private:
  Result<std::vector<std::string>> load() const;
  Status write(const std::vector<std::string>& allowed) const;
  const std::filesystem::path file_;
};

// push.json in config_folder().
std::filesystem::path default_consent_path();

// A target's user name and password (MQTT), or the key of its signatures (webhook: the password alone), in
// the store that cameras' passwords are in.

// The address under which the store has them. The host is part of it: a project that names another host under
// a known target's name does not get that one's secret. Commands have none: empty.
std::string secret_address(const PushTarget& target);

// Empty where there is none.
Result<std::optional<Credentials>> find_secret(const PushTarget& target, const CredentialStore& store);

}  // namespace vantage
