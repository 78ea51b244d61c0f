#include <QObject>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "core/pipeline/frame_result.h"
#include "tests/ui/gl_fixture.h"
#include "tests/ui/support/fake_scene.h"
#include "tests/ui/support/window_test.h"
#include "ui/platform/host_surface.h"

namespace vantage::ui {

class HostSurfaceTest final : public QObject {
  Q_OBJECT
 private slots:
  void converts_within_one_grey_level_data();
  void converts_within_one_grey_level();
  void keeps_up_with_another_size();
  void draws_the_indicator();
  void draws_height_maps_of_their_camera_alone();
  void draws_points_at_voxel_centres();
  void says_when_there_is_nothing();
  void waits_for_copies_of_device_memory();
};

namespace {

constexpr uint32_t kSeed = 20240817;

FrameResult with_picture(Picture picture) {
  auto artifact = std::make_shared<FrameSetArtifact>();
  artifact->frames.cameras.resize(1);
  artifact->frames.cameras[0].picture = std::move(picture);
  FrameResult result;
  result.artifacts.video = artifact;
  return result;
}

Picture random_picture(const PictureFormat& format, std::mt19937& random) {
  Picture picture = Picture::make(format, HostPool::shared()).value();
  for (int plane = 0; plane < picture.plane_count(); ++plane) {
    const ImageView<uint8_t> view = picture.writable_plane(plane);
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x) view.at(x, y) = static_cast<uint8_t>(random() & 255);
  }
  return picture;
}

// The standards' equations solved for R'G'B', in double: E'y = Kr R + Kg G + Kb B, E'cb = (B - E'y) / (2 (1 -
// Kb)).
std::array<double, 3> reference_rgb(const Picture& picture, int x, int y) {
  const PictureFormat& f = picture.format();
  const bool nv12 = f.layout == PictureLayout::nv12;
  const int cx = x / 2, cy = y / 2;
  const int cb8 = nv12 ? picture.plane(1).at(2 * cx, cy) : picture.plane(1).at(cx, cy);
  const int cr8 = nv12 ? picture.plane(1).at(2 * cx + 1, cy) : picture.plane(2).at(cx, cy);
  const bool limited = f.range == ColorRange::limited;
  const double luma = limited ? (picture.plane(0).at(x, y) - 16) / 219.0 : picture.plane(0).at(x, y) / 255.0;
  const double cb = (cb8 - 128) / (limited ? 224.0 : 255.0), cr = (cr8 - 128) / (limited ? 224.0 : 255.0);
  const double kr = f.matrix == ColorMatrix::bt601 ? 0.299 : f.matrix == ColorMatrix::bt709 ? 0.2126 : 0.2627;
  const double kb = f.matrix == ColorMatrix::bt601 ? 0.114 : f.matrix == ColorMatrix::bt709 ? 0.0722 : 0.0593;
  const double r = luma + 2 * (1 - kr) * cr, b = luma + 2 * (1 - kb) * cb;
  const double g = (luma - kr * r - kb * b) / (1 - kr - kb);
  return {255 * std::clamp(r, 0.0, 1.0), 255 * std::clamp(g, 0.0, 1.0), 255 * std::clamp(b, 0.0, 1.0)};
}

double largest_difference(const Picture& picture, const std::vector<uint8_t>& drawn) {
  double largest = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const std::array<double, 3> wanted = reference_rgb(picture, x, y);
      const size_t at =
          4 * (static_cast<size_t>(y) * static_cast<size_t>(picture.width()) + static_cast<size_t>(x));
      for (size_t c = 0; c < 3; ++c) largest = std::max(largest, std::abs(drawn[at + c] - wanted[c]));
      if (drawn[at + 3] != 255) return 1000;
    }
  return largest;
}

// Claims to be a device's memory.
class DevicePool final : public BufferPool {
 public:
  struct Block final : Buffer {
    explicit Block(size_t size) : Buffer(nullptr, size, MemoryPlace{MemoryKind::device, 0}) {}
  };
  Result<BufferRef> take(size_t size_bytes) override {
    return BufferRef(std::make_shared<Block>(size_bytes));
  }
  MemoryPlace place() const override { return {MemoryKind::device, 0}; }
};

}  // namespace

void HostSurfaceTest::converts_within_one_grey_level_data() {
  QTest::addColumn<int>("layout");
  QTest::addColumn<int>("range");
  QTest::addColumn<int>("matrix");
  for (int layout = 0; layout < 2; ++layout)
    for (int range = 0; range < 2; ++range)
      for (int matrix = 0; matrix < 3; ++matrix)
        QTest::addRow("layout %d range %d matrix %d", layout, range, matrix) << layout << range << matrix;
}

void HostSurfaceTest::converts_within_one_grey_level() {
  QFETCH(int, layout);
  QFETCH(int, range);
  QFETCH(int, matrix);
  const GlFixture fixture;
  QVERIFY(fixture.valid());
  HostSurface surface("test");
  std::mt19937 random(kSeed);
  // Odd sizes have half a chroma sample at the right and below.
  for (const auto& [width, height] : {std::pair(64, 48), {37, 23}, {1, 1}, {130, 1}}) {
    const Picture picture = random_picture({static_cast<PictureLayout>(layout), width, height,
                                            static_cast<ColorRange>(range), static_cast<ColorMatrix>(matrix)},
                                           random);
    const unsigned texture = fixture.make_texture();
    const Result<DrawnSize> drawn = surface.draw(texture, with_picture(picture), 0, DisplayLayer::picture);
    QVERIFY(drawn.has_value());
    QCOMPARE(drawn->width_px, width);
    QCOMPARE(drawn->height_px, height);
    const double difference = largest_difference(picture, fixture.read_texture(texture, width, height));
    QVERIFY2(
        difference <= 1.0,
        qPrintable(
            QString("%1x%2: %3 grey levels, seed %4").arg(width).arg(height).arg(difference).arg(kSeed)));
  }
  surface.release();
}

