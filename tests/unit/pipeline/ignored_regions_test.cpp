// Ignored regions through the real chain: undecided, and otherwise as if they were not there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/foreground/ignored_painter.h"
#include "core/metrics/tracking_metrics.h"
#include "core/run/analysis.h"
#include "core/synth/synth.h"
#include "core/video/video_writer.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

IgnoredRegion rectangle(double left, double top, double right, double bottom) {
  return {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
}

class IgnoredInChain : public testing::Test {
 protected:
  IgnoredInChain() { register_cpu_backends(backends_); }

  std::vector<FrameResultRef> analyse(const Project& project, int64_t frames) {
    AnalysisOptions options;
    options.backends = &backends_;
    const auto analysis = Analysis::open(project, options).value();
    std::vector<FrameResultRef> results;
    EXPECT_TRUE(analysis->pipeline().analyse({0, frames}, ExecutionMode::threaded,
                                             [&](FrameResultRef result) {
                                               results.push_back(std::move(result));
                                               return true;
                                             },
                                             {}));
    EXPECT_EQ(results.size(), static_cast<size_t>(frames));
    versions_ = analysis->pipeline().versions();
    return results;
  }

  // Brute force: the foreground of a run without regions, painted.
  static void expect_painted(const FrameResult& result, const FrameResult& without,
                             const std::vector<IgnoredPixels>& ignored) {
    for (size_t c = 0; c < ignored.size(); ++c) {
      const ForegroundImages &with_it = result.foreground()->cameras[c],
                             &plain = without.foreground()->cameras[c];
      if (!plain.mask) continue;
      int64_t count = 0;
      for (int y = 0; y < plain.mask.height(); ++y)
        for (int x = 0; x < plain.mask.width(); ++x) {
          const bool skip = ignored[c].at(x, y);
          const uint8_t in = skip ? uint8_t{0} : plain.mask.view<uint8_t>().at(x, y);
          count += in != 0;
          ASSERT_EQ(with_it.mask.view<uint8_t>().at(x, y), in) << result.frame << ": " << x << ", " << y;
          ASSERT_EQ(with_it.indicator.view<uint8_t>().at(x, y),
                    skip ? kIgnoredLevel : plain.indicator.view<uint8_t>().at(x, y));
        }
      EXPECT_EQ(with_it.mask_count.get().value(), count);
    }
  }

  const test::TemporaryFolder folder_;
  BackendRegistry backends_;
  std::map<std::string, uint64_t, std::less<>> versions_;
};

// A box that moves, as a film on a screen, is somebody, and nobody where the cameras ignore it.
TEST_F(IgnoredInChain, WhatMovesInARegionIsNobody) {
  Project project = test::make_footage(folder_.path(), 3, 40);
  for (const auto& [stage, name, value] : {std::tuple{"people", "min_height_m", 0.2},
                                           {"people", "min_fill", 0.2},
                                           {"people", "min_own", 0.05},
                                           {"people", "min_volume_l", 1.0},
                                           {"carving", "threshold", 0.6}})
    ASSERT_TRUE(project.parameters.set(stage, name, value));
  const auto with_people = [](const std::vector<FrameResultRef>& results) {
    return std::ranges::count_if(results,
                                 [](const auto& one) { return !one->people()->found.people.empty(); });
  };
  const auto before = analyse(project, 40);
  const auto versions = versions_;
  EXPECT_GE(with_people(before), 20) << "a wrong person";

  for (ProjectCamera& camera : project.cameras) camera.ignored = {rectangle(6, 6, 75, 58)};
  const auto after = analyse(project, 40);
  EXPECT_EQ(with_people(after), 0);
  const std::vector<IgnoredPixels> ignored(3, IgnoredPixels(project.cameras[0].ignored, 96, 64));
  for (size_t f = 0; f < after.size(); ++f) expect_painted(*after[f], *before[f], ignored);
  // Results with other regions are out of date; pictures are as they were.
  for (const char* stage : {"foreground", "carving", "people", "tracking"})
    EXPECT_NE(versions_.at(stage), versions.at(stage)) << stage;
  EXPECT_EQ(versions_.at("video"), versions.at("video"));
}

// The video with a stamp of eight digits, 8 x 12 px each, in the upper left corner: each is bright or dark,
// and changes at random.
void burn_stamp(const std::string& from, const std::string& to) {
  const auto source = open_video(from, {}).value();
  std::mt19937 random(8);
  std::unique_ptr<VideoWriter> writer;
  for (auto frame = source->read(); frame; frame = source->read()) {
    const Picture& picture = frame->picture;
    Picture stamped = Picture::make(picture.format(), HostPool::shared()).value();
    for (int p = 0; p < picture.plane_count(); ++p)
      for (int y = 0; y < picture.plane(p).height; ++y)
        std::copy_n(picture.plane(p).row(y), picture.plane(p).width, stamped.writable_plane(p).row(y));
    for (int digit = 0; digit < 8; ++digit) {
      const uint8_t level = random() % 2 ? 225 : 25;
      for (int y = 4; y < 16; ++y) std::fill_n(stamped.writable_plane(0).row(y) + 4 + 10 * digit, 8, level);
    }
    VideoWriterOptions options;
    options.frame_rate = source->info().frame_rate;
    if (!writer) writer = VideoWriter::open(to, picture.format(), options).value();
    ASSERT_TRUE(writer->write(stamped));
  }
  ASSERT_TRUE(writer->finish());
}

// A time stamp burnt into one camera's pictures flickers as foreground; with a region nothing of it is left,
// and the people keep their positions to 5 cm.
TEST_F(IgnoredInChain, ATimeStampIsNoForegroundAndPeopleStay) {
  SynthOptions options;
  options.cameras = 4, options.people = 2, options.area_m = 4;
  options.width_px = 320, options.height_px = 240;
  options.frame_rate = 12.5, options.seconds = 3.2;
  ASSERT_TRUE(render_recording(options, folder_.path() / "hall", {}, {}));
  Project project = load_project(folder_.path() / "hall" / "hall.vantage").value();
  const std::string stamped = (folder_.path() / "stamped.mp4").string();
  burn_stamp(project.cameras[1].video, stamped);
  project.cameras[1].video = stamped;
  const auto rows =
      read_mot_csv(read_file(folder_.path() / "hall" / "truth" / "tracks.csv").value(), "truth");
  ASSERT_TRUE(rows);
  constexpr int64_t kFrames = 40;
  const auto before = analyse(project, kFrames);
  const IgnoredRegions stamp = {rectangle(-1, -1, 96, 22)};
  int64_t flicker = 0;
  for (const FrameResultRef& result : before) {
    const Image& mask = result->foreground()->cameras[1].mask;
    ASSERT_TRUE(mask) << result->frame;
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 96; ++x) flicker += mask.view<uint8_t>().at(x, y) != 0;
  }
  EXPECT_GT(flicker, 100 * kFrames) << "pixels of false foreground";

  project.cameras[1].ignored = stamp;
  const auto after = analyse(project, kFrames);
  const std::vector<IgnoredPixels> ignored = {{}, {stamp, 320, 240}, {}, {}};
  int64_t found = 0, standing = 0;
  for (int64_t f = 0; f < kFrames; ++f) {
    expect_painted(*after[f], *before[f], ignored);
    const auto& people = after[f]->people()->found.people;
    for (const TrackRow& row : *rows) {
      if (row.frame - 1 != f) continue;
      ++standing;
      found += std::ranges::any_of(people, [&](const FoundPerson& person) {
        return std::hypot(person.x_m - row.x_m, person.y_m - row.y_m) < 0.25;
      });
    }
    for (const FoundPerson& person : before[f]->people()->found.people)
      EXPECT_TRUE(std::ranges::any_of(people, [&](const FoundPerson& other) {
        return std::hypot(person.x_m - other.x_m, person.y_m - other.y_m) < 0.05 &&
               std::abs(person.height_m - other.height_m) < 0.05;
      })) << f;
    EXPECT_LE(people.size(), 2U) << f;
  }
  EXPECT_GE(found, standing * 9 / 10);
}

}  // namespace
}  // namespace vantage
