// Skeletons from files of joints to files of skeletons: chain, results, limbs, TRC, C3D, CSV, JSON.
#include <cmath>
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
