#include "tests/ui/support/fake_scene.h"

#include <cmath>
#include <numbers>

#include "core/height_map/height_map_io.h"
#include "core/video/no_video.h"

namespace vantage::ui {
namespace {

constexpr double kRadiusM = 0.3, kHalfHeightM = 0.9;

Camera ring_camera(const FakeScene& scene, int index) {
  const double angle = 2 * std::numbers::pi * index / scene.cameras + 0.4;
  const Eigen::Vector3d eye(3.5 * std::cos(angle), 3.5 * std::sin(angle), 2.2), target(0, 0, 0.9);
  const Eigen::Vector3d forward = (target - eye).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized(),
                        down = forward.cross(right);
  Eigen::Matrix3d rotation;
  rotation << right.transpose(), down.transpose(), forward.transpose();
  const Eigen::Vector3d translation = -rotation * eye;
  PinholeCamera<double> model;
  model.width_px = scene.width_px;
  model.height_px = scene.height_px;
  model.fx_px = model.fy_px = 0.8 * scene.width_px;
  model.cx_px = (scene.width_px - 1) / 2.0;
  model.cy_px = (scene.height_px - 1) / 2.0;
  for (int i = 0; i < 9; ++i) model.rotation_cam_from_world[i] = rotation(i / 3, i % 3);
  for (int i = 0; i < 3; ++i) model.translation_cam_from_world_m[i] = translation[i];
  return Camera::make("cam" + std::to_string(index + 1), model).value();
}

Picture make_picture(const FakeScene& scene, const Image& indicator) {
  Picture picture =
      Picture::make({PictureLayout::i420, scene.width_px, scene.height_px}, HostPool::shared()).value();
  const ImageView<const uint8_t> person = indicator.view<uint8_t>();
  for (int plane = 0; plane < 3; ++plane) {
    const ImageView<uint8_t> view = picture.writable_plane(plane);
    const int scale = plane == 0 ? 1 : 2;
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x) {
        const bool inside =
            person.at(std::min(x * scale, person.width - 1), std::min(y * scale, person.height - 1)) > 127;
        const int floor = plane == 0 ? 70 + 60 * y / view.height + ((x / 8 + y / 8) % 2) * 8 : 128;
        const int cloth[3] = {150, 105, 160};
        view.at(x, y) = static_cast<uint8_t>(inside ? cloth[plane] : floor);
      }
  }
  return picture;
}

Image make_indicator(const FakeScene& scene, const Camera& camera, const Eigen::Vector3d& person,
                     int64_t* count) {
  Image image = Image::make(ImageType::u8, scene.width_px, scene.height_px, HostPool::shared()).value();
  const ImageView<uint8_t> view = image.writable_view<uint8_t>();
  const auto middle = camera.project(person).value_or(Eigen::Vector2d(-1e6, -1e6));
  const double distance = (camera.cam_from_world() * person).z();
  const double rx = camera.model().fx_px * kRadiusM / distance,
               ry = camera.model().fy_px * kHalfHeightM / distance;
  *count = 0;
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) {
      const double r = std::hypot((x - middle.x()) / rx, (y - middle.y()) / ry);
      const bool inside = !scene.without_person && r < 1;
      view.at(x, y) = inside ? 255 : 0;
      *count += inside;
    }
  return image;
}

CarvedVolume make_volume(const FakeScene& scene, const Eigen::Vector3d& person, int64_t frame) {
  CarvedVolume volume;
  volume.grid = scene.grid();
  volume.frame = frame;
  std::vector<uint32_t> ids;
  VolumeCounts counts;
  for (int z = 0; z < volume.grid.nz && !scene.without_person; ++z)
    for (int y = 0; y < volume.grid.ny; ++y)
      for (int x = 0; x < volume.grid.nx; ++x) {
        const Eigen::Vector3d p(volume.grid.center(0, x), volume.grid.center(1, y), volume.grid.center(2, z));
        const Eigen::Vector3d d =
            (p - person).cwiseQuotient(Eigen::Vector3d(kRadiusM, kRadiusM, kHalfHeightM));
        if (d.norm() >= 1) continue;
        ++counts.occupied;
        if (d.norm() > 0.8) ids.push_back(static_cast<uint32_t>(volume.grid.linear_id(x, y, z)));
      }
  counts.shell = static_cast<int64_t>(ids.size());
  volume.counts = counts;
  if (ids.empty()) return volume;
  Image list = Image::make(ImageType::u32, static_cast<int>(ids.size()), 1, HostPool::shared()).value();
  std::copy(ids.begin(), ids.end(), list.writable_view<uint32_t>().data);
  volume.shell_ids = std::move(list);
  return volume;
}

