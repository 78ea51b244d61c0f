// Files of annotation programs, as these write them, and damaged ones.
#include <gtest/gtest.h>

#include <fstream>

#include "core/detections/cvat_file.h"
#include "core/detections/detection_file.h"
#include "core/detections/skeletons.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

class AnnotationFiles : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  DetectionFile read(const std::string& name, const std::string& text,
                     const DetectionFileOptions& options = {}) {
    auto file = read_detection_file(write(name, text), options);
    EXPECT_TRUE(file) << file.error().message();
    return file ? *file : DetectionFile();
  }
  // The error's message; empty: it was read.
  std::string refused(const std::string& name, const std::string& text) {
    const auto file = read_detection_file(write(name, text));
    return file ? std::string() : file.error().message();
  }
  const test::TemporaryFolder folder_;
};

// "frame:left,top,width,height" of everybody, and "frame:" where no one is.
std::string people_in(const DetectionFile& file) {
  std::string text;
  for (size_t frame = 0; frame < file.frames.size(); ++frame) {
    if (!file.frames[frame].known) continue;
    text += (text.empty() ? "" : " ") + std::to_string(frame) + ':';
    for (const PersonDetection& one : file.frames[frame].people) {
      std::array<char, 80> box;
      std::snprintf(box.data(), box.size(), "%g,%g,%g,%g;", one.left_px, one.top_px, one.width_px,
                    one.height_px);
      text += box.data();
    }
  }
  return text;
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string cvat(const std::string& body, const std::string& task = "") {
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<annotations>\n  <version>1.1</version>\n  "
         "<meta><task>" +
         task + "</task></meta>\n" + body + "</annotations>\n";
}

std::string cvat_box(int frame, int left, bool outside = false, const std::string& more = "") {
  return "    <box frame=\"" + std::to_string(frame) + "\" outside=\"" + (outside ? "1" : "0") +
         "\" occluded=\"0\" keyframe=\"1\" xtl=\"" + std::to_string(left) + ".00\" ytl=\"20.00\" xbr=\"" +
         std::to_string(left + 30) + ".00\" ybr=\"80.50\" z_order=\"0\"" + more + "/>\n";
}

TEST_F(AnnotationFiles, CvatTracksAreBoxesOfTheirFrames) {
  const DetectionFile file =
      read("tracks.xml",
           cvat("  <track id=\"0\" label=\"person\" source=\"manual\">\n" + cvat_box(1, 10) +
                cvat_box(2, 11) + cvat_box(3, 11, true) + "  </track>\n  <track id=\"1\" label=\"car\">\n" +
                cvat_box(1, 200) + "  </track>\n"));
  EXPECT_EQ(file.format, "CVAT");
  EXPECT_EQ(people_in(file), "1:10,20,30,60.5; 2:11,20,30,60.5; 3:");
  ASSERT_FALSE(file.notes.empty());
  EXPECT_TRUE(holds(file.notes.back(), "car"));
}

// Frames between key frames lie on the straight line; not behind the end of a track, and at the task's step.
TEST_F(AnnotationFiles, CvatKeyFramesAloneAreFilledUp) {
  const std::string track = "  <track id=\"0\" label=\"person\">\n" + cvat_box(0, 10) + cvat_box(4, 18) +
                            cvat_box(6, 18, true) + cvat_box(10, 50) + "  </track>\n";
  EXPECT_EQ(people_in(read("a.xml", cvat(track))),
            "0:10,20,30,60.5; 1:12,20,30,60.5; 2:14,20,30,60.5; 3:16,20,30,60.5; 4:18,20,30,60.5; "
            "5:18,20,30,60.5; 6: 7: 8: 9: 10:50,20,30,60.5;");
  const std::string stepped =
      "  <track id=\"0\" label=\"person\">\n" + cvat_box(0, 10) + cvat_box(4, 18) + "  </track>\n";
  EXPECT_EQ(people_in(read("b.xml", cvat(stepped, "<frame_filter>step=2</frame_filter>"))),
            "0:10,20,30,60.5; 1: 2:14,20,30,60.5; 3: 4:18,20,30,60.5;");
}

TEST_F(AnnotationFiles, CvatPicturesCountByTheirNamesAndTurnedBoxesAreEnclosed) {
  const DetectionFile file = read(
      "images.xml", cvat("  <image id=\"0\" name=\"hall/img_0007.png\" width=\"640\" height=\"480\">\n"
                         "    <box label=\"person\" occluded=\"0\" xtl=\"10\" ytl=\"20\" xbr=\"30\" "
                         "ybr=\"80\" rotation=\"90\"/>\n"
                         "    <polygon label=\"person\" points=\"1,2;3,4;5,6\"/>\n  </image>\n"
                         "  <image id=\"1\" name=\"hall/img_0009.png\" width=\"640\" height=\"480\"/>\n"));
  EXPECT_EQ(people_in(file), "6:-10,40,60,20; 8:");
  EXPECT_TRUE(holds(file.notes.front(), "1 shapes that are not boxes")) << file.notes.front();
}

TEST_F(AnnotationFiles, DamagedCvatIsToldWithItsLine) {
  std::string cut = cvat("  <track id=\"0\" label=\"person\">\n" + cvat_box(1, 10) + "  </track>\n");
  const std::string refusal = refused("cut.xml", cut.substr(0, cut.find("</track>")));
  EXPECT_TRUE(holds(refusal, "not well-formed") && holds(refusal, "cut.xml, line ")) << refusal;
  std::string wrong =
      cvat("  <track id=\"0\" label=\"person\">\n" + cvat_box(1, 10) + cvat_box(2, 11) + "  </track>\n");
  wrong.replace(wrong.find("xtl=\"11"), 7, "xtl=\"ab");
  const DetectionFile file = read("wrong.xml", wrong);
  EXPECT_EQ(file.people(), 1);
  EXPECT_EQ(file.problems, (std::vector<std::string>{"line 7: a number is expected as xtl"}));
  EXPECT_TRUE(holds(refused("far.xml", cvat("  <track id=\"0\" label=\"person\">\n" + cvat_box(0, 10) +
                                            cvat_box(9000000, 18) + "  </track>\n")),
                    "leaves more frames between its boxes"));
  EXPECT_TRUE(holds(refused("other.xml", "<annotation><object/></annotation>"), "not a known format"));
}

TEST_F(AnnotationFiles, CvatTracksKeepTheIdThatOutlivesAnImport) {
  const auto file =
      parse_cvat(cvat("  <track id=\"4\" label=\"person\">\n" + cvat_box(1, 10) +
                      "  </track>\n  <track id=\"5\" label=\"person\">\n"
                      "    <box frame=\"1\" outside=\"0\" xtl=\"1\" ytl=\"2\" xbr=\"3\" ybr=\"4\">"
                      "<attribute name=\"id\">17</attribute><attribute "
                      "name=\"name\">Anna</attribute></box>\n  </track>\n"),
                 "x.xml");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->tracks.at(0).id, 4);
  EXPECT_EQ(file->tracks.at(1).id, 17);
}

