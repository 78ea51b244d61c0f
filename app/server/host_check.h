// Whether a request was led to this machine by a name of this machine. A page of another site can lead its
// own name here (DNS rebinding); the browser then says that name, and only the name tells.
#pragma once

#include <string_view>

namespace vantage::server {

// `authority`: NAME[:PORT] as the header Host or a request's target has it. True of "localhost" in any case
// of letters, of addresses 127.x.x.x in four decimal parts, and of loopback addresses of IPv6 in brackets,
// mapped ones (::ffff:127.x.x.x) too. Everything else is a foreign name: names that only begin or end so,
// other spellings of addresses (127.1, 0x7f.1), a dot at the end, a user before '@', several names in one
// header. The port may be any: a tunnel's is another than the server's.
bool names_this_machine(std::string_view authority);

}  // namespace vantage::server
