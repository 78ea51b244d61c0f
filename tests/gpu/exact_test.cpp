// CPU and CUDA share the arithmetic of a pixel and of a voxel, compiled without fused multiply-add: their
// results are equal to the bit. (tests/parity compares each with a reference.)
#include <cmath>
#include <random>

#include "core/algorithms.h"
#include "core/carving/carving.h"
#include "core/foreground/foreground.h"
#include "core/image/backend/memory_transfer.h"
#include "tests/gpu/device.h"
#include "tests/support/pictures.h"

namespace vantage {
namespace {

class ExactTest : public ::testing::Test {
 protected:
  void SetUp() override {
    VANTAGE_NEED_DEVICE(context);
    register_foreground_cpu(registry_);
    register_carving_cpu(registry_);
    gpu::register_cuda_backends(registry_);
    transfer_ = make<MemoryTransfer>(Device::cuda, {});
  }
  template <typename I>
  std::unique_ptr<I> make(Device device, const typename I::Arguments& arguments) {
    return registry_.create<I>(device, {&trace_, 0}, arguments).value();
  }
  template <typename T>
  T up(const T& host) {
    return transfer_->upload(host, -1, -1).value();
  }
  Image down(const Image& image) { return transfer_->download(image, -1, -1).value(); }

  TraceRecorder trace_;
  BackendRegistry registry_;
  std::unique_ptr<MemoryTransfer> transfer_;
  std::mt19937 random_{21};
};

// Background noise with spots of 6 pixels, brighter or darker, which the cleaning leaves, so that both sides
// of the mask occur.
Picture noisy_picture(int width, int height, std::mt19937& random) {
  constexpr int kSpot = 6;
  Picture picture = Picture::make({PictureLayout::i420, width, height}, HostPool::shared()).value();
  const int across = width / kSpot + 1;
  std::vector<int> spots(static_cast<size_t>(across) * static_cast<size_t>(height / kSpot + 1));
  for (int& spot : spots) spot = random() % 10 == 0 ? (random() % 2 ? 60 : -60) : 0;
  for (int p = 0; p < 3; ++p)
    for (int y = 0; y < picture.plane(p).height; ++y)
      for (int x = 0; x < picture.plane(p).width; ++x) {
        const int scale = p == 0 ? 1 : 2;
        const auto cell = static_cast<size_t>(y * scale / kSpot * across + x * scale / kSpot);
        const int noise = static_cast<int>(random() % 12);
        picture.writable_plane(p).at(x, y) = static_cast<uint8_t>(100 + noise + spots[cell]);
      }
  return picture;
}

TEST_F(ExactTest, Foreground) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {13, 1}, {33, 17}, {260, 31}, {1280, 720}}) {
    const auto cpu = make<ForegroundModel>(Device::cpu, {}), cuda = make<ForegroundModel>(Device::cuda, {});
    ForegroundParameters parameters;
    parameters.learning_rate = 0.05;
    std::shared_ptr<const ForegroundState> cpu_state, cuda_state;
    int64_t foreground = 0;
    const auto step = [&](const Picture& picture, int frame) {
      const ForegroundImages expected = cpu->apply(picture, frame).value(),
                             actual = cuda->apply(up(picture), frame).value();
      EXPECT_TRUE(test::same_pixels<uint8_t>(expected.indicator, down(actual.indicator)))
          << width << "x" << height;
      EXPECT_TRUE(test::same_pixels<uint8_t>(expected.mask, down(actual.mask))) << width << "x" << height;
      EXPECT_EQ(expected.mask_count.get().value(), actual.mask_count.get().value());
      foreground += expected.mask_count.get().value();
    };
    cpu->set_parameters(ParameterStore::of(parameters));
    cuda->set_parameters(ParameterStore::of(parameters));
    for (int frame = 0; frame < 10; ++frame) {
      const Picture picture = noisy_picture(width, height, random_);
      if (frame < 3) {
        ASSERT_TRUE(cpu->learn(picture, frame));
        ASSERT_TRUE(cuda->learn(up(picture), frame));
      } else {
        step(picture, frame);
      }
      if (frame == 5) cpu_state = cpu->save().value(), cuda_state = cuda->save().value();
    }
    ASSERT_TRUE(cpu->restore(*cpu_state));
    ASSERT_TRUE(cuda->restore(*cuda_state));
    EXPECT_FALSE(cuda->restore(*cpu_state));
    step(noisy_picture(width, height, random_), 6);
    if (width * height > 1000) {
      EXPECT_GT(foreground, 0);
    }
  }
}

