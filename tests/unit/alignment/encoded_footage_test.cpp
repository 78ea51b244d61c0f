// An encoder's refresh at every key picture is no motion: offsets without a calibration, over rendered
// recordings as tests/bench/sync measures them, in short.
#include "tests/support/encoded_footage.h"

#include <gtest/gtest.h>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/setup/alignment/align.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

using test::EncodedFootage;
using test::FootageScene;

Result<Alignment> align(const EncodedFootage& footage, const std::filesystem::path& folder) {
  const auto rendered = test::render_footage(footage, folder);
  if (!rendered) return fail(rendered.error());
  Project project;
  project.parameters = default_parameters();
  for (const std::filesystem::path& video : test::footage_videos(footage, folder)) {
    ProjectCamera& camera = project.cameras.emplace_back();
    camera.video = video.string();
    camera.name = video.stem().string();
  }
  BackendRegistry backends;
  register_memory_transfer_cpu(backends);
  AlignOptions options;
  options.collect.backends = &backends;
  return align_project(project, options);
}

bool has_encoders() {
  return std::system(
             "ffmpeg -v error -f lavfi -i color=s=64x64:d=0.1 -c:v libx264 -f null - >/dev/null 2>&1") == 0;
}

void expect_found(const EncodedFootage& footage) {
  if (!has_encoders()) GTEST_SKIP() << "the ffmpeg program with libx264 is not installed";
  const test::TemporaryFolder folder;
  const auto found = align(footage, folder.path());
  ASSERT_TRUE(found) << found.error().message();
  for (size_t c = 1; c < footage.offsets_frames.size(); ++c) {
    const CameraAlignment& camera = found->estimate.cameras[c];
    ASSERT_TRUE(camera.offset_frames) << "cam" << c + 1 << ": " << camera.reason;
    EXPECT_NEAR(*camera.offset_frames, footage.offsets_frames[c], 1) << "cam" << c + 1;
    EXPECT_GT(camera.confidence, 0.5);
  }
}

void expect_nothing(const EncodedFootage& footage) {
  if (!has_encoders()) GTEST_SKIP() << "the ffmpeg program with libx264 is not installed";
  const test::TemporaryFolder folder;
  const auto found = align(footage, folder.path());
  ASSERT_TRUE(found) << found.error().message();
  for (size_t c = 1; c < footage.offsets_frames.size(); ++c) {
    const CameraAlignment& camera = found->estimate.cameras[c];
    EXPECT_FALSE(camera.offset_frames) << "cam" << c + 1 << " at " << *camera.offset_frames;
    EXPECT_LE(camera.confidence, 0.5);
    EXPECT_FALSE(camera.reason.empty());
  }
}

TEST(EncodedFootage, PeopleAreFoundThroughShortGroupsOfPictures) {
  expect_found({.seed = 11012,
                .people = 4,
                .seconds = 8.4,
                .offsets_frames = {0, 8, -17, 19},
                .gop_frames = 12,
                .b_pictures = 2,
                .constant_quality = false});
}

TEST(EncodedFootage, AndInMpeg4) {
  expect_found({.seed = 11003,
                .people = 3,
                .seconds = 8.4,
                .offsets_frames = {0, -23, -30, -30},
                .gop_frames = 25,
                .mpeg4 = true});
}

TEST(EncodedFootage, KeyPicturesOfAnEmptyRoomAreNoMotion) {
  expect_nothing({.seed = 11009,
                  .scene = FootageScene::nobody,
                  .seconds = 6,
                  .gop_frames = 25,
                  .constant_quality = false});
}

TEST(EncodedFootage, PeopleOfDifferentRoomsDoNotGoTogether) {
  expect_nothing({.seed = 11013, .scene = FootageScene::apart, .people = 4, .seconds = 6, .gop_frames = 12});
}

}  // namespace
}  // namespace vantage
