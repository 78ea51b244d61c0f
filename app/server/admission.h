// Admission of requests. Reading: with the token where one is set, without one only from this machine.
// Marking events: only with the token for that, which allows reading, too.
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

// Wrong tokens, counted for each address: kAtOnce can come together, then one every kEvery. An address beyond
// that has to wait, whatever token it sends, so that guesses cannot be tried faster; no other address does.

class WrongTokens {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kAtOnce = 10;
  static constexpr std::chrono::seconds kEvery{6};
  static constexpr size_t kMaxAddresses = 4096;  // beyond it the one with the least to wait is forgotten

  // Counts the request's token if it is wrong. Returns how long the address has to wait, at least a second;
  // zero: its request is answered. From any thread; `now` never decreases.
  std::chrono::seconds judge(const std::string& address, bool right, Clock::time_point now);

 private:
  void make_room(Clock::time_point now);

  std::mutex mutex_;
  std::map<std::string, Clock::time_point> forgotten_at_;  // when all of its wrong tokens are
};

struct Admission {
  ServerAddress address;
  std::string token = {};       // empty: none is asked for
  std::string mark_token = {};  // for marking events; empty: no one can
};

// invalid_argument where the address lets others in and there is no token, or both are the same.
Status check_admission(const Admission& admission);

// The answer that refuses a request; empty: it is to be answered. `wrong` counts wrong tokens.
std::optional<Answer> refusal(const Admission& admission, const Request& request, WrongTokens& wrong,
                              WrongTokens::Clock::time_point now);

// Protection against DNS rebinding: a page of another site can lead its own name to this machine; the browser
// then sends that name, and only the name shows it.

// `authority`: NAME[:PORT] as the header Host or a request's target has it. True of "localhost" in any case
// of letters, of addresses 127.x.x.x in four decimal parts, and of loopback addresses of IPv6 in brackets,
// mapped ones (::ffff:127.x.x.x) too. Everything else is a foreign name: names that only begin or end so,
// other spellings of addresses (127.1, 0x7f.1), a dot at the end, a user before '@', several names in one
// header. The port may be any: a tunnel's is another than the server's.
bool names_this_machine(std::string_view authority);

}  // namespace vantage::server