TEST_F(AnnotationFiles, LabelStudioPicturesArePercentOfThem) {
  const std::string task = R"([{"id": 1, "data": {"image": "/data/upload/1/1a2b3c4d-frame_0003.png"},
    "annotations": [{"was_cancelled": true, "result": []}, {"was_cancelled": false, "result": [
      {"type": "rectanglelabels", "original_width": 200, "original_height": 100, "value": {"x": 10, "y": 20,
       "width": 25, "height": 50, "rotation": 0, "rectanglelabels": ["Person"]}},
      {"type": "rectanglelabels", "original_width": 200, "original_height": 100, "value": {"x": 50, "y": 50,
       "width": 10, "height": 5, "rotation": 90, "rectanglelabels": ["Person"]}},
      {"type": "choices", "value": {"choices": ["night"]}}]}]},
    {"id": 2, "data": {"image": "/data/upload/1/99999999-frame_0005.png"}, "annotations": [{"result": []}]},
    {"id": 3, "data": {"image": "/data/upload/1/5e6f7a8b-frame_0006.png"}, "annotations": [], "predictions": []}])";
  const DetectionFile file = read("studio.json", task);
  EXPECT_EQ(file.format, "Label Studio");
  EXPECT_EQ(people_in(file), "2:19.5,19.5,50,50;94.5,49.5,5,20; 4:");
  EXPECT_TRUE(holds(file.notes.back(), "1 results that are not boxes")) << file.notes.back();
}

TEST_F(AnnotationFiles, LabelStudioVideosAreFilledUpBetweenKeyFrames) {
  const DetectionFile file =
      read("video.json", R"([{"data": {"video": "/data/upload/2/cam1.mp4"}, "annotations":
    [{"result": [{"type": "videorectangle", "original_width": 100, "original_height": 100, "value": {"labels":
    ["person"], "sequence": [{"frame": 1, "enabled": true, "x": 10, "y": 10, "width": 20, "height": 40},
    {"frame": 3, "enabled": false, "x": 14, "y": 10, "width": 20, "height": 40},
    {"frame": 6, "enabled": true, "x": 50, "y": 10, "width": 20, "height": 40}]}}]}]}])");
  EXPECT_EQ(people_in(file), "0:9.5,9.5,20,40; 1:11.5,9.5,20,40; 2:13.5,9.5,20,40; 3: 4: 5:49.5,9.5,20,40;");
}

