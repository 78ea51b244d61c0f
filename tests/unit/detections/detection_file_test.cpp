#include "core/detections/detection_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "core/base/file.h"
#include "core/detections/skeletons.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

class DetectionFiles : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }
  DetectionFile read(const std::filesystem::path& path, const DetectionFileOptions& options = {}) {
    auto file = read_detection_file(path, options);
    EXPECT_TRUE(file) << file.error().message();
    return file ? *file : DetectionFile();
  }
  test::TemporaryFolder folder_;
};

std::vector<int> known(const DetectionFile& file) {
  std::vector<int> frames;
  for (size_t i = 0; i < file.frames.size(); ++i)
    if (file.frames[i].known) frames.push_back(static_cast<int>(i));
  return frames;
}

void expect_box(const PersonDetection& person, float left, float top, float width, float height,
                float score) {
  EXPECT_NEAR(person.left_px, left, 0.011);
  EXPECT_NEAR(person.top_px, top, 0.011);
  EXPECT_NEAR(person.width_px, width, 0.011);
  EXPECT_NEAR(person.height_px, height, 0.011);
  EXPECT_NEAR(person.score, score, 1e-4);
}

TEST_F(DetectionFiles, MotChallengeCountsFromOneAndGapsAreEmptyFrames) {
  const DetectionFile file = read(write("det.txt",
                                        "2,-1,10,20,30,60,0.9,-1,-1,-1\r\n"
                                        "2,-1,100.5,20,30,60,0.5,-1,-1,-1\n"
                                        "\n"
                                        "4,-1,11,21,31,61,0.8,-1,-1,-1\n"));
  EXPECT_EQ(file.format, "MOTChallenge");
  ASSERT_EQ(file.frames.size(), 4U);
  EXPECT_EQ(known(file), (std::vector<int>{1, 2, 3}));  // not examined before the first row
  ASSERT_EQ(file.frames[1].people.size(), 2U);
  expect_box(file.frames[1].people[1], 100.5, 20, 30, 60, 0.5);
  EXPECT_TRUE(file.frames[2].people.empty());
  EXPECT_EQ(file.skipped, 0);
}

TEST_F(DetectionFiles, EveryThirdFrameLookedAtLeavesTheOthersUnknown) {
  std::string text;
  for (const int frame : {1, 4, 7, 13, 16, 19}) text += std::to_string(frame) + ",-1,10,20,30,60,0.9\n";
  const DetectionFile file = read(write("det.txt", text));
  EXPECT_EQ(known(file), (std::vector<int>{0, 3, 6, 9, 12, 15, 18}));
  EXPECT_TRUE(file.frames[9].people.empty());
  EXPECT_FALSE(file.notes.empty());
}

TEST_F(DetectionFiles, AFrameZeroMakesTheCountBeginThere) {
  const DetectionFile file = read(write("det.txt", "0,-1,1,2,3,4,0.5\n1,-1,1,2,3,4,0.5\n"));
  EXPECT_EQ(known(file), (std::vector<int>{0, 1}));
  DetectionFileOptions from_two;
  from_two.first_frame = 2;
  const DetectionFile told = read(write("later.txt", "2,-1,1,2,3,4,0.5\n3,-1,1,2,3,4,0.5\n"), from_two);
  EXPECT_EQ(known(told), (std::vector<int>{0, 1}));
}

TEST_F(DetectionFiles, MalformedLinesAreToldWithTheirNumberAndSkipped) {
  const DetectionFile file = read(write("det.txt",
                                        "1,-1,10,20,30,60,0.9\n"
                                        "2,-1,10,oops,30,60,0.9\n"
                                        "3,-1,10,20\n"
                                        "4,-1,10,20,-30,60,0.9\n"
                                        "5,-1,1e30,20,30,60,0.9\n"
                                        "6,-1,10,20,30,nan,0.9\n"
                                        "99999999999,-1,10,20,30,60,0.9\n"
                                        "3.5,-1,10,20,30,60,0.9\n"
                                        "2,-1,10,20,30,60,0.9\n"));
  EXPECT_EQ(file.people(), 2);
  EXPECT_EQ(file.skipped, 7);
  ASSERT_EQ(file.problems.size(), 7U);
  for (size_t i = 0; i < 7; ++i)
    EXPECT_EQ(file.problems[i].rfind("line " + std::to_string(i + 2) + ":", 0), 0U) << file.problems[i];
}

