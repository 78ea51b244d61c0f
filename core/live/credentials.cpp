#include "core/live/credentials.h"

#include <fcntl.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/process_owner.h"

namespace vantage {
namespace {

constexpr char kSchema[] = "vantage-cameras-1";

class CredentialFile final : public CredentialStore {
 public:
  explicit CredentialFile(std::filesystem::path path) : path_(std::move(path)) {}

  Result<std::optional<Credentials>> find(const std::string& address) const override {
    VANTAGE_ASSIGN(const nlohmann::json document, load());
    const auto host = document["hosts"].find(host_of(address));
    if (host == document["hosts"].end()) return std::optional<Credentials>();
    if (!host->is_object() || !host->contains("user") || !(*host)["user"].is_string() ||
        !host->contains("password") || !(*host)["password"].is_string())
      return damaged();
    return std::optional<Credentials>({(*host)["user"], (*host)["password"]});
  }

  Status keep(const std::string& address, const Credentials& credentials) override {
    VANTAGE_ASSIGN(nlohmann::json document, load());
    document["hosts"][host_of(address)] = {{"user", credentials.user}, {"password", credentials.password}};
    VANTAGE_TRY(make_folder(path_.parent_path()));
    return write(json_text(document, 2) + "\n");
  }

  std::string place() const override { return "the file " + path_.string(); }

 private:
  tl::unexpected<Error> damaged() const {
    return fail(ErrorKind::bad_data, "is not a list of cameras' passwords", path_.string(),
                "Remove it and give the passwords again.");
  }

  Result<nlohmann::json> load() const {
    std::error_code none;
    if (!std::filesystem::exists(path_, none))
      return nlohmann::json{{"schema", kSchema}, {"hosts", nlohmann::json::object()}};
    VANTAGE_ASSIGN(const std::string text, read_file(path_));
    nlohmann::json document = parse_json(text);
    const bool ours = document.is_object() && document.value("schema", nlohmann::json()) == kSchema &&
                      document.contains("hosts") && document["hosts"].is_object();
    if (!ours) return damaged();
    return document;
  }

  // Readable only by the user from the first byte.
  Status write(const std::string& text) const {
    const std::string part = path_.string() + ".part";
    ::unlink(part.c_str());
    const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool whole = file >= 0 &&
                       ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                       ::fsync(file) == 0;
    const int code = errno;
    if (file >= 0) ::close(file);
    const std::error_code renamed = whole ? rename_durably(part, path_) : std::error_code();
    if (whole && !renamed) return {};
    const int reason = whole ? renamed.value() : code;
    ::unlink(part.c_str());  // it contains passwords
    return fail(ErrorKind::io, std::string("writing failed (") + std::strerror(reason) + ")", path_.string(),
                "Check the folder's permissions and the disk.");
  }

  const std::filesystem::path path_;
};

}  // namespace

std::string host_of(const std::string& address) {
  const std::string plain = split_credentials(address).address;
  const size_t scheme = plain.find("://");
  if (scheme == std::string::npos) return {};
  const size_t end = plain.find_first_of("/?#", scheme + 3);
  return plain.substr(scheme + 3, end == std::string::npos ? end : end - scheme - 3);
}

std::unique_ptr<CredentialStore> make_credential_file(std::filesystem::path path) {
  return std::make_unique<CredentialFile>(std::move(path));
}

std::filesystem::path default_credential_path() {
  return config_folder() / "cameras.json";
}

Result<std::string> with_stored_credentials(const std::string& address, const CredentialStore& store) {
  if (host_of(address).empty() || split_credentials(address).credentials) return address;
  VANTAGE_ASSIGN(const std::optional<Credentials> known, store.find(address));
  return known ? join_credentials(address, *known) : address;
}

}  // namespace vantage
