// The page at /: resources/server/index.html, part of the program.
#pragma once

#include "app/server/request.h"

namespace vantage::server {

Answer page();

}  // namespace vantage::server
