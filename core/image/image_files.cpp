#include "core/image/image_files.h"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
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

namespace {

static_assert(std::endian::native == std::endian::little);

tl::unexpected<Error> damaged(const std::filesystem::path& path) {
  return fail(ErrorKind::bad_data, "is not a complete PFM file with one plane", path.string(),
              "It starts with Pf, width, height and scale; the floats follow.");
}

void swap_bytes(float* value) {
  uint32_t bits;
  std::memcpy(&bits, value, sizeof bits);
  bits = __builtin_bswap32(bits);
  std::memcpy(value, &bits, sizeof bits);
}

}  // namespace

Result<Image> read_pfm(const std::filesystem::path& path, BufferPool& pool) {
  if (pool.place().kind != MemoryKind::host)
    return fail(ErrorKind::invalid_argument, "a PFM file is read into host memory only", path.string());
  VANTAGE_ASSIGN(const std::string bytes, read_file(path));
  int width = 0, height = 0, length = 0;
  double scale = 0;
  // One white-space character ends the header.
  if (std::sscanf(bytes.substr(0, 100).c_str(), "Pf %d %d %lf%n", &width, &height, &scale, &length) != 3)
    return damaged(path);
  const size_t row_bytes = sizeof(float) * static_cast<size_t>(std::max(width, 0)), start = length + 1;
  if (width < 1 || height < 1 || width > 1 << 16 || height > 1 << 16 || scale == 0 ||
      bytes.size() < start + row_bytes * static_cast<size_t>(height))
    return damaged(path);
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::f32, width, height, pool));
  const ImageView<float> to = image.writable_view<float>();
  for (int y = 0; y < height; ++y) {
    std::memcpy(to.row(y), bytes.data() + start + row_bytes * static_cast<size_t>(height - 1 - y), row_bytes);
    for (int x = 0; scale > 0 && x < width; ++x) swap_bytes(to.row(y) + x);
  }
  return image;
}

Status write_pfm(const std::filesystem::path& path, const Image& image) {
  if (!image || image.type() != ImageType::f32 || image.place().kind != MemoryKind::host)
    return fail(ErrorKind::invalid_argument, "only float images in host memory are written as PFM",
                path.string());
  std::string bytes =
      "Pf\n" + std::to_string(image.width()) + " " + std::to_string(image.height()) + "\n-1.0\n";
  const ImageView<const float> from = image.view<float>();
  for (int y = image.height() - 1; y >= 0; --y)
    bytes.append(reinterpret_cast<const char*>(from.row(y)),
                 sizeof(float) * static_cast<size_t>(image.width()));
  return write_file_atomically(path, bytes);
}

namespace {

static_assert(std::endian::native == std::endian::little);

// An element's description: order of bytes, kind, bytes.
template <typename T>
std::string description_of() {
  const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return std::string(sizeof(T) == 1 ? "|" : "<") + kind + std::to_string(sizeof(T));
}

// Magic, version and a line of Python that is padded so that the array begins at a multiple of 64 bytes.
std::string header_of(const std::string& description, int width, int height) {
  std::string line = "{'descr': '" + description + "', 'fortran_order': False, 'shape': (" +
                     std::to_string(height) + ", " + std::to_string(width) + "), }";
  constexpr size_t kBefore = 10, kMultiple = 64;
  line.append(kMultiple - 1 - (kBefore + line.size()) % kMultiple, ' ');
  line.push_back('\n');
  std::string header = "\x93NUMPY\x01";
  header.push_back('\0');
  header.push_back(static_cast<char>(line.size() & 0xff));
  header.push_back(static_cast<char>(line.size() >> 8));
  return header + line;
}

}  // namespace

template <typename T>
Status write_npy(const std::filesystem::path& path, ImageView<const T> values) {
  std::string bytes = header_of(description_of<T>(), values.width, values.height);
  const size_t row_bytes = static_cast<size_t>(values.width) * sizeof(T);
  bytes.reserve(bytes.size() + row_bytes * static_cast<size_t>(values.height));
  for (int y = 0; y < values.height; ++y)
    bytes.append(reinterpret_cast<const char*>(values.row(y)), row_bytes);
  return write_file_atomically(path, bytes);
}

template Status write_npy(const std::filesystem::path&, ImageView<const uint8_t>);
template Status write_npy(const std::filesystem::path&, ImageView<const uint16_t>);
template Status write_npy(const std::filesystem::path&, ImageView<const uint32_t>);
template Status write_npy(const std::filesystem::path&, ImageView<const uint64_t>);
template Status write_npy(const std::filesystem::path&, ImageView<const int32_t>);
template Status write_npy(const std::filesystem::path&, ImageView<const float>);
template Status write_npy(const std::filesystem::path&, ImageView<const double>);

Status write_npy(const std::filesystem::path& path, const Image& image) {
  if (!image || image.place().kind != MemoryKind::host)
    return fail(ErrorKind::invalid_argument, "only images in host memory are written as NumPy arrays",
                path.string());
  switch (image.type()) {
    case ImageType::u8:
      return write_npy(path, image.view<uint8_t>());
    case ImageType::u16:
      return write_npy(path, image.view<uint16_t>());
    case ImageType::u32:
      return write_npy(path, image.view<uint32_t>());
    case ImageType::s32:
      return write_npy(path, image.view<int32_t>());
    case ImageType::f32:
      break;
  }
  return write_npy(path, image.view<float>());
}

}  // namespace vantage
