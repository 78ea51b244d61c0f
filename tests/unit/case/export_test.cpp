// What is exported plays frame by frame at its times, and is there as a whole or not at all.
#include "core/export/case/case_export.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/base/file.h"
#include "core/export/case/case_verify.h"
#include "core/export/case/handover.h"
#include "core/export/case/mosaic.h"
#include "core/geometry/camera.h"
#include "core/video/stream_packet.h"
#include "core/video/video_source.h"
#include "tests/unit/case/case_footage.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

class ExportTest : public testing::Test {
 protected:
  CaseOptions options() const {
    CaseOptions options;
    options.project = test::case_footage();
    options.span = {11, 31};
    options.cameras = {0, 2};
    options.who = "A. Jones", options.why = "a test <1>";
    options.out = folder_.path() / "case";
    options.backends = test::cpu_backends();
    return options;
  }
  // Nothing of the export, also no hidden folder.
  bool nothing_left() const {
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      if (entry.path().filename() != "config") return false;
    return true;
  }
  static std::vector<DecodedFrame> frames_of(const fs::path& file) {
    std::vector<DecodedFrame> frames;
    auto video = open_video(file.string(), {});
    EXPECT_TRUE(video) << (video ? "" : video.error().message());
    while (video) {
      auto frame = (*video)->read();
      if (!frame) break;
      frames.push_back(std::move(*frame));
    }
    return frames;
  }

  const test::TemporaryFolder folder_;
};

double mean_difference(const Picture& a, const Picture& b, int left, int top, int right, int bottom) {
  int64_t sum = 0;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) sum += std::abs(a.plane(0).at(x, y) - b.plane(0).at(x, y));
  return static_cast<double>(sum) / ((right - left) * (bottom - top));
}

TEST_F(ExportTest, FramesAndTimesAreThoseOfTheSpan) {
  CaseOptions wanted = options();
  wanted.grid = wanted.originals = true;
  wanted.overlays = {true, true, true};
  const auto made = export_case(wanted);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->folder, folder_.path() / "case");
  ASSERT_EQ(made->cameras.size(), 2U);
  EXPECT_EQ(made->cameras[1].name, "cam3");
  EXPECT_EQ(made->cameras[0].frames, 20);
  for (const char* file : {"video/cam1.mp4", "video/cam3.mp4", "video/all_cameras.mp4"}) {
    const std::vector<DecodedFrame> frames = frames_of(made->folder / file);
    ASSERT_EQ(frames.size(), 20U) << file;
    for (size_t i = 0; i < frames.size(); ++i)
      EXPECT_NEAR(static_cast<double>(frames[i].time_ns), static_cast<double>(i) / 12.5 * 1e9, 1e5) << file;
  }
  const auto source = open_video((test::case_footage().parent_path() / "cam3.mp4").string(), {});
  ASSERT_TRUE((*source)->seek(11));
  const Picture original = (*source)->read()->picture;
  EXPECT_LT(mean_difference(original, frames_of(made->folder / "video/cam3.mp4")[0].picture, 0, 0, 640, 100),
            3);
  for (const char* file :
       {"report.html", "report.pdf", "data/tracks.csv", "data/people.csv", "data/events.jsonl",
        "data/results.jsonl", "data/project.vantage", "originals/cam1.mkv"})
    EXPECT_TRUE(fs::exists(made->folder / file)) << file;
  EXPECT_NE(read_file(made->folder / "report.html")->find("a test &lt;1&gt;"), std::string::npos);
  const auto verdict = verify_case(made->folder, KnownKeys::read().value());
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->untouched());
  EXPECT_EQ(verdict->key_name, "this user");
  const auto spans = read_exported_spans(test::case_footage().parent_path() / "scene.results");
  ASSERT_TRUE(spans) << spans.error().message();
  ASSERT_FALSE(spans->empty());
  const ExportedSpan& span = spans->back();
  EXPECT_TRUE(span.first_frame == 11 && span.last_frame == 30 && span.id == made->id &&
              span.folder == made->folder.string());
}