FloorMap make_floor_map(const CarvedVolume& volume, const Eigen::Vector3d& person, bool empty) {
  FloorMap map;
  map.grid = volume.grid;
  map.frame = volume.frame;
  for (Image* image : {&map.columns, &map.tops})
    *image = Image::make(ImageType::u16, map.grid.nx, map.grid.ny, HostPool::shared()).value();
  const ImageView<uint16_t> columns = map.columns.writable_view<uint16_t>(),
                            tops = map.tops.writable_view<uint16_t>();
  for (int y = 0; y < map.grid.ny; ++y)
    for (int x = 0; x < map.grid.nx; ++x) {
      const double r =
          std::hypot(map.grid.center(0, x) - person.x(), map.grid.center(1, y) - person.y()) / kRadiusM;
      const double height = empty || r >= 1 ? 0 : 2 * kHalfHeightM * std::sqrt(1 - r * r);
      columns.at(x, y) = static_cast<uint16_t>(height / map.grid.voxel_size_m);
      tops.at(x, y) = columns.at(x, y);
    }
  return map;
}

void add_people(const FakeScene& scene, int64_t frame, FrameResult* result) {
  const Eigen::Vector3d position = scene.person_in_world_m(frame);
  auto people = std::make_shared<PeopleArtifact>();
  auto tracks = std::make_shared<TracksArtifact>();
  people->covered_share = 1;
  if (!scene.without_person) {
    FoundPerson person;
    person.x_m = position.x(), person.y_m = position.y(), person.height_m = 2 * kHalfHeightM,
    person.cameras = scene.cameras;
    people->found.people.push_back(person);
    FoundPerson small;
    small.x_m = FakeScene::rejected_in_world_m().x(), small.y_m = FakeScene::rejected_in_world_m().y();
    people->found.rejected.push_back({small, RejectReason::too_small});
    tracks->tracked.push_back({FakeScene::kPerson, person.x_m, person.y_m, person.height_m});
  }
  result->artifacts.people = std::move(people);
  result->artifacts.tracking = std::move(tracks);
  result->versions[std::string(kTrackingStage)] = 1;
}

}  // namespace

VoxelGrid FakeScene::grid() const {
  return {{-1.5, -1.5, 0}, 0.05, 60, 60, 40};
}

Eigen::Vector3d FakeScene::person_in_world_m(int64_t frame) const {
  const double angle = 2 * std::numbers::pi * static_cast<double>(frame) / static_cast<double>(frames);
  return {0.8 * std::cos(angle), 0.8 * std::sin(angle), kHalfHeightM};
}

Project FakeScene::project() const {
  Project project;
  project.parameters = default_parameters();
  project.grid = grid();
  for (int i = 0; i < cameras; ++i) {
    const Camera camera = ring_camera(*this, i);
    ProjectCamera entry;
    entry.name = camera.name();
    entry.video = camera.name() + ".mp4";
    if (calibrated) entry.calibration = camera;
    if (detections) entry.detections.file = "/somewhere/" + camera.name() + ".txt";
    if (!videos) entry.video = no_video_address({width_px, height_px, frame_rate, frames});
    project.cameras.push_back(std::move(entry));
  }
  return project;
}

FrameResultRef FakeScene::with_heights(const FrameResultRef& result, size_t camera, const HeightLabels& scale,
                                       uint8_t label) {
  const Picture& picture = result->frames()->cameras.at(camera).picture;
  auto map = std::make_shared<HeightMapArtifact>();
  map->estimate.reference = camera;
  map->estimate.map = {picture.width(), picture.height(), result->frame, scale, {}, {}, {}, true};
  const auto filled = [&](uint8_t value) {
    Image image = Image::make(ImageType::u8, picture.width(), picture.height(), HostPool::shared()).value();
    for (int y = 0; y < picture.height(); ++y)
      std::fill_n(image.writable_view<uint8_t>().row(y), picture.width(), value);
    return image;
  };
  map->estimate.map.labels = map->estimate.levels = filled(label);
  map->estimate.map.unsettled = filled(255);
  map->estimate.level_count = scale.count;
  map->estimate.heights_m = heights_in_metres(map->estimate.map, HostPool::shared()).value();
  auto mapped = std::make_shared<FrameResult>(*result);
  mapped->artifacts.heightmap = map;
  return mapped;
}

