#include "core/setup/boards/board_picture_files.h"

#include <algorithm>
#include <system_error>

#include "core/base/formatted.h"
#include "core/image/png.h"
#include "core/project/camera_file_names.h"

namespace vantage {
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
    VANTAGE_TRY(write_png_gray(folders_[c] / formatted("%06lld.png", static_cast<long long>(number)), image));
  }
  return {};
}

}  // namespace vantage