TEST(ExportedSpans, ADamagedListIsSaidAndLeftAlone) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(read_exported_spans(folder.path())->empty());
  const ExportedSpan first{0, 9, "a1", "/cases/one"}, second{5, 5, "b2", "/cases/two"};
  ASSERT_TRUE(add_exported_span(folder.path(), first));
  ASSERT_TRUE(add_exported_span(folder.path(), second));
  EXPECT_EQ(read_exported_spans(folder.path()).value(), (std::vector<ExportedSpan>{first, second}));
  for (
      const char* text :
      {"", "[]",
       R"({"schema":"vantage-exported-1","exported":[{"first_frame":7,"last_frame":3,"case":"a","folder":"b"}]})",
       R"({"schema":"vantage-exported-1","exported":[{"first_frame":"x"}]})"}) {
    ASSERT_TRUE(write_file_atomically(folder.path() / "exported.json", text));
    EXPECT_EQ(read_exported_spans(folder.path()).error().kind, ErrorKind::bad_data) << text;
    EXPECT_FALSE(add_exported_span(folder.path(), first));
    EXPECT_EQ(read_file(folder.path() / "exported.json").value(), text);
  }
}

TEST_F(ExportTest, TheOriginalsAreTheRecordedPictures) {
  CaseOptions wanted = options();
  wanted.originals = true;
  const auto made = export_case(wanted);
  ASSERT_TRUE(made) << made.error().message();
  const std::vector<DecodedFrame> copy = frames_of(made->folder / "originals/cam1.mkv");
  const auto source = open_video((test::case_footage().parent_path() / "cam1.mp4").string(), {});
  // From the key picture before the span up to its last picture at least.
  ASSERT_GE(copy.size(), 31U);
  for (size_t i = 0; i < 31; ++i) {
    const Picture picture = (*source)->read()->picture;
    ASSERT_EQ(mean_difference(picture, copy[i].picture, 0, 0, 640, 480), 0) << "picture " << i;
  }
}

TEST_F(ExportTest, BlurredPicturesHideAndTheSameExportGivesTheSamePictures) {
  CaseOptions wanted = options();
  wanted.span = {20, 24};
  wanted.cameras = {0};
  wanted.blur.on = true;
  const auto made = export_case(wanted);
  ASSERT_TRUE(made) << made.error().message();
  wanted.out = folder_.path() / "again";
  const auto again = export_case(wanted);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_NE(made->id, again->id);
  EXPECT_EQ(read_file(made->folder / "video/cam1.mp4").value(),
            read_file(again->folder / "video/cam1.mp4").value());
  wanted.blur.on = false, wanted.out = folder_.path() / "plain";
  const auto plain = export_case(wanted);
  ASSERT_TRUE(plain);
  EXPECT_NE(read_file(made->folder / "video/cam1.mp4").value(),
            read_file(plain->folder / "video/cam1.mp4").value());
}

// Whoever is made unrecognisable is not called by name anywhere in the case.
TEST_F(ExportTest, NamesOfHiddenPeopleStayAtHome) {
  const fs::path scene = folder_.path() / "scene";
  fs::copy(test::case_footage().parent_path(), scene, fs::copy_options::recursive);
  CaseOptions wanted = options();
  wanted.project = scene / "scene.vantage";
  wanted.span = {20, 24};
  wanted.cameras = {0};
  auto project = load_project(wanted.project);
  ASSERT_TRUE(project);
  const auto paths = read_paths(project->results_folder() / "tracks.csv");
  ASSERT_TRUE(paths);
  ASSERT_GE(paths->size(), 2U);
  for (const auto& [person, name] : {std::pair(0, "Anna Berg"), std::pair(1, "Bob Quist")}) {
    const PathPoint first = (*paths)[person].points[0];
    project->repairs.push_back({RepairKind::name, {first.frame, first.x_m, first.y_m}, {}, name});
  }
  ASSERT_TRUE(save_project(*project, wanted.project));
  const auto says = [&](const fs::path& made, const char* name) {
    bool any = false;
    for (const char* file : {"report.html", "data/people.csv", "data/visits.csv", "data/project.vantage"})
      any = any || read_file(made / file).value_or("").find(name) != std::string::npos;
    return any;
  };
  const auto plain = export_case(wanted);
  ASSERT_TRUE(plain) << plain.error().message();
  EXPECT_TRUE(says(plain->folder, "Anna Berg") && says(plain->folder, "Bob Quist"));
  wanted.out = folder_.path() / "blurred";
  wanted.blur = {true, {(*paths)[0].id}};
  const auto blurred = export_case(wanted);
  ASSERT_TRUE(blurred) << blurred.error().message();
  EXPECT_TRUE(says(blurred->folder, "Anna Berg"));
  EXPECT_FALSE(says(blurred->folder, "Bob Quist"));
  EXPECT_TRUE(says(blurred->folder, "except Anna Berg was made unrecognisable"));
  EXPECT_TRUE(says(blurred->folder, "none of 840 pictures showed a part of a hidden person: at most 0.4 %"));
}