// Cameras on a ring around the origin, with a lens.
std::vector<PinholeCamera<double>> ring(int count) {
  std::vector<PinholeCamera<double>> cameras;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * M_PI * i / count, c = std::cos(angle), s = std::sin(angle), distance = 3,
                 height = 1.2;
    PinholeCamera<double> camera;
    camera.width_px = 321, camera.height_px = 243;
    camera.fx_px = camera.fy_px = 260, camera.cx_px = 159.3, camera.cy_px = 120.8;
    camera.k1 = -0.12, camera.k2 = 0.02, camera.p1 = 1e-3, camera.p2 = -5e-4;
    camera.max_radius2 = 2;
    // Looks at the axis horizontally: x right, y down, z forward.
    const double rotation[9] = {-s, c, 0, 0, 0, -1, -c, -s, 0};
    const double centre[3] = {distance * c, distance * s, height};
    for (int r = 0; r < 3; ++r) {
      for (int k = 0; k < 3; ++k) {
        camera.rotation_cam_from_world[3 * r + k] = rotation[3 * r + k];
        camera.translation_cam_from_world_m[r] -= rotation[3 * r + k] * centre[k];
      }
    }
    cameras.push_back(camera);
  }
  return cameras;
}

// A silhouette with soft, ragged edges.
Image silhouette(int width, int height, std::mt19937& random) {
  Image image = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double dx = (x - width / 2.0) / (width / 4.0), dy = (y - height / 2.0) / (height / 2.5);
      const double level = 255 * (1.5 - std::sqrt(dx * dx + dy * dy)) + static_cast<double>(random() % 60);
      image.writable_view<uint8_t>().at(x, y) = static_cast<uint8_t>(std::clamp(level, 0.0, 255.0));
    }
  return image;
}

TEST_F(ExactTest, Carving) {
  struct Case {
    int cameras, nx, ny, nz;
    double threshold;
  };
  for (const Case& c : {Case{4, 100, 90, 80, 0.7},
                        {4, 33, 1, 65, 1.0},
                        {1, 1, 1, 1, 0.5},
                        {35, 64, 31, 20, 0.6},
                        {3, 95, 40, 40, 0.0},
                        {2, 31, 50, 7, 0.9}}) {
    const double voxel = 2.0 / c.nx;
    const Carver::Arguments arguments{ring(c.cameras),
                                      {{-1, -0.5 * voxel * c.ny, 0.7}, voxel, c.nx, c.ny, c.nz}};
    const auto cpu = make<Carver>(Device::cpu, arguments), cuda = make<Carver>(Device::cuda, arguments);
    cpu->set_parameters({c.threshold});
    cuda->set_parameters({c.threshold});
    for (const bool with_hole : {false, true}) {
      std::vector<Image> on_host, on_device;
      for (int i = 0; i < c.cameras; ++i) {
        const bool missing = with_hole && i == 1;
        on_host.push_back(missing ? Image() : silhouette(321, 243, random_));
        on_device.push_back(missing ? Image() : up(on_host.back()));
      }
      const CarvedVolume expected = cpu->carve(on_host, true, 0).value(),
                         actual = cuda->carve(on_device, true, 0).value();
      const VolumeCounts counts = expected.counts.get().value();
      ASSERT_EQ(actual.counts.get().value().shell, counts.shell);
      ASSERT_EQ(actual.counts.get().value().occupied, counts.occupied);
      EXPECT_TRUE(test::same_pixels<float>(expected.confidence, down(actual.confidence)));
      const Image ids = down(actual.shell_ids.get().value());
      EXPECT_TRUE(std::equal(ids.view<uint32_t>().data, ids.view<uint32_t>().data + counts.shell,
                             expected.shell_ids.get().value().view<uint32_t>().data));
      if (c.nx > 30 && !with_hole) {
        EXPECT_GT(counts.occupied, 0) << c.cameras << " cameras";
      }
    }
  }
}

// Frames enqueued without reading any result in between, then all read: buffers of one frame must not be
// reused by another.
TEST_F(ExactTest, ManyFramesInFlight) {
  const auto cpu = make<ForegroundModel>(Device::cpu, {}), cuda = make<ForegroundModel>(Device::cuda, {});
  std::vector<Picture> pictures;
  std::vector<ForegroundImages> expected, actual;
  for (int frame = 0; frame < 40; ++frame) pictures.push_back(noisy_picture(640, 360, random_));
  for (int frame = 0; frame < 40; ++frame) actual.push_back(cuda->apply(up(pictures[frame]), frame).value());
  for (int frame = 0; frame < 40; ++frame) expected.push_back(cpu->apply(pictures[frame], frame).value());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(test::same_pixels<uint8_t>(expected[i].indicator, down(actual[i].indicator)))
        << "frame " << i;
    ASSERT_EQ(expected[i].mask_count.get().value(), actual[i].mask_count.get().value()) << "frame " << i;
  }
}

}  // namespace
}  // namespace vantage
