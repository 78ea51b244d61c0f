#include "core/image/npy.h"

#include <bit>
#include <string>

#include "core/base/file.h"

namespace vantage {
namespace {

static_assert(std::endian::native == std::endian::little);

const char* description_of(ImageType type) {
  switch (type) {
    case ImageType::u8:
      return "|u1";
    case ImageType::u16:
      return "<u2";
    case ImageType::u32:
      return "<u4";
    case ImageType::s32:
      return "<i4";
    case ImageType::f32:
      break;
  }
  return "<f4";
}

// Magic, version and a line of Python that is padded so that the array begins at a multiple of 64 bytes.
std::string header_of(const Image& image) {
  std::string line = std::string("{'descr': '") + description_of(image.type()) +
                     "', 'fortran_order': False, 'shape': (" + std::to_string(image.height()) + ", " +
                     std::to_string(image.width()) + "), }";
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

Status write_npy(const std::filesystem::path& path, const Image& image) {
  if (!image || image.place().kind != MemoryKind::host)
    return fail(ErrorKind::invalid_argument, "only images in host memory are written as NumPy arrays",
                path.string());
  std::string bytes = header_of(image);
  const size_t row_bytes = static_cast<size_t>(image.width()) * element_size_bytes(image.type());
  bytes.reserve(bytes.size() + row_bytes * static_cast<size_t>(image.height()));
  for (int y = 0; y < image.height(); ++y)
    bytes.append(
        reinterpret_cast<const char*>(image.buffer()->data()) + static_cast<size_t>(y) * image.stride_bytes(),
        row_bytes);
  return write_file_atomically(path, bytes);
}

}  // namespace vantage
