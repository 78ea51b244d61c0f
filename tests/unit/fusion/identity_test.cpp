// Identities of real people from real detections: fusion frame by frame, then paths.
#include <gtest/gtest.h>

#include "core/fusion/fusion.h"
#include "core/tracking/paths/path_tracker.h"
#include "tests/support/cmc.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

std::vector<SeenFrame> fused(const test::CmcRecording& recording) {
  PeopleFusion fusion({0, 0, 7.67, 3.41}, recording.cameras);
  std::vector<SeenFrame> frames;
  for (const auto& [frame, detections] : recording.frames) {
    SeenFrame& seen = frames.emplace_back();
    seen.frame = frame;
    for (const FusedPerson& person : fusion.find({.cameras = detections})) {
      FloorPerson& one = seen.people.emplace_back();
      one.x_m = person.x_m, one.y_m = person.y_m, one.height_m = person.height_m;
      one.confidence = person.confidence;
    }
  }
  return frames;
}

TrackingMetrics followed(const test::CmcRecording& recording, double window_s) {
  PathParameters parameters;
  parameters.method = PathMethod::motion;
  parameters.window_s = window_s, parameters.overlap_s = window_s / 2;
  std::vector<TrackRow> rows;
  const std::vector<PersonPath> paths =
      follow_paths(fused(recording), test::kCmcFrameRate, parameters).value();
  for (const PersonPath& path : paths)
    for (const PathPoint& point : path.points) {
      TrackRow& row = rows.emplace_back();
      row.frame = point.frame, row.id = path.id, row.x_m = point.x_m, row.y_m = point.y_m;
    }
  return test::evaluate_cmc(recording, rows);
}

TEST(Identity, ThreePeopleKeepTheirs) {
  VANTAGE_NEED_DATA(folder, "cmc-detections");
  const TrackingMetrics metrics = followed(test::read_cmc(folder, "CMC1"), 0);
  EXPECT_GE(metrics.clear.moda, 0.995);
  EXPECT_GE(metrics.identity.idf1, 0.995);
  EXPECT_LE(metrics.places.floor_error_m, 0.07);
}

TEST(Identity, TenPeopleKeepTheirs) {
  VANTAGE_NEED_DATA(folder, "cmc-detections");
  const test::CmcRecording recording = test::read_cmc(folder, "CMC2");
  const TrackingMetrics whole = followed(recording, 0), windows = followed(recording, 4);
  EXPECT_GE(whole.clear.moda, 0.98);
  EXPECT_GE(whole.identity.idf1, 0.97);
  EXPECT_GE(windows.clear.moda, 0.98);
  EXPECT_GE(windows.identity.idf1, 0.97);
}

}  // namespace
}  // namespace vantage
