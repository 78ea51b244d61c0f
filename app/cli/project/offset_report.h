// The report of `run --offsets propose|apply` about cameras out of step, as they are found and in
// offsets.json; and the project's file with what was applied.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/project/project.h"
#include "core/run/run.h"

namespace vantage::cli {

class OffsetReport {
 public:
  // `project`: as it is analysed, with what was applied so far; outlives it. `live`: as cameras.
  OffsetReport(const Project& project, bool live)
      : project_(project), live_(live), changes_(project.cameras.size()) {}

  // On stderr.
  void add(const OffsetProposal& proposal, bool applied);
  void add_applied(const AppliedOffset& applied);
  // Into the folder with the results.
  Status write(const std::string& folder) const;
  // Writes what was applied into the project's file; `folder` has it too, should that fail.
  Status write_project(const std::string& folder) const;

 private:
  void add_frames(const OffsetProposal& proposal, bool applied);
  void add_delay(const OffsetProposal& proposal, bool applied);

  const Project& project_;
  const bool live_;
  std::vector<std::vector<OffsetChange>> changes_;  // by camera
  nlohmann::ordered_json proposals_ = nlohmann::ordered_json::array();
};

}  // namespace vantage::cli
