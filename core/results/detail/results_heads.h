// heads.csv of a results folder: the boxes of heads as `vantage-cli heads --out` writes them.
#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace vantage {

// camera,frame,x,y,w,h,score,guided of every head that the frames of results.jsonl hold; without any frame
// that was searched for heads the file goes.
Status write_head_rows(const std::filesystem::path& folder);

}  // namespace vantage
