#include "core/live/test_cameras/detail/rtsp_media.h"

#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/rtsp-server/rtsp-server.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

// A media whose sender reports have the pictures' capture times, on the camera's own clock. GStreamer's
// default is the server's clock and the times of sending.
struct VantageMedia {
  GstRTSPMedia parent;
};
struct VantageMediaClass {
  GstRTSPMediaClass parent_class;
};
G_DEFINE_TYPE(VantageMedia, vantage_media, GST_TYPE_RTSP_MEDIA)

static void vantage_media_init(VantageMedia*) {}

static GstElement* create_rtpbin(GstRTSPMedia*) {
  constexpr int kClockTime = 3;  // GST_RTP_NTP_TIME_SOURCE_CLOCK_TIME, of a private header
  GstElement* bin = gst_element_factory_make("rtpbin", nullptr);
  if (bin) g_object_set(bin, "ntp-time-source", kClockTime, "rtcp-sync-send-time", FALSE, nullptr);
  return bin;
}

static void vantage_media_class_init(VantageMediaClass* type) {
  type->parent_class.create_rtpbin = create_rtpbin;
}

namespace vantage {
namespace {

constexpr int64_t kNtpEpoch_ns = int64_t{2208988800} * 1'000'000'000;  // 1900 to 1970
constexpr int64_t kClockDenominator = 1'000'000'000;
constexpr int kPayloadType = 96;

struct Payload {
  const char* caps;
  const char* payloader;
};
const std::map<std::string, Payload>& payloads() {
  static const std::map<std::string, Payload> table = {
      {"h264", {"video/x-h264,stream-format=byte-stream,alignment=au", "rtph264pay config-interval=-1"}},
      {"hevc", {"video/x-h265,stream-format=byte-stream,alignment=au", "rtph265pay config-interval=-1"}},
      {"mpeg4",
       {"video/mpeg,mpegversion=4,systemstream=false", "mpeg4videoparse config-interval=-1 ! rtpmp4vpay"}},
      {"mjpeg", {"image/jpeg", "jpegparse ! rtpjpegpay"}}};
  return table;
}

}  // namespace

// GStreamer calls these on its own threads.
struct RtspCallbacks {
  static void configure(GstRTSPMediaFactory*, GstRTSPMedia* media, void* self) {
    static_cast<RtspCamera*>(self)->configure(media);
  }
  static void unprepared(GstRTSPMedia* media, void* self) { static_cast<RtspCamera*>(self)->forget(media); }
  using SharedLosses = std::shared_ptr<RtspCamera::Losses>;
  static bool loses(void* losses) {
    RtspCamera::Losses& own = **static_cast<SharedLosses*>(losses);
    if (!own.next()) return false;
    ++own.packets;
    return true;
  }
  static gboolean keep(GstBuffer** buffer, guint, void* losses) {
    if (!loses(losses)) return TRUE;
    gst_buffer_unref(*buffer);
    *buffer = nullptr;  // removed from the list
    return TRUE;
  }
  static GstPadProbeReturn lose(GstPad*, GstPadProbeInfo* info, void* losses) {
    if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
      GstBufferList* list = gst_buffer_list_make_writable(GST_PAD_PROBE_INFO_BUFFER_LIST(info));
      gst_buffer_list_foreach(list, keep, losses);
      GST_PAD_PROBE_INFO_DATA(info) = list;
      return GST_PAD_PROBE_OK;
    }
    return loses(losses) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
  }
  static void forget_losses(void* losses) { delete static_cast<SharedLosses*>(losses); }
};

Result<std::unique_ptr<RtspCamera>> RtspCamera::make(Options options) {
  const auto payload = payloads().find(options.codec);
  if (payload == payloads().end())
    return fail(ErrorKind::unsupported, "a test camera cannot send " + options.codec);
  std::unique_ptr<RtspCamera> camera(new RtspCamera);
  camera->options_ = std::move(options);
  camera->losses_->next = std::move(camera->options_.loses_packet);
  camera->factory_ = gst_rtsp_media_factory_new();
  const std::string launch = std::string("( appsrc name=src is-live=true format=time max-bytes=0 caps=\"") +
                             payload->second.caps + "\" ! " + payload->second.payloader +
                             " name=pay0 pt=" + std::to_string(kPayloadType) + " )";
  gst_rtsp_media_factory_set_launch(camera->factory_, launch.c_str());
  gst_rtsp_media_factory_set_shared(camera->factory_, TRUE);
  gst_rtsp_media_factory_set_media_gtype(camera->factory_, vantage_media_get_type());
  if (camera->options_.with_login)
    gst_rtsp_media_factory_add_role(camera->factory_, "viewer", "media.factory.access", G_TYPE_BOOLEAN, TRUE,
                                    "media.factory.construct", G_TYPE_BOOLEAN, TRUE, nullptr);
  g_signal_connect(camera->factory_, "media-configure", G_CALLBACK(RtspCallbacks::configure), camera.get());

  // Its clock shows the time since 1900, as sender reports do.
  camera->clock_ = static_cast<GstClock*>(
      g_object_new(GST_TYPE_SYSTEM_CLOCK, "clock-type", GST_CLOCK_TYPE_REALTIME, nullptr));
  camera->origin_utc_ns_ = utc_now_ns();
  gst_clock_set_calibration(
      camera->clock_, static_cast<GstClockTime>(camera->origin_utc_ns_),
      static_cast<GstClockTime>(camera->camera_time_ns(camera->origin_utc_ns_)),
      static_cast<GstClockTime>(kClockDenominator + std::llround(camera->options_.clock_drift_ppm * 1e3)),
      static_cast<GstClockTime>(kClockDenominator));
  return camera;
}

