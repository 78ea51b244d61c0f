#include "core/image/png.h"

#include <png.h>
#include <zlib.h>

#include <string>
#include <vector>

#include "core/base/file.h"

namespace vantage {
namespace {

constexpr const char* kDamaged = "Write the file again; it may be truncated.";

// Frees what libpng's simplified interface holds, on every way out.
struct PngImage {
  png_image image{};
  PngImage() { image.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&image); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

// BT.601 in 14 bits: 0.299, 0.587, 0.114.
uint8_t luma(const uint8_t* rgb) {
  return static_cast<uint8_t>((rgb[0] * 4899 + rgb[1] * 9617 + rgb[2] * 1868 + (1 << 13)) >> 14);
}

void append_number(uint32_t value, std::string* bytes) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes->push_back(static_cast<char>(value >> shift & 0xff));
}

// A chunk: length, type and content, checksum of both (PNG specification, 5.3).
std::string text_chunk(const PngText& text) {
  std::string content = "tEXt" + text.keyword;
  content.push_back('\0');
  content += text.text;
  std::string chunk;
  append_number(static_cast<uint32_t>(content.size() - 4), &chunk);
  chunk += content;
  append_number(static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(content.data()),
                                            static_cast<uInt>(content.size()))),
                &chunk);
  return chunk;
}

// Signature and header, the first chunk, always have this length; more chunks may follow.
constexpr size_t kHeaderBytes = 8 + 25;

Result<std::string> encode_png(const Image& image, png_uint_32 format, const PngText& text = {}) {
  const int channels = static_cast<int>(PNG_IMAGE_SAMPLE_CHANNELS(format));
  const ImageType type = format & PNG_FORMAT_FLAG_LINEAR ? ImageType::u16 : ImageType::u8;
  if (!image || image.type() != type || image.place().kind != MemoryKind::host ||
      image.width() % channels != 0)
    return fail(ErrorKind::invalid_argument,
                "only images of 8 bits, or 16 in one plane, in host memory are written as PNG");
  PngImage png;
  png.image.width = static_cast<png_uint_32>(image.width() / channels);
  png.image.height = static_cast<png_uint_32>(image.height());
  png.image.format = format;
  // Masks are written per frame: speed before the last percent of size.
  png.image.flags = PNG_IMAGE_FLAG_FAST;
  const void* pixels = type == ImageType::u8 ? static_cast<const void*>(image.view<uint8_t>().data)
                                             : image.view<uint16_t>().data;
  const auto stride = static_cast<png_int_32>(image.stride_bytes() / (type == ImageType::u8 ? 1 : 2));
  // An upper bound, so that one pass compresses into memory.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png.image);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png.image, bytes.data(), &size, 0, pixels, stride, nullptr))
    return fail(ErrorKind::io, std::string("could not encode a PNG file: ") + png.image.message);
  bytes.resize(size);
  if (!text.keyword.empty()) bytes.insert(kHeaderBytes, text_chunk(text));
  return bytes;
}

Status write_encoded(const std::filesystem::path& path, Result<std::string> bytes) {
  if (bytes) return write_file_atomically(path, *bytes);
  bytes.error().where = path.string();
  return fail(std::move(bytes).error());
}

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
  const bool color = (png.image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  png.image.format = color ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  const ImageView<uint8_t> gray = image.writable_view<uint8_t>();
  std::vector<uint8_t> rgb(color ? PNG_IMAGE_SIZE(png.image) : 0);
  // A transparent picture is seen on black.
  const png_color black{0, 0, 0};
  if (!png_image_finish_read(&png.image, &black, color ? rgb.data() : gray.data,
                             color ? 0 : static_cast<png_int_32>(gray.stride_bytes), nullptr))
    return fail(ErrorKind::bad_data, std::string("damaged PNG file: ") + png.image.message, path.string(),
                kDamaged);
  const uint8_t* pixel = rgb.data();
  for (int y = 0; color && y < gray.height; ++y)
    for (int x = 0; x < gray.width; ++x, pixel += 3) gray.at(x, y) = luma(pixel);
  return image;
}

Result<std::string> encode_png_gray(const Image& image, const PngText& text) {
  const bool wide = image && image.type() == ImageType::u16;
  return encode_png(image, wide ? PNG_FORMAT_LINEAR_Y : PNG_FORMAT_GRAY, text);
}

Status write_png_gray(const std::filesystem::path& path, const Image& image, const PngText& text) {
  return write_encoded(path, encode_png_gray(image, text));
}

Result<std::string> encode_png_rgb(const Image& image) {
  return encode_png(image, PNG_FORMAT_RGB);
}

Status write_png_rgb(const std::filesystem::path& path, const Image& image) {
  return write_encoded(path, encode_png_rgb(image));
}

}  // namespace vantage
