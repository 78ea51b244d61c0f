// Users' files of detections: classes of people, frame numbers, rows and bytes as they come.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/file.h"
#include "core/detections/detection_file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

class ReportedFiles : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static DetectionFileOptions asking() {
    DetectionFileOptions options;
    options.ask = true, options.width_px = 640, options.height_px = 480;
    return options;
  }
  static DetectionFile read(const std::filesystem::path& path,
                            const DetectionFileOptions& options = asking()) {
    auto file = read_detection_file(path, options);
    EXPECT_TRUE(file) << path << ": " << file.error().message();
    return file ? *file : DetectionFile();
  }
  static std::string refused(const std::filesystem::path& path,
                             const DetectionFileOptions& options = asking()) {
    const auto file = read_detection_file(path, options);
    EXPECT_FALSE(file) << path;
    return file ? std::string() : file.error().message();
  }
  std::filesystem::path fresh(const std::string& suffix, const std::string& text) {
    return write("file" + std::to_string(++files_) + suffix, text);
  }
  test::TemporaryFolder folder_;
  int files_ = 0;
};

bool said(const DetectionFile& file, const std::string& part) {
  for (const std::string& remark : remarks_on(file))
    if (remark.find(part) != std::string::npos) return true;
  return false;
}

std::string all_of(const DetectionFile& file) {
  std::string text;
  for (const std::string& remark : remarks_on(file)) text += remark + "\n";
  return text;
}

// Two people and a car in frame 1, one person in frame 2, as left, top, width, height.
void expect_the_people(const DetectionFile& file, size_t first = 0) {
  ASSERT_GE(file.frames.size(), first + 2);
  ASSERT_EQ(file.people(), 3) << all_of(file);
  ASSERT_EQ(file.frames[first].people.size(), 2U);
  EXPECT_NEAR(file.frames[first].people[0].left_px, 10, 0.5);
  EXPECT_NEAR(file.frames[first].people[1].left_px, 110, 0.5);
  ASSERT_EQ(file.frames[first + 1].people.size(), 1U);
  EXPECT_NEAR(file.frames[first + 1].people[0].height_px, 60, 0.5);
}

// ---- classes of people

std::string coco(const std::string& categories, const std::string& person, const std::string& car) {
  return "{\"images\": [{\"id\": 1, \"file_name\": \"f_1.png\"}, {\"id\": 2, \"file_name\": \"f_2.png\"}],"
         "\"categories\": " +
         categories +
         ", \"annotations\": ["
         "{\"image_id\": 1, \"category_id\": " +
         person +
         ", \"bbox\": [10, 20, 30, 60]},"
         "{\"image_id\": 1, \"category_id\": " +
         car +
         ", \"bbox\": [200, 20, 90, 60]},"
         "{\"image_id\": 1, \"category_id\": " +
         person +
         ", \"bbox\": [110, 20, 30, 60]},"
         "{\"image_id\": 2, \"category_id\": " +
         person + ", \"bbox\": [12, 20, 30, 60]}]}";
}

TEST_F(ReportedFiles, CocoCategoriesArePeopleByTheirNames) {
  for (const char* name :
       {"person", "Person", "PEDESTRIAN", "pedestrians", "people", "human", "Person_sitting", "woman"}) {
    const std::string categories =
        std::string("[{\"id\": 1, \"name\": \"car\"}, {\"id\": 2, \"name\": \"") + name + "\"}]";
    const DetectionFile file = read(fresh(".json", coco(categories, "2", "1")));
    expect_the_people(file);
    EXPECT_TRUE(said(file, "1 box of class 1 (car) left out")) << all_of(file);
  }
  // Counted from 0, and a list without people.
  expect_the_people(read(
      fresh(".json", coco("[{\"id\": 0, \"name\": \"person\"}, {\"id\": 2, \"name\": \"car\"}]", "0", "2"))));
  const std::string question = refused(fresh(
      ".json", coco("[{\"id\": 1, \"name\": \"thing\"}, {\"id\": 2, \"name\": \"figure\"}]", "2", "1")));
  EXPECT_NE(question.find("1 box of class 1 (thing), 3 boxes of class 2 (figure)"), std::string::npos)
      << question;
  EXPECT_NE(question.find("--person-class"), std::string::npos) << question;
  const DetectionFile cars = read(
      fresh(".json", coco("[{\"id\": 1, \"name\": \"car\"}, {\"id\": 2, \"name\": \"truck\"}]", "2", "1")));
  EXPECT_EQ(cars.people(), 0) << "known to be no people";
  EXPECT_EQ(cars.known_frames(), 2) << "their pictures were examined";
}

