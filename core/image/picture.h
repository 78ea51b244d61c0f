// Pictures (camera frames, Y'CbCr 4:2:0) and images (one plane of numbers). Both own a share of a pooled
// Buffer and are immutable once handed on; copying one copies the handle, not the pixels.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/result.h"
#include "core/image/buffer.h"
#include "core/image/image_view.h"

namespace vantage {

enum class PictureLayout : uint8_t { i420, nv12 };  // Y, Cb, Cr planes; or Y and interleaved CbCr
enum class ColorRange : uint8_t { limited, full };  // Y' 16..235, C 16..240; or 0..255
enum class ColorMatrix : uint8_t { bt601, bt709, bt2020 };

struct PictureFormat {
  PictureLayout layout = PictureLayout::i420;
  int width = 0;  // luma samples; odd sizes have (width + 1) / 2 chroma samples
  int height = 0;
  ColorRange range = ColorRange::limited;
  ColorMatrix matrix = ColorMatrix::bt601;
  bool operator==(const PictureFormat&) const = default;
};

// One camera frame. 8 bits per sample. Plane 0 is Y'; planes 1 and 2 are Cb and Cr (I420), or plane 1 is CbCr
// pairs (NV12: its view is 2 * chroma width elements wide).
class Picture {
 public:
  Picture() = default;
  // Rows are padded to 64 bytes on the host and 256 bytes on a device.
  static Result<Picture> make(const PictureFormat& format, BufferPool& pool);

  explicit operator bool() const { return buffer_ != nullptr; }
  const PictureFormat& format() const { return format_; }
  int width() const { return format_.width; }
  int height() const { return format_.height; }
  int plane_count() const { return format_.layout == PictureLayout::i420 ? 3 : 2; }
  MemoryPlace place() const { return buffer_ ? buffer_->place() : MemoryPlace{}; }
  const BufferRef& buffer() const { return buffer_; }
  size_t size_bytes() const { return buffer_ ? buffer_->size_bytes() : 0; }

  ImageView<const uint8_t> plane(int index) const { return planes_[index]; }
  // Only for the code that fills the picture, before it is handed on.
  ImageView<uint8_t> writable_plane(int index) { return planes_[index]; }

 private:
  PictureFormat format_;
  BufferRef buffer_;
  ImageView<uint8_t> planes_[3];
};

enum class ImageType : uint8_t { u8, u16, u32, s32, f32 };
size_t element_size_bytes(ImageType type);
template <typename T>
constexpr ImageType image_type_of();
template <>
constexpr ImageType image_type_of<uint8_t>() {
  return ImageType::u8;
}
template <>
constexpr ImageType image_type_of<uint16_t>() {
  return ImageType::u16;
}
template <>
constexpr ImageType image_type_of<uint32_t>() {
  return ImageType::u32;
}
template <>
constexpr ImageType image_type_of<int32_t>() {
  return ImageType::s32;
}
template <>
constexpr ImageType image_type_of<float>() {
  return ImageType::f32;
}

// One plane of numbers: an indicator, a mask, a height map.
class Image {
 public:
  Image() = default;
  static Result<Image> make(ImageType type, int width, int height, BufferPool& pool);

  explicit operator bool() const { return buffer_ != nullptr; }
  ImageType type() const { return type_; }
  int width() const { return width_; }
  int height() const { return height_; }
  size_t stride_bytes() const { return stride_bytes_; }
  MemoryPlace place() const { return buffer_ ? buffer_->place() : MemoryPlace{}; }
  const BufferRef& buffer() const { return buffer_; }
  size_t size_bytes() const { return buffer_ ? buffer_->size_bytes() : 0; }

  template <typename T>
  ImageView<const T> view() const {
    return {check<T>(), width_, height_, stride_bytes_};
  }
  template <typename T>
  ImageView<T> writable_view() {
    return {check<T>(), width_, height_, stride_bytes_};
  }

 private:
  template <typename T>
  T* check() const {
    if (image_type_of<T>() != type_) wrong_type();
    return buffer_ ? reinterpret_cast<T*>(buffer_->data()) : nullptr;
  }
  [[noreturn]] static void wrong_type();

  ImageType type_ = ImageType::u8;
  int width_ = 0, height_ = 0;
  size_t stride_bytes_ = 0;
  BufferRef buffer_;
};

// Bytes from one row to the next for rows of `row_bytes` in memory of that kind.
size_t padded_stride_bytes(size_t row_bytes, MemoryKind kind);

// A mask made larger. Host memory.

// 255 where a pixel that is not 0 lies within the margin along both axes, otherwise 0.
Result<Image> grown(const ImageView<const uint8_t>& mask, int margin_px, BufferPool& pool);

// Pictures made smaller by whole factors: pixel (x, y) stands for the factor x factor pixels from
// (factor x, factor y) on; at the right and lower border for those that exist. Host memory.

// Their mean, rounded.
Result<Image> reduced_mean(const ImageView<const uint8_t>& from, int factor, BufferPool& pool);
// 255 where any of them is not 0.
Result<Image> reduced_any(const ImageView<const uint8_t>& from, int factor, BufferPool& pool);

// Pictures moved by parts of a pixel: what lies at (x + dx, y + dy) comes to (x, y). Each sample is the cubic
// convolution of the 4 x 4 around it (R. Keys, "Cubic convolution interpolation for digital image
// processing", 1981, a = -1/2) with weights in 128ths; the border's samples repeat. Integers, so that CPU and
// CUDA agree exactly.

struct PictureShift {
  int dx_16 = 0, dy_16 = 0;  // sixteenths of a luma pixel
  bool operator==(const PictureShift&) const = default;
};

// The four samples along an axis: the first one's distance, and their weights, 128 in all.
struct ShiftWeights {
  static constexpr int kOne = 128, kOneSquared = kOne * kOne;
  int first = 0;
  int weight[4] = {};
};
ShiftWeights shift_weights(int thirty_seconds);

// Shift of one plane: luma samples lie twice as close as chroma.
struct PlaneShift {
  ShiftWeights x, y;
};
PlaneShift plane_shift(const PictureShift& shift, bool chroma);

// Samples in sums of weights, as a grey level.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline uint8_t
    shifted_level(int sum) {
  const int level = (sum + ShiftWeights::kOneSquared / 2) >> 14;
  return static_cast<uint8_t>(level < 0 ? 0 : level > 255 ? 255 : level);
}

// In host memory.
Result<Picture> shifted(const Picture& picture, const PictureShift& shift, BufferPool& pool);

}  // namespace vantage
