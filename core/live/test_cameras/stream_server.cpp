#include "core/live/test_cameras/stream_server.h"

#include <gst/gst.h>
#include <gst/rtsp-server/rtsp-server.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <thread>

#include "core/live/test_cameras/detail/rtsp_media.h"
#include "core/video/live/gstreamer.h"

namespace vantage {
namespace {

constexpr char kMountKey[] = "vantage-mount";  // key of a client's mount

std::string address_part(const std::string& name) {
  std::string part;
  for (const char c : name)
    part += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
  return part;
}

void note_mount(GstRTSPClient* client, GstRTSPContext* context, void*) {
  std::string path = context->uri->abspath;
  if (const size_t control = path.find("/stream="); control != std::string::npos) path.resize(control);
  g_object_set_data_full(G_OBJECT(client), kMountKey, g_strdup(path.c_str()), g_free);
}

void watch_client(GstRTSPServer*, GstRTSPClient* client, void*) {
  g_signal_connect(client, "setup-request", G_CALLBACK(note_mount), nullptr);
}

struct MountFilter {
  std::string path;
  bool remove = false;
  int clients = 0;
};

GstRTSPFilterResult filter_client(GstRTSPServer*, GstRTSPClient* client, void* data) {
  auto* filter = static_cast<MountFilter*>(data);
  const auto* path = static_cast<const char*>(g_object_get_data(G_OBJECT(client), kMountKey));
  if (!path || filter->path != path) return GST_RTSP_FILTER_KEEP;
  ++filter->clients;
  return filter->remove ? GST_RTSP_FILTER_REMOVE : GST_RTSP_FILTER_KEEP;
}

// A viewer over UDP stays in its session after its connection ends.
GstRTSPFilterResult filter_session(GstRTSPSessionPool*, GstRTSPSession* session, void* data) {
  auto* filter = static_cast<MountFilter*>(data);
  int matched = 0;
  const bool watches = gst_rtsp_session_get_media(session, filter->path.c_str(), &matched) != nullptr;
  return watches ? GST_RTSP_FILTER_REMOVE : GST_RTSP_FILTER_KEEP;
}

bool has_access(const StreamServerOptions& options) {
  return !options.user.empty() || !options.certificate_file.empty();
}

class LoopbackServer final : public StreamServer {
 public:
  ~LoopbackServer() override {
    for (Camera& camera : cameras_) camera.feed.reset();
    if (server_)
      gst_rtsp_server_client_filter(
          server_, [](auto*, auto*, void*) { return GST_RTSP_FILTER_REMOVE; }, nullptr);
    if (source_) {
      g_source_destroy(source_);
      g_source_unref(source_);
    }
    if (loop_) g_main_loop_quit(loop_);
    if (thread_.joinable()) thread_.join();
    cameras_.clear();
    if (mounts_) g_object_unref(mounts_);
    if (server_) g_object_unref(server_);
    if (loop_) g_main_loop_unref(loop_);
    if (context_) g_main_context_unref(context_);
  }

  Status open(StreamServerOptions options);

  int port() const override { return port_; }
  std::string address(size_t camera) const override {
    return (encrypted_ ? "rtsps://127.0.0.1:" : "rtsp://127.0.0.1:") + std::to_string(port_) +
           cameras_[camera].path;
  }
  int64_t scene_start_utc_ns() const override { return scene_start_utc_ns_; }
  int64_t scene_length_ns() const override { return scene_length_ns_; }
  StreamStatistics statistics(size_t camera) const override;
  bool finished() const override {
    return std::all_of(cameras_.begin(), cameras_.end(), [](const Camera& c) { return c.feed->finished(); });
  }
  std::string problem() const override {
    for (const Camera& camera : cameras_)
      if (const std::string text = camera.feed->problem(); !text.empty()) return text;
    return {};
  }
  void set_away(size_t camera, bool away) override;

 private:
  struct Camera {
    std::string path;  // on the server
    std::unique_ptr<RtspCamera> media;
    std::unique_ptr<CameraFeed> feed;
  };

  Status add_camera(const StreamedCamera& streamed, const std::string& codec,
                    const StreamServerOptions& options);
  Status set_access(const StreamServerOptions& options);
  Status attach(int port);
  void start_feed(size_t index, const StreamServerOptions& options, std::unique_ptr<AccessUnitReader> reader);

