#include "core/project/camera_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "core/base/file.h"
#include "core/project/missing_files.h"
#include "core/project/new_project.h"
#include "core/project/recording_clock.h"
#include "core/video/video_writer.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

struct Expected {
  std::string camera;
  std::vector<std::string> files;
  FileGroup::By by = FileGroup::By::alone;
};

struct NamesCase {
  const char* name;
  std::vector<std::string> files;
  std::vector<Expected> groups;
};

using GroupedBy = FileGroup::By;

const NamesCase kNames[] = {
    {"a recorder's folder of all cameras, in any order and container",
     {"n/ch02_20260101_220000.mp4", "n/ch01_20260101_230000.mkv", "n/ch01_20260101_220000.mp4",
      "n/ch02_20260101_230000.mp4"},
     {{"ch02", {"n/ch02_20260101_220000.mp4", "n/ch02_20260101_230000.mp4"}, GroupedBy::clocks},
      {"ch01", {"n/ch01_20260101_220000.mp4", "n/ch01_20260101_230000.mkv"}, GroupedBy::clocks}}},
    {"a folder a camera, by the clock alone",
     {"n/left/20260101_220000.mp4", "n/left/20260101_230000.mp4", "n/right/20260101_220500.mp4",
      "n/right/20260101_231000.mp4"},
     {{"left", {"n/left/20260101_220000.mp4", "n/left/20260101_230000.mp4"}, GroupedBy::clocks},
      {"right", {"n/right/20260101_220500.mp4", "n/right/20260101_231000.mp4"}, GroupedBy::clocks}}},
    {"a folder a day",
     {"n/1/cam1_20260101_220000.mp4", "n/1/cam2_20260101_220000.mp4", "n/2/cam1_20260102_220000.mp4",
      "n/2/cam2_20260102_220000.mp4"},
     {{"cam1", {"n/1/cam1_20260101_220000.mp4", "n/2/cam1_20260102_220000.mp4"}, GroupedBy::clocks},
      {"cam2", {"n/1/cam2_20260101_220000.mp4", "n/2/cam2_20260102_220000.mp4"}, GroupedBy::clocks}}},
    {"folders of dates and hours below a camera's",
     {"n/left/2026-01-01/22/15.00.mp4", "n/left/2026-01-01/23/15.00.mp4", "n/left/2026-01-02/00/15.00.mp4",
      "n/right/2026/01/01/22.mp4", "n/right/2026/01/02/01.mp4"},
     {{"left",
       {"n/left/2026-01-01/22/15.00.mp4", "n/left/2026-01-01/23/15.00.mp4", "n/left/2026-01-02/00/15.00.mp4"},
       GroupedBy::clocks},
      {"right", {"n/right/2026/01/01/22.mp4", "n/right/2026/01/02/01.mp4"}, GroupedBy::clocks}}},
    {"a camera's folder below dates and hours, as Frigate writes",
     {"r/2026-01-01/22/door/00.10.mp4", "r/2026-01-01/22/hall/00.11.mp4", "r/2026-01-01/23/door/00.10.mp4",
      "r/2026-01-01/23/hall/00.11.mp4"},
     {{"door", {"r/2026-01-01/22/door/00.10.mp4", "r/2026-01-01/23/door/00.10.mp4"}, GroupedBy::clocks},
      {"hall", {"r/2026-01-01/22/hall/00.11.mp4", "r/2026-01-01/23/hall/00.11.mp4"}, GroupedBy::clocks}}},
    {"one camera whose days have a folder each",
     {"n/door/20260101/door_20260101_220000.mp4", "n/door/20260102/door_20260102_220000.mp4"},
     {{"door",
       {"n/door/20260101/door_20260101_220000.mp4", "n/door/20260102/door_20260102_220000.mp4"},
       GroupedBy::clocks}}},
    {"names that are no times, below a date",
     {"2026-01-01/22/77.mp4", "2026-01-01/22/78.mp4"},
     {{"", {"2026-01-01/22/77.mp4"}}, {"", {"2026-01-01/22/78.mp4"}}}},
    {"begin and end in the name",
     {"n/cam1_20260101220000_20260101230000.mp4", "n/cam1_20260101230000_20260102000000.mp4"},
     {{"cam1",
       {"n/cam1_20260101220000_20260101230000.mp4", "n/cam1_20260101230000_20260102000000.mp4"},
       GroupedBy::clocks}}},
    {"DJI's counter behind the clock",
     {"n/DJI_20260101220000_0001_D.MP4", "n/DJI_20260101221500_0002_D.MP4"},
     {{"DJI__D", {"n/DJI_20260101220000_0001_D.MP4", "n/DJI_20260101221500_0002_D.MP4"}, GroupedBy::clocks}}},
    {"GoPro's chapters, of two recordings",
     {"n/GH010123.MP4", "n/GH010124.MP4", "n/GH020123.MP4", "n/GH030123.MP4"},
     {{"GH010123", {"n/GH010123.MP4", "n/GH020123.MP4", "n/GH030123.MP4"}, GroupedBy::chapters},
      {"", {"n/GH010124.MP4"}}}},
    {"an older GoPro's",
     {"n/GP010123.MP4", "n/GOPR0123.MP4"},
     {{"GOPR0123", {"n/GOPR0123.MP4", "n/GP010123.MP4"}, GroupedBy::chapters}}},
    {"two GoPros with one number",
     {"a/GX010007.MP4", "a/GX020007.MP4", "b/GX010007.MP4", "b/GX020007.MP4"},
     {{"a", {"a/GX010007.MP4", "a/GX020007.MP4"}, GroupedBy::chapters},
      {"b", {"b/GX010007.MP4", "b/GX020007.MP4"}, GroupedBy::chapters}}},
    {"counters in a folder a camera",
     {"n/a/C0009.MP4", "n/a/C0010.MP4", "n/b/C0001.MP4", "n/b/C0002.MP4"},
     {{"a", {"n/a/C0009.MP4", "n/a/C0010.MP4"}, GroupedBy::numbers},
      {"b", {"n/b/C0001.MP4", "n/b/C0002.MP4"}, GroupedBy::numbers}}},
    {"counters in one folder may be cameras",
     {"n/C0009.MP4", "n/C0010.MP4"},
     {{"", {"n/C0009.MP4"}}, {"", {"n/C0010.MP4"}}}},
    {"cameras of two takes",
     {"1/cam001.mp4", "1/cam002.mp4", "2/cam001.mp4", "2/cam002.mp4"},
     {{"", {"1/cam001.mp4"}}, {"", {"1/cam002.mp4"}}, {"", {"2/cam001.mp4"}}, {"", {"2/cam002.mp4"}}}},
    {"cameras by short numbers",
     {"a/1.mp4", "a/2.mp4", "b/1.mp4", "b/2.mp4"},
     {{"", {"a/1.mp4"}}, {"", {"a/2.mp4"}}, {"", {"b/1.mp4"}}, {"", {"b/2.mp4"}}}},
    {"videos next to clips",
     {"a/video.avi", "a/empty.avi", "b/video.avi"},
     {{"", {"a/video.avi"}}, {"", {"a/empty.avi"}}, {"", {"b/video.avi"}}}},
    {"one file a camera, with clocks",
     {"n/cam1_20260101_220000.mp4", "n/cam2_20260101_220000.mp4"},
     {{"", {"n/cam1_20260101_220000.mp4"}}, {"", {"n/cam2_20260101_220000.mp4"}}}},
    {"addresses, patterns and folders of pictures",
     {"rtsp://h/a_20260101_220000.mp4", "rtsp://h/a_20260101_230000.mp4", "p/img_%04d.png", "pictures"},
     {{"", {"rtsp://h/a_20260101_220000.mp4"}},
      {"", {"rtsp://h/a_20260101_230000.mp4"}},
      {"", {"p/img_%04d.png"}},
      {"", {"pictures"}}}}};

