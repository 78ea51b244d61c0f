// The push targets that the user of this machine has allowed. A project file may come from anyone, and a
// target sends pictures away or starts a program, so it is used only after the user's consent.
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/live/credentials.h"
#include "core/project/push_target.h"

namespace vantage {

// A user's file with kind, address and command of each allowed target. Another address, command, user name or
// authority (ca) is another target; names and contents may change.
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

// A target's user name and password (MQTT), or the key of its signatures (webhook: only the password), in the
// store of the cameras' passwords.

// Key in the store. It includes the host, so that a project with another host under a known target's name
// does not get that one's secret. Commands have none: empty.
std::string secret_address(const PushTarget& target);

// Nothing where there is none.
Result<std::optional<Credentials>> find_secret(const PushTarget& target, const CredentialStore& store);

}  // namespace vantage
