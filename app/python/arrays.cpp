#include "app/python/arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>

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

using Bytes = py::array_t<uint8_t, py::array::c_style | py::array::forcecast>;

void fill_gray(const Bytes& gray, Picture* picture) {
  const auto luma = picture->writable_plane(0);
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x) {
      const uint8_t level = gray.at(y, x);
      luma.at(x, y) = ycbcr_of(level, level, level, picture->format()).y;
    }
  for (const int plane : {1, 2}) {
    const auto chroma = picture->writable_plane(plane);
    for (int y = 0; y < chroma.height; ++y)
      std::memset(chroma.row(y), 128, static_cast<size_t>(chroma.width));
  }
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

}  // namespace

void require_shape(const py::array& array, const Shape& shape, const char* name) {
  bool fits = array.ndim() == static_cast<py::ssize_t>(shape.size());
  for (py::ssize_t i = 0; fits && i < array.ndim(); ++i)
    fits = shape[static_cast<size_t>(i)] < 0 || array.shape(i) == shape[static_cast<size_t>(i)];
  if (fits) return;
  std::string wanted;
  for (const py::ssize_t size : shape)
    wanted += (wanted.empty() ? "" : ", ") + (size < 0 ? "N" : std::to_string(size));
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

Image image_of(const py::array& array, ImageType type, const char* name) {
  require_shape(array, {-1, -1}, name);
  if (!array.dtype().is(dtype_of(type)) && !array.dtype().equal(dtype_of(type)))
    raise({ErrorKind::invalid_argument,
           "elements of " + py::str(dtype_of(type)).cast<std::string>() + " are wanted, these are " +
               py::str(array.dtype()).cast<std::string>(),
           name, "Convert them: array.astype(…)."});
  const int height = static_cast<int>(array.shape(0)), width = static_cast<int>(array.shape(1));
  Image image = value(Image::make(type, width, height, HostPool::shared()));
  const size_t item = element_size_bytes(type);
  const py::array rows = py::array::ensure(array, py::array::c_style);
  const auto* from = static_cast<const std::byte*>(rows.data());
  for (int y = 0; y < height; ++y)
    std::memcpy(image.buffer()->data() + static_cast<size_t>(y) * image.stride_bytes(),
                from + static_cast<size_t>(y) * static_cast<size_t>(width) * item,
                static_cast<size_t>(width) * item);
  return image;
}

Picture picture_of(const py::array& array, const char* name) {
  if (!array.dtype().equal(py::dtype::of<uint8_t>()))
    raise({ErrorKind::invalid_argument,
           "8-bit elements (uint8) are wanted, this array is " + shape_text(array), name,
           "Convert them: array.astype(numpy.uint8)."});
  const bool gray = array.ndim() == 2;
  if (!gray) require_shape(array, {-1, -1, 3}, name);
  PictureFormat format;
  format.height = static_cast<int>(array.shape(0)), format.width = static_cast<int>(array.shape(1));
  Picture picture = value(Picture::make(working_format(format), HostPool::shared()));
  const auto bytes = array.cast<Bytes>();
  gray ? fill_gray(bytes, &picture) : fill_colors(bytes, &picture);
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