std::string results(const std::string& person, const std::string& car) {
  std::string text = coco("[]", person, car);
  text = text.substr(text.find("\"annotations\": ") + 15);
  return text.substr(0, text.size() - 1);
}

TEST_F(ReportedFiles, ResultsWithoutNamesAreAskedAboutAndAnswered) {
  for (const auto& [person, car] : std::vector<std::pair<std::string, std::string>>{
           {"0", "2"}, {"1", "3"}, {"2", "1"}, {"7", "0"}, {"15", "16"}}) {
    const auto path = fresh(".json", results(person, car));
    const std::string question = refused(path);
    EXPECT_NE(question.find("3 boxes of class " + person), std::string::npos) << question;
    EXPECT_NE(question.find("1 box of class " + car), std::string::npos) << question;
    DetectionFileOptions answered = asking();
    answered.person_class = person;
    const DetectionFile file = read(path, answered);
    expect_the_people(file);
    EXPECT_TRUE(said(file, "1 box of class " + car + " left out")) << all_of(file);
    answered.person_class = person + ", " + car;
    EXPECT_EQ(read(path, answered).people(), 4);
  }
  // Projects made before the question: COCO's own list, if the numbers fit it, with a note.
  DetectionFileOptions formerly;
  const DetectionFile old = read(fresh(".json", results("1", "3")), formerly);
  expect_the_people(old);
  EXPECT_TRUE(said(old, "as in COCO's list")) << all_of(old);
  refused(fresh(".json", results("0", "2")), formerly);
  // A single class is what the detector was made for.
  EXPECT_EQ(read(fresh(".json", results("1", "1"))).people(), 4);
  EXPECT_EQ(read(fresh(".json", results("0", "0"))).people(), 4);
}

TEST_F(ReportedFiles, TablesNamePeopleOrAreAskedAbout) {
  const std::string rows =
      "1,10,20,30,60,0.9,P\n1,200,20,90,60,0.9,C\n1,110,20,30,60,0.9,P\n2,12,20,30,60,0.9,P\n";
  const auto table = [&](const std::string& column, const std::string& person, const std::string& car) {
    std::string text = "frame,x,y,w,h,score," + column + "\n" + rows;
    for (size_t at; (at = text.find(",P\n")) != std::string::npos;) text.replace(at, 2, "," + person);
    for (size_t at; (at = text.find(",C\n")) != std::string::npos;) text.replace(at, 2, "," + car);
    return fresh(".csv", text);
  };
  for (const auto& [column, person] :
       std::vector<std::pair<std::string, std::string>>{{"class", "Person"},
                                                        {"class_name", "pedestrian"},
                                                        {"label", "\"people\""},
                                                        {"category", "Human"},
                                                        {"Class Name", "man"}}) {
    const DetectionFile file = read(table(column, person, "car"));
    expect_the_people(file);
    EXPECT_TRUE(said(file, "1 box of class car left out")) << all_of(file);
  }
  for (const char* column : {"class", "class_id", "cls", "category_id", "Class ID"}) {
    const auto path = table(column, "0", "2");
    const std::string question = refused(path);
    EXPECT_NE(question.find("3 boxes of class 0, 1 box of class 2"), std::string::npos) << question;
    DetectionFileOptions answered = asking();
    answered.person_class = "0";
    expect_the_people(read(path, answered));
    refused(path, {});  // nor silently for projects made before
  }
  // A column of another name is not a class, in any position.
  EXPECT_EQ(
      read(fresh(".csv", "frame,id,x,y,w,h,score,occluded,speed\n1,1,10,20,30,60,0.9,0,1.3\n")).people(), 1);
  EXPECT_EQ(read(fresh(".csv", "frame,x,y,w,h,visible,kindness\n1,10,20,30,60,0,5\n")).people(), 1);
  // Numbers and names together: names are used.
  expect_the_people(read(fresh(".csv",
                               "frame,x,y,w,h,class_id,class_name\n1,10,20,30,60,3,person\n"
                               "1,200,20,90,60,0,car\n1,110,20,30,60,3,person\n2,12,20,30,60,3,person\n")));
}

