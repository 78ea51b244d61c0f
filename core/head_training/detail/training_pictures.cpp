#include "core/head_training/detail/training_pictures.h"

#include <algorithm>

#include "core/head_training/detail/in_order.h"
#include "core/heads/head_search.h"
#include "core/image/png.h"
#include "core/synth/random.h"

namespace vantage::head_training {

using synth::HeadPicture;
using synth::RenderedHead;

Result<std::vector<HeadPicture>> render_scenes(uint64_t seed, int scenes,
                                               const synth::HeadPictureShares& shares,
                                               const std::function<void(int64_t)>& done,
                                               const StopSource& stop) {
  std::vector<HeadPicture> all;
  Status failed;
  VANTAGE_TRY(make_in_order(
      static_cast<size_t>(scenes), stop,
      [&](size_t i) {
        return synth::render_head_pictures(synth::mix(seed ^ synth::mix(i)), kFramesPerCamera, shares);
      },
      [&](size_t i, Result<std::vector<HeadPicture>> some) {
        if (!some) {
          failed = tl::unexpected(some.error());
          return false;
        }
        std::move(some->begin(), some->end(), std::back_inserter(all));
        done(static_cast<int64_t>(i) + 1);
        return true;
      }));
  VANTAGE_TRY(failed);
  return all;
}

Result<std::vector<HeadPicture>> paint_headless(uint64_t seed, int count) {
  std::vector<HeadPicture> pictures;
  for (int i = 0; i < count; ++i) {
    VANTAGE_ASSIGN(HeadPicture picture,
                   synth::paint_headless_picture(synth::mix(~seed ^ synth::mix(static_cast<uint64_t>(i)))));
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

Result<std::vector<HeadPicture>> read_headless(const std::filesystem::path& folder) {
  std::error_code code;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, code))
    if (entry.path().extension() == ".png") files.push_back(entry.path());
  if (code || files.empty())
    return fail(ErrorKind::not_found, "no PNG file is in the folder", folder.string());
  std::sort(files.begin(), files.end());
  std::vector<HeadPicture> pictures;
  for (const std::filesystem::path& file : files) {
    HeadPicture picture;
    VANTAGE_ASSIGN(picture.luma, read_png_gray(file, HostPool::shared()));
    if (picture.luma.width() <= kMaxHeadPictureSide && picture.luma.height() <= kMaxHeadPictureSide)
      pictures.push_back(std::move(picture));
  }
  return pictures;
}

HeadPicture mirrored(const HeadPicture& picture) {
  HeadPicture other;
  const int width = picture.luma.width();
  other.luma = Image::make(ImageType::u8, width, picture.luma.height(), HostPool::shared()).value();
  const ImageView<const uint8_t> from = picture.luma.view<uint8_t>();
  const ImageView<uint8_t> to = other.luma.writable_view<uint8_t>();
  for (int y = 0; y < to.height; ++y) std::reverse_copy(from.row(y), from.row(y) + width, to.row(y));
  for (RenderedHead head : picture.heads) {
    head.box = {width - head.box.x1, head.box.y0, width - head.box.x0, head.box.y1};
    other.heads.push_back(head);
  }
  return other;
}

bool counts(const RenderedHead& head, double smallest_px) {
  return !head.cut && head.visibility >= kHeadCountsFrom && head.box.y1 - head.box.y0 >= smallest_px;
}

std::vector<GroundTruthHead> truth_of(const HeadPicture& picture, double smallest_px) {
  std::vector<GroundTruthHead> truth;
  for (const RenderedHead& head : picture.heads)
    truth.push_back({static_cast<float>(head.box.x0), static_cast<float>(head.box.y0),
                     static_cast<float>(head.box.x1 - head.box.x0),
                     static_cast<float>(head.box.y1 - head.box.y0), counts(head, smallest_px)});
  return truth;
}

bool near_head(const HeadPicture& picture, const Detection& box) {
  constexpr double kNear = 0.38;
  return std::any_of(picture.heads.begin(), picture.heads.end(), [&](const RenderedHead& head) {
    const double w = std::min<double>(box.x + box.w, head.box.x1) - std::max<double>(box.x, head.box.x0);
    const double h = std::min<double>(box.y + box.h, head.box.y1) - std::max<double>(box.y, head.box.y0);
    if (w <= 0 || h <= 0) return false;
    const double area =
        double{box.w} * box.h + double(head.box.x1 - head.box.x0) * (head.box.y1 - head.box.y0);
    return w * h / (area - w * h) > kNear;
  });
}

}  // namespace vantage::head_training
