// Admission of requests: reading only, with the token where one is set, and without one only from this
// machine.
#pragma once

#include <optional>
#include <string>

#include "app/server/address.h"
#include "app/server/request.h"
#include "app/server/wrong_tokens.h"

namespace vantage::server {

struct Admission {
  ServerAddress address;
  std::string token;  // empty: none is asked for
};

// invalid_argument where the address lets others in and there is no token.
Status check_admission(const Admission& admission);

// The answer that refuses a request; empty: it is to be answered. `wrong` counts wrong tokens.
std::optional<Answer> refusal(const Admission& admission, const Request& request, WrongTokens& wrong,
                              WrongTokens::Clock::time_point now);

}  // namespace vantage::server
