#include "core/push/push_consent.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/process_owner.h"

namespace vantage {
namespace {

constexpr char kSchema[] = "vantage-push-consent-1";

std::string identity_of(const PushTarget& target) {
  return json_text(nlohmann::json{{"kind", kPushKindNames[static_cast<size_t>(target.kind)]},
                                  {"address", target.address},
                                  {"ca", target.ca},
                                  {"command", target.command}});
}

}  // namespace

Result<std::vector<std::string>> PushConsent::load() const {
  std::vector<std::string> allowed;
  std::error_code none;
  if (!std::filesystem::exists(file_, none)) return allowed;
  VANTAGE_ASSIGN(const std::string text, read_file(file_));
  const nlohmann::json document = parse_json(text);
  const bool ours = document.is_object() && document.value("schema", nlohmann::json()) == kSchema &&
                    document.contains("allowed") && document["allowed"].is_array();
  if (!ours)
    return fail(ErrorKind::bad_data, "is not a list of allowed push targets", file_.string(),
                "Remove it, and allow the targets again.");
  for (const nlohmann::json& target : document["allowed"]) allowed.push_back(json_text(target));
  return allowed;
}

Result<bool> PushConsent::allows(const PushTarget& target) const {
  VANTAGE_ASSIGN(const std::vector<std::string> allowed, load());
  return std::ranges::find(allowed, identity_of(target)) != allowed.end();
}

Status PushConsent::allow(const PushTarget& target) const {
  VANTAGE_ASSIGN(std::vector<std::string> allowed, load());
  const std::string wanted = identity_of(target);
  if (std::ranges::find(allowed, wanted) != allowed.end()) return {};
  allowed.push_back(wanted);
  return write(allowed);
}

Status PushConsent::withdraw(const PushTarget& target) const {
  VANTAGE_ASSIGN(std::vector<std::string> allowed, load());
  if (std::erase(allowed, identity_of(target)) == 0) return {};
  return write(allowed);
}

Status PushConsent::write(const std::vector<std::string>& allowed) const {
  nlohmann::json document = {{"schema", kSchema}, {"allowed", nlohmann::json::array()}};
  for (const std::string& one : allowed) document["allowed"].push_back(parse_json(one));
  VANTAGE_TRY(make_folder(file_.parent_path()));
  return write_file_atomically(file_, json_text(document, 2) + "\n");
}

std::filesystem::path default_consent_path() {
  return config_folder() / "push.json";
}

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
