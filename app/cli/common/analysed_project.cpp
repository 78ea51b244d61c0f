#include "app/cli/common/analysed_project.h"

#include <utility>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/results/results_writer.h"
#include "core/run/describe_run.h"

namespace vantage::cli {

std::filesystem::path analysed_or_fail(Project project, const std::string& backend,
                                       const std::function<Status(const FrameResult& result)>& each) {
  ChainOptions options;
  options.backend = backend;
  const std::string name = project.path.stem().string();
  OpenedChain chain = open_chain_or_fail(options, std::move(project));
  const FrameRange range = cut_to_recording_or_fail(parse_frames(""), chain.analysis->source());
  RunDescription description = value_or_fail(
      describe_run(*chain.analysis, chain.backends.on_device(chain.trace.get()), chain.backends.description));
  const std::filesystem::path results = chain.project.results_folder();
  const auto writer = value_or_fail(ResultsWriter::open(results, chain.project, description));
  Progress progress(name);
  Status written;
  int64_t done = 0;
  check_or_fail(chain.analysis->pipeline().analyse(
      range, ExecutionMode::threaded,
      [&](const FrameResultRef& result) {
        written = writer->write(*result);
        if (written && each) written = each(*result);
        progress.update(++done, range.end - range.begin);
        return written.has_value();
      },
      interrupted()));
  check_or_fail(written);
  check_or_fail(writer->finish(chain.trace.get()));
  return results;
}

}  // namespace vantage::cli
