// CUDA-OpenGL interop in a headless OpenGL context: what arrives in textures and buffers, read back through
// OpenGL, against the same conversion on the CPU. Tolerance: one grey level for colours; indicators and
// points are exact.
#include <GL/gl.h>
#include <GL/glext.h>
#include <fmt/core.h>

#include <cstdlib>
#include <random>

#include "core/display/color_conversion.h"
#include "core/image/backend/memory_transfer.h"
#include "core/pipeline/frame_result.h"
#include "tests/gpu/device.h"
#include "tests/gpu/egl_context.h"
#include "tests/support/pictures.h"

namespace vantage {
namespace {

template <typename F>
F gl_function(const char* name) {
  return reinterpret_cast<F>(eglGetProcAddress(name));
}

class InteropTest : public ::testing::Test {
 protected:
  void SetUp() override {
    VANTAGE_NEED_DEVICE(context);
    contexts_ = test::EglContext::all();
    std::string reason = "no headless OpenGL 4.5 context";
    for (const auto& egl : contexts_) {
      if (!egl->make_current()) continue;
      auto surface = gpu::make_interop_surface(0, &trace_);
      if (surface) {
        surface_ = std::move(*surface);
        break;
      }
      reason = surface.error().message();
    }
    if (!surface_) GTEST_SKIP() << reason;
    fmt::print("{}\n", surface_->description());
    BackendRegistry registry;
    gpu::register_cuda_backends(registry);
    transfer_ = registry.create<MemoryTransfer>(Device::cuda, {&trace_, 0}, {}).value();
    glGenTextures(1, &texture_);
    gl_function<PFNGLGENBUFFERSPROC>("glGenBuffers")(1, &buffer_);
  }

  void TearDown() override {
    if (!surface_) return;
    surface_->release();
    glDeleteTextures(1, &texture_);
    gl_function<PFNGLDELETEBUFFERSPROC>("glDeleteBuffers")(1, &buffer_);
    surface_.reset();
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
  }

  std::vector<uint8_t> read_texture(GLenum format, int width, int height, int channels) {
    std::vector<uint8_t> bytes(static_cast<size_t>(width) * static_cast<size_t>(height) *
                               static_cast<size_t>(channels));
    glBindTexture(GL_TEXTURE_2D, texture_);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTexImage(GL_TEXTURE_2D, 0, format, GL_UNSIGNED_BYTE, bytes.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    return bytes;
  }

  void expect_picture(const Picture& picture) {
    auto artifact = std::make_shared<FrameSetArtifact>();
    artifact->frames.cameras.resize(2);
    artifact->frames.cameras[1].picture = transfer_->upload(picture, 0, 1).value();
    FrameResult result;
    result.artifacts.video = artifact;
    const auto drawn = surface_->draw(texture_, result, 1, DisplayLayer::picture);
    ASSERT_TRUE(drawn) << drawn.error().message();
    ASSERT_EQ(drawn->width_px, picture.width());
    ASSERT_EQ(drawn->height_px, picture.height());
    const std::vector<uint8_t> rgba = read_texture(GL_RGBA, picture.width(), picture.height(), 4);
    const RgbFromYcbcr conversion = rgb_from_ycbcr(picture.format().range, picture.format().matrix);
    int worst = 0;
    size_t at = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x, at += 4) {
        const uint8_t luma = picture.plane(0).at(x, y);
        const uint8_t cb = picture.plane(1).at(x / 2, y / 2), cr = picture.plane(2).at(x / 2, y / 2);
        for (int c = 0; c < 3; ++c)
          worst = std::max(worst, std::abs(int{rgba[at + static_cast<size_t>(c)]} -
                                           rgb_component(conversion, c, luma, cb, cr)));
        ASSERT_EQ(rgba[at + 3], 255);
      }
    EXPECT_LE(worst, 1) << picture.width() << "x" << picture.height();
    EXPECT_EQ(surface_->draw(texture_, result, 0, DisplayLayer::picture)->width_px, 0)
        << "a camera without a picture";
    EXPECT_EQ(surface_->draw(texture_, result, 5, DisplayLayer::picture)->width_px, 0) << "no such camera";
  }

