#include "core/export/people/people_export.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/export/case/case_people.h"
#include "core/export/people/detail/formats.h"
#include "core/project/files_of_videos.h"
#include "core/results/frame_lines.h"
#include "core/tracking/paths/path_tracker.h"
#include "core/video/video_source.h"

namespace vantage {

namespace people_export_detail {

std::vector<std::pair<size_t, size_t>> runs_of(const PersonPath& path, double frame_rate) {
  const int64_t longest = std::max<int64_t>(1, std::lround(kLongestGap_s * frame_rate));
  std::vector<std::pair<size_t, size_t>> runs;
  for (size_t i = 0; i < path.points.size(); ++i)
    if (i > 0 && path.points.frame(i) - path.points.frame(i - 1) <= longest)
      runs.back().second = i + 1;
    else
      runs.emplace_back(i, i + 1);
  return runs;
}

}  // namespace people_export_detail

namespace {

namespace fs = std::filesystem;
using namespace people_export_detail;

class PeopleExport {
 public:
  PeopleExport(const Project& project, const PeopleExportOptions& options, const RecordedPeople& people)
      : project_(project), options_(options), people_(people) {}

  Result<ExportedPeople> write(const PeopleFormat& format) {
    exported_.people = static_cast<int64_t>(people_.paths.size());
    if (format.per_camera) {
      VANTAGE_TRY(write_cvat());
    } else {
      VANTAGE_ASSIGN(const std::string bytes, gltf_bytes(project_, people_, format.ending == ".glb"));
      VANTAGE_TRY(put(options_.out, bytes));
    }
    return exported_;
  }
  // Frames/s of each camera, as the results' header states them.
  Status read_rates(const fs::path& results) {
    VANTAGE_ASSIGN(const FrameLines lines, FrameLines::open(results_file(results)));
    const nlohmann::json header = parse_json(lines.header());
    rates_.assign(project_.cameras.size(), people_.frame_rate);
    const auto cameras = header.find("cameras");
    for (size_t i = 0; cameras != header.end() && i < std::min(rates_.size(), cameras->size()); ++i)
      rates_[i] = (*cameras)[i].value("frame_rate", rates_[i]);
    return {};
  }

 private:
  Status put(const fs::path& file, const std::string& bytes) {
    VANTAGE_TRY(write_file_atomically(file, bytes));
    exported_.files.push_back(file);
    return {};
  }
  // The camera's frames, counted; nothing where its video cannot be opened.
  std::optional<int64_t> frames_of(const ProjectCamera& camera) {
    VideoOpenOptions how;
    how.stop = options_.stop;
    const auto source = open_video(camera.video, how);
    const auto frames = source ? (*source)->wait_for_frame_count(options_.stop) : fail(source.error());
    if (frames) return *frames;
    exported_.notes.push_back(camera.name + "'s video has no known end (" + frames.error().what +
                              "): in CVAT its last boxes last until the task ends.");
    return std::nullopt;
  }
  Status write_cvat();

  const Project& project_;
  const PeopleExportOptions& options_;
  const RecordedPeople& people_;
  std::vector<double> rates_;
  ExportedPeople exported_;
};

Status PeopleExport::write_cvat() {
  std::vector<size_t> cameras = options_.cameras;
  for (size_t i = 0; options_.cameras.empty() && i < project_.cameras.size(); ++i)
    if (project_.cameras[i].calibration) cameras.push_back(i);
  std::vector<std::string> names;
  for (const ProjectCamera& camera : project_.cameras) names.push_back(camera.name);
  names = camera_file_names(names);
  for (const size_t index : cameras) {
    const ProjectCamera& camera = project_.cameras[index];
    if (!camera.calibration)
      return fail(ErrorKind::invalid_argument, "is not calibrated: its boxes are not known", camera.name,
                  "Calibrate it, or leave it out.");
    if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "the export was stopped");
    fs::path file = options_.out;
    if (cameras.size() > 1)
      file.replace_filename(file.stem().string() + '_' + names[index] + file.extension().string());
    const double ratio = rates_[0] > 0 && rates_[index] > 0 ? rates_[index] / rates_[0] : 1;
    const std::string task = project_.path.stem().string() + ' ' + camera.name;
    VANTAGE_TRY(put(file, cvat_text(task, {&camera, ratio, frames_of(camera)}, people_)));
  }
  return {};
}

}  // namespace

const PeopleFormat* people_format(const fs::path& file) {
  const std::string ending = file.extension().string();
  const auto found = std::ranges::find(kPeopleFormats, ending, &PeopleFormat::ending);
  return found == kPeopleFormats.end() ? nullptr : &*found;
}

Result<ExportedPeople> export_people(const Project& project, const PeopleExportOptions& options) {
  const PeopleFormat* format = people_format(options.out);
  if (!format)
    return fail(ErrorKind::invalid_argument, "no format has this ending", options.out.string(),
                "Name a file that ends in .glb, .gltf or .xml.");
  const auto is_calibrated = [](const ProjectCamera& camera) { return camera.calibration.has_value(); };
  if (std::ranges::none_of(project.cameras, is_calibrated))
    return fail(ErrorKind::invalid_argument, "no camera is calibrated", project.path.string(),
                "Calibrate the cameras first.");
  const fs::path results = options.results.empty() ? project.results_folder() : options.results;
  VANTAGE_ASSIGN(const CasePeople people, CasePeople::read(project, results));
  if (people.recorded().paths.empty())
    return fail(ErrorKind::not_found, "no one was tracked", results.string(),
                "Analyse the project first, or track its people with `vantage-cli track`.");
  PeopleExport exported(project, options, people.recorded());
  VANTAGE_TRY(exported.read_rates(results));
  return exported.write(*format);
}

}  // namespace vantage
