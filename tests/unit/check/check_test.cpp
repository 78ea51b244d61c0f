// Each verdict of the checks, on small footage of the real chain.
#include "core/check/check.h"
#include "core/check/bumped_cameras.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "core/check/detail/sample.h"
#include "core/image/image_files.h"
#include "core/synth/synth.h"
#include "core/video/detail/sources.h"
#include "core/video/video_writer.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

class CheckTest : public testing::Test {
 protected:
  void SetUp() override {
    register_cpu_backends(backends_);
    options_.backends = &backends_;
    project_ = test::make_footage(folder_.path(), 3, 30);
  }
  // The report on the unchanged project; made once, until a test changes something.
  const CheckReport& report() {
    if (!report_) report_ = check_project(project_, options_);
    return *report_;
  }
  void changed() { report_.reset(); }
  // The item of a check and camera; the test fails where there is none.
  CheckItem item(const std::string& check, const std::string& camera) {
    for (const CheckItem& one : report().items)
      if (one.check == check && one.camera == camera) return one;
    ADD_FAILURE() << "no " << check << " of " << camera;
    return {};
  }
  void expect(Verdict verdict, const std::string& check, const std::string& camera) {
    const CheckItem found = item(check, camera);
    EXPECT_EQ(verdict_name(found.verdict), verdict_name(verdict)) << found.figure;
    EXPECT_FALSE(found.figure.empty());
    EXPECT_FALSE(found.limit.empty());
    EXPECT_EQ(found.remedy.empty(), verdict == Verdict::passed) << found.remedy;
    EXPECT_EQ(found.remedy.find("vantage-cli"), std::string::npos) << "the window has no command line";
    if (verdict == Verdict::passed) EXPECT_TRUE(found.command.empty());
  }

  const test::TemporaryFolder folder_;
  BackendRegistry backends_;
  CheckOptions options_;
  Project project_;

 private:
  std::optional<CheckReport> report_;
};

TEST_F(CheckTest, SoundFootagePasses) {
  expect(Verdict::passed, "decoding", "cam1");
  expect(Verdict::passed, "foreground", "cam1");
  expect(Verdict::passed, "calibration", "cam2");
  expect(Verdict::passed, "calibration", "");
  expect(Verdict::passed, "disk", "");
  expect(Verdict::passed, "memory", "");
  expect(Verdict::passed, "time", "");
}

// The number of frames follows the plan, not the time that they take.
TEST_F(CheckTest, AFixedPlanOfFramesIsRead) {
  EXPECT_EQ(item("decoding", "cam1").figure, "16 of 16 frames");
  options_.moments = 4, changed();
  EXPECT_EQ(item("decoding", "cam2").figure, "4 of 4 frames");
}

// With enough key frames nothing else is decoded; fewer of large pictures are read.
TEST_F(CheckTest, FramesAreTakenWhereDecodingStarts) {
  const auto path = folder_.path() / "starts.mp4";
  const Picture picture = test::footage_picture(0, 0, true);
  auto writer = VideoWriter::open(path, picture.format(), {.gop_frames = 5, .b_frames = 0});
  ASSERT_TRUE(writer) << writer.error().message();
  for (int i = 0; i < 30; ++i) ASSERT_TRUE((*writer)->write(picture));
  ASSERT_TRUE((*writer)->finish());
  const auto video = open_video(path.string(), {});
  ASSERT_TRUE(video) << video.error().message();
  ASSERT_EQ((*video)->wait_for_frame_count({}).value(), 30);
  EXPECT_EQ(sample_moments(**video, 30, 3), (std::vector<int64_t>{5, 15, 25}));
  EXPECT_EQ(sample_moments(**video, 30, 5), (std::vector<int64_t>{0, 5, 15, 20, 25}));
  EXPECT_EQ(sample_moments(**video, 30, 10), sample_moments(30, 10));
  VideoInfo large;
  large.width_px = 3840, large.height_px = 2160;
  EXPECT_EQ(sample_moments(*make_missing_source("none", large), 1000, 16).size(), 7u);
}

TEST_F(CheckTest, TooLittleMemory) {
  options_.memory.host_bytes = 1e6;
  expect(Verdict::failed, "memory", "");
  options_.memory.host_bytes = 1e12;
  options_.device = Device::cuda;
  options_.memory.device_bytes = 1e6, changed();
  expect(Verdict::failed, "memory", "");
  EXPECT_NE(item("memory", "").figure.find("of GPU memory"), std::string::npos);
  options_.memory.device_bytes = 1e12, changed();
  expect(Verdict::passed, "memory", "");
}

