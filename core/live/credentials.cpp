#include "core/live/credentials.h"

#include <fcntl.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/base/durable.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/process_owner.h"

namespace vantage {
namespace {

constexpr char kSchema[] = "vantage-cameras-1";

struct Authority {
  size_t begin = 0, at = std::string::npos, end = 0;  // of "USER:PASSWORD@HOST:PORT" in the address
};

std::optional<Authority> authority_of(const std::string& address) {
  const size_t scheme = address.find("://");
  if (scheme == std::string::npos) return std::nullopt;
  Authority place;
  place.begin = scheme + 3;
  place.end = std::min(address.find_first_of("/?#", place.begin), address.size());
  const size_t at = address.substr(place.begin, place.end - place.begin).rfind('@');
  if (at != std::string::npos) place.at = place.begin + at;
  return place;
}

std::string decoded(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool code = text[i] == '%' && i + 2 < text.size() &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 2])) != 0;
    if (!code) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
    i += 2;
  }
  return out;
}

std::string encoded(const std::string& text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::strchr("-._~", c) != nullptr)
      out += c;
    else
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

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

  // Readable by the user alone from its first byte on.
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
    ::unlink(part.c_str());  // it has passwords
    return fail(ErrorKind::io, std::string("writing failed (") + std::strerror(reason) + ")", path_.string(),
                "Check the folder's permissions and the disk.");
  }

  const std::filesystem::path path_;
};

}  // namespace

std::string host_of(const std::string& address) {
  const SplitAddress split = split_credentials(address);
  const auto place = authority_of(split.address);
  return place ? split.address.substr(place->begin, place->end - place->begin) : std::string();
}

SplitAddress split_credentials(const std::string& address) {
  const auto place = authority_of(address);
  if (!place || place->at == std::string::npos) return {address, std::nullopt};
  const std::string text = address.substr(place->begin, place->at - place->begin);
  const size_t colon = text.find(':');
  Credentials credentials;
  credentials.user = decoded(text.substr(0, colon));
  if (colon != std::string::npos) credentials.password = decoded(text.substr(colon + 1));
  return {address.substr(0, place->begin) + address.substr(place->at + 1), credentials};
}

std::string join_credentials(const std::string& address, const Credentials& credentials) {
  std::string plain = split_credentials(address).address;
  const auto place = authority_of(plain);
  if (!place) return plain;
  return plain.substr(0, place->begin) + encoded(credentials.user) + ":" + encoded(credentials.password) +
         "@" + plain.substr(place->begin);
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
