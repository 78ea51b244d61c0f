#include "core/results/shell_files.h"

#include <fmt/core.h>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/base/file.h"

namespace vantage {
namespace {

void append_float(double value, std::string* bytes) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  for (int shift = 0; shift < 32; shift += 8) bytes->push_back(static_cast<char>(bits >> shift & 0xff));
}

}  // namespace

std::string encode_shell_ply(const VoxelGrid& grid, std::span<const uint32_t> ids,
                             const std::string& comment) {
  std::string bytes = "ply\nformat binary_little_endian 1.0\ncomment " + comment + "\nelement vertex " +
                      std::to_string(ids.size()) +
                      "\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
  bytes.reserve(bytes.size() + ids.size() * 12);
  const int64_t layer = static_cast<int64_t>(grid.nx) * grid.ny;
  for (const uint32_t id : ids) {
    append_float(grid.center(0, static_cast<int>(id % grid.nx)), &bytes);
    append_float(grid.center(1, static_cast<int>(id % layer / grid.nx)), &bytes);
    append_float(grid.center(2, static_cast<int>(id / layer)), &bytes);
  }
  return bytes;
}

Status write_shell_ply(const std::filesystem::path& path, const VoxelGrid& grid,
                       std::span<const uint32_t> ids, const std::string& comment) {
  return write_file_atomically(path, encode_shell_ply(grid, ids, comment));
}

namespace {

std::string triple(double x, double y, double z) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", x, y, z);
}

std::string extent(const VoxelGrid& grid) {
  return "0 " + std::to_string(grid.nx - 1) + " 0 " + std::to_string(grid.ny - 1) + " 0 " +
         std::to_string(grid.nz - 1);
}

std::string head(const VoxelGrid& grid) {
  const char* order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  const std::string whole = extent(grid),
                    edge = triple(grid.voxel_size_m, grid.voxel_size_m, grid.voxel_size_m);
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"" +
         std::string(order) + "\" header_type=\"UInt64\">\n<ImageData WholeExtent=\"" + whole +
         "\" Origin=\"" + triple(grid.center(0, 0), grid.center(1, 0), grid.center(2, 0)) + "\" Spacing=\"" +
         edge + "\">\n<Piece Extent=\"" + whole +
         "\">\n<PointData Scalars=\"confidence\">\n<DataArray type=\"Float32\" Name=\"confidence\" "
         "format=\"appended\" offset=\"0\"/>\n</PointData>\n</Piece>\n</ImageData>\n"
         "<AppendedData encoding=\"raw\">\n_";
}

}  // namespace

Status write_volume_vti(const std::filesystem::path& path, const VoxelGrid& grid, const Image& confidence) {
  if (!confidence || confidence.type() != ImageType::f32 || confidence.place() != MemoryPlace{} ||
      confidence.width() != grid.nx || int64_t{confidence.height()} != int64_t{grid.ny} * grid.nz)
    return fail(ErrorKind::invalid_argument, "the confidence volume is missing or not of this grid",
                path.string());
  const ImageView<const float> view = confidence.view<float>();
  const auto row_bytes = static_cast<size_t>(view.width) * sizeof(float);
  const uint64_t value_bytes = row_bytes * static_cast<size_t>(view.height);
  std::string bytes = head(grid);
  bytes.reserve(bytes.size() + value_bytes + 64);
  bytes.append(reinterpret_cast<const char*>(&value_bytes), sizeof value_bytes);
  for (int row = 0; row < view.height; ++row)
    bytes.append(reinterpret_cast<const char*>(view.row(row)), row_bytes);
  bytes += "\n</AppendedData>\n</VTKFile>\n";
  return write_file_atomically(path, bytes);
}

}  // namespace vantage
