// Gives people of results IDs by paths in windows, from file to file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/results/results_paths.h"
#include "core/results/second_pass_people.h"

namespace vantage::project_detail {

// Returns the header with the window used instead of the project's.
std::string header_with_window(const std::string& header, double window_s);

// The people of a frame line as trackers use them; nothing where they are unknown.
std::optional<SeenFrame> seen_by_paths(StoredFrame frame);

// number_by_paths() for numbering.parameters.window_s > 0: memory holds one window.
Status number_in_windows(const std::filesystem::path& results, const std::filesystem::path& tracks,
                         const PathNumbering& numbering, const std::shared_ptr<SecondPassPeople>& again);

}  // namespace vantage::project_detail
