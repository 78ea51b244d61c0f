#include "app/python/arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/base/text.h"
#include "core/display/color_conversion.h"
#include "core/video/working_colors.h"

namespace vantage::python {
namespace {

py::dtype dtype_of(ImageType type) {
  switch (type) {
    case ImageType::u8:
      return py::dtype::of<uint8_t>();
    case ImageType::u16:
      return py::dtype::of<uint16_t>();
    case ImageType::u32:
      return py::dtype::of<uint32_t>();
    case ImageType::s32:
      return py::dtype::of<int32_t>();
    default:
      return py::dtype::of<float>();
  }
}

py::array shaped_view(const Image& image, const Shape& shape, const Shape& strides) {
  const auto* const data = image.buffer()->data();
  switch (image.type()) {
    case ImageType::u8:
      return view_of(reinterpret_cast<const uint8_t*>(data), shape, strides, image.buffer());
    case ImageType::u16:
      return view_of(reinterpret_cast<const uint16_t*>(data), shape, strides, image.buffer());
    case ImageType::u32:
      return view_of(reinterpret_cast<const uint32_t*>(data), shape, strides, image.buffer());
    case ImageType::s32:
      return view_of(reinterpret_cast<const int32_t*>(data), shape, strides, image.buffer());
    default:
      return view_of(reinterpret_cast<const float*>(data), shape, strides, image.buffer());
  }
}

std::string shape_text(const py::array& array) {
  return py::str(array.attr("shape")).cast<std::string>() + " " + py::str(array.dtype()).cast<std::string>();
}

// The memory of an array, kept alive; released by any thread.
class ArrayMemory final : public Buffer {
 public:
  ArrayMemory(py::array array, size_t size_bytes)
      : Buffer(static_cast<std::byte*>(const_cast<void*>(array.data())), size_bytes, {}),
        array_(std::move(array)) {}
  ~ArrayMemory() override {
    const py::gil_scoped_acquire lock;
    array_.reset();
  }

 private:
  std::optional<py::array> array_;
};

class ArrayPool final : public BufferPool {
 public:
  explicit ArrayPool(py::array array) : array_(std::move(array)) {}
  Result<BufferRef> take(size_t size_bytes) override {
    return std::make_shared<ArrayMemory>(array_, size_bytes);
  }
  MemoryPlace place() const override { return {}; }

 private:
  const py::array array_;
};

// Alignment and rows as from Image::make(). Only our own memory has padding after the last row.
bool laid_out_as_images(const py::array& array, ImageType type) {
  constexpr uintptr_t kAlignment = 256;
  const auto item = static_cast<py::ssize_t>(element_size_bytes(type));
  const auto row = array.shape(1) * item;
  const auto stride =
      static_cast<py::ssize_t>(padded_stride_bytes(static_cast<size_t>(row), MemoryKind::host));
  const bool ours = PyCapsule_IsValid(array.base().ptr(), kOurMemory) != 0;
  return array.size() > 0 && array.strides(1) == item && array.strides(0) == stride &&
         reinterpret_cast<uintptr_t>(array.data()) % kAlignment == 0 && (row == stride || ours);
}

void require_image(const py::array& array, ImageType type, const char* name) {
  require_shape(array, {-1, -1}, name);
  if (array.dtype().equal(dtype_of(type))) return;
  raise({ErrorKind::invalid_argument,
         "elements of " + py::str(static_cast<py::handle>(dtype_of(type))).cast<std::string>() +
             " are wanted, these are " + py::str(static_cast<py::handle>(array.dtype())).cast<std::string>(),
         name, "Convert them: array.astype(…)."});
}

using Bytes = py::array_t<uint8_t, py::array::c_style | py::array::forcecast>;

void fill_neutral_chroma(Picture* picture) {
  for (const int plane : {1, 2}) {
    const auto chroma = picture->writable_plane(plane);
    for (int y = 0; y < chroma.height; ++y)
      std::memset(chroma.row(y), 128, static_cast<size_t>(chroma.width));
  }
}

void fill_gray(const Bytes& gray, Picture* picture) {
  const auto luma = picture->writable_plane(0);
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x) {
      const uint8_t level = gray.at(y, x);
      luma.at(x, y) = ycbcr_of(level, level, level, picture->format()).y;
    }
  fill_neutral_chroma(picture);
}

// Copies grey levels as luma, without colours.
void fill_luma(const Bytes& luma, Picture* picture) {
  const auto plane = picture->writable_plane(0);
  for (int y = 0; y < plane.height; ++y)
    std::memcpy(plane.row(y), luma.data(y, 0), static_cast<size_t>(plane.width));
  fill_neutral_chroma(picture);
}

void fill_colors(const Bytes& rgb, Picture* picture) {
  const auto luma = picture->writable_plane(0), cb = picture->writable_plane(1),
             cr = picture->writable_plane(2);
  const PictureFormat& format = picture->format();
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x) {
      const uint8_t* const p = rgb.data(y, x, 0);
      luma.at(x, y) = ycbcr_of(p[0], p[1], p[2], format).y;
    }
  for (int y = 0; y < cb.height; ++y)
    for (int x = 0; x < cb.width; ++x) {
      double mean[3] = {0, 0, 0};
      for (const int row : {2 * y, std::min(2 * y + 1, luma.height - 1)})
        for (const int column : {2 * x, std::min(2 * x + 1, luma.width - 1)})
          for (int channel = 0; channel < 3; ++channel) mean[channel] += rgb.at(row, column, channel) / 4.0;
      const YcbcrSample color = ycbcr_of(mean[0], mean[1], mean[2], format);
      cb.at(x, y) = color.cb, cr.at(x, y) = color.cr;
    }
}

