// Several processes on one GPU take turns on it, in the middle of a frame's kernels too. What each computes
// is what the CPU computes, in every frame.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "core/algorithms.h"
#include "core/carving/carving.h"
#include "core/foreground/foreground.h"
#include "core/image/backend/memory_transfer.h"
#include "tests/gpu/device.h"
#include "tests/support/pictures.h"

namespace vantage {
namespace {

constexpr int kWidth = 960, kHeight = 720, kCameras = 8, kFrames = 6;
constexpr int kProcesses = 3, kNoDevice = 77;

// Cameras on a ring that look at its middle.
std::vector<PinholeCamera<double>> ring() {
  std::vector<PinholeCamera<double>> cameras;
  for (int i = 0; i < kCameras; ++i) {
    const double angle = 2 * M_PI * i / kCameras, c = std::cos(angle), s = std::sin(angle), distance = 4;
    PinholeCamera<double> camera;
    camera.width_px = kWidth, camera.height_px = kHeight;
    camera.fx_px = camera.fy_px = 800, camera.cx_px = 479.3, camera.cy_px = 360.8;
    camera.k1 = -0.12, camera.k2 = 0.02;
    camera.max_radius2 = 2;
    const double rotation[9] = {-s, c, 0, 0, 0, -1, -c, -s, 0};
    const double centre[3] = {distance * c, distance * s, 1.2};
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) {
        camera.rotation_cam_from_world[3 * r + k] = rotation[3 * r + k];
        camera.translation_cam_from_world_m[r] -= rotation[3 * r + k] * centre[k];
      }
    cameras.push_back(camera);
  }
  return cameras;
}

// Noise, and in it a ragged figure that is brighter than the scene in places, darker or in shade elsewhere.
Picture figure(int frame, std::mt19937& random) {
  Picture picture = Picture::make({PictureLayout::i420, kWidth, kHeight}, HostPool::shared()).value();
  for (int p = 0; p < 3; ++p) {
    const int scale = p == 0 ? 1 : 2;
    for (int y = 0; y < picture.plane(p).height; ++y)
      for (int x = 0; x < picture.plane(p).width; ++x) {
        const double dx = (x * scale - kWidth / 2.0 - 20 * frame) / (kWidth / 6.0),
                     dy = (y * scale - kHeight / 2.0) / (kHeight / 3.0);
        const bool inside = frame >= 0 && dx * dx + dy * dy < 1 + 0.02 * static_cast<double>(random() % 10);
        const int kind = (x * scale / 24 + y * scale / 24) % 3, noise = static_cast<int>(random() % 8);
        const int shift = !inside ? 0 : p > 0 ? (kind == 0 ? 18 : 0) : kind == 0 ? 50 : kind == 1 ? -35 : -60;
        picture.writable_plane(p).at(x, y) = static_cast<uint8_t>((p == 0 ? 110 : 128) + noise + shift);
      }
  }
  return picture;
}

struct Footage {
  std::vector<Picture> empty[kCameras], frames[kCameras];
};

Footage make_footage() {
  Footage footage;
  std::mt19937 random(5);
  for (int camera = 0; camera < kCameras; ++camera) {
    for (int i = 0; i < 3; ++i) footage.empty[camera].push_back(figure(-1, random));
    for (int frame = 0; frame < kFrames; ++frame) footage.frames[camera].push_back(figure(frame, random));
  }
  return footage;
}

// The foreground and the volume of the footage on one device, again and again.
class Chain {
 public:
  Chain(const BackendRegistry& registry, TraceRecorder& trace, Device device, const Footage& footage,
        MemoryTransfer* transfer) {
    const BackendContext context{&trace, 0};
    for (int camera = 0; camera < kCameras; ++camera) {
      auto model = registry.create<ForegroundModel>(device, context, {camera}).value();
      for (const Picture& picture : footage.empty[camera])
        EXPECT_TRUE(model->learn(transfer ? transfer->upload(picture, -1, -1).value() : picture, 0));
      learnt_.push_back(model->save().value());
      models_.push_back(std::move(model));
      for (const Picture& picture : footage.frames[camera])
        pictures_[camera].push_back(transfer ? transfer->upload(picture, -1, -1).value() : picture);
    }
    Carver::Arguments arguments{ring(), {{-0.8, -0.8, 0.0}, 0.0125, 128, 128, 192}};
    arguments.keep_occupancy = true;
    carver_ = registry.create<Carver>(device, context, arguments).value();
  }

