#include "core/image/npy.h"

#include <bit>
#include <string>
#include <type_traits>

#include "core/base/file.h"

namespace vantage {
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
