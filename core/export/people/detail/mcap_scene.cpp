// MCAP with Foxglove's messages: the world's frame has the scene's axes, each camera's is x right, y down, z
// forwards. Times are the recording's, or count from the base camera's frame 0 where its clock is unknown.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "core/export/case/case_people.h"
#include "core/export/people/detail/formats.h"
#include "core/export/people/detail/foxglove.h"
#include "core/export/people/detail/mcap_file.h"
#include "core/export/people/detail/scene_parts.h"
#include "core/video/frame_source.h"
#include "core/video/jpeg.h"

namespace vantage::people_export_detail {
namespace {

constexpr const char* kWorld = "world";

// A calibrated camera whose pictures and pose are written.
struct McapCamera {
  size_t index = 0;  // in the project
  std::string frame;
  uint16_t pictures = 0, calibrations = 0;  // channels; 0: none
  const Camera* calibration = nullptr;      // as written last
  std::pair<int, int> size = {};            // of its pictures, likewise
  int64_t own_frame = -1;                   // likewise
};

class McapScene {
 public:
  McapScene(const McapContent& content, McapFile& file) : content_(content), file_(file) {}
  Status write();

 private:
  const ProjectCamera& project_camera(const McapCamera& camera) const {
    return content_.project.cameras[camera.index];
  }
  int64_t time_ns(double frame) const {
    return std::max<int64_t>(0,
                             std::llround((content_.start_utc_s + frame / content_.people.frame_rate) * 1e9));
  }
  Status open_pictures();
  Status add_channels();
  Status add_floor();
  Status add_pictures(int64_t frame);
  Status add_picture(McapCamera& camera, const CameraFrame& shown, int64_t frame);
  Status add_calibration(McapCamera& camera, std::pair<int, int> size, int64_t frame);
  Status add_people(int64_t frame, std::span<const CasePerson> people);