RtspCamera::~RtspCamera() {
  g_signal_handlers_disconnect_by_data(factory_, this);
  {
    const std::lock_guard lock(mutex_);
    drop_media();
  }
  g_object_unref(factory_);
  gst_object_unref(clock_);
}

int64_t RtspCamera::camera_time_ns(int64_t utc_ns) const {
  const auto since = static_cast<double>(utc_ns - origin_utc_ns_);
  return utc_ns + kNtpEpoch_ns + std::llround(options_.clock_offset_s * 1e9) +
         std::llround(since * options_.clock_drift_ppm * 1e-6);
}

void RtspCamera::configure(GstRTSPMedia* media) {
  gst_rtsp_media_set_clock(media, clock_);
  GstElement* element = gst_rtsp_media_get_element(media);
  GstElement* source = gst_bin_get_by_name_recurse_up(GST_BIN(element), "src");
  GstElement* payloader = gst_bin_get_by_name_recurse_up(GST_BIN(element), "pay0");
  GstPad* pad = gst_element_get_static_pad(payloader, "src");
  gst_pad_add_probe(pad,
                    static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST),
                    RtspCallbacks::lose, new std::shared_ptr<Losses>(losses_), RtspCallbacks::forget_losses);
  gst_object_unref(pad);
  gst_object_unref(payloader);
  gst_object_unref(element);
  g_signal_connect(media, "unprepared", G_CALLBACK(RtspCallbacks::unprepared), this);
  const std::lock_guard lock(mutex_);
  if (media_) g_signal_handlers_disconnect_by_data(media_, this);
  if (media_) g_object_unref(media_);
  if (source_) gst_object_unref(source_);
  media_ = GST_RTSP_MEDIA(g_object_ref(media));
  source_ = GST_APP_SRC(source);
  needs_key_ = true;
}

void RtspCamera::forget(GstRTSPMedia* media) {
  const std::lock_guard lock(mutex_);
  if (media == media_) drop_media();
}

void RtspCamera::drop_media() {
  if (!media_) return;
  g_signal_handlers_disconnect_by_data(media_, this);
  gst_object_unref(source_);
  g_object_unref(media_);
  source_ = nullptr;
  media_ = nullptr;
}

void RtspCamera::send(const AccessUnit& unit, int64_t capture_utc_ns) {
  const std::lock_guard lock(mutex_);
  if (!source_ || (needs_key_ && !unit.key)) return;
  needs_key_ = false;
  GstBuffer* buffer = gst_buffer_new_memdup(unit.bytes.data(), unit.bytes.size());
  const auto base = static_cast<int64_t>(gst_element_get_base_time(GST_ELEMENT(source_)));
  const int64_t running = base > 0 ? camera_time_ns(capture_utc_ns) - base : 0;
  GST_BUFFER_PTS(buffer) = static_cast<GstClockTime>(running > 0 ? running : 0);
  if (!unit.key) GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  if (gst_app_src_push_buffer(source_, buffer) == GST_FLOW_OK) ++pictures_;
}

void RtspCamera::end() {
  const std::lock_guard lock(mutex_);
  if (source_) gst_app_src_end_of_stream(source_);
}

CameraFeed::CameraFeed(CameraFeedOptions options, Actions actions)
    : options_(std::move(options)),
      actions_(std::move(actions)),
      faults_(options_.faults, options_.camera),
      thread_([this] { run(); }) {}

CameraFeed::~CameraFeed() {
  stop_.request_stop();
  thread_.join();
}

std::string CameraFeed::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void CameraFeed::run() {
  for (int64_t round = 0; !stop_.stop_requested(); ++round) {
    const Result<bool> played = play_round(round);
    if (!played) {
      const std::lock_guard lock(mutex_);
      problem_ = played.error().message();
    }
    if (!played || !*played || options_.round_ns == 0) break;
  }
  if (!stop_.stop_requested()) actions_.on_end();
  finished_ = true;
}

// In short steps, to notice a stop request.
void CameraFeed::wait_until(int64_t utc_ns) const {
  constexpr int64_t kStep_ns = 50'000'000;
  for (int64_t left = utc_ns - utc_now_ns(); left > 0 && !stop_.stop_requested();
       left = utc_ns - utc_now_ns())
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(left, kStep_ns)));
}

void CameraFeed::follow_events(int64_t scene_ns) {
  const StreamEvent now = faults_.at(scene_ns);
  cuts_ = faults_.cuts(), stalls_ = faults_.stalls();
  if (now == event_) return;
  event_ = now;
  actions_.on_event(now);
}

// False after a stop request.
Result<bool> CameraFeed::play_round(int64_t round) {
  if (round > 0) VANTAGE_TRY(options_.reader->rewind());
  const int64_t start = options_.scene_start_utc_ns + options_.delay_ns + round * options_.round_ns;
  AccessUnit unit;
  for (;;) {
    VANTAGE_ASSIGN(const bool more, options_.reader->next(&unit));
    if (!more) return true;
    const int64_t scene_ns = unit.capture_ns - options_.offset_ns;
    if (options_.round_ns > 0 && scene_ns >= options_.round_ns)
      continue;  // beyond the end of the base's video
    const int64_t capture = start + scene_ns;
    const int64_t due = start + unit.send_ns - options_.offset_ns + faults_.jitter_ns();
    last_send_ns_ = std::max(last_send_ns_, due);
    wait_until(last_send_ns_);
    if (stop_.stop_requested()) return false;
    follow_events(capture - options_.scene_start_utc_ns);
    if (event_ == StreamEvent::none && scene_ns >= 0) actions_.send(unit, capture);
  }
}

}  // namespace vantage