TEST(CameraFiles, AreGroupedByTheirNames) {
  for (const NamesCase& one : kNames) {
    SCOPED_TRACE(one.name);
    const std::vector<FileGroup> groups = group_files(one.files);
    ASSERT_EQ(groups.size(), one.groups.size());
    for (size_t i = 0; i < groups.size(); ++i) {
      EXPECT_EQ(groups[i].camera, one.groups[i].camera);
      EXPECT_EQ(groups[i].files, one.groups[i].files);
      EXPECT_EQ(groups[i].by, one.groups[i].by);
    }
  }
  EXPECT_EQ(group_files({"n/c_20260101_220000.mp4", "n/c_20260101_230000.mp4"}).front().video(), "n/c.files");
  EXPECT_EQ(keep_apart({"n/c_20260101_220000.mp4", "n/c_20260101_230000.mp4"}).size(), 2u);
}

class JoinTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  std::string video(const std::string& name, int frames, double frame_rate = 25, int width_px = 64) const {
    const std::string file = path(name);
    EXPECT_TRUE(make_folder(fs::path(file).parent_path()));
    VideoWriterOptions options;
    options.frame_rate = frame_rate, options.gop_frames = 10;
    Picture picture =
        Picture::make({PictureLayout::i420, width_px, 48, ColorRange::limited, ColorMatrix::bt601},
                      HostPool::shared())
            .value();
    for (int plane = 0; plane < picture.plane_count(); ++plane)
      for (int y = 0; y < picture.plane(plane).height; ++y)
        std::memset(picture.writable_plane(plane).row(y), 90,
                    static_cast<size_t>(picture.plane(plane).width));
    auto writer = VideoWriter::open(file, picture.format(), options);
    EXPECT_TRUE(writer) << writer.error().message();
    for (int frame = 0; frame < frames; ++frame) EXPECT_TRUE((*writer)->write(picture));
    EXPECT_TRUE((*writer)->finish());
    return file;
  }
  // Files of one camera, with these clocks (behind 22:00) and lengths.
  Result<JoinedFiles> join(const std::vector<std::pair<std::string, int>>& files) const {
    std::vector<std::string> names;
    for (const auto& [clock, frames] : files)
      names.push_back(video("cam1_20260101_22" + clock + ".mp4", frames));
    return join_files(group_files(names).at(0), 0, {});
  }
  static std::vector<int64_t> firsts(const Result<JoinedFiles>& joined) {
    std::vector<int64_t> frames;
    if (joined)
      for (const ListedFile& file : joined->list.files) frames.push_back(file.first_frame);
    return frames;
  }
  static std::string error(const Result<JoinedFiles>& joined) {
    return joined ? "" : joined.error().message();
  }

  const test::TemporaryFolder folder_;
};

