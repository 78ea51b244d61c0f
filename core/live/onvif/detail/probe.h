// The question by multicast; private to core/live/onvif.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/live/onvif/onvif.h"

namespace vantage::onvif_detail {

// Sends the message on every interface, and hands over each answer until the time is over. Errors: io,
// cancelled.
Status probe(const DiscoverOptions& options, const std::string& message,
             const std::function<void(std::string_view)>& answered);

}  // namespace vantage::onvif_detail
