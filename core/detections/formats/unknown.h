// What to say of a file that no format recognises; private to core/detections.
#pragma once

#include "core/base/result.h"
#include "core/detections/formats/format.h"

namespace vantage::detections_detail {

// The nearest format, the line, what stands there and what is expected, in one sentence.
Error nearest_format(const Source& source);

}  // namespace vantage::detections_detail
