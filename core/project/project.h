// The project file, *.vantage: JSON, schema version 1, paths relative to the file. Unknown keys warn and
// survive a save; a newer schema version is refused. Written atomically.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/parameters.h"
#include "core/base/result.h"
#include "core/calibration/solve/board.h"
#include "core/detections/detection_file.h"
#include "core/geometry/camera.h"
#include "core/geometry/clicked_point.h"
#include "core/geometry/floor_shapes.h"
#include "core/geometry/ignored_region.h"
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

// A marked instant with a note, in general or for a position on the floor, where a person may be.

// A frame has at most one.
struct Bookmark {
  int64_t frame = 0;  // the base camera's
  std::string note = {};
  // IDs belong to one run; the person is found again by position, as for repairs.
  std::optional<Eigen::Vector2d> place_m = {};
  bool operator==(const Bookmark&) const = default;
};

// Inserts it by frame, or replaces the one of that frame.
void set_bookmark(std::vector<Bookmark>* bookmarks, Bookmark bookmark);
// Removes the frame's bookmark. False: there is none.
bool remove_bookmark(std::vector<Bookmark>* bookmarks, int64_t frame);

// The boards by which a project's cameras are solved, and the settings of the window's page Board.
// core/setup/boards/project_boards.h solves with them.

struct ProjectBoards {
  // Several are rigidly connected, or lie still (BoardsInput); none: not stated.
  std::vector<Board> boards = {};
  // Videos, folders of pictures or patterns of extra cameras that are carried from board to board; absolute
  // here, relative to the project file on disk.
  std::vector<std::string> hand_held = {};
  bool solve_lens = true;  // otherwise the project's lenses are fixed; a camera without one is solved
  std::optional<LensModel> model = {};  // the solved lenses' model; nothing: the project's
  bool still = false;                   // board and cameras do not move
  // The clips, own videos too, have offsets that are solved with the board (clip_offsets.h); all their
  // pictures are examined. Excludes `still`.
  bool out_of_step = false;
  double board_above_floor_m = 0;  // height of the printed side, in the frame that defines the world

  bool operator==(const ProjectBoards&) const = default;
};

// Maximum time for which live pictures wait for each other.
inline constexpr double kMaxLiveDelay_s = 10;

struct ProjectCamera {
  std::string name;
  std::string video;  // absolute here, relative to the project file on disk; a file or image pattern, or an
                      // address, also for a camera without a video (core/video/no_video.h)
  std::string background;  // the empty-scene clip; empty: none
  CameraDetectionFile detections = {};
  IgnoredRegions ignored = {};  // parts of its picture that do not count, the whole recording long
  double offset_frames =
      0;                  // the frame of this camera simultaneous with frame 0 of the base camera (the first)
  double frame_rate = 0;  // 0: the container's
  std::vector<OffsetChange> offset_changes = {};  // frames lost during the recording
  // Live: transit time of its pictures beyond what its clock shows, relative to the base's.
  double live_delay_s = 0;
  bool offset_confirmed =
      false;  // confirmed by the synchronisation or the user; otherwise the checks examine it
  std::optional<Camera> calibration;  // valid from the beginning
  // Calibrations after bumps of the camera, in order of time, each for pictures of the same size as
  // `calibration`. For files only.
  std::vector<LaterCalibration> later_calibrations = {};
  // Identities by which moved videos and clips are found again; unknown in projects of older versions.
  VideoIdentity video_identity = {}, background_identity = {};
  // A video, a folder of pictures or a pattern in which this camera shows the boards of Project::boards;
  // empty: its own video, with its offset.
  std::string board_pictures = {};

  const Camera* calibration_at(int64_t frame) const;  // at a frame set; null: not calibrated
};

