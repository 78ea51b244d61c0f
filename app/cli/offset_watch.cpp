#include "app/cli/offset_watch.h"

#include <cstdio>
#include <cstdlib>

#include "core/alignment/align.h"
#include "core/base/file.h"
#include "core/project/results_versions.h"

namespace vantage::cli {

OffsetWatch::OffsetWatch(const std::string& mode, OpenedChain& chain)
    : chain_(chain), apply_(mode == "apply"), last_(chain.project.cameras.size(), 0) {
  if (mode == "keep") return;
  if (chain.analysis->live())
    fail_command(Error{ErrorKind::unsupported, "live cameras lie in time by their clocks", "--offsets",
                       "Leave --offsets away."});
  OffsetMonitorOptions options;
  options.backends = &chain.backends.registry;
  options.device = chain.backends.device;
  options.context = {chain.trace.get(), chain.backends.device_index};
  options.frame_rate = chain.analysis->recording().frame_rate();
  auto monitor = OffsetMonitor::make(chain.project, options);
  if (!monitor) fail_command(monitor.error());
  monitor_ = std::move(*monitor);
}

Status OffsetWatch::add(const FrameResult& result) {
  if (!monitor_) return {};
  VANTAGE_ASSIGN(const std::vector<OffsetProposal> proposals, monitor_->add(result));
  for (const OffsetProposal& proposal : proposals) {
    if (apply_) {
      chain_.analysis->recording().realign(proposal.camera, proposal.frames);
      monitor_->expect(proposal);
    }
    if (apply_ || last_[static_cast<size_t>(proposal.camera)] != proposal.frames) note(proposal);
    last_[static_cast<size_t>(proposal.camera)] = proposal.frames;
  }
  return {};
}

void OffsetWatch::note(const OffsetProposal& proposal) {
  const std::string& name = chain_.project.cameras[static_cast<size_t>(proposal.camera)].name;
  std::fprintf(stderr, "frame %lld: %s is %d frames %s, confidence %.3f%s\n",
               static_cast<long long>(proposal.base_frame), name.c_str(), std::abs(proposal.frames),
               proposal.frames > 0 ? "behind" : "ahead", proposal.confidence, apply_ ? "; realigned" : "");
  proposals_.push_back({{"camera", name},
                        {"base_frame", proposal.base_frame},
                        {"frames", proposal.frames},
                        {"confidence", proposal.confidence},
                        {"since", proposal.since},
                        {"applied", apply_}});
}

Status OffsetWatch::finish(const std::string& folder, bool write_project) const {
  if (!monitor_) return {};
  const Recording& recording = chain_.analysis->recording();
  nlohmann::ordered_json changes = nlohmann::ordered_json::object();
  for (size_t c = 0; c < chain_.project.cameras.size(); ++c)
    for (const OffsetChange& change : recording.realigned(static_cast<int>(c)))
      changes[chain_.project.cameras[c].name].push_back(
          {{"base_frame", change.base_frame}, {"frames", change.frames}});
  const nlohmann::ordered_json report = {{"proposals", proposals_}, {"offset_changes", changes}};
  VANTAGE_TRY(write_file_atomically(folder + "/offsets.json", report.dump(1) + "\n"));
  if (!changes.empty()) VANTAGE_TRY(restate(folder));
  if (!write_project) return {};
  VANTAGE_ASSIGN(Project stored, load_project(chain_.project.path));
  for (size_t c = 1; c < stored.cameras.size(); ++c)
    for (const OffsetChange& change : recording.realigned(static_cast<int>(c)))
      stored.cameras[c].offset_changes.push_back(change);
  return save_project(stored, stored.path);
}

// The frames are those of a project that has these changes, so they are its results.
Status OffsetWatch::restate(const std::string& folder) const {
  Pipeline& pipeline = chain_.analysis->pipeline();
  VANTAGE_TRY(pipeline.configure(chain_.project.parameters));
  return restate_versions(folder + "/results.jsonl",
                          [&](std::string_view stage, uint64_t) { return pipeline.version(stage); });
}

}  // namespace vantage::cli
