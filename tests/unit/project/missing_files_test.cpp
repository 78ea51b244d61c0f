#include "core/project/missing_files.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/project/detail/project_json.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

// Videos are identified by their bytes: any content serves.
std::string content(const std::string& of, size_t bytes = 200'000) {
  std::string text;
  while (text.size() < bytes) text += of + std::to_string(text.size());
  text.resize(bytes);
  return text;
}

class MissingFilesTest : public testing::Test {
 protected:
  // A project of videos with these names, one per camera, under old/.
  Project project_of(const std::vector<std::string>& videos, bool remembered = true) {
    Project project;
    project.path = path("hall.vantage");
    project.parameters = default_parameters();
    for (size_t i = 0; i < videos.size(); ++i) {
      ProjectCamera camera;
      camera.name = "cam" + std::to_string(i + 1);
      camera.video = path("old/" + videos[i]).string();
      write("old/" + videos[i], content(videos[i]));
      project.cameras.push_back(std::move(camera));
    }
    if (remembered) remember_videos(&project);
    project.zones = {{"shop", {{0, 0}, {1, 0}, {1, 1}}}};
    return project;
  }
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(make_folder(path(name).parent_path()));
    ASSERT_TRUE(write_file_atomically(path(name), text));
  }
  void move(const std::string& from, const std::string& to) const {
    ASSERT_TRUE(make_folder(path(to).parent_path()));
    fs::rename(path(from), path(to));
  }
  std::vector<FoundFile> find(const Project& project, const std::string& in,
                              ByName by_name = ByName::when_unknown) const {
    const auto found = find_missing_files(project, path(in), by_name, StopSource());
    EXPECT_TRUE(found) << found.error().message();
    return found.value_or(std::vector<FoundFile>());
  }

  const test::TemporaryFolder folder_;
};

TEST_F(MissingFilesTest, OneFolderFindsAllAndNothingElseChanges) {
  Project project = project_of({"a.mp4", "b.mp4", "c.mp4"});
  project.cameras[2].background = path("old/empty.mp4").string();
  write("old/empty.mp4", content("empty"));
  remember_videos(&project);
  ASSERT_TRUE(save_project(project, project.path));
  EXPECT_TRUE(missing_files(project).empty());
  EXPECT_TRUE(check_project_files(project));
  move("old/a.mp4", "disk/monday/a.mp4");
  move("old/b.mp4", "disk/monday/deep/er/renamed.mkv");
  move("old/empty.mp4", "disk/empty.mp4");
  EXPECT_EQ(missing_files(project).size(), 3u);
  EXPECT_FALSE(check_project_files(project));
  const std::vector<FoundFile> found = find(project, "disk");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].why, "same name, size and checksum");
  EXPECT_EQ(found[1].why, "same size and checksum");
  // The identities are stored in the file.
  Project loaded = load_project(project.path).value();
  EXPECT_EQ(find(loaded, "disk").at(1).path, path("disk/monday/deep/er/renamed.mkv"));
  EXPECT_EQ(relink(found, &loaded), 3u);
  EXPECT_TRUE(missing_files(loaded).empty());
  EXPECT_EQ(loaded.cameras[2].video, project.cameras[2].video);
  EXPECT_EQ(loaded.cameras[2].background, path("disk/empty.mp4"));
  EXPECT_EQ(loaded.zones, project.zones);
}

TEST_F(MissingFilesTest, AnotherVideoOfTheNameIsNotTakenUnlessAsked) {
  Project project = project_of({"a.mp4"});
  fs::remove(path("old/a.mp4"));
  write("disk/a.mp4", content("somebody else's"));
  const std::vector<FoundFile> found = find(project, "disk");
  EXPECT_TRUE(found.at(0).path.empty());
  EXPECT_NE(found[0].why.find("is another video (another checksum)"), std::string::npos) << found[0].why;
  EXPECT_EQ(relink(found, &project), 0u);
  EXPECT_EQ(find(project, "disk", ByName::also_if_other).at(0).path, path("disk/a.mp4"));
  write("disk/a.mp4", content("x", 1000));
  EXPECT_NE(find(project, "disk").at(0).why.find("1000 bytes instead of 200000 bytes"), std::string::npos);
}