TEST_F(ReportedFiles, YoloTakesTheListBesideIt) {
  const std::string person = " 0.0398 0.1052 0.046875 0.125\n", second = " 0.196 0.1052 0.046875 0.125\n";
  const auto folder = [&](const std::string& name, const std::string& of_person, const std::string& of_car) {
    write(name + "/labels/f_1.txt", of_person + person + of_car + " 0.5 0.5 0.2 0.2\n" + of_person + second);
    write(name + "/labels/f_2.txt", of_person + person);
    return folder_.path() / name / "labels";
  };
  const auto in = folder("a", "1", "0");
  EXPECT_NE(refused(in).find("1 box of class 0, 3 boxes of class 1"), std::string::npos);
  write("a/labels/classes.txt", "car\nperson\n");
  expect_the_people(read(in));
  EXPECT_TRUE(said(read(in), "1 box of class 0 (car) left out"));
  const auto beside = folder("b", "2", "0");
  write("b/classes.txt",
        "\xEF\xBB\xBF"
        "car\r\ntruck\r\nPerson\r\n");
  expect_the_people(read(beside));
  const auto listed = folder("c", "1", "0");
  write("c/data.yaml", "train: x\nnc: 2\nnames: ['car', 'pedestrian']\n");
  expect_the_people(read(listed));
  const auto mapped = folder("d", "4", "3");
  write("d/data.yaml", "names:\n  3: car\n  4: person\nnc: 2\n");
  expect_the_people(read(mapped));
  const auto answered = folder("e", "5", "0");
  DetectionFileOptions options = asking();
  options.person_class = "5";
  expect_the_people(read(answered, options));
  const auto words = folder("f", "person", "car");
  expect_the_people(read(words));
  const auto alone = folder("g", "0", "0");
  EXPECT_EQ(read(alone).people(), 4) << "one class alone";
}

// ---- frame numbers

TEST_F(ReportedFiles, CocoTakesNamesIdsOrItsOwnList) {
  const auto images = [&](const std::vector<std::pair<int, std::string>>& list) {
    std::string text = "{\"categories\": [{\"id\": 1, \"name\": \"person\"}], \"images\": [", boxes;
    for (const auto& [id, name] : list) {
      text += (boxes.empty() ? "" : ",") + fmt::format("{{\"id\": {}, \"file_name\": \"{}\"}}", id, name);
      boxes += (boxes.empty() ? "" : ",") +
               fmt::format("{{\"image_id\": {}, \"category_id\": 1, \"bbox\": [{}, 2, 30, 60]}}", id,
                           boxes.size());
    }
    return fresh(".json", text + "], \"annotations\": [" + boxes + "]}");
  };
  const DetectionFile hashed = read(images({{7, "f_001_jpg.rf.256c94a228.jpg"},
                                            {3, "f_002_jpg.rf.03a5302c5d.jpg"},
                                            {9, "f_003_jpg.rf.ba93bdb8f2.jpg"},
                                            {1, "f_004_jpg.rf.c21a5c8493.jpg"}}));
  EXPECT_EQ(hashed.frames.size(), 4U);
  EXPECT_EQ(hashed.known_frames(), 4);
  const DetectionFile by_id =
      read(images({{1, "256c94a.jpg"}, {2, "03a5302.jpg"}, {3, "ba93bdb.jpg"}, {4, "c21a5c8.jpg"}}));
  EXPECT_EQ(by_id.frames.size(), 4U);
  EXPECT_NE(by_id.frames_said.find("ids"), std::string::npos) << by_id.frames_said;
  const DetectionFile in_order = read(images({{83214, "zz.jpg"}, {9771, "b.jpg"}, {5512345, "k.jpg"}}));
  EXPECT_EQ(in_order.frames.size(), 3U);
  EXPECT_TRUE(said(in_order, "order of the file's list of images")) << all_of(in_order);
  EXPECT_EQ(in_order.frames[0].people.size(), 1U);
  const DetectionFile sized =
      read(images({{1, "f_1_640x480.png"}, {2, "f_2_640x480.png"}, {3, "f_3_640x480.png"}}));
  EXPECT_EQ(sized.frames.size(), 3U) << "not all of them in frame 480";
  const std::string wild =
      refused(fresh(".json", R"([{"image_id": 397133, "category_id": 1, "bbox": [1, 2, 30, 60]},
      {"image_id": 37777, "category_id": 1, "bbox": [1, 2, 30, 60]},
      {"image_id": 252219, "category_id": 1, "bbox": [1, 2, 30, 60]}])"));
  EXPECT_NE(wild.find("count no frames"), std::string::npos) << wild;
}