  GMainContext* context_ = nullptr;
  GMainLoop* loop_ = nullptr;
  GSource* source_ = nullptr;
  GstRTSPServer* server_ = nullptr;
  GstRTSPMountPoints* mounts_ = nullptr;
  std::thread thread_;
  std::vector<Camera> cameras_;
  int port_ = 0;
  bool encrypted_ = false;
  int64_t scene_start_utc_ns_ = 0, scene_length_ns_ = 0;
};

Status LoopbackServer::add_camera(const StreamedCamera& streamed, const std::string& codec,
                                  const StreamServerOptions& options) {
  Camera camera;
  camera.path = "/" + address_part(streamed.name);
  for (const Camera& other : cameras_)
    if (other.path == camera.path)
      return fail(ErrorKind::invalid_argument, "two cameras have the same address", streamed.name,
                  "Give the cameras different names.");
  RtspCamera::Options media;
  media.codec = codec;
  media.clock_offset_s = streamed.clock_offset_s;
  media.clock_drift_ppm = streamed.clock_drift_ppm;
  media.with_login = has_access(options);
  // Packets are in transit before the feed is set and after it is removed.
  media.loses_packet = [loss = std::make_shared<PacketLoss>(options.faults, cameras_.size())] {
    return loss->next();
  };
  VANTAGE_ASSIGN(camera.media, RtspCamera::make(std::move(media)));
  gst_rtsp_mount_points_add_factory(mounts_, camera.path.c_str(),
                                    GST_RTSP_MEDIA_FACTORY(g_object_ref(camera.media->factory())));
  cameras_.push_back(std::move(camera));
  return {};
}

// Sets the user and the encryption. Without a user everyone has the viewers' role.
Status LoopbackServer::set_access(const StreamServerOptions& options) {
  GstRTSPAuth* auth = gst_rtsp_auth_new();
  GstRTSPToken* token =
      gst_rtsp_token_new(GST_RTSP_TOKEN_MEDIA_FACTORY_ROLE, G_TYPE_STRING, "viewer", nullptr);
  if (options.user.empty()) {
    gst_rtsp_auth_set_default_token(auth, token);
  } else {
    gchar* basic = gst_rtsp_auth_make_basic(options.user.c_str(), options.password.c_str());
    gst_rtsp_auth_add_basic(auth, basic, token);
    g_free(basic);
  }
  gst_rtsp_token_unref(token);
  GError* error = nullptr;
  if (!options.certificate_file.empty()) {
    GTlsCertificate* own =
        g_tls_certificate_new_from_files(options.certificate_file.c_str(), options.key_file.c_str(), &error);
    if (own) gst_rtsp_auth_set_tls_certificate(auth, own);
    g_clear_object(&own);
    encrypted_ = !error;
  }
  gst_rtsp_server_set_auth(server_, auth);
  g_object_unref(auth);
  if (!error) return {};
  const std::string why = error->message;
  g_clear_error(&error);
  return fail(ErrorKind::bad_data, "cannot be used as certificate and key (" + why + ")",
              options.certificate_file, "Give both as PEM files, the key without a password.");
}

Status LoopbackServer::attach(int port) {
  gst_rtsp_server_set_address(server_, "127.0.0.1");
  gst_rtsp_server_set_service(server_, std::to_string(port).c_str());
  GError* error = nullptr;
  source_ = gst_rtsp_server_create_source(server_, nullptr, &error);
  if (!source_) {
    const std::string why = error ? error->message : "unknown reason";
    g_clear_error(&error);
    return fail(ErrorKind::io, "cannot listen on port " + std::to_string(port) + " (" + why + ")", {},
                "Choose another port.");
  }
  g_source_attach(source_, context_);
  port_ = gst_rtsp_server_get_bound_port(server_);
  loop_ = g_main_loop_new(context_, FALSE);
  thread_ = std::thread([this] {
    g_main_context_push_thread_default(context_);
    g_main_loop_run(loop_);
    g_main_context_pop_thread_default(context_);
  });
  return {};
}

void LoopbackServer::start_feed(size_t index, const StreamServerOptions& options,
                                std::unique_ptr<AccessUnitReader> reader) {
  const StreamedCamera& streamed = options.cameras[index];
  const double rate = streamed.frame_rate > 0 ? streamed.frame_rate : reader->facts().frame_rate;
  CameraFeedOptions feed;
  feed.offset_ns = std::llround(streamed.offset_frames / rate * 1e9);
  feed.delay_ns = std::llround(streamed.delay_s * 1e9);
  feed.scene_start_utc_ns = scene_start_utc_ns_;
  feed.round_ns = options.loop ? scene_length_ns_ : 0;
  feed.faults = options.faults;
  feed.camera = index;
  feed.reader = std::move(reader);
  RtspCamera* media = cameras_[index].media.get();
  CameraFeed::Actions actions;
  actions.send = [media](const AccessUnit& unit, int64_t capture) { media->send(unit, capture); };
  actions.on_event = [this, index](StreamEvent now) { set_away(index, now == StreamEvent::cut); };
  actions.on_end = [media] { media->end(); };
  cameras_[index].feed = std::make_unique<CameraFeed>(std::move(feed), std::move(actions));
}

Status LoopbackServer::open(StreamServerOptions options) {
  if (options.cameras.empty())
    return fail(ErrorKind::invalid_argument, "there is no camera to stream", {}, "Add a video.");
  VANTAGE_TRY(start_gstreamer());
  std::vector<std::unique_ptr<AccessUnitReader>> readers;
  for (const StreamedCamera& camera : options.cameras) {
    VANTAGE_ASSIGN(auto reader, AccessUnitReader::open(camera.path, {}));
    readers.push_back(std::move(reader));
  }
  context_ = g_main_context_new();
  server_ = gst_rtsp_server_new();
  mounts_ = gst_rtsp_server_get_mount_points(server_);
  // A viewer gets an answer at a camera's next key picture; other viewers must not wait for it.
  GstRTSPThreadPool* threads = gst_rtsp_server_get_thread_pool(server_);
  gst_rtsp_thread_pool_set_max_threads(threads, static_cast<gint>(readers.size()));
  g_object_unref(threads);
  g_signal_connect(server_, "client-connected", G_CALLBACK(watch_client), nullptr);
  if (has_access(options)) VANTAGE_TRY(set_access(options));
  for (size_t i = 0; i < readers.size(); ++i)
    VANTAGE_TRY(add_camera(options.cameras[i], readers[i]->facts().codec, options));
  VANTAGE_TRY(attach(options.port));
  scene_start_utc_ns_ = utc_now_ns() + std::llround(options.start_delay_s * 1e9);
  scene_length_ns_ = readers[0]->facts().duration_ns;
  for (size_t i = 0; i < readers.size(); ++i) start_feed(i, options, std::move(readers[i]));
  return {};
}

StreamStatistics LoopbackServer::statistics(size_t camera) const {
  const Camera& c = cameras_[camera];
  MountFilter filter{c.path};
  gst_rtsp_server_client_filter(server_, filter_client, &filter);
  StreamStatistics statistics;
  statistics.pictures = c.media->pictures();
  statistics.packets_lost = c.media->packets_lost();
  statistics.cuts = c.feed->cuts();
  statistics.stalls = c.feed->stalls();
  statistics.viewers = filter.clients;
  return statistics;
}

void LoopbackServer::set_away(size_t camera, bool away) {
  Camera& c = cameras_[camera];
  if (!away) {
    gst_rtsp_mount_points_add_factory(mounts_, c.path.c_str(),
                                      GST_RTSP_MEDIA_FACTORY(g_object_ref(c.media->factory())));
    return;
  }
  gst_rtsp_mount_points_remove_factory(mounts_, c.path.c_str());
  MountFilter filter{c.path, true};
  gst_rtsp_server_client_filter(server_, filter_client, &filter);
  GstRTSPSessionPool* sessions = gst_rtsp_server_get_session_pool(server_);
  gst_rtsp_session_pool_filter(sessions, filter_session, &filter);
  g_object_unref(sessions);
}

}  // namespace

Result<std::unique_ptr<StreamServer>> StreamServer::start(StreamServerOptions options) {
  auto server = std::make_unique<LoopbackServer>();
  VANTAGE_TRY(server->open(std::move(options)));
  return server;
}

namespace {

int64_t nanoseconds(double seconds) {
  return std::llround(seconds * 1e9);
}

}  // namespace

FaultSchedule::FaultSchedule(const StreamFaults& faults, size_t camera)
    : faults_(faults), events_(faults.seed * 3 + camera * 7919), delays_(faults.seed * 5 + camera * 104729) {
  if (faults_.cuts_every_s > 0) plan_next(0);
}

void FaultSchedule::plan_next(int64_t after_ns) {
  const double wait_s = std::exponential_distribution<double>(1 / faults_.cuts_every_s)(events_);
  const double length_s = faults_.cut_s * std::uniform_real_distribution<double>(0.5, 1.5)(events_);
  kind_ = std::bernoulli_distribution(0.5)(events_) ? StreamEvent::cut : StreamEvent::stall;
  begin_ns_ = after_ns + nanoseconds(wait_s);
  end_ns_ = begin_ns_ + nanoseconds(length_s);
  inside_ = false;
}

StreamEvent FaultSchedule::at(int64_t scene_ns) {
  while (scene_ns >= end_ns_) plan_next(end_ns_);
  if (scene_ns < begin_ns_) return StreamEvent::none;
  if (!inside_) ++(kind_ == StreamEvent::cut ? cuts_ : stalls_);
  inside_ = true;
  return kind_;
}

int64_t FaultSchedule::jitter_ns() {
  if (faults_.jitter_ms <= 0) return 0;
  return nanoseconds(std::exponential_distribution<double>(1e3 / faults_.jitter_ms)(delays_));
}

PacketLoss::PacketLoss(const StreamFaults& faults, size_t camera)
    : share_(faults.loss), losses_(faults.seed * 11 + camera * 1299709) {}

bool PacketLoss::next() {
  if (share_ <= 0) return false;
  const std::lock_guard lock(mutex_);
  return std::bernoulli_distribution(share_)(losses_);
}

}  // namespace vantage
