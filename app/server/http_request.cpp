#include "app/server/http_request.h"

#include <strings.h>

#include <algorithm>

#include "core/base/json.h"
#include "core/base/log.h"

namespace vantage::server {

Answer error_answer(int status, const std::string& what, const std::string& where,
                    const std::string& remedy) {
  Answer answer;
  answer.status = status;
  answer.body = json_text(nlohmann::ordered_json{{"what", what}, {"where", where}, {"do", remedy}}) + "\n";
  return answer;
}

Answer error_answer(const Error& error, const std::string& where) {
  if (error.kind == ErrorKind::not_found) return error_answer(404, error.what, where, error.remedy);
  if (error.kind == ErrorKind::invalid_argument) return error_answer(400, error.what, where, error.remedy);
  log_error("result server: " + error.message());
  return error_answer(500, redact_credentials(error.what), where, "See the log of the program that serves.");
}

namespace {

bool begins_with(std::string_view text, std::string_view scheme) {
  return text.size() >= scheme.size() && ::strncasecmp(text.data(), scheme.data(), scheme.size()) == 0;
}

// "0-99", "7-", "-5".
bool is_byte_range(std::string_view range) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const size_t dash = range.find('-');
  if (dash == std::string_view::npos || range.size() == 1) return false;
  return std::ranges::all_of(range.substr(0, dash), digit) &&
         std::ranges::all_of(range.substr(dash + 1), digit);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhite = " \t";
  const size_t begin = std::min(text.find_first_not_of(kWhite), text.size());
  return text.substr(begin, text.find_last_not_of(kWhite) + 1 - begin);
}

}  // namespace

std::optional<NamedHost> host_of_target(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!begins_with(target, scheme)) continue;
    const size_t end = std::min(target.find_first_of("/?#", scheme.size()), target.size());
    return NamedHost{std::string(target.substr(scheme.size(), end - scheme.size())), end};
  }
  return std::nullopt;
}

bool is_range(std::string_view value) {
  constexpr std::string_view kBytes = "bytes=";
  if (!begins_with(value, kBytes)) return value.find('=') != std::string_view::npos;
  for (size_t begin = kBytes.size(); begin <= value.size();) {
    const size_t end = std::min(value.find(',', begin), value.size());
    if (!is_byte_range(trimmed(value.substr(begin, end - begin)))) return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace vantage::server
