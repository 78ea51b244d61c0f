// The recorded videos of a project's cameras and their seals (core/seal), for the command line and the
// window.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/project/project.h"
#include "core/seal/signing_key.h"
#include "core/seal/verify_recording.h"

namespace vantage {

struct CameraFiles {
  std::string camera;                        // its name, or the recording's where it is not a project's
  std::string recording;                     // the video as the project names it
  std::vector<std::filesystem::path> files;  // in order; none: it is not a video file and has no seal
};

// The files of each camera, in the project's order. Errors: invalid_argument for live cameras and for a
// project without pictures; those of files_to_seal().
Result<std::vector<CameraFiles>> files_of_cameras(const Project& project);

struct FileSeal {
  std::filesystem::path file;
  bool sealed_before = false;  // its seal is kept
  int64_t groups = 0;          // sealed now
};
using SealProgress = std::function<void(const std::filesystem::path& file, double seconds)>;

// Seals those of the camera's files that have no seal. Errors: those of seal_recording().
Result<std::vector<FileSeal>> seal_camera(const CameraFiles& camera, const SigningKey& key,
                                          const StopSource& stop = {}, const SealProgress& progress = {});
// Notes it in the project's custody log, which begins with it.
Status note_sealed(const std::filesystem::path& project, const CameraFiles& camera,
                   const std::vector<FileSeal>& sealed);

struct CameraVerdict {
  std::vector<SealVerdict> files;   // of those that have a seal
  std::vector<std::string> faults;  // sentences: of files without one, and of those missing among the others
  // All files are as sealed, none is missing, and every seal has its end.
  bool untouched() const;
};

// Compares the camera's files with their seals. Errors: those of verify_recording(), but files of several
// without a seal are faults.
Result<CameraVerdict> verify_camera(const CameraFiles& camera, const StopSource& stop = {});

}  // namespace vantage
