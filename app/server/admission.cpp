#include "app/server/admission.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "app/server/address.h"

namespace vantage::server {

std::chrono::seconds WrongTokens::judge(const std::string& address, bool right, Clock::time_point now) {
  constexpr std::chrono::seconds kNone{0};
  const std::lock_guard lock(mutex_);
  const auto known = forgotten_at_.find(address);
  const auto forgotten_at = known == forgotten_at_.end() ? now : std::max(known->second, now);
  const auto too_many = forgotten_at - (kAtOnce - 1) * kEvery;
  if (too_many > now) return std::chrono::ceil<std::chrono::seconds>(too_many - now);
  if (right) return kNone;
  if (known == forgotten_at_.end()) make_room(now);
  forgotten_at_[address] = forgotten_at + kEvery;
  return kNone;
}

void WrongTokens::make_room(Clock::time_point now) {
  if (forgotten_at_.size() < kMaxAddresses) return;
  std::erase_if(forgotten_at_, [&](const auto& one) { return one.second <= now; });
  if (forgotten_at_.size() < kMaxAddresses) return;
  forgotten_at_.erase(
      std::ranges::min_element(forgotten_at_, {}, [](const auto& one) { return one.second; }));
}

namespace {

// Constant time, independent of the first difference.
bool equal(const std::string& given, const std::string& wanted) {
  unsigned difference = given.size() == wanted.size() ? 0 : 1;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const char other = given.empty() ? '\0' : given[i % given.size()];
    difference |= static_cast<unsigned char>(wanted[i] ^ other);
  }
  return difference == 0;
}

bool brings(const Request& request, const std::string& token) {
  return equal(request.authorization, "Bearer " + token) && !token.empty();
}

Answer come_later(const Request& request, std::chrono::seconds wait) {
  const std::string seconds = std::to_string(wait.count());
  Answer answer = error_answer(429, "too many wrong tokens came from this address", request.path,
                               "Try again in " + seconds + " s, with the right one.");
  answer.headers.emplace_back("Retry-After", seconds);
  return answer;
}

Answer wrong_method(const Request& request, bool marking) {
  Answer answer = error_answer(405, marking ? "this is not how events are marked" : "results are read only",
                               request.path, marking ? "Use GET, HEAD or POST." : "Use GET or HEAD.");
  answer.headers.emplace_back("Allow", marking ? "GET, HEAD, POST" : "GET, HEAD");
  return answer;
}

}  // namespace

Status check_admission(const Admission& admission) {
  if (!admission.token.empty() && admission.token == admission.mark_token)
    return fail(ErrorKind::invalid_argument,
                "the token that reads and the one that marks events are the same", admission.address.text(),
                "Choose another one for marking.");
  if (!admission.token.empty() || admission.address.loopback()) return {};
  return fail(ErrorKind::invalid_argument, "other machines can reach this address, and no token is set",
              admission.address.text(),
              "Set a token (vantage-cli: --serve-token-file or the environment variable "
              "VANTAGE_SERVE_TOKEN), or serve at 127.0.0.1.");
}

std::optional<Answer> refusal(const Admission& admission, const Request& request, WrongTokens& wrong,
                              WrongTokens::Clock::time_point now) {
  // None or several: a proxy could choose another than this server.
  if (request.host_headers != 1)
    return error_answer(400, "a request names one host", request.path, "Send the header Host once.");
  const bool marking = request.method == "POST";
  if (request.method != "GET" && request.method != "HEAD" && !(marking && !admission.mark_token.empty()))
    return wrong_method(request, !admission.mark_token.empty());
  if (request.has_body && !marking)
    return error_answer(413, "requests have no body", request.path, "Omit it.");
  // The page requires no token, contains no data, and asks for the token.
  if (request.path == "/" && !marking) return std::nullopt;
  // Both are compared, whichever matches.
  const bool marks = brings(request, admission.mark_token);
  const bool reads = brings(request, admission.token);
  if (admission.token.empty() && !marking && !marks) {
    if (std::ranges::all_of(request.hosts, names_this_machine)) return std::nullopt;
    return error_answer(403, "this server answers to names of this machine only", request.path,
                        "Use 127.0.0.1 or localhost, or set a token.");
  }
  const bool right = reads || marks;
  if (!request.authorization.empty())
    if (const std::chrono::seconds wait = wrong.judge(request.client, right, now); wait.count() > 0)
      return come_later(request, wait);
  if (marks || (reads && !marking)) return std::nullopt;
  if (reads)
    return error_answer(403, "this token reads only", request.path, "Send the token that marks events.");
  Answer answer =
      error_answer(401, "the token is missing or wrong", request.path, "Send 'Authorization: Bearer TOKEN'.");
  answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  return answer;
}

namespace {

bool is_port(std::string_view text) {
  uint16_t port = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
  return problem == std::errc() && end == text.data() + text.size();
}

bool is_localhost(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(name, std::string_view("localhost"), {}, lower);
}

}  // namespace

bool names_this_machine(std::string_view authority) {
  const bool bracketed = authority.starts_with('[');
  const size_t name_end = std::min(bracketed ? authority.find(']') : authority.find(':'), authority.size());
  const std::string_view name = authority.substr(bracketed ? 1 : 0, name_end - (bracketed ? 1 : 0));
  std::string_view rest = authority.substr(name_end);
  if (bracketed) {
    if (rest.empty()) return false;
    rest.remove_prefix(1);
  }
  if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) return false;
  if (bracketed) return is_loopback_ipv6(name);
  return is_localhost(name) || is_loopback_ipv4(name);
}

}  // namespace vantage::server
