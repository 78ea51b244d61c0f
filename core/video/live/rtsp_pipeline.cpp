#include "core/video/live/rtsp_pipeline.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/error.h>
}

#include <gio/gio.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>

#include "core/base/trace.h"
#include "core/video/live/gstreamer.h"
#include "core/video/live/live_address.h"
#include "core/video/live/rtp_times.h"

namespace vantage {
namespace {

constexpr guint64 kSecond = GST_SECOND;
constexpr int64_t kOrigin_s = 1000;  // of GStreamer's times, which cannot be negative

struct RtpPayload {
  const char* encoding;  // in the session description
  AVCodecID codec;
  const char* depayloader;
  const char* pictures;  // as caps: whole ones
};
constexpr RtpPayload kPayloads[] = {
    {"H264", AV_CODEC_ID_H264, "rtph264depay", "video/x-h264,stream-format=byte-stream,alignment=au"},
    {"H265", AV_CODEC_ID_HEVC, "rtph265depay", "video/x-h265,stream-format=byte-stream,alignment=au"},
    {"JPEG", AV_CODEC_ID_MJPEG, "rtpjpegdepay", "image/jpeg"},
    {"MP4V-ES", AV_CODEC_ID_MPEG4, "rtpmp4vdepay", "video/mpeg"}};

const RtpPayload* find_payload(const char* encoding) {
  const auto* found = std::find_if(
      std::begin(kPayloads), std::end(kPayloads),
      [&](const RtpPayload& payload) { return encoding && std::strcmp(encoding, payload.encoding) == 0; });
  return found == std::end(kPayloads) ? nullptr : found;
}

std::vector<uint8_t> from_hexadecimal(const char* text) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; text && text[i] && text[i + 1]; i += 2) {
    const int high = g_ascii_xdigit_value(text[i]), low = g_ascii_xdigit_value(text[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes.push_back(static_cast<uint8_t>(high << 4 | low));
  }
  return bytes;
}

// An address as rtspsrc takes it: credentials apart.
struct Location {
  std::string url, user, password;
};
Location split(const std::string& url) {
  const auto plain = [](const std::string& escaped) {
    gchar* text = g_uri_unescape_string(escaped.c_str(), nullptr);
    std::string out = text ? text : escaped;
    g_free(text);
    return out;
  };
  const size_t host = url.find("://") + 3;
  const size_t end = std::min(url.find_first_of("/?#", host), url.size());
  const size_t at = url.substr(0, end).rfind('@');
  if (at == std::string::npos || at < host) return {url, {}, {}};
  const size_t colon = std::min(url.find(':', host), at);
  return {url.substr(0, host) + url.substr(at + 1), plain(url.substr(host, colon - host)),
          colon < at ? plain(url.substr(colon + 1, at - colon - 1)) : std::string()};
}

Status check_parts() {
  for (const char* part : {"rtspsrc", "rtpbin", "udpsrc", "rtph264depay"}) {
    GstElementFactory* factory = gst_element_factory_find(part);
    if (!factory)
      return fail(ErrorKind::unsupported, std::string("GStreamer has no ") + part, {},
                  "Install gstreamer1.0-plugins-good.");
    gst_object_unref(factory);
  }
  return {};
}

class GstRtspPipeline final : public RtspPipeline {
 public:
  ~GstRtspPipeline() override;
  void connect(const LiveAddress& address);

  std::optional<RtspPicture> next(int64_t deadline_ns, const StopSource& stop) override;
  RtspStream stream() const override {
    const std::lock_guard lock(mutex_);
    return stream_;
  }
  int failure() const override {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  bool ended() const override {
    const std::lock_guard lock(mutex_);
    return ended_;
  }

 private:
  struct Callbacks;  // GStreamer calls these on its own threads
  bool select(const GstStructure& description);
  const RtpPayload* chosen() const {
    const std::lock_guard lock(mutex_);
    return payload_;
  }
  void check_certificates(GstElement* source);
  bool accept(GTlsCertificate* shown);
  void receive(GstPad* pad);
  void note_manager_pad(GstPad* pad);
  void wait_for_room();
  void note_reports(GstBuffer* buffer);
  void set_time(GstBuffer* buffer);
  void take(GstBuffer* picture);
  void note_message(GstMessage* message);
  int final_failure(int code) const;

  GstElement* pipeline_ = nullptr;
  std::optional<CameraTrust> trust_;  // from connect() on
  mutable std::mutex mutex_;
  std::condition_variable changed_, room_;
  std::deque<RtspPicture> waiting_;
  size_t waiting_bytes_ = 0;
  bool closing_ = false, ended_ = false;
  int failure_ = 0;
  bool video_offered_ = false;
  const RtpPayload* payload_ = nullptr;  // of the stream that was chosen
  RtspStream stream_;
  std::optional<RtpTimes> times_;
  bool first_ = true;
};

struct GstRtspPipeline::Callbacks {
  using Self = GstRtspPipeline;

  static GstBusSyncReply message(GstBus*, GstMessage* message, void* self) {
    static_cast<Self*>(self)->note_message(message);
    gst_message_unref(message);
    return GST_BUS_DROP;
  }
  static gboolean select(GstElement*, guint, GstCaps* caps, void* self) {
    return static_cast<Self*>(self)->select(*gst_caps_get_structure(caps, 0)) ? TRUE : FALSE;
  }
  static void manager(GstElement*, GstElement* manager, void* self) {
    g_signal_connect(manager, "pad-added", G_CALLBACK(manager_pad), self);
  }
  static void manager_pad(GstElement*, GstPad* pad, void* self) {
    static_cast<Self*>(self)->note_manager_pad(pad);
  }
  static void pad(GstElement*, GstPad* pad, void* self) { static_cast<Self*>(self)->receive(pad); }
  static gboolean certificate(GstElement*, GTlsConnection*, GTlsCertificate* shown, GTlsCertificateFlags,
                              void* self) {
    return static_cast<Self*>(self)->accept(shown);
  }
  static GstPadProbeReturn arriving(GstPad*, GstPadProbeInfo*, void* self) {
    static_cast<Self*>(self)->wait_for_room();
    return GST_PAD_PROBE_OK;
  }
  static GstPadProbeReturn report(GstPad*, GstPadProbeInfo* info, void* self) {
    static_cast<Self*>(self)->note_reports(GST_PAD_PROBE_INFO_BUFFER(info));
    return GST_PAD_PROBE_OK;
  }
  static GstPadProbeReturn packet(GstPad*, GstPadProbeInfo* info, void* self) {
    GstBuffer* buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
    GST_PAD_PROBE_INFO_DATA(info) = buffer;
    static_cast<Self*>(self)->set_time(buffer);
    return GST_PAD_PROBE_OK;
  }
  static GstPadProbeReturn picture(GstPad*, GstPadProbeInfo* info, void* self) {
    static_cast<Self*>(self)->take(GST_PAD_PROBE_INFO_BUFFER(info));
    return GST_PAD_PROBE_DROP;
  }
};

GstRtspPipeline::~GstRtspPipeline() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    room_.notify_all();
  }
  if (!pipeline_) return;
  gst_element_set_state(pipeline_, GST_STATE_NULL);  // ends GStreamer's threads
  gst_object_unref(pipeline_);
}

void GstRtspPipeline::connect(const LiveAddress& address) {
  constexpr int kOverUdp = 1, kOverTcp = 4;  // GstRTSPLowerTrans
  constexpr int kTimesOfTheStream = 0;       // rtpjitterbuffer's mode "none"
  const Location location = split(address.url);
  pipeline_ = gst_pipeline_new(nullptr);
  GstBus* bus = gst_element_get_bus(pipeline_);
  gst_bus_set_sync_handler(bus, Callbacks::message, this, nullptr);
  gst_object_unref(bus);
  GstElement* source = gst_element_factory_make("rtspsrc", nullptr);
  const auto limit_us = static_cast<guint64>(address.open_limit_s * 1e6);
  g_object_set(source, "location", location.url.c_str(), "protocols", address.over_udp ? kOverUdp : kOverTcp,
               "latency", address.over_udp ? kReordering_ms : 0, "buffer-mode", kTimesOfTheStream,
               "drop-on-latency", FALSE, "do-retransmission", FALSE, "probation", 0, "timeout", guint64{0},
               "tcp-timeout", limit_us, "user-agent", "Vantage", nullptr);
  trust_.emplace(address);
  check_certificates(source);
  if (!location.user.empty())
    g_object_set(source, "user-id", location.user.c_str(), "user-pw", location.password.c_str(), nullptr);
  g_signal_connect(source, "select-stream", G_CALLBACK(Callbacks::select), this);
  g_signal_connect(source, "new-manager", G_CALLBACK(Callbacks::manager), this);
  g_signal_connect(source, "pad-added", G_CALLBACK(Callbacks::pad), this);
  gst_bin_add(GST_BIN(pipeline_), source);
  gst_element_set_state(pipeline_, GST_STATE_PLAYING);  // connects on a thread of its own
}

void GstRtspPipeline::check_certificates(GstElement* source) {
  if (!trust_->database()) {
    g_object_set(source, "tls-validation-flags", 0, nullptr);
    return;
  }
  if (!trust_->usable()) {
    const std::lock_guard lock(mutex_);
    failure_ = AVERROR(ENOKEY);
  }
  g_object_set(source, "tls-validation-flags", G_TLS_CERTIFICATE_VALIDATE_ALL, "tls-database",
               trust_->database(), nullptr);
  g_signal_connect(source, "accept-certificate", G_CALLBACK(Callbacks::certificate), this);
}

bool GstRtspPipeline::accept(GTlsCertificate* shown) {
  if (trust_->vouches_for(shown)) return true;
  const std::lock_guard lock(mutex_);
  failure_ = AVERROR(EKEYREJECTED);
  changed_.notify_all();
  return false;
}

// The first stream that can be decoded.
bool GstRtspPipeline::select(const GstStructure& description) {
  const char* media = gst_structure_get_string(&description, "media");
  if (!media || std::strcmp(media, "video") != 0) return false;
  const std::lock_guard lock(mutex_);
  video_offered_ = true;
  if (payload_) return false;
  int clock_rate = stream_.clock_rate;
  gst_structure_get_int(&description, "clock-rate", &clock_rate);
  if (clock_rate < RtpTimes::kMinRate || clock_rate > RtpTimes::kMaxRate) return false;
  payload_ = find_payload(gst_structure_get_string(&description, "encoding-name"));
  if (!payload_) return false;
  stream_.codec = payload_->codec;
  stream_.clock_rate = clock_rate;
  if (const char* rate = gst_structure_get_string(&description, "a-framerate"))
    stream_.stated_rate = g_ascii_strtod(rate, nullptr);
  stream_.configuration = from_hexadecimal(gst_structure_get_string(&description, "config"));
  times_.emplace(stream_.clock_rate);
  return true;
}

void GstRtspPipeline::receive(GstPad* pad) {
  const RtpPayload& payload = *chosen();
  const std::string description = std::string(payload.depayloader) + " name=depayloader ! " +
                                  payload.pictures +
                                  " ! fakesink name=end sync=false async=false enable-last-sample=false";
  GError* error = nullptr;
  GstElement* bin = gst_parse_bin_from_description(description.c_str(), TRUE, &error);
  g_clear_error(&error);
  if (!bin) {
    const std::lock_guard lock(mutex_);
    failure_ = AVERROR_DECODER_NOT_FOUND;
    return changed_.notify_all();
  }
  const auto watch = [&](const char* name, GstPadProbeCallback callback) {
    GstElement* element = gst_bin_get_by_name(GST_BIN(bin), name);
    GstPad* sink = gst_element_get_static_pad(element, "sink");
    gst_pad_add_probe(sink, GST_PAD_PROBE_TYPE_BUFFER, callback, this, nullptr);
    gst_object_unref(sink);
    gst_object_unref(element);
  };
  watch("depayloader", Callbacks::packet);
  watch("end", Callbacks::picture);
  gst_bin_add(GST_BIN(pipeline_), bin);
  gst_element_sync_state_with_parent(bin);
  GstPad* sink = gst_element_get_static_pad(bin, "sink");
  gst_pad_link(pad, sink);
  gst_object_unref(sink);
}

void GstRtspPipeline::note_manager_pad(GstPad* pad) {
  constexpr auto kData =
      static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST);
  if (g_str_has_prefix(GST_PAD_NAME(pad), "recv_rtp_sink"))
    gst_pad_add_probe(pad, kData, Callbacks::arriving, this, nullptr);
  if (g_str_has_prefix(GST_PAD_NAME(pad), "recv_rtcp_sink"))
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, Callbacks::report, this, nullptr);
}

