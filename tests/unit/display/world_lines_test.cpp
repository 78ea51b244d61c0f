#include "core/display/world_lines.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

test::RingOptions large_picture() {
  test::RingOptions options;
  options.width_px = 1280, options.height_px = 960;
  return options;
}

double distance_to(const Eigen::Vector2d& point, const std::vector<PixelStrip>& strips) {
  double nearest = 1e9;
  for (const PixelStrip& strip : strips)
    for (size_t i = 0; i + 1 < strip.size(); ++i) {
      const Eigen::Vector2d along = strip[i + 1] - strip[i];
      const double t =
          std::clamp((point - strip[i]).dot(along) / std::max(1e-12, along.squaredNorm()), 0.0, 1.0);
      nearest = std::min(nearest, (point - strip[i] - t * along).norm());
    }
  return nearest;
}

TEST(ProjectPolyline, BendsAsTheLensDoes) {
  const Camera camera = test::ring_camera(large_picture(), 0.3);
  const std::vector<Eigen::Vector3d> line = {{-1, 1.2, 0}, {1.4, -1.1, 0}};
  const std::vector<PixelStrip> strips = project_polyline(camera_view(camera), line, false);
  ASSERT_EQ(strips.size(), 1u);
  double straightest = 0;
  for (int i = 0; i <= 1000; ++i) {
    const auto pixel = camera.project(line[0] + (line[1] - line[0]) * (i / 1000.0));
    ASSERT_TRUE(pixel);
    EXPECT_LT(distance_to(*pixel, strips),
              0.3);  // the tolerance holds between the points that were looked at
    straightest = std::max(straightest, distance_to(*pixel, {{strips[0].front(), strips[0].back()}}));
  }
  EXPECT_GT(straightest, 3) << "a straight line would not do";
}

TEST(ProjectPolyline, IsCutBehindTheCameraAndBeyondTheLens) {
  const Camera camera = test::ring_camera(large_picture(), 0);  // at (3, 0, 1.5), looks at the origin
  const std::vector<Eigen::Vector3d> through = {{-2, 0.1, 0}, {8, 0.1, 0}};
  const WorldView view = camera_view(camera);
  const std::vector<PixelStrip> strips = project_polyline(view, through, false);
  ASSERT_EQ(strips.size(), 1u);
  for (const Eigen::Vector2d& pixel : strips[0]) {
    EXPECT_TRUE(pixel.allFinite());
    EXPECT_TRUE(view.bounds_px.contains(pixel)) << pixel.transpose();
  }
  // It reaches the lower edge of the picture: the cut lies outside what is seen.
  EXPECT_GT(strips[0].back().y(), camera.height_px());
  const std::vector<Eigen::Vector3d> behind = {{5, -1, 0}, {5, 1, 0}};
  EXPECT_TRUE(project_polyline(view, behind, false).empty());
}

TEST(ProjectPolyline, FindsAPartThatIsSeenBetweenHiddenEnds) {
  const Camera camera = test::ring_camera(large_picture(), 0);
  const std::vector<Eigen::Vector3d> across = {{1.5, -40, 0}, {1.5, 40, 0}};
  const std::vector<PixelStrip> strips = project_polyline(camera_view(camera), across, false);
  ASSERT_EQ(strips.size(), 1u);
  EXPECT_LT(strips[0].front().x() * strips[0].back().x(), 0) << "from edge to edge";
}

TEST(ProjectPolyline, ClosesRings) {
  const Camera camera = test::ring_camera(large_picture(), 0);
  const auto ring = circle_in_world_m({0, 0, 0}, 0.3);
  const std::vector<PixelStrip> open = project_polyline(camera_view(camera), ring, false);
  const std::vector<PixelStrip> closed = project_polyline(camera_view(camera), ring, true);
  ASSERT_EQ(closed.size(), 1u);
  EXPECT_LT((closed[0].front() - closed[0].back()).norm(), 1e-9);
  EXPECT_GT((open[0].front() - open[0].back()).norm(), 1);
  EXPECT_TRUE(project_polyline(camera_view(camera), {}, true).empty());
}

TEST(StandingFigure, StandsOnItsPlaceAndFacesTheEye) {
  const Eigen::Vector3d place(0.4, -1, 0), eye(3, 2, 1.5);
  const auto figure = standing_figure_in_world_m(place, 1.75, eye);
  Eigen::Vector3d low = figure[0], high = figure[0], sum = Eigen::Vector3d::Zero();
  Eigen::Vector3d towards = eye - place;
  towards.z() = 0;
  for (const Eigen::Vector3d& point : figure) {
    low = low.cwiseMin(point), high = high.cwiseMax(point), sum += point - place;
    EXPECT_NEAR((point - place).dot(towards), 0, 1e-9) << "flat, across the line of sight";
  }
  EXPECT_NEAR(low.z(), 0, 1e-12);
  EXPECT_NEAR(high.z(), 1.75, 1e-12);
  EXPECT_LT(sum.head<2>().norm(), 1e-9) << "left is like right";
  EXPECT_NEAR((high - low).head<2>().norm(), 0.49, 0.03) << "as wide as a person";
  EXPECT_EQ(standing_figure_in_world_m(place, 1.75, place + Eigen::Vector3d(0, 0, 5)).size(), figure.size());
}

TEST(PersonRectangle, HoldsFeetAndHead) {
  const Camera camera = test::ring_camera(large_picture(), 0);
  const auto box = person_rectangle_px(camera_view(camera), {0, 0.2, 0}, 1.8);
  ASSERT_TRUE(box);
  EXPECT_TRUE(box->contains(*camera.project({0, 0.2, 0})));
  EXPECT_TRUE(box->contains(*camera.project({0, 0.2, 1.8})));
  EXPECT_GT(box->sizes().y(), 2 * box->sizes().x());
  EXPECT_FALSE(person_rectangle_px(camera_view(camera), {9, 0, 0}, 1.8)) << "behind the camera";
}

}  // namespace
}  // namespace vantage
