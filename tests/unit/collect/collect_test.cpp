#include "core/export/collect/collect.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "core/base/file.h"
#include "core/project/missing_files.h"
#include "core/video/file_list.h"
#include "core/video/segments/segment_index.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

class CollectTest : public testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  std::string write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(make_folder(path(name).parent_path()));
    EXPECT_TRUE(write_file_atomically(path(name), text));
    return path(name).string();
  }
  Project project_of(size_t cameras) const {
    Project project;
    project.path = path("lab/hall.vantage");
    project.parameters = default_parameters();
    for (size_t i = 0; i < cameras; ++i) {
      project.cameras.emplace_back();
      project.cameras[i].name = "cam" + std::to_string(i + 1);
      project.cameras[i].video = write("lab/" + project.cameras[i].name + ".mp4", project.cameras[i].name);
    }
    return project;
  }
  Result<CollectedProject> collect(const Project& project) const {
    EXPECT_TRUE(make_folder(project.path.parent_path()));
    EXPECT_TRUE(save_project(project, project.path));
    CollectProjectOptions options;
    options.folder = path("out/hall");
    return collect_project(load_project(project.path).value(), options);
  }
  // Elsewhere, without the original.
  Project opened_elsewhere() const {
    fs::remove_all(path("lab")), fs::remove_all(path("disk"));
    fs::rename(path("out/hall"), path("moved"));
    const auto opened = load_project(path("moved/hall.vantage"));
    EXPECT_TRUE(opened) << opened.error().message();
    return opened.value_or(Project());
  }
  // Of everything in the folder, hidden files too.
  std::set<std::string> names_in(const std::string& folder) const {
    std::set<std::string> names;
    std::error_code none;
    for (fs::recursive_directory_iterator at(path(folder), none), end; !none && at != end; ++at)
      if (!at->is_directory()) names.insert(at->path().lexically_relative(path(folder)).string());
    return names;
  }
  bool nothing_is_left() const {
    std::error_code none;
    return !fs::exists(path("out"), none) || fs::is_empty(path("out"), none);
  }

  const test::TemporaryFolder folder_;
};