TEST_F(ReportedFiles, FoldersAreNumberedByTheOneNumberThatCounts) {
  const std::string line = "0 0.5 0.5 0.2 0.4\n";
  for (const char* form : {"d0/cam2_{}_640x480.txt", "d1/2024_{}.txt", "d2/{:03}_cam4.txt",
                           "d3/frame({}).txt", "d4/{}.txt", "d5/clip7-{}-v2.txt"}) {
    for (int i = 1; i <= 12; ++i) write(fmt::format(fmt::runtime(form), i), line);
    const std::filesystem::path folder = (folder_.path() / form).parent_path();
    write((folder / "._x.txt").string(), "junk");
    const DetectionFile file = read(folder);
    EXPECT_EQ(file.frames.size(), 12U) << form;
    EXPECT_EQ(file.people(), 12) << form;
    EXPECT_FALSE(file.frames_said.empty()) << form;
  }
  write("d4/summary.txt", line);
  write("d4/run.json", "{}");
  const DetectionFile file = read(folder_.path() / "d4");
  EXPECT_EQ(file.people(), 12);
  EXPECT_TRUE(said(file, "summary.txt") && said(file, "run.json")) << all_of(file);
}

// ---- one bad value

std::string joints(const std::string& first, double x) {
  std::string numbers = first;
  for (int i = 0; i < 25; ++i) {
    if (i > 0 || first.empty())
      numbers += (numbers.empty() ? "" : ", ") + fmt::format("{:g}, {}, 0.9", x, 100 + 10 * i);
  }
  return "{\"pose_keypoints_2d\": [" + numbers + "]}";
}

TEST_F(ReportedFiles, OneBadPersonNeverTakesItsNeighbours) {
  for (const char* bad : {"NaN, 100, 0.9", "100, nan, 0.9", "100, 100, NaN", "Infinity, 100, 0.9",
                          "-Infinity, 100, 0.9", "null, 100, 0.9", "\"x\", 100, 0.9"}) {
    const std::string folder = "openpose" + std::to_string(++files_);
    for (int i = 0; i < 4; ++i)
      write(fmt::format("{}/c_{:012}_keypoints.json", folder, i),
            "{\"people\": [" + joints("", 50) + ", " + (i != 2 ? joints(bad, 200) + ", " : "") +
                joints("", 300) + "]}");
    const DetectionFile file = read(folder_.path() / folder);
    EXPECT_EQ(file.people(), 8) << bad;
    EXPECT_EQ(file.known_frames(), 4) << bad;
    EXPECT_EQ(file.skipped, 3) << bad;
    EXPECT_TRUE(said(file, "person 2")) << all_of(file);
  }
  // A damaged first file does not affect the others.
  write("broken/c_0_keypoints.json", "{\"people\": [");
  for (int i = 1; i < 4; ++i)
    write(fmt::format("broken/c_{}_keypoints.json", i), "{\"people\": [" + joints("", 50) + "]}");
  const DetectionFile file = read(folder_.path() / "broken");
  EXPECT_EQ(file.people(), 3);
  EXPECT_EQ(file.skipped, 1);
}