TEST_F(AnnotationFiles, LabelStudioMinIsReadAndDamageIsTold) {
  EXPECT_EQ(people_in(read("min.json",
                           R"([{"id": 1, "annotator": 1, "lead_time": 3, "image": "a/f_001.jpg", "label":
    [{"x": 0, "y": 0, "width": 50, "height": 50, "rotation": 0, "rectanglelabels": ["person"], "original_width": 10,
      "original_height": 20}]}])")),
            "0:-0.5,-0.5,5,10;");
  const std::string refusal =
      refused("bad.json", R"([{"data": {"image": "f_1.png"}, "annotations": [{"result":
    [{"type": "rectanglelabels", "original_width": 10, "original_height": 10, "value": {"x": "a", "y": 1, "width": 1,
      "height": 1, "rectanglelabels": ["person"]}}]}]}])");
  EXPECT_EQ(refusal, "") << "the picture was examined";
  const DetectionFile file = read("bad2.json", R"([{"data": {"image": "f_1.png"}, "annotations": [{"result":
    [{"type": "rectanglelabels", "value": {"x": 1, "y": 1, "width": 1, "height": 1, "rectanglelabels": ["person"]}}
    ]}]}])");
  ASSERT_EQ(file.problems.size(), 1U);
  EXPECT_TRUE(holds(file.problems[0], "task 1, result 1: neither original_width")) << file.problems[0];
}

TEST_F(AnnotationFiles, FiftyOneSharesBecomePixels) {
  DetectionFileOptions size;
  size.width_px = 200, size.height_px = 100;
  const DetectionFile labels = read("labels.json", R"({"classes": ["car", "person"], "labels": {
    "000002": [{"label": 1, "bounding_box": [0.1, 0.2, 0.25, 0.5], "confidence": 0.75},
               {"label": "car", "bounding_box": [0, 0, 1, 1]}], "000003": null}})",
                                    size);
  EXPECT_EQ(labels.format, "FiftyOne");
  EXPECT_EQ(people_in(labels), "1:19.5,19.5,50,50; 2:");
  EXPECT_FLOAT_EQ(labels.frames[1].people[0].score, 0.75F);
  const std::string sample = R"({"samples": [{"filepath": "data/000002.png", "metadata": {"width": 400,
    "height": 100}, "truth": {"_cls": "Detections", "detections": [{"_cls": "Detection", "label": "person",
    "bounding_box": [0.1, 0.2, 0.25, 0.5], "confidence": null}]}}]})";
  EXPECT_EQ(people_in(read("samples.json", sample)), "1:39.5,19.5,100,50;");
}

TEST_F(AnnotationFiles, FiftyOneIsNotGuessed) {
  EXPECT_TRUE(holds(refused("labels.json", R"({"classes": ["person"], "labels": {"000002": [{"label": 0,
    "bounding_box": [0.1, 0.2, 0.25, 0.5]}]}})"),
                    "size is not known"));
  const std::string two = refused("samples.json", R"({"samples": [{"filepath": "data/000002.png",
    "truth": {"_cls": "Detections", "detections": []}, "model": {"_cls": "Detections", "detections": []}}]})");
  EXPECT_TRUE(holds(two, "several fields of detections") && holds(two, "truth") && holds(two, "model"))
      << two;
  DetectionFileOptions size;
  size.width_px = 200, size.height_px = 100;
  const auto damaged = read_detection_file(write("d.json", R"({"classes": [], "labels": {"000002":
    [{"label": "person", "bounding_box": [0.1, 0.2]}, {"label": "person", "bounding_box": [0.1, 0.2, 0.3, 0.4]}]}})"),
                                           size);
  ASSERT_TRUE(damaged);
  EXPECT_EQ(damaged->people(), 1);
  EXPECT_TRUE(holds(damaged->problems.at(0), "000002, detection 1: bounding_box is")) << damaged->problems[0];
}

constexpr const char* kDlcJoints = "LeftShoulder,right_shoulder,L_hip,r_hip,left ankle,tail";

// Of each joint three columns, from a list with commas.
std::string columns(const std::string& first, const std::string& list, bool coords = false) {
  std::string text = first;
  size_t begin = 0;
  while (begin <= list.size()) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    text += coords ? ",x,y,likelihood" : "," + name + ',' + name + ',' + name;
    begin = end + 1;
  }
  return text + '\n';
}

