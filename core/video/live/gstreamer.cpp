#include "core/video/live/gstreamer.h"

#include <gst/gst.h>

#include <clocale>

namespace vantage {
namespace {

Status start() {
  // It sets the program's locale to the user's, and numbers in files would have their decimal commas.
  const std::string numbers = std::setlocale(LC_NUMERIC, nullptr);
  GError* error = nullptr;
  const bool started = gst_init_check(nullptr, nullptr, &error) != FALSE;
  std::setlocale(LC_NUMERIC, numbers.c_str());
  if (started) return {};
  const std::string why = error ? error->message : "unknown reason";
  g_clear_error(&error);
  return fail(ErrorKind::unsupported, "GStreamer does not start: " + why, {},
              "Check that its packages are installed.");
}

}  // namespace

Status start_gstreamer() {
  static const Status started = start();
  return started;
}

}  // namespace vantage
