// One camera's detections from a file, or a folder with a file a frame, of another program or of our own.
// The format is recognised by the content. Lines that cannot be understood are skipped and told with their
// number.
//
// Which frames were examined. Formats with an entry for each frame that was examined (OpenPose, our own) say
// it themselves: any other frame is unknown. Of formats that have rows for people alone (MOTChallenge, CSV,
// COCO, AlphaPose, YOLO, KITTI) the frames between the first and the last with a row count as examined, those
// without a row as empty; where all of them lie k frames apart, every k-th frame was examined. Frames before
// the first and behind the last are unknown.
// Frames count from 1 (MOTChallenge, CSV, COCO's image numbers, YOLO) or 0 (OpenPose, AlphaPose, KITTI, our
// own); where a file of the first kind has a frame 0, it counts from 0. `first_frame` overrules. Where names
// of files or pictures say the frame, all their numbers are weighed against each other (frame_names.h).
//
// Who is a person: the class of that name, else as `person_class` says, else by the format's own list of
// numbers. Boxes of other classes are left out and told.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/detections/detections.h"

namespace vantage {

// Which file holds what a detector found in one camera's pictures, and how its frames lie to the camera's.

struct CameraDetectionFile {
  std::string file;          // in a project absolute, on disk relative to the project file; empty: none
  double offset_frames = 0;  // the file's frame simultaneous with frame 0 of this camera
  double frame_rate = 0;     // 0: the file's own, else the camera's
  std::string person_class;  // as DetectionFileOptions; empty: as the file states
  std::string frames_by;     // likewise
  std::optional<int64_t> first_frame;  // likewise
  bool operator==(const CameraDetectionFile&) const = default;
};

struct DetectionFileOptions {
  int width_px = 0, height_px = 0;     // of the camera's picture; needed where a file holds shares of it
  std::optional<int64_t> first_frame;  // the number that the file gives to the camera's first frame
  std::string format;                  // by name; empty: by content
  std::string person_class;            // which classes are people, names or numbers: "0", "person,rider"
  // Whether to ask (an error) where classes are numbers that nothing names, or where two numbers in names may
  // be frames, instead of taking the usual for granted as projects made earlier did.
  bool ask = false;
  // Which number in the names of files or pictures is the frame, see frame_names.h; empty: to be found out.
  std::string frames_by;
  double frame_rate = 0;  // of the camera, frames/s, and its length; 0: not known
  int64_t frame_count = 0;
};

// What a project knows about how its camera's file is to be read.
DetectionFileOptions reading_options(const CameraDetectionFile& named, int width_px, int height_px,
                                     double frame_rate = 0, int64_t frame_count = 0);

// The origin of boxes; unknown parts are empty or 0.
struct DetectorProvenance {
  std::string model, model_sha256;     // the file's name; 64 hexadecimal digits
  std::string family;                  // "RTMDet"
  std::string engine, engine_version;  // "OpenCV dnn", "4.6.0"
  double min_score = 0, overlap = 0;   // boxes below are left out; of two that overlap more, one
  int long_side_px = 0;                // of the model's input
  std::string video;                   // checksum of what was examined
  bool operator==(const DetectorProvenance&) const = default;
};

struct DetectionFile {
  std::string format;                    // "MOTChallenge"
  std::string skeleton;                  // of the keypoints (skeletons.h); empty: none, or another one
  bool boxes_from_keypoints = false;     // the file has joints only
  double frame_rate = 0;                 // 0: the file does not say
  int width_px = 0, height_px = 0;       // of the picture; 0: the file does not say
  DetectorProvenance provenance;         // of our own files
  std::vector<CameraDetections> frames;  // by the camera's frame, from 0
  int64_t skipped = 0;                   // lines and entries that could not be understood
  std::vector<std::string> problems;     // "line 12: ...": the first of them
  std::vector<std::string> notes;        // what was taken for granted or left out
  int64_t first_number = 0;              // what the file calls frames[0]
  bool may_count_from_zero = false;      // it counts from 1 by its format alone, and has no frame 0
  std::string frames_said;               // which numbers of names are its frames; empty: it says them itself

  int64_t known_frames() const;
  int64_t people() const;  // boxes of all frames together
};

struct DetectionFormat {
  std::string name, help;
};
std::vector<DetectionFormat> detection_formats();

// Errors: not_found, io; unsupported where no format fits, with the nearest, what stands there and what is
// expected; invalid_argument where the picture's size is needed and not given, or where something has to be
// said (person_class, frames_by); bad_data where nothing in it could be understood.
Result<DetectionFile> read_detection_file(const std::filesystem::path& path,
                                          const DetectionFileOptions& options = {});

// Our own format, JSON lines (resources/docs/formats.md): a header, then a line for each known frame.
std::string detection_header_line(const DetectionFile& file);  // without the newline
std::string detection_frame_line(int64_t frame, const CameraDetections& found);
Status write_detection_file(const std::filesystem::path& path, const DetectionFile& file);

// Remarks on a file of detections that was read.

// Assumptions, and how much was skipped with the first reason; empty: neither.
inline std::vector<std::string> remarks_on(const DetectionFile& file) {
  std::vector<std::string> all = file.notes;
  if (file.skipped > 0)
    all.push_back(std::to_string(file.skipped) + " entries were skipped; " + file.problems.front());
  return all;
}

}  // namespace vantage
