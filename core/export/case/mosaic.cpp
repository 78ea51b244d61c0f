#include "core/export/case/mosaic.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/display/marked_view.h"
#include "core/image/picture.h"

namespace vantage {
namespace {

constexpr int kColorStep = 8;           // of 256: what is left of a mean
constexpr double kHeadShare = 1.0 / 7;  // of a body's height

uint8_t coarse(int64_t sum, int64_t count) {
  const auto mean = static_cast<int>((sum + count / 2) / count);
  return static_cast<uint8_t>(std::min(255, mean / kColorStep * kColorStep + kColorStep / 2));
}

// One square of a plane: `size` samples, quads of `quad` samples.
void fill_square(const ImageView<const uint8_t>& from, const ImageView<const uint8_t>& levels, int level,
                 int left, int top, int size, int quad, const ImageView<uint8_t>& to) {
  const int right = std::min(left + size, from.width), bottom = std::min(top + size, from.height);
  bool wanted = false;
  for (int y = top / quad; y <= (bottom - 1) / quad && !wanted; ++y)
    for (int x = left / quad; x <= (right - 1) / quad && !wanted; ++x) wanted = levels.at(x, y) == level;
  if (!wanted) return;
  int64_t sum = 0;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) sum += from.at(x, y);
  const uint8_t color = coarse(sum, int64_t{right - left} * (bottom - top));
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x)
      if (levels.at(x / quad, y / quad) == level) to.at(x, y) = color;
}

void fill_plane(const ImageView<const uint8_t>& from, const ImageView<const uint8_t>& levels, int level,
                int quad, const ImageView<uint8_t>& to) {
  const int size = (1 << level) / 2 * quad;
  const int rows = (from.height + size - 1) / size, columns = (from.width + size - 1) / size;
  tbb::parallel_for(0, rows, [&](int row) {
    for (int column = 0; column < columns; ++column)
      fill_square(from, levels, level, column * size, row * size, size, quad, to);
  });
}

}  // namespace

int mosaic_level(double height_px) {
  const double size_px = std::max(1.0, kHeadShare * height_px);
  return std::clamp(static_cast<int>(std::ceil(std::log2(size_px))), kMinMosaicLevel, kMaxMosaicLevel);
}

Result<Picture> pixelated(const Picture& picture, const Image& levels, BufferPool& pool) {
  if (picture.format().layout != PictureLayout::i420 || picture.place().kind != MemoryKind::host ||
      levels.width() != quads(picture.width()) || levels.height() != quads(picture.height()))
    return fail(ErrorKind::invalid_argument, "the picture and what is to be hidden of it do not fit");
  VANTAGE_ASSIGN(Picture hidden, Picture::make(picture.format(), pool));
  for (int p = 0; p < picture.plane_count(); ++p) {
    const ImageView<const uint8_t> from = picture.plane(p);
    for (int y = 0; y < from.height; ++y)
      std::memcpy(hidden.writable_plane(p).row(y), from.row(y), static_cast<size_t>(from.width));
  }
  const ImageView<const uint8_t> of_quads = levels.view<uint8_t>();
  bool present[kMaxMosaicLevel + 1] = {};
  for (int y = 0; y < of_quads.height; ++y)
    for (int x = 0; x < of_quads.width; ++x)
      present[std::min<int>(of_quads.at(x, y), kMaxMosaicLevel)] = true;
  for (int level = kMinMosaicLevel; level <= kMaxMosaicLevel; ++level) {
    if (!present[level]) continue;
    for (int p = 0; p < picture.plane_count(); ++p)
      fill_plane(picture.plane(p), of_quads, level, p == 0 ? 2 : 1, hidden.writable_plane(p));
  }
  return hidden;
}

}  // namespace vantage

namespace vantage::case_detail {
namespace {

constexpr int kWidth_px = 1920;       // at most
constexpr double kPlanMargin = 0.06;  // of its place
constexpr MarkColor kPaper = {226, 226, 226}, kLines = {109, 109, 109}, kDark = {28, 28, 28};

int even(int value) {
  return value / 2 * 2;
}

}  // namespace

Result<std::unique_ptr<GridVideo>> GridVideo::open(const CaseScene& scene,
                                                   const std::vector<PictureFormat>& formats,
                                                   const std::filesystem::path& file) {
  std::unique_ptr<GridVideo> grid(new GridVideo(scene));
  grid->has_plan_ = scene.project.calibrated();
  const size_t places = formats.size() + (grid->has_plan_ ? 1 : 0);
  grid->plan_place_ = formats.size();
  grid->columns_ = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(places))));
  const int rows = (static_cast<int>(places) + grid->columns_ - 1) / grid->columns_;
  int width = 0, height = 0;
  for (const PictureFormat& format : formats)
    width = std::max(width, format.width), height = std::max(height, format.height);
  while (grid->columns_ * width > kWidth_px * grid->factor_) ++grid->factor_;
  grid->place_width_ = std::max(2, even(width / grid->factor_));
  grid->place_height_ = std::max(2, even(height / grid->factor_));
  grid->format_ = formats.front();
  grid->format_.width = grid->columns_ * grid->place_width_;
  grid->format_.height = rows * grid->place_height_;
  if (grid->has_plan_) grid->fit_plan();
  VANTAGE_ASSIGN(grid->writer_, VideoWriter::open(file, grid->format_, scene.video_options()));
  return grid;
}

