// Detections in the chain: a project that knows cameras by calibration and boxes alone, without any video.
#include <algorithm>

#include "core/base/file.h"
#include "core/check/check.h"
#include "core/project/missing_files.h"
#include "tests/unit/pipeline/boxes_project.h"

namespace vantage {
namespace {

class Detections : public test::BoxesProject {
 protected:
  // Two cameras of 640x480; `rows` are of the first one, in MOTChallenge's columns.
  Project project(const std::string& rows, bool calibrated) const {
    const std::vector<Camera> ring = test::camera_ring({.cameras = 2, .width_px = 640, .height_px = 480});
    std::vector<NewCamera> cameras;
    for (size_t i = 0; i < 2; ++i)
      cameras.push_back(camera({640, 480, 4, 3}, calibrated ? std::optional(ring[i]) : std::nullopt, "boxes",
                               i == 0 ? rows : std::string()));
    return project_of(cameras);
  }
};

constexpr const char* kRows = "1,-1,10,20,30,60,0.9\n1,-1,50,20,30,60,0.3\n3,-1,11,21,31,61,0.8\nbroken\n";

TEST_F(Detections, AProjectWithoutAnyVideoGivesItsBoxes) {
  for (const bool calibrated : {false, true}) {
    const auto analysis = open(project(kRows, calibrated));
    ASSERT_TRUE(analysis);
    EXPECT_EQ(analysis->source().frame_count(), 3);
    bool told = false;
    for (const std::string& note : analysis->notes()) told = told || note.find("line 4") != std::string::npos;
    EXPECT_TRUE(told);
    for (int frame = 0; frame < 3; ++frame) {
      const auto result = analysis->pipeline().frame(frame, {}, {});
      ASSERT_TRUE(result) << result.error().message();
      const DetectionsArtifact* found = (*result)->detections();
      ASSERT_TRUE(found);
      ASSERT_EQ(found->cameras.size(), 2U);
      EXPECT_TRUE(found->cameras[0].known);
      EXPECT_EQ(found->cameras[0].people.size(), frame == 1 ? 0U : 1U);  // the weak box is left out
      EXPECT_FALSE(found->cameras[1].known);                             // it has no file
      EXPECT_FALSE((*result)->frames()->cameras[0].picture);
      EXPECT_TRUE((*result)->frames()->cameras[0].problem.empty());
    }
  }
}

TEST_F(Detections, ParametersMakeThemOutOfDateOnlyWhereThereAreAny) {
  Project with = project(kRows, false);
  const auto analysis = open(with);
  ASSERT_TRUE(analysis);
  const uint64_t before = analysis->pipeline().version(kDetectionsStage);
  ASSERT_TRUE(set_from_text(&with, "detections.min_score=0.2"));
  ASSERT_TRUE(analysis->pipeline().configure(with.parameters));
  EXPECT_NE(analysis->pipeline().version(kDetectionsStage), before);
  EXPECT_EQ((*analysis->pipeline().frame(0, {}, {}))->detections()->cameras[0].people.size(), 2U);
  ASSERT_TRUE(set_from_text(&with, "detections.enabled=false"));
  ASSERT_TRUE(analysis->pipeline().configure(with.parameters));
  EXPECT_FALSE((*analysis->pipeline().frame(0, {}, {}))->detections());

  Project without = with;
  without.cameras[0].detections = {};
  const auto bare = open(without);
  const uint64_t off = bare->pipeline().version(kDetectionsStage);
  ASSERT_TRUE(set_from_text(&without, "detections.enabled=true"));
  ASSERT_TRUE(set_from_text(&without, "detections.min_score=0.6"));
  ASSERT_TRUE(bare->pipeline().configure(without.parameters));
  EXPECT_EQ(bare->pipeline().version(kDetectionsStage), off);
  EXPECT_FALSE((*bare->pipeline().frame(0, {}, {}))->detections());
}

TEST_F(Detections, TheProjectFileKeepsThem) {
  Project saved = project(kRows, true);
  saved.cameras[0].detections.offset_frames = -2;
  saved.cameras[0].detections.frame_rate = 8;
  saved.detection_model = (folder_.path() / "m.onnx").string();
  ASSERT_TRUE(save_project(saved, saved.path));
  const auto text = read_file(saved.path);
  EXPECT_NE(text->find("\"file\": \"boxes.txt\""), std::string::npos) << *text;
  const auto loaded = load_project(saved.path);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->cameras[0].detections, saved.cameras[0].detections);
  EXPECT_EQ(loaded->cameras[1].detections, CameraDetectionFile());
  EXPECT_EQ(loaded->detection_model, saved.detection_model);
  EXPECT_TRUE(loaded->unknown_keys.empty()) << loaded->unknown_keys;
  EXPECT_FALSE(difference(saved, *loaded).any());
  EXPECT_FALSE(loaded->live());
  EXPECT_FALSE(loaded->has_pictures());
}

TEST_F(Detections, AMissingFileIsNamed) {
  Project missing = project(kRows, false);
  std::filesystem::remove(missing.cameras[0].detections.file);
  const Status files = check_project_files(missing);
  ASSERT_FALSE(files);
  EXPECT_NE(files.error().what.find("boxes.txt"), std::string::npos);
}

int64_t lines_of(const std::filesystem::path& folder) {
  int64_t lines = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string text = read_file(entry.path()).value();
    lines += std::count(text.begin(), text.end(), '\n');
  }
  return lines;
}