  const McapContent& content_;
  McapFile& file_;
  const std::string descriptors_ = foxglove::descriptors();
  std::vector<McapCamera> cameras_;
  uint16_t poses_ = 0, floor_ = 0, people_ = 0, positions_ = 0;
  std::unique_ptr<FrameSource> source_;  // null: without pictures
};

Status McapScene::open_pictures() {
  if (content_.picture_width_px == 0 || !content_.project.has_pictures()) return {};
  FrameSourceOptions options;
  for (const ProjectCamera& camera : content_.project.cameras)
    options.cameras.push_back(
        {camera.name, camera.video, camera.offset_frames, camera.frame_rate, camera.offset_changes});
  VANTAGE_ASSIGN(source_, FrameSource::open(std::move(options)));
  return {};
}

Status McapScene::add_channels() {
  const auto add = [&](const std::string& topic, const char* schema) {
    return file_.add_channel(topic, schema, descriptors_);
  };
  VANTAGE_ASSIGN(poses_, add("/tf", "foxglove.FrameTransforms"));
  VANTAGE_ASSIGN(floor_, add("/floor", "foxglove.SceneUpdate"));
  VANTAGE_ASSIGN(people_, add("/people", "foxglove.SceneUpdate"));
  VANTAGE_ASSIGN(positions_, add("/people/positions", "foxglove.PointCloud"));
  for (const size_t index : content_.cameras) {
    McapCamera camera{.index = index, .frame = content_.camera_names[index]};
    const std::string topic = '/' + camera.frame;
    VANTAGE_ASSIGN(camera.calibrations, add(topic + "/calibration", "foxglove.CameraCalibration"));
    if (source_) {
      VANTAGE_ASSIGN(camera.pictures, add(topic + "/image", "foxglove.CompressedImage"));
    }
    cameras_.push_back(std::move(camera));
  }
  return {};
}

Status McapScene::add_floor() {
  std::vector<foxglove::Entity> entities;
  const auto add = [&](std::string id, std::span<const Eigen::Vector2d> points, bool closed, double z_m) {
    foxglove::Entity entity{.id = std::move(id), .closed = closed};
    for (const Eigen::Vector2d& point : points) entity.line_m.emplace_back(point.x(), point.y(), z_m);
    if (!entity.line_m.empty()) entities.push_back(std::move(entity));
  };
  add("floor", floor_corners_m(content_.project), true, 0);
  for (const FloorZone& zone : content_.project.zones) add(zone.name, zone.corners_m, true, kAboveFloor_m);
  for (const FloorLine& line : content_.project.lines)
    add(line.name, std::array{line.from_m, line.to_m}, false, kAboveFloor_m);
  const int64_t time = time_ns(static_cast<double>(content_.people.frames.front()));
  return file_.add(floor_, time, foxglove::scene_update(time, kWorld, entities));
}

Status McapScene::add_calibration(McapCamera& camera, std::pair<int, int> size, int64_t frame) {
  const Camera* now = project_camera(camera).calibration_at(frame);
  if (now == camera.calibration && size == camera.size) return {};
  const int64_t time = time_ns(static_cast<double>(frame));
  VANTAGE_TRY(file_.add(camera.calibrations, time,
                        foxglove::camera_calibration(time, camera.frame, *now, size.first, size.second)));
  if (now != camera.calibration)
    VANTAGE_TRY(file_.add(poses_, time, foxglove::camera_pose(time, kWorld, camera.frame, *now)));
  camera.calibration = now, camera.size = size;
  return {};
}

// A picture has its own time, which is not the base camera's, and is written once.
Status McapScene::add_picture(McapCamera& camera, const CameraFrame& shown, int64_t frame) {
  const Camera& calibration = *project_camera(camera).calibration_at(frame);
  const Picture& picture = shown.picture;
  std::pair<int, int> size = camera.size;
  if (picture) {
    VANTAGE_TRY(
        check_calibration_size(calibration, project_camera(camera).name, picture.width(), picture.height()));
    size = jpeg_size(picture, content_.picture_width_px);
  } else if (size.first == 0) {
    size = {calibration.width_px(), calibration.height_px()};
  }
  VANTAGE_TRY(add_calibration(camera, size, frame));
  if (!picture || shown.camera_frame == camera.own_frame) return {};
  camera.own_frame = shown.camera_frame;
  const double late = shown.offset_remainder_frames / content_.rate_ratios[camera.index];
  const int64_t time = time_ns(static_cast<double>(frame) - late);
  VANTAGE_ASSIGN(const std::string jpeg, encode_jpeg(picture, content_.picture_width_px));
  return file_.add(camera.pictures, time, foxglove::compressed_image(time, camera.frame, jpeg));
}

Status McapScene::add_pictures(int64_t frame) {
  FrameSet set;
  set.cameras.resize(content_.project.cameras.size());
  if (source_) {
    VANTAGE_ASSIGN(set, source_->read(frame));
  }
  for (McapCamera& camera : cameras_) VANTAGE_TRY(add_picture(camera, set.cameras[camera.index], frame));
  return {};
}

// A person is shown until the next frame; a frame whose people are unknown has no message.
Status McapScene::add_people(int64_t frame, std::span<const CasePerson> people) {
  const int64_t time = time_ns(static_cast<double>(frame)), next = time_ns(static_cast<double>(frame + 1));
  std::vector<foxglove::Entity> entities;
  std::vector<foxglove::FloorPoint> points;
  for (const CasePerson& person : people) {
    const std::string label = person_label(person.id, content_.people.names);
    const double height_m = person.height_m > 0 ? person.height_m : content_.heights_m.at(person.id);
    entities.push_back({.id = std::to_string(person.id),
                        .lifetime_ns = next - time,
                        .facts = {{"name", label}, {"seen", person.seen ? "true" : "false"}},
                        .place_m = {person.x_m, person.y_m},
                        .radius_m = kPersonRadius_m,
                        .height_m = height_m,
                        .text = label,
                        .color = person_rgb(person.id)});
    points.push_back({static_cast<float>(person.x_m), static_cast<float>(person.y_m), 0,
                      static_cast<float>(height_m), static_cast<int32_t>(person.id), person.seen});
  }
  VANTAGE_TRY(file_.add(people_, time, foxglove::scene_update(time, kWorld, entities)));
  return file_.add(positions_, time, foxglove::point_cloud(time, kWorld, points));
}

Status McapScene::write() {
  VANTAGE_TRY(open_pictures());
  VANTAGE_TRY(add_channels());
  VANTAGE_TRY(add_floor());
  const std::map<int64_t, std::vector<CasePerson>> people = people_on_paths(content_.people);
  for (const int64_t frame : content_.people.frames) {
    if (content_.stop.stop_requested()) return fail(ErrorKind::cancelled, "the export was stopped");
    VANTAGE_TRY(add_pictures(frame));
    if (!content_.people.known(frame)) continue;
    const auto at = people.find(frame);
    VANTAGE_TRY(add_people(frame, at == people.end() ? std::span<const CasePerson>() : at->second));
  }
  return file_.finish();
}

}  // namespace

Status write_mcap(const std::filesystem::path& out, const McapContent& content) {
  VANTAGE_ASSIGN(McapFile file, McapFile::create(out));
  const Status written = McapScene(content, file).write();
  if (!written) file.drop();
  return written;
}

}  // namespace vantage::people_export_detail
