// Makes a project from videos and calibration files, for `vantage-cli new` and the New Project page. Names
// (match_cameras.h, files_of_videos.h) or the user assign cameras to videos.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/detections/detection_file.h"
#include "core/project/files_of_videos.h"
#include "core/project/project.h"
#include "core/video/file_list.h"
#include "core/video/video_source.h"

namespace vantage {

// Options for reading calibration files. Empty or 0: as the file states.
struct CalibrationChoice {
  double unit_scale_m = 0;  // metres per unit of the file
  std::string up_axis;      // the axis of the file that points up: "x", "-y", ...
  std::string camera_type;  // for files with several types of cameras (hd, vga)
  bool mirror = false;      // the file's world is left-handed
};

struct CalibratedCamera {
  Camera camera;
  std::string file;
  std::string format, stated;  // "OpenCV XML", "units of 0.115 m, z up"
  bool alone_in_file = false;  // the file has no other camera
  double unit_m = 1;           // metres per unit of the file, as it was read
  bool unit_is_stated = true;  // stated by the file or the user
  // "OpenCV XML cam1/config.xml: units of 0.115 m, z up"
  std::string source() const { return format + " " + file + ": " + stated; }
};

// The cameras of one file. `width_px`, `height_px`: those of the video, for formats without a size.
Result<std::vector<CalibratedCamera>> read_calibrated_cameras(const std::string& file,
                                                              const CalibrationChoice& choice, int width_px,
                                                              int height_px);

// These cameras are already listed: both files of one calibration may be given although either is enough
// (EasyMocap's intri.yml and extri.yml).
bool are_listed(const std::vector<CalibratedCamera>& cameras, const std::vector<CalibratedCamera>& listed);

// A calibration among the files of footage.
struct FolderCalibration {
  std::vector<std::string> files;  // empty: there is none, or more than one
  std::string note;                // a sentence on what was found; empty: nothing
};
// Files of the folder itself and of the folders in it that have one format of calibrations; none where there
// are several formats, or two files that each have all cameras. Folders of many texts are data, not looked
// at.
FolderCalibration calibration_in(const std::filesystem::path& folder);

// The same for several files. Where neither a file nor the user states the unit, the error describes the
// cameras in metres, centimetres and millimetres, and proposes the likely one.
Result<std::vector<CalibratedCamera>> read_all_calibrations(const std::vector<std::string>& files,
                                                            const CalibrationChoice& choice, int width_px,
                                                            int height_px);

// The calibrated camera of each video, as indices, by name and by `mapped` (VIDEO=CAMERA, which takes
// precedence). With as many single-camera files as videos, match_files() applies: `file_of` are then cameras.
Result<FilesOfVideos> match_calibrations(const std::vector<std::string>& videos,
                                         const std::vector<CalibratedCamera>& cameras, size_t files,
                                         const std::vector<std::pair<std::string, std::string>>& mapped);

// invalid_argument where the chosen cameras have unusual positions and no stated unit: the question with the
// positions in metres, centimetres and millimetres, and the likely one.
Status check_unit(const std::vector<CalibratedCamera>& cameras);

// Relation of a video's picture to the calibrated one.
struct PictureFit {
  // turned_right: by 90 degrees clockwise, so that the top of the calibrated picture is the video's right
  // side.
  enum class Kind { same, scaled, cropped, turned_right, turned_left } kind = Kind::same;
  int x_px = 0, y_px = 0;  // cropped: the calibrated picture's pixel that is the video's first
};

// The camera for pictures of that size. An error where the sizes differ and `fit` is `same`, or where the
// part does not lie in the calibrated picture.
Result<Camera> fit_to_picture(const Camera& camera, int width_px, int height_px, const PictureFit& fit);

// The most likely cause of differing sizes: a guess to ask about, never to apply unasked.
enum class LikelyFit { scaled, cropped, turned, another_camera };
struct FitGuess {
  LikelyFit likely = LikelyFit::another_camera;
  double factor = 1;      // scaled: the scale
  PictureFit fit = {};    // scaled, or cropped to the middle part; else `same`
  bool squeezed = false;  // scaled in one direction: the file states that its pixels are not square
};
// `pixel_aspect`: VideoInfo's.
FitGuess guess_fit(const Camera& camera, int width_px, int height_px, double pixel_aspect = 1);

// An empty-scene clip must have its video's size.
Status check_background(const std::string& background, const VideoInfo& clip, const std::string& video,
                        const VideoInfo& info);

struct NewCamera {
  std::string video;                   // path, image pattern or address; empty: none, but detections
  std::optional<FileList> files = {};  // of `video` where it is a list that write_file_lists() is to write
  double offset_frames = 0;            // ProjectCamera's
  std::string background;              // empty: none
  VideoInfo info;                      // the video's
  double frame_rate = 0;               // replaces the container's; 0: not
  CameraDetectionFile detections = {};
  std::optional<CalibratedCamera> calibration;
  PictureFit fit;
};

// With cameras in several files: where a list or name tells every camera's start, sets the offsets by those,
// to the second, and returns a sentence for each that is not 0; else a sentence on the first that is not
// known.
std::vector<std::string> offset_by_clocks(std::vector<NewCamera>* cameras);
// Writes the lists of cameras in several files, CAMERA.files in the folder NAME.videos next to NAME.vantage,
// and makes them the cameras' videos.
Status write_file_lists(const std::filesystem::path& project, std::vector<NewCamera>* cameras);

// Completes cameras without a video from their files of detections: the pictures' size (as given, else the
// calibration's, else the file's), the rate (NewCamera::detections, else the file's), and the number of
// frames of the longest file. `width_px` x `height_px`: 0 x 0 where not given. Errors: read_detection_file's;
// invalid_argument where size or rate is unknown.
Status stand_in_for_videos(std::vector<NewCamera>* cameras, int width_px, int height_px);

// The project, not saved yet: paths are absolute, cameras named after their calibration, else after the
// video. Unless every camera has a calibration, the chain ends at the foreground. Where the first file of
// detections has a known layout of joints (core/detections/skeletons.h), skeletons are switched on. Where
// three detectors or more find less than 85 % of the people whom two others see, fusion.detection_rate is
// that share. `notes`: adds what is wrong with the world of the calibration (world_doubt.h); null: not
// examined.
Result<Project> assemble_project(const std::vector<NewCamera>& cameras,
                                 std::vector<std::string>* notes = nullptr);
// A sentence about that share where it was set; empty otherwise.
std::string detection_rate_note(const Project& project);

// Decisions about a new project's files of detections before it is written.

// Reads every camera's file as the project will, and returns remarks, a sentence each. Where one file has a
// frame 0, those of the same format without one are also set to count from 0. Errors:
// read_detection_file()'s, which asks where the class of people or the number of the frame is not certain.
Result<std::vector<std::string>> settle_detections(std::vector<NewCamera>* cameras);

// The options for the camera's file: sizes of its video, else of its calibration.
DetectionFileOptions asking_options(const NewCamera& camera);

}  // namespace vantage
