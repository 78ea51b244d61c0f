// Checks that a server accepts connections under a name.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/base/threads.h"

namespace vantage {

// Tries all addresses of a name at once (localhost: ::1 and 127.0.0.1), until one accepts a TCP connection,
// which is closed again. `end_ns`: as trace_now_ns(). Errors: io where none does, with the last one's reason;
// cancelled.
Status reach(const std::string& host, int port, int64_t end_ns, const StopSource& stop);

}  // namespace vantage
