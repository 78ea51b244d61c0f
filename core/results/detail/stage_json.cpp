#include "core/results/detail/stage_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/pipeline/head_views.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/stages.h"
#include "core/project/json_parts.h"
#include "core/results/detail/line_schema.h"
#include "core/results/detail/results_people.h"

namespace vantage::project_detail {
namespace {

using nlohmann::ordered_json;

double hundredth(double pixels) {
  return std::round(pixels * 100) / 100;
}

// To some pixels of the largest pictures.
double share(int64_t part, const Image& whole) {
  const double pixels = static_cast<double>(whole.width()) * static_cast<double>(whole.height());
  return std::round(1e5 * static_cast<double>(part) / pixels) / 1e5;
}

ordered_json index_or_null(int index) {
  return index < 0 ? ordered_json() : ordered_json(index);
}

// ---- video, foreground, detections: an entry for each camera of the header, without what goes without
// saying

Status write_video(const LineInput& frame, ordered_json* line) {
  const FrameSet* frames = frame.result.frames();
  if (!frames) return {};
  if (frames->time_ns >= 0) (*line)["time_s"] = static_cast<double>(frames->time_ns) / 1e9;
  for (const CameraFrame& camera : frames->cameras) {
    ordered_json entry = ordered_json::object();
    if (camera.camera_frame != frame.result.frame) entry["frame"] = camera.camera_frame;
    if (!camera.problem.empty()) entry["problem"] = camera.problem;
    (*line)["cameras"].push_back(std::move(entry));
  }
  return {};
}

Status write_foreground(const LineInput& frame, ordered_json* line) {
  const ForegroundArtifact* foreground = frame.result.foreground();
  for (size_t i = 0; foreground && i < (*line)["cameras"].size(); ++i) {
    const ForegroundImages& images = foreground->cameras[i];
    if (!images.mask) continue;
    const Result<int64_t>& count = images.mask_count.get();
    if (!count) return fail(count.error());
    (*line)["cameras"][i]["foreground_share"] = share(*count, images.mask);
  }
  return {};
}

// Null where no detector looked.
ordered_json detections_json(const CameraDetections& found) {
  if (!found.known) return {};
  ordered_json people = ordered_json::array();
  for (const PersonDetection& person : found.people) {
    people.push_back(entry_json(kDetectionKeys, person));
    for (const Keypoint& joint : person.keypoints)
      people.back()["keypoints"].push_back(
          {hundredth(joint.x_px), hundredth(joint.y_px), rounded(joint.score)});
  }
  return people;
}

Status write_detections(const LineInput& frame, ordered_json* line) {
  const DetectionsArtifact* detections = frame.result.detections();
  for (size_t i = 0; detections && i < (*line)["cameras"].size(); ++i)
    (*line)["cameras"][i]["detections"] = detections_json(detections->cameras[i]);
  return {};
}

// ---- volume and people

Status write_volume(const LineInput& frame, ordered_json* line) {
  const CarvedVolume* volume = known_volume(frame.result);
  if (!volume) return {};
  const Result<VolumeCounts>& counts = volume->counts.get();
  if (!counts) return fail(counts.error());
  (*line)["volume"] = {{"litres", volume->grid.liters(counts->occupied)},
                       {"occupied_voxels", counts->occupied},
                       {"shell_voxels", counts->shell}};
  return {};
}

// Null where too little of the person was seen moving.
ordered_json motion_json(const std::optional<PersonMotion>& motion) {
  if (!motion) return {};
  ordered_json velocity = ordered_json::array();
  for (const double component : motion->velocity_m_per_s) velocity.push_back(rounded(component));
  return {{"m_per_s", velocity},
          {"scatter_m_per_s", rounded(motion->scatter_m_per_s)},
          {"cameras", motion->cameras}};
}

// Colours by camera index; null for a part of which too little is seen.
ordered_json colors_json(const std::vector<BodyColor>& colors) {
  const auto part = [](const std::optional<std::array<float, 3>>& color) {
    if (!color) return ordered_json();
    ordered_json values = ordered_json::array();
    for (const float channel : *color) values.push_back(rounded_color(channel));
    return values;
  };
  ordered_json list = ordered_json::array();
  for (const BodyColor& color : colors)
    list.push_back({{"camera", color.camera}, {"trunk", part(color.trunk)}, {"legs", part(color.legs)}});
  return list;
}

ordered_json frame_person_json(const FramePerson& person, bool measured) {
  ordered_json json = person_json(person.found, person.track ? &*person.track : nullptr, measured);
  if (person.fused) put_fused(*person.fused, &json);
  if (person.motion) json["motion"] = motion_json(*person.motion);
  if (person.colors) json["colors"] = colors_json(*person.colors);
  if (person.skeleton) json["skeleton"] = skeleton_json(*person.skeleton);
  return json;
}

Status write_people(const LineInput& frame, ordered_json* line) {
  const PeopleArtifact* people = frame.result.people();
  if (!people) return {};
  const bool measured = people->looked && known_volume(frame.result) != nullptr;
  const std::optional<size_t> count = people_count(frame.result);
  ordered_json json;
  json["count"] = count ? ordered_json(*count) : ordered_json();
  if (!people->looked) json["carried"] = true;
  json["covered_share"] = rounded(people->covered_share);
  json["peaks"] = people->found.peaks;
  json["people"] = ordered_json::array();
  for (const FramePerson& person : frame.people)
    json["people"].push_back(frame_person_json(person, measured));
  json["rejected"] = ordered_json::array();
  for (const RejectedPeak& rejected : people->found.rejected) {
    ordered_json entry = person_json(rejected.peak, nullptr, measured);
    entry["reason"] = reject_reason_name(rejected.reason);
    json["rejected"].push_back(std::move(entry));
  }
  const bool somebody = !frame.people.empty() || people->stopped_at.empty();
  json["stopped_at"] = somebody ? ordered_json() : ordered_json(people->stopped_at);
  (*line)["people"] = std::move(json);
  return {};
}

// ---- heads

// With what else was found of each head.
Status write_height_map(const LineInput& frame, ordered_json* line) {
  const HeightEstimate* estimate = frame.result.height_map();
  if (!estimate) return {};
  const std::vector<JoinedHead>& joined = frame.result.joined_heads()->joined;
  ordered_json heads = ordered_json::array();
  for (size_t i = 0; i < joined.size(); ++i) {
    const HeightMapHead& head = estimate->heads[i];
    heads.push_back({{"x_m", head.x_m},
                     {"y_m", head.y_m},
                     {"z_m", head.z_m},
                     {"height_m", head.height_m},
                     {"area_m2", head.area_m2},
                     {"outline", head.outline},
                     {"person", index_or_null(joined[i].person)},
                     {"head", index_or_null(joined[i].detected)}});
  }
  (*line)["height_map"] = {{"camera", frame.cameras.at(estimate->reference)},
                           {"iterations", estimate->map.checks.back().iteration},
                           {"energy", estimate->map.checks.back().energy},
                           {"heads", heads}};
  return {};
}

ordered_json boxes_json(const std::vector<Detection>& boxes) {
  ordered_json json = ordered_json::array();
  for (const Detection& box : boxes) {
    json.push_back(entry_json(kHeadBoxKeys, box));
    json.back()["guided"] = box.class_id == kHeadGuided;
  }
  return json;
}

Status write_heads(const LineInput& frame, ordered_json* line) {
  const HeadsArtifact* found = frame.result.heads();
  if (!found) return {};
  ordered_json views = ordered_json::array(), heads = ordered_json::array();
  for (size_t i = 0; i < found->cameras.size(); ++i)
    views.push_back({{"name", frame.cameras.at(i)}, {"boxes", boxes_json(found->cameras[i])}});
  const PeopleArtifact* people = frame.result.people();
  for (const SceneHead& head : found->heads)
    heads.push_back({{"x_m", rounded(head.x_m)},
                     {"y_m", rounded(head.y_m)},
                     {"z_m", rounded(head.z_m)},
                     {"views", head.views},
                     {"distance_m", rounded(head.distance_m)},
                     {"height_m", rounded(person_height_m(head))},
                     {"person", index_or_null(people ? person_below(head, people->found.people) : -1)}});
  (*line)["heads"] = {{"cameras", views}, {"heads", heads}};
  return {};
}

constexpr StageWriter kWriters[] = {
    {kVideoStage, write_video},    {kDetectionsStage, write_detections}, {kForegroundStage, write_foreground},
    {kCarvingStage, write_volume}, {kPeopleStage, write_people},         {kHeightMapStage, write_height_map},
    {kHeadsStage, write_heads},
};

}  // namespace

std::span<const StageWriter> stage_writers() {
  return kWriters;
}

Status write_stages(const LineInput& frame, ordered_json* line) {
  for (const StageType* stage : stage_types())
    for (const StageWriter& writer : stage_writers())
      if (writer.stage == stage->name) VANTAGE_TRY(writer.write(frame, line));
  return {};
}

}  // namespace vantage::project_detail
