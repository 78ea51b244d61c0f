#include "core/push/push_message.h"

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/results_events.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;

ordered_json body_of(const std::string& project, const char* kind) {
  return {{"schema", "vantage-push-1"},
          {"kind", kind},
          {"project", project},
          {"time_utc", utc_time(static_cast<double>(utc_now_ns()) * 1e-9)}};
}

ordered_json body_of(const PushSource& source, const char* kind) {
  ordered_json body = body_of(source.project, kind);
  body["source"] = source.live ? "live" : "recording";
  return body;
}

const char* phase_name(EventPhase phase) {
  if (phase == EventPhase::begins) return "begins";
  return phase == EventPhase::ends ? "ends" : "happens";
}

}  // namespace

std::string event_body(const PushSource& source, const FloorEvent& event, const FloorRule* rule,
                       EventPhase phase, int open, const std::optional<PicturePlace>& picture) {
  ordered_json body = body_of(source, "event");
  body["state"] = phase_name(phase);
  body["open"] = open;
  body["event"] = parse_ordered_json(event_line(event, source.frame_rate, source.start_utc_s));
  if (rule) {
    body["event"]["kind"] = kRuleKindNames[static_cast<size_t>(rule->kind)];
    if (!rule->where.empty()) body["event"]["where"] = rule->where;
  }
  if (picture)
    body["picture"] = {{"camera", picture->camera},
                       {"frame", picture->frame},
                       {"width_px", picture->width_px},
                       {"height_px", picture->height_px},
                       {"at_px", {picture->x_px, picture->y_px}}};
  return json_text(body);
}

std::string health_body(const PushSource& source, const CameraHealth& camera, const std::string& problem) {
  ordered_json body = body_of(source, "health");
  body["camera"] = camera.name;
  body["state"] = problem.empty() ? "ok" : "fault";
  if (!problem.empty()) body["problem"] = problem;
  body["pictures_per_s"] = camera.delivered_rate;
  body["bits_per_s"] = camera.bit_rate;
  body["reconnections"] = camera.reconnections;
  return json_text(body);
}

std::string started_body(const PushSource& source) {
  return json_text(body_of(source, "started"));
}

std::string test_body(const std::string& project) {
  return json_text(body_of(project, "test"));
}

std::string message_text(const PushMessage& message, bool with_picture) {
  ordered_json body = parse_ordered_json(message.body);
  body["id"] = message.id;
  if (with_picture && !message.jpeg.empty()) body["picture"]["jpeg_base64"] = base64(message.jpeg);
  return json_text(body);
}

}  // namespace vantage
