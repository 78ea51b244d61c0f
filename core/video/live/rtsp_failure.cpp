#include "core/video/live/rtsp_failure.h"

#include <gio/gio.h>
#include <gst/gst.h>

extern "C" {
#include <libavutil/error.h>
}

#include <cerrno>

namespace vantage {
namespace {

constexpr unsigned kConnectLimit_s = 4;
constexpr guint16 kRtspPort = 554;

int of_status(unsigned status) {
  switch (status) {
    case 401:
      return AVERROR_HTTP_UNAUTHORIZED;
    case 403:
      return AVERROR_HTTP_FORBIDDEN;
    case 404:
      return AVERROR_HTTP_NOT_FOUND;
    default:
      return status < 500 ? AVERROR_HTTP_OTHER_4XX : AVERROR_HTTP_SERVER_ERROR;
  }
}

int of_resource(int code) {
  switch (code) {
    case GST_RESOURCE_ERROR_NOT_AUTHORIZED:
      return AVERROR_HTTP_UNAUTHORIZED;
    case GST_RESOURCE_ERROR_NOT_FOUND:
      return AVERROR_HTTP_NOT_FOUND;
    case GST_RESOURCE_ERROR_SETTINGS:
      return AVERROR_HTTP_OTHER_4XX;
    case GST_RESOURCE_ERROR_OPEN_READ:
    case GST_RESOURCE_ERROR_OPEN_READ_WRITE:
      return AVERROR(ENOTCONN);
    default:
      return AVERROR_EOF;
  }
}

int of_connecting(const GError& error) {
  if (g_error_matches(&error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)) return AVERROR(ECONNREFUSED);
  return AVERROR(EHOSTUNREACH);
}

}  // namespace

int rtsp_failure(_GstMessage* message) {
  GError* error = nullptr;
  gst_message_parse_error(message, &error, nullptr);
  const GstStructure* details = nullptr;
  gst_message_parse_error_details(message, &details);
  guint status = 0;
  int code = AVERROR_EXTERNAL;
  if (details && gst_structure_get_uint(details, "rtsp-status-code", &status))
    code = of_status(status);
  else if (g_error_matches(error, GST_STREAM_ERROR, GST_STREAM_ERROR_CODEC_NOT_FOUND))
    code = AVERROR_DECODER_NOT_FOUND;
  else if (error->domain == GST_RESOURCE_ERROR)
    code = of_resource(error->code);
  g_error_free(error);
  return code;
}

int connection_failure(const std::string& address) {
  GSocketClient* client = g_socket_client_new();
  g_socket_client_set_timeout(client, kConnectLimit_s);
  GError* error = nullptr;
  GSocketConnection* connection =
      g_socket_client_connect_to_uri(client, address.c_str(), kRtspPort, nullptr, &error);
  const int code = error ? of_connecting(*error) : AVERROR_EOF;
  g_clear_error(&error);
  g_clear_object(&connection);
  g_object_unref(client);
  return code;
}

}  // namespace vantage