TEST_F(DetectionFiles, CsvColumnsAreFoundByName) {
  const DetectionFile file = read(write("boxes.csv",
                                        "frame, class, x1, y1, x2, y2, confidence\n"
                                        "1, person, 10, 20, 40, 80, 0.75\n"
                                        "1, car, 10, 20, 40, 80, 0.75\n"));
  ASSERT_EQ(file.people(), 1);
  expect_box(file.frames[0].people[0], 10, 20, 30, 60, 0.75);
}

TEST_F(DetectionFiles, GroundTruthKeepsPeopleAndLeavesCarsOut) {
  const DetectionFile file = read(write("gt.txt", "1,1,10,20,30,60,1,1,1\n1,2,10,20,30,60,1,3,1\n"));
  EXPECT_EQ(file.people(), 1);
}

TEST_F(DetectionFiles, ScoresOfAnotherScaleAreTold) {
  const DetectionFile none = read(write("a.txt", "1,-1,1,2,3,4,-1\n2,-1,1,2,3,4,-1\n"));
  EXPECT_EQ(none.frames[0].people[0].score, 1);
  const DetectionFile wide = read(write("b.txt", "1,-1,1,2,3,4,54\n2,-1,1,2,3,4,0.5\n"));
  EXPECT_EQ(wide.frames[0].people[0].score, 1);
  ASSERT_EQ(wide.notes.size(), 1U);
  EXPECT_NE(wide.notes[0].find("1 of 2 scores"), std::string::npos);
}

TEST_F(DetectionFiles, CocoResultsByImageNumberAndOnlyPeople) {
  const DetectionFile file = read(write("results.json", R"([
    {"image_id": 1, "category_id": 1, "bbox": [10, 20, 30, 60], "score": 0.9},
    {"image_id": 1, "category_id": 3, "bbox": [10, 20, 30, 60], "score": 0.9},
    {"image_id": 3, "category_id": 1, "bbox": [11, 21, 31], "score": 0.9},
    {"image_id": 3, "category_id": 1, "bbox": [11, 21, 31, 61], "score": 0.4}])"));
  EXPECT_EQ(file.format, "COCO");
  EXPECT_EQ(known(file), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(file.people(), 2);
  expect_box(file.frames[2].people[0], 11, 21, 31, 61, 0.4);
  ASSERT_EQ(file.problems.size(), 1U);
  EXPECT_EQ(file.problems[0].rfind("entry 3:", 0), 0U) << file.problems[0];
}

TEST_F(DetectionFiles, CocoAnnotationsTakeTheFrameFromTheImagesName) {
  const DetectionFile file = read(write("annotations.json", R"({
    "images": [{"id": 70, "file_name": "cam1/frame_0002.jpg"}, {"id": 71, "file_name": "cam1/frame_0005.jpg"}],
    "categories": [{"id": 9, "name": "person"}],
    "annotations": [{"image_id": 71, "category_id": 9, "bbox": [1, 2, 3, 4]}]})"));
  EXPECT_EQ(known(file), (std::vector<int>{1, 4}));  // images that are not listed are unknown
  EXPECT_EQ(file.frames[4].people.size(), 1U);
}

TEST_F(DetectionFiles, YoloNeedsThePictureSize) {
  write("labels/clip_1.txt", "0 0.5 0.5 0.2 0.4 0.75\n2 0.5 0.5 0.2 0.4 0.9\n");
  write("labels/clip_2.txt", "");
  write("labels/clip_3.txt", "0 0.5 half 0.2 0.4\n");
  const auto without = read_detection_file(folder_.path() / "labels");
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().kind, ErrorKind::invalid_argument);
  DetectionFileOptions sized;
  sized.width_px = 200, sized.height_px = 100;
  const DetectionFile file = read(folder_.path() / "labels", sized);
  EXPECT_EQ(file.format, "YOLO");
  EXPECT_EQ(known(file), (std::vector<int>{0, 1, 2}));
  ASSERT_EQ(file.people(), 1);
  // The centre of the picture is at 99.5, 49.5, as (0, 0) is a pixel's centre.
  expect_box(file.frames[0].people[0], 79.5, 29.5, 40, 40, 0.75);
  ASSERT_EQ(file.problems.size(), 1U);
  EXPECT_EQ(file.problems[0].rfind("clip_3.txt, line 1:", 0), 0U) << file.problems[0];
}