struct Project {
  std::filesystem::path path;  // the file's; empty while unsaved
  std::vector<ProjectCamera> cameras;
  std::optional<VoxelGrid> grid;              // nothing: fitted to the cameras' common view
  std::vector<NamedBox> boxes = {};           // around things of known size, to check the calibration
  std::vector<ClickedPoint> points = {};      // to calibrate by; cameras by the project's names
  std::vector<ClickedMeasure> measures = {};  // made with the ruler; cameras by the project's names
  std::vector<FloorZone> zones = {};          // drawn on the floor; names differ
  std::vector<FloorLine> lines = {};
  std::vector<FloorRule> rules = {};
  std::vector<PushTarget> push_targets = {};  // receivers of messages; names differ
  // ONNX; absolute here, relative to the project file on disk; empty: none. The second finds the joints of
  // the people whom the first found.
  std::string detection_model = {}, joints_model = {};
  std::vector<IdentityRepair> repairs = {};  // made by hand; applied to every run's tracks
  std::vector<Bookmark> bookmarks = {};      // sorted by frame, no two of the same
  std::vector<TruePerson> truth = {};        // ground truth drawn by hand; by ID, which differ
  std::optional<RecordingClock> clock = {};  // typed by the user; nothing: find_clock() may know it
  ProjectBoards boards = {};                 // boards that the cameras are solved by
  ParameterStore parameters;                 // values for every stage of the chain
  std::string unknown_keys;                  // JSON text of unknown keys, by pointer; survives a save

  bool live() const;            // one of its videos is an address
  bool has_pictures() const;    // one of its cameras has a video
  bool has_detections() const;  // files of one of its cameras, or a model
  bool calibrated() const;      // every camera has a calibration
  // The cameras' calibrations in order, at a frame set; only for a calibrated project.
  std::vector<Camera> calibrations(int64_t frame = 0) const;
  // Existing calibrations, under the names of the project's cameras.
  std::vector<Camera> named_calibrations(int64_t frame = 0) const;
  // The frame sets at which a camera's calibration changes, in order: with 0 before them, the beginnings of
  // the spans of constant calibrations.
  std::vector<int64_t> calibration_changes() const;
  // The project's grid, or one fitted to the cameras' common view.
  Result<VoxelGrid> effective_grid() const;
  std::vector<double> live_delays_s() const;  // one per camera
  // One per camera, of these picture sizes: the calibrations'. Empty where nothing is ignored.
  std::vector<IgnoredPixels> ignored_pixels(std::span<const Camera> calibrations) const;
  std::vector<FloorZone> areas() const;          // areas in which people can be; none: everywhere
  std::filesystem::path results_folder() const;  // NAME.results next to the file
};

// The differences between two states of a project.
struct ProjectChange {
  // Cameras, their files, times, calibrations or ignored regions, the grid or areas: needs another analysis.
  bool recording = false;
  bool delays = false;  // delays of live cameras; applied while they run
  bool parameters = false;
  bool boxes = false;
  bool points = false;
  bool measures = false;
  bool floor = false;  // zones, lines, rules
  bool repairs = false;
  bool clock = false;
  bool push = false;  // targets of messages
  bool bookmarks = false;
  bool truth = false;
  bool boards = false;  // and the paths of their pictures
  bool any() const {
    return recording || delays || parameters || boxes || points || measures || floor || repairs || clock ||
           push || bookmarks || truth || boards;
  }
};
ProjectChange difference(const Project& a, const Project& b);

// Defaults of a fitted grid.
inline constexpr double kDefaultVoxelSize_m = 0.02;
inline constexpr double kDefaultGridHeight_m = 2.2;

// The parameter tables of every stage of the chain: those of a new project.
ParameterStore default_parameters();

// A calibration is valid for one picture size: invalid_argument, with the camera's name, where the video has
// another one.
Status check_calibration_size(const Camera& calibration, const std::string& camera, int width_px,
                              int height_px);

// Size of the files of both models; 0 without any that is there.
double bytes_of_models(const Project& project);

// A parameter in the form of ParameterStore::set_from_text(), detections.model=FILE or
// detections.joints_model=FILE.
Status set_from_text(Project* project, const std::string& assignment);

// Never throws, whatever the file contains; errors state the position in the file. Unknown keys are logged as
// warnings. Videos need not exist: see missing_files.h.
Result<Project> load_project(const std::filesystem::path& path);
// Overwrites the file whatever it contains; project_store.h compares first.
Status save_project(const Project& project, const std::filesystem::path& path);

// The times of the cameras' frames.

// The camera's own frame, with its fraction, at the base's frame. `rate_ratio`: the camera's frames per frame
// of the base.
inline double camera_frame_at(const ProjectCamera& camera, double base_frame, double rate_ratio) {
  return camera.offset_frames + base_frame * rate_ratio + total_change(camera.offset_changes, base_frame);
}

// The first frame set in which the camera shows its own frame `own` or a later one; at least 0.
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
