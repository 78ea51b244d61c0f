// USD (openusd.org) as text: metres, z up as the scene. A frame of the base camera is a time code. A person
// is a capsule, visible where tracked.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/display/marked_view.h"
#include "core/export/case/case_people.h"
#include "core/export/people/detail/formats.h"
#include "core/export/people/detail/scene_parts.h"

namespace vantage::people_export_detail {
namespace {

// 24 mm: focal length and apertures are in tenths of the scene's unit, and their ratios alone matter.
constexpr double kFocalLength = 0.24;

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else
      result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return result + '"';
}

// A 4x4 matrix of row vectors.
std::string matrix_text(const Eigen::Isometry3d& pose) {
  std::string text = "( ";
  for (int column = 0; column < 4; ++column) {
    const Eigen::Vector4d c = pose.matrix().col(column);
    text += fmt::format("{}({:.9g}, {:.9g}, {:.9g}, {:g})", column > 0 ? ", " : "", c[0], c[1], c[2], c[3]);
  }
  return text + " )";
}

class UsdScene {
 public:
  UsdScene(const Project& project, const RecordedPeople& people) : project_(project), people_(people) {}
  std::string text();

 private:
  // Names of prims are unique, of letters, digits and '_'; the thing's own name is what is displayed.
  void begin(const char* type, const std::string& prim, const std::string& name) {
    text_ += fmt::format("    def {} \"{}\" (\n        displayName = {}\n    )\n    {{\n", type, prim,
                         quoted(name));
  }
  void line(const std::string& text) { text_ += "        " + text + '\n'; }
  void end() { text_ += "    }\n"; }
  void add_color(const MarkColor& color) {
    line(fmt::format("color3f[] primvars:displayColor = [({:.4g}, {:.4g}, {:.4g})]", linear(color[0]),
                     linear(color[1]), linear(color[2])));
  }
  static double linear(uint8_t channel) { return std::pow(channel / 255.0, 2.2); }
  void add_camera(const ProjectCamera& camera, size_t number);
  void add_floor();
  void add_curve(const std::string& prim, const std::string& name, std::span<const Eigen::Vector2d> points,
                 bool closed);
  void add_person(const PersonPath& path);

