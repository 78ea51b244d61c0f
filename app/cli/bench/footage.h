// The recording that decoding and whole chains are measured on, and the chain run over it.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "app/cli/bench/report.h"
#include "app/cli/bench/scenes.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"
#include "core/synth/synth.h"

namespace vantage::cli {

struct BenchFootage {
  Project project;
  int64_t frames = 0;       // measured; at most those of the recording
  std::string description;  // "4 x 640x480, 75 frames"
};

// Renders a small recording into `folder`, or opens the one that lies there from a bench before.
BenchFootage render_footage(const std::filesystem::path& folder, const SynthOptions& options, int64_t frames);
BenchFootage open_footage(const std::filesystem::path& project, int64_t frames);

// The project with `cameras` cameras, its own ones over and over.
Project with_cameras(const Project& project, int cameras);
// The project with cubic voxels on the same floor, `side` by `side` by `layers`.
Project with_grid(const Project& project, int side, int layers);

struct ChainTimes {
  double seconds = 0;
  int64_t frames = 0;
  std::vector<TraceSpan> spans;
  std::vector<int64_t> done_ns;  // when each frame's result was there, from frame `first` on
  int64_t first = 0;
  double frames_per_s() const { return static_cast<double>(frames) / seconds; }
};

enum class Timings { kept, off };

// The whole chain over frames 1 to `frames`, a thread a stage, as `run` does it; frame 0 comes before, so
// that empty-scene clips are learnt and memory is there. Without timings there are no spans.
ChainTimes run_chain(const BenchDevice& device, const Project& project, int64_t frames,
                     Timings timings = Timings::kept);

// The same as live cameras are followed, one frame at a time: frame i's bytes are there i periods after the
// start and not before. Milliseconds from then to its result.
std::vector<double> run_paced(const BenchDevice& device, const Project& project, int64_t frames,
                              double frames_per_s);

}  // namespace vantage::cli
