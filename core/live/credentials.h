// User names and passwords of cameras, kept apart from projects, logs and results: by host and port, in a
// file that only the user can read, or in a store of the front end (the desktop's key ring).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/base/address_credentials.h"
#include "core/base/result.h"

namespace vantage {

// The host of credentials: "HOST:PORT" as in the address; empty where there is none.
std::string host_of(const std::string& address);

class CredentialStore {
 public:
  virtual ~CredentialStore() = default;
  // The credentials of the address's host and port; empty where there are none.
  virtual Result<std::optional<Credentials>> find(const std::string& address) const = 0;
  virtual Status keep(const std::string& address, const Credentials& credentials) = 0;
  // The destination of keep(), as text: "the file /home/ann/.config/vantage/cameras.json".
  virtual std::string place() const = 0;
};

// The file need not exist. It is read at each find().
std::unique_ptr<CredentialStore> make_credential_file(std::filesystem::path path);
// $XDG_CONFIG_HOME/vantage/cameras.json, or the same under ~/.config.
std::filesystem::path default_credential_path();

// Adds the store's credentials to an address without its own. A store that cannot be read is an error.
Result<std::string> with_stored_credentials(const std::string& address, const CredentialStore& store);

}  // namespace vantage
