// Copies a project with all its files into one folder, which opens anywhere. Files below the project's own
// folder keep their relative paths; each other folder becomes NAME.footage/FOLDER, so that files that were
// next to each other still are. What is next to the project goes along: results, variants, ground truth,
// painted masks, detections of its model, sweeps, views of live cameras; but nothing that belongs to one
// machine or session: lock, unsaved changes, waiting messages, kept stages.
//
// Results are copied byte for byte; their header states where the videos were when they were made.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/project/project.h"

namespace vantage {

struct CollectProjectOptions {
  std::filesystem::path folder;  // to be made: absent or empty
  StopSource stop;
  std::function<void(int64_t done_bytes, int64_t total_bytes)> progress;
};

struct CollectedProject {
  std::filesystem::path project;   // the copy's file
  int64_t files = 0, bytes = 0;    // without the project file
  std::vector<std::string> notes;  // sentences on what the project names and is not in the folder
};

// Complete or not at all: written next to the folder under a hidden name, and renamed. Nothing is copied
// before every file was found and their sizes compared with the free space. Errors: invalid_argument for a
// project without a file and a folder that has files; not_found with every missing file; io without enough
// space, where reading or writing fails, and where a file changed meanwhile; cancelled; those of reading
// lists.
Result<CollectedProject> collect_project(const Project& project, const CollectProjectOptions& options);

}  // namespace vantage