// Bookmarks of the span go along; those of other times, and where messages go, are nobody else's business.
TEST_F(ExportTest, BookmarksOfTheSpanAndNothingElse) {
  const fs::path scene = folder_.path() / "scene";
  fs::copy(test::case_footage().parent_path(), scene, fs::copy_options::recursive);
  CaseOptions wanted = options();
  wanted.project = scene / "scene.vantage";
  wanted.span = {20, 24};
  wanted.cameras = {0};
  auto project = load_project(wanted.project);
  ASSERT_TRUE(project);
  project->bookmarks = {
      {5, "long before", {}}, {20, "bag, left", Eigen::Vector2d(0.5, 1)}, {24, "just after", {}}};
  project->push_targets = {{.name = "home", .address = "mqtt://inside.example"}};
  ASSERT_TRUE(save_project(*project, wanted.project));
  const auto made = export_case(wanted);
  ASSERT_TRUE(made) << made.error().message();
  const std::string table = read_file(made->folder / "data/bookmarks.csv").value_or("");
  EXPECT_NE(table.find("\"bag, left\",0.500,1.000"), std::string::npos) << table;
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 2) << table;
  EXPECT_NE(read_file(made->folder / "report.html").value_or("").find("bag, left"), std::string::npos);
  const auto handed = load_project(made->folder / "data/project.vantage");
  ASSERT_TRUE(handed) << handed.error().message();
  ASSERT_EQ(handed->bookmarks.size(), 1U);
  EXPECT_EQ(handed->bookmarks[0].frame, 20);
  EXPECT_TRUE(handed->push_targets.empty());
  for (const auto& file : fs::recursive_directory_iterator(made->folder)) {
    if (!file.is_regular_file()) continue;
    for (const char* other : {"long before", "just after", "inside.example"})
      EXPECT_EQ(read_file(file.path()).value_or("").find(other), std::string::npos) << file.path() << other;
  }
}

