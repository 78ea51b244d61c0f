#include "core/sync/signatures.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/algorithms.h"

namespace vantage::signatures {
namespace {

constexpr int kLargestSide_px = 65534;  // a point has 16 bits a coordinate

bool holds(const SignatureExtractor::Arguments& arguments, int camera) {
  return camera >= 0 && camera < static_cast<int>(arguments.cameras.size());
}

}  // namespace

std::vector<uint32_t> line_points(const PinholeCamera<double>& camera, std::span<const LineSegment> lines) {
  std::vector<uint32_t> points;
  points.reserve(lines.size() * kLinePoints);
  for (const LineSegment& line : lines)
    for (int i = 0; i < kLinePoints; ++i) {
      const double l = static_cast<double>(i) / (kLinePoints - 1);
      double at[3];
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = l * line.a_in_world_m[axis] + (1 - l) * line.b_in_world_m[axis];
      const Pixel<double> pixel = project(camera, at[0], at[1], at[2]);
      const double x = std::floor(pixel.x + 0.5), y = std::floor(pixel.y + 0.5);
      const bool seen = line != LineSegment{} && pixel.in_front && x >= 0 && y >= 0 && x < camera.width_px &&
                        y < camera.height_px;
      points.push_back(seen ? pack_point(static_cast<int>(x), static_cast<int>(y)) : kNoPoint);
    }
  return points;
}

Layout lay_out(const SignatureExtractor::Arguments& arguments) {
  Layout layout;
  const auto add = [&](int camera, const std::vector<LineSegment>& lines) {
    layout.rows.push_back(
        {camera, static_cast<int>(lines.size()), static_cast<uint32_t>(layout.points.size())});
    const auto points = line_points(arguments.cameras[camera], lines);
    layout.points.insert(layout.points.end(), points.begin(), points.end());
    layout.columns = std::max(layout.columns, static_cast<int>(lines.size()));
  };
  for (const SignaturePair& pair : arguments.pairs) {
    add(pair.first, pair.first_lines);
    add(pair.second, pair.second_lines);
  }
  return layout;
}

Status check(const SignatureExtractor::Arguments& arguments) {
  size_t points = 0;
  for (const PinholeCamera<double>& camera : arguments.cameras)
    if (camera.width_px < 1 || camera.height_px < 1 || camera.width_px > kLargestSide_px ||
        camera.height_px > kLargestSide_px)
      return fail(ErrorKind::invalid_argument, "a picture must have 1 to 65534 pixels a side",
                  "frame signatures");
  bool any_line = false;
  for (const SignaturePair& pair : arguments.pairs) {
    if (!holds(arguments, pair.first) || !holds(arguments, pair.second) || pair.first == pair.second)
      return fail(ErrorKind::invalid_argument, "a pair names two of the cameras", "frame signatures");
    if (pair.first_lines.size() != pair.second_lines.size())
      return fail(ErrorKind::invalid_argument, "epipolar lines come in pairs", "frame signatures");
    any_line = any_line || !pair.first_lines.empty();
    points += 2 * pair.first_lines.size() * kLinePoints;
  }
  if (!any_line) return fail(ErrorKind::invalid_argument, "there is no line to read", "frame signatures");
  if (points > std::numeric_limits<uint32_t>::max() / 2)
    return fail(ErrorKind::invalid_argument, "too many lines", "frame signatures", "Take fewer lines.");
  return {};
}

Status check(const SignatureExtractor::Arguments& arguments, std::span<const Image> indicators,
             MemoryPlace place) {
  if (indicators.size() != arguments.cameras.size())
    return fail(ErrorKind::invalid_argument, "one indicator a camera is expected", "frame signatures");
  for (size_t c = 0; c < indicators.size(); ++c) {
    const Image& image = indicators[c];
    if (!image) continue;
    const PinholeCamera<double>& camera = arguments.cameras[c];
    if (image.type() != ImageType::u8 || image.width() != camera.width_px ||
        image.height() != camera.height_px || image.place() != place)
      return fail(ErrorKind::invalid_argument,
                  "an indicator has another type, size or memory than its camera's", "frame signatures");
  }
  return {};
}

}  // namespace vantage::signatures

namespace vantage {
namespace {

class SignatureExtractorCpu final : public SignatureExtractor {
 public:
  SignatureExtractorCpu(const Arguments& arguments, TraceRecorder* trace)
      : arguments_(arguments), layout_(signatures::lay_out(arguments)), trace_(trace) {}

  Result<Image> extract(std::span<const Image> indicators, int64_t frame) override {
    VANTAGE_TRY(signatures::check(arguments_, indicators, {}));
    const SpanGuard span(trace_, "frame_signatures", "cpu frame signatures", frame, -1, SpanKind::kernel);
    VANTAGE_ASSIGN(Image out, Image::make(ImageType::u32, layout_.columns,
                                          static_cast<int>(layout_.rows.size()), HostPool::shared()));
    const ImageView<uint32_t> view = out.writable_view<uint32_t>();
    tbb::parallel_for(0, view.height, [&](int row) { read_row(indicators, row, view.row(row)); });
    return out;
  }

 private:
  void read_row(std::span<const Image> indicators, int index, uint32_t* out) const {
    const signatures::Row& row = layout_.rows[index];
    const Image& indicator = indicators[row.camera];
    const int lines = indicator ? row.lines : 0;
    for (int r = lines; r < layout_.columns; ++r) out[r] = kNoSignature;
    if (lines == 0) return;
    const ImageView<const uint8_t> view = indicator.view<uint8_t>();
    const uint32_t* point = layout_.points.data() + row.first_point;
    for (int r = 0; r < lines; ++r) {
      uint32_t sum = 0;
      for (int i = 0; i < kLinePoints; ++i, ++point)
        if (*point != kNoPoint) sum += view.row(static_cast<int>(*point >> 16))[*point & 0xffffu];
      out[r] = sum;
    }
  }

  const Arguments arguments_;
  const signatures::Layout layout_;
  TraceRecorder* const trace_;
};

}  // namespace

void register_signatures_cpu(BackendRegistry& registry) {
  registry.add<SignatureExtractor>(
      Device::cpu,
      [](const BackendContext& context,
         const SignatureExtractor::Arguments& arguments) -> Result<std::unique_ptr<SignatureExtractor>> {
        VANTAGE_TRY(signatures::check(arguments));
        return std::make_unique<SignatureExtractorCpu>(arguments, context.trace);
      });
}

}  // namespace vantage