std::string joints_json(int count) {
  std::string numbers;
  for (int i = 0; i < count; ++i)
    numbers += (i ? "," : "") + std::to_string(100 + i % 3) + "," + std::to_string(200 + 10 * i) + ",0.5";
  return numbers;
}

TEST_F(DetectionFiles, OpenPoseFoldersGiveKeypointsAndBoxesRoundThem) {
  write("json/cam01_000000000000_keypoints.json",
        R"({"version":1.3,"people":[{"pose_keypoints_2d":[)" + joints_json(25) + "]}]}");
  write("json/cam01_000000000002_keypoints.json", R"({"people":[]})");
  write("json/cam01_000000000003_keypoints.json", "{\"people\":[{\"pose_keypoints_2d\":[1,2]}]}");
  write("json/cam01_000000000004_keypoints.json", "cut o");
  const DetectionFile file = read(folder_.path() / "json");
  EXPECT_EQ(file.format, "OpenPose");
  EXPECT_EQ(file.skeleton, "BODY_25");
  EXPECT_TRUE(file.boxes_from_keypoints);
  EXPECT_EQ(known(file), (std::vector<int>{0, 2, 3}));  // without a file unknown
  ASSERT_EQ(file.people(), 1);
  const PersonDetection& person = file.frames[0].people[0];
  ASSERT_EQ(person.keypoints.size(), 25U);
  EXPECT_EQ(person.keypoints[24].y_px, 440);
  EXPECT_LT(person.top_px, 200);
  EXPECT_EQ(person.top_px + person.height_px, 440);  // heels and toes are the soles
  EXPECT_EQ(person.score, 0.5F);
  EXPECT_EQ(file.skipped, 2);
}

TEST_F(DetectionFiles, EasyMocapFoldersGiveBoxesAndJoints) {
  std::string rows;
  for (int i = 0; i < 25; ++i)
    rows += (i ? ", [" : "[") + std::to_string(100 + i % 3) + ", " + std::to_string(200 + 10 * i) + ", 0.5]";
  const std::string person =
      R"({"personID": 3, "bbox": [90, 180, 140, 450, 0.8], "keypoints": [)" + rows + "]}";
  write("01/000000.json",
        R"({"filename": "images/01/000000.jpg", "height": 1080, "width": 1920, "annots": [)" + person +
            R"(, {"personID": 4, "bbox": [1, 2, 3]}], "isKeyframe": false})");
  write("01/000002.json", R"({"annots": []})");
  const DetectionFile file = read(folder_.path() / "01");
  EXPECT_EQ(file.format, "EasyMocap");
  EXPECT_EQ(file.skeleton, "BODY_25");
  EXPECT_FALSE(file.boxes_from_keypoints);
  EXPECT_EQ(known(file), (std::vector<int>{0, 2}));  // without a file unknown
  ASSERT_EQ(file.people(), 1);
  const PersonDetection& found = file.frames[0].people[0];
  EXPECT_EQ(found.left_px, 90);
  EXPECT_EQ(found.width_px, 50);
  EXPECT_EQ(found.height_px, 270);
  EXPECT_EQ(found.score, 0.8F);
  ASSERT_EQ(found.keypoints.size(), 25U);
  EXPECT_EQ(found.keypoints[24].y_px, 440);
  EXPECT_EQ(file.skipped, 1) << "a box of three numbers";
}

