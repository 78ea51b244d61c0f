#include "app/cli/project/offset_report.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/cli/common/project_change.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/project/project_store.h"

namespace vantage::cli {

void OffsetReport::add(const OffsetProposal& proposal, bool applied) {
  proposal.delay_s ? add_delay(proposal, applied) : add_frames(proposal, applied);
}

void OffsetReport::add_applied(const AppliedOffset& applied) {
  add(applied.proposal, true);
  changes_[static_cast<size_t>(applied.proposal.camera)].push_back(applied.change);
}

void OffsetReport::add_frames(const OffsetProposal& proposal, bool applied) {
  const std::string& name = project_.cameras[static_cast<size_t>(proposal.camera)].name;
  std::fprintf(stderr, "frame %lld: %s is %d frames %s, confidence %.3f%s\n",
               static_cast<long long>(proposal.base_frame), name.c_str(), std::abs(proposal.frames),
               proposal.frames > 0 ? "behind" : "ahead", proposal.confidence,
               applied ? "; corrected from the next frame on" : "");
  proposals_.push_back({{"camera", name},
                        {"base_frame", proposal.base_frame},
                        {"frames", proposal.frames},
                        {"confidence", proposal.confidence},
                        {"since", proposal.since},
                        {"applied", applied}});
}

void OffsetReport::add_delay(const OffsetProposal& proposal, bool applied) {
  const std::string& name = project_.cameras[static_cast<size_t>(proposal.camera)].name;
  std::fprintf(stderr, "frame set %lld: what %s shows is %.3f s %s than what %s shows, confidence %.3f%s\n",
               static_cast<long long>(proposal.base_frame), name.c_str(), std::abs(*proposal.delay_s),
               *proposal.delay_s > 0 ? "older" : "younger", project_.cameras.front().name.c_str(),
               proposal.confidence, applied ? "; corrected" : "");
  proposals_.push_back({{"camera", name},
                        {"base_frame", proposal.base_frame},
                        {"delay_s", *proposal.delay_s},
                        {"confidence", proposal.confidence},
                        {"applied", applied}});
}

Status OffsetReport::write(const std::string& folder) const {
  nlohmann::ordered_json changes = nlohmann::ordered_json::object();
  for (size_t c = 0; c < changes_.size(); ++c)
    for (const OffsetChange& change : changes_[c])
      changes[project_.cameras[c].name].push_back(
          {{"base_frame", change.base_frame}, {"frames", change.frames}});
  nlohmann::ordered_json report = {{"proposals", proposals_}, {"offset_changes", changes}};
  if (live_) report["live_delays_s"] = project_.live_delays_s();
  return write_file_atomically(folder + "/offsets.json", json_text(report, 1) + "\n");
}

Status OffsetReport::write_project(const std::string& folder) const {
  const auto put_into = [&](Project& stored) -> Status {
    if (stored.cameras.size() != project_.cameras.size())
      return fail(ErrorKind::bad_data, "has other cameras now; the offsets were not written",
                  stored.path.string(), "They are in " + folder + "/offsets.json.");
    for (size_t c = 1; c < stored.cameras.size(); ++c) {
      stored.cameras[c].live_delay_s = project_.cameras[c].live_delay_s;
      for (const OffsetChange& change : changes_[c]) stored.cameras[c].offset_changes.push_back(change);
    }
    return {};
  };
  VANTAGE_ASSIGN(const Project written, change_project_file(project_.path, put_into));
  tell_who_has_it(written.path);
  return {};
}

}  // namespace vantage::cli