TEST_F(AnnotationFiles, DeepLabCutJointsAreKnownByTheirNames) {
  const std::string head = columns("scorer", "net,net,net,net,net,net") + columns("bodyparts", kDlcJoints) +
                           columns("coords", kDlcJoints, true);
  const DetectionFile file = read(
      "dlc.csv", head +
                     "0,40,20,0.9,20,20,0.9,36,60,0.9,24,60,0.9,36,100,0.9,5,5,1\n"
                     "1,,,,,,,,,,,,,,,,,,\n2,oops,20,0.9,20,20,0.9,36,60,0.9,24,60,0.9,36,100,0.9,5,5,1\n");
  EXPECT_EQ(file.format, "DeepLabCut");
  EXPECT_EQ(file.skeleton, "COCO_17");
  ASSERT_EQ(file.frames.size(), 3U);
  EXPECT_TRUE(file.frames[1].known && file.frames[1].people.empty());
  ASSERT_EQ(file.people(), 2);
  const Skeleton& layout = *find_skeleton("COCO_17");
  const auto joint = [&](size_t frame, const char* name) {
    return file.frames[frame].people[0].keypoints[static_cast<size_t>(layout.joint(name))];
  };
  EXPECT_EQ(joint(0, "left_shoulder").x_px, 40);
  EXPECT_EQ(joint(0, "left_ankle").y_px, 100);
  EXPECT_EQ(joint(0, "nose").score, 0);
  EXPECT_EQ(joint(2, "left_shoulder").score, 0) << "not a number: not seen";
  EXPECT_TRUE(file.boxes_from_keypoints);
  EXPECT_GT(file.frames[0].people[0].width_px, 20);
  EXPECT_TRUE(holds(file.notes.front(), "left out: tail")) << file.notes.front();
}

TEST_F(AnnotationFiles, DeepLabCutIndividualsArePeopleAndPicturesAreFrames) {
  const std::string head =
      "scorer,,,a,a,a,a,a,a,b,b,b,b,b,b\nindividuals,,,p1,p1,p1,p1,p1,p1,p2,p2,p2,p2,p2,p2\n"
      "bodyparts,,,u,u,v,v,w,w,u,u,v,v,w,w\ncoords,,,x,y,x,y,x,y,x,y,x,y,x,y\n";
  const DetectionFile file =
      read("CollectedData.csv", head +
                                    "labeled-data,hall,img012.png,1,1,9,9,5,30,61,1,69,9,65,30\n"
                                    "labeled-data,hall,img014.png,1,1,9,9,5,30,,,,,,\n");
  ASSERT_EQ(file.frames.size(), 14U);
  EXPECT_EQ(file.frames[11].people.size(), 2U);
  EXPECT_EQ(file.frames[13].people.size(), 1U);
  EXPECT_EQ(file.skeleton, "");
  const std::string refusal = refused("no.csv", "scorer,a,a\n0,1,2\n");
  EXPECT_TRUE(holds(refusal, "no.csv, line 2") && holds(refusal, "bodyparts and coords")) << refusal;
}

TEST_F(AnnotationFiles, SleapRowsAreInstances) {
  const std::string head =
      "track,frame_idx,instance.score,head.x,head.y,head.score,tail.x,tail.y,tail.score,"
      "foot.x,foot.y,foot.score\n";
  const DetectionFile file = read("analysis.csv", head +
                                                      "track_0,0,0.9,10,10,0.8,20,10,0.8,15,40,0.8\n"
                                                      "track_1,0,0.9,110,10,0.8,120,10,0.8,115,40,0.8\n"
                                                      "track_0,x,0.9,10,10,0.8,20,10,0.8,15,40,0.8\n"
                                                      "track_0,2,0.9,10,10,0.8,,,,15,40,0.8\n");
  EXPECT_EQ(file.format, "SLEAP");
  EXPECT_EQ(file.frames[0].people.size(), 2U);
  EXPECT_TRUE(file.frames[2].known && file.frames[2].people.empty());
  ASSERT_EQ(file.problems.size(), 2U);
  EXPECT_EQ(file.problems[0], "line 4: a frame is expected as frame_idx");
}

TEST_F(AnnotationFiles, Hdf5IsToldHowToBecomeText) {
  std::string bytes = "\x89HDF\r\n\x1a\n";
  bytes.resize(2048);
  const std::string refusal = refused("DLC.h5", bytes);
  EXPECT_TRUE(holds(refusal, "an HDF5 file") && holds(refusal, "sleap-convert")) << refusal;
}

}  // namespace
}  // namespace vantage