// A person 1000 px tall, of BODY_25; joints that are not named were not found.
std::string person_json(const std::map<std::string_view, double>& y_px, double score) {
  const Skeleton& layout = *find_skeleton("BODY_25");
  std::string numbers;
  for (const std::string_view joint : layout.joints) {
    const auto found = y_px.find(joint);
    const double x = joint.starts_with("left") ? 80 : -80;
    numbers += (numbers.empty() ? "" : ",") +
               (found == y_px.end() ? std::string("0,0,0")
                                    : std::to_string(300 + x) + "," + std::to_string(found->second) + "," +
                                          std::to_string(score));
  }
  return "{\"pose_keypoints_2d\":[" + numbers + "]}";
}

// Heights by Drillis and Contini, the top of the head at 100 px, the soles at 1100 px.
const std::map<std::string_view, double> kTrunk = {
    {"neck", 282}, {"right_shoulder", 282}, {"left_shoulder", 282}, {"right_hip", 570}, {"left_hip", 570}};

TEST_F(DetectionFiles, ATrunkTellsWhereHeadAndFeetAre) {
  write("json/000000_keypoints.json", "{\"people\":[" + person_json(kTrunk, 0.8) + "]}");
  const DetectionFile file = read(folder_.path() / "json");
  ASSERT_EQ(file.people(), 1);
  const PersonDetection& person = file.frames[0].people[0];
  EXPECT_NEAR(person.top_px, 100, 2);
  EXPECT_NEAR(person.top_px + person.height_px, 1100, 2);
  EXPECT_FALSE(feet_seen(person));
}

TEST_F(DetectionFiles, AnkleMakesFeetSeen) {
  auto joints = kTrunk;
  joints["left_ankle"] = 1061, joints["nose"] = 190;
  write("json/000000_keypoints.json", "{\"people\":[" + person_json(joints, 0.8) + "]}");
  const DetectionFile file = read(folder_.path() / "json");
  ASSERT_EQ(file.people(), 1);
  const PersonDetection& person = file.frames[0].people[0];
  EXPECT_NEAR(person.top_px, 100, 2);
  EXPECT_NEAR(person.top_px + person.height_px, 1100, 2);
  EXPECT_TRUE(feet_seen(person));
  EXPECT_TRUE(feet_seen(PersonDetection{}));
}

TEST_F(DetectionFiles, LowScoresOfJointsAreScaledByTheBestOfTheFile) {
  for (int frame = 0; frame < 40; ++frame)
    write("json/" + std::to_string(1000 + frame) + "_keypoints.json",
          "{\"people\":[" + person_json(kTrunk, frame < 20 ? 0.25 : 0.5) + "]}");
  const DetectionFile file = read(folder_.path() / "json");
  ASSERT_EQ(file.people(), 40);
  std::vector<float> scores;
  for (const CameraDetections& frame : file.frames)
    for (const PersonDetection& person : frame.people) scores.push_back(person.score);
  EXPECT_NEAR(scores.front(), 0.375, 1e-3);
  EXPECT_NEAR(scores.back(), 0.75, 1e-3);
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_NE(file.notes[0].find("multiplied by 1.50"), std::string::npos) << file.notes[0];
}

// The entry of a person 1000 px tall whose joints are these; those that are not named were not found.
std::string coco_entry(const std::vector<std::string_view>& layout,
                       const std::map<std::string_view, double>& y_px, double joints_score,
                       const std::string& more) {
  std::string numbers;
  for (const std::string_view joint : layout) {
    const auto found = y_px.find(joint);
    numbers += (numbers.empty() ? "" : ",") +
               (found == y_px.end() ? std::string("0,0,0")
                                    : std::to_string(joint.front() == 'l' ? 380 : 220) + "," +
                                          std::to_string(found->second) + "," + std::to_string(joints_score));
  }
  return R"({"image_id": 1, "category_id": 1, "keypoints": [)" + numbers + "]" + more + "}";
}

const std::vector<std::string_view>& coco_layout() {
  static const std::vector<std::string_view> joints(find_skeleton("COCO_17")->joints.begin(),
                                                    find_skeleton("COCO_17")->joints.end());
  return joints;
}
const std::map<std::string_view, double> kCocoTrunk = {
    {"right_shoulder", 282}, {"left_shoulder", 282}, {"right_hip", 570}, {"left_hip", 570}};

