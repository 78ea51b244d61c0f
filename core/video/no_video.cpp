#include "core/video/no_video.h"

#include <fmt/core.h>
#include <cmath>
#include <cstdio>

#include "core/base/hash.h"
#include "core/video/detail/sources.h"

namespace vantage {
namespace {

constexpr std::string_view kScheme = "none://";
constexpr int kLargestSide_px = 65536;

class NoVideoSource final : public VideoSource {
 public:
  explicit NoVideoSource(const std::string& address, const NoVideo& video)
      : address_(address), video_(video) {}

  VideoInfo info() const override {
    VideoInfo info;
    info.codec = "none", info.decoder = "none";
    info.width_px = video_.width_px, info.height_px = video_.height_px;
    info.frame_rate = video_.frame_rate;
    info.frame_count = video_.frames, info.frame_count_exact = true;
    info.content_hash = content_hash();
    return info;
  }
  Result<DecodedFrame> read() override {
    if (next_ >= video_.frames) return fail(ErrorKind::end_of_stream, "the frames have ended", address_);
    DecodedFrame frame;
    frame.index = next_++;
    frame.time_ns = std::llround(static_cast<double>(frame.index) / video_.frame_rate * 1e9);
    return frame;
  }
  Status seek(int64_t index) override {
    if (index < 0) return fail(ErrorKind::invalid_argument, "frame numbers start at 0", address_);
    if (index >= video_.frames)
      return fail(ErrorKind::end_of_stream, "there is no frame " + std::to_string(index), address_);
    next_ = index;
    return {};
  }
  Result<int64_t> wait_for_frame_count(const StopSource&) override { return video_.frames; }
  std::vector<std::pair<int64_t, std::string>> problems() const override { return {}; }
  uint64_t content_hash() const override { return Hasher().add(address_).value(); }

 private:
  const std::string address_;
  const NoVideo video_;
  int64_t next_ = 0;
};

}  // namespace

bool names_no_video(const std::string& video) {
  return video.starts_with(kScheme);
}

std::string no_video_address(const NoVideo& video) {
  return fmt::format("{}{}x{}?rate={:.10g}&frames={}", kScheme, video.width_px, video.height_px,
                     video.frame_rate, video.frames);
}

Result<NoVideo> parse_no_video(const std::string& address) {
  NoVideo video;
  long long frames = 0;
  int used = -1;
  const bool read = std::sscanf(address.c_str(), "none://%dx%d?rate=%lf&frames=%lld%n", &video.width_px,
                                &video.height_px, &video.frame_rate, &frames, &used) == 4 &&
                    used == static_cast<int>(address.size());
  video.frames = frames;
  const auto side = [](int px) { return px > 0 && px <= kLargestSide_px; };
  if (read && side(video.width_px) && side(video.height_px) && std::isfinite(video.frame_rate) &&
      video.frame_rate > 0 && frames > 0)
    return video;
  return fail(ErrorKind::invalid_argument, "is not a description of a camera without a video", address,
              "Write it as none://1920x1080?rate=25&frames=1000.");
}

Result<std::unique_ptr<VideoSource>> open_no_video(const std::string& address) {
  VANTAGE_ASSIGN(const NoVideo video, parse_no_video(address));
  return std::unique_ptr<VideoSource>(std::make_unique<NoVideoSource>(address, video));
}

namespace {

class MissingSource final : public VideoSource {
 public:
  MissingSource(std::string path, VideoInfo info) : path_(std::move(path)), info_(std::move(info)) {}

  VideoInfo info() const override { return info_; }
  Result<DecodedFrame> read() override { return fail(missing()); }
  Status seek(int64_t) override { return fail(missing()); }
  Result<int64_t> wait_for_frame_count(const StopSource&) override { return fail(missing()); }
  std::vector<std::pair<int64_t, std::string>> problems() const override { return {}; }
  // Not the video's: what is made without it is not what is made with it.
  uint64_t content_hash() const override { return 0; }

 private:
  Error missing() const { return {ErrorKind::not_found, "the video is missing", path_, {}}; }

  const std::string path_;
  const VideoInfo info_;
};

}  // namespace

std::unique_ptr<VideoSource> make_missing_source(const std::string& path, const VideoInfo& info) {
  return std::make_unique<MissingSource>(path, info);
}

}  // namespace vantage
