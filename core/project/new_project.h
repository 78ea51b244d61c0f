// A project from videos and calibration files; `vantage-cli new` and the New Project page share it. Which
// calibrated camera belongs to which video is said by names (match_cameras.h, files_of_videos.h) or by a
// person.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/detections/detection_file.h"
#include "core/project/files_of_videos.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage {

// How calibration files are to be read. Empty or 0: as the file states.
struct CalibrationChoice {
  double unit_scale_m = 0;  // metres per unit of the file
  std::string up_axis;      // "x", "-y", ...: the file's axis that points up
  std::string camera_type;  // of files with several types of cameras (hd, vga)
  bool mirror = false;      // the file's world is left-handed
};

struct CalibratedCamera {
  Camera camera;
  std::string file;
  std::string format, stated;  // "OpenCV XML", "units of 0.115 m, z up"
  bool alone_in_file = false;  // the file holds this camera only
  double unit_m = 1;           // metres per unit of the file, as it was read
  bool unit_is_stated = true;  // by the file or by a person
  // "OpenCV XML cam1/config.xml: units of 0.115 m, z up"
  std::string source() const { return format + " " + file + ": " + stated; }
};

// The cameras of one file. The size is the video's, for formats that hold none.
Result<std::vector<CalibratedCamera>> read_calibrated_cameras(const std::string& file,
                                                              const CalibrationChoice& choice, int width_px,
                                                              int height_px);

// Whether these are cameras that are listed already: of two files of one calibration, either of which is
// enough (EasyMocap's intri.yml and extri.yml), both may be given.
bool are_listed(const std::vector<CalibratedCamera>& cameras, const std::vector<CalibratedCamera>& listed);

// The same of several files. Where one does not state its unit and no one said it, the error tells how the
// cameras stand in metres, centimetres and millimetres, and proposes the likely one.
Result<std::vector<CalibratedCamera>> read_all_calibrations(const std::vector<std::string>& files,
                                                            const CalibrationChoice& choice, int width_px,
                                                            int height_px);

// The calibrated camera of each video, as indices, by name and by `mapped` (VIDEO=CAMERA, which wins). Where
// there are as many files of one camera each as videos, see match_files(): `file_of` are then cameras.
Result<FilesOfVideos> match_calibrations(const std::vector<std::string>& videos,
                                         const std::vector<CalibratedCamera>& cameras, size_t files,
                                         const std::vector<std::pair<std::string, std::string>>& mapped);

// invalid_argument where the chosen cameras stand as none do, and their unit was stated by no one: the
// question with the places in metres, centimetres and millimetres, and the likely one.
Status check_unit(const std::vector<CalibratedCamera>& cameras);

// How a video's picture came from the calibrated one.
struct PictureFit {
  // turned_right: by 90 degrees clockwise, as the top of the calibrated picture is the video's right side.
  enum class Kind { same, scaled, cropped, turned_right, turned_left } kind = Kind::same;
  int x_px = 0, y_px = 0;  // cropped: the calibrated picture's pixel that is the video's first
};

// The camera for pictures of that size. An error where the sizes differ and `fit` says `same`, or where the
// part would not lie in the calibrated picture.
Result<Camera> fit_to_picture(const Camera& camera, int width_px, int height_px, const PictureFit& fit);

// The most likely cause where the sizes differ: a guess to ask about, never to apply unasked.
enum class LikelyFit { scaled, cropped, turned, another_camera };
struct FitGuess {
  LikelyFit likely = LikelyFit::another_camera;
  double factor = 1;      // scaled: by this much
  PictureFit fit = {};    // scaled, or cropped to the middle part; else `same`
  bool squeezed = false;  // scaled in one direction: the file states that its pixels are not square
};
// `pixel_aspect`: VideoInfo's.
FitGuess guess_fit(const Camera& camera, int width_px, int height_px, double pixel_aspect = 1);

// An empty-scene clip must have its video's size.
Status check_background(const std::string& background, const VideoInfo& clip, const std::string& video,
                        const VideoInfo& info);

struct NewCamera {
  std::string video;       // path, image pattern or address; empty: none, but detections
  std::string background;  // empty: none
  VideoInfo info;          // of the video
  double frame_rate = 0;   // instead of the container's; 0: that
  CameraDetectionFile detections = {};
  std::optional<CalibratedCamera> calibration;
  PictureFit fit;
};

// Gives cameras without a video what they lack of one, by their files of detections: the pictures' size (as
// given, else the calibration's, else the file's), the rate (NewCamera::detections, else the file's), and as
// many frames as the longest of the files. `width_px` x `height_px`: 0 x 0 where nothing is given. Errors:
// read_detection_file's; invalid_argument where size or rate is not known.
Status stand_in_for_videos(std::vector<NewCamera>* cameras, int width_px, int height_px);

// The project, not saved yet: paths absolute, cameras named after their calibration, else after the video.
// Without a calibration for every camera the chain will end at the foreground. Where the first file of
// detections has joints that are known (core/detections/skeletons.h), skeletons are switched on. Where three
// detectors or more find less than 85 % of the people whom two others see, fusion.detection_rate is that
// share.
Result<Project> assemble_project(const std::vector<NewCamera>& cameras);
// A sentence about that share where it was set; empty otherwise.
std::string detection_rate_note(const Project& project);

// What is settled about the files of detections of a new project before it is written.

// Reads every camera's file as the project will and returns what is to be said of them, a sentence each.
// Where one file has a frame 0, those of the same format that have none are set to count from 0, too. Errors:
// read_detection_file()'s, which asks where who is a person or which frame it is is not certain.
Result<std::vector<std::string>> settle_detections(std::vector<NewCamera>* cameras);

// The options that the camera's file is read with: sizes of its video, else of its calibration.
DetectionFileOptions asking_options(const NewCamera& camera);

}  // namespace vantage