TEST_F(JoinTest, ClocksPlaceFilesToTheSecond) {
  const auto joined = join({{"0000", 50}, {"0002", 60}, {"0004", 40}, {"0010", 50}});
  ASSERT_TRUE(joined) << joined.error().message();
  EXPECT_EQ(firsts(joined), (std::vector<int64_t>{0, 50, 110, 250}))
      << "0.4 s are the clocks' rounding, 4 s a gap";
  EXPECT_EQ(joined->list.order, "the clocks in their names");
  EXPECT_EQ(joined->list.clock, "2026-01-01T22:00:00.000");
  EXPECT_EQ(joined->list.frame_rate, 25);
  EXPECT_EQ(joined->list.files[1].frames, 60);
  EXPECT_EQ(joined->list.files[1].identity, identify_video(joined->list.files[1].file.string()).value());
  EXPECT_TRUE(joined->notes.empty());
  // The user's rate places them, too.
  std::vector<std::string> files;
  for (const ListedFile& file : joined->list.files) files.push_back(file.file.string());
  EXPECT_EQ(firsts(join_files(group_files(files).at(0), 50, {})), (std::vector<int64_t>{0, 100, 160, 500}));
  // An error of half a second a file does not add up.
  EXPECT_EQ(firsts(join({{"2000", 38}, {"2002", 38}, {"2004", 38}, {"2006", 38}})),
            (std::vector<int64_t>{0, 38, 76, 150}));
}

TEST_F(JoinTest, AnOverlapIsTheEarlierFiles) {
  const auto joined = join({{"0000", 100}, {"0003", 100}});
  ASSERT_TRUE(joined) << joined.error().message();
  EXPECT_EQ(firsts(joined), (std::vector<int64_t>{0, 75}));
  EXPECT_EQ(spans_of(joined->list).back().begin, 100);
}

