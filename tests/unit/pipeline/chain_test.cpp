// The central test on the real chain: decoded footage, foreground, carving.
#include <gtest/gtest.h>

#include <iostream>
#include <random>
#include <set>

#include "core/algorithms.h"
#include "core/base/hash.h"
#include "core/geometry/camera.h"
#include "core/pipeline/stages.h"
#include "core/project/camera_in_time.h"
#include "core/run/analysis.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

template <typename T>
void add_rows(Hasher& hasher, const ImageView<T>& view) {
  for (int y = 0; y < view.height; ++y)
    hasher.bytes(view.row(y), static_cast<size_t>(view.width) * sizeof(T));
}

// Every byte of every artifact.
uint64_t digest(const FrameResult& result) {
  Hasher hasher;
  hasher.add(result.frame);
  for (const CameraFrame& camera : result.frames()->cameras) {
    hasher.add(camera.camera_frame).add(camera.time_ns).add(camera.problem);
    for (int plane = 0; camera.picture && plane < camera.picture.plane_count(); ++plane)
      add_rows(hasher, camera.picture.plane(plane));
  }
  for (const ForegroundImages& images : result.foreground()->cameras) {
    if (!images.indicator) continue;
    add_rows(hasher, images.indicator.view<uint8_t>());
    add_rows(hasher, images.mask.view<uint8_t>());
    hasher.add(images.mask_count.get().value());
  }
  if (const CarvedVolume* volume = result.volume()) {
    const VolumeCounts counts = volume->counts.get().value();
    hasher.add(counts.occupied).add(counts.shell);
    if (counts.shell > 0)
      hasher.bytes(volume->shell_ids.get().value().view<uint32_t>().data,
                   static_cast<size_t>(counts.shell) * sizeof(uint32_t));
  }
  if (const FloorMap* map = result.floor_map()) {
    add_rows(hasher, map->columns.view<uint16_t>());
    add_rows(hasher, map->tops.view<uint16_t>());
  }
  if (const PeopleArtifact* people = result.people()) {
    for (const FoundPerson& p : people->found.people)
      hasher.add(p.x_m).add(p.y_m).add(p.height_m).add(p.volume_l).add(p.confidence).add(p.cameras);
    for (const RejectedPeak& r : people->found.rejected)
      hasher.add(r.peak.x_m).add(r.peak.y_m).add(r.peak.confidence).add(r.reason);
    hasher.add(people->covered_share).add(people->stopped_at);
    for (const TrackedPerson& t : result.tracks()->tracked)
      hasher.add(t.id).add(t.x_m).add(t.y_m).add(t.height_m);
  }
  if (const FlowArtifact* flow = result.flow())
    for (const CameraFlow& camera : flow->cameras) {
      hasher.add(camera.camera_frames).add(static_cast<bool>(camera.field));
      if (!camera.field) continue;
      add_rows(hasher, camera.field.vectors.view<float>());
      add_rows(hasher, camera.field.confidence.view<uint8_t>());
    }
  if (const MotionArtifact* motion = result.motion())
    for (const auto& person : motion->people)
      hasher.add(person.has_value()).add(person ? person->velocity_m_per_s[0] : 0.0);
  for (const auto& [stage, version] : result.versions) hasher.add(stage).add(version);
  return hasher.value();
}

struct Chain {
  BackendRegistry registry;
  std::unique_ptr<Analysis> analysis;
};

std::unique_ptr<Chain> open_chain(const Project& project, size_t cache_bytes) {
  auto chain = std::make_unique<Chain>();
  register_cpu_backends(chain->registry);
  AnalysisOptions options;
  options.backends = &chain->registry;
  options.pipeline.cache_bytes = cache_bytes;
  auto opened = Analysis::open(project, options);
  if (!opened) {
    ADD_FAILURE() << opened.error().message();
    return nullptr;
  }
  chain->analysis = std::move(*opened);
  return chain;
}

// By a fresh chain, in one sequential pass from frame 0.
std::vector<uint64_t> reference(const Project& project, int64_t frames) {
  std::vector<uint64_t> digests;
  const auto chain = open_chain(project, 0);
  if (!chain) return digests;
  const Status status = chain->analysis->pipeline().analyse({0, frames}, ExecutionMode::sequential,
                                                            [&](FrameResultRef result) {
                                                              digests.push_back(digest(*result));
                                                              return true;
                                                            },
                                                            {});
  EXPECT_TRUE(status);
  return digests;
}