  // Of every frame, none of which is waited for: the cameras' indicators, then the occupancy.
  std::vector<Image> run() {
    std::vector<Image> images;
    for (size_t camera = 0; camera < kCameras; ++camera)
      EXPECT_TRUE(models_[camera]->restore(*learnt_[camera]));
    for (size_t frame = 0; frame < kFrames; ++frame) {
      std::vector<Image> indicators;
      for (size_t camera = 0; camera < kCameras; ++camera)
        indicators.push_back(models_[camera]
                                 ->apply(pictures_[camera][frame], static_cast<int64_t>(frame) + 1)
                                 .value()
                                 .indicator);
      const CarvedVolume volume = carver_->carve(indicators, false, static_cast<int64_t>(frame) + 1).value();
      images.insert(images.end(), indicators.begin(), indicators.end());
      images.push_back(volume.occupancy);
    }
    return images;
  }

 private:
  std::vector<std::unique_ptr<ForegroundModel>> models_;
  std::vector<std::shared_ptr<const ForegroundState>> learnt_;
  std::unique_ptr<Carver> carver_;
  std::vector<Picture> pictures_[kCameras];
};

template <typename T>
int64_t different(const Image& a, const Image& b) {
  if (test::same_pixels<T>(a, b)) return 0;  // a row at a time: waiting for this is waiting for the device
  int64_t count = 0;
  for (int y = 0; y < a.view<T>().height; ++y)
    for (int x = 0; x < a.view<T>().width; ++x) count += a.view<T>().at(x, y) != b.view<T>().at(x, y);
  return count;
}

// In a process of its own. Returns how many frames differ from the CPU's.
int wrong_frames(const Footage& footage, int rounds, int process) {
  if (!gpu::Context::get(0)) return kNoDevice;
  TraceRecorder trace;
  BackendRegistry registry;
  register_foreground_cpu(registry);
  register_carving_cpu(registry);
  gpu::register_cuda_backends(registry);
  const auto transfer = registry.create<MemoryTransfer>(Device::cuda, {&trace, 0}, {}).value();
  const std::vector<Image> expected = Chain(registry, trace, Device::cpu, footage, nullptr).run();
  Chain chain(registry, trace, Device::cuda, footage, transfer.get());
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Image> images = chain.run();
    for (size_t i = 0; i < images.size(); ++i) {
      const bool volume = i % (kCameras + 1) == kCameras;
      const Image actual = transfer->download(images[i], -1, -1).value();
      const int64_t count =
          volume ? different<uint32_t>(expected[i], actual) : different<uint8_t>(expected[i], actual);
      if (count == 0) continue;
      ++wrong;
      std::cerr << "process " << process << ", round " << round << ", frame " << i / (kCameras + 1) << ": "
                << count << (volume ? " words of the volume" : " pixels of camera ")
                << (volume ? "" : std::to_string(i % (kCameras + 1) + 1)) << " differ\n";
    }
  }
  return std::min(wrong, kNoDevice - 1);
}

TEST(SharedDevice, ProcessesThatTakeTurnsComputeWhatTheCpuComputes) {
  const char* asked = std::getenv("VANTAGE_SHARED_DEVICE_ROUNDS");
  const int rounds = asked ? std::atoi(asked) : 20;
  const Footage footage = make_footage();
  std::vector<pid_t> processes;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = fork();  // before anything of CUDA, which a child cannot take over
    ASSERT_GE(child, 0);
    if (child == 0) _exit(wrong_frames(footage, rounds, process));
    processes.push_back(child);
  }
  bool no_device = false;
  for (const pid_t process : processes) {
    int status = 0;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    ASSERT_TRUE(WIFEXITED(status));
    no_device |= WEXITSTATUS(status) == kNoDevice;
    EXPECT_TRUE(no_device || WEXITSTATUS(status) == 0) << WEXITSTATUS(status) << " frames differ";
  }
  if (no_device) GTEST_SKIP() << "no CUDA device answers";
}

}  // namespace
}  // namespace vantage
