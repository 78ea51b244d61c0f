// A run over another range of the same recording adds to the results that are there: frames of the same
// versions stay. results_writer.h calls it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>

#include "core/base/result.h"
#include "core/results/results_reader.h"

namespace vantage::project_detail {

// Adds to `fresh`, a whole results file not renamed yet, the frames of `older` that have the same stage
// versions, or those `also_kept`, and are not in it, in order of frames; returns which. The same for the
// tracks, by frame number. Does nothing where `older` is absent, damaged or of other versions.
Result<std::set<int64_t>> add_older_frames(const std::filesystem::path& fresh,
                                           const std::filesystem::path& older,
                                           const std::filesystem::path& fresh_tracks,
                                           const std::filesystem::path& older_tracks,
                                           const StageVersions& also_kept = {});

}  // namespace vantage::project_detail
