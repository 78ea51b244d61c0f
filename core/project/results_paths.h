// People of results on disk followed over all of their frames at once (core/path_tracking): how
// `vantage-cli track` works, and what a run with tracking.method = paths ends with.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/path_tracking/path_tracker.h"
#include "core/project/results_reader.h"
#include "core/repairs/repairs.h"

namespace vantage {

Result<std::vector<PersonPath>> follow_stored(const StoredResults& results, const PathParameters& parameters,
                                              std::span<const FloorZone> entrances = {});

// Rows of tracks.csv, by frame, with those that bridge a gap: their confidence is 0.
std::string path_rows(const std::vector<PersonPath>& paths);

// The ways of a tracks file by number: tracks.csv, paths.csv. Rows with confidence 0 bridge a gap.
Result<std::vector<PersonPath>> read_paths(const std::filesystem::path& tracks);

// The repairs applied to tracks.csv of a results folder, into repaired.csv beside it; without repairs that
// file goes.
Result<RepairedPaths> write_repaired(const std::filesystem::path& folder,
                                     const std::vector<IdentityRepair>& repairs);

// Gives the people of a results file the numbers of their paths, and writes `tracks` from the paths. Who is
// on no path has no number.
Status number_by_paths(const std::filesystem::path& results, const std::filesystem::path& tracks,
                       const PathParameters& parameters, std::span<const FloorZone> entrances = {});

}  // namespace vantage
