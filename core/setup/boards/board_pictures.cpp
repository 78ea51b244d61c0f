#include "core/setup/boards/board_pictures.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <system_error>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/board_detector.h"
#include "core/image/image_files.h"
#include "core/project/files_of_videos.h"
#include "core/setup/boards/recorded_instants.h"
#include "core/video/video_source.h"

namespace vantage {
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

Status take_size(const Picture& picture, const std::string& path, FoundBoards* found) {
  if (found->pictures > 0 && (picture.width() != found->width_px || picture.height() != found->height_px)) {
    const bool turned = picture.width() == found->height_px && picture.height() == found->width_px;
    return fail(ErrorKind::bad_data,
                fmt::format("the pictures have several sizes: {}x{} and {}x{}", found->width_px,
                            found->height_px, picture.width(), picture.height()) +
                    (turned ? ": some are upright by their Exif orientation" : ""),
                path,
                turned ? "Take all of them in one orientation, or remove it: exiftool -Orientation= FILES."
                       : "Keep the pictures of one camera and one setting together.");
  }
  found->width_px = picture.width(), found->height_px = picture.height();
  return {};
}

// Pictures spread over all of them, until the markers tell.
Status look_at_some(const BoardPictures& pictures, BoardGuess* guess, const StopSource& stop) {
  constexpr int64_t kLooks = 12;
  VANTAGE_ASSIGN(const auto source, open_video(pictures.path, {}));
  VANTAGE_ASSIGN(const int64_t count, source->wait_for_frame_count(stop));
  const int64_t frames = std::min(count, pictures.end) - pictures.begin, looks = std::min(kLooks, frames);
  for (int64_t look = 0; look < looks && !guess->enough(); ++look) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped", pictures.path);
    VANTAGE_TRY(source->seek(pictures.begin + frames * look / looks));
    VANTAGE_ASSIGN(const DecodedFrame frame, source->read());
    if (frame.picture) guess->look(frame.picture.plane(0));
  }
  return {};
}

}  // namespace

Result<int64_t> common_step(const std::vector<BoardPictures>& pictures, const StopSource& stop) {
  int64_t shortest = INT64_MAX;
  for (const BoardPictures& one : pictures) {
    VANTAGE_ASSIGN(const auto source, open_video(one.path, {}));
    VANTAGE_ASSIGN(const int64_t count, source->wait_for_frame_count(stop));
    shortest = std::min(shortest, std::min(count, one.end) - one.begin);
  }
  return pictures.empty() ? 1 : std::max<int64_t>(1, shortest / kPictures);
}

Result<int64_t> hand_held_step(const BoardPictures& pictures, const StopSource& stop) {
  constexpr int64_t kOfCommonStep = 3;
  VANTAGE_ASSIGN(const int64_t step, common_step({pictures}, stop));
  return std::max<int64_t>(1, step / kOfCommonStep);
}

Result<std::filesystem::path> match_pictures(const std::vector<BoardPictures*>& clips, bool out_of_step,
                                             const StopSource& stop) {
  std::vector<std::string> paths;
  for (const BoardPictures* clip : clips) paths.push_back(clip->path);
  VANTAGE_ASSIGN(RecordedInstants recorded, recorded_instants(paths, stop));
  if (recorded.of_clip.empty()) return std::filesystem::path();
  if (out_of_step)
    return fail(
        ErrorKind::unsupported,
        "some clips lack pictures, and this file states which belong together: they are not out of step",
        recorded.file.string(), "Solve them as clips in step, or move that file away.");
  for (size_t c = 0; c < clips.size(); ++c) clips[c]->instants = std::move(recorded.of_clip[c]);
  return recorded.file;
}

int FoundBoards::pictures_with_board() const {
  int count = 0;
  for (size_t i = 0; i < views.size(); ++i) count += i == 0 || views[i].instant != views[i - 1].instant;
  return count;
}

Result<double> common_rate(const std::vector<BoardPictures>& pictures) {
  constexpr double kSameRate = 0.001;  // relative; 29.97 and 30 differ
  double common = 0;
  std::string of;
  for (const BoardPictures& one : pictures) {
    VANTAGE_ASSIGN(const auto source, open_video(one.path, {}));
    const double rate = source->info().frame_rate;
    if (!(rate > 0)) continue;
    if (common > 0 && std::abs(rate / common - 1) > kSameRate)
      return fail(ErrorKind::unsupported,
                  fmt::format("the clip has {:.3f} frames/s, {} has {:.3f}", rate, of, common), one.path,
                  "Convert the clips to one rate first.");
    common = rate, of = one.path;
  }
  return common;
}

Result<std::optional<Board>> board_shown(std::span<const BoardPictures> cameras, const Board& stated,
                                         const StopSource& stop) {
  if (!stated.markers) return std::optional<Board>();
  BoardGuess guess(stated);
  for (const BoardPictures& pictures : cameras) {
    if (guess.enough()) break;
    VANTAGE_TRY(look_at_some(pictures, &guess, stop));
  }
  return guess.shown();
}