void GstRtspPipeline::wait_for_room() {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [this] { return closing_ || waiting_bytes_ < kMaxWaiting_bytes; });
}

void GstRtspPipeline::note_reports(GstBuffer* buffer) {
  GstRTCPBuffer reports = GST_RTCP_BUFFER_INIT;
  if (!gst_rtcp_buffer_map(buffer, GST_MAP_READ, &reports)) return;
  GstRTCPPacket packet;
  for (gboolean more = gst_rtcp_buffer_get_first_packet(&reports, &packet); more;
       more = gst_rtcp_packet_move_to_next(&packet)) {
    if (gst_rtcp_packet_get_type(&packet) != GST_RTCP_TYPE_SR) continue;
    guint64 ntp = 0;
    guint32 stamp = 0;
    gst_rtcp_packet_sr_get_sender_info(&packet, nullptr, &ntp, &stamp, nullptr, nullptr);
    const std::lock_guard lock(mutex_);
    if (ntp != 0 && times_) times_->add_report(stamp, ntp);  // 0: the camera has no clock
  }
  gst_rtcp_buffer_unmap(&reports);
}

// The stream's own, not those that GStreamer makes of it.
void GstRtspPipeline::set_time(GstBuffer* buffer) {
  GstRTPBuffer packet = GST_RTP_BUFFER_INIT;
  if (!gst_rtp_buffer_map(buffer, GST_MAP_READ, &packet)) return;
  const guint32 stamp = gst_rtp_buffer_get_timestamp(&packet);
  gst_rtp_buffer_unmap(&packet);
  const std::lock_guard lock(mutex_);
  const int64_t ticks = times_->ticks(stamp) + kOrigin_s * stream_.clock_rate;
  GST_BUFFER_PTS(buffer) = gst_util_uint64_scale_round(static_cast<guint64>(std::max<int64_t>(ticks, 0)),
                                                       kSecond, static_cast<guint64>(stream_.clock_rate));
}