TEST_F(JoinTest, WhatIsNotOneCamerasIsAnErrorThatNamesTheFile) {
  const std::string most = error(join({{"0000", 100}, {"0001", 100}}));
  EXPECT_NE(most.find("cam1_20260101_220001.mp4: 3.00 of its 4.00 s are of the same time as "),
            std::string::npos)
      << most;
  EXPECT_NE(most.find("--apart"), std::string::npos) << most;

  const FileGroup sizes{
      GroupedBy::clocks, "c", {path("c_20260101_220000.mp4"), video("c_20260101_220002.mp4", 50, 25, 32)}};
  video("c_20260101_220000.mp4", 50);
  EXPECT_NE(
      error(join_files(sizes, 0, {}))
          .find("c_20260101_220002.mp4: has 32x48 px, c_20260101_220000.mp4 of the same camera has 64x48 px"),
      std::string::npos)
      << error(join_files(sizes, 0, {}));

  const FileGroup rates{
      GroupedBy::clocks, "r", {video("r_20260101_220000.mp4", 50), video("r_20260101_220002.mp4", 50, 30)}};
  EXPECT_NE(error(join_files(rates, 0, {})).find("r_20260101_220002.mp4: has 30 frames/s, "),
            std::string::npos)
      << error(join_files(rates, 0, {}));

  // Cut off in the middle, without its index.
  fs::resize_file(rates.files[1], fs::file_size(rates.files[1]) / 2);
  EXPECT_NE(error(join_files(rates, 0, {})).find("r_20260101_220002.mp4: "), std::string::npos)
      << error(join_files(rates, 0, {}));

  const FileGroup weeks{
      GroupedBy::clocks, "w", {video("w_20260101_220000.mp4", 5), video("w_20260301_220000.mp4", 5)}};
  EXPECT_NE(error(join_files(weeks, 0, {})).find("w_20260301_220000.mp4: begins 59.0 days after"),
            std::string::npos)
      << error(join_files(weeks, 0, {}));
}

TEST_F(JoinTest, NumbersWithoutClocksFollowEachOtherAndSaySo) {
  const FileGroup group{GroupedBy::numbers, "a", {video("a/C0001.mp4", 30), video("a/C0002.mp4", 40)}};
  const auto joined = join_files(group, 0, {});
  ASSERT_TRUE(joined) << joined.error().message();
  EXPECT_EQ(firsts(joined), (std::vector<int64_t>{0, 30}));
  EXPECT_EQ(joined->list.order, "the numbers in their names, one after the other: no clock tells of gaps");
  EXPECT_EQ(joined->list.clock, "");
  const auto gopro = join_files({GroupedBy::chapters, "GH010123", group.files}, 0, {});
  ASSERT_TRUE(gopro);
  EXPECT_EQ(gopro->list.order, "their chapters, one after the other without gaps");
}

