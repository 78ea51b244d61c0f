// The project file, *.vantage: JSON, schema version 1, paths relative to the file. Keys this program does not
// know warn and survive a save; a newer schema version is refused. Written atomically.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/parameters.h"
#include "core/base/result.h"
#include "core/calibration/solve/board.h"
#include "core/detections/detection_file.h"
#include "core/geometry/camera.h"
#include "core/geometry/clicked_point.h"
#include "core/geometry/floor_shapes.h"
#include "core/geometry/lens.h"
#include "core/geometry/upright_box.h"
#include "core/geometry/voxel_grid.h"
#include "core/metrics/drawn_truth.h"
#include "core/project/push_target.h"
#include "core/project/recording_clock.h"
#include "core/tracks/counting/rules.h"
#include "core/tracks/repairs/repairs.h"
#include "core/video/offset_change.h"
#include "core/video/video_source.h"

namespace vantage {

// An instant that a person wants to find again, with a note: in general, or of a place on the floor or the
// person who stands there then.

// One frame has at most one.
struct Bookmark {
  int64_t frame = 0;  // of the base camera
  std::string note = {};
  // IDs belong to one run; who stood there is found again by the place, as repairs do.
  std::optional<Eigen::Vector2d> place_m = {};
  bool operator==(const Bookmark&) const = default;
};

// Puts it in its place by frame, instead of the one that is there.
void set_bookmark(std::vector<Bookmark>* bookmarks, Bookmark bookmark);
// False: there is none of that frame.
bool remove_bookmark(std::vector<Bookmark>* bookmarks, int64_t frame);

// The boards by which a project's cameras are solved, and how: what the window's page Board says, kept in the
// project. core/setup/boards/project_boards.h solves by it.

struct ProjectBoards {
  // Several stand rigidly to each other, or lie still (BoardsInput); none: not stated.
  std::vector<Board> boards = {};
  // Videos, folders of pictures or patterns of cameras that are carried from board to board and are none of
  // the project's; absolute here, relative to the project file on disk.
  std::vector<std::string> hand_held = {};
  bool solve_lens = true;  // otherwise the project's lenses are held; a camera without one is solved
  std::optional<LensModel> model = {};  // of the lenses solved; nothing: as the project has them
  bool still = false;                   // board and cameras rest
  // The clips, own videos too, are out of step by what is solved with the board (clip_offsets.h); all their
  // pictures are examined. Not together with `still`.
  bool out_of_step = false;
  double board_above_floor_m = 0;  // of the printed side, at the world's instant

  bool operator==(const ProjectBoards&) const = default;
};

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

// When a project's cameras took their frames.

// The camera's own frame, with its fraction, of the base's frame. `rate_ratio`: the camera's frames for each
// of the base's.
inline double camera_frame_at(const ProjectCamera& camera, double base_frame, double rate_ratio) {
  return camera.offset_frames + base_frame * rate_ratio + total_change(camera.offset_changes, base_frame);
}

// The first frame set in which the camera shows its own frame `own` or a later one; 0 at least.
inline int64_t frame_set_of(const ProjectCamera& camera, int64_t own, double rate_ratio) {
  const auto shown = [&](int64_t frame) {
    return std::llround(camera_frame_at(camera, static_cast<double>(frame), rate_ratio));
  };
  auto frame = static_cast<int64_t>((static_cast<double>(own) - camera.offset_frames) / rate_ratio);
  frame = std::max<int64_t>(frame, 0);
  while (frame > 0 && shown(frame - 1) >= own) --frame;
  while (shown(frame) < own) ++frame;
  return frame;
}

}  // namespace vantage
