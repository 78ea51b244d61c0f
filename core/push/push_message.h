// Messages: JSON text with an optional picture, described in resources/docs/formats.md, "Messages".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/live/health.h"
#include "core/project/project.h"
#include "core/tracks/counting/rules.h"

namespace vantage {

// A message in a target's queue.
struct PushMessage {
  int64_t sequence = 0;  // ascends
  std::string id;        // the same when a message is sent again
  std::string body;      // JSON, without the ID
  std::string jpeg;      // empty: no picture
};

struct PushSource {
  std::string project;     // its name
  bool live = true;        // live cameras; otherwise a recording
  double frame_rate = 0;   // frames/s
  double start_utc_s = 0;  // time of frame 0, seconds since 1970; 0: unknown
};

// begins: raised and still lasting; happens: raised and over at once, such as a crossed line.
enum class EventPhase : uint8_t { begins, ends, happens };

// Position of an event in a picture.
struct PicturePlace {
  std::string camera;
  int64_t frame = -1;
  double x_px = 0, y_px = 0;        // position of the event in the picture that is sent
  int width_px = 0, height_px = 0;  // likewise
};

// `rule`: null where the project no longer has it. `open`: number of lasting events of that rule, this one
// included.
std::string event_body(const PushSource& source, const FloorEvent& event, const FloorRule* rule,
                       EventPhase phase, int open, const std::optional<PicturePlace>& picture);

// One camera whose state has changed. `problem`: empty if all is well.
std::string health_body(const PushSource& source, const CameraHealth& camera, const std::string& problem);

// A session has begun: earlier states are void.
std::string started_body(const PushSource& source);
std::string test_body(const std::string& project);

// The text to send: the body with ID, and with the picture (base64) if requested.
std::string message_text(const PushMessage& message, bool with_picture);

}  // namespace vantage