// Sets of recordings have the same name for every camera's video.
TEST_F(MissingFilesTest, WithoutAMemoryNamesAndFoldersTell) {
  Project project = project_of({"cam1/video.avi", "cam2/video.avi"}, false);
  move("old", "disk/take 1");
  for (const FoundFile& found : find(project, "disk")) EXPECT_EQ(found.why, "same name");
  EXPECT_EQ(find(project, "disk").at(1).path, path("disk/take 1/cam2/video.avi"));
  // A second copy of the set makes it ambiguous.
  write("disk/take 2/cam2/video.avi", content("another take"));
  const std::vector<FoundFile> found = find(project, "disk");
  EXPECT_EQ(found.at(0).path, path("disk/take 1/cam1/video.avi"));
  EXPECT_TRUE(found.at(1).path.empty());
  EXPECT_NE(found[1].why.find("2 files have its name"), std::string::npos) << found[1].why;
}

TEST_F(MissingFilesTest, OneFileIsNotTwoCameras) {
  Project project = project_of({"cam1/video.avi", "cam2/video.avi"}, false);
  fs::remove_all(path("old"));
  write("disk/cam2/video.avi", content("what is left"));
  const std::vector<FoundFile> found = find(project, "disk");
  EXPECT_TRUE(found.at(0).path.empty()) << found[0].path;
  EXPECT_EQ(found.at(1).path, path("disk/cam2/video.avi"));
  fs::rename(path("disk/cam2"), path("disk/cam7"));
  for (const FoundFile& one : find(project, "disk")) EXPECT_TRUE(one.path.empty()) << one.path;
}

TEST_F(MissingFilesTest, SequencesAreFoundByTheirFolder) {
  Project project = project_of({"x.mp4"});
  for (const char* image : {"img_0001.png", "img_0002.png"}) write(std::string("old/seq/") + image, image);
  project.cameras[0].video = path("old/seq/img_%04d.png").string();
  project.cameras[0].video_identity = {};
  remember_videos(&project);
  EXPECT_TRUE(project.cameras[0].video_identity.known());
  move("old/seq", "disk/pictures");
  EXPECT_EQ(find(project, "disk").at(0).path, path("disk/pictures/img_%04d.png"));
}

// Detections and models are recognised by their names, whatever their present contents.
TEST_F(MissingFilesTest, DetectionsAndTheirModelAreFoundByName) {
  Project project = project_of({"a.mp4", "b.mp4"});
  for (const char* file : {"old/a.txt", "old/b_json/1.json", "old/person.onnx"}) write(file, file);
  project.cameras[0].detections.file = path("old/a.txt").string();
  project.cameras[1].detections.file = path("old/b_json").string();
  project.detection_model = path("old/person.onnx").string();
  EXPECT_TRUE(missing_files(project).empty());
  for (const char* name : {"a.txt", "b_json", "person.onnx"})
    move(std::string("old/") + name, std::string("disk/boxes/") + name);
  EXPECT_EQ(missing_text(project, missing_files(project)),
            "cam1's detections " + path("old/a.txt").string() + "; cam2's detections " +
                path("old/b_json").string() + "; the detections' model " + path("old/person.onnx").string());
  EXPECT_EQ(relink(find(project, "disk"), &project), 3u);
  EXPECT_TRUE(missing_files(project).empty());
  EXPECT_EQ(project.cameras[1].detections.file, path("disk/boxes/b_json"));
  EXPECT_EQ(project.detection_model, path("disk/boxes/person.onnx"));
}

TEST_F(MissingFilesTest, AVideoThatWasWrittenAnewIsRememberedAnew) {
  Project project = project_of({"a.mp4"});
  const VideoIdentity before = project.cameras[0].video_identity;
  write("old/a.mp4", content("a.mp4", 300'000));
  remember_videos(&project);
  EXPECT_NE(project.cameras[0].video_identity, before);
  EXPECT_EQ(project.cameras[0].video_identity.bytes, 300'000);
}

TEST_F(MissingFilesTest, OldProjectsOpenAndWrongIdentitiesAreNamed) {
  const auto load = [&](const std::string& keys) {
    std::vector<std::string> warnings;
    return project_detail::from_json(
        R"({"schema":"vantage-project-1","cameras":[{"name":"c","video":"a.mp4")" + keys + "}]}",
        path("p.vantage"), &warnings);
  };
  EXPECT_FALSE(load("").value().cameras[0].video_identity.known());
  const Project known = load(R"(,"video_bytes":12,"video_checksum":"00000000000000ff")").value();
  EXPECT_EQ(known.cameras[0].video_identity, (VideoIdentity{12, 255}));
  EXPECT_TRUE(known.unknown_keys.empty());
  for (const char* wrong : {R"(,"video_bytes":-1)", R"(,"video_bytes":"1")", R"(,"video_checksum":3)",
                            R"(,"background_checksum":"nonsense")"})
    EXPECT_FALSE(load(wrong)) << wrong;
  EXPECT_FALSE(find_missing_files(known, path("nowhere"), ByName::when_unknown, StopSource()));
}

}  // namespace
}  // namespace vantage