// A model looks at every second set, once.
TEST_F(Detections, WhatAModelFoundIsKept) {
  VANTAGE_NEED_DATA(models, "models");
  VANTAGE_NEED_DATA(lab, "ufes-lab-4cam");
  NewCamera camera;
  camera.video = (lab / "cam0.mp4").string();
  camera.info = (*open_video(camera.video, {}))->info();
  Project project = assemble_project({camera}).value();
  project.path = folder_.path() / "lab.vantage";
  project.detection_model = (models / "rtmdet_nano_person.onnx").string();
  for (const char* set : {"detections.every=2", "detections.engine=opencv"})
    ASSERT_TRUE(set_from_text(&project, set));
  std::vector<CameraDetections> first;
  for (const int run : {0, 1}) {
    const auto analysis = open(project);
    ASSERT_TRUE(analysis);
    ASSERT_TRUE(analysis->detector());
    EXPECT_EQ(analysis->detector()->engine, "OpenCV dnn");
    for (int frame = 0; frame < 3; ++frame) {
      const auto result = analysis->pipeline().frame(frame, {}, {});
      ASSERT_TRUE(result) << result.error().message();
      const CameraDetections found = (*result)->detections()->cameras.at(0);
      EXPECT_EQ(found.known, frame % 2 == 0);
      if (run == 0) {
        first.push_back(found);
        continue;
      }
      ASSERT_EQ(found.people.size(), first[frame].people.size());
      for (size_t i = 0; i < found.people.size(); ++i)
        EXPECT_EQ(found.people[i].left_px, first[frame].people[i].left_px);
    }
    EXPECT_EQ(lines_of(folder_.path() / "lab.detections"), 3);  // the header and two looks
  }
  EXPECT_FALSE(first[0].people.empty());
  // The least score needs no new look.
  ASSERT_TRUE(set_from_text(&project, "detections.min_score=0.95"));
  const auto strict = open(project);
  EXPECT_TRUE((*strict->pipeline().frame(0, {}, {}))->detections()->cameras[0].people.empty());
  EXPECT_EQ(lines_of(folder_.path() / "lab.detections"), 3);
}

TEST_F(Detections, AModelThatIsNoneIsToldAtOnce) {
  Project bad = project(kRows, false);
  bad.detection_model = (folder_.path() / "none.onnx").string();
  std::ofstream(bad.detection_model) << "a web page";
  AnalysisOptions options;
  options.backends = &backends_;
  const auto analysis = Analysis::open(bad, options);
  ASSERT_FALSE(analysis);
  EXPECT_NE(analysis.error().message().find("none.onnx"), std::string::npos) << analysis.error().message();
}

const CheckItem* item_of(const CheckReport& report, const std::string& check, const std::string& camera) {
  for (const CheckItem& item : report.items)
    if (item.check == check && item.camera == camera) return &item;
  return nullptr;
}

TEST_F(Detections, TheCheckSaysWhetherBoxesLieInThePictures) {
  CheckOptions options;
  options.backends = &backends_;
  const auto verdict = [&](const std::string& rows) {
    const Project checked = project(rows, true);
    const CheckReport report = check_project(checked, options);
    const CheckItem* item = item_of(report, "detections", checked.cameras[0].name);
    EXPECT_TRUE(item);
    const CheckItem* decoding = item_of(report, "decoding", checked.cameras[0].name);
    EXPECT_EQ(decoding->verdict, Verdict::passed) << decoding->figure;
    // The check says nothing about pictures that do not exist.
    for (const char* of_pictures : {"foreground", "empty scene", "view", "silhouettes", "outlines"})
      EXPECT_FALSE(item_of(report, of_pictures, checked.cameras[0].name)) << of_pictures;
    return item->verdict;
  };
  EXPECT_EQ(verdict("1,-1,10,20,30,60,0.9\n3,-1,11,21,31,61,0.8\n"), Verdict::passed);
  EXPECT_EQ(verdict(kRows), Verdict::doubtful);  // a broken line
  EXPECT_EQ(verdict("1,-1,1000,20,30,60,0.9\n3,-1,1100,21,31,61,0.8\n"), Verdict::failed);
  EXPECT_EQ(verdict("1,-1,10,20,30,60,0.1\n"), Verdict::doubtful);  // nothing counts
}

}  // namespace
}  // namespace vantage
