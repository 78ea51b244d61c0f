#include "core/results/results_live.h"

#include <cmath>

#include "core/base/json.h"
#include "core/project/json_parts.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;
using project_detail::rounded;

ordered_json camera_health(const CameraHealth& camera) {
  const auto known = [](double value) { return value < 0 ? ordered_json() : ordered_json(rounded(value)); };
  return {{"name", camera.name},
          {"here", camera.here},
          {"state", camera.state},
          {"picture", camera.picture.empty() ? ordered_json() : ordered_json(camera.picture)},
          {"certificate_checked",
           camera.certificate_checked ? ordered_json(*camera.certificate_checked) : ordered_json()},
          {"detector", camera.detector.empty() ? ordered_json() : ordered_json(camera.detector)},
          {"view_of_utc_s", camera.view_of_utc_s ? ordered_json(*camera.view_of_utc_s) : ordered_json()},
          {"declared_frame_rate", rounded(camera.declared_rate)},
          {"delivered_frame_rate", rounded(camera.delivered_rate)},
          {"bits_per_second", std::llround(camera.bit_rate)},
          {"jitter_ms", rounded(camera.jitter_ms)},
          {"age_s", known(camera.age_s)},
          {"delay_ms", camera.delay_ms == -1 ? ordered_json() : ordered_json(rounded(camera.delay_ms))},
          {"clock_offset_s",
           camera.clock_offset_s ? ordered_json(rounded(*camera.clock_offset_s)) : ordered_json()},
          {"correction_s", rounded(camera.correction_s)},
          {"drift_ppm", rounded(camera.drift_ppm)},
          {"pictures", camera.pictures},
          {"decode_errors", camera.decode_errors},
          {"left_out", camera.left_out},
          {"late", camera.late},
          {"reconnections", camera.reconnections}};
}

ordered_json health_json(const LiveHealth& health) {
  ordered_json json = {{"start_utc_s", health.start_utc_s},
                       {"frame_rate", health.rate},
                       {"bound_ms", health.bound_ms},
                       {"delay_span_ms", rounded(health.delay_span_ms)},
                       {"every", health.thinning},
                       {"sets", health.sets},
                       {"incomplete", health.incomplete},
                       {"dropped", health.dropped},
                       {"thinned", health.thinned},
                       {"analysed", health.analysed},
                       {"latency_ms",
                        {{"p50", rounded(health.latency_p50_ms)},
                         {"p95", rounded(health.latency_p95_ms)},
                         {"max", rounded(health.latency_max_ms)}}},
                       {"age_ms",
                        {{"p50", rounded(health.age_p50_ms)},
                         {"p95", rounded(health.age_p95_ms)},
                         {"max", rounded(health.age_max_ms)}}},
                       {"time_code_ms", health.code_p50_ms < 0 && health.code_max_ms < 0
                                            ? ordered_json()
                                            : ordered_json({{"p50", rounded(health.code_p50_ms)},
                                                            {"p95", rounded(health.code_p95_ms)},
                                                            {"max", rounded(health.code_max_ms)}})},
                       {"cameras", ordered_json::array()}};
  for (const CameraHealth& camera : health.cameras) json["cameras"].push_back(camera_health(camera));
  return json;
}

}  // namespace

std::string live_health_json(const LiveHealth& health) {
  return json_text(health_json(health), 2);
}

std::string with_live_health(std::string object, const LiveHealth& health) {
  object.back() = ',';
  object += "\"live\":";
  object += json_text(health_json(health));
  object += '}';
  return object;
}

}  // namespace vantage