// A run learns the complete clip too: the check judges that very model, however few frames it examines.
TEST_F(CheckTest, TheWholeClipIsLearnt) {
  const std::string figure = item("empty scene", "cam1").figure;
  EXPECT_NE(figure.find("of the clip"), std::string::npos) << figure;
  options_.moments = 2, changed();
  EXPECT_EQ(item("empty scene", "cam1").figure, figure);
}

// Parts and progress come in order; the report has the parts' times.
TEST_F(CheckTest, PartsAreReported) {
  std::vector<CheckProgress> told;
  options_.progress = [&](const CheckProgress& at) { told.push_back(at); };
  const CheckReport report = check_project(project_, options_);
  EXPECT_FALSE(report.stopped);
  ASSERT_FALSE(report.parts.empty());
  size_t part = 0;
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_LE(told[i].done, told[i].total) << told[i].part;
    if (i == 0 || told[i].part == told[i - 1].part) {
      EXPECT_TRUE(i == 0 || told[i].done >= told[i - 1].done) << told[i].part;
      continue;
    }
    EXPECT_EQ(told[i].done, 0u) << told[i].part;
    if (told[i - 1].total > 1) {
      EXPECT_EQ(told[i - 1].done, told[i - 1].total) << told[i - 1].part;
    }
    ASSERT_LT(++part, report.parts.size());
    EXPECT_EQ(told[i].part, report.parts[part].part);
  }
  EXPECT_EQ(told.front().part, "videos");
  EXPECT_EQ(told.front().total, project_.cameras.size() * 17) << "the learning, and 16 instants";
  EXPECT_EQ(part + 1, report.parts.size());
  for (const CheckPart& one : report.parts) {
    EXPECT_GE(one.seconds, 0) << one.part;
    EXPECT_GE(one.cpu_seconds, 0) << one.part;
  }
}

// A stop in any part: nothing begins after it, and nothing is concluded.
TEST_F(CheckTest, StopsWhereItIs) {
  for (const char* const part : {"videos", "views", "outlines", "people", "silhouettes"}) {
    SCOPED_TRACE(part);
    CheckOptions options = options_;
    options.stop = {};
    options.progress = [&](const CheckProgress& at) {
      if (at.part == part) options.stop.request_stop();
    };
    const CheckReport report = check_project(project_, options);
    EXPECT_TRUE(report.stopped);
    ASSERT_FALSE(report.parts.empty());
    for (const CheckItem& one : report.items) {
      EXPECT_NE(one.check, "outlines");
      EXPECT_NE(one.check, "silhouettes");
      EXPECT_NE(one.check, "disk");
    }
    EXPECT_EQ(report.parts.back().part, part);
  }
}

TEST_F(CheckTest, MissingFile) {
  std::filesystem::remove(project_.cameras[1].video);
  expect(Verdict::failed, "decoding", "cam2");
  expect(Verdict::passed, "decoding", "cam1");
  EXPECT_EQ(report().worst(), Verdict::failed);
}

TEST_F(CheckTest, DamagedVideo) {
  std::string bytes = read_file(project_.cameras[2].video).value();
  const size_t data = bytes.find("mdat") + 64;
  std::memset(bytes.data() + data + (bytes.size() - data) / 4, 0x55, (bytes.size() - data) / 3);
  ASSERT_TRUE(write_file_atomically(project_.cameras[2].video, bytes));
  EXPECT_GE(item("decoding", "cam3").verdict, Verdict::doubtful);
  EXPECT_FALSE(item("decoding", "cam3").remedy.empty());
}

TEST_F(CheckTest, EmptySceneIsDoubtful) {
  project_.cameras[0].video = project_.cameras[0].background;
  expect(Verdict::doubtful, "foreground", "cam1");
}

// A clip of twelve pictures of another scene: other colours everywhere.
void write_other_scene(const std::filesystem::path& path) {
  auto writer = VideoWriter::open(path, test::footage_picture(0, 0, true).format(), {});
  ASSERT_TRUE(writer) << writer.error().message();
  for (int64_t frame = 0; frame < 12; ++frame) {
    Picture picture = test::footage_picture(0, frame, true);
    for (int plane = 1; plane < 3; ++plane) {
      const ImageView<uint8_t> chroma = picture.writable_plane(plane);
      for (int y = 0; y < chroma.height; ++y)
        std::fill_n(chroma.row(y), chroma.width, plane == 1 ? uint8_t{200} : uint8_t{60});
    }
    ASSERT_TRUE((*writer)->write(std::move(picture)));
  }
  ASSERT_TRUE((*writer)->finish());
}