// Programs fill in the hull of the joints where COCO wants a box; joints that were not found are zeros in it.
TEST_F(DetectionFiles, BoxesThatAreHullsOfJointsAreNotBelieved) {
  for (const std::string box : {"[220, 282, 160, 288]", "[0, 0, 380, 570]"}) {
    SCOPED_TRACE(box);
    const DetectionFile file = read(
        write("results.json",
              "[" + coco_entry(coco_layout(), kCocoTrunk, 0.8, R"(, "score": 0.2, "bbox": )" + box) + "]"));
    ASSERT_EQ(file.people(), 1);
    EXPECT_TRUE(file.boxes_from_keypoints);
    const PersonDetection& person = file.frames[0].people[0];
    EXPECT_NEAR(person.top_px, 100, 2);
    EXPECT_NEAR(person.top_px + person.height_px, 1100, 2);
    EXPECT_NEAR(person.score, 0.8, 1e-4) << "a mean over all joints falls with each that is hidden";
  }
  const DetectionFile own = read(write(
      "own.json",
      "[" + coco_entry(coco_layout(), kCocoTrunk, 0.8, R"(, "score": 0.7, "bbox": [200, 100, 200, 600])") +
          "]"));
  EXPECT_FALSE(own.boxes_from_keypoints);
  expect_box(own.frames[0].people[0], 200, 100, 200, 600, 0.7F);
}

TEST_F(DetectionFiles, LayoutsAreKnownByTheNamesOfTheirJoints) {
  const std::vector<std::string_view> layout = {"head",       "neck",      "lShoulder", "rShoulder",
                                                "left hip",   "right_hip", "L-Elbow",   "R-Elbow",
                                                "left_wrist", "rightWrist"};
  const std::map<std::string_view, double> trunk = {
      {"neck", 282}, {"lShoulder", 282}, {"rShoulder", 282}, {"left hip", 570}, {"right_hip", 570}};
  std::string names;
  for (const std::string_view name : layout)
    names += (names.empty() ? "\"" : ",\"") + std::string(name) + "\"";
  const std::string entry = coco_entry(layout, trunk, 0.8, "");
  const DetectionFile file =
      read(write("named.json", R"({"images": [{"id": 1, "file_name": "1.png"}], "categories": [{"id": 1,
        "name": "person", "keypoints": [)" +
                                   names + R"(]}], "annotations": [)" + entry + "]}"));
  ASSERT_EQ(file.people(), 1);
  const PersonDetection& person = file.frames[0].people[0];
  EXPECT_EQ(file.skeleton, "HALPE_26");
  EXPECT_EQ(person.keypoints[find_skeleton("HALPE_26")->joint("left_hip")].x_px, 380);
  EXPECT_NEAR(person.top_px, 100, 2);
  EXPECT_NEAR(person.top_px + person.height_px, 1100, 2);
  EXPECT_FALSE(feet_seen(person));
  const DetectionFile unnamed = read(write("unnamed.json", "[" + entry + "]"));
  ASSERT_EQ(unnamed.notes.size(), 1U);
  EXPECT_NE(unnamed.notes[0].find("a layout of 10 joints"), std::string::npos) << unnamed.notes[0];
}

TEST_F(DetectionFiles, JointsOfTheWholeBodyAreThoseOfItsBody) {
  std::vector<std::string_view> layout = coco_layout();
  layout.insert(layout.end(), {"left_big_toe", "left_small_toe", "left_heel"});
  layout.resize(133);
  auto joints = kCocoTrunk;
  joints["left_heel"] = 1090;
  const DetectionFile file = read(write("whole.json", "[" + coco_entry(layout, joints, 0.8, "") + "]"));
  ASSERT_EQ(file.people(), 1);
  EXPECT_EQ(file.skeleton, "HALPE_26");
  EXPECT_EQ(file.frames[0].people[0].keypoints[find_skeleton("HALPE_26")->joint("left_heel")].y_px, 1090);
}