// So that the grid, the cameras and whatever is drawn on the floor are in it.
void GridVideo::fit_plan() {
  Eigen::AlignedBox2d box;
  const auto add = [&](double x_m, double y_m) { box.extend(Eigen::Vector2d(x_m, y_m)); };
  if (const Result<VoxelGrid> grid = scene_.project.effective_grid()) {
    add(grid->origin_in_world_m[0], grid->origin_in_world_m[1]);
    add(grid->origin_in_world_m[0] + grid->voxel_size_m * grid->nx,
        grid->origin_in_world_m[1] + grid->voxel_size_m * grid->ny);
  }
  for (const CameraPose& stand : scene_.camera_poses()) add(stand.at_m.x(), stand.at_m.y());
  for (const FloorZone& zone : scene_.project.zones)
    for (const Eigen::Vector2d& corner : zone.corners_m) add(corner.x(), corner.y());
  middle_m_ = box.center();
  const Eigen::Vector2d size = box.sizes().cwiseMax(0.5);
  scale_px_ = (1 - 2 * kPlanMargin) * std::min(place_width_ / size.x(), place_height_ / size.y());
}

// Pixels of the plan's place; y upwards.
Eigen::Vector2d GridVideo::on_plan(double x_m, double y_m) const {
  return {place_width_ / 2.0 + scale_px_ * (x_m - middle_m_.x()),
          place_height_ / 2.0 - scale_px_ * (y_m - middle_m_.y())};
}

void GridVideo::draw_plan(Canvas& canvas, int64_t frame) const {
  const int left = static_cast<int>(plan_place_) % columns_ * place_width_;
  const int top = static_cast<int>(plan_place_) / columns_ * place_height_;
  const auto at = [&](const Eigen::Vector2d& floor_m) -> Eigen::Vector2d {
    return Eigen::Vector2d(left, top) + on_plan(floor_m.x(), floor_m.y());
  };
  const auto line = [&](std::span<const Eigen::Vector2d> floor_m, double width_px, const MarkColor& color) {
    Outline points;
    for (const Eigen::Vector2d& point : floor_m) points.push_back(at(point));
    canvas.polyline(points, width_px, color);
  };
  const PixelArea place = {left, top, left + place_width_, top + place_height_};
  canvas.clip_to(place);
  canvas.fill(place, kPaper);
  const int text_px = std::max(12, place_height_ / 30);
  const auto dot = [&](const Eigen::Vector2d& floor_m, double radius_px, const MarkColor& color,
                       const std::string& name) {
    const Eigen::Vector2d middle = at(floor_m);
    canvas.disc(middle.x(), middle.y(), radius_px, color);
    canvas.label(name, static_cast<int>(middle.x()) + 6, static_cast<int>(middle.y()) - text_px / 2, text_px);
  };
  for (const FloorZone& zone : scene_.project.zones) {
    Outline corners = zone.corners_m;
    corners.push_back(corners.front());
    line(corners, 1.5, kLines);
  }
  for (const FloorLine& one : scene_.project.lines) line(Outline{one.from_m, one.to_m}, 1.5, kDark);
  for (const Camera& camera : scene_.project.calibrations(frame))
    dot(camera.center_in_world_m().head<2>(), 4, kDark, camera.name());
  for (const Trail& trail : scene_.trails_at(frame)) line(trail.floor_m, 2, person_rgb(trail.id));
  for (const CasePerson& person : scene_.people_at(frame))
    dot({person.x_m, person.y_m}, std::max(4.0, 0.2 * scale_px_), person_rgb(person.id),
        scene_.label(person.id));
  canvas.label("plan   " + scene_.moment_text(frame), left,
               top + place_height_ - Canvas::label_height_px(text_px), text_px);
}

Status GridVideo::add(int64_t frame, const std::vector<Picture>& pictures) {
  BufferPool& pool = HostPool::shared();
  VANTAGE_ASSIGN(Picture picture, black_picture(format_, pool));
  for (size_t i = 0; i < pictures.size(); ++i) {
    const int column = static_cast<int>(i) % columns_, row = static_cast<int>(i) / columns_;
    for (int p = 0; p < 3; ++p) {
      const int half = p == 0 ? 1 : 2;
      VANTAGE_ASSIGN(const Image small, reduced_mean(pictures[i].plane(p), factor_, pool));
      const ImageView<const uint8_t> from = small.view<uint8_t>();
      const ImageView<uint8_t> to = picture.writable_plane(p);
      const int width = std::min(from.width, place_width_ / half);
      for (int y = 0; y < std::min(from.height, place_height_ / half); ++y)
        std::memcpy(to.row(row * place_height_ / half + y) + column * place_width_ / half, from.row(y),
                    static_cast<size_t>(width));
    }
  }
  if (has_plan_) {
    VANTAGE_ASSIGN(Canvas canvas, Canvas::over(picture));
    draw_plan(canvas, frame);
  }
  return writer_->write(picture);
}

}  // namespace vantage::case_detail
