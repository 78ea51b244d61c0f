#include "core/export/figure/detail/scene_drawing.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/detections/skeletons.h"
#include "core/display/depth_picture.h"
#include "core/display/shell_points.h"

namespace vantage::figure_detail {
namespace {

constexpr double kAboveHead_m = 0.12;
constexpr double kScaleLeft = 0.04, kScaleTop = 0.91, kScaleEnd = 0.04;  // of the bar, in shares of the view
constexpr double kSceneRing_m = 0.28;

MarkColor color_of(const FigurePerson& person) {
  return person.id > 0 ? person_rgb(person.id) : kShellUnknown;
}

std::vector<ShellPerson> shell_people(const FigureFrame& frame) {
  std::vector<ShellPerson> people;
  for (const FigurePerson& person : frame.people)
    people.push_back({person.x_m, person.y_m, color_of(person)});
  return people;
}

// Letters that are read on any ground.
void haloed(Canvas& canvas, const std::string& text, int left, int base, int height_px,
            const MarkColor& color) {
  for (const auto& [dx, dy] : {std::pair(-1, 0), {1, 0}, {0, -1}, {0, 1}})
    canvas.text(text, left + dx, base + dy, height_px, {0, 0, 0});
  canvas.text(text, left, base, height_px, color);
}

WorldView world_view(const SceneProjection& view, const PixelArea& area) {
  const Eigen::Vector2d low(area.left, area.top), high(area.right, area.bottom);
  return {[view, low](const Eigen::Vector3d& point) -> std::optional<Eigen::Vector2d> {
            const Eigen::Vector3d at = view.in_view_m(point);
            if (!view.visible(at)) return std::nullopt;
            return Eigen::Vector2d(low + view.pixel(at).px - Eigen::Vector2d(0.5, 0.5));
          },
          {low - (high - low), high + (high - low)}};
}

void draw_volume(const FigureFrame& frame, const VoxelGrid& grid, bool by_height, DepthPicture& picture) {
  const std::vector<ShellPerson> people = shell_people(frame);
  for (const ShellPoint& point : frame.shell) {
    const Eigen::Vector3d at = Eigen::Vector3f(point.x_m, point.y_m, point.z_m).cast<double>();
    picture.add_ball(
        at, kShellBallSize * grid.voxel_size_m,
        by_height ? shell_color_by_height(at.z()) : shell_color_by_person(at.x(), at.y(), people));
  }
}

void draw_skeletons(const FigureFrame& frame, const MarkedView& marks) {
  const std::vector<ShellPerson> people = shell_people(frame);
  for (const FramePerson& person : people_of(*frame.result)) {
    if (!person.skeleton) continue;
    const MarkColor color = shell_color_by_person(person.found.x_m, person.found.y_m, people);
    for (const SkeletonLimb& limb : limbs_of(*person.skeleton->layout)) {
      const auto &from = person.skeleton->joints[limb.joints[0]],
                 &to = person.skeleton->joints[limb.joints[1]];
      if (!from || !to) continue;
      const std::array<Eigen::Vector3d, 2> ends = {from->point_in_world_m, to->point_in_world_m};
      for (const PixelStrip& strip : project_polyline(marks.view, ends, false))
        marks.surface.polyline(strip, 1.25 * marks.sizes.line_px, color);
    }
  }
}

// Farther ones first: of labels that meet, the nearest is read.
void draw_people(const FigureFrame& frame, const MarkedView& marks, const Eigen::Vector3d& eye_m,
                 Canvas& canvas) {
  std::vector<FigurePerson> people = frame.people;
  const auto distance = [&](const FigurePerson& person) {
    return (Eigen::Vector3d(person.x_m, person.y_m, 0) - eye_m).squaredNorm();
  };
  std::ranges::stable_sort(people, std::greater(), distance);
  for (const FigurePerson& person : people) {
    const Eigen::Vector3d place(person.x_m, person.y_m, 0);
    for (const PixelStrip& strip : project_polyline(marks.view, circle_in_world_m(place, kSceneRing_m), true))
      marks.surface.polyline(strip, marks.sizes.line_px, color_of(person));
  }
  const int text = marks.sizes.text_px;
  for (const FigurePerson& person : people) {
    const auto top = marks.view.project({person.x_m, person.y_m, person.height_m + kAboveHead_m});
    if (!top || !marks.view.bounds_px.contains(*top)) continue;
    const int width = Canvas::label_width_px(person.label, text);
    const int left = static_cast<int>(top->x()) - width / 2, bottom = static_cast<int>(top->y());
    const MarkColor color = color_of(person);
    canvas.fill({left, bottom - text - text / 3, left + width, bottom}, color);
    const bool dark =
        std::max({color[0], color[1], color[2]}) + std::min({color[0], color[1], color[2]}) < 184;
    canvas.text(person.label, left + text / 4, bottom - text / 4, text,
                dark ? kMarkWhite : MarkColor{0, 0, 0});
  }
}

void draw_zone_names(const FigureScene& scene, const MarkedView& marks, Canvas& canvas) {
  const auto name = [&](const std::string& text, const Eigen::Vector2d& middle_m) {
    if (const auto at = marks.view.project({middle_m.x(), middle_m.y(), 0}))
      haloed(canvas, text, static_cast<int>(at->x()) + 6, static_cast<int>(at->y()) - 6, scene.page.text_px,
             kMarkWhite);
  };
  for (const FloorZone& zone : scene.project.zones) {
    Eigen::Vector2d middle = Eigen::Vector2d::Zero();
    for (const Eigen::Vector2d& corner : zone.corners_m)
      middle += corner / static_cast<double>(zone.corners_m.size());
    name(zone.name, middle);
  }
  for (const FloorLine& line : scene.project.lines) name(line.name, (line.from_m + line.to_m) / 2);
}

// A bar that lies on the floor across the line of sight, at the lower left: 1, 2 or 5 times a power of ten
// metres, at most a quarter of the view. None where the floor is not seen there.
void draw_floor_scale(const FigureScene& scene, const SceneProjection& view, const MarkedView& marks,
                      Canvas& canvas) {
  const PixelArea& area = scene.page.view;
  const SceneProjection::Sight sight = view.sight(kScaleLeft * area.width(), kScaleTop * area.height());
  const double ahead = -sight.from_m.z() / sight.along.z();
  if (!(sight.along.z() < 0) || !(ahead < kMaxSceneDistance_m)) return;
  const Eigen::Vector2d from = (sight.from_m + ahead * sight.along).head<2>();
  const Eigen::Vector2d right = view.right().head<2>().normalized(), away(-right.y(), right.x());
  const double longest_m = area.width() / 4.0 / view.pixel(view.in_view_m({from.x(), from.y(), 0})).px_per_m;
  double length_m = std::pow(10, std::floor(std::log10(longest_m)));
  for (const double step : {5.0, 2.0})
    if (step * length_m <= longest_m) {
      length_m *= step;
      break;
    }
  const auto line = [&](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    marks.draw_floor_line(std::array<Eigen::Vector2d, 2>{a, b}, false, kMarkWhite);
  };
  line(from, from + length_m * right);
  for (const double end : {0.0, length_m})
    line(from + end * right - kScaleEnd * longest_m * away,
         from + end * right + kScaleEnd * longest_m * away);
  const int text = scene.page.text_px;
  haloed(canvas, fmt::format("{:g} m on the floor here", length_m),
         area.left + static_cast<int>(kScaleLeft * area.width()),
         area.top + static_cast<int>(kScaleTop * area.height()) + 2 * text, text, kMarkWhite);
}

}  // namespace

SceneRoom::SceneRoom(const Project& project, const VoxelGrid& grid)
    : grid_(grid), floor_(floor_area(project.calibrations(), &grid)) {
  frame_scene(floor_, project.calibrations(), &fitted_);
}

void SceneRoom::draw(const FigureScene& scene, const FigureFrame& frame, double film_share,
                     Canvas& canvas) const {
  const PixelArea& area = scene.page.view;
  const SceneProjection view =
      scene_camera(scene.view.scene, fitted_, film_share).projection(area.width(), area.height());
  DepthPicture picture(view);
  const double fine = std::max(1.0, area.height() / 800.0);  // lines of large figures are wider
  const FloorSegments floor = floor_segments(floor_);
  picture.add_lines(floor.metres, kSceneMetre, fine);
  picture.add_lines(floor.axes, kSceneAxis, fine);
  const std::vector<Camera> cameras = scene.project.calibrations(frame.result->frame);
  for (size_t i = 0; i < cameras.size(); ++i)
    picture.add_lines(frustum_segments(cameras[i], frustum_length_m(floor_)), camera_rgb(static_cast<int>(i)),
                      kFrustumLine_px * fine);
  picture.add_lines(box_segments(grid_), kSceneBox, fine);
  if (scene.shows(FigureOverlay::volume)) draw_volume(frame, grid_, scene.view.scene.by_height, picture);
  FloorPicture map;
  if (scene.shows(FigureOverlay::floor_map) && frame.result->floor_map())
    map = floor_map_picture(*frame.result->floor_map());
  picture.add_picture(map);
  picture.add_picture(frame.slice);
  picture.draw(area, kSceneGround, canvas);

  canvas.clip_to(area);
  const MarkedView marks = {canvas, world_view(view, area), MarkSizes::of(area.height())};
  draw_names(scene, cameras, view, canvas);
  if (scene.shows(FigureOverlay::floor)) {
    marks.draw_shapes(scene.project.zones, scene.project.lines);
    draw_zone_names(scene, marks, canvas);
  }
  if (scene.shows(FigureOverlay::trails)) marks.draw_trails(frame.trails);
  if (scene.shows(FigureOverlay::skeletons)) draw_skeletons(frame, marks);
  if (scene.shows(FigureOverlay::people)) draw_people(frame, marks, view.eye_m(), canvas);
  draw_floor_scale(scene, view, marks, canvas);
  canvas.clip_to(canvas.whole());
}

// Metres along the floor's edges, and the cameras.
void SceneRoom::draw_names(const FigureScene& scene, const std::vector<Camera>& cameras,
                           const SceneProjection& view, Canvas& canvas) const {
  const WorldView world = world_view(view, scene.page.view);
  const int text = scene.page.text_px;
  for (const FloorNumber& number : floor_numbers(floor_)) {
    const auto at = world.project(number.position_in_world_m);
    if (!at || !world.bounds_px.contains(*at)) continue;
    const std::string words = !number.last ? fmt::format("{}", number.metre)
                                           : fmt::format("{} {} m", number.of_x ? 'x' : 'y', number.metre);
    haloed(canvas, words, static_cast<int>(at->x()) + (number.of_x ? -text / 3 : text / 2),
           static_cast<int>(at->y()) + text, text, kSceneText);
  }
  for (size_t i = 0; i < cameras.size(); ++i)
    if (const auto at = world.project(cameras[i].center_in_world_m()); at && world.bounds_px.contains(*at))
      haloed(canvas, scene.project.cameras[i].name, static_cast<int>(at->x()) + text / 2,
             static_cast<int>(at->y()) - text / 2, text, camera_rgb(static_cast<int>(i)));
}

std::vector<std::string> SceneRoom::notes(const FigureScene& scene) const {
  const SceneFigure& wanted = scene.view.scene;
  const OrbitCamera camera = scene_camera(wanted, fitted_, 0);
  const Eigen::Vector3d at = camera.target_m();
  std::string from = fmt::format(
      "Seen from azimuth {:g}\u00b0, elevation {:g}\u00b0, {:.2f} m from ({:.2f}, {:.2f}, {:.2f}) m",
      wanted.azimuth_deg, wanted.elevation_deg, camera.distance_m(), at.x(), at.y(), at.z());
  if (wanted.turn_deg != 0) from += fmt::format(", turning by {:g}\u00b0", wanted.turn_deg);
  std::vector<std::string> notes = {from + "; lines of the floor every metre."};
  if (scene.shows(FigureOverlay::volume))
    notes.push_back(
        wanted.by_height
            ? std::string("Colour of the volume: height above the floor, in metres.")
            : fmt::format("Colour of the volume: the person within {:g} m, else grey.", kShellPersonReach_m));
  if (wanted.slice)
    notes.push_back(fmt::format("Slice at {} = {:.2f} m: confidence from 0 to 1.", "xyz"[wanted.slice->axis],
                                wanted.slice->at_m));
  return notes;
}

std::vector<ColorScale> scene_scales(const FigureScene& scene) {
  std::vector<ColorScale> scales;
  const double opacity = kFloorAlpha / 255.0;
  if (scene.shows(FigureOverlay::volume) && scene.view.scene.by_height)
    scales.push_back({&kViridis, 0, kShellFullHeight_m, "height, m", 1, kSceneGround});
  if (scene.shows(FigureOverlay::floor_map))
    scales.push_back({&kCividis, 0, kFullColumn_m, "floor, m", opacity, kSceneGround});
  if (scene.view.scene.slice) scales.push_back({&kCividis, 0, 1, "conf.", opacity, kSceneGround});
  return scales;
}

}  // namespace vantage::figure_detail
