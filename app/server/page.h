// The program's own content: the page at / (resources/server/index.html), and the description of all routes
// for programs (resources/server/openapi.json, OpenAPI 3.1).
#pragma once

#include "app/server/http_request.h"

namespace vantage::server {

Answer page();
Answer api_description();

}  // namespace vantage::server
