#include "core/project/project_seals.h"

#include <algorithm>

#include "core/seal/custody.h"
#include "core/seal/recording_seal.h"
#include "core/video/file_list.h"
#include "core/video/segments/segment_index.h"
#include "core/video/video_source.h"

namespace vantage {

Result<std::vector<CameraFiles>> files_of_cameras(const Project& project) {
  if (project.live() || !project.has_pictures())
    return fail(ErrorKind::invalid_argument, "has no recorded videos", project.path.string(),
                "Live cameras are sealed as they are recorded.");
  std::vector<CameraFiles> cameras;
  for (const ProjectCamera& camera : project.cameras) {
    CameraFiles& its = cameras.emplace_back(CameraFiles{camera.name, camera.video, {}});
    if (is_one_file(camera.video) || names_segments(camera.video) || names_file_list(camera.video)) {
      VANTAGE_ASSIGN(its.files, files_to_seal(camera.video));
    }
  }
  return cameras;
}

Result<std::vector<FileSeal>> seal_camera(const CameraFiles& camera, const SigningKey& key,
                                          const StopSource& stop, const SealProgress& progress) {
  std::vector<FileSeal> sealed;
  for (const std::filesystem::path& file : camera.files) {
    std::error_code none;
    FileSeal& one = sealed.emplace_back(FileSeal{file, std::filesystem::exists(seal_path(file), none)});
    if (one.sealed_before) continue;
    VANTAGE_ASSIGN(one.groups, seal_recording(file, key, stop, [&](double seconds) {
                     if (progress) progress(file, seconds);
                   }));
  }
  return sealed;
}

Status note_sealed(const std::filesystem::path& project, const CameraFiles& camera,
                   const std::vector<FileSeal>& sealed) {
  const auto before = std::ranges::count(sealed, true, &FileSeal::sealed_before);
  return begin_or_note_custody(project, "sealed",
                               {{"recording", std::filesystem::path(camera.recording).filename().string()},
                                {"files", std::to_string(sealed.size())},
                                {"sealed_before", std::to_string(before)}});
}

bool CameraVerdict::untouched() const {
  return faults.empty() && !files.empty() &&
         std::ranges::all_of(files, [](const SealVerdict& one) { return one.untouched() && one.finished; });
}

Result<CameraVerdict> verify_camera(const CameraFiles& camera, const StopSource& stop) {
  CameraVerdict verdict;
  if (camera.files.empty())
    verdict.faults.push_back(camera.camera + " cannot have a seal: it is not a video file");
  for (const std::filesystem::path& file : camera.files) {
    auto one = verify_recording(file, stop);
    if (!one && camera.files.size() > 1 &&
        (one.error().kind == ErrorKind::not_found || one.error().kind == ErrorKind::bad_data)) {
      verdict.faults.push_back(one.error().message());
      continue;
    }
    if (!one) return fail(one.error());
    verdict.files.push_back(std::move(*one));
  }
  for (const std::string& text : faults_between(verdict.files))
    verdict.faults.push_back(camera.camera + ": " + text);
  return verdict;
}

}  // namespace vantage
