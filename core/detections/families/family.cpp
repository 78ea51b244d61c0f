#include "core/detections/families/family.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "core/base/text.h"
#include "core/image/luma_weights.h"

namespace vantage {
namespace {

constexpr int kCell_px = 32;

cv::Mat header_of(const ImageView<const uint8_t>& plane, int channels) {
  return {plane.height, plane.width / channels, CV_8UC(channels), const_cast<uint8_t*>(plane.row(0)),
          static_cast<size_t>(plane.stride_bytes)};
}

// Averages pixels when reducing, so that thin things do not flicker.
cv::Mat scaled(const cv::Mat& plane, int width, int height) {
  cv::Mat result;
  const bool smaller = width < plane.cols && height < plane.rows;
  cv::resize(plane, result, {width, height}, 0, 0, smaller ? cv::INTER_AREA : cv::INTER_LINEAR);
  return result;
}

struct ChromaPlanes {
  cv::Mat blue, red;
};
// `part`: takes a part of a plane at the input's scale.
template <typename Part>
ChromaPlanes chroma_of(const Picture& picture, const Part& part) {
  if (picture.format().layout == PictureLayout::i420)
    return {part(header_of(picture.plane(1), 1)), part(header_of(picture.plane(2), 1))};
  const cv::Mat pairs = part(header_of(picture.plane(1), 2));
  ChromaPlanes planes;
  cv::extractChannel(pairs, planes.blue, 0);
  cv::extractChannel(pairs, planes.red, 1);
  return planes;
}

// An input with these planes, all of one size, at its top left.
Tensor input_of(const cv::Mat& luma, const ChromaPlanes& chroma, const PictureFormat& format,
                const InputSize& size, const PixelForm& form) {
  const bool limited = format.range == ColorRange::limited;
  const double luma_gain = limited ? 255.0 / 219 : 1, luma_zero = limited ? 16 : 0;
  const double chroma_gain = limited ? 255.0 / 224 : 1;
  const LumaWeights weights = luma_weights(format.matrix);
  const double green_weight = weights.green();
  const auto red_cr = static_cast<float>(2 * (1 - weights.red) * chroma_gain);
  const auto blue_cb = static_cast<float>(2 * (1 - weights.blue) * chroma_gain);
  const auto green_cb =
      static_cast<float>(-2 * weights.blue * (1 - weights.blue) / green_weight * chroma_gain);
  const auto green_cr = static_cast<float>(-2 * weights.red * (1 - weights.red) / green_weight * chroma_gain);

  Tensor tensor;
  const size_t plane = static_cast<size_t>(size.width_px) * static_cast<size_t>(size.height_px);
  tensor.shape = {1, 3, size.height_px, size.width_px};
  tensor.values.resize(3 * plane);
  float* planes[3];
  for (size_t p = 0; p < 3; ++p) {
    planes[p] = tensor.values.data() + p * plane;
    std::fill_n(planes[p], plane, (form.fill - form.mean[p]) / form.deviation[p]);
  }
  const size_t red_plane = form.rgb ? 0 : 2, blue_plane = 2 - red_plane;
  for (int y = 0; y < luma.rows; ++y) {
    const auto *luma_row = luma.ptr<uint8_t>(y), *cb_row = chroma.blue.ptr<uint8_t>(y),
               *cr_row = chroma.red.ptr<uint8_t>(y);
    const size_t row = static_cast<size_t>(y) * static_cast<size_t>(size.width_px);
    for (int x = 0; x < luma.cols; ++x) {
      const auto grey = static_cast<float>((luma_row[x] - luma_zero) * luma_gain);
      const auto cb = static_cast<float>(cb_row[x] - 128), cr = static_cast<float>(cr_row[x] - 128);
      const auto put = [&](size_t p, float value) {
        planes[p][row + static_cast<size_t>(x)] =
            (std::clamp(value, 0.0F, 255.0F) - form.mean[p]) / form.deviation[p];
      };
      put(red_plane, grey + red_cr * cr);
      put(1, grey + green_cb * cb + green_cr * cr);
      put(blue_plane, grey + blue_cb * cb);
    }
  }
  return tensor;
}

Status in_host_memory(const Picture& picture) {
  if (picture && picture.place().kind == MemoryKind::host) return {};
  return fail(ErrorKind::invalid_argument, "the picture is not in host memory");
}

}  // namespace

InputSize input_size(int width_px, int height_px, int long_side_px) {
  const double scale = static_cast<double>(long_side_px) / std::max(width_px, height_px);
  const auto whole = [&](int side) {
    const auto cells = static_cast<int>(std::ceil(side * scale / kCell_px - 1e-6));
    return std::max(1, cells) * kCell_px;
  };
  return {whole(width_px), whole(height_px)};
}

Result<ModelInput> letterbox(const Picture& picture, const InputSize& size, const PixelForm& form) {
  VANTAGE_TRY(in_host_memory(picture));
  ModelInput input;
  input.scale_x = static_cast<double>(size.width_px) / picture.width();
  input.scale_y = static_cast<double>(size.height_px) / picture.height();
  if (!form.stretched) input.scale_x = input.scale_y = std::min(input.scale_x, input.scale_y);
  const int width =
      std::clamp(static_cast<int>(std::lround(picture.width() * input.scale_x)), 1, size.width_px);
  const int height =
      std::clamp(static_cast<int>(std::lround(picture.height() * input.scale_y)), 1, size.height_px);
  const auto fitted = [&](const cv::Mat& plane) { return scaled(plane, width, height); };
  input.tensor = input_of(fitted(header_of(picture.plane(0), 1)), chroma_of(picture, fitted),
                          picture.format(), size, form);
  return input;
}

Result<Tensor> cut_out(const Picture& picture, const PictureCut& cut, const InputSize& size,
                       const PixelForm& form) {
  VANTAGE_TRY(in_host_memory(picture));
  // The part of a plane that has 1 / finer of the picture's columns and rows, and that level beyond it.
  const auto part = [&](const cv::Mat& plane, double finer, int beyond) {
    const double step = 1 / (cut.scale * finer), edge = (1 / finer - 1) / 2;
    const cv::Matx23d from_input(step, 0, cut.x_px / finer + edge - step * size.width_px / 2, 0, step,
                                 cut.y_px / finer + edge - step * size.height_px / 2);
    cv::Mat result;
    cv::warpAffine(plane, result, from_input, {size.width_px, size.height_px},
                   cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_CONSTANT, cv::Scalar::all(beyond));
    return result;
  };
  const int black = picture.format().range == ColorRange::limited ? 16 : 0, no_colour = 128;
  return input_of(part(header_of(picture.plane(0), 1), 1, black),
                  chroma_of(picture, [&](const cv::Mat& plane) { return part(plane, 2, no_colour); }),
                  picture.format(), size, form);
}

}  // namespace vantage

namespace vantage::detections_detail {

std::string shapes_of(const std::vector<Tensor>& outputs) {
  std::string text;
  for (const Tensor& tensor : outputs) {
    std::string shape;
    for (const int64_t size : tensor.shape) shape += (shape.empty() ? "" : "x") + std::to_string(size);
    append_item(&text, tensor.name.empty() ? shape : tensor.name + ' ' + shape);
  }
  return text;
}

}  // namespace vantage::detections_detail
