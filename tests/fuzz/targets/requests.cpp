// The parts of HTTP requests that we read ourselves: hosts, targets, ranges, addresses.
#include "app/server/address.h"
#include "app/server/admission.h"
#include "app/server/http_request.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(fuzz::text_of(data, size));
  const bool own = server::names_this_machine(text);
  if (own) {
    fuzz::hold(text.find('@') == std::string::npos && text.find(',') == std::string::npos,
               "a host with a user or of several names is not this machine");
    const bool known = text.starts_with("127.") || text.starts_with("[") ||
                       std::tolower(static_cast<unsigned char>(text[0])) == 'l';
    fuzz::hold(known, "this machine is localhost, 127.x.x.x or a loopback address of IPv6");
  }
  if (const auto named = server::host_of_target(text))
    fuzz::hold(named->path_begin <= text.size(), "the path begins inside the target");
  server::is_range(text);
  if (const auto address = server::parse_server_address(text))
    fuzz::hold(server::parse_server_address(address->text()).has_value(),
               "an address is read as it is shown");
  return 0;
}