TEST_F(JoinTest, ContainersClocksPlaceNumberedFiles) {
  if (std::system("ffmpeg -version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "the ffmpeg program is not installed";
  const std::string from = video("from.mp4", 50);
  ASSERT_TRUE(make_folder(path("a")));
  const auto dated = [&](const std::string& name, const std::string& clock) {
    EXPECT_EQ(std::system(("ffmpeg -nostdin -v error -y -i '" + from +
                           "' -c copy -metadata creation_time=" + clock + " '" + path(name) + "'")
                              .c_str()),
              0);
    return path(name);
  };
  const FileGroup group{
      GroupedBy::numbers,
      "a",
      {dated("a/C0001.mp4", "2026-01-01T22:00:00Z"), dated("a/C0002.mkv", "2026-01-01T22:00:06Z")}};
  const auto joined = join_files(group, 0, {});
  ASSERT_TRUE(joined) << joined.error().message();
  EXPECT_EQ(firsts(joined), (std::vector<int64_t>{0, 150}));
  EXPECT_EQ(joined->list.order, "their containers' clocks");
  EXPECT_EQ(parse_clock(joined->list.clock)->start_utc_s, parse_clock("2026-01-01T22:00:00Z")->start_utc_s);
  // Copies with one date tell nothing; a step back contradicts the numbers.
  dated("a/C0002.mkv", "2026-01-01T22:00:00Z");
  EXPECT_EQ(firsts(join_files(group, 0, {})), (std::vector<int64_t>{0, 50}));
  dated("a/C0002.mkv", "2026-01-01T21:00:00Z");
  EXPECT_NE(error(join_files(group, 0, {})).find("C0002.mkv: its number is higher than that of C0001.mp4"),
            std::string::npos)
      << error(join_files(group, 0, {}));
}

TEST_F(JoinTest, AProjectOfListsIsWrittenOpenedAndFoundAgain) {
  std::vector<NewCamera> cameras;
  for (const auto& [camera, clock] : {std::pair("cam1", "2200"), std::pair("cam2", "2201")}) {
    const std::string name = std::string("night/") + camera + "_20260101_" + clock;
    const FileGroup group = group_files({video(name + "00.mp4", 50), video(name + "10.mp4", 50)}).at(0);
    NewCamera& added = cameras.emplace_back();
    added.video = group.video();
    added.files = join_files(group, 0, {}).value().list;
    added.info = open_file_list(*added.files, added.video, {}).value()->info();
  }
  const std::vector<std::string> said = offset_by_clocks(&cameras);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("cam2 starts 60 s later than the first camera"), std::string::npos) << said[0];
  ASSERT_TRUE(write_file_lists(path("hall.vantage"), &cameras));
  const auto project = assemble_project(cameras);
  ASSERT_TRUE(project) << project.error().message();
  ASSERT_TRUE(save_project(*project, path("hall.vantage")));
  const std::string text = read_file(path("hall.vantage")).value();
  EXPECT_NE(text.find("\"hall.videos/cam1.files\""), std::string::npos) << text;

  Project loaded = load_project(path("hall.vantage")).value();
  EXPECT_EQ(loaded.cameras[1].name, "cam2");
  EXPECT_EQ(loaded.cameras[1].offset_frames, -1500) << "its frame 0 is 60 s behind the base's";
  EXPECT_TRUE(loaded.cameras[0].video_identity.known());
  EXPECT_EQ((*open_video(loaded.cameras[0].video, {}))->info().frame_count, 300);
  EXPECT_EQ(find_clock(loaded)->start_utc_s, parse_clock("2026-01-01T22:00:00")->start_utc_s);
  EXPECT_EQ(find_clock(loaded)->source, "cam1.files, by the clocks in their names");

  // The footage moves: the project finds it, and its lists name it where it is.
  ASSERT_TRUE(make_folder(path("disk")));
  fs::rename(path("night"), path("disk/archive"));
  ASSERT_EQ(missing_files(loaded).size(), 2u);
  EXPECT_NE(check_project_files(loaded).error().message().find("cam1_20260101_220000.mp4 of "),
            std::string::npos)
      << check_project_files(loaded).error().message();
  const auto found = find_missing_files(loaded, path("disk"), ByName::when_unknown, StopSource());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at(0).why,
            "its files are in " + path("disk/archive") + ", same names, sizes and checksums");
  ASSERT_TRUE(write_found_lists(*found));
  EXPECT_EQ(relink(*found, &loaded), 2u);
  EXPECT_EQ(loaded.cameras[0].video, path("hall.videos/cam1-2.files")) << "undone by the old path";
  EXPECT_TRUE(missing_files(loaded).empty());
  const auto opened = open_video(loaded.cameras[1].video, {});
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_EQ((*opened)->content_hash(), loaded.cameras[1].video_identity.checksum) << "results stay current";
  // Without one of its files it is not found.
  fs::rename(path("disk/archive"), path("disk/again"));
  fs::remove(path("disk/again/cam1_20260101_220010.mp4"));
  const auto part = find_missing_files(loaded, path("disk"), ByName::when_unknown, StopSource());
  ASSERT_TRUE(part);
  EXPECT_EQ(part->at(0).path, "");
  EXPECT_NE(part->at(1).path, "");
}

TEST_F(JoinTest, OffsetsByClocksNeedEveryCamerasClock) {
  NewCamera list, file;
  list.video = "n/cam1.files";
  list.files = FileList{"the clocks in their names", "2026-01-01T22:00:00", 25, 64, 48, {}};
  list.info.frame_rate = file.info.frame_rate = 25;
  file.video = "n/cam2.mp4";
  std::vector<NewCamera> cameras = {list, file};
  EXPECT_NE(offset_by_clocks(&cameras).at(0).find("no clock tells when cam2 starts"), std::string::npos);
  EXPECT_EQ(cameras[1].offset_frames, 0);
  cameras[1].video = "n/cam2_20260101_215930.mp4";
  EXPECT_EQ(offset_by_clocks(&cameras).size(), 1u);
  EXPECT_EQ(cameras[1].offset_frames, 750);
  cameras = {file, file};
  EXPECT_TRUE(offset_by_clocks(&cameras).empty()) << "videos in one file are left alone";
}

}  // namespace
}  // namespace vantage