  const Project& project_;
  const RecordedPeople& people_;
  std::string text_;
};

// Distortion has no place in the format: it is in the calibration's own files.
void UsdScene::add_camera(const ProjectCamera& camera, size_t number) {
  const PinholeCamera<double>& model = camera.calibration->model();
  begin("Camera", fmt::format("camera_{}", number + 1), camera.name);
  line("token projection = \"perspective\"");
  line(fmt::format("float focalLength = {:g}", kFocalLength));
  line(fmt::format("float horizontalAperture = {:.9g}", kFocalLength * model.width_px / model.fx_px));
  line(fmt::format("float verticalAperture = {:.9g}", kFocalLength * model.height_px / model.fy_px));
  // Offsets from the principal point to the middle of the picture, right and up.
  line(fmt::format("float horizontalApertureOffset = {:.9g}",
                   kFocalLength * (0.5 * model.width_px - 0.5 - model.cx_px) / model.fx_px));
  line(fmt::format("float verticalApertureOffset = {:.9g}",
                   kFocalLength * (model.cy_px - 0.5 * model.height_px + 0.5) / model.fy_px));
  line(fmt::format("float2 clippingRange = ({:g}, {:g})", kNear_m, kFar_m));
  const auto pose = [](const Camera& at) {
    return matrix_text(Eigen::Translation3d(at.center_in_world_m()) * rotation_of(at));
  };
  line("matrix4d xformOp:transform = " + pose(*camera.calibration));
  if (!camera.later_calibrations.empty()) {
    // Samples are joined by lines: a pose lasts until the frame before the next.
    line("matrix4d xformOp:transform.timeSamples = {");
    line(fmt::format("    0: {},", pose(*camera.calibration)));
    const Camera* before = &*camera.calibration;
    for (const LaterCalibration& later : camera.later_calibrations) {
      if (later.from_frame > 1) line(fmt::format("    {}: {},", later.from_frame - 1, pose(*before)));
      line(fmt::format("    {}: {},", later.from_frame, pose(later.camera)));
      before = &later.camera;
    }
    line("}");
  }
  line("uniform token[] xformOpOrder = [\"xformOp:transform\"]");
  end();
}

void UsdScene::add_curve(const std::string& prim, const std::string& name,
                         std::span<const Eigen::Vector2d> points, bool closed) {
  begin("BasisCurves", prim, name);
  std::string list;
  for (const Eigen::Vector2d& point : points)
    list += fmt::format("{}({:.9g}, {:.9g}, {:g})", list.empty() ? "" : ", ", point.x(), point.y(),
                        kAboveFloor_m);
  line("uniform token type = \"linear\"");
  line(fmt::format("uniform token wrap = \"{}\"", closed ? "periodic" : "nonperiodic"));
  line(fmt::format("int[] curveVertexCounts = [{}]", points.size()));
  line("point3f[] points = [" + list + "]");
  line("float[] widths = [0.02] (interpolation = \"constant\")");
  add_color(kMarkWhite);
  end();
}

void UsdScene::add_floor() {
  const std::vector<Eigen::Vector2d> floor = floor_corners_m(project_);
  if (!floor.empty()) {
    begin("Mesh", "floor", "floor");
    line("int[] faceVertexCounts = [4]");
    line("int[] faceVertexIndices = [0, 1, 2, 3]");
    std::string list;
    for (const Eigen::Vector2d& corner : floor)
      list += fmt::format("{}({:.9g}, {:.9g}, 0)", list.empty() ? "" : ", ", corner.x(), corner.y());
    line("point3f[] points = [" + list + "]");
    line("uniform token subdivisionScheme = \"none\"");
    add_color({0x80, 0x80, 0x80});
    end();
  }
  for (size_t i = 0; i < project_.zones.size(); ++i)
    add_curve(fmt::format("zone_{}", i + 1), project_.zones[i].name, project_.zones[i].corners_m, true);
  for (size_t i = 0; i < project_.lines.size(); ++i)
    add_curve(fmt::format("line_{}", i + 1), project_.lines[i].name,
              std::array{project_.lines[i].from_m, project_.lines[i].to_m}, false);
}

void UsdScene::add_person(const PersonPath& path) {
  const double height_m = median_height_m(path), radius_m = std::min(kPersonRadius_m, height_m / 2);
  begin("Capsule", fmt::format("person_{}", path.id), person_label(path.id, people_.names));
  line("uniform token axis = \"Z\"");
  line(fmt::format("double radius = {:.4g}", radius_m));
  line(fmt::format("double height = {:.4g}", height_m - 2 * radius_m));  // without its caps
  add_color(person_rgb(path.id));
  std::string places, visible;
  const int64_t begin_frame = people_.frames.front();
  if (begin_frame < path.points.frame(0))
    visible += fmt::format("            {}: \"invisible\",\n", begin_frame);
  for (const auto& [first, end] : runs_of(path, people_.frame_rate)) {
    visible += fmt::format("            {}: \"inherited\",\n", path.points.frame(first));
    visible += fmt::format("            {}: \"invisible\",\n", path.points.frame(end - 1) + 1);
    for (size_t i = first; i < end; ++i) {
      const PathPoint point = path.points[i];
      places += fmt::format("            {}: ({:.4f}, {:.4f}, {:.4f}),\n", point.frame, point.x_m, point.y_m,
                            height_m / 2);
    }
  }
  line("double3 xformOp:translate.timeSamples = {");
  text_ += places;
  line("}");
  line("uniform token[] xformOpOrder = [\"xformOp:translate\"]");
  line("token visibility.timeSamples = {");
  text_ += visible;
  line("}");
  line(fmt::format("custom int64 vantage:id = {}", path.id));
  end();
}

std::string UsdScene::text() {
  text_ = fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"scene\"\n    doc = {}\n    metersPerUnit = 1\n    upAxis = \"Z\"\n"
      "    timeCodesPerSecond = {:.9g}\n    framesPerSecond = {:.9g}\n    startTimeCode = {}\n"
      "    endTimeCode = {}\n)\n\ndef Xform \"scene\"\n{{\n",
      quoted("Vantage " VANTAGE_VERSION ", " + project_.path.stem().string()), people_.frame_rate,
      people_.frame_rate, people_.frames.front(), people_.frames.back());
  for (size_t i = 0; i < project_.cameras.size(); ++i)
    if (project_.cameras[i].calibration) add_camera(project_.cameras[i], i);
  add_floor();
  for (const PersonPath& path : people_.paths)
    if (!path.points.empty()) add_person(path);
  return text_ + "}\n";
}

}  // namespace

std::string usd_text(const Project& project, const RecordedPeople& people) {
  return UsdScene(project, people).text();
}

}  // namespace vantage::people_export_detail