void random_orders(Project project, int64_t frames, int operations, size_t cache_bytes) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  const auto pick = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  std::map<double, std::vector<uint64_t>> references;
  const double thresholds[] = {4.5, 7.0};
  for (const double value : thresholds) {
    ASSERT_TRUE(project.parameters.set("foreground", "distance_high", value));
    references[value] = reference(project, frames);
    ASSERT_EQ(references[value].size(), static_cast<size_t>(frames));
  }
  ASSERT_NE(references[4.5], references[7.0]) << "the parameter changes the results";
  const auto chain = open_chain(project, cache_bytes);
  ASSERT_TRUE(chain);
  Pipeline& pipeline = chain->analysis->pipeline();
  double tuned = 7.0;
  int64_t frame = 0;
  for (int i = 0; i < operations; ++i) {
    const int64_t what = pick(8);
    if (what < 2) {  // re-tune, and back
      tuned = thresholds[pick(2)];
      ASSERT_TRUE(project.parameters.set("foreground", "distance_high", tuned));
      ASSERT_TRUE(pipeline.configure(project.parameters));
    }
    const std::vector<uint64_t>& expected = references[tuned];
    if (what < 6) {  // seek, play on, step back
      frame = what < 3   ? pick(frames)
              : what < 5 ? std::min(frame + 1, frames - 1)
                         : std::max<int64_t>(frame - 1, 0);
      const auto shown = pipeline.frame(frame, {}, {});
      ASSERT_TRUE(shown) << shown.error().message();
      ASSERT_EQ(digest(**shown), expected[frame]) << "frame " << frame;
      continue;
    }
    const FrameRange range{pick(frames), frames};
    int64_t next = range.begin;
    const Status played =
        pipeline.analyse(range, what == 6 ? ExecutionMode::threaded : ExecutionMode::sequential,
                         [&](FrameResultRef result) {
                           EXPECT_EQ(result->frame, next);
                           EXPECT_EQ(digest(*result), expected[next]) << "frame " << next;
                           return ++next < range.begin + 20;
                         },
                         {});
    ASSERT_TRUE(played);
  }
}

TEST(Chain, AnyOrderGivesTheSameBytes) {
  const test::TemporaryFolder folder;
  Project project = test::make_footage(folder.path(), 3, 40);
  ASSERT_TRUE(project.parameters.set("flow", "enabled", 1));
  random_orders(project, 40, 40, size_t{64} << 20);
  random_orders(project, 40, 25, 0);
}

// Two cameras that are bumped, one of them with an empty-scene clip and one that learns its first frames.
Project bumped_footage(const std::filesystem::path& folder) {
  Project project = test::make_footage(folder, 3, 40);
  CameraChange turn = CameraChange::Zero();
  turn[1] = 0.05;
  for (const auto& [camera, frame] : {std::pair(1, 17), {0, 25}}) {
    ProjectCamera& bumped = project.cameras[camera];
    add_later_calibration(&bumped, frame, changed_camera(*bumped.calibration, turn).value());
  }
  return project;
}

TEST(Chain, AnyOrderGivesTheSameBytesWhereCamerasStandOtherwiseLater) {
  const test::TemporaryFolder folder;
  const Project project = bumped_footage(folder.path());
  random_orders(project, 40, 40, size_t{64} << 20);
  random_orders(project, 40, 25, 0);
}

// Of one sequential pass: each camera's pixels of foreground, and the shell.
struct Seen {
  std::vector<std::vector<int64_t>> mask_px;  // by frame, by camera
  std::vector<std::vector<uint32_t>> shell;
};
Seen seen_by(const Project& project, int64_t frames) {
  Seen seen;
  const auto chain = open_chain(project, 0);
  if (!chain) return seen;
  const auto take = [&](FrameResultRef result) {
    std::vector<int64_t>& px = seen.mask_px.emplace_back();
    for (const ForegroundImages& camera : result->foreground()->cameras)
      px.push_back(camera.mask ? camera.mask_count.get().value() : 0);
    seen.shell.push_back(chain->analysis->host_shell(*result).value());
    return true;
  };
  EXPECT_TRUE(chain->analysis->pipeline().analyse({0, frames}, ExecutionMode::sequential, take, {}));
  return seen;
}

