// `run --offsets propose|apply`: says when a camera is out of step, and brings it back into step.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/chain.h"
#include "core/alignment/offset_monitor.h"

namespace vantage::cli {

class OffsetWatch {
 public:
  // "keep": nothing is watched. Ends the command with the error where watching is impossible.
  OffsetWatch(const std::string& mode, OpenedChain& chain);
  Status add(const FrameResult& result);
  // Writes offsets.json into the results and, where that is wished, what was applied into the project's file.
  Status finish(const std::string& folder, bool write_project) const;

 private:
  void note(const OffsetProposal& proposal);
  Status restate(const std::string& folder) const;

  OpenedChain& chain_;
  const bool apply_;
  std::unique_ptr<OffsetMonitor> monitor_;  // null: nothing is watched
  std::vector<int> last_;                   // by camera: what was proposed last
  nlohmann::ordered_json proposals_ = nlohmann::ordered_json::array();
};

}  // namespace vantage::cli