// Only a clip of another scene stops a run, and only where people come from the masks.
TEST_F(CheckTest, ASceneThatDiffersEverywhere) {
  project_.cameras[0].background = (folder_.path() / "other.mp4").string();
  write_other_scene(project_.cameras[0].background);
  expect(Verdict::failed, "foreground", "cam1");
  ASSERT_TRUE(project_.parameters.set_from_text("people.source=fused"));
  changed();
  expect(Verdict::doubtful, "foreground", "cam1");
  EXPECT_NE(item("foreground", "cam1").remedy.find("are not affected"), std::string::npos);
  ASSERT_TRUE(project_.parameters.set_from_text("people.source=volume"));
}

TEST_F(CheckTest, OnlyAClipShowsAnEmptyScene) {
  expect(Verdict::passed, "empty scene", "cam1");
  const std::string clip = project_.cameras[0].background;
  ASSERT_TRUE(project_.parameters.set_from_text("foreground.whole_recording=true"));
  project_.cameras[0].background.clear(), changed();  // people walk from the first frame on, and no one stays
  expect(Verdict::cannot_tell, "empty scene", "cam1");
  EXPECT_NE(item("empty scene", "cam1").figure.find("the whole recording"), std::string::npos);
  EXPECT_NE(item("empty scene", "cam1").figure.find("the empty scene never appeared"), std::string::npos);
  EXPECT_NE(remedy_text(item("empty scene", "cam1")).find("--background"), std::string::npos);
  expect(Verdict::doubtful, "empty scene", "cam2");
  project_.cameras[0].video = clip, changed();  // nothing contradicts it, and nothing confirms it
  expect(Verdict::cannot_tell, "empty scene", "cam1");
  project_.cameras[0].background = project_.cameras[1].video, changed();  // a clip with people
  expect(Verdict::doubtful, "empty scene", "cam1");
}

TEST_F(CheckTest, TinyDisk) {
  options_.free_bytes = 1000;
  expect(Verdict::failed, "disk", "");
  options_.free_bytes = 5'000'000, changed();
  expect(Verdict::doubtful, "disk", "");
}

TEST_F(CheckTest, CalibrationOfAnotherSizeOrBelowTheFloor) {
  PinholeCamera<double> model = project_.cameras[0].calibration->model();
  model.width_px *= 2;
  project_.cameras[0].calibration = Camera::make("cam1", model).value();
  model = project_.cameras[1].calibration->model();
  // Turned upside down about the x axis: y and z change sign.
  for (int row = 0; row < 3; ++row)
    for (int column = 1; column < 3; ++column) model.rotation_cam_from_world[3 * row + column] *= -1;
  project_.cameras[1].calibration = Camera::make("cam2", model).value();
  expect(Verdict::failed, "calibration", "cam1");
  expect(Verdict::failed, "calibration", "cam2");
  EXPECT_NE(item("calibration", "cam2").command.find("--up-axis"), std::string::npos);
}

// The file's up-axis is then to blame, not a camera.
TEST_F(CheckTest, AllCamerasBelowTheFloor) {
  for (ProjectCamera& camera : project_.cameras) {
    PinholeCamera<double> model = camera.calibration->model();
    for (int row = 0; row < 3; ++row)
      for (int column = 1; column < 3; ++column) model.rotation_cam_from_world[3 * row + column] *= -1;
    camera.calibration = Camera::make(camera.name, model).value();
  }
  expect(Verdict::failed, "calibration", "");
  EXPECT_NE(remedy_text(item("calibration", "")).find("--up-axis=-z"), std::string::npos);
  expect(Verdict::cannot_tell, "calibration", "cam2");
  EXPECT_NE(item("silhouettes", "cam2").verdict, Verdict::failed);
}

