// The recording on which decoding and complete chains are measured, and runs of the chain over it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "app/backends/backends.h"
#include "app/cli/common/command.h"
#include "core/geometry/camera.h"
#include "core/image/backend/memory_transfer.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"
#include "core/synth/synth.h"
#include "tools/bench/report.h"

namespace vantage::cli {

// Inputs for benches that need no footage: noise, discs, upright bodies, cameras at the corners of a square.

inline constexpr unsigned kBenchSeed = 20;

// The device under test with the benches' inputs. Ends the command at the first error.
class BenchDevice {
 public:
  explicit BenchDevice(const std::string& choice);

  const Backends& backends() const { return backends_; }
  const DeviceRates& rates() const { return rates_; }
  bool on_gpu() const { return backends_.device == Device::cuda; }
  template <typename Algorithm>
  std::unique_ptr<Algorithm> create(const typename Algorithm::Arguments& arguments,
                                    TraceRecorder* trace = nullptr) const {
    return value_or_fail(backends_.on_device(trace).create<Algorithm>(arguments));
  }

  Image to_device(const Image& image) const;
  // Waits until its content is complete.
  void wait_for(const Image& image) const;

  // Nearly even grey with noise, like a background.
  Picture noise_picture(int width, int height);
  // A smooth texture with a little noise, moved by up to that many pixels in directions that rotate over the
  // picture, for optical flow.
  Picture clouds(int width, int height, double moved_px);
  Image noise_image(ImageType type, int width, int height);
  // Discs of full indicator on an empty picture until that share is covered.
  Image discs(int width, int height, double covered_share);
  // Six upright bodies, 0.5 m wide and 1.75 m high, within 3 m of the middle, in the camera's view.
  Image six_people(const PinholeCamera<double>& camera) const;

 private:
  Backends backends_;
  DeviceRates rates_;
  std::unique_ptr<MemoryTransfer> transfer_;
  std::mt19937 random_{kBenchSeed};
};

// 1280x960, at the corners of a square, 2.5 m high, aimed at the middle.
std::vector<Camera> corner_cameras(double half_side_m);

struct BenchFootage {
  Project project;
  int64_t frames = 0;       // measured; at most those of the recording
  std::string description;  // "4 x 640x480, 75 frames"
};

// Renders a small recording into `folder`, or opens one left by an earlier bench.
BenchFootage render_footage(const std::filesystem::path& folder, const SynthOptions& options, int64_t frames);
BenchFootage open_footage(const std::filesystem::path& project, int64_t frames);

// The project with `cameras` cameras, repeating its own.
Project with_cameras(const Project& project, int cameras);
// The project with cubic voxels on the same floor, `side` by `side` by `layers`.
Project with_grid(const Project& project, int side, int layers);

struct ChainTimes {
  double seconds = 0;
  int64_t frames = 0;
  std::vector<TraceSpan> spans;
  std::vector<int64_t> done_ns;  // time of each frame's result, from frame `first` on
  int64_t first = 0;
  double frames_per_s() const { return static_cast<double>(frames) / seconds; }
};

// Runs the complete chain over frames 1 to `frames`, one thread per stage, as `run` does; frame 0 comes
// before, so that empty-scene clips are learnt and memory is allocated. `ready` is called between the two.
ChainTimes run_chain(const BenchDevice& device, const Project& project, int64_t frames,
                     const std::function<void()>& ready = {});

// Runs a chain on each of the GPUs 0 to `count` - 1, each with its own Analysis: all start when the last one
// has processed its first frame. On the CPU all share it.
std::vector<ChainTimes> run_chains_together(const BenchDevice& device, int count, const Project& project,
                                            int64_t frames);

// Frame sets/s over the same frames, with and without timings.
struct TimingsPair {
  double with = 0, without = 0;
};
// Runs two chains, one of which records timings, alternately over stretches of the footage: a pair is a
// stretch by both, with alternating order. For about `seconds`; prints intermediate results.
std::vector<TimingsPair> run_with_and_without_timings(const BenchDevice& device, const Project& project,
                                                      int64_t frames, double seconds);

// The same with frames one at a time as from live cameras: frame i's bytes are available i periods after the
// start.
struct PacedTimes {
  std::vector<double> latency_ms;  // time from then to each frame's result
  double gpu_busy_share = 0;       // measured from the trace
};
PacedTimes run_paced(const BenchDevice& device, const Project& project, int64_t frames, double frames_per_s);

}  // namespace vantage::cli
