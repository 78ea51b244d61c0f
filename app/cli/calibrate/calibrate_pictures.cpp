#include "app/cli/calibrate/calibrate_pictures.h"

#include <algorithm>

#include "app/cli/common/value_or_fail.h"
#include "core/base/formatted.h"
#include "core/calibrate/board_detector.h"
#include "core/video/video_source.h"

namespace vantage::cli {
namespace {

constexpr int64_t kPictures = 40;

// The mean of pictures of one size, which noise and compression fall out of.
class MeanPicture {
 public:
  void add(ImageView<const uint8_t> gray) {
    sums_.resize(static_cast<size_t>(gray.width) * static_cast<size_t>(gray.height));
    auto sum = sums_.begin();
    for (int y = 0; y < gray.height; ++y)
      for (int x = 0; x < gray.width; ++x) *sum++ += gray.at(x, y);
    ++count_;
  }
  bool empty() const { return count_ == 0; }
  std::vector<uint8_t> mean() const {
    std::vector<uint8_t> mean;
    mean.reserve(sums_.size());
    for (const uint32_t sum : sums_) mean.push_back(static_cast<uint8_t>((sum + count_ / 2) / count_));
    return mean;
  }

 private:
  std::vector<uint32_t> sums_;
  uint32_t count_ = 0;
};

int64_t step_of(VideoSource& source, const PictureOptions& options) {
  if (options.every > 0) return options.every;
  const int64_t count = value_or_fail(source.wait_for_frame_count(interrupted()));
  return std::max<int64_t>(1, (std::min(count, options.end) - options.begin) / kPictures);
}

void check_size(const Picture& picture, const std::string& path, FoundBoards* found) {
  if (found->pictures > 0 && (picture.width() != found->width_px || picture.height() != found->height_px))
    fail_command({ErrorKind::bad_data,
                  formatted("the pictures have several sizes: %dx%d and %dx%d", found->width_px,
                            found->height_px, picture.width(), picture.height()),
                  path, "Keep the pictures of one camera and one setting together."});
  found->width_px = picture.width(), found->height_px = picture.height();
}

}  // namespace

FoundBoards find_boards(const std::string& path, int camera, const Board& board,
                        const PictureOptions& options) {
  const auto source = value_or_fail(open_video(path, {}));
  const int64_t step = step_of(*source, options);
  if (options.begin > 0) check_or_fail(source->seek(options.begin));
  FoundBoards found;
  MeanPicture mean;
  Progress progress("boards");
  for (int64_t frame = options.begin; frame < options.end; ++frame) {
    if (interrupted().stop_requested()) fail_command({ErrorKind::cancelled, "stopped", path, {}});
    const Result<DecodedFrame> decoded = source->read();
    if (!decoded && decoded.error().kind == ErrorKind::end_of_stream) break;
    if (!decoded) fail_command(decoded.error());
    if ((frame - options.begin) % step != 0 || !decoded->picture) continue;
    check_size(decoded->picture, path, &found);
    ++found.pictures;
    if (options.still) {
      mean.add(decoded->picture.plane(0));
    } else if (auto corners = find_board(decoded->picture.plane(0), board)) {
      found.views.push_back({camera, frame, std::move(*corners)});
    }
    progress.update(frame, source->info().frame_count);
  }
  if (mean.empty()) return found;
  const std::vector<uint8_t> gray = mean.mean();
  const ImageView<const uint8_t> view{gray.data(), found.width_px, found.height_px,
                                      static_cast<size_t>(found.width_px)};
  if (auto corners = find_board(view, board)) found.views.push_back({camera, 0, std::move(*corners)});
  return found;
}

}  // namespace vantage::cli
