// Skeletons from files of joints to files of skeletons: chain, results, limbs, TRC, C3D, CSV, JSON.
#include <cmath>
#include <map>
#include <sstream>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/detections/detection_file.h"
#include "core/people/skeletons/skeletons.h"
#include "core/results/results_skeletons.h"
#include "core/results/results_writer.h"
#include "core/results/skeleton_files.h"
#include "core/run/run.h"
#include "tests/support/c3d.h"
#include "tests/support/jointed_body.h"
#include "tests/support/json_schema.h"
#include "tests/unit/pipeline/boxes_project.h"

namespace vantage {
namespace {

constexpr int64_t kFrames = 30;
constexpr double kRate = 10;
constexpr int kWidth = 1280, kHeight = 960;
constexpr size_t kCameras = 4;

// Two people walk past each other; nobody sees their feet's swing but the cameras.
std::vector<test::JointedBody> people_at(int64_t frame) {
  const auto t = static_cast<double>(frame);
  return {{-1.0 + 0.06 * t, -0.5, 0, 0.4 * std::sin(0.6 * t)},
          {1.0 - 0.06 * t, 0.6, 3.1, 0.4 * std::sin(0.6 * t + 1)}};
}

// The box round the joints, with what lies beyond head and feet.
void add_box(PersonDetection* seen) {
  float left = 1e9F, right = -1e9F, top = 1e9F, bottom = -1e9F;
  for (const Keypoint& joint : seen->keypoints) {
    if (joint.score <= 0) continue;
    left = std::min(left, joint.x_px), right = std::max(right, joint.x_px);
    top = std::min(top, joint.y_px), bottom = std::max(bottom, joint.y_px);
  }
  const float beyond = 0.07F * (bottom - top);
  seen->left_px = left - beyond, seen->width_px = right - left + 2 * beyond;
  seen->top_px = top - beyond, seen->height_px = bottom - top + beyond;
}

class RecordedSkeletonsTest : public test::BoxesProject {
 protected:
  static std::vector<Camera> ring() {
    test::RingOptions options;
    options.cameras = kCameras, options.width_px = kWidth, options.height_px = kHeight;
    options.radius_m = 4.5, options.height_m = 2.5, options.look_at_height_m = 0.8;
    return test::camera_ring(options);
  }

  // Detectors whose joints are off by half a pixel here and there.
  Project project() const {
    const std::vector<Camera> cameras = ring();
    std::vector<NewCamera> made;
    for (size_t c = 0; c < cameras.size(); ++c) {
      DetectionFile file;
      file.skeleton = "BODY_25", file.frame_rate = kRate, file.width_px = kWidth, file.height_px = kHeight;
      for (int64_t frame = 0; frame < kFrames; ++frame) {
        CameraDetections& seen = file.frames.emplace_back();
        seen.known = true;
        for (const test::JointedBody& body : people_at(frame)) {
          PersonDetection& person =
              seen.people.emplace_back(test::seen_joints(cameras[c], test::joints_of(body)));
          for (size_t i = 0; i < person.keypoints.size(); ++i)
            person.keypoints[i].x_px += (i + c + static_cast<size_t>(frame)) % 2 ? 0.5F : -0.5F;
          add_box(&person);
        }
      }
      NewCamera& camera = made.emplace_back(
          this->camera({kWidth, kHeight, kRate, kFrames}, cameras[c], "joints" + std::to_string(c), "x"));
      EXPECT_TRUE(write_detection_file(camera.detections.file, file));
    }
    Project project = project_of(made);
    project.grid = VoxelGrid{{-2, -2, 0}, 0.1, 40, 40, 20};
    return project;
  }

