#include "core/image/picture.h"

#include <cstdio>
#include <cstdlib>

namespace vantage {

size_t padded_stride_bytes(size_t row_bytes, MemoryKind kind) {
  const size_t alignment = kind == MemoryKind::host ? 64 : 256;
  return (row_bytes + alignment - 1) / alignment * alignment;
}

Result<Picture> Picture::make(const PictureFormat& format, BufferPool& pool) {
  if (format.width <= 0 || format.height <= 0)
    return fail(ErrorKind::invalid_argument, "a picture needs a positive width and height");
  const int chroma_width = (format.width + 1) / 2, chroma_height = (format.height + 1) / 2;
  const bool planar = format.layout == PictureLayout::i420;
  const int chroma_row = planar ? chroma_width : 2 * chroma_width;
  const MemoryKind kind = pool.place().kind;
  const size_t luma_stride = padded_stride_bytes(static_cast<size_t>(format.width), kind);
  const size_t chroma_stride = padded_stride_bytes(static_cast<size_t>(chroma_row), kind);
  const size_t luma_bytes = luma_stride * static_cast<size_t>(format.height);
  const size_t chroma_bytes = chroma_stride * static_cast<size_t>(chroma_height);
  Picture picture;
  VANTAGE_ASSIGN(picture.buffer_, pool.take(luma_bytes + chroma_bytes * (planar ? 2 : 1)));
  picture.format_ = format;
  auto* base = reinterpret_cast<uint8_t*>(picture.buffer_->data());
  picture.planes_[0] = {base, format.width, format.height, luma_stride};
  picture.planes_[1] = {base + luma_bytes, chroma_row, chroma_height, chroma_stride};
  if (planar)
    picture.planes_[2] = {base + luma_bytes + chroma_bytes, chroma_row, chroma_height, chroma_stride};
  return picture;
}

size_t element_size_bytes(ImageType type) {
  switch (type) {
    case ImageType::u8:
      return 1;
    case ImageType::u16:
      return 2;
    case ImageType::u32:
    case ImageType::s32:
    case ImageType::f32:
      return 4;
  }
  return 1;
}

Result<Image> Image::make(ImageType type, int width, int height, BufferPool& pool) {
  if (width <= 0 || height <= 0)
    return fail(ErrorKind::invalid_argument, "an image needs a positive width and height");
  Image image;
  image.type_ = type;
  image.width_ = width;
  image.height_ = height;
  image.stride_bytes_ =
      padded_stride_bytes(static_cast<size_t>(width) * element_size_bytes(type), pool.place().kind);
  VANTAGE_ASSIGN(image.buffer_, pool.take(image.stride_bytes_ * static_cast<size_t>(height)));
  return image;
}

void Image::wrong_type() {
  std::fputs("Image: viewed as another type than its own\n", stderr);
  std::abort();
}

}  // namespace vantage
