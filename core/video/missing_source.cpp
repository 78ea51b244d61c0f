#include "core/video/detail/sources.h"

namespace vantage {
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
