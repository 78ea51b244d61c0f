#include "app/server/run_facts.h"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/pipeline/frame_result.h"

namespace vantage::server {
namespace {

using nlohmann::ordered_json;

ordered_json parsed(const std::string& header) {
  return ordered_json::parse(header, nullptr, false);
}

struct StageFact {
  std::string_view name;
  bool calibrated = false;            // is there only with a calibration
  std::string_view switched_by = {};  // the stage whose parameter `enabled` switches it; empty: none does
};
constexpr std::array kStages = {StageFact{kVideoStage},
                                StageFact{kForegroundStage},
                                StageFact{kCarvingStage, true},
                                StageFact{kFloorStage, true},
                                StageFact{kPeopleStage, true},
                                StageFact{kTrackingStage, true},
                                StageFact{kHeightMapStage, true, kHeightMapStage},
                                StageFact{kHeadsStage, false, kHeadsStage},
                                StageFact{kFlowStage, false, kFlowStage},
                                StageFact{kMotionStage, true, kFlowStage},
                                StageFact{kAppearanceStage, true, kAppearanceStage}};

ordered_json enabled_stages(const ordered_json& header) {
  const bool calibrated = header.value("grid", ordered_json()).is_object();
  const ordered_json parameters = header.value("parameters", ordered_json::object());
  ordered_json names = ordered_json::array();
  for (const StageFact& stage : kStages) {
    if (stage.calibrated && !calibrated) continue;
    const ordered_json own = parameters.value(std::string(stage.switched_by), ordered_json::object());
    if (stage.switched_by.empty() || own.value("enabled", false)) names.push_back(stage.name);
  }
  return names;
}

}  // namespace

std::vector<std::string> camera_names(const std::string& header) {
  std::vector<std::string> names;
  for (const ordered_json& camera : parsed(header).value("cameras", ordered_json::array()))
    names.push_back(camera.value("name", std::string()));
  return names;
}

bool has_grid(const std::string& header) {
  return parsed(header).value("grid", ordered_json()).is_object();
}

std::string cameras_answer(const std::string& header) {
  const ordered_json run = parsed(header);
  ordered_json answer = {{"units", "metres"}, {"up", "z"}, {"grid", run.value("grid", ordered_json())}};
  answer["cameras"] = ordered_json::array();
  for (const ordered_json& camera : run.value("cameras", ordered_json::array())) {
    ordered_json told;
    for (const char* key :
         {"name", "codec", "width_px", "height_px", "frame_rate", "offset_frames", "calibration"})
      told[key] = camera.value(key, ordered_json());
    answer["cameras"].push_back(std::move(told));
  }
  return answer.dump();
}

ordered_json status_facts(const std::string& header) {
  const ordered_json run = parsed(header);
  const std::filesystem::path project = run.value("project", std::string());
  return {{"schema", "vantage-server-1"},
          {"project", project.stem().string()},
          {"version", run.value("version", ordered_json())},
          {"backend", run.value("backend", ordered_json())},
          {"device", run.value("device", ordered_json())},
          {"frame_rate", run.value("frame_rate", ordered_json())},
          {"stages", enabled_stages(run)}};
}

}  // namespace vantage::server