void HostSurfaceTest::keeps_up_with_another_size() {
  const GlFixture fixture;
  QVERIFY(fixture.valid());
  HostSurface surface("test");
  std::mt19937 random(kSeed);
  const unsigned texture = fixture.make_texture();
  for (const int width : {40, 80, 20, 40}) {
    const Picture picture = random_picture({PictureLayout::nv12, width, 30}, random);
    QVERIFY(surface.draw(texture, with_picture(picture), 0, DisplayLayer::picture).has_value());
    QVERIFY(largest_difference(picture, fixture.read_texture(texture, width, 30)) <= 1.0);
    surface.release();  // everything starts again after it
  }
}

void HostSurfaceTest::draws_the_indicator() {
  const GlFixture fixture;
  QVERIFY(fixture.valid());
  HostSurface surface("test");
  const FrameResultRef result = FakeScene{}.result(0, true);
  const unsigned texture = fixture.make_texture();
  const Result<DrawnSize> drawn = surface.draw(texture, *result, 1, DisplayLayer::foreground);
  QVERIFY(drawn.has_value());
  QCOMPARE(drawn->width_px, 160);
  const std::vector<uint8_t> pixels = fixture.read_texture(texture, 160, 120);
  const ImageView<const uint8_t> wanted = result->foreground()->cameras[1].indicator.view<uint8_t>();
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 160; ++x) QCOMPARE(pixels[4 * static_cast<size_t>(y * 160 + x)], wanted.at(x, y));
}

void HostSurfaceTest::draws_height_maps_of_their_camera_alone() {
  const GlFixture fixture;
  QVERIFY(fixture.valid());
  HostSurface surface("test");
  const FrameResultRef result = FakeScene::with_heights(FakeScene{}.result(0, true), 2, {}, 7);
  const unsigned texture = fixture.make_texture();
  for (const auto& [layer, value] : {std::pair(DisplayLayer::heights, 7), {DisplayLayer::unsettled, 255}}) {
    QCOMPARE(surface.draw(texture, *result, 1, layer)->width_px, 0);
    QCOMPARE(surface.draw(texture, *result, 2, layer)->width_px, 160);
    const std::vector<uint8_t> pixels = fixture.read_texture(texture, 160, 120);
    for (size_t i = 0; i < pixels.size(); i += 4) QCOMPARE(pixels[i], value);
  }
}

void HostSurfaceTest::draws_points_at_voxel_centres() {
  const GlFixture fixture;
  QVERIFY(fixture.valid());
  HostSurface surface("test");
  const FrameResultRef result = FakeScene{}.result(3, true);
  const unsigned buffer = fixture.make_buffer();
  const Result<int64_t> count = surface.draw_points(buffer, *result);
  QVERIFY(count.has_value());
  QVERIFY(*count > 100);
  QCOMPARE(*count, result->volume()->counts.get()->shell);
  const std::vector<ShellPoint> points = fixture.read_points(buffer, *count);
  const VoxelGrid& grid = result->volume()->grid;
  const Image shell_ids = result->volume()->shell_ids.get().value();
  for (size_t i = 0; i < points.size(); ++i) {
    const auto id = static_cast<int64_t>(shell_ids.view<uint32_t>().data[i]);
    QCOMPARE(points[i].x_m, static_cast<float>(grid.center(0, static_cast<int>(id % grid.nx))));
    QCOMPARE(points[i].y_m, static_cast<float>(grid.center(1, static_cast<int>(id / grid.nx % grid.ny))));
    QCOMPARE(points[i].z_m, static_cast<float>(grid.center(2, static_cast<int>(id / grid.nx / grid.ny))));
    QCOMPARE(points[i].confidence, 1.0f);
  }
}

void HostSurfaceTest::says_when_there_is_nothing() {
  const GlFixture fixture;
  QVERIFY(fixture.valid());
  HostSurface surface("test");
  FakeScene scene;
  scene.without_picture = 2;
  const FrameResultRef result = scene.result(0, false);
  const unsigned texture = fixture.make_texture();
  QCOMPARE(surface.draw(texture, *result, 2, DisplayLayer::picture)->width_px, 0);
  QCOMPARE(surface.draw(texture, *result, 0, DisplayLayer::foreground)->width_px, 0);
  QCOMPARE(surface.draw(texture, *result, 99, DisplayLayer::picture)->width_px, 0);
  QCOMPARE(*surface.draw_points(fixture.make_buffer(), *result), int64_t{0});
}

void HostSurfaceTest::waits_for_copies_of_device_memory() {
  const GlFixture fixture;
  QVERIFY(fixture.valid());
  HostSurface surface("test");
  DevicePool pool;
  const Picture picture = Picture::make({PictureLayout::nv12, 16, 16}, pool).value();
  const Result<DrawnSize> drawn =
      surface.draw(fixture.make_texture(), with_picture(picture), 0, DisplayLayer::picture);
  QVERIFY(drawn.has_value());
  QCOMPARE(drawn->width_px, 0);
}

const TestPart<HostSurfaceTest> kHostSurfacePart("host_surface");

}  // namespace vantage::ui

#include "host_surface_test.moc"