TEST_F(DetectionFiles, SumsOverJointsAreScaledByTheBestOfTheFile) {
  std::string entries;
  for (int i = 0; i < 40; ++i)
    entries += (i ? "," : "") +
               coco_entry(coco_layout(), kCocoTrunk, 1, ", \"score\": " + std::to_string(i < 20 ? 4 : 8));
  const DetectionFile file = read(write("sums.json", "[" + entries + "]"));
  ASSERT_EQ(file.people(), 40);
  EXPECT_NEAR(file.frames[0].people.front().score, 0.375, 1e-3);
  EXPECT_NEAR(file.frames[0].people.back().score, 0.75, 1e-3);
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_NE(file.notes[0].find("high, 8.00 of the best tenth"), std::string::npos) << file.notes[0];
}

TEST_F(DetectionFiles, AlphaPoseIsToldFromCoco) {
  const DetectionFile file = read(write("alphapose-results.json", R"([{"image_id": "0.jpg", "category_id": 1,
    "keypoints": [)" + joints_json(26) + R"(], "score": 2.9, "box": [90, 190, 30, 270], "idx": 1}])"));
  EXPECT_EQ(file.format, "AlphaPose");
  EXPECT_EQ(file.skeleton, "HALPE_26");
  EXPECT_FALSE(file.boxes_from_keypoints);
  ASSERT_EQ(file.people(), 1);
  expect_box(file.frames[0].people[0], 90, 190, 30, 270, 0.5);
}

TEST_F(DetectionFiles, KittiTrackingAndObjects) {
  const std::string rest = " 0 0 -1.5 10 20 40 80 1.7 0.5 0.5 1 2 3 0.1";
  const DetectionFile tracks =
      read(write("0001.txt", "0 1 Pedestrian" + rest + "\n0 2 Car" + rest + "\n2 1 Pedestrian" + rest +
                                 " 0.6\n2 1 Pedestrian 1\n"));
  EXPECT_EQ(tracks.format, "KITTI");
  EXPECT_EQ(known(tracks), (std::vector<int>{0, 1, 2}));
  ASSERT_EQ(tracks.people(), 2);
  expect_box(tracks.frames[2].people[0], 10, 20, 30, 60, 0.6);
  EXPECT_EQ(tracks.skipped, 1);
  write("objects/000000.txt", "Pedestrian" + rest + "\n");
  write("objects/000001.txt", "Person_sitting" + rest + "\n");
  EXPECT_EQ(read(folder_.path() / "objects").people(), 2);
}

TEST_F(DetectionFiles, OurOwnLinesComeBackAsTheyWere) {
  DetectionFile written;
  written.provenance = {"m.onnx", std::string(64, 'a'), "RTMDet", "OpenCV dnn", "4.6.0", 0.1, 0.6, 416, "0f"};
  written.frame_rate = 12.5, written.width_px = 640, written.height_px = 480, written.skeleton = "COCO_17";
  written.frames.resize(4);
  written.frames[1].known = written.frames[3].known = true;
  written.frames[3].people.push_back({1.25F, -2, 30, 60, 0.875F, std::vector<Keypoint>(17, {5, 6, 0.25F})});
  const std::filesystem::path path = folder_.path() / "own.jsonl";
  ASSERT_TRUE(write_detection_file(path, written));
  const DetectionFile file = read(path);
  EXPECT_EQ(file.format, "Vantage");
  EXPECT_EQ(file.provenance, written.provenance);
  EXPECT_EQ(file.frame_rate, 12.5);
  EXPECT_EQ(file.width_px, 640);
  EXPECT_EQ(file.skeleton, "COCO_17");
  EXPECT_EQ(known(file), (std::vector<int>{1, 3}));
  ASSERT_EQ(file.people(), 1);
  expect_box(file.frames[3].people[0], 1.25, -2, 30, 60, 0.875);
  ASSERT_EQ(file.frames[3].people[0].keypoints.size(), 17U);
  EXPECT_EQ(file.frames[3].people[0].keypoints[16].score, 0.25F);
}

TEST_F(DetectionFiles, AnUnfinishedLastLineIsSkipped) {
  const DetectionFile file = read(write("own.jsonl",
                                        "{\"schema\":\"vantage-detections-1\"}\n"
                                        "{\"frame\":0,\"people\":[]}\n{\"frame\":1,\"peo"));
  EXPECT_EQ(known(file), (std::vector<int>{0}));
  EXPECT_EQ(file.skipped, 1);
}

