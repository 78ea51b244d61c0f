// The plan of a case shows cameras that have another pose later.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "core/export/case/detail/case_report.h"
#include "core/export/case/mosaic.h"
#include "core/geometry/camera.h"
#include "core/project/camera_in_time.h"
#include "tests/unit/case/case_footage.h"

namespace vantage {
namespace {

using namespace case_detail;

constexpr int64_t kMovedAt = 15, kTurnedAt = 18;

// Camera 2 is carried 2 m to the side within the span, camera 3 is only turned.
CaseScene moved_scene() {
  CaseScene scene;
  scene.project = load_project(test::case_footage()).value();
  scene.span = {11, 31}, scene.frame_rate = 12.5;
  CameraChange carried = CameraChange::Zero(), turned = CameraChange::Zero();
  carried[3] = 2, turned[1] = 0.1;
  for (const auto& [camera, frame, change] :
       {std::tuple(1, kMovedAt, carried), std::tuple(2, kTurnedAt, turned)}) {
    ProjectCamera& moved = scene.project.cameras[camera];
    add_later_calibration(&moved, frame, *changed_camera(*moved.calibration, change));
  }
  return scene;
}

TEST(CasePlan, TheReportsMapHasACameraWhereverItStands) {
  const CaseScene scene = moved_scene();
  const DocumentMap map = report_map(scene, {});
  ASSERT_EQ(map.dots.size(), 4u);
  EXPECT_NEAR(map.dots[2].x - map.dots[1].x, 2, 1e-9);
  EXPECT_NE(map.words[2].text.find(", from frame 15"), std::string::npos) << map.words[2].text;
  EXPECT_GE(map.left + map.width, map.dots[2].x);
  CaseScene later = moved_scene();
  later.span = {20, 31};
  const DocumentMap after = report_map(later, {});
  ASSERT_EQ(after.dots.size(), 3u);
  EXPECT_EQ(after.dots[1].x, map.dots[2].x) << "as it stands in the span";
  EXPECT_EQ(after.words[1].text, scene.project.cameras[1].name);
}

TEST(CasePlan, TheVideosPlanHasCamerasAsTheyStandInTheFrame) {
  const test::TemporaryFolder folder;
  const CaseScene scene = moved_scene();
  const Picture blank = black_picture({.width = 640, .height = 480}, HostPool::shared()).value();
  const auto grid = GridVideo::open(scene, {blank.format()}, folder.path() / "grid.mp4").value();
  for (const int64_t frame : {kMovedAt - 1, kMovedAt}) ASSERT_TRUE(grid->add(frame, {blank}));
  ASSERT_TRUE(grid->finish());
  const auto video = open_video((folder.path() / "grid.mp4").string(), {});
  ASSERT_TRUE(video) << video.error().message();
  const Picture before = (*video)->read()->picture, after = (*video)->read()->picture;
  // Without the lower edge, where the moment stands.
  int largest = 0;
  for (int y = 0; y < before.height() * 9 / 10; ++y)
    for (int x = before.width() / 2; x < before.width(); ++x)
      largest = std::max(largest, std::abs(before.plane(0).at(x, y) - after.plane(0).at(x, y)));
  EXPECT_GT(largest, 100) << "a dark dot on paper has moved";
}

}  // namespace
}  // namespace vantage
