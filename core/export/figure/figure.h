// Figures and films for papers: a view of a frame, or of a span of frames, at a stated size, with a scale or
// colour bar where a colour or a length means a value, and a caption with the version of the program and the
// parameters that differ from their defaults. Drawn without a window, the same for the window's menu and the
// command line. The prose is resources/docs/guide/figures.md.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/carving/cut.h"
#include "core/display/orbit_camera.h"
#include "core/image/backend/registry.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage {

// The point of view from which a figure shows the 3-D scene, and what its colours mean.

// A film that only turns shows so many degrees a second where no time is stated.
inline constexpr double kSceneTurn_deg_per_s = 30;
inline constexpr double kMaxSceneTurn_deg = 3600, kMaxSceneFilm_s = 600, kMaxSceneDistance_m = 10'000;
inline constexpr double kMinSceneElevation_deg = -11, kMaxSceneElevation_deg = 88;

struct SceneFigure {
  // Direction of the eye, seen from its target: from x towards y, and above the floor.
  double azimuth_deg = -57, elevation_deg = 29;
  std::optional<double> distance_m;          // nothing: floor and cameras are all in view
  std::optional<Eigen::Vector3d> look_at_m;  // in the world; nothing: the middle of the scene
  double turn_deg = 0;                       // how far the eye goes around during a film
  double seconds = 0;                        // of a film that turns about one frame; 0: by its turn
  bool by_height = false;                    // the volume's colour: height, else person
  std::optional<CutPlane> slice;             // with the confidence on it
};

// Errors: values out of range, by name.
Status check_scene_figure(const SceneFigure& scene);
// Number of pictures of the film that turns about one frame; 0: it does not turn.
int64_t turning_pictures(const SceneFigure& scene, double frame_rate);
// The eye after that share of a film. `fitted`: with all of the project's scene in view.
OrbitCamera scene_camera(const SceneFigure& scene, const OrbitCamera& fitted, double film_share);

enum class FigureKind : uint8_t {
  camera,      // a camera's picture
  plan,        // the floor from above
  height_map,  // the picture of the height map's camera with the heights of heads
  scene        // the 3-D scene
};
inline constexpr std::array<FigureKind, 4> kFigureKinds = {FigureKind::camera, FigureKind::plan,
                                                           FigureKind::height_map, FigureKind::scene};
std::string_view figure_kind_name(FigureKind kind);  // "camera", "plan", "heightmap", "scene"

enum class FigureOverlay : uint8_t {
  mask,        // the foreground
  flow,        // optical flow in colour
  detections,  // boxes of the detector, with scores
  heads,       // heads as boxes with scores; on a height map circles with the height above the floor
  people,      // a rectangle, on the plan a ring, and the ID
  trails,      // the last kFigureTrail_s of everybody's path
  floor,       // zones and lines
  floor_map,   // occupied height above each cell of the floor
  volume,      // the shell of what was carved
  skeletons    // the joints' limbs
};
std::string_view figure_overlay_name(FigureOverlay overlay);   // "floor_map"
std::string_view figure_overlay_words(FigureOverlay overlay);  // "floor map"
std::vector<FigureOverlay> figure_overlays(FigureKind kind);   // that a view can show, in drawing order
std::set<FigureOverlay> default_figure_overlays(FigureKind kind);

inline constexpr double kFigureTrail_s = 4;
inline constexpr int kMinFigureWidth_px = 320, kMaxFigureWidth_px = 8192;

struct FigureView {
  FigureKind kind = FigureKind::camera;
  size_t camera = 0;  // by number in the project; of a camera view
  std::set<FigureOverlay> overlays = default_figure_overlays(FigureKind::camera);
  int width_px = 1280;  // of the whole figure; even
  SceneFigure scene = {};
};

enum class FigureComparison : uint8_t { difference, side_by_side };
inline constexpr std::array<FigureComparison, 2> kFigureComparisons = {FigureComparison::difference,
                                                                       FigureComparison::side_by_side};
std::string_view comparison_name(FigureComparison how);  // "difference", "side_by_side"

// A variant of the project, B, whose people and foreground are compared with those of the parameters that are
// drawn, A: in one picture, with differences in the colour of A or B, or in two pictures.
struct FigureSecond {
  std::string variant;
  ParameterStore parameters;
  FigureComparison how = FigureComparison::difference;
};

struct FigureOptions {
  Project project;  // with the parameters that are drawn
  FigureView view;
  // Frames of the base camera; one for a picture, any number for a film. A film of one frame is still, or
  // turns about the scene.
  FrameRange frames;
  // A picture is .png, a film .mp4, .mkv or .avi. Only a complete file replaces an earlier one.
  std::filesystem::path out;
  // The variant of these parameters, for the caption and to read its results; empty: the project itself.
  std::string variant;
  std::optional<FigureSecond> second = {};  // of a camera with foreground or people, or a plan with people
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;
  std::function<void(int64_t done, int64_t total)> progress;  // in frames
  StopSource stop;
};

struct ExportedFigure {
  int width_px = 0, height_px = 0;
  int64_t frames = 0;                // pictures of the film
  std::vector<std::string> caption;  // of the first frame, line by line
};

// Errors that do not depend on the videos: overlays that the view does not have, no calibration, a size, a
// file's ending.
Status check_figure(const FigureOptions& options);
// Errors: those of check_figure() and of opening the project; invalid_argument for frames that are not there;
// io; cancelled.
Result<ExportedFigure> export_figure(const FigureOptions& options);

}  // namespace vantage
