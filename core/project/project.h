// The project file, *.vantage: JSON, schema version 1, paths relative to the file. Keys this program does not
// know warn and survive a save; a newer schema version is refused. Written atomically.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/parameters.h"
#include "core/base/result.h"
#include "core/detections/camera_detection_file.h"
#include "core/geometry/camera.h"
#include "core/geometry/clicked_point.h"
#include "core/geometry/floor_shapes.h"
#include "core/geometry/later_calibration.h"
#include "core/geometry/measure_clicks.h"
#include "core/geometry/upright_box.h"
#include "core/geometry/voxel_grid.h"
#include "core/metrics/drawn_truth.h"
#include "core/project/bookmark.h"
#include "core/project/project_boards.h"
#include "core/project/push_target.h"
#include "core/project/recording_clock.h"
#include "core/tracks/counting/rules.h"
#include "core/tracks/repairs/repairs.h"
#include "core/video/offset_change.h"
#include "core/video/video_identity.h"

namespace vantage {

// Live pictures wait for each other for so long at most.
inline constexpr double kMaxLiveDelay_s = 10;

struct ProjectCamera {
  std::string name;
  std::string video;       // absolute here, relative to the project file on disk; a file or image pattern, or
                           // an address, also of a camera without one (core/video/no_video.h)
  std::string background;  // the empty-scene clip; empty: none
  CameraDetectionFile detections = {};
  double offset_frames =
      0;                  // the frame of this camera simultaneous with frame 0 of the base camera (the first)
  double frame_rate = 0;  // 0: the container's
  std::vector<OffsetChange> offset_changes = {};  // frames lost on the way
  // Live: how much longer its pictures are in transit than its clock tells, against the base's.
  double live_delay_s = 0;
  bool offset_confirmed = false;      // by the synchronisation or the user; otherwise the checks look at it
  std::optional<Camera> calibration;  // from the beginning
  // Poses of a camera from when it was bumped; in the order of time, each for the same size of pictures as
  // `calibration`. Of files only.
  std::vector<LaterCalibration> later_calibrations = {};
  // Identities by which video and clip are found again when they were moved; not known in projects of older
  // versions.
  VideoIdentity video_identity = {}, background_identity = {};
  // A video, a folder of pictures or a pattern that shows this camera the boards of Project::boards; empty:
  // its own video, by its offset.
  std::string board_pictures = {};

  const Camera* calibration_at(int64_t frame) const;  // a frame set's; null: not calibrated
};

struct Project {
  std::filesystem::path path;  // of the file; empty while unsaved
  std::vector<ProjectCamera> cameras;
  std::optional<VoxelGrid> grid;              // nothing: fitted to the cameras' common view
  std::vector<NamedBox> boxes = {};           // laid over things of known size to check the calibration
  std::vector<ClickedPoint> points = {};      // clicked to calibrate by; cameras by the project's names
  std::vector<ClickedMeasure> measures = {};  // by the ruler; cameras by the project's names
  std::vector<FloorZone> zones = {};          // drawn on the floor; names differ
  std::vector<FloorLine> lines = {};
  std::vector<FloorRule> rules = {};
  std::vector<PushTarget> push_targets = {};  // where messages go; names differ
  std::string detection_model = {};  // ONNX; absolute here, relative to the project file on disk; empty: none
  std::vector<IdentityRepair> repairs = {};  // by hand; applied to every run's tracks
  std::vector<Bookmark> bookmarks = {};      // by frame, which differ
  std::vector<TruePerson> truth = {};        // ground truth drawn by hand; by ID, which differ
  std::optional<RecordingClock> clock = {};  // typed; nothing: find_clock() may know it
  ProjectBoards boards = {};                 // by which the cameras are solved
  ParameterStore parameters;                 // of every stage of the chain
  std::string unknown_keys;                  // JSON text of keys not understood, by pointer; survives a save

  bool live() const;            // one of its videos is an address
  bool has_pictures() const;    // one of its cameras has a video
  bool has_detections() const;  // files of one of its cameras, or a model that makes them
  bool calibrated() const;      // every camera has a calibration
  // The cameras' calibrations in order, as they are at a frame set; only of a calibrated project.
  std::vector<Camera> calibrations(int64_t frame = 0) const;
  // Calibrations that there are, under the names of the project's cameras.
  std::vector<Camera> named_calibrations(int64_t frame = 0) const;
  // The frame sets from which on a camera's calibration is another one, in order: with 0 in front, the
  // beginnings of the spans in which all stay as they are.
  std::vector<int64_t> calibration_changes() const;
  // The project's grid, or one fitted to the cameras' common view.
  Result<VoxelGrid> effective_grid() const;
  std::vector<double> live_delays_s() const;     // by camera
  std::vector<FloorZone> areas() const;          // where people stand; none: everywhere
  std::filesystem::path results_folder() const;  // NAME.results next to the file
};

// The difference between two states of a project.
struct ProjectChange {
  bool recording =
      false;  // cameras, their files, times or calibrations, the grid or areas: the analysis is another one
  bool delays = false;  // of live cameras; those that run take them up
  bool parameters = false;
  bool boxes = false;
  bool points = false;
  bool measures = false;
  bool floor = false;  // zones, lines, rules
  bool repairs = false;
  bool clock = false;
  bool push = false;  // where messages go
  bool bookmarks = false;
  bool truth = false;
  bool boards = false;  // and where their pictures are
  bool any() const {
    return recording || delays || parameters || boxes || points || measures || floor || repairs || clock ||
           push || bookmarks || truth || boards;
  }
};
ProjectChange difference(const Project& a, const Project& b);

// Values that a grid is fitted with where nothing else is stated.
inline constexpr double kDefaultVoxelSize_m = 0.02;
inline constexpr double kDefaultGridHeight_m = 2.2;

// The parameter tables of every stage of the chain: what a new project starts with.
ParameterStore default_parameters();

// A calibration holds for one picture size: invalid_argument, under the camera's name, where the video has
// another one.
Status check_calibration_size(const Camera& calibration, const std::string& camera, int width_px,
                              int height_px);

// A parameter as ParameterStore::set_from_text() takes it, or detections.model=FILE.
Status set_from_text(Project* project, const std::string& assignment);

// Never throws, whatever the file holds; errors name the position in the file. Keys that are not understood
// are logged as warnings. Videos need not be there: see missing_files.h.
Result<Project> load_project(const std::filesystem::path& path);
// Whatever the file holds by now: project_store.h looks first.
Status save_project(const Project& project, const std::filesystem::path& path);

}  // namespace vantage