// Pictures state no rate; a project or times in their names can.
TEST_F(CheckTest, AnAssumedFrameRateIsNamed) {
  const auto with_pictures = [&](const std::string& folder, int step) {
    std::filesystem::create_directory(folder_.path() / folder);
    for (int n = 0; n < 4; ++n) {
      Image gray = Image::make(ImageType::u8, test::kWidth, test::kHeight, HostPool::shared()).value();
      for (int y = 0; y < gray.height(); ++y)
        std::memset(gray.writable_view<uint8_t>().row(y), 90, test::kWidth);
      ASSERT_TRUE(write_png_gray(folder_.path() / folder / (std::to_string(step * n) + ".png"), gray));
    }
    for (ProjectCamera& camera : project_.cameras) camera.video = (folder_.path() / folder).string();
    changed();
  };
  with_pictures("counted", 1);
  expect(Verdict::doubtful, "frame rate", "");
  EXPECT_NE(item("frame rate", "").figure.find("25 frames/s, assumed"), std::string::npos);
  with_pictures("timed", 100);
  expect(Verdict::passed, "frame rate", "");
  EXPECT_NE(item("frame rate", "").figure.find("10 frames/s"), std::string::npos);
  project_.cameras[0].frame_rate = 10;
  changed();
  for (const CheckItem& one : report().items) EXPECT_NE(one.check, "frame rate");
}

TEST_F(CheckTest, WithoutCalibrationItCannotTell) {
  project_.cameras[2].calibration.reset();
  expect(Verdict::cannot_tell, "calibration", "cam3");
}

// Recordings with a person from the first frame on, and one with empty-scene clips.
// One of three rendered cameras is bumped: it is named, with about the second, and no other.
TEST_F(CheckTest, NamesACameraThatWasBumped) {
  SynthOptions synth;
  synth.cameras = 3, synth.people = 3, synth.seconds = 8, synth.frame_rate = 12.5;
  synth.width_px = 320, synth.height_px = 240, synth.exposure_steps = 1;
  synth.bumps = {{1, 5, 1.5}};
  const Status rendered = render_recording(synth, folder_.path() / "bumped", {}, {});
  ASSERT_TRUE(rendered) << rendered.error().message();
  const auto loaded = load_project(folder_.path() / "bumped" / "bumped.vantage");
  ASSERT_TRUE(loaded) << loaded.error().message();
  project_ = *loaded;
  expect(Verdict::passed, "view", "cam1");
  expect(Verdict::passed, "view", "cam3");
  const CheckItem found = item("view", "cam2");
  EXPECT_GE(found.verdict, Verdict::doubtful) << found.figure;
  EXPECT_NEAR(static_cast<double>(found.frame), 62.5, 6) << found.figure;

  // A calibration from the jump on removes the fault: each span is compared with its own.
  const auto watched = watch_cameras(project_, {true, true, true}, [](int64_t, int64_t) {}, {});
  ASSERT_TRUE(watched) << watched.error().message();
  EXPECT_EQ(add_bumps(*watched, &project_), 1u);
  EXPECT_EQ(project_.calibration_changes(), (std::vector<int64_t>{63}));
  int judged = 0;
  for (const CheckItem& one : check_project(project_, options_).items) {
    if (one.camera.empty() || (one.check != "view" && one.check != "silhouettes")) continue;
    EXPECT_EQ(one.verdict, Verdict::passed) << one.check << ' ' << one.camera << ": " << one.figure;
    ++judged;
  }
  EXPECT_EQ(judged, 6);
  EXPECT_EQ(
      add_bumps(watch_cameras(project_, {true, true, true}, [](int64_t, int64_t) {}, {}).value(), &project_),
      0u)
      << "it is known";
}

// A camera whose calibration is turned looks out of step, too: its pose is the cause.
TEST_F(CheckTest, AWrongPoseExplainsAnOffset) {
  SynthOptions synth;
  synth.people = 5, synth.seconds = 12, synth.width_px = 640, synth.height_px = 480;
  const Status rendered = render_recording(synth, folder_.path() / "turned", {}, {});
  ASSERT_TRUE(rendered) << rendered.error().message();
  const auto loaded = load_project(folder_.path() / "turned" / "turned.vantage");
  ASSERT_TRUE(loaded) << loaded.error().message();
  project_ = *loaded;
  CameraChange pan = CameraChange::Zero();
  pan(1) = 0.035;
  std::optional<Camera>& cam2 = project_.cameras[1].calibration;
  cam2 = changed_camera(*cam2, pan);
  expect(Verdict::failed, "outlines", "cam2");
  EXPECT_NE(item("offsets", "cam2").figure.find("which the pose of cam2 explains"), std::string::npos)
      << item("offsets", "cam2").figure;
  EXPECT_TRUE(item("offsets", "cam2").remedy.starts_with("Correct that pose first"));
}

