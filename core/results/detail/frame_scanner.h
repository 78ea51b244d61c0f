// Frame lines in one pass, without a tree of JSON: a day has millions.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "core/results/results_reader.h"

namespace vantage::project_detail {

// What parse_frame_line() makes of a line that is valid JSON of plain form, as this program writes most.
// Nothing: JSON's own parser has to judge it, because it is damaged or holds what is rare: strings that are
// not plain ASCII, versions, colours, motion, a key twice.
std::optional<StoredFrame> scan_frame_line(std::string_view line,
                                           const std::shared_ptr<const StageVersions>& versions);

}  // namespace vantage::project_detail
