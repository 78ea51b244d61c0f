// Admission of requests: reading, with the token where one is set, and without one only from this machine;
// marking events only with the token for that, which reads, too.
#pragma once

#include <optional>
#include <string>

#include "app/server/address.h"
#include "app/server/request.h"
#include "app/server/wrong_tokens.h"

namespace vantage::server {

struct Admission {
  ServerAddress address;
  std::string token = {};       // empty: none is asked for
  std::string mark_token = {};  // that events are marked with; empty: no one marks any
};

// invalid_argument where the address lets others in and there is no token, or both are the same.
Status check_admission(const Admission& admission);

// The answer that refuses a request; empty: it is to be answered. `wrong` counts wrong tokens.
std::optional<Answer> refusal(const Admission& admission, const Request& request, WrongTokens& wrong,
                              WrongTokens::Clock::time_point now);

}  // namespace vantage::server
