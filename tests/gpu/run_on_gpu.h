// What `vantage-cli run` does on the GPU, on small footage in a folder of its own.
#pragma once

#include <functional>
#include <vector>

#include "core/results/results_reader.h"
#include "core/results/results_writer.h"
#include "core/run/analysis.h"
#include "gpu/cuda_backends.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage::gpu {

struct EndedRun {
  Status status;  // of the first step that failed
  int64_t written = 0;
  StoredResults stored;  // what can be read afterwards
};

// Calls `each` with the number of frames written so far.
inline EndedRun run_on_gpu(const Project& project, int64_t frames, const std::function<void(int64_t)>& each) {
  EndedRun ended;
  BackendRegistry backends;
  register_cuda_backends(backends);
  AnalysisOptions options;
  options.backends = {&backends, Device::cuda};
  options.pipeline.cache_bytes = 0;
  const auto analysis = Analysis::open(project, options);
  if (!analysis) return {fail(analysis.error()), 0, {}};
  RunDescription run;
  run.device = Device::cuda;
  run.frame_rate = (*analysis)->source().frame_rate();
  for (int i = 0; i < (*analysis)->source().camera_count(); ++i)
    run.videos.push_back((*analysis)->source().info(i));
  run.grid = *(*analysis)->grid();
  run.coverage = *(*analysis)->coverage();
  run.transfer = backends.create<MemoryTransfer>(Device::cuda, {}, {}).value();
  auto writer = ResultsWriter::open(project.results_folder(), project, run);
  if (!writer) return {fail(writer.error()), 0, {}};
  Status written = {};
  std::vector<FrameResultRef> held;  // so that no frame can do with another's memory
  ended.status = (*analysis)->pipeline().analyse({0, frames}, ExecutionMode::threaded,
                                                 [&](const FrameResultRef& result) {
                                                   written = (*writer)->write(*result);
                                                   held.push_back(result);
                                                   if (written) each(++ended.written);
                                                   return written.has_value();
                                                 },
                                                 {});
  if (ended.status) ended.status = written;
  if (const Status finished = (*writer)->finish(nullptr); ended.status) ended.status = finished;
  auto stored = read_results(project.results_folder());
  if (stored)
    ended.stored = *std::move(stored);
  else
    ended.status = fail(stored.error());
  return ended;
}

}  // namespace vantage::gpu