// A picture of the array's size.
Picture empty_picture_of(const py::array& array, const char* name) {
  if (!array.dtype().equal(py::dtype::of<uint8_t>()))
    raise({ErrorKind::invalid_argument,
           "8-bit elements (uint8) are wanted, this array is " + shape_text(array), name,
           "Convert them: array.astype(numpy.uint8)."});
  if (array.ndim() != 2) require_shape(array, {-1, -1, 3}, name);
  PictureFormat format;
  format.height = static_cast<int>(array.shape(0)), format.width = static_cast<int>(array.shape(1));
  return value(Picture::make(working_format(format), HostPool::shared()));
}

}  // namespace

void require_shape(const py::array& array, const Shape& shape, const char* name) {
  bool fits = array.ndim() == static_cast<py::ssize_t>(shape.size());
  for (py::ssize_t i = 0; fits && i < array.ndim(); ++i) fits = shape[i] < 0 || array.shape(i) == shape[i];
  if (fits) return;
  std::string wanted;
  for (const py::ssize_t size : shape) append_item(&wanted, (size < 0 ? "N" : std::to_string(size)));
  raise({ErrorKind::invalid_argument,
         "an array of shape (" + wanted + ") is wanted, this one is " + shape_text(array), name,
         "Give it that shape (numpy.reshape)."});
}

py::array view_of(const Image& image) {
  const auto item = static_cast<py::ssize_t>(element_size_bytes(image.type()));
  return shaped_view(image, {image.height(), image.width()},
                     {static_cast<py::ssize_t>(image.stride_bytes()), item});
}

py::array view_of(const Image& image, int channels) {
  const auto item = static_cast<py::ssize_t>(element_size_bytes(image.type()));
  return shaped_view(image, {image.height(), image.width() / channels, channels},
                     {static_cast<py::ssize_t>(image.stride_bytes()), item * channels, item});
}

Image copied_image_of(const py::array& array, ImageType type, const char* name) {
  require_image(array, type, name);
  const int height = static_cast<int>(array.shape(0)), width = static_cast<int>(array.shape(1));
  Image image = value(Image::make(type, width, height, HostPool::shared()));
  const size_t row_bytes = static_cast<size_t>(width) * element_size_bytes(type);
  const py::array rows = py::array::ensure(array, py::array::c_style);
  const auto* from = static_cast<const std::byte*>(rows.data());
  for (int y = 0; y < height; ++y)
    std::memcpy(image.buffer()->data() + static_cast<size_t>(y) * image.stride_bytes(),
                from + static_cast<size_t>(y) * row_bytes, row_bytes);
  return image;
}

Image image_of(const py::array& array, ImageType type, const char* name) {
  require_image(array, type, name);
  if (!laid_out_as_images(array, type)) return copied_image_of(array, type, name);
  ArrayPool memory(array);
  return value(Image::make(type, static_cast<int>(array.shape(1)), static_cast<int>(array.shape(0)), memory));
}

Picture picture_of(const py::array& array, const char* name) {
  Picture picture = empty_picture_of(array, name);
  const auto bytes = array.cast<Bytes>();
  array.ndim() == 2 ? fill_gray(bytes, &picture) : fill_colors(bytes, &picture);
  return picture;
}

Picture luma_picture_of(const py::array& array, const char* name) {
  Picture picture = empty_picture_of(array, name);
  const auto bytes = array.cast<Bytes>();
  array.ndim() == 2 ? fill_luma(bytes, &picture) : fill_colors(bytes, &picture);
  return picture;
}

py::array rgb_of(const Picture& picture) {
  const RgbFromYcbcr conversion = rgb_from_ycbcr(picture.format().range, picture.format().matrix);
  py::array_t<uint8_t> rgb({picture.height(), picture.width(), 3});
  uint8_t* to = rgb.mutable_data();
  unlocked([&] {
    const bool interleaved = picture.format().layout == PictureLayout::nv12;
    const int step = interleaved ? 2 : 1;
    for (int y = 0; y < picture.height(); ++y) {
      const uint8_t* const luma = picture.plane(0).row(y);
      const uint8_t* const cb = picture.plane(1).row(y / 2);
      const uint8_t* const cr = interleaved ? cb + 1 : picture.plane(2).row(y / 2);
      for (int x = 0; x < picture.width(); ++x)
        for (int component = 0; component < 3; ++component)
          *to++ = rgb_component(conversion, component, luma[x], cb[x / 2 * step], cr[x / 2 * step]);
    }
  });
  return rgb;
}

}  // namespace vantage::python
