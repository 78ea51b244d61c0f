#include "core/export/people/people_export.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/export/case/case_people.h"
#include "core/export/people/detail/formats.h"
#include "core/export/people/detail/scene_parts.h"
#include "core/project/files_of_videos.h"
#include "core/results/frame_lines.h"
#include "core/video/video_source.h"

namespace vantage {

namespace {

namespace fs = std::filesystem;
using namespace people_export_detail;

class PeopleExport {
 public:
  PeopleExport(const Project& project, const PeopleExportOptions& options, const RecordedPeople& people)
      : project_(project), options_(options), people_(people) {}

  Result<ExportedPeople> write(const PeopleFormat& format) {
    exported_.people = static_cast<int64_t>(people_.paths.size());
    VANTAGE_TRY(choose_cameras());
    if (format.ending == ".xml") {
      VANTAGE_TRY(write_cvat());
    } else if (format.ending == ".fiftyone") {
      VANTAGE_TRY(write_fiftyone());
    } else if (format.ending == ".mcap") {
      VANTAGE_TRY(write_scene_with_pictures());
    } else if (format.ending == ".usda") {
      VANTAGE_TRY(put(options_.out, usd_text(project_, people_)));
    } else {
      VANTAGE_ASSIGN(const std::string bytes, gltf_bytes(project_, people_, format.ending == ".glb"));
      VANTAGE_TRY(put(options_.out, bytes));
    }
    return exported_;
  }
  // Uses the frames/s of each camera, as the results' header states them.
  Status read_rates(const fs::path& results) {
    VANTAGE_ASSIGN(const FrameLines lines, FrameLines::open(results_file(results)));
    const nlohmann::json header = parse_json(lines.header());
    std::vector<double> rates(project_.cameras.size(), people_.frame_rate);
    const auto cameras = header.find("cameras");
    for (size_t i = 0; cameras != header.end() && i < std::min(rates.size(), cameras->size()); ++i)
      rates[i] = (*cameras)[i].value("frame_rate", rates[i]);
    for (const double rate : rates) rate_ratios_.push_back(rates[0] > 0 && rate > 0 ? rate / rates[0] : 1);
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
                              "): boxes end with the results, in CVAT with the task.");
    return std::nullopt;
  }
  Status choose_cameras();
  Status write_cvat();
  Status write_fiftyone();
  Status link_video(const ProjectCamera& camera, const fs::path& name);
  Status write_scene_with_pictures();

  const Project& project_;
  const PeopleExportOptions& options_;
  const RecordedPeople& people_;
  std::vector<size_t> cameras_;            // calibrated
  std::vector<std::string> camera_names_;  // of files and topics, of all cameras
  std::vector<double> rate_ratios_;        // of all cameras: frames per frame of the base
  ExportedPeople exported_;
};

Status PeopleExport::choose_cameras() {
  std::vector<std::string> names;
  for (const ProjectCamera& camera : project_.cameras) names.push_back(camera.name);
  camera_names_ = camera_file_names(names);
  cameras_ = options_.cameras;
  for (size_t i = 0; options_.cameras.empty() && i < project_.cameras.size(); ++i)
    if (project_.cameras[i].calibration) cameras_.push_back(i);
  for (const size_t index : cameras_)
    if (!project_.cameras[index].calibration)
      return fail(ErrorKind::invalid_argument, "is not calibrated: what it shows of people is not known",
                  project_.cameras[index].name, "Calibrate it, or leave it out.");
  return {};
}

Status PeopleExport::write_cvat() {
  for (const size_t index : cameras_) {
    const ProjectCamera& camera = project_.cameras[index];
    if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "the export was stopped");
    fs::path file = options_.out;
    if (cameras_.size() > 1)
      file.replace_filename(file.stem().string() + '_' + camera_names_[index] + file.extension().string());
    const std::string task = project_.path.stem().string() + ' ' + camera.name;
    VANTAGE_TRY(put(file, cvat_text(task, {&camera, rate_ratios_[index], frames_of(camera)}, people_)));
  }
  return {};
}

