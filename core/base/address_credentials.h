// User names and passwords within addresses of cameras: "rtsp://USER:PASSWORD@HOST/PATH".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

struct Credentials {
  std::string user, password;
};

struct SplitAddress {
  std::string address;  // without
  std::optional<Credentials> credentials;
};
// The address taken apart; characters written as %XX are read, others stand for themselves, so that a
// password may hold / ? # and @ where there is one way to read it. What is no address stays. Where there are
// two ways all between // and the last @ counts as credentials: rather too much is kept secret.
SplitAddress split_credentials(const std::string& address);
// The other way round; characters that mean something in addresses are written as %XX.
std::string join_credentials(const std::string& address, const Credentials& credentials);

// The address as programs of the network take it: what stands for itself in user or password as %XX. An
// address that needs no change stays as it is.
std::string with_encoded_credentials(const std::string& address);

// invalid_argument where an address can be read in two ways; says how to write it, and never what it holds.
Status check_credentials(const std::string& address);

// Replaces user and password in every address of the text by ***: whatever stands between // and the last @
// that may end them.
std::string redact_credentials(std::string_view text);

}  // namespace vantage
