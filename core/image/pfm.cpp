#include "core/image/pfm.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/base/file.h"

namespace vantage {
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

}  // namespace vantage