// FiftyOne joins a video and its labels by their names.
Status PeopleExport::write_fiftyone() {
  const fs::path videos = options_.out / "data", labels = options_.out / "labels";
  VANTAGE_TRY(make_folder(videos));
  VANTAGE_TRY(make_folder(labels));
  for (const size_t index : cameras_) {
    const ProjectCamera& camera = project_.cameras[index];
    if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "the export was stopped");
    VANTAGE_TRY(link_video(camera, videos / camera_names_[index]));
    VANTAGE_TRY(put(labels / (camera_names_[index] + ".json"),
                    video_labels({&camera, rate_ratios_[index], frames_of(camera)}, people_)));
  }
  return {};
}

// A link to the video, by the name and the video's ending; a file that has that name stays.
Status PeopleExport::link_video(const ProjectCamera& camera, const fs::path& name) {
  const fs::path link = name.string() + fs::path(camera.video).extension().string();
  if (!is_one_file(camera.video)) {
    exported_.notes.push_back(camera.name + "'s video is not one file: put a video of its frames into " +
                              name.parent_path().string() + ", named " + name.filename().string() + '.');
    return {};
  }
  std::error_code code;
  if (fs::is_symlink(link, code)) fs::remove(link, code);
  if (fs::exists(link, code)) return {};
  fs::create_symlink(fs::absolute(camera.video), link, code);
  if (code)
    return fail(ErrorKind::io, "no link to the video can be made (" + code.message() + ")", link.string(),
                "Choose a folder of a file system with links.");
  return {};
}

Status PeopleExport::write_scene_with_pictures() {
  McapContent content{.project = project_,
                      .people = people_,
                      .cameras = cameras_,
                      .camera_names = camera_names_,
                      .rate_ratios = rate_ratios_,
                      .picture_width_px = options_.picture_width_px,
                      .stop = options_.stop};
  for (const PersonPath& path : people_.paths) content.heights_m[path.id] = median_height_m(path);
  if (project_.live() && content.picture_width_px > 0) {
    content.picture_width_px = 0;
    exported_.notes.push_back("The cameras are live: the file has no pictures.");
  }
  if (const auto clock = project_.live() ? project_.clock : find_clock(project_))
    content.start_utc_s = clock->start_utc_s;
  else
    exported_.notes.push_back("The recording's time of day is not known: times count from 1970.");
  for (const size_t index : cameras_) {
    const PinholeCamera<double>& lens = project_.cameras[index].calibration->model();
    if (lens.s1 != 0 || lens.s2 != 0 || lens.s3 != 0 || lens.s4 != 0 || lens.tau_x != 0 || lens.tau_y != 0)
      exported_.notes.push_back(project_.cameras[index].name +
                                "'s lens has a thin prism or a tilted sensor, which Foxglove's calibration "
                                "lacks: its distortion is written without.");
  }
  VANTAGE_TRY(write_mcap(options_.out, content));
  exported_.files.push_back(options_.out);
  return {};
}

}  // namespace

const PeopleFormat* people_format(const fs::path& file) {
  const std::string ending = file.extension().string();
  const auto found = std::ranges::find(kPeopleFormats, ending, &PeopleFormat::ending);
  return found == kPeopleFormats.end() ? nullptr : &*found;
}

std::string people_endings() {
  std::string text;
  for (const PeopleFormat& format : kPeopleFormats) {
    if (!text.empty()) text += &format == &kPeopleFormats.back() ? " or " : ", ";
    text += format.ending;
  }
  return text;
}

Result<ExportedPeople> export_people(const Project& project, const PeopleExportOptions& options) {
  const PeopleFormat* format = people_format(options.out);
  if (!format)
    return fail(ErrorKind::invalid_argument, "no format has this ending", options.out.string(),
                "Name a file that ends in " + people_endings() + '.');
  const auto is_calibrated = [](const ProjectCamera& camera) { return camera.calibration.has_value(); };
  if (std::ranges::none_of(project.cameras, is_calibrated))
    return fail(ErrorKind::invalid_argument, "no camera is calibrated", project.path.string(),
                "Calibrate the cameras first.");
  const fs::path results = options.results.empty() ? project.results_folder() : options.results;
  VANTAGE_ASSIGN(const CasePeople people, CasePeople::read(project, results));
  if (people.recorded().paths.empty() || people.recorded().frames.empty())
    return fail(ErrorKind::not_found, "no one was tracked", results.string(),
                "Analyse the project first, or track its people with `vantage-cli track`.");
  PeopleExport exported(project, options, people.recorded());
  VANTAGE_TRY(exported.read_rates(results));
  return exported.write(*format);
}

}  // namespace vantage