TEST_F(ExportTest, WrongWishesLeaveNothing) {
  const auto kind = [&](const std::function<void(CaseOptions&)>& change) {
    CaseOptions wanted = options();
    change(wanted);
    const auto made = export_case(wanted);
    EXPECT_FALSE(made);
    EXPECT_TRUE(nothing_left());
    return made ? ErrorKind::end_of_stream : made.error().kind;
  };
  EXPECT_EQ(kind([](CaseOptions& o) { o.who.clear(); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind([](CaseOptions& o) { o.why.clear(); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind([](CaseOptions& o) { o.cameras = {}; }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind([](CaseOptions& o) { o.cameras = {7}; }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind([](CaseOptions& o) { o.span = {100000, 100001}; }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind([](CaseOptions& o) { o.blur = {true, {4711}}; }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind([](CaseOptions& o) { o.stop.request_stop(); }), ErrorKind::cancelled);
  EXPECT_EQ(kind([](CaseOptions& o) {
              o.progress = [stop = o.stop](const CaseProgress& at) mutable {
                if (at.done > 5) stop.request_stop();
              };
            }),
            ErrorKind::cancelled);
}

TEST_F(ExportTest, NothingIsWrittenOver) {
  CaseOptions wanted = options();
  ASSERT_TRUE(write_file_atomically(wanted.out, "mine"));
  EXPECT_EQ(export_case(wanted).error().kind, ErrorKind::invalid_argument);
  EXPECT_EQ(read_file(wanted.out).value(), "mine");
  fs::remove(wanted.out);
  ASSERT_TRUE(make_folder(wanted.out));
  ASSERT_TRUE(write_file_atomically(wanted.out / "file", "mine"));
  EXPECT_EQ(export_case(wanted).error().kind, ErrorKind::invalid_argument);
  EXPECT_EQ(read_file(wanted.out / "file").value(), "mine");
}

TEST_F(ExportTest, BlurNeedsResults) {
  const fs::path scene = folder_.path() / "scene";
  fs::copy(test::case_footage().parent_path(), scene, fs::copy_options::recursive);
  fs::remove_all(scene / "scene.results");
  CaseOptions wanted = options();
  wanted.project = scene / "scene.vantage";
  wanted.span = {0, 3};
  wanted.blur.on = true;
  const auto made = export_case(wanted);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::not_found);
  wanted.blur.on = false;
  const auto plain = export_case(wanted);
  ASSERT_TRUE(plain) << plain.error().message();
  EXPECT_FALSE(fs::exists(plain->folder / "data" / "tracks.csv"));
}

// By people of another calibration somebody might be shown.
TEST_F(ExportTest, BlurNeedsResultsOfThePresentCalibration) {
  const fs::path scene = folder_.path() / "scene";
  fs::copy(test::case_footage().parent_path(), scene, fs::copy_options::recursive);
  CaseOptions wanted = options();
  wanted.project = scene / "scene.vantage";
  wanted.span = {0, 3};
  wanted.blur.on = true;
  const auto before = export_case(wanted);
  EXPECT_TRUE(before) << before.error().message();
  wanted.out = folder_.path() / "again";
  auto project = load_project(wanted.project);
  ASSERT_TRUE(project);
  CameraChange change = CameraChange::Zero();
  change[3] = 0.1;
  std::optional<Camera>& camera = project->cameras[1].calibration;
  camera = changed_camera(*camera, change);
  ASSERT_TRUE(save_project(*project, wanted.project));
  const auto made = export_case(wanted);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::invalid_argument);
  EXPECT_NE(made.error().remedy.find("Analyse"), std::string::npos);
  wanted.blur.on = false;
  EXPECT_TRUE(export_case(wanted));
}

// Sound of the span, moved to its begin.
TEST_F(ExportTest, SoundIsCopied) {
  const fs::path scene = folder_.path() / "scene";
  fs::copy(test::case_footage().parent_path(), scene, fs::copy_options::recursive);
  const std::string silent = (scene / "cam1.mp4").string(), loud = (scene / "loud.mp4").string();
  const std::string command =
      "ffmpeg -v error -i '" + silent +
      "' -f lavfi -i sine=frequency=440:duration=5 -map 0:v -map 1:a -c:v copy -c:a aac '" + loud +
      "' && mv '" + loud + "' '" + silent + "'";
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no ffmpeg";
  ASSERT_EQ(std::system(command.c_str()), 0);
  CaseOptions wanted = options();
  wanted.project = scene / "scene.vantage";
  wanted.span = {25, 50};
  const auto made = export_case(wanted);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->cameras[0].sound, "aac, copied");
  EXPECT_EQ(made->cameras[1].sound, "none in the file");
  const std::string probe = "ffprobe -v error -select_streams a -show_entries stream=duration -of csv=p=0 '" +
                            (made->folder / "video/cam1.mp4").string() + "' > '" +
                            (folder_.path() / "length").string() + "'";
  ASSERT_EQ(std::system(probe.c_str()), 0);
  EXPECT_NEAR(std::strtod(read_file(folder_.path() / "length")->c_str(), nullptr), 2, 0.05);
}

}  // namespace
}  // namespace vantage