  TraceRecorder trace_;
  std::vector<std::unique_ptr<test::EglContext>> contexts_;
  std::unique_ptr<DisplaySurface> surface_;
  std::unique_ptr<MemoryTransfer> transfer_;
  unsigned texture_ = 0, buffer_ = 0;
};

TEST_F(InteropTest, DrawsPicturesOfAnySizeRangeAndMatrix) {
  std::mt19937 random(7);
  for (const auto& [width, height] :
       {std::pair{640, 480}, {640, 480}, {33, 17}, {1, 1}, {1920, 1080}, {641, 3}})
    for (const ColorRange range : {ColorRange::limited, ColorRange::full})
      for (const ColorMatrix matrix : {ColorMatrix::bt601, ColorMatrix::bt709, ColorMatrix::bt2020}) {
        Picture picture =
            Picture::make({PictureLayout::i420, width, height, range, matrix}, HostPool::shared()).value();
        test::fill_random(picture.buffer(), random);
        expect_picture(picture);
      }
}

TEST_F(InteropTest, KnowsTheColours) {
  Picture red =
      Picture::make({PictureLayout::i420, 8, 8, ColorRange::limited, ColorMatrix::bt601}, HostPool::shared())
          .value();
  const uint8_t levels[3] = {81, 90, 240};  // pure red in BT.601, limited range
  for (int p = 0; p < 3; ++p)
    for (int y = 0; y < red.plane(p).height; ++y)
      std::fill_n(red.writable_plane(p).row(y), red.plane(p).width, levels[p]);
  expect_picture(red);
  const std::vector<uint8_t> rgba = read_texture(GL_RGBA, 8, 8, 4);
  EXPECT_GE(rgba[0], 253);
  EXPECT_LE(rgba[1], 2);
  EXPECT_LE(rgba[2], 2);
}

TEST_F(InteropTest, DrawsIndicators) {
  std::mt19937 random(8);
  for (const auto& [width, height] : {std::pair{640, 480}, {33, 17}, {1, 1}, {1920, 1080}}) {
    const Image indicator = test::random_image(width, height, random);
    auto artifact = std::make_shared<ForegroundArtifact>();
    artifact->cameras.resize(1);
    artifact->cameras[0].indicator = transfer_->upload(indicator, 0, 0).value();
    FrameResult result;
    result.artifacts.foreground = artifact;
    const auto drawn = surface_->draw(texture_, result, 0, DisplayLayer::foreground);
    ASSERT_TRUE(drawn) << drawn.error().message();
    const std::vector<uint8_t> levels = read_texture(GL_RED, width, height, 1);
    for (int y = 0; y < height; ++y)
      ASSERT_TRUE(std::equal(indicator.view<uint8_t>().row(y), indicator.view<uint8_t>().row(y) + width,
                             levels.begin() + int64_t{y} * width))
          << "row " << y << " of " << width << "x" << height;
  }
}

// What the cameras' view and the Height Map layout both show.
TEST_F(InteropTest, DrawsHeightMapsOfTheirCamera) {
  std::mt19937 random(12);
  for (const auto& [width, height] : {std::pair{780, 620}, {33, 17}, {1, 1}}) {
    const Image levels = test::random_image(width, height, random),
                unsettled = test::random_image(width, height, random);
    auto artifact = std::make_shared<HeightMapArtifact>();
    HeightEstimate& estimate = artifact->estimate;
    estimate.reference = 1;
    estimate.map.labels = estimate.map.unsettled = estimate.levels = levels;  // the host's are not asked
    estimate.device_levels = transfer_->upload(levels, 0, 1).value();
    estimate.device_unsettled = transfer_->upload(unsettled, 0, 1).value();
    FrameResult result;
    result.artifacts.heightmap = artifact;
    for (const auto& [layer, expected] :
         {std::pair{DisplayLayer::heights, levels}, {DisplayLayer::unsettled, unsettled}}) {
      const auto elsewhere = surface_->draw(texture_, result, 0, layer);
      ASSERT_TRUE(elsewhere) << elsewhere.error().message();
      EXPECT_EQ(elsewhere->width_px, 0);
      const auto drawn = surface_->draw(texture_, result, 1, layer);
      ASSERT_TRUE(drawn) << drawn.error().message();
      EXPECT_EQ(drawn->width_px, width);
      const std::vector<uint8_t> read = read_texture(GL_RED, width, height, 1);
      for (int y = 0; y < height; ++y)
        ASSERT_TRUE(std::equal(expected.view<uint8_t>().row(y), expected.view<uint8_t>().row(y) + width,
                               read.begin() + int64_t{y} * width))
            << "row " << y << " of " << width << "x" << height;
    }
  }
}

TEST_F(InteropTest, DrawsShellPoints) {
  std::mt19937 random(9);
  VoxelGrid grid{{-1.25, 0.5, 0.125}, 0.02, 67, 41, 29};
  Image confidence = Image::make(ImageType::f32, grid.nx, grid.ny * grid.nz, HostPool::shared()).value();
  for (int row = 0; row < confidence.height(); ++row)
    for (int x = 0; x < grid.nx; ++x)
      confidence.writable_view<float>().at(x, row) = std::uniform_real_distribution<float>(0, 1)(random);
  for (const int share : {50, 2, 1, 30}) {  // the buffer grows and shrinks
    std::vector<uint32_t> ids;
    for (int64_t id = 0; id < grid.count(); ++id)
      if (random() % static_cast<unsigned>(share) == 0) ids.push_back(static_cast<uint32_t>(id));
    Image list = Image::make(ImageType::u32, static_cast<int>(ids.size()), 1, HostPool::shared()).value();
    std::copy(ids.begin(), ids.end(), list.writable_view<uint32_t>().data);
    auto artifact = std::make_shared<VolumeArtifact>();
    artifact->volume.grid = grid;
    artifact->volume.shell_ids = transfer_->upload(list, 0, -1).value();
    artifact->volume.counts = VolumeCounts{static_cast<int64_t>(ids.size()), grid.count()};
    const bool kept = share != 2;
    if (kept) artifact->volume.confidence = transfer_->upload(confidence, 0, -1).value();
    FrameResult result;
    result.artifacts.carving = artifact;
    const auto drawn = surface_->draw_points(buffer_, result);
    ASSERT_TRUE(drawn) << drawn.error().message();
    ASSERT_EQ(*drawn, static_cast<int64_t>(ids.size()));
    std::vector<ShellPoint> points(ids.size());
    gl_function<PFNGLBINDBUFFERPROC>("glBindBuffer")(GL_ARRAY_BUFFER, buffer_);
    gl_function<PFNGLGETBUFFERSUBDATAPROC>("glGetBufferSubData")(
        GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(points.size() * sizeof(ShellPoint)), points.data());
    gl_function<PFNGLBINDBUFFERPROC>("glBindBuffer")(GL_ARRAY_BUFFER, 0);
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto id = static_cast<int>(ids[i]);
      const int x = id % grid.nx, row = id / grid.nx, y = row % grid.ny, z = row / grid.ny;
      ASSERT_EQ(points[i].x_m, static_cast<float>(grid.center(0, x))) << "point " << i;
      ASSERT_EQ(points[i].y_m, static_cast<float>(grid.center(1, y))) << "point " << i;
      ASSERT_EQ(points[i].z_m, static_cast<float>(grid.center(2, z))) << "point " << i;
      ASSERT_EQ(points[i].confidence, kept ? confidence.view<float>().at(x, row) : 1.0f) << "point " << i;
    }
  }
}

TEST_F(InteropTest, RefusesHostMemory) {
  auto artifact = std::make_shared<FrameSetArtifact>();
  artifact->frames.cameras.resize(1);
  std::mt19937 random(10);
  artifact->frames.cameras[0].picture = test::random_picture(PictureLayout::nv12, 16, 16, random);
  FrameResult result;
  result.artifacts.video = artifact;
  const auto drawn = surface_->draw(texture_, result, 0, DisplayLayer::picture);
  ASSERT_FALSE(drawn);
  EXPECT_EQ(drawn.error().kind, ErrorKind::invalid_argument);
}

TEST_F(InteropTest, WorksAgainAfterRelease) {
  std::mt19937 random(11);
  const Picture picture = test::random_picture(PictureLayout::i420, 64, 48, random);
  expect_picture(picture);
  surface_->release();
  expect_picture(picture);
}

}  // namespace
}  // namespace vantage
