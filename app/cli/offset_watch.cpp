#include "app/cli/offset_watch.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "app/cli/project_change.h"
#include "app/cli/value_or_fail.h"
#include "core/alignment/align.h"
#include "core/base/file.h"
#include "core/project/project_store.h"
#include "core/project/results_versions.h"

namespace vantage::cli {

OffsetWatch::OffsetWatch(const std::string& mode, OpenedChain& chain)
    : chain_(chain),
      apply_(mode == "apply"),
      project_(chain.project.path),
      delays_s_(chain.project.live_delays_s()),
      last_(chain.project.cameras.size(), 0) {
  if (mode == "keep") return;
  SignalWindowOptions options;
  options.backends = chain.backends.on_device(chain.trace.get());
  options.frame_rate = chain.analysis->recording().frame_rate();
  if (chain.analysis->live())
    delay_monitor_ = value_or_fail(DelayMonitor::make(chain.project, options));
  else
    monitor_ = value_or_fail(OffsetMonitor::make(chain.project, {options}));
}

Status OffsetWatch::add(const FrameResult& result) {
  if (delay_monitor_) return add_live(result);
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

Status OffsetWatch::add_live(const FrameResult& result) {
  VANTAGE_ASSIGN(std::vector<OffsetProposal> proposals,
                 delay_monitor_->add(result, chain_.analysis->live()->thinning()));
  std::erase_if(proposals, [&](const OffsetProposal& proposal) {  // a project cannot hold it
    return std::abs(delays_s_[static_cast<size_t>(proposal.camera)] + *proposal.delay_s) > kMostLiveDelay_s;
  });
  for (const OffsetProposal& proposal : proposals) note_delay(proposal);
  if (apply_ && !proposals.empty()) apply_delays(proposals);
  return {};
}

void OffsetWatch::apply_delays(const std::vector<OffsetProposal>& proposals) {
  for (const OffsetProposal& proposal : proposals)
    delays_s_[static_cast<size_t>(proposal.camera)] += *proposal.delay_s;
  delay_monitor_->begin_anew(chain_.analysis->live()->set_delays(delays_s_));
}

// The same finding once: in whole sets it is the same.
void OffsetWatch::note_delay(const OffsetProposal& proposal) {
  const auto camera = static_cast<size_t>(proposal.camera);
  const int sets =
      static_cast<int>(std::lround(*proposal.delay_s * chain_.analysis->recording().frame_rate()));
  if (std::exchange(last_[camera], sets) == sets && !apply_) return;
  const std::string& name = chain_.project.cameras[camera].name;
  std::fprintf(stderr, "frame set %lld: what %s shows is %.3f s %s than what %s shows, confidence %.3f%s\n",
               static_cast<long long>(proposal.base_frame), name.c_str(), std::abs(*proposal.delay_s),
               *proposal.delay_s > 0 ? "older" : "younger", chain_.project.cameras.front().name.c_str(),
               proposal.confidence, apply_ ? "; corrected" : "");
  proposals_.push_back({{"camera", name},
                        {"base_frame", proposal.base_frame},
                        {"delay_s", *proposal.delay_s},
                        {"confidence", proposal.confidence},
                        {"applied", apply_}});
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
  if (!monitor_ && !delay_monitor_) return {};
  const Recording& recording = chain_.analysis->recording();
  nlohmann::ordered_json changes = nlohmann::ordered_json::object();
  for (size_t c = 0; c < chain_.project.cameras.size(); ++c)
    for (const OffsetChange& change : recording.realigned(static_cast<int>(c)))
      changes[chain_.project.cameras[c].name].push_back(
          {{"base_frame", change.base_frame}, {"frames", change.frames}});
  nlohmann::ordered_json report = {{"proposals", proposals_}, {"offset_changes", changes}};
  if (delay_monitor_) report["live_delays_s"] = delays_s_;
  VANTAGE_TRY(write_file_atomically(folder + "/offsets.json", report.dump(1) + "\n"));
  if (!changes.empty()) VANTAGE_TRY(restate(folder));
  if (!write_project) return {};
  const auto put_into = [&](Project& stored) -> Status {
    if (stored.cameras.size() != chain_.project.cameras.size())
      return fail(ErrorKind::bad_data, "has other cameras now; the offsets were not written",
                  stored.path.string(), "They are in " + folder + "/offsets.json.");
    for (size_t c = 1; c < stored.cameras.size(); ++c) {
      stored.cameras[c].live_delay_s = delays_s_[c];
      for (const OffsetChange& change : recording.realigned(static_cast<int>(c)))
        stored.cameras[c].offset_changes.push_back(change);
    }
    return {};
  };
  VANTAGE_ASSIGN(const Project written, change_project_file(project_, put_into));
  tell_who_has_it(written.path);
  return {};
}

// The frames are those of a project that has these changes, so they are its results.
Status OffsetWatch::restate(const std::string& folder) const {
  Pipeline& pipeline = chain_.analysis->pipeline();
  VANTAGE_TRY(pipeline.configure(chain_.project.parameters));
  return restate_versions(folder + "/results.jsonl",
                          [&](std::string_view stage, uint64_t) { return pipeline.version(stage); });
}

}  // namespace vantage::cli
