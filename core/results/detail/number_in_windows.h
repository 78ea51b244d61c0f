// People of results numbered by paths in windows, from file to file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/results/results_paths.h"
#include "core/results/second_pass_people.h"

namespace vantage::project_detail {

// The header with the window that paths use in place of the project's.
std::string header_with_window(const std::string& header, double window_s);

// What the line of a frame tells paths; nothing where its people are unknown.
std::optional<SeenFrame> seen_by_paths(StoredFrame frame);

// number_by_paths() where numbering.parameters.window_s > 0: memory holds a window.
Status number_in_windows(const std::filesystem::path& results, const std::filesystem::path& tracks,
                         const PathNumbering& numbering, const std::shared_ptr<SecondPassPeople>& again);

}  // namespace vantage::project_detail
