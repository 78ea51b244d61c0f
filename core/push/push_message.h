// Messages: JSON text, and a picture with it. The prose is resources/docs/formats.md, "Messages".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/live/health.h"
#include "core/project/project.h"
#include "core/tracks/counting/rules.h"

namespace vantage {

// As it lies in a target's queue.
struct PushMessage {
  int64_t sequence = 0;  // rises from message to message
  std::string id;        // stays the same when a message is sent again
  std::string body;      // JSON, without the ID
  std::string jpeg;      // empty: no picture
};

struct PushSource {
  std::string project;     // its name
  bool live = true;        // of cameras; otherwise a recording is analysed
  double frame_rate = 0;   // frames/s
  double start_utc_s = 0;  // of frame 0, since 1970; 0: not known
};

// begins: raised, and still the case; happens: raised and over at once, as a line that was crossed.
enum class EventPhase : uint8_t { begins, ends, happens };

// Position of an event in a picture.
struct PicturePlace {
  std::string camera;
  int64_t frame = -1;
  double x_px = 0, y_px = 0;        // of the event in the picture as it is sent
  int width_px = 0, height_px = 0;  // likewise
};

// `rule`: null where the project no longer has it. `open`: how many events of that rule last, with this one.
std::string event_body(const PushSource& source, const FloorEvent& event, const FloorRule* rule,
                       EventPhase phase, int open, const std::optional<PicturePlace>& picture);

// One camera whose state has changed. `problem` empty: all is well.
std::string health_body(const PushSource& source, const CameraHealth& camera, const std::string& problem);

// A session has begun: earlier states are no longer known.
std::string started_body(const PushSource& source);
std::string test_body(const std::string& project);

// The text that is sent: the body with ID, and with the picture (base64) where it is asked for.
std::string message_text(const PushMessage& message, bool with_picture);

}  // namespace vantage
