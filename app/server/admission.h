// Admission of requests. Reading: with the token if one is set, without one only from this machine. Marking
// events: only with the token for that, which also allows reading.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "app/server/address.h"
#include "app/server/http_request.h"

namespace vantage::server {

// Counts wrong tokens for each address: kAtOnce at once, then one every kEvery. An address beyond that must
// wait, whatever token it sends, so that guessing is slow; other addresses are not affected.

class WrongTokens {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kAtOnce = 10;
  static constexpr std::chrono::seconds kEvery{6};
  static constexpr size_t kMaxAddresses = 4096;  // beyond it the one with the shortest wait is dropped

  // Counts a wrong token. Returns the address's remaining wait, at least a second; zero: its request is
  // answered. Thread-safe; `now` never decreases.
  std::chrono::seconds judge(const std::string& address, bool right, Clock::time_point now);

 private:
  void make_room(Clock::time_point now);

  std::mutex mutex_;
  std::map<std::string, Clock::time_point> forgotten_at_;  // expiry of all of its wrong tokens
};

struct Admission {
  ServerAddress address;
  std::string token = {};       // empty: none is required
  std::string mark_token = {};  // to mark events; empty: no one can
};

// invalid_argument where others can reach the address and there is no token, or both tokens are equal.
Status check_admission(const Admission& admission);

// The answer that refuses a request; nothing: it is to be answered. `wrong` counts wrong tokens.
std::optional<Answer> refusal(const Admission& admission, const Request& request, WrongTokens& wrong,
                              WrongTokens::Clock::time_point now);

// Protection against DNS rebinding: a page of another site can resolve its own name to this machine; only the
// name in the browser's request shows it.

// `authority`: NAME[:PORT] of the header Host or a request's target. True for "localhost" in any case, for
// addresses 127.x.x.x in four decimal parts, and for loopback addresses of IPv6 in brackets, including mapped
// ones (::ffff:127.x.x.x). Everything else is foreign: names that only begin or end so, other spellings of
// addresses (127.1, 0x7f.1), a dot at the end, a user before '@', several names in one header. Any port is
// accepted: a tunnel's differs from the server's.
bool names_this_machine(std::string_view authority);

}  // namespace vantage::server
