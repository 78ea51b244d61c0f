#include "core/image/png.h"

#include <png.h>

#include <string>

#include "core/base/file.h"

namespace vantage {
namespace {

constexpr const char* kDamaged = "Write the file again; it may be cut short.";

// Frees what libpng's simplified interface holds, on every way out.
struct PngImage {
  png_image image{};
  PngImage() { image.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&image); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

}  // namespace

Result<Image> read_png_gray(const std::filesystem::path& path, BufferPool& pool) {
  if (pool.place().kind != MemoryKind::host)
    return fail(ErrorKind::invalid_argument, "a PNG file is read into host memory only", path.string());
  VANTAGE_ASSIGN(const std::string bytes, read_file(path));
  PngImage png;
  if (!png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size()))
    return fail(ErrorKind::bad_data, std::string("not a PNG file that can be read: ") + png.image.message,
                path.string(), kDamaged);
  constexpr png_uint_32 kLargestSide = 1 << 16;
  if (png.image.width > kLargestSide || png.image.height > kLargestSide)
    return fail(ErrorKind::unsupported, "the picture is wider or higher than 65536 pixels", path.string());
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, static_cast<int>(png.image.width),
                                          static_cast<int>(png.image.height), pool));
  png.image.format = PNG_FORMAT_GRAY;
  // A transparent picture is seen on black.
  const png_color black{0, 0, 0};
  if (!png_image_finish_read(&png.image, &black, image.writable_view<uint8_t>().data,
                             static_cast<png_int_32>(image.stride_bytes()), nullptr))
    return fail(ErrorKind::bad_data, std::string("damaged PNG file: ") + png.image.message, path.string(),
                kDamaged);
  return image;
}

Status write_png_gray(const std::filesystem::path& path, const Image& image) {
  if (!image || image.type() != ImageType::u8 || image.place().kind != MemoryKind::host)
    return fail(ErrorKind::invalid_argument, "only 8-bit images in host memory are written as PNG",
                path.string());
  PngImage png;
  png.image.width = static_cast<png_uint_32>(image.width());
  png.image.height = static_cast<png_uint_32>(image.height());
  png.image.format = PNG_FORMAT_GRAY;
  // Masks are written per frame: speed before the last percent of size.
  png.image.flags = PNG_IMAGE_FLAG_FAST;
  const uint8_t* pixels = image.view<uint8_t>().data;
  const auto stride = static_cast<png_int_32>(image.stride_bytes());
  // An upper bound, so that one pass compresses into memory.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png.image);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png.image, bytes.data(), &size, 0, pixels, stride, nullptr))
    return fail(ErrorKind::io, std::string("could not encode a PNG file: ") + png.image.message,
                path.string());
  bytes.resize(size);
  return write_file_atomically(path, bytes);
}

}  // namespace vantage
