#include "core/push/push_secret.h"

namespace vantage {

std::string secret_address(const PushTarget& target) {
  if (target.kind == PushKind::command) return {};
  return "push://" + target.name + "." + host_of(target.address);
}

Result<std::optional<Credentials>> find_secret(const PushTarget& target, const CredentialStore& store) {
  const std::string address = secret_address(target);
  if (address.empty()) return std::optional<Credentials>();
  return store.find(address);
}

}  // namespace vantage
