#include "core/export/figure/detail/figure_drawing.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/display/floor_picture.h"
#include "core/export/figure/figure.h"
#include "core/optical_flow/flow_file.h"

namespace vantage::figure_detail {
namespace {

constexpr double kSideShare = 0.1, kTextShare = 1.0 / 80;  // of the page's width
constexpr int kMinSide_px = 84, kMinText_px = 11;
constexpr int kTicks = 5;
constexpr double kMaxHeightShare = 4;  // of the width; a longer view would be a strip

int line_px(const FigurePage& page) {
  return page.text_px + page.text_px / 2;
}

// Words as far as they fit; a longer word stands by itself.
std::vector<std::string> wrapped(const std::string& text, int width_px, int text_px) {
  std::vector<std::string> lines;
  std::string line;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find(' ', at);
    if (end == std::string::npos) end = text.size();
    const std::string word = text.substr(at, end - at);
    const std::string longer = line.empty() ? word : line + ' ' + word;
    if (line.empty() || Canvas::picture_text_width_px(longer, text_px) <= width_px) {
      line = longer;
    } else {
      lines.push_back(std::move(line));
      line = word;
    }
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

MarkColor blended(const MarkColor& color, const MarkColor& ground, double opacity) {
  MarkColor out;
  for (size_t c = 0; c < 3; ++c)
    out[c] = static_cast<uint8_t>(opacity * color[c] + (1 - opacity) * ground[c] + 0.5);
  return out;
}

}  // namespace

FigurePage lay_out(int width_px, double height_share, bool with_side, const std::vector<std::string>& notes) {
  FigurePage page;
  page.width_px = width_px;
  page.text_px = std::max(kMinText_px, static_cast<int>(std::lround(kTextShare * width_px)));
  const int side =
      with_side ? std::max(kMinSide_px, static_cast<int>(std::lround(kSideShare * width_px))) : 0;
  const int view_width = width_px - side;
  page.view = {
      0, 0, view_width,
      std::max(1, static_cast<int>(std::lround(std::min(height_share, kMaxHeightShare) * view_width)))};
  page.side = {view_width, 0, width_px, page.view.bottom};
  page.caption_top = page.view.bottom + page.text_px / 2;
  for (const std::string& note : notes)
    for (std::string& line : wrapped(note, width_px - page.text_px, page.text_px))
      page.notes.push_back(std::move(line));
  page.height_px =
      page.caption_top + line_px(page) * (1 + static_cast<int>(page.notes.size())) + page.text_px / 2;
  page.height_px += page.height_px % 2;
  return page;
}

void draw_color_bar(Canvas& canvas, const FigurePage& page, const ColorScale& scale) {
  const int text = page.text_px, left = page.side.left + text;
  const PixelArea bar = {left, page.view.top + 3 * text, left + 2 * text, page.view.bottom - 2 * text};
  if (bar.height() < 2 * kTicks) return;
  for (int y = bar.top; y < bar.bottom; ++y) {
    const double share = 1 - (y - bar.top + 0.5) / bar.height();
    canvas.fill({bar.left, y, bar.right, y + 1},
                blended(mapped_color(*scale.colors, share), scale.ground, scale.opacity));
  }
  canvas.text(scale.unit, left, bar.top - text, text, kInkOnPaper);
  for (int i = 0; i < kTicks; ++i) {
    const double share = static_cast<double>(i) / (kTicks - 1);
    const int y = bar.bottom - 1 - static_cast<int>(std::lround(share * (bar.height() - 1)));
    canvas.fill({bar.right, y, bar.right + text / 3, y + 1}, kInkOnPaper);
    canvas.text(fmt::format("{:.2f}", scale.low + share * (scale.high - scale.low)), bar.right + text / 2,
                y + text / 3, text, kInkOnPaper);
  }
}

void draw_color_bars(Canvas& canvas, const FigurePage& page, const std::vector<ColorScale>& scales) {
  const int count = static_cast<int>(scales.size()), height = page.view.height();
  for (int i = 0; i < count; ++i) {
    FigurePage part = page;
    part.view.top = page.view.top + height * i / count;
    part.view.bottom = page.view.top + height * (i + 1) / count;
    draw_color_bar(canvas, part, scales[i]);
  }
}

void draw_flow_wheel(Canvas& canvas, const FigurePage& page, double full_px) {
  const int text = page.text_px, size = std::max(2, page.side.width() - 2 * text);
  const int left = page.side.left + text, top = page.view.top + text;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const double dx = 2 * (x + 0.5) / size - 1, dy = 2 * (y + 0.5) / size - 1;
      if (std::hypot(dx, dy) > 1) continue;
      MarkColor color;
      flow_color(dx, dy, color.data());
      canvas.put(left + x, top + y, color);
    }
  int base = top + size + text + text / 2;
  for (const std::string& line :
       {std::string("rim:"), fmt::format("{:g} px", full_px), std::string("a frame")}) {
    canvas.text(line, left, base, text, kInkOnPaper);
    base += text + text / 2;
  }
}

void draw_caption(Canvas& canvas, const FigurePage& page, const std::string& title) {
  int title_px = page.text_px;
  const int room = page.width_px - page.text_px;
  while (title_px > 6 && Canvas::picture_text_width_px(title, title_px) > room) --title_px;
  int base = page.caption_top + page.text_px;
  canvas.text(title, page.text_px / 2, base, title_px, kInkOnPaper);
  for (const std::string& note : page.notes) {
    base += line_px(page);
    canvas.text(note, page.text_px / 2, base, page.text_px, kQuietOnPaper);
  }
}

FigurePeople::FigurePeople(const Project& project, const std::filesystem::path& results, FrameRange frames,
                           uint64_t version, double frame_rate)
    : version_(version), trail_frames_(std::lround(kFigureTrail_s * frame_rate)) {
  if (project.path.empty()) return;
  Result<CasePeople> read = CasePeople::read(project, results);
  if (!read || !read->found_by(frames, version)) return;
  for (int64_t frame = frames.begin; frame < frames.end; ++frame)
    if (!read->known(frame)) return;
  recorded_.emplace(std::move(*read));
  trails_.set_stored(recorded_->recorded().paths, version);
}

void FigurePeople::add(const FrameResult& result) {
  if (!recorded_) trails_.add(result);
}

std::string FigurePeople::label(int64_t id) const {
  return recorded_ ? person_label(id, recorded_->recorded().names) : person_label(id);
}

std::vector<FigurePerson> FigurePeople::people(const FrameResult& result) const {
  std::vector<FigurePerson> people;
  if (recorded_) {
    for (const CasePerson& person : recorded_->at(result.frame))
      people.push_back({person.id, label(person.id), person.x_m, person.y_m, person.height_m});
    return people;
  }
  for (const FramePerson& person : people_of(result))
    people.push_back(
        {person.id(), label(person.id()), person.found.x_m, person.found.y_m, person.found.height_m});
  return people;
}

std::vector<Trail> FigurePeople::trails(const FrameResult& result) const {
  return trails_.until(result.frame, trail_frames_, version_,
                       recorded_ ? TrailStore::From::results : TrailStore::From::any);
}

namespace {

constexpr MarkColor kPlanGround = {244, 244, 244}, kMetreLine = {222, 222, 222}, kShape = {64, 64, 64},
                    kRegion = {160, 160, 160};
constexpr double kMargin_m = 0.5;

// Metres of the floor and pixels of the plan, y upwards.
struct PlanScale {
  Eigen::AlignedBox2d area_m;
  PixelArea area;
  double px_per_m() const { return area.width() / area_m.sizes().x(); }
  Eigen::Vector2d to_figure(const Eigen::Vector2d& floor_m) const {
    return {area.left - 0.5 + (floor_m.x() - area_m.min().x()) * px_per_m(),
            area.top - 0.5 + (area_m.max().y() - floor_m.y()) * px_per_m()};
  }
  Eigen::Vector2d to_floor(int x, int y) const {
    return {area_m.min().x() + (x - area.left + 0.5) / px_per_m(),
            area_m.max().y() - (y - area.top + 0.5) / px_per_m()};
  }
};

WorldView plan_view(const PlanScale& scale) {
  const Eigen::Vector2d low(scale.area.left, scale.area.top), high(scale.area.right, scale.area.bottom);
  return {[scale](const Eigen::Vector3d& point) { return std::optional(scale.to_figure(point.head<2>())); },
          {low - (high - low), high + (high - low)}};
}

void draw_metres(const PlanScale& scale, Canvas& canvas) {
  const auto line = [&](const Eigen::Vector2d& from_m, const Eigen::Vector2d& to_m) {
    const std::array<Eigen::Vector2d, 2> ends = {scale.to_figure(from_m), scale.to_figure(to_m)};
    canvas.polyline(ends, 1, kMetreLine);
  };
  const Eigen::Vector2d low = scale.area_m.min(), high = scale.area_m.max();
  for (double x = std::ceil(low.x()); x <= high.x(); ++x) line({x, low.y()}, {x, high.y()});
  for (double y = std::ceil(low.y()); y <= high.y(); ++y) line({low.x(), y}, {high.x(), y});
}

void draw_floor_map(const FloorPicture& map, const PlanScale& scale, Canvas& canvas) {
  for (int y = scale.area.top; y < scale.area.bottom; ++y)
    for (int x = scale.area.left; x < scale.area.right; ++x) {
      const Eigen::Vector2d at =
          (scale.to_floor(x, y) - map.corner_in_world_m.head<2>()).array() / map.cell_m;
      const auto column = static_cast<int>(std::floor(at.x())), row = static_cast<int>(std::floor(at.y()));
      if (column < 0 || row < 0 || column >= map.nx || row >= map.ny) continue;
      const uint8_t* rgba = map.rgba.data() + 4 * (static_cast<size_t>(row) * static_cast<size_t>(map.nx) +
                                                   static_cast<size_t>(column));
      canvas.put(x, y, {rgba[0], rgba[1], rgba[2]}, rgba[3] / 255.0);
    }
}

// A bar of 1, 2 or 5 times a power of ten metres, at most a quarter of the plan.
void draw_scale_bar(const PlanScale& scale, int text_px, Canvas& canvas) {
  const double longest_m = scale.area_m.sizes().x() / 4;
  double length_m = std::pow(10, std::floor(std::log10(longest_m)));
  for (const double step : {5.0, 2.0})
    if (step * length_m <= longest_m) {
      length_m *= step;
      break;
    }
  const int left = scale.area.left + text_px, base = scale.area.bottom - text_px;
  const auto length = static_cast<int>(std::lround(length_m * scale.px_per_m()));
  canvas.fill({left, base - 3, left + length, base}, kInkOnPaper);
  for (const int end : {left, left + length})
    canvas.fill({end - 1, base - 8, end + 1, base + 4}, kInkOnPaper);
  canvas.text(fmt::format("{:g} m", length_m), left + 4, base - text_px / 2 - 4, text_px, kInkOnPaper);
}

// As they stand at that frame.
void draw_cameras(const FigureScene& scene, int64_t frame, const PlanScale& scale, Canvas& canvas) {
  for (const ProjectCamera& camera : scene.project.cameras) {
    const Camera& calibration = *camera.calibration_at(frame);
    const Eigen::Vector2d at = scale.to_figure(calibration.center_in_world_m().head<2>());
    const double half = scene.page.text_px / 2.0;
    const Eigen::Vector3d ahead = calibration.rotation_cam_from_world().row(2);
    Eigen::Vector2d way(ahead.x(), -ahead.y());
    if (way.norm() < 1e-6) way = {0, -1};  // it looks straight down
    way *= 4 * half / way.norm();
    const Eigen::Vector2d across(-way.y() / 3, way.x() / 3);
    const std::array<Eigen::Vector2d, 4> corners = {at, at + way + across, at + way - across, at};
    canvas.polyline(corners, 1.5, kShape);
    canvas.polyline(std::array<Eigen::Vector2d, 2>{at, at}, half, kShape);
    canvas.text(camera.name, static_cast<int>(at.x()) + 4, static_cast<int>(at.y()) - 4, scene.page.text_px,
                kShape);
  }
}

}  // namespace

Eigen::AlignedBox2d plan_area_m(const VoxelGrid& grid) {
  const Eigen::Vector2d low(grid.origin_in_world_m[0], grid.origin_in_world_m[1]);
  const Eigen::Vector2d size = grid.voxel_size_m * Eigen::Vector2d(grid.nx, grid.ny);
  const Eigen::Vector2d margin(kMargin_m, kMargin_m);
  return {low - margin, low + size + margin};
}

ColorScale plan_scale() {
  return {&kCividis, 0, kFullColumn_m, "m", kFloorAlpha / 255.0, kPlanGround};
}

void draw_plan(const FigureScene& scene, const VoxelGrid& grid, const FigureFrame& frame, Canvas& canvas) {
  const PlanScale scale = {plan_area_m(grid), scene.page.view};
  const MarkedView marks = {canvas, plan_view(scale), MarkSizes::of(scene.page.view.height()), kShape};
  canvas.fill(scale.area, kPlanGround);
  canvas.clip_to(scale.area);
  draw_metres(scale, canvas);
  if (scene.shows(FigureOverlay::floor_map) && frame.result->floor_map())
    draw_floor_map(floor_map_picture(*frame.result->floor_map()), scale, canvas);
  const Eigen::Vector2d low = scale.area_m.min().array() + kMargin_m,
                        high = scale.area_m.max().array() - kMargin_m;
  marks.draw_floor_line(std::array<Eigen::Vector2d, 4>{low, Eigen::Vector2d(high.x(), low.y()), high,
                                                       Eigen::Vector2d(low.x(), high.y())},
                        true, kRegion);
  draw_cameras(scene, frame.result->frame, scale, canvas);
  if (scene.shows(FigureOverlay::floor)) {
    marks.draw_shapes(scene.project.zones, scene.project.lines);
    for (const FloorZone& zone : scene.project.zones) {
      Eigen::Vector2d middle = Eigen::Vector2d::Zero();
      for (const Eigen::Vector2d& corner : zone.corners_m)
        middle += scale.to_figure(corner) / static_cast<double>(zone.corners_m.size());
      canvas.text(zone.name, static_cast<int>(middle.x()), static_cast<int>(middle.y()), scene.page.text_px,
                  kShape);
    }
  }
  if (scene.shows(FigureOverlay::trails)) marks.draw_trails(frame.trails);
  if (scene.shows(FigureOverlay::people))
    for (const FigurePerson& person : frame.people)
      marks.draw_ring({person.x_m, person.y_m}, person.shown_color(), person.label);
  draw_scale_bar(scale, scene.page.text_px, canvas);
  canvas.clip_to(canvas.whole());
}

}  // namespace vantage::figure_detail