FrameResultRef FakeScene::with_head(const FrameResultRef& result, double z_m) {
  auto heads = std::make_shared<HeadsArtifact>();
  heads->searched = true;
  const FoundPerson& person = result->people()->found.people.at(0);
  heads->heads.push_back({person.x_m, person.y_m, z_m, 3, 0.01});
  auto found = std::make_shared<FrameResult>(*result);
  found->artifacts.heads = std::move(heads);
  return found;
}

FrameResultRef FakeScene::with_detections(const FrameResultRef& result,
                                          std::vector<CameraDetections> cameras) {
  auto detections = std::make_shared<DetectionsArtifact>();
  detections->present = true;
  detections->cameras = std::move(cameras);
  auto seen = std::make_shared<FrameResult>(*result);
  seen->artifacts.detections = std::move(detections);
  return seen;
}

FrameResultRef FakeScene::with_fused(const FrameResultRef& result, std::vector<CameraEvidence> evidence) {
  auto people = std::make_shared<PeopleArtifact>(*result->people());
  const FoundPerson& found = people->found.people.at(0);
  FusedPerson fused;
  fused.x_m = found.x_m, fused.y_m = found.y_m, fused.height_m = found.height_m;
  fused.confidence = 0.98;
  fused.evidence = std::move(evidence);
  people->fused = {std::move(fused)};
  auto made = std::make_shared<FrameResult>(*result);
  made->artifacts.people = std::move(people);
  return made;
}

FrameResultRef FakeScene::with_skeleton(const FrameResultRef& result, PersonSkeleton skeleton) {
  auto skeletons = std::make_shared<SkeletonsArtifact>();
  skeletons->people = {std::move(skeleton)};
  auto made = std::make_shared<FrameResult>(*result);
  made->artifacts.skeletons = std::move(skeletons);
  return made;
}

FrameResultRef FakeScene::result(int64_t frame, bool analysed) const {
  auto result = std::make_shared<FrameResult>();
  result->frame = frame;
  auto pictures = std::make_shared<FrameSetArtifact>();
  auto foreground = std::make_shared<ForegroundArtifact>();
  pictures->frames.frame = frame;
  std::vector<Image> masks;
  for (int i = 0; i < cameras; ++i) {
    int64_t count = 0;
    const Image indicator = make_indicator(*this, ring_camera(*this, i), person_in_world_m(frame), &count);
    CameraFrame camera_frame;
    camera_frame.camera_frame = frame;
    if (i == without_picture)
      camera_frame.problem = "the video ends before";
    else if (videos)
      camera_frame.picture = make_picture(*this, indicator);
    pictures->frames.cameras.push_back(std::move(camera_frame));
    ForegroundImages images;
    if (videos && i != without_picture) images = {indicator, indicator, count};
    masks.push_back(images.mask);
    foreground->cameras.push_back(std::move(images));
  }
  foreground->host_masks = std::move(masks);
  result->artifacts.video = std::move(pictures);
  if (!analysed) return result;
  result->artifacts.foreground = std::move(foreground);
  if (!calibrated) return result;
  auto volume = std::make_shared<VolumeArtifact>();
  volume->volume = make_volume(*this, person_in_world_m(frame), frame);
  auto map = std::make_shared<FloorMapArtifact>();
  map->map = make_floor_map(volume->volume, person_in_world_m(frame), without_person);
  result->artifacts.carving = std::move(volume);
  result->artifacts.floor = std::move(map);
  add_people(*this, frame, result.get());
  return result;
}

ShownFrameRef FakeScene::shown(FrameResultRef result) const {
  const Eigen::Vector3d position = person_in_world_m(result->frame),
                        before = person_in_world_m(result->frame - 1);
  const bool walks = result->tracks() && !without_person;
  auto shown = std::make_shared<ShownFrame>(ShownFrame{.result = std::move(result)});
  if (walks) shown->trails = {{kPerson, {before.head<2>(), position.head<2>()}}};
  return shown;
}

}  // namespace vantage::ui
