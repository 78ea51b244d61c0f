// Published facts about a run: the header line of its results, read once, without paths on this machine's
// disk.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/export/case/still.h"

namespace vantage::server {

class RunFacts {
 public:
  // Every fact of a line that is not a JSON object is unknown.
  explicit RunFacts(const std::string& header);

  const std::vector<std::string>& cameras() const { return cameras_; }  // their names
  // How that camera's pictures are shown.
  const RunCamera& described(size_t camera) const { return described_.at(camera); }
  double frame_rate() const { return frame_rate_; }  // of the base camera; 0: not known
  // There is a volume, and there are people.
  bool calibrated() const { return calibrated_; }
  const std::string& project() const { return project_; }  // the file, as the run had it; empty: not known
  // The part of /v1/status that every kind of source has.
  const nlohmann::ordered_json& status() const { return *status_; }
  // The JSON of /v1/cameras.
  const std::string& cameras_answer() const { return cameras_answer_; }
  // `text` with the cameras' files reduced to their last part.
  std::string without_places(std::string text) const;

 private:
  std::vector<std::string> cameras_;
  std::vector<RunCamera> described_;  // one for each of them
  double frame_rate_ = 0;
  std::string project_;
  bool calibrated_ = false;
  std::shared_ptr<const nlohmann::ordered_json> status_;
  std::string cameras_answer_;
  std::vector<std::string> places_;  // none is empty
};

}  // namespace vantage::server