void GstRtspPipeline::take(GstBuffer* picture) {
  const gsize size = gst_buffer_get_size(picture);
  RtspPicture taken;
  taken.packet = av::make_packet();
  if (size == 0 || !taken.packet || av_new_packet(taken.packet.get(), static_cast<int>(size)) < 0) return;
  gst_buffer_extract(picture, 0, taken.packet->data, size);
  taken.arrival.arrival_ns = trace_now_ns();
  const std::lock_guard lock(mutex_);
  if (GST_BUFFER_PTS_IS_VALID(picture)) {
    const guint64 ticks = gst_util_uint64_scale_round(GST_BUFFER_PTS(picture),
                                                      static_cast<guint64>(stream_.clock_rate), kSecond);
    taken.packet->pts = static_cast<int64_t>(ticks) - kOrigin_s * stream_.clock_rate;
    taken.arrival.sender_utc_ns = times_->sender_utc_ns(taken.packet->pts);
  }
  taken.arrival.after_loss = GST_BUFFER_IS_DISCONT(picture) && !first_;
  first_ = false;
  waiting_bytes_ += size;
  waiting_.push_back(std::move(taken));
  changed_.notify_all();
}

// rtspsrc says of a description without a usable stream and of a refused transport the same.
int GstRtspPipeline::final_failure(int code) const {
  if (code != AVERROR_DECODER_NOT_FOUND) return code;
  if (payload_) return AVERROR_HTTP_OTHER_4XX;
  return video_offered_ ? AVERROR_DECODER_NOT_FOUND : AVERROR_STREAM_NOT_FOUND;
}

