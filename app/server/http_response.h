// An answer as libmicrohttpd sends it.
#pragma once

#include <microhttpd.h>

#include <memory>

#include "app/server/request.h"

namespace vantage::server {

struct DestroyResponse {
  void operator()(MHD_Response* response) const { MHD_destroy_response(response); }
};
using HttpResponse = std::unique_ptr<MHD_Response, DestroyResponse>;

// Null where the system has no memory or no file descriptor left. Of a feed: the thread that sends it waits
// for what comes next.
HttpResponse make_http_response(Answer answer);

}  // namespace vantage::server