TEST_F(ReportedFiles, ABadRowIsLeftOutAndSaysWhatStoodThere) {
  for (const char* bad : {"1,-1,NaN,20,30,60,0.9", "1,-1,10,20,inf,60,0.9", "1,-1,10,,30,60,0.9",
                          "x,-1,10,20,30,60,0.9", "1,-1,10,20,30,60,nan"}) {
    for (const bool first : {true, false}) {
      const std::string good = "1,-1,10,20,30,60,0.9\n2,-1,10,20,30,60,0.8\n";
      const DetectionFile file =
          read(fresh(".txt", first ? std::string(bad) + "\n" + good : good + bad + "\n"));
      EXPECT_EQ(file.people(), 2) << bad;
      EXPECT_EQ(file.skipped, 1) << bad;
      EXPECT_NE(file.problems.front().find("stands where"), std::string::npos) << file.problems.front();
    }
  }
  const DetectionFile coco_file =
      read(fresh(".json", R"([{"image_id": 1, "category_id": 1, "bbox": [NaN, 2, 30, 60]},
      {"image_id": 1, "category_id": 1, "bbox": [1, 2, 30, 60], "score": 0.5}])"));
  EXPECT_EQ(coco_file.people(), 1);
  EXPECT_EQ(coco_file.skipped, 1);
}

// ---- YOLO of trackers

TEST_F(ReportedFiles, YoloOfTrackersKeepsAllLines) {
  std::string pose;
  for (int i = 0; i < 17; ++i) pose += fmt::format(" {:.3f} {:.3f} 0.9", 0.4 + 0.01 * i, 0.2 + 0.02 * i);
  struct Line {
    std::string rest;
    double score;
    size_t joints;
  };
  for (const Line& line : std::vector<Line>{{" 0.9 1", 0.9, 0},  // confidence, identity
                                            {" 0.9", 0.9, 0},
                                            {" 12", 1, 0},         // identity alone
                                            {" 3 0.75", 0.75, 0},  // the other way round
                                            {"", 1, 0},
                                            {" 1 0.5", 0.5, 0},
                                            {pose, 1, 17},
                                            {pose + " 0.8", 0.8, 17},
                                            {pose + " 0.8 4", 0.8, 17},
                                            {pose + " 23", 1, 17}}) {
    const std::string folder = "yolo" + std::to_string(++files_);
    write(folder + "/f_1.txt", "0 0.5 0.5 0.2 0.4" + line.rest + " \n");
    write(folder + "/f_2.txt",
          "0 0.5 0.5 0.2 0.4" + line.rest + "\n0 0.3 0.5 0.2 0.4 0.9 7\n0 0.7 0.5 0.2 0.4\n");
    const DetectionFile file = read(folder_.path() / folder);
    EXPECT_EQ(file.skipped, 0) << line.rest << ": " << all_of(file);
    ASSERT_EQ(file.people(), 4) << line.rest;
    EXPECT_NEAR(file.frames[0].people[0].score, line.score, 1e-6) << line.rest;
    EXPECT_EQ(file.frames[0].people[0].keypoints.size(), line.joints) << line.rest;
  }
}

// ---- not a known format

std::string utf16(const std::string& text, bool little, bool mark) {
  std::string out = mark ? (little ? "\xFF\xFE" : "\xFE\xFF") : "";
  for (const char c : text) out += little ? std::string{c, '\0'} : std::string{'\0', c};
  return out;
}