Result<FoundBoards> find_boards(const BoardPictures& pictures, int camera, std::span<const Board> boards,
                                const std::function<void(int64_t done, int64_t total)>& progress,
                                const StopSource& stop) {
  VANTAGE_ASSIGN(const auto source, open_video(pictures.path, {}));
  if (pictures.begin > 0) VANTAGE_TRY(source->seek(pictures.begin));
  FoundBoards found;
  found.frame_rate = std::max(0.0, source->info().frame_rate);
  MeanPicture mean;
  const auto find_in = [&](ImageView<const uint8_t> gray, int64_t instant) {
    for (size_t b = 0; b < boards.size(); ++b)
      if (auto corners = find_board(gray, boards[b], stop))
        found.views.push_back({camera, instant, std::move(*corners), static_cast<int>(b)});
  };
  for (int64_t frame = pictures.begin; frame < pictures.end; ++frame) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped", pictures.path);
    const Result<DecodedFrame> decoded = source->read();
    if (!decoded && decoded.error().kind == ErrorKind::end_of_stream) break;
    if (!decoded) return fail(decoded.error());
    const auto number = static_cast<size_t>(frame);
    if (!pictures.instants.empty() && number >= pictures.instants.size()) break;
    const int64_t instant = pictures.instants.empty() ? frame : pictures.instants[number];
    const int64_t counted = pictures.instants.empty() ? frame - pictures.begin : instant;
    if (counted % pictures.every != 0 || !decoded->picture) continue;
    VANTAGE_TRY(take_size(decoded->picture, pictures.path, &found));
    ++found.pictures;
    if (pictures.still)
      mean.add(decoded->picture.plane(0));
    else
      find_in(decoded->picture.plane(0), instant);
    progress(frame + 1 - pictures.begin, std::min(source->info().frame_count, pictures.end) - pictures.begin);
  }
  if (mean.empty()) return found;
  const std::vector<uint8_t> gray = mean.mean();
  const ImageView<const uint8_t> view{gray.data(), found.width_px, found.height_px,
                                      static_cast<size_t>(found.width_px)};
  find_in(view, 0);
  if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped", pictures.path);
  return found;
}

namespace {

constexpr int kDarkest = 16, kLightest = 235, kGrey = 128;

// The value in a full range, so that the conversion to a limited one gives `limited` again.
uint8_t full_range(uint8_t limited) {
  const int above = std::clamp<int>(limited, kDarkest, kLightest) - kDarkest;
  return static_cast<uint8_t>((above * 255 + 109) / 219);
}

}  // namespace

Result<BoardPictureFiles> BoardPictureFiles::make(const std::filesystem::path& folder,
                                                  const std::vector<std::string>& cameras) {
  BoardPictureFiles files;
  for (const std::string& name : camera_file_names(cameras)) {
    const std::filesystem::path& own = files.folders_.emplace_back(folder / name);
    std::error_code code;
    std::filesystem::create_directories(own, code);
    if (code) return fail(ErrorKind::io, "the folder cannot be made: " + code.message(), own.string());
    if (!std::filesystem::is_empty(own, code) || code)
      return fail(ErrorKind::invalid_argument, "the folder holds files already", own.string(),
                  "Give a folder that is not there yet.");
  }
  return files;
}

Result<FrameSet> BoardPictureFiles::as_written(const FrameSet& frames) {
  FrameSet written = frames;
  for (CameraFrame& frame : written.cameras) {
    if (!frame.picture) continue;
    VANTAGE_ASSIGN(Picture limited, Picture::make(frame.picture.format(), HostPool::shared()));
    const ImageView<const uint8_t> from = frame.picture.plane(0);
    const ImageView<uint8_t> to = limited.writable_plane(0);
    for (int y = 0; y < from.height; ++y)
      for (int x = 0; x < from.width; ++x)
        to.at(x, y) = std::clamp<uint8_t>(from.at(x, y), kDarkest, kLightest);
    frame.picture = std::move(limited);
  }
  return written;
}

Status BoardPictureFiles::write(int64_t number, const FrameSet& frames,
                                const std::vector<Size>& sizes_px) const {
  for (size_t c = 0; c < folders_.size(); ++c) {
    const Picture& picture = frames.cameras[c].picture;
    const int width = picture ? picture.width() : sizes_px[c].width_px;
    const int height = picture ? picture.height() : sizes_px[c].height_px;
    VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, width, height, HostPool::shared()));
    const ImageView<uint8_t> to = image.writable_view<uint8_t>();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) to.at(x, y) = full_range(picture ? picture.plane(0).at(x, y) : kGrey);
    VANTAGE_TRY(write_png_gray(folders_[c] / fmt::format("{:06}.png", number), image));
  }
  return {};
}

}  // namespace vantage