TEST(CheckOfRealFootage, OnlyAClipShowsAnEmptyScene) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  BackendRegistry backends;
  register_cpu_backends(backends);
  CheckOptions options = quick_check_options();
  options.backends = &backends;
  const auto verdicts = [&](const std::vector<std::string>& videos, const std::vector<std::string>& clips) {
    Project project;
    project.parameters = default_parameters();
    for (size_t c = 0; c < videos.size(); ++c) {
      ProjectCamera& camera = project.cameras.emplace_back();
      camera.name = "cam" + std::to_string(c + 1);
      camera.video = (data.parent_path() / videos[c]).string();
      if (!clips.empty()) camera.background = (data.parent_path() / clips[c]).string();
      camera.offset_confirmed = true;
    }
    std::vector<Verdict> found;
    for (const CheckItem& item : check_project(project, options).items)
      if (item.check == "empty scene") {
        found.push_back(item.verdict);
        EXPECT_EQ(item.figure.find("the empty scene never appeared") == std::string::npos, !clips.empty())
            << item.figure;
      }
    EXPECT_EQ(found.size(), videos.size());
    return found;
  };
  for (const Verdict verdict :
       verdicts({"uu-voxel-1p/cam1/video.avi", "uu-voxel-1p/cam2/video.avi"},
                {"uu-voxel-1p/cam1/background.avi", "uu-voxel-1p/cam2/background.avi"}))
    EXPECT_EQ(verdict_name(verdict), "passed");
  for (const Verdict verdict : verdicts({"uu-voxel-1p/cam1/video.avi", "uu-voxel-1p/cam2/video.avi"}, {}))
    EXPECT_EQ(verdict_name(verdict), "cannot tell") << "a man who never leaves his chair";
  for (const char* recording : {"pose2sim/multi/cam01.mp4", "pose2sim/single/cam03.mp4",
                                "panoptic-pizza1-3cam/00_04.mp4", "ufes-lab-4cam/cam2.mp4"})
    if (std::filesystem::exists(data.parent_path() / recording)) {
      EXPECT_EQ(verdict_name(verdicts({recording}, {}).at(0)), "doubtful") << recording;
    }
}

// The calibration of another day, after the cameras had moved, and the one that fits.
TEST(CheckOfRealFootage, NamesACalibrationOfAnotherDay) {
  VANTAGE_NEED_DATA(data, "ufes-lab-4cam");
  BackendRegistry backends;
  register_cpu_backends(backends);
  CheckOptions options;
  options.backends = &backends;
  for (const char* file : {"room.json", "room_wrong_2025.json"}) {
    SCOPED_TRACE(file);
    const auto calibration = read_calibration(data / file, {});
    ASSERT_TRUE(calibration) << calibration.error().message();
    Project project;
    project.parameters = default_parameters();
    for (const Camera& calibrated : calibration->cameras) {
      ProjectCamera& camera = project.cameras.emplace_back();
      camera.name = calibrated.name();
      camera.video = (data / (calibrated.name() + ".mp4")).string();
      camera.calibration = calibrated;
      camera.offset_confirmed = true;
    }
    Verdict worst = Verdict::passed;
    for (const CheckItem& item : check_project(project, options).items)
      if (item.check == "outlines" || (item.check == "silhouettes" && item.camera.empty()))
        worst = std::max(worst, item.verdict);
    if (std::string_view(file) == "room.json")
      EXPECT_LE(worst, Verdict::cannot_tell);
    else
      EXPECT_EQ(worst, Verdict::failed);
  }
}

// Four cameras in step: offsets that `sync` confirms throughout are not doubted.
TEST(CheckOfRealFootage, CamerasInStepAreNotDoubted) {
  VANTAGE_NEED_DATA(data, "ufes-lab-4cam");
  BackendRegistry backends;
  register_cpu_backends(backends);
  const auto calibration = read_calibration(data / "room.json", {});
  ASSERT_TRUE(calibration) << calibration.error().message();
  Project project;
  project.parameters = default_parameters();
  for (const Camera& calibrated : calibration->cameras) {
    ProjectCamera& camera = project.cameras.emplace_back();
    camera.name = calibrated.name();
    camera.video = (data / (calibrated.name() + ".mp4")).string();
    camera.calibration = calibrated;
  }
  for (CheckOptions options : {CheckOptions(), quick_check_options()}) {
    options.backends = &backends;
    int compared = 0;
    for (const CheckItem& item : check_project(project, options).items) {
      if (item.check != "offsets") continue;
      EXPECT_LT(item.verdict, Verdict::doubtful) << item.camera << ": " << item.figure;
      ++compared;
    }
    EXPECT_EQ(compared, 3);
  }
}

}  // namespace
}  // namespace vantage