void GstRtspPipeline::note_message(GstMessage* message) {
  const GstMessageType type = GST_MESSAGE_TYPE(message);
  if (type != GST_MESSAGE_ERROR && type != GST_MESSAGE_EOS) return;
  const std::lock_guard lock(mutex_);
  if (type == GST_MESSAGE_EOS)
    ended_ = true;
  else if (failure_ == 0)
    failure_ = final_failure(rtsp_failure(message));
  changed_.notify_all();
}

std::optional<RtspPicture> GstRtspPipeline::next(int64_t deadline_ns, const StopSource& stop) {
  constexpr int64_t kStep_ns = 50'000'000;  // a stop is heard in between
  std::unique_lock lock(mutex_);
  while (waiting_.empty()) {
    const int64_t left = deadline_ns - trace_now_ns();
    if (left <= 0 || stop.stop_requested() || failure_ != 0 || ended_) return std::nullopt;
    changed_.wait_for(lock, std::chrono::nanoseconds(std::min(left, kStep_ns)));
  }
  RtspPicture picture = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= static_cast<size_t>(picture.packet->size);
  room_.notify_all();
  return picture;
}

}  // namespace

Result<std::unique_ptr<RtspPipeline>> RtspPipeline::start(const LiveAddress& address) {
  VANTAGE_TRY(start_gstreamer());
  VANTAGE_TRY(check_parts());
  auto pipeline = std::make_unique<GstRtspPipeline>();
  pipeline->connect(address);
  return pipeline;
}

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
