// `run --offsets propose|apply`: says when a camera is out of step, and brings it back into step; live
// cameras while they run.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/chain.h"
#include "core/alignment/delay_monitor.h"

namespace vantage::cli {

class OffsetWatch {
 public:
  // "keep": nothing is watched. Ends the command with the error where watching is impossible.
  OffsetWatch(const std::string& mode, OpenedChain& chain);
  Status add(const FrameResult& result);
  // Writes offsets.json into the results and, where that is wished, what was applied into the project's file.
  Status finish(const std::string& folder, bool write_project) const;

 private:
  Status add_live(const FrameResult& result);
  void note(const OffsetProposal& proposal);
  void note_delay(const OffsetProposal& proposal);
  void apply_delays(const std::vector<OffsetProposal>& proposals);
  Status restate(const std::string& folder) const;

  OpenedChain& chain_;
  const bool apply_;
  const std::filesystem::path project_;          // before a recording took its place
  std::unique_ptr<OffsetMonitor> monitor_;       // null: no recording is watched
  std::unique_ptr<DelayMonitor> delay_monitor_;  // null: no live cameras are
  std::vector<double> delays_s_;                 // of live cameras, as they are applied
  std::vector<int> last_;                        // by camera: what was proposed last
  nlohmann::ordered_json proposals_ = nlohmann::ordered_json::array();
};

}  // namespace vantage::cli
