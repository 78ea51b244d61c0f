#include "core/results/ply.h"

#include <bit>
#include <cstring>

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

}  // namespace vantage
