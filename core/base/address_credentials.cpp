#include "core/base/address_credentials.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace vantage {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr size_t kPortDigits = 5;

bool is_numeral(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= kPortDigits && std::all_of(text.begin(), text.end(), is_numeral);
}

enum class Host { none, possible, certain };

// How likely the text up to the path is a host: a camera of the local network may have any word as its name,
// others have a point or a port.
Host host_in(std::string_view text) {
  text = text.substr(0, text.find_first_of("/?#"));
  if (text.starts_with('[')) return text.find(']') != kNone ? Host::certain : Host::none;
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const bool valid = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_numeral(c) || c == '.' || c == '-' || c == '_';
  });
  if (!valid || (colon != kNone && !is_port(text.substr(colon + 1)))) return Host::none;
  const bool strong = colon != kNone || name.find('.') != kNone || name == "localhost";
  return strong ? Host::certain : Host::possible;
}

// True of a position inside a value of "host/path?name=value": an at sign there does not end credentials.
bool in_query(std::string_view text, size_t place) {
  const size_t path = text.find('/');
  const size_t query = path == kNone ? kNone : text.find('?', path);
  return query != kNone && text.find('=', query) < place;
}

// End of the credentials in the text behind "//".
struct CredentialsEnd {
  size_t at = kNone;       // the @; none: there are no credentials
  bool ambiguous = false;  // there are two ways to read it
};

CredentialsEnd read_authority(std::string_view rest) {
  const size_t last = rest.rfind('@');
  if (last == kNone) return {};
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const Host behind_last = host_in(rest.substr(last + 1));
  if (const size_t at = authority.rfind('@'); at != kNone) {
    if (at == last || behind_last == Host::none) return {at};
    const Host usual = host_in(rest.substr(at + 1));
    if (usual == Host::certain &&
        (behind_last != Host::certain || in_query(rest.substr(at + 1), last - at - 1)))
      return {at};
    if (usual == Host::none || (usual == Host::possible && behind_last == Host::certain)) return {last};
    return {last, true};
  }
  const size_t colon = authority.find(':');
  if (authority.starts_with('[') || colon == kNone || behind_last == Host::none) return {};
  if (!is_port(authority.substr(colon + 1))) return {last};
  if (in_query(rest, last)) return {};
  return host_in(authority.substr(0, colon)) == Host::certain ? CredentialsEnd{} : CredentialsEnd{last, true};
}

// Position behind "//" of an address; none: not an address.
size_t behind_scheme(std::string_view address) {
  const size_t scheme = address.find("://");
  return scheme == kNone ? kNone : scheme + 3;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool code = text[i] == '%' && i + 2 < text.size() &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 2])) != 0;
    if (!code) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return out;
}

std::string encoded(const std::string& text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || (c != 0 && std::strchr("-._~", c) != nullptr))
      out += c;
    else
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

// ---- addresses within a text

// Start of the next separate address; npos: none.
size_t next_address(std::string_view text, size_t from) {
  for (size_t at = text.find("://", from); at != kNone; at = text.find("://", at + 3)) {
    size_t begin = at;
    while (begin > from &&
           (is_letter(text[begin - 1]) || is_numeral(text[begin - 1]) || text[begin - 1] == '+'))
      --begin;
    if (begin == at) continue;
    if (begin == from || std::strchr(" \t\"'(=,<[", text[begin - 1]) != nullptr) return begin;
  }
  return kNone;
}

// The quote that ends a text of JSON.
size_t closing_quote(std::string_view text) {
  for (size_t at = text.find('"'); at != kNone; at = text.find('"', at + 1))
    if (at + 1 == text.size() || std::strchr(",]}:", text[at + 1]) != nullptr) return at;
  return text.size();
}

