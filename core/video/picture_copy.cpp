#include "core/video/picture_copy.h"

#include <algorithm>

extern "C" {
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/md5.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <cstring>
#include <vector>

#include "core/base/text.h"
#include "core/video/detail/fast_hash.h"
#include "core/video/working_colors.h"

namespace vantage {
namespace {

bool is_plain_420(int format) {
  return format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_YUVJ420P;
}

// In the machine's own order of bytes.
bool is_ten_bit_420(int format) {
  return format == AV_PIX_FMT_YUV420P10;
}

void narrow(const uint8_t* from, int from_stride, const ImageView<uint8_t>& to) {
  for (int y = 0; y < to.height; ++y) {
    const auto* samples = reinterpret_cast<const uint16_t*>(from + static_cast<ptrdiff_t>(y) * from_stride);
    uint8_t* row = to.row(y);
    for (int x = 0; x < to.width; ++x) row[x] = static_cast<uint8_t>(std::min(255, (samples[x] + 2) >> 2));
  }
}

bool is_rgb(const AVPixFmtDescriptor* descriptor) {
  return descriptor && (descriptor->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0;
}

bool is_grey(const AVPixFmtDescriptor* descriptor) {  // with or without alpha
  return !is_rgb(descriptor) && (!descriptor || descriptor->nb_components < 3);
}

const AVPixFmtDescriptor* descriptor_of(int pixel_format) {
  return av_pix_fmt_desc_get(static_cast<AVPixelFormat>(pixel_format));
}

bool is_jpeg_range_format(int format) {
  switch (format) {
    case AV_PIX_FMT_YUVJ411P:
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ444P:
      return true;
    default:
      return false;
  }
}

ColorRange range_of(const AVFrame& frame, int pixel_format) {
  const AVPixFmtDescriptor* descriptor = descriptor_of(pixel_format);
  if (is_jpeg_range_format(pixel_format) || is_rgb(descriptor)) return ColorRange::full;
  if (frame.color_range == AVCOL_RANGE_JPEG) return ColorRange::full;
  if (is_grey(descriptor) && frame.color_range != AVCOL_RANGE_MPEG) return ColorRange::full;
  return ColorRange::limited;
}

ColorMatrix matrix_of(const AVFrame& frame, int pixel_format) {
  const AVPixFmtDescriptor* descriptor = descriptor_of(pixel_format);
  // A hardware frame's height still has the upper crop.
  const ColorMatrix unsaid = working_matrix(frame.height - static_cast<int>(frame.crop_top));
  if (is_rgb(descriptor) || is_grey(descriptor)) return unsaid;
  switch (frame.colorspace) {
    case AVCOL_SPC_BT709:
      return ColorMatrix::bt709;
    case AVCOL_SPC_FCC:
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_SMPTE240M:
      return ColorMatrix::bt601;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
      return ColorMatrix::bt2020;
    default:
      return unsaid;
  }
}

const int* coefficients(ColorMatrix matrix) {
  switch (matrix) {
    case ColorMatrix::bt709:
      return sws_getCoefficients(SWS_CS_ITU709);
    case ColorMatrix::bt2020:
      return sws_getCoefficients(SWS_CS_BT2020);
    case ColorMatrix::bt601:
      break;
  }
  return sws_getCoefficients(SWS_CS_ITU601);
}

// A stored I420 picture made upright: turned, then in working colours.
Result<Picture> upright_picture(const Picture& stored, PictureTurn turn, BufferPool& pool) {
  if (!turn) return in_working_colors(stored, pool);
  VANTAGE_ASSIGN(const Picture upright, turned_picture(turn, stored, pool));
  return in_working_colors(upright, pool);
}

std::string format_conversion(int pixel_format) {
  if (is_plain_420(pixel_format)) return {};
  if (is_ten_bit_420(pixel_format)) return "10 bits to 8, rounded";
  const char* name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(pixel_format));
  return std::string(name ? name : "unknown") + " to yuv420p by libswscale (bilinear)";
}

}  // namespace

std::string PictureCopier::conversion(const AVFrame& frame, int pixel_format) {
  std::string text;
  for (const std::string& done : {format_conversion(pixel_format), turn_text(turn_of(frame)),
                                  color_conversion(upright_format_of(frame, pixel_format))})
    if (!done.empty()) append_item(&text, done);
  return text;
}

Error wrong_size(const PictureFormat& upright, int width_px, int height_px) {
  return {ErrorKind::invalid_argument,
          "the camera sends " + size_text(upright.width, upright.height) + " px, " +
              size_text(width_px, height_px) + " are wanted",
          {},
          "Set the camera to that size, or calibrate it again."};
}

Result<Picture> PictureCopier::copy_at(const AVFrame& frame, int width_px, int height_px, BufferPool& pool) {
  const PictureFormat upright = upright_format_of(frame, frame.format);
  if (width_px == 0 || (upright.width == width_px && upright.height == height_px)) return copy(frame, pool);
  if (int64_t{upright.width} * height_px != int64_t{upright.height} * width_px)
    return fail(wrong_size(upright, width_px, height_px));
  return scale(frame, width_px, height_px, pool);
}

PictureFormat picture_format_of(const AVFrame& frame, int pixel_format) {
  PictureFormat format;
  format.width = frame.width;
  format.height = frame.height;
  format.range = range_of(frame, pixel_format);
  format.matrix = matrix_of(frame, pixel_format);
  return format;
}

PictureFormat upright_format_of(const AVFrame& frame, int pixel_format) {
  return turned_format(picture_format_of(frame, pixel_format), turn_of(frame));
}

Result<Picture> PictureCopier::copy(const AVFrame& frame, BufferPool& pool) {
  const PictureFormat format = picture_format_of(frame, frame.format);
  if (!is_ten_bit_420(frame.format) && !is_plain_420(frame.format)) return convert(frame, format, pool);
  return copy_planes(frame, format, pool);
}

Result<Picture> PictureCopier::copy_planes(const AVFrame& frame, const PictureFormat& format,
                                           BufferPool& pool) {
  const bool ten_bit = is_ten_bit_420(frame.format);
  const PictureTurn turn = turn_of(frame);
  const PictureFormat working = working_format(format);
  if (!ten_bit && !turn && working != format) {
    VANTAGE_ASSIGN(Picture converted, Picture::make(working, pool));
    // Both chroma planes of a frame have rows of one length.
    convert_to_working_colors(format, frame.data[0], frame.linesize[0],
                              {frame.data[1], frame.data[2], frame.linesize[1], 1}, converted);
    return converted;
  }
  VANTAGE_ASSIGN(Picture picture, Picture::make(ten_bit ? format : turned_format(format, turn), pool));
  for (int p = 0; p < 3; ++p) {
    const ImageView<uint8_t> target = picture.writable_plane(p);
    if (ten_bit)
      narrow(frame.data[p], frame.linesize[p], target);
    else if (turn)
      turn_plane(turn, frame.data[p], frame.linesize[p], target);
    else
      av_image_copy_plane(target.data, static_cast<int>(target.stride_bytes), frame.data[p],
                          frame.linesize[p], target.width, target.height);
  }
  return ten_bit ? upright_picture(picture, turn, pool) : in_working_colors(picture, pool);
}

Result<Picture> PictureCopier::scale(const AVFrame& frame, int width_px, int height_px, BufferPool& pool) {
  PictureFormat upright = upright_format_of(frame, frame.format);
  upright.width = width_px, upright.height = height_px;
  return convert(frame, turned_format(upright, turn_of(frame)), pool);
}

// libswscale changes the layout and makes Y'CbCr of RGB; range and matrix of Y'CbCr are ours to change, so
// that every way of decoding gives the same numbers.
Result<Picture> PictureCopier::convert(const AVFrame& frame, PictureFormat format, BufferPool& pool) {
  const auto source = static_cast<AVPixelFormat>(frame.format);
  scaler_.reset(sws_getCachedContext(
      scaler_.release(), frame.width, frame.height, source, format.width, format.height, AV_PIX_FMT_YUV420P,
      SWS_BILINEAR | SWS_ACCURATE_RND | SWS_BITEXACT, nullptr, nullptr, nullptr));
  if (!scaler_)
    return fail(ErrorKind::unsupported,
                "pictures of this pixel format cannot be converted: " + format_conversion(source));
  const int full = format.range == ColorRange::full;
  const PictureTurn turn = turn_of(frame);
  if (is_rgb(descriptor_of(frame.format)))
    format = turned_format(working_format(turned_format(format, turn)), turn);
  const int* matrix = coefficients(format.matrix);
  sws_setColorspaceDetails(scaler_.get(), matrix, full, matrix, format.range == ColorRange::full, 0, 1 << 16,
                           1 << 16);
  VANTAGE_ASSIGN(Picture picture, Picture::make(format, pool));
  uint8_t* planes[4] = {};
  int strides[4] = {};
  for (int p = 0; p < 3; ++p) {
    const ImageView<uint8_t> target = picture.writable_plane(p);
    planes[p] = target.data;
    strides[p] = static_cast<int>(target.stride_bytes);
  }
  if (sws_scale(scaler_.get(), frame.data, frame.linesize, 0, frame.height, planes, strides) != format.height)
    return fail(ErrorKind::unsupported, "converting a picture failed: " + format_conversion(source));
  return upright_picture(picture, turn, pool);
}

Result<std::string> native_md5(const AVFrame& frame) {
  const auto format = static_cast<AVPixelFormat>(frame.format);
  const int size = av_image_get_buffer_size(format, frame.width, frame.height, 1);
  if (size < 0) return fail(ErrorKind::unsupported, "no checksum for this pixel format");
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  av_image_copy_to_buffer(bytes.data(), size, frame.data, frame.linesize, format, frame.width, frame.height,
                          1);
  uint8_t digest[16];
  av_md5_sum(digest, bytes.data(), static_cast<size_t>(size));
  std::string text;
  for (const uint8_t byte : digest) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

uint64_t content_hash(const AVFrame& frame) {
  const auto format = static_cast<AVPixelFormat>(frame.format);
  const AVPixFmtDescriptor* descriptor = av_pix_fmt_desc_get(format);
  uint64_t hash = fast_hash(&frame.format, sizeof frame.format, static_cast<uint64_t>(frame.width));
  if (!descriptor) return hash;
  for (int p = 0; p < av_pix_fmt_count_planes(format); ++p) {
    const int row_bytes = av_image_get_linesize(format, frame.width, p);
    const int rows = p == 1 || p == 2 ? -(-frame.height >> descriptor->log2_chroma_h) : frame.height;
    if (row_bytes <= 0 || !frame.data[p]) continue;
    for (int y = 0; y < rows; ++y)
      hash = fast_hash(frame.data[p] + static_cast<ptrdiff_t>(y) * frame.linesize[p],
                       static_cast<size_t>(row_bytes), hash);
  }
  return hash;
}

}  // namespace vantage