TEST_F(CollectTest, EveryKindOfFileGoesAlongAndOpensElsewhere) {
  Project project = project_of(4);
  ProjectCamera &several = project.cameras[1], &pictures = project.cameras[2], &recorded = project.cameras[3];
  FileList list;
  list.order = "the clocks in their names", list.frame_rate = 25, list.width_px = 8, list.height_px = 6;
  for (const std::string hour : {"disk/night/a/10.mp4", "disk/night/11.mp4"}) {
    ListedFile file{write(hour, hour), static_cast<int64_t>(50 * list.files.size()), 50};
    file.identity = identify_video(file.file.string()).value();
    list.files.push_back(file);
  }
  several.video = path("lab/hall.videos/cam2.files").string();
  ASSERT_TRUE(make_folder(path("lab/hall.videos")));
  ASSERT_TRUE(write_file_list(several.video, list));
  for (const char* name : {"img_0001.png", "img_0002.png", "notes.txt", "other_0001.png"})
    write(std::string("disk/pictures/") + name, name);
  pictures.video = path("disk/pictures/img_%04d.png").string();
  recorded.video = path("disk/live/cam4.segments").string();
  write("disk/live/cam4/000001.mkv", "stream");
  ASSERT_TRUE(write_segments_header(recorded.video, {25, 8, 6, "h264", 77}));
  project.cameras[0].background = write("disk/empty/cam1.mp4", "empty");
  project.cameras[0].detections.file = path("disk/yolo/labels").string();
  write("disk/yolo/labels/frame_000001.txt", "0 0.5 0.5 0.1 0.2\n1 0.2 0.2 0.1 0.2\n");
  write("disk/yolo/data.yaml", "names: [car, person]\n");
  several.detections.file = write("disk/boxes/gt.txt", "1,1,10,10,20,40,1\n");
  project.detection_model = write("disk/models/people.onnx", "model");
  project.cameras[0].board_pictures = write("disk/boards/cam_1.mp4", "board");
  project.boards.hand_held = {write("disk/boards/cam_9.mp4", "hand")};
  write("disk/boards/timestamps.csv", "sync_index,cam_id,frame_time\n");
  for (const char* name :
       {"hall.results/results.jsonl", "hall.results/masks/cam1/frame_000001.png",
        "hall.truth/masks/cam1/x.png", "hall.variants/b.json", "hall.views.json",
        "hall.detections/cam1.jsonl", "hall.sweep/1/sweep.csv", "hall.kept/x.kept", "hall.push/queue.sqlite",
        "hall.vantage.lock", "hall.vantage.autosave", "else.txt"})
    write(std::string("lab/") + name, name);

  const auto collected = collect(project);
  ASSERT_TRUE(collected) << collected.error().message();
  EXPECT_EQ(names_in("out/hall"), (std::set<std::string>{"hall.vantage",
                                                         "cam1.mp4",
                                                         "hall.videos/cam2.files",
                                                         "hall.footage/night/a/10.mp4",
                                                         "hall.footage/night/11.mp4",
                                                         "hall.footage/pictures/img_0001.png",
                                                         "hall.footage/pictures/img_0002.png",
                                                         "hall.footage/live/cam4.segments",
                                                         "hall.footage/live/cam4/000001.mkv",
                                                         "hall.footage/empty/cam1.mp4",
                                                         "hall.footage/labels/frame_000001.txt",
                                                         "hall.footage/labels/data.yaml",
                                                         "hall.footage/boxes/gt.txt",
                                                         "hall.footage/models/people.onnx",
                                                         "hall.footage/boards/cam_1.mp4",
                                                         "hall.footage/boards/cam_9.mp4",
                                                         "hall.footage/boards/timestamps.csv",
                                                         "hall.results/results.jsonl",
                                                         "hall.results/masks/cam1/frame_000001.png",
                                                         "hall.truth/masks/cam1/x.png",
                                                         "hall.variants/b.json",
                                                         "hall.views.json",
                                                         "hall.detections/cam1.jsonl",
                                                         "hall.sweep/1/sweep.csv"}));
  EXPECT_EQ(names_in("out").size(), names_in("out/hall").size()) << "nothing temporary";
  // All but the project and the list are copies.
  EXPECT_EQ(collected->files, static_cast<int64_t>(names_in("out/hall").size()) - 2);

  const Project opened = opened_elsewhere();
  ASSERT_EQ(opened.cameras.size(), 4u);
  EXPECT_EQ(missing_text(opened, missing_files(opened)), "");
  EXPECT_EQ(read_file(opened.cameras[0].background).value(), "empty");
  EXPECT_EQ(read_file(opened.detection_model).value(), "model");
  EXPECT_EQ(read_file(opened.boards.hand_held.at(0)).value(), "hand");
  EXPECT_EQ(read_file(opened.cameras[0].board_pictures).value(), "board");
  EXPECT_EQ(identify_video(opened.cameras[3].video)->checksum, 77u);
  const auto listed = read_file_list(opened.cameras[1].video);
  ASSERT_TRUE(listed) << listed.error().message();
  EXPECT_EQ(file_list_checksum(*listed), file_list_checksum(list));
  EXPECT_EQ(read_file(listed->files.at(0).file).value(), "disk/night/a/10.mp4");
  DetectionFileOptions size;
  size.width_px = 100, size.height_px = 100;
  const auto people = read_detection_file(opened.cameras[0].detections.file, size);
  ASSERT_TRUE(people) << people.error().message();
  EXPECT_EQ(people->people(), 1) << "the class names were found: one of two boxes is a person";
  // The text has relative paths alone.
  EXPECT_EQ(read_file(path("moved/hall.vantage"))->find(folder_.path().string()), std::string::npos);
}

TEST_F(CollectTest, SealsAndTheCustodyLogGoAlong) {
  const Project project = project_of(2);
  write("lab/cam1.mp4.seal", "sealed");
  write("lab/other.mp4.seal", "not of this project");
  write("lab/hall.custody.jsonl", "opened");
  const auto collected = collect(project);
  ASSERT_TRUE(collected) << collected.error().message();
  EXPECT_EQ(names_in("out/hall"), (std::set<std::string>{"hall.vantage", "cam1.mp4", "cam1.mp4.seal",
                                                         "cam2.mp4", "hall.custody.jsonl"}));
}

