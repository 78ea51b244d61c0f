// What the stages of a chain remember, as bytes that another process continues from: a mark, the format's
// number, a checksum of the rest; then the frame, and of each stage with memory its name, its version and
// what Stage::write_memory() writes.
#pragma once

#include <string>
#include <string_view>

#include "core/pipeline/detail/chain.h"

namespace vantage::pipeline_detail {

// As Pipeline::write_memory() and read_memory().
Result<std::string> write_memory(const Chain& chain, int64_t frame);
Status read_memory(std::string_view bytes, int64_t frame, Chain* chain);

}  // namespace vantage::pipeline_detail
