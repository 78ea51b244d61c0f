// Reads one camera's detections from a file, or a folder with a file per frame, of another program or our
// own. The format is recognised by content. Lines that cannot be parsed are skipped and reported by number.
//
// Formats with an entry for each examined frame (OpenPose, our own) leave all other frames unknown. For
// formats with rows for people only (MOTChallenge, CSV, COCO, AlphaPose, YOLO, KITTI) the frames between the
// first and the last with a row count as examined, those without a row as empty; if all are k frames apart,
// every k-th frame was examined. Frames count from 1 (MOTChallenge, CSV, COCO's image numbers, YOLO) or 0
// (OpenPose, AlphaPose, KITTI, our own; others with a frame 0). `first_frame` overrides this. Numbers in
// names of files or pictures: frame_names.h.
//
// People are the class of that name, else `person_class`, else the class in the format's own list of numbers.
// Boxes of other classes are left out and reported.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/detections/detections.h"

namespace vantage {

// A camera's file of detections, with its timing relative to the camera.

struct CameraDetectionFile {
  std::string file;          // absolute in a project, on disk relative to the project file; empty: none
  double offset_frames = 0;  // the file's frame simultaneous with frame 0 of this camera
  double frame_rate = 0;     // 0: the file's own, else the camera's
  std::string person_class;  // as DetectionFileOptions; empty: as the file states
  std::string frames_by;     // likewise
  std::optional<int64_t> first_frame;  // likewise
  bool operator==(const CameraDetectionFile&) const = default;
};

struct DetectionFileOptions {
  int width_px = 0, height_px = 0;     // the camera's picture size; required for files with shares of it
  std::optional<int64_t> first_frame;  // the file's number of the camera's first frame
  std::string format;                  // name of the format; empty: by content
  std::string person_class;            // classes of people, names or numbers: "0", "person,rider"
  // Asks (an error) where classes are numbers without names, or where two numbers in names may be the frame.
  // False: assumes the usual, as for older projects.
  bool ask = false;
  // The number in names of files or pictures that is the frame, see frame_names.h; empty: automatic.
  std::string frames_by;
  double frame_rate = 0;  // the camera's frames/s and number of frames; 0: unknown
  int64_t frame_count = 0;
};

// Options for a camera's file from the project.
DetectionFileOptions reading_options(const CameraDetectionFile& named, int width_px, int height_px,
                                     double frame_rate = 0, int64_t frame_count = 0);

// The origin of boxes; unknown members are empty or 0.
struct DetectorProvenance {
  std::string model, model_sha256;     // the file's name; 64 hexadecimal digits
  std::string family;                  // "RTMDet"
  std::string engine, engine_version;  // "OpenCV dnn", "4.6.0"
  double min_score = 0,
         overlap = 0;    // boxes below the score are left out; of two that overlap more, one is suppressed
  int long_side_px = 0;  // the model's input
  std::string video;     // checksum of the examined video
  std::string joints_model, joints_model_sha256;  // of a second model that found the joints
  bool operator==(const DetectorProvenance&) const = default;
};

struct DetectionFile {
  std::string format;                 // "MOTChallenge"
  std::string skeleton;               // layout of the keypoints (skeletons.h); empty: none, or an unknown one
  bool boxes_from_keypoints = false;  // the file has only joints
  double frame_rate = 0;              // 0: the file does not state it
  int width_px = 0, height_px = 0;    // the picture's; 0: the file does not state it
  DetectorProvenance provenance;      // set for our own files
  std::vector<CameraDetections> frames;  // sorted by the camera's frame, from 0
  int64_t skipped = 0;                   // number of lines and entries that could not be parsed
  std::vector<std::string> problems;     // "line 12: ...", the first ones
  std::vector<std::string> notes;        // assumptions and omissions
  int64_t first_number = 0;              // the file's number of frames[0]
  bool may_count_from_zero = false;      // counts from 1 by its format alone, and has no frame 0
  std::string frames_said;  // the numbers in names that are its frames; empty: the file states them

  int64_t known_frames() const;
  int64_t people() const;  // boxes of all frames together
};

struct DetectionFormat {
  std::string name, help;
};
std::vector<DetectionFormat> detection_formats();

// Errors: not_found, io; unsupported where no format fits, with the nearest, what the file contains and what
// is expected; invalid_argument where the picture's size is required and missing, or an option is
// (person_class, frames_by); bad_data where nothing could be parsed.
Result<DetectionFile> read_detection_file(const std::filesystem::path& path,
                                          const DetectionFileOptions& options = {});

// Our own format, JSON lines (resources/docs/formats.md): a header, then a line for each known frame.
std::string detection_header_line(const DetectionFile& file);  // without the newline
std::string detection_frame_line(int64_t frame, const CameraDetections& found);
Status write_detection_file(const std::filesystem::path& path, const DetectionFile& file);

// Remarks on a file of detections that was read.

// Assumptions, and the number of skipped lines with the first reason; empty: neither.
inline std::vector<std::string> remarks_on(const DetectionFile& file) {
  std::vector<std::string> all = file.notes;
  if (file.skipped > 0)
    all.push_back(std::to_string(file.skipped) + " entries were skipped; " + file.problems.front());
  return all;
}

}  // namespace vantage
