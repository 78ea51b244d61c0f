#include "core/optical_flow/flow_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/base/file.h"

namespace vantage {
namespace {

static_assert(std::endian::native == std::endian::little, ".flo files are little-endian");

constexpr float kTag = 202021.25f;
constexpr int32_t kLargestSide = 1 << 16;
struct Header {
  float tag;
  int32_t width, height;
};

// The colour circle's 55 entries: ramps between six corners of the RGB cube, longer where the eye tells more
// hues apart.
struct ColorCircle {
  static constexpr std::array<int, 6> kRampLength = {15, 6, 4, 11, 13, 6};
  static constexpr int kSize = 55;
  std::array<std::array<double, 3>, kSize> rgb{};

  ColorCircle() {
    static constexpr double kCorner[7][3] = {{1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 1, 1},
                                             {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
    size_t entry = 0;
    for (size_t ramp = 0; ramp < kRampLength.size(); ++ramp)
      for (int i = 0; i < kRampLength[ramp]; ++i, ++entry)
        for (size_t c = 0; c < 3; ++c)
          rgb[entry][c] =
              std::lerp(kCorner[ramp][c], kCorner[ramp + 1][c], i / static_cast<double>(kRampLength[ramp]));
  }

  // dx, dy in units of the longest vector.
  void color(double dx, double dy, uint8_t* out) const {
    const double length = std::hypot(dx, dy);
    const double turn = std::atan2(dy, dx) / (2 * std::numbers::pi);
    const double place = (turn < 0 ? turn + 1 : turn) * kSize;
    const auto first = static_cast<size_t>(place) % kSize, second = (first + 1) % kSize;
    for (size_t c = 0; c < 3; ++c) {
      const double hue = std::lerp(rgb[first][c], rgb[second][c], place - std::floor(place));
      const double value = length <= 1 ? 1 - length * (1 - hue) : 0.75 * hue;
      out[c] = static_cast<uint8_t>(255 * value + 0.5);
    }
  }
};

Status check_on_host(const FlowField& field) {
  if (!field || field.vectors.place().kind != MemoryKind::host)
    return fail(ErrorKind::invalid_argument, "the flow is not in host memory");
  return {};
}

}  // namespace

Result<FlowField> read_flo(const std::filesystem::path& path, BufferPool& pool) {
  VANTAGE_ASSIGN(const std::string bytes, read_file(path));
  Header header{};
  if (bytes.size() < sizeof header)
    return fail(ErrorKind::bad_data, "too short for a .flo file", path.string(), "Write the file again.");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.tag != kTag || header.width <= 0 || header.height <= 0 || header.width > kLargestSide ||
      header.height > kLargestSide)
    return fail(ErrorKind::bad_data, "not a .flo file", path.string(),
                "It has to begin with 202021.25 and a size.");
  const size_t row_bytes = sizeof(float) * 2 * static_cast<size_t>(header.width);
  if (bytes.size() != sizeof header + row_bytes * static_cast<size_t>(header.height))
    return fail(ErrorKind::bad_data, "the .flo file's length does not match its size", path.string(),
                "Write the file again; it may be truncated.");
  FlowField field{header.width, header.height, -1, {}, {}};
  VANTAGE_ASSIGN(field.vectors, Image::make(ImageType::f32, 2 * header.width, header.height, pool));
  const ImageView<float> to = field.vectors.writable_view<float>();
  for (int y = 0; y < header.height; ++y)
    std::memcpy(to.row(y), bytes.data() + sizeof header + row_bytes * static_cast<size_t>(y), row_bytes);
  return field;
}

Result<std::string> encode_flo(const FlowField& field) {
  VANTAGE_TRY(check_on_host(field));
  const Header header{kTag, field.width, field.height};
  const size_t row_bytes = sizeof(float) * 2 * static_cast<size_t>(field.width);
  std::string bytes(sizeof header + row_bytes * static_cast<size_t>(field.height), '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  const ImageView<const float> from = field.vectors.view<float>();
  for (int y = 0; y < field.height; ++y)
    std::memcpy(bytes.data() + sizeof header + row_bytes * static_cast<size_t>(y), from.row(y), row_bytes);
  return bytes;
}

Status write_flo(const std::filesystem::path& path, const FlowField& field) {
  VANTAGE_ASSIGN(const std::string bytes, encode_flo(field));
  return write_file_atomically(path, bytes);
}

void flow_color(double dx, double dy, uint8_t rgb[3]) {
  static const ColorCircle circle;
  circle.color(dx, dy, rgb);
}

Result<Image> color_flow(const FlowField& field, double longest_px, BufferPool& pool) {
  VANTAGE_TRY(check_on_host(field));
  if (longest_px <= 0) longest_px = flow_statistics(field).longest_px;
  const double scale = longest_px > 0 ? 1 / longest_px : 1;
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, 3 * field.width, field.height, pool));
  const ImageView<uint8_t> out = image.writable_view<uint8_t>();
  const ImageView<const float> from = field.vectors.view<float>();
  for (int y = 0; y < field.height; ++y)
    for (int x = 0; x < field.width; ++x) {
      const float dx = from.at(2 * x, y), dy = from.at(2 * x + 1, y);
      uint8_t* const pixel = out.row(y) + 3 * x;
      if (is_known_flow(dx) && is_known_flow(dy))
        flow_color(dx * scale, dy * scale, pixel);
      else
        std::fill_n(pixel, 3, uint8_t{0});
    }
  return image;
}

FlowStatistics flow_statistics(const FlowField& field) {
  FlowStatistics statistics;
  if (!field) return statistics;
  const ImageView<const float> vectors = field.vectors.view<float>();
  double sum = 0, confidence = 0;
  for (int y = 0; y < field.height; ++y)
    for (int x = 0; x < field.width; ++x) {
      const float dx = vectors.at(2 * x, y), dy = vectors.at(2 * x + 1, y);
      if (!is_known_flow(dx) || !is_known_flow(dy)) continue;
      const double length = std::hypot(double{dx}, double{dy});
      ++statistics.known;
      sum += length;
      statistics.longest_px = std::max(statistics.longest_px, length);
      if (field.confidence) confidence += field.confidence.view<uint8_t>().at(x, y) / 255.0;
    }
  const double known = static_cast<double>(std::max<int64_t>(statistics.known, 1));
  statistics.mean_px = sum / known;
  statistics.mean_confidence = confidence / known;
  return statistics;
}

Result<double> mean_endpoint_error(const FlowField& a, const FlowField& b) {
  VANTAGE_TRY(check_on_host(a));
  VANTAGE_TRY(check_on_host(b));
  if (a.width != b.width || a.height != b.height)
    return fail(ErrorKind::invalid_argument, "the two flows have different sizes");
  const ImageView<const float> va = a.vectors.view<float>(), vb = b.vectors.view<float>();
  double sum = 0;
  int64_t count = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      const float ax = va.at(2 * x, y), ay = va.at(2 * x + 1, y), bx = vb.at(2 * x, y),
                  by = vb.at(2 * x + 1, y);
      if (!is_known_flow(ax) || !is_known_flow(ay) || !is_known_flow(bx) || !is_known_flow(by)) continue;
      sum += std::hypot(double{ax} - double{bx}, double{ay} - double{by});
      ++count;
    }
  if (count == 0) return fail(ErrorKind::bad_data, "the two flows have no known vector in common");
  return sum / static_cast<double>(count);
}

}  // namespace vantage