// Length of the part behind "//" that is to be hidden.
size_t hidden(std::string_view rest, bool merged) {
  const size_t last = rest.rfind('@');
  if (last == kNone) return 0;
  const size_t end = std::min(rest.find_first_of(" \t\"'<>"), rest.size());
  const std::string_view token = rest.substr(0, end);
  const std::string_view authority = token.substr(0, token.find_first_of("/?#"));
  if (merged || authority.find('@') != kNone) return last;
  const size_t colon = authority.find(':');
  if (colon != kNone && !is_port(authority.substr(colon + 1))) return last;
  const size_t in_token = token.rfind('@');
  if (in_token != kNone) return token.substr(0, in_token).find(':') != kNone ? last : 0;
  const bool cut =
      authority.size() == token.size() && end < rest.size();  // by a blank, which may be in a name
  if (!cut || rest.substr(0, last).find(':') == kNone) return 0;
  return host_in(authority.substr(0, colon)) == Host::certain ? 0 : last;
}

bool unfinished(std::string_view rest) {
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const size_t colon = authority.find(':');
  return rest.find('@') == kNone && colon != kNone && !is_port(authority.substr(colon + 1)) &&
         authority.find_first_of(" \t", colon) == kNone;
}

std::string redacted_line(std::string_view line) {
  std::string out;
  size_t position = 0;
  for (size_t scheme = line.find("://"); scheme != kNone; scheme = line.find("://", position)) {
    const size_t begin = scheme + 3;
    const size_t quote = begin + closing_quote(line.substr(begin));
    const size_t next = std::min(next_address(line, begin), line.size());
    std::string_view rest = line.substr(begin, std::min(quote, next) - begin);
    const bool merged = unfinished(rest) && next < line.size();
    if (merged) rest = line.substr(begin);
    const size_t count = hidden(rest, merged);
    out.append(line.substr(position, begin - position));
    if (count > 0) out += "***";
    position = begin + count;
  }
  return out.append(line.substr(position));
}

}  // namespace

SplitAddress split_credentials(const std::string& address) {
  const size_t begin = behind_scheme(address);
  if (begin == kNone) return {address, std::nullopt};
  const CredentialsEnd reading = read_authority(std::string_view(address).substr(begin));
  if (reading.at == kNone) return {address, std::nullopt};
  const std::string_view text = std::string_view(address).substr(begin, reading.at);
  const size_t colon = text.find(':');
  Credentials credentials;
  credentials.user = decoded(text.substr(0, colon));
  if (colon != kNone) credentials.password = decoded(text.substr(colon + 1));
  return {address.substr(0, begin) + address.substr(begin + reading.at + 1), credentials};
}

std::string join_credentials(const std::string& address, const Credentials& credentials) {
  const std::string plain = split_credentials(address).address;
  const size_t begin = behind_scheme(plain);
  if (begin == kNone) return plain;
  return plain.substr(0, begin) + encoded(credentials.user) + ":" + encoded(credentials.password) + "@" +
         plain.substr(begin);
}

std::string with_encoded_credentials(const std::string& address) {
  const size_t begin = behind_scheme(address);
  const SplitAddress split = split_credentials(address);
  if (begin == kNone || !split.credentials) return address;
  const std::string_view text =
      std::string_view(address).substr(begin, address.size() - split.address.size() - 1);
  bool plain = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool code = text[i] == '%' && i + 2 < text.size() &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 2])) != 0;
    plain = plain && (code || is_letter(text[i]) || is_numeral(text[i]) ||
                      (text[i] != 0 && std::strchr("-._~!$&'()*+,;=:", text[i]) != nullptr));
  }
  return plain ? address : join_credentials(split.address, *split.credentials);
}

Status check_credentials(const std::string& address) {
  const size_t begin = behind_scheme(address);
  if (begin == kNone || !read_authority(std::string_view(address).substr(begin)).ambiguous) return {};
  return fail(
      ErrorKind::invalid_argument, "the address can be read in two ways", redact_credentials(address),
      // The at sign by its name: redaction hides all in front of the last one of a line.
      "In user name and password write / as %2F, the at sign as %40, ? as %3F, # as %23 and : as %3A; "
      "behind the host write the at sign as %40.");
}

std::string redact_credentials(std::string_view text) {
  std::string out;
  while (true) {
    const size_t end = text.find('\n');
    out += redacted_line(text.substr(0, end));
    if (end == kNone) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace vantage