TEST_F(CollectTest, FoldersOfOneNameStayApartAlsoTheSecondTime) {
  Project project = project_of(2);
  project.cameras[0].video = write("disk/a/rec/v.mp4", "a");
  project.cameras[1].video = write("disk/b/rec/v.mp4", "b");
  ASSERT_TRUE(collect(project));
  EXPECT_EQ(names_in("out/hall"),
            (std::set<std::string>{"hall.vantage", "hall.footage/rec/v.mp4", "hall.footage/rec-2/v.mp4"}));
  Project again = load_project(path("out/hall/hall.vantage")).value();
  EXPECT_EQ(read_file(again.cameras[1].video).value(), "b");
  again.cameras[0].background = write("disk/c/rec/v.mp4", "c");
  CollectProjectOptions options;
  options.folder = path("second");
  ASSERT_TRUE(collect_project(again, options));
  EXPECT_EQ(read_file(path("second/hall.footage/rec-3/v.mp4")).value(), "c");
  EXPECT_EQ(read_file(path("second/hall.footage/rec/v.mp4")).value(), "a");
}

TEST_F(CollectTest, AllMissingFilesAreNamedBeforeAnythingIsCopied) {
  Project project = project_of(3);
  fs::remove(project.cameras[0].video);
  project.cameras[1].background = path("disk/gone.mp4").string();
  project.cameras[2].board_pictures = path("disk/pictures/img_%03d.png").string();
  const auto collected = collect(project);
  ASSERT_FALSE(collected);
  EXPECT_EQ(collected.error().kind, ErrorKind::not_found);
  for (const char* part :
       {"cam1's video", "cam2's empty-scene clip", "gone.mp4", "cam3's pictures of the board"})
    EXPECT_NE(collected.error().what.find(part), std::string::npos) << collected.error().message();
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(CollectTest, NothingIsOverwritten) {
  const Project project = project_of(1);
  write("out/hall/mine.txt", "mine");
  const auto collected = collect(project);
  ASSERT_FALSE(collected);
  EXPECT_EQ(collected.error().kind, ErrorKind::invalid_argument);
  EXPECT_EQ(names_in("out"), std::set<std::string>{"hall/mine.txt"});
  fs::remove(path("out/hall/mine.txt"));
  EXPECT_TRUE(collect(project)) << "an empty folder is one to be made";
}

TEST_F(CollectTest, WhatDoesNotFitIsNotBegun) {
  const Project project = project_of(1);
  std::error_code code;
  const auto free = fs::space(folder_.path(), code).available;
  fs::resize_file(project.cameras[0].video, free + (uintmax_t{1} << 40), code);  // sparse
  if (code) GTEST_SKIP() << "no file of this size can be made here: " << code.message();
  const auto collected = collect(project);
  ASSERT_FALSE(collected);
  EXPECT_NE(collected.error().what.find("are free"), std::string::npos) << collected.error().message();
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(CollectTest, StoppedOrChangedMeanwhileItLeavesNothing) {
  const Project project = project_of(3);
  ASSERT_TRUE(save_project(project, project.path));
  CollectProjectOptions options;
  options.folder = path("out/hall");
  options.progress = [&](int64_t done, int64_t total) {
    EXPECT_EQ(total, 12);
    if (done == 8) options.stop.request_stop();
  };
  const auto stopped = collect_project(project, options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
  EXPECT_TRUE(nothing_is_left());

  options.stop = {};
  options.progress = [&](int64_t done, int64_t) {
    if (done == 4) std::ofstream(project.cameras[2].video, std::ios::app) << "more";
  };
  const auto changed = collect_project(project, options);
  ASSERT_FALSE(changed);
  EXPECT_NE(changed.error().message().find("cam3.mp4: changed while it was copied"), std::string::npos)
      << changed.error().message();
  EXPECT_TRUE(nothing_is_left());
}

}  // namespace
}  // namespace vantage