// What comes before the bump is as without it, and so are the cameras that are not bumped. The bumped one
// learns the scene anew.
TEST(Chain, OnlyTheBumpedCameraAndWhatComesLaterChange) {
  const test::TemporaryFolder folder;
  Project bumped = bumped_footage(folder.path());
  bumped.cameras[0].later_calibrations.clear();
  Project still = bumped;
  still.cameras[1].later_calibrations.clear();
  const Seen with = seen_by(bumped, 40), without = seen_by(still, 40);
  ASSERT_EQ(with.shell.size(), 40u);
  ASSERT_EQ(without.shell.size(), 40u);
  bool other = false;
  for (size_t frame = 0; frame < 40; ++frame) {
    EXPECT_EQ(with.mask_px[frame][0], without.mask_px[frame][0]) << frame;
    EXPECT_EQ(with.mask_px[frame][2], without.mask_px[frame][2]) << frame;
    if (frame < 17) EXPECT_EQ(with.shell[frame], without.shell[frame]) << frame;
    if (frame >= 17 && frame < 25) EXPECT_EQ(with.mask_px[frame][1], 0) << "it learns, frame " << frame;
    if (frame >= 30) other = other || with.shell[frame] != without.shell[frame];
  }
  EXPECT_GT(with.mask_px[16][1], 0);
  EXPECT_TRUE(other);
}

// A bumped camera beside one that is not calibrated yet: the chain ends at the foreground, which is made.
TEST(Chain, ABumpedCameraBesideOneWithoutCalibration) {
  const test::TemporaryFolder folder;
  Project project = bumped_footage(folder.path());
  project.cameras[2].calibration.reset();
  const auto chain = open_chain(project, 0);
  ASSERT_TRUE(chain);
  const auto shown = chain->analysis->pipeline().frame(30, {}, {});
  ASSERT_TRUE(shown) << shown.error().message();
  EXPECT_FALSE((*shown)->volume());
  EXPECT_GT((*shown)->foreground()->cameras[0].mask_count.get().value(), 0);
}

TEST(Chain, AnyOrderGivesTheSameBytesOnARealRecording) {
  VANTAGE_NEED_DATA(data, "uu-voxel-1p");
  Project project;
  project.parameters = default_parameters();
  for (int i = 1; i <= 2; ++i) {
    ProjectCamera camera;
    camera.name = "cam" + std::to_string(i);
    camera.video = (data / camera.name / "video.avi").string();
    project.cameras.push_back(camera);
  }
  ASSERT_TRUE(project.parameters.set("foreground", "learning_frames", 10));
  random_orders(project, 60, 20, size_t{256} << 20);
}

TEST(Chain, LearningFramesAreAnEmptyScene) {
  const test::TemporaryFolder folder;
  const auto chain = open_chain(test::make_footage(folder.path(), 3, 12), 0);
  ASSERT_TRUE(chain);
  const auto count = [&](int64_t frame, size_t camera) {
    const auto result = chain->analysis->pipeline().frame(frame, {}, {}).value();
    return result->foreground()->cameras[camera].mask_count.get().value();
  };
  EXPECT_GT(count(0, 0), 500) << "an empty-scene clip shows the box from the start";
  EXPECT_EQ(count(7, 1), 0) << "without one the first eight frames are learnt";
  EXPECT_GT(chain->analysis->pipeline().frame(11, {}, {}).value()->volume()->grid.count(), 0);
}

// The models of the method that is chosen again are new ones, which begin with a checkpoint of the former.
TEST(Chain, AMethodThatIsChosenAgainKeepsTheSceneItHadLearnt) {
  const test::TemporaryFolder folder;
  Project project = test::make_footage(folder.path(), 3, 40);
  const auto chain = open_chain(project, 0);
  ASSERT_TRUE(chain);
  if (!chain->registry.has<ForegroundModel>("knn", Device::cpu))
    GTEST_SKIP() << "built without OpenCV's video module: there is no second method";
  Pipeline& pipeline = chain->analysis->pipeline();
  const auto digest_of = [&](int64_t frame) { return digest(**pipeline.frame(frame, {}, {})); };
  digest_of(30);
  const uint64_t before = digest_of(39);
  for (const char* method : {"foreground.method=knn", "foreground.method=gaussian"}) {
    ASSERT_TRUE(project.parameters.set_from_text(method));
    ASSERT_TRUE(pipeline.configure(project.parameters));
    ASSERT_EQ(digest_of(39) == before, std::string_view(method) == "foreground.method=gaussian") << method;
  }
}