TEST_F(DetectionFiles, WhatIsNoDetectionsIsRefused) {
  const auto poem = read_detection_file(write("poem.txt", "roses are red\n"));
  ASSERT_FALSE(poem);
  EXPECT_EQ(poem.error().kind, ErrorKind::unsupported);
  EXPECT_NE(poem.error().remedy.find("MOTChallenge"), std::string::npos);
  EXPECT_EQ(read_detection_file(folder_.path() / "absent").error().kind, ErrorKind::not_found);
  EXPECT_EQ(read_detection_file(write("x.json", "[{\"image_id\":1,\"bbox\":[1]}]")).error().kind,
            ErrorKind::bad_data);
}

TEST(Skeletons, JointsHaveTheirPlaces) {
  EXPECT_EQ(find_skeleton("BODY_25")->joint("hip"), 8);
  EXPECT_EQ(find_skeleton("BODY_25")->joint("right_heel"), 24);
  EXPECT_EQ(find_skeleton("COCO_18")->joint("left_ear"), 17);
  EXPECT_EQ(find_skeleton("HALPE_26")->joint("right_heel"), 25);
  EXPECT_EQ(skeleton_of_size(17)->joint("left_ankle"), 15);
}

// ---- real files

TEST(RealDetections, FourCamerasOfASmallRoom) {
  VANTAGE_NEED_DATA(folder, "cmc-detections");
  for (const char* name : {"CMC1_Cam_1_det.txt", "CMC2_Cam_4_det.txt"}) {
    const auto file = read_detection_file(folder / name);
    ASSERT_TRUE(file) << file.error().message();
    EXPECT_EQ(file->format, "MOTChallenge");
    EXPECT_EQ(file->skipped, 0);
    EXPECT_GT(file->known_frames(), 250);
    EXPECT_LE(file->frames.size(), 263U);
  }
}

// The joints of each body are put together: their mean number a frame is that of the people in view, and
// joints of one body lie where a body's do.
TEST(RealDetections, BodiesOfTheShelf) {
  VANTAGE_NEED_DATA(folder, "shelf-detections");
  DetectionFileOptions options;
  options.width_px = 1032, options.height_px = 776;
  for (int camera = 0; camera < 5; ++camera) {
    const auto file = read_detection_file(folder / "detection" / (std::to_string(camera) + ".txt"), options);
    ASSERT_TRUE(file) << file.error().message();
    EXPECT_EQ(file->skeleton, "BODY_25");
    EXPECT_EQ(file->known_frames(), 301);
    EXPECT_EQ(file->skipped, 0);
    const double people = static_cast<double>(file->people()) / 301;
    EXPECT_GT(people, 1.5) << camera;
    EXPECT_LT(people, 4.5) << camera;
    int64_t shins = 0, long_shins = 0;
    for (const CameraDetections& frame : file->frames)
      for (const PersonDetection& person : frame.people) {
        const Keypoint &knee = person.keypoints[10], &ankle = person.keypoints[11];
        // Only people seen from the neck on: a truncated body has no height to compare with.
        if (knee.score == 0 || ankle.score == 0 || person.keypoints[1].score == 0) continue;
        ++shins;
        long_shins += std::hypot(knee.x_px - ankle.x_px, knee.y_px - ankle.y_px) > 0.5F * person.height_px;
      }
    EXPECT_GT(shins, 50) << camera;
    EXPECT_LE(long_shins, shins / 50) << camera;
  }
}

TEST(RealDetections, BoxesOfAStreet) {
  VANTAGE_NEED_DATA(folder, "mot-tud");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".txt" || entry.path().filename() == "SOURCE.txt") continue;
    const auto file = read_detection_file(entry.path());
    ASSERT_TRUE(file) << entry.path() << file.error().message();
    EXPECT_EQ(file->format, "MOTChallenge");
    EXPECT_EQ(file->skipped, 0) << entry.path();
    EXPECT_GT(file->people(), 100) << entry.path();
  }
}

}  // namespace
}  // namespace vantage