  // As a run does it; the folder of the results.
  std::filesystem::path analysed(const Project& project, const std::string& name,
                                 ExecutionMode mode = ExecutionMode::sequential) const {
    const auto analysis = open(project);
    const auto folder = folder_.path() / name;
    auto writer = ResultsWriter::open(folder, project, *describe_run(*analysis, &backends_, "CPU"));
    EXPECT_TRUE(writer) << writer.error().message();
    const auto write = [&](const FrameResultRef& result) { return (*writer)->write(*result).has_value(); };
    EXPECT_TRUE(analysis->pipeline().analyse({0, kFrames}, mode, write, {}));
    EXPECT_TRUE((*writer)->finish(nullptr));
    return folder;
  }
};

// The mean error of the joints that are known, and how many are.
std::pair<double, int64_t> error_m(const RecordedSkeletons& recording) {
  double sum = 0;
  int64_t known = 0;
  for (const SkeletonTrack& person : recording.people)
    for (const auto& [frame, skeleton] : person.frames) {
      const std::vector<test::JointedBody> bodies = people_at(frame);
      const auto& neck = skeleton.joints[1];
      const test::JointedBody& body = neck && neck->point_in_world_m.y() > 0 ? bodies[1] : bodies[0];
      const std::vector<Eigen::Vector3d> truth = test::joints_of(body);
      for (size_t i = 0; i < truth.size(); ++i)
        if (skeleton.joints[i]) sum += (skeleton.joints[i]->point_in_world_m - truth[i]).norm(), ++known;
    }
  return {sum / static_cast<double>(known), known};
}

TEST_F(RecordedSkeletonsTest, PeopleOfARunHaveTheirJointsAndLimbsOfOneLength) {
  const Project made = project();
  EXPECT_EQ(made.parameters.get("skeletons", "enabled").value(), 1) << "files with joints switch it on";
  const auto folder = analysed(made, "results");
  const RecordedSkeletons seen = read_skeletons(folder, {}, Limbs::as_seen).value();
  const RecordedSkeletons kept = read_skeletons(folder, {}).value();
  ASSERT_EQ(kept.people.size(), 2u);
  EXPECT_EQ(kept.first_frame, 0);
  EXPECT_EQ(kept.end_frame, kFrames);
  EXPECT_EQ(kept.frame_rate, kRate);
  EXPECT_EQ(kept.cameras.size(), kCameras);
  EXPECT_EQ(kept.without_id, 0);
  for (const SkeletonTrack& person : kept.people) {
    EXPECT_EQ(person.frames.size(), static_cast<size_t>(kFrames));
    EXPECT_NEAR(person.limb_lengths_m.at("thigh"), test::kThigh_m, 0.01);
    EXPECT_NEAR(person.limb_lengths_m.at("forearm"), test::kForearm_m, 0.01);
  }
  EXPECT_TRUE(seen.people[0].limb_lengths_m.empty());
  const auto [before_m, joints] = error_m(seen);
  const auto [after_m, joints_after] = error_m(kept);
  EXPECT_GT(joints, 2 * 25 * kFrames * 9 / 10);
  EXPECT_EQ(joints_after, joints);
  EXPECT_LT(before_m, 0.01);
  EXPECT_LE(after_m, before_m);
}

TEST_F(RecordedSkeletonsTest, LinesKeepTheSchemaAndSayTheSameWithThreads) {
  const Project made = project();
  const auto one = analysed(made, "one"), threads = analysed(made, "threads", ExecutionMode::threaded);
  const std::string text = read_file(one / "results.jsonl").value();
  EXPECT_EQ(text, read_file(threads / "results.jsonl").value());
  const auto schema = parse_json_or_throw(
      read_file(std::filesystem::path(VANTAGE_SOURCE_DIR) / "resources/schema/results.schema.json").value());
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  int64_t skeletons = 0;
  while (std::getline(lines, line)) {
    const nlohmann::json parsed = parse_json_or_throw(line);
    EXPECT_EQ(test::schema_problem(parsed, schema["$defs"]["frame"]), "");
    EXPECT_TRUE(parsed["people"].value("found_again", false));
    for (const auto& person : parsed["people"]["people"]) skeletons += person.contains("skeleton");
  }
  EXPECT_EQ(skeletons, 2 * kFrames) << "also of people whom paths have found again";
}

TEST_F(RecordedSkeletonsTest, SwitchedOffThereAreNone) {
  Project made = project();
  ASSERT_TRUE(made.parameters.set("skeletons", "enabled", 0));
  const auto analysis = open(made);
  const auto result = analysis->pipeline().frame(0, {}, {}).value();
  EXPECT_EQ(result->skeletons(), nullptr);
  ASSERT_TRUE(made.parameters.set("skeletons", "gate_m", 0.3));
  EXPECT_EQ(open(made)->pipeline().frame(0, {}, {}).value()->versions.at("skeletons"),
            result->versions.at("skeletons"))
      << "then its other parameters make nothing out of date";
  const auto none = read_skeletons(analysed(made, "results"), {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::not_found);
  EXPECT_NE(none.error().message().find("no frame has a skeleton"), std::string::npos);
}

// Two people made one by hand are one skeleton, too; the repair names places, as in the window.
TEST_F(RecordedSkeletonsTest, RepairsOfIdentitiesApply) {
  const auto folder = analysed(project(), "results");
  const RecordedSkeletons before = read_skeletons(folder, {}).value();
  IdentityRepair gone;
  gone.kind = RepairKind::remove;
  gone.at = {5, people_at(5)[1].x_m, people_at(5)[1].y_m};
  const RecordedSkeletons after = read_skeletons(folder, {gone}).value();
  ASSERT_EQ(before.people.size(), 2u);
  ASSERT_EQ(after.people.size(), 1u);
  EXPECT_LT(after.people[0].frames[0].skeleton.joints[1]->point_in_world_m.y(), 0);
}

// ---- files

// Two frames of three, the second without its wrist; then a gap; limbs are not touched.
RecordedSkeletons small_recording() {
  RecordedSkeletons recording;
  recording.frame_rate = 12.5, recording.first_frame = 4, recording.end_frame = 8;
  recording.cameras = {"cam1", "cam2"};
  SkeletonTrack& person = recording.people.emplace_back();
  person.id = 7, person.layout = find_skeleton("COCO_17");
  person.limb_lengths_m["thigh"] = 0.42;
  for (const int64_t frame : {4, 6}) {
    PersonSkeleton skeleton{person.layout, {}};
    skeleton.joints.resize(person.layout->joints.size());
    for (size_t i = 0; i < skeleton.joints.size(); ++i) {
      SceneJoint& joint = skeleton.joints[i].emplace();
      joint.point_in_world_m = {0.1 * static_cast<double>(i), -1.25, 1 + 0.01 * static_cast<double>(frame)};
      joint.covariance_m2 = 1e-4 * Eigen::Matrix3d::Identity();
      joint.confidence = 0.5, joint.cameras = {0, 1};
    }
    if (frame == 6) skeleton.joints[9].reset();  // left_wrist
    person.frames.push_back({frame, std::move(skeleton)});
  }
  return recording;
}

std::vector<std::string> fields_of(const std::string& line, char separator) {
  std::vector<std::string> fields(1);
  for (const char c : line)
    if (c == separator)
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines = fields_of(text, '\n');
  EXPECT_TRUE(lines.back().empty());
  lines.pop_back();
  return lines;
}

TEST(SkeletonFiles, MarkersHaveTheNamesThatModelsOfTheBodyHave) {
  EXPECT_EQ(marker_name("right_big_toe"), "RBigToe");
  EXPECT_EQ(marker_name("left_ankle"), "LAnkle");
  EXPECT_EQ(marker_name("hip"), "CHip");
  EXPECT_EQ(marker_name("neck"), "Neck");
}

TEST(SkeletonFiles, TrcHasARowForEveryFrameWithYUp) {
  const RecordedSkeletons recording = small_recording();
  const std::vector<std::string> lines = lines_in(trc_text(recording, recording.people[0], "walk.trc"));
  ASSERT_EQ(lines.size(), 6u + 4u);
  EXPECT_EQ(fields_of(lines[0], '\t').at(3), "walk.trc");
  const std::vector<std::string> facts = fields_of(lines[2], '\t');
  EXPECT_EQ(facts, (std::vector<std::string>{"12.5", "12.5", "4", "17", "m", "12.5", "4", "4"}));
  const std::vector<std::string> names = fields_of(lines[3], '\t');
  EXPECT_EQ(names.at(2), "Nose");
  EXPECT_EQ(names.at(2 + 3 * 9), "LWrist");
  EXPECT_EQ(fields_of(lines[4], '\t').at(2), "X1");
  const size_t columns = 2 + 3 * 17;
  for (size_t row = 6; row < lines.size(); ++row) EXPECT_EQ(fields_of(lines[row], '\t').size(), columns);
  const std::vector<std::string> first = fields_of(lines[6], '\t');
  EXPECT_EQ(first[0], "4");
  EXPECT_EQ(std::stod(first[1]), 4 / 12.5);
  EXPECT_EQ(std::stod(first[2 + 3 * 9]), -1.25) << "the scene's y";
  EXPECT_EQ(std::stod(first[3 + 3 * 9]), 1.04) << "up";
  EXPECT_EQ(std::stod(first[4 + 3 * 9]), 0.9);
  EXPECT_TRUE(fields_of(lines[7], '\t')[2].empty()) << "frame 5 has nobody";
  EXPECT_TRUE(fields_of(lines[8], '\t')[2 + 3 * 9].empty()) << "the wrist is not known";
  EXPECT_FALSE(fields_of(lines[8], '\t')[2].empty());
}

// A BVH file by its own words: positions of all joints and ends in each frame, by name.
struct ReadBvh {
  std::vector<std::map<std::string, Eigen::Vector3d>> frames;
  double frame_time_s = 0;

  explicit ReadBvh(const std::string& text) : words(text) {
    EXPECT_EQ(take(), "HIERARCHY");
    EXPECT_EQ(take(), "ROOT");
    read_joint(-1, take());
    EXPECT_EQ(take(), "MOTION");
    EXPECT_EQ(take(), "Frames:");
    frames.resize(std::stoul(take()));
    EXPECT_EQ(take(), "Frame");
    EXPECT_EQ(take(), "Time:");
    frame_time_s = std::stod(take());
    for (auto& places : frames) {
      std::vector<Eigen::Isometry3d> poses;
      for (const Node& node : nodes) {
        Eigen::Isometry3d pose =
            node.parent < 0 ? Eigen::Isometry3d::Identity() : poses[static_cast<size_t>(node.parent)];
        pose.translate(node.offset);
        for (const std::string& channel : node.channels) {
          const double value = std::stod(take());
          const Eigen::Vector3d axis = Eigen::Vector3d::Unit(channel[0] - 'X');
          if (channel.ends_with("position"))
            pose.translate(value * axis);
          else
            pose.rotate(Eigen::AngleAxisd(value * M_PI / 180, axis));
        }
        poses.push_back(pose);
        places[node.name] = pose.translation();
      }
    }
    EXPECT_TRUE(take().empty());
  }

 private:
  struct Node {
    std::string name;
    int parent = -1;
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();
    std::vector<std::string> channels = {};
  };
  std::string take() {
    std::string word;
    words >> word;
    return word;
  }
  void read_joint(int parent, const std::string& name) {
    const size_t index = nodes.size();
    nodes.push_back({name, parent});
    EXPECT_EQ(take(), "{");
    EXPECT_EQ(take(), "OFFSET");
    for (double& value : nodes[index].offset) value = std::stod(take());
    for (std::string word = take(); word != "}"; word = take()) {
      if (word == "CHANNELS")
        for (size_t count = std::stoul(take()); count > 0; --count) nodes[index].channels.push_back(take());
      else if (word == "JOINT")
        read_joint(static_cast<int>(index), take());
      else if (word == "End" && take() == "Site")
        read_joint(static_cast<int>(index), name + "'s end");
      else
        return ADD_FAILURE() << word;
    }
  }
  std::istringstream words;
  std::vector<Node> nodes;
};

RecordedSkeletons walking_recording(int64_t frames) {
  RecordedSkeletons recording{.frame_rate = 12.5, .first_frame = 0, .end_frame = frames};
  SkeletonTrack& person = recording.people.emplace_back();
  person.id = 3, person.layout = find_skeleton("BODY_25");
  for (int64_t frame = 2; frame < frames; ++frame) {
    const auto t = static_cast<double>(frame);
    SkeletonFrame& at = person.frames.emplace_back();
    at.frame = frame, at.skeleton.layout = person.layout;
    for (const Eigen::Vector3d& joint : test::joints_of({0.1 * t, 0.3, 0.2 * t, 0.5 * std::sin(0.6 * t)}))
      at.skeleton.joints.push_back(SceneJoint{.point_in_world_m = joint});
  }
  return recording;
}

TEST(SkeletonFiles, BvhPosesAreTheJoints) {
  const RecordedSkeletons recording = walking_recording(30);
  const auto file = bvh_text(recording, recording.people[0]);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->first_frame, 2);
  EXPECT_EQ(file->held, 0);
  const ReadBvh bvh(file->text);
  EXPECT_NEAR(bvh.frame_time_s, 0.08, 1e-9);
  ASSERT_EQ(bvh.frames.size(), 28U);
  const Skeleton& layout = *recording.people[0].layout;
  for (size_t i = 0; i < bvh.frames.size(); ++i)
    for (const auto& [name, joint] : {std::pair("Hips", "hip"),
                                      {"Neck", "neck"},
                                      {"Head's end", "nose"},
                                      {"LeftShoulder", "left_shoulder"},
                                      {"LeftElbow", "left_elbow"},
                                      {"LeftElbow's end", "left_wrist"},
                                      {"RightElbow's end", "right_wrist"},
                                      {"RightHip", "right_hip"},
                                      {"RightKnee", "right_knee"},
                                      {"RightKnee's end", "right_ankle"},
                                      {"LeftKnee's end", "left_ankle"}}) {
      const Eigen::Vector3d& truth = recording.people[0]
                                         .frames[i]
                                         .skeleton.joints[static_cast<size_t>(layout.joint(joint))]
                                         ->point_in_world_m;
      const Eigen::Vector3d y_up(truth.y(), truth.z(), truth.x());
      EXPECT_LT((bvh.frames[i].at(name) - y_up).norm(), 1e-3) << joint << " in frame " << i;
    }
}

// A bone that is not known keeps its turn, one of no frame its rest; without hips there is no file.
TEST(SkeletonFiles, BvhKeepsWhatIsNotKnown) {
  RecordedSkeletons recording = walking_recording(12);
  SkeletonTrack& person = recording.people[0];
  const auto wrist = static_cast<size_t>(person.layout->joint("left_wrist")),
             hip = static_cast<size_t>(person.layout->joint("left_hip"));
  person.frames[5].skeleton.joints[wrist].reset();
  person.frames.erase(person.frames.begin() + 8);
  person.frames[0].skeleton.joints[hip].reset();
  const auto file = bvh_text(recording, person);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->first_frame, 3);
  const ReadBvh bvh(file->text);
  ASSERT_EQ(bvh.frames.size(), 9U);
  const auto forearm = [&](size_t frame) {
    return (bvh.frames[frame].at("LeftElbow's end") - bvh.frames[frame].at("LeftElbow")).norm();
  };
  EXPECT_NEAR(forearm(4), test::kForearm_m, 1e-4);
  EXPECT_EQ(bvh.frames[7].at("Neck"), bvh.frames[6].at("Neck")) << "a frame without the person";
  EXPECT_EQ(file->held, 1 + 11) << "the forearm, and all of that frame";
  for (SkeletonFrame& frame : person.frames) frame.skeleton.joints[hip].reset();
  EXPECT_FALSE(bvh_text(recording, person));
}

TEST(SkeletonFiles, C3dComesBackThroughAnotherReader) {
  const RecordedSkeletons recording = small_recording();
  const test::C3dFile file = test::C3dReader::read(c3d_bytes(recording, recording.people[0]).value());
  EXPECT_EQ(file.points, 17);
  EXPECT_EQ(file.first_frame, 5) << "the format counts from 1";
  EXPECT_EQ(file.last_frame, 8);
  EXPECT_LT(file.scale, 0) << "floating point";
  EXPECT_FLOAT_EQ(file.rate, 12.5F);
  EXPECT_EQ(file.integer("POINT:USED"), 17);
  EXPECT_EQ(file.integer("POINT:FRAMES"), 4);
  EXPECT_FLOAT_EQ(file.real("POINT:RATE"), 12.5F);
  EXPECT_FLOAT_EQ(file.real("POINT:SCALE"), file.scale);
  EXPECT_EQ(file.text("POINT:UNITS"), std::vector<std::string>{"mm"});
  EXPECT_EQ(file.text("POINT:Y_SCREEN"), std::vector<std::string>{"+Z"});
  EXPECT_EQ(file.integer("ANALOG:USED"), 0);
  EXPECT_EQ(file.integer("TRIAL:ACTUAL_START_FIELD"), 5);
  EXPECT_EQ(file.integer("TRIAL:ACTUAL_END_FIELD"), 8);
  const std::vector<std::string> labels = file.text("POINT:LABELS");
  ASSERT_EQ(labels.size(), 17u);
  EXPECT_EQ(labels[9], "LWrist");
  ASSERT_EQ(file.frames.size(), 4u);
  EXPECT_FLOAT_EQ(file.frames[0][9].x, 900);
  EXPECT_FLOAT_EQ(file.frames[0][9].y, -1250);
  EXPECT_FLOAT_EQ(file.frames[0][9].z, 1040);
  EXPECT_FLOAT_EQ(file.frames[0][9].fourth, 256 * 3 + 10) << "two cameras, 10 mm";
  for (const auto& point : file.frames[1]) EXPECT_FLOAT_EQ(point.fourth, -1);
  EXPECT_FLOAT_EQ(file.frames[2][9].fourth, -1);
  EXPECT_FLOAT_EQ(file.frames[2][8].fourth, 256 * 3 + 10);
}

TEST(SkeletonFiles, C3dOfALongRecordingCountsBeyondSixteenBits) {
  RecordedSkeletons recording = small_recording();
  recording.end_frame = 70'000;
  const std::string bytes = c3d_bytes(recording, recording.people[0]).value();
  const test::C3dFile file = test::C3dReader::read(bytes);
  EXPECT_EQ(file.integer("TRIAL:ACTUAL_END_FIELD", 0) + 65536 * file.integer("TRIAL:ACTUAL_END_FIELD", 1),
            70'000);
  EXPECT_EQ(file.last_frame, 65'535);
  EXPECT_GT(bytes.size(), 16u * 17u * (70'000u - 4u));
}

TEST(SkeletonFiles, CsvHasARowForEveryKnownJoint) {
  const std::vector<std::string> lines = lines_in(skeletons_csv(small_recording()));
  ASSERT_EQ(lines.size(), 1u + 17u + 16u);
  EXPECT_EQ(lines[0], "frame,time_s,id,joint,x_m,y_m,z_m,deviation_m,confidence,cameras");
  EXPECT_EQ(lines[1 + 9], "4,0.320000,7,left_wrist,0.90000,-1.25000,1.04000,0.01000,0.500,2");
}

TEST(SkeletonFiles, JsonHoldsEverybodyWithTheirLimbs) {
  const nlohmann::json json = parse_json_or_throw(skeletons_json(small_recording()));
  EXPECT_EQ(json["schema"], "vantage-skeletons-1");
  EXPECT_EQ(json["cameras"].size(), 2u);
  const nlohmann::json& person = json["people"].at(0);
  EXPECT_EQ(person["id"], 7);
  EXPECT_EQ(person["joints"].at(9), "left_wrist");
  EXPECT_EQ(person["limb_lengths_m"]["thigh"], 0.42);
  EXPECT_EQ(person["frames"].size(), 2u);
  EXPECT_NEAR(person["frames"][0]["joints"][9]["x_m"].get<double>(), 0.9, 1e-9);
  EXPECT_TRUE(person["frames"][1]["joints"][9].is_null());
}

}  // namespace
}  // namespace vantage