TEST_F(ReportedFiles, TablesAreReadWhateverSeparatesAndNamesThem) {
  const std::string head = "frame,id,left,top,width,height,score\n";
  const std::string rows = "1,1,10,20,30,60,0.9\n1,2,110,20,30,60,0.9\n2,1,12,20,30,60,0.9\n";
  const auto separated = [](std::string text, char by) {
    std::replace(text.begin(), text.end(), ',', by);
    return text;
  };
  std::string decimal_commas;
  for (const char c : separated(rows, ';')) decimal_commas += c == '.' ? ',' : c;
  std::string quoted = "\"frame\",\"id\",\"left\",\"top\",\"width\",\"height\",\"score\"\n" + rows;
  const std::vector<std::string> texts = {
      head + rows,
      separated(rows, ' '),
      "  " + separated(rows, ' '),
      separated(rows, '\t'),
      separated(rows, ';'),
      separated(head, ';') + decimal_commas,
      separated(head + rows, '\t'),
      separated(head + rows, ' '),
      "\xEF\xBB\xBF" + head + rows,
      "\xEF\xBB\xBF" + rows,
      utf16(head + rows, true, true),
      utf16(head + rows, false, true),
      utf16(rows, true, false),
      quoted,
      "# " + head + rows,
      "#" + head + rows,
      "# written by a tracker\n# at noon\n" + rows,
      "% " + separated(head, ' ') + separated(rows, ' '),
      "Frame_ID,X Min,Y_MIN,x-max,ymax\n1,10,20,40,80\n1,110,20,140,80\n2,12,20,42,80\n",
      "frame,x0,y0,x1,y1\n1,10,20,40,80\n1,110,20,140,80\n2,12,20,42,80\n",
      "frame,bbox_left,bbox_top,bbox_width,bbox_height\n1,10,20,30,60\n1,110,20,30,60\n2,12,20,30,60\n",
      "frame,x_center,y_center,width,height\n1,25,50,30,60\n1,125,50,30,60\n2,27,50,30,60\n",
      "filename,width,height,class,xmin,ymin,xmax,ymax\nf_1.jpg,640,480,person,10,20,40,80\n"
      "f_1.jpg,640,480,person,110,20,140,80\nf_2.jpg,640,480,person,12,20,42,80\n",
  };
  for (const std::string& text : texts) {
    const DetectionFile file = read(fresh(".csv", text));
    EXPECT_EQ(file.skipped, 0) << text;
    EXPECT_EQ(file.format, "MOTChallenge");
    expect_the_people(file);
  }
  // An index counts from 0, also if its first frame has no one.
  const DetectionFile index = read(fresh(".csv",
                                         "x_min,y_min,x_max,y_max,class_id,confidence,tracker_id,class_name,"
                                         "frame_index\n10,20,40,80,0,0.9,1,person,1\n"
                                         "110,20,140,80,0,0.9,1,person,1\n12,20,42,80,0,0.9,1,person,2\n"));
  expect_the_people(index, 1);
}

TEST_F(ReportedFiles, WhatCannotBeReadNamesTheNearestFormat) {
  struct Case {
    std::string suffix, text, said;
  };
  for (const Case& one : std::vector<Case>{
           {".csv", "time,x,y,w,h\n0.04,10,20,30,60\n", "but none for the frame"},
           {".csv", "frame;x;y;score\n1;10;20;0.5\n", "but none for the box's width and height"},
           {".txt", "1 2 3\n", "line 1 is \"1 2 3\", 3 numbers"},
           {".txt", "roses are red\n", "line 1 is \"roses are red\""},
           {".json", "{\"detections\": [], \"video\": \"a\"}", "a JSON object of detections, video"},
           {".json", "{\"people\": [\n{\"pose", "is truncated or damaged"},
           {".json", "[{\"box\": [1, 2, 3, 4]}]", "whose first entry holds box"},
           {".txt", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), "not a text"}}) {
    const std::string message = refused(fresh(one.suffix, one.text));
    EXPECT_NE(message.find(one.said), std::string::npos) << message;
    EXPECT_LT(message.size(), folder_.path().string().size() + 380) << message;
  }
}

}  // namespace
}  // namespace vantage