TEST(Chain, WithoutCalibrationItEndsAtTheForeground) {
  const test::TemporaryFolder folder;
  const auto chain = open_chain(test::make_footage(folder.path(), 2, 12, false), 0);
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->analysis->grid(), nullptr);
  ASSERT_EQ(chain->analysis->notes().size(), 1u);
  const auto result = chain->analysis->pipeline().frame(3, {}, {}).value();
  EXPECT_TRUE(result->foreground());
  EXPECT_FALSE(result->volume());
}

// The order of the list is the chain's: what a stage reads stands before it.
TEST(Chain, StagesAreListedOnceAndAfterThoseTheyDependOn) {
  std::set<std::string_view> names;
  for (const StageType* stage : stage_types()) {
    EXPECT_TRUE(stage->make) << stage->name;
    if (!stage->enabled_by.empty() && stage->enabled_by != stage->name) {
      EXPECT_TRUE(names.contains(stage->enabled_by)) << stage->name;
    }
    EXPECT_TRUE(names.insert(stage->name).second) << stage->name;
  }
  std::set<std::string_view> tables;
  const ParameterStore defaults = default_parameters();
  for (const ParameterTable* table : defaults.tables())
    EXPECT_TRUE(tables.insert(table->stage).second) << table->stage << " belongs to two stages";
}

// What the list says of the stages is what the chain does: which are there, and which a parameter switches.
TEST(Chain, ItsStagesAreThoseOfTheList) {
  for (const bool calibrated : {false, true}) {
    const test::TemporaryFolder folder;
    Project project = test::make_footage(folder.path(), 2, 12, calibrated);
    const auto chain = open_chain(project, 0);
    ASSERT_TRUE(chain);
    Pipeline& pipeline = chain->analysis->pipeline();
    const auto off = pipeline.versions();
    const std::vector<std::string_view> on = stages_with_results(calibrated, project.parameters);
    std::set<std::string_view> listed, built, switches;
    for (const StageType* stage : stage_types()) {
      if (stage->name == kDisplayStage || (stage->needs_calibration && !calibrated)) continue;
      listed.insert(stage->name);
      if (!stage->enabled_by.empty()) switches.insert(stage->enabled_by);
    }
    for (const auto& [stage, version] : off) built.insert(stage);
    EXPECT_EQ(built, listed);
    for (const std::string_view name : switches) {
      ASSERT_TRUE(project.parameters.set(name, "enabled", 1));
      ASSERT_TRUE(pipeline.configure(project.parameters));
      const std::vector<std::string_view> more = stages_with_results(calibrated, project.parameters);
      for (const StageType* stage : stage_types()) {
        if (!listed.contains(stage->name)) continue;
        const bool changed = pipeline.version(stage->name) != off.find(stage->name)->second;
        const bool switched = stage->enabled_by == name;
        EXPECT_TRUE(changed || !switched) << stage->name << " by " << name;
        EXPECT_FALSE(changed && stage->enabled_by.empty()) << stage->name << " by " << name;
        const bool added = std::ranges::count(more, stage->name) > std::ranges::count(on, stage->name);
        EXPECT_EQ(added, switched && stage->has_results) << stage->name << " by " << name;
      }
      ASSERT_TRUE(project.parameters.set(name, "enabled", 0));
    }
  }
}

TEST(Chain, WrongProjectsAreRefusedWithTheCamera) {
  const test::TemporaryFolder folder;
  const Project project = test::make_footage(folder.path(), 2, 12);
  BackendRegistry registry;
  register_cpu_backends(registry);
  AnalysisOptions options;
  options.backends = &registry;
  Project broken = project;
  broken.cameras[1].video = (folder.path() / "gone.mp4").string();
  auto opened = Analysis::open(broken, options);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message().find("cam2's video"), std::string::npos) << opened.error().message();
  broken = project;
  PinholeCamera<double> model = broken.cameras[0].calibration->model();
  model.width_px = 100;
  broken.cameras[0].calibration = Camera::make("cam1", model).value();
  opened = Analysis::open(broken, options);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message().find("96x64 px"), std::string::npos) << opened.error().message();
  options.backends.device = Device::cuda;
  EXPECT_FALSE(Analysis::open(project, options)) << "no silent fallback to the CPU";
}

}  // namespace
}  // namespace vantage
