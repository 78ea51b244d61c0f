#include "core/results/results_skeletons.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "core/base/json.h"
#include "core/people/skeletons/skeletons.h"
#include "core/results/frame_lines.h"
#include "core/results/results_reader.h"

namespace vantage {
namespace {

using nlohmann::json;

SceneJoint joint_from(const json& entry) {
  SceneJoint joint;
  joint.point_in_world_m = {entry.at("x_m").get<double>(), entry.at("y_m").get<double>(),
                            entry.at("z_m").get<double>()};
  const auto c = entry.at("covariance_cm2").get<std::array<double, 6>>();
  joint.covariance_m2 << c[0], c[1], c[2], c[1], c[3], c[4], c[2], c[4], c[5];
  joint.covariance_m2 *= 1e-4;
  joint.confidence = entry.at("confidence").get<double>();
  joint.cameras = entry.at("cameras").get<std::vector<int32_t>>();
  return joint;
}

PersonSkeleton skeleton_from(const json& entry) {
  PersonSkeleton skeleton;
  skeleton.layout = find_skeleton(entry.at("layout").get<std::string>());
  if (!skeleton.layout) return skeleton;
  skeleton.joints.resize(skeleton.layout->joints.size());
  for (const auto& [name, joint] : entry.at("joints").items())
    if (const int index = skeleton.layout->joint(name); index >= 0)
      skeleton.joints[index] = joint_from(joint);
  return skeleton;
}

// The joints of the same names in another layout.
PersonSkeleton in_layout(const PersonSkeleton& from, const Skeleton* layout) {
  if (from.layout == layout) return from;
  PersonSkeleton skeleton{layout, {}};
  for (const std::string_view name : layout->joints) {
    const int index = from.layout->joint(name);
    skeleton.joints.push_back(index < 0 ? std::nullopt : from.joints[index]);
  }
  return skeleton;
}

// Reads all skeletons, in the file's order; PathPoint::person is the index of a path point's skeleton.
class Reader {
 public:
  // Skips lines that cannot be parsed, as read_results() does.
  void add(const std::string& text) {
    const json line = parse_json(text);
    if (!line.is_object()) return;
    try {
      const auto frame = line.at("frame").get<int64_t>();
      if (read_.first_frame == read_.end_frame) read_.first_frame = frame;
      read_.end_frame = frame + 1;
      if (!line.at("people").is_object()) return;
      for (const json& person : line.at("people").at("people"))
        if (person.contains("skeleton")) add_person(frame, person);
    } catch (const json::exception&) {
      return;
    }
  }

  RecordedSkeletons finish(double frame_rate, const std::vector<IdentityRepair>& repairs) {
    read_.frame_rate = frame_rate;
    std::vector<PersonPath> paths;
    for (auto& [id, path] : paths_) paths.push_back(std::move(path));
    for (const PersonPath& path : apply_repairs(std::move(paths), repairs).paths) {
      SkeletonTrack track{path.id, nullptr, {}, {}};
      for (const PathPoint& point : path.points) {
        if (point.person < 0) continue;
        track.frames.push_back({point.frame, skeletons_[point.person]});
        const Skeleton* layout = track.frames.back().skeleton.layout;
        if (!track.layout || layout->joints.size() > track.layout->joints.size()) track.layout = layout;
      }
      for (SkeletonFrame& frame : track.frames) frame.skeleton = in_layout(frame.skeleton, track.layout);
      if (!track.frames.empty()) read_.people.push_back(std::move(track));
    }
    return std::move(read_);
  }

 private:
  void add_person(int64_t frame, const json& person) {
    PersonSkeleton skeleton = skeleton_from(person.at("skeleton"));
    if (!skeleton.layout || skeleton.known() == 0) return;
    if (!person.contains("id") || person.at("id").is_null()) {
      ++read_.without_id;
      return;
    }
    const auto id = person.at("id").get<int64_t>();
    PersonPath& path = paths_[id];
    path.id = id;
    path.points.push_back({frame, person.at("x_m").get<double>(), person.at("y_m").get<double>(),
                           person.at("height_m").get<double>(), person.at("confidence").get<double>(), true,
                           static_cast<int32_t>(skeletons_.size())});
    skeletons_.push_back(std::move(skeleton));
  }

  RecordedSkeletons read_;
  std::map<int64_t, PersonPath> paths_;
  std::vector<PersonSkeleton> skeletons_;
};

void keep_lengths(SkeletonTrack* track) {
  LimbLengths lengths;
  for (const SkeletonFrame& frame : track->frames) lengths.add(frame.skeleton);
  track->limb_lengths_m = lengths.lengths_m();
  for (SkeletonFrame& frame : track->frames)
    frame.skeleton = with_limb_lengths(std::move(frame.skeleton), track->limb_lengths_m);
}

}  // namespace

Result<RecordedSkeletons> read_skeletons(const std::filesystem::path& folder,
                                         const std::vector<IdentityRepair>& repairs, Limbs limbs) {
  const std::filesystem::path file = results_file(folder);
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  if (!stream || !std::getline(stream, line))
    return fail(ErrorKind::not_found, "there are no results here", file.string(),
                "Analyse the recording first.");
  VANTAGE_ASSIGN(const StoredResults header, parse_header_line(line, file));
  const json names = parse_json_or_throw(line).value("cameras", json::array());
  Reader reader;
  while (std::getline(stream, line)) reader.add(line);
  RecordedSkeletons read = reader.finish(header.frame_rate, repairs);
  for (const json& camera : names) read.cameras.push_back(camera.value("name", std::string()));
  if (read.people.empty())
    return fail(ErrorKind::not_found,
                read.without_id > 0 ? "no one with a skeleton has an ID" : "no frame has a skeleton",
                file.string(),
                "Skeletons need detections with joints, people.source=fused and skeletons.enabled=1.");
  if (limbs == Limbs::constant)
    for (SkeletonTrack& track : read.people) keep_lengths(&track);
  return read;
}

}  // namespace vantage
