#include "app/server/result_source.h"

#include <filesystem>
#include <utility>

#include "core/base/json.h"
#include "core/pipeline/stages.h"
#include "core/project/json_parts.h"

namespace vantage::server {
namespace {

using nlohmann::ordered_json;

ordered_json parsed(const std::string& header) {
  ordered_json run = parse_ordered_json(header);
  return run.is_object() ? run : ordered_json::object();
}

std::string last_part(const std::string& place) {
  return std::filesystem::path(place).filename().string();
}

ordered_json status_of(const ordered_json& run, bool calibrated) {
  const ordered_json parameters = run.value("parameters", ordered_json::object());
  const auto enabled = [&](std::string_view stage) {
    return parameters.value(std::string(stage), ordered_json::object()).value("enabled", false);
  };
  return {{"schema", "vantage-server-1"},
          {"project", std::filesystem::path(run.value("project", std::string())).stem().string()},
          {"version", run.value("version", ordered_json())},
          {"backend", run.value("backend", ordered_json())},
          {"device", run.value("device", ordered_json())},
          {"frame_rate", run.value("frame_rate", ordered_json())},
          {"versions", run.value("versions", ordered_json())},
          {"stages", stages_with_results(calibrated, enabled)},
          {"pictures", false},
          {"clips", false}};
}

ordered_json cameras_of(const ordered_json& run) {
  ordered_json answer = {{"units", "metres"}, {"up", "z"}, {"grid", run.value("grid", ordered_json())}};
  answer["cameras"] = ordered_json::array();
  for (const ordered_json& camera : run.value("cameras", ordered_json::array())) {
    ordered_json told;
    for (const char* key :
         {"name", "codec", "width_px", "height_px", "frame_rate", "offset_frames", "calibration"})
      told[key] = camera.value(key, ordered_json());
    if (camera.contains("later_calibrations")) told["later_calibrations"] = camera["later_calibrations"];
    answer["cameras"].push_back(std::move(told));
  }
  return answer;
}

// Path IDs are final some seconds later, or when the run has ended.
RunCamera described_camera(const ordered_json& run, const ordered_json& camera, double frame_rate) {
  RunCamera described;
  described.name = camera.value("name", std::string());
  described.frame_rate = frame_rate;
  described.ids_final =
      run.value("tracker", ordered_json::object()).value("method", std::string("greedy")) == "greedy";
  const ordered_json calibration = camera.value("calibration", ordered_json());
  if (!calibration.is_object()) return described;
  if (auto read = project_detail::calibrated_camera(calibration, described.name, "results"))
    described.calibration = std::move(*read);
  if (const auto later = camera.find("later_calibrations"); described.calibration && later != camera.end())
    if (auto read =
            project_detail::later_calibrations(*later, *described.calibration, described.name, "results"))
      described.later_calibrations = std::move(*read);
  return described;
}

}  // namespace

RunFacts::RunFacts(const std::string& header) {
  const ordered_json run = parsed(header);
  if (run.contains("frame_rate") && run["frame_rate"].is_number()) frame_rate_ = run["frame_rate"];
  for (const ordered_json& camera : run.value("cameras", ordered_json::array())) {
    cameras_.push_back(camera.value("name", std::string()));
    described_.push_back(described_camera(run, camera, frame_rate_));
    if (std::string video = camera.value("video", std::string()); !video.empty())
      places_.push_back(std::move(video));
  }
  if (run.contains("project") && run["project"].is_string()) project_ = run["project"];
  calibrated_ = run.value("grid", ordered_json()).is_object();
  status_ = std::make_shared<const ordered_json>(status_of(run, calibrated_));
  cameras_answer_ = json_text(cameras_of(run));
}

std::string RunFacts::without_places(std::string text) const {
  for (const std::string& place : places_)
    for (size_t at = 0; (at = text.find(place, at)) != std::string::npos;) {
      const std::string name = last_part(place);
      text.replace(at, place.size(), name);
      at += name.size();
    }
  return text;
}

}  // namespace vantage::server
