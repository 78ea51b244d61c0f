#include "core/session/detail/analysed_frames.h"

#include <algorithm>

#include "core/pipeline/frame_people.h"

namespace vantage {
namespace {

constexpr int64_t kMaxFrames = 20'000'000;  // days of recording: beyond, a results file is damaged

bool holds(const StageVersions& versions, const StageVersions& present) {
  return std::all_of(present.begin(), present.end(), [&](const auto& stage) {
    const auto found = versions.find(stage.first);
    return found != versions.end() && found->second == stage.second;
  });
}

}  // namespace

AnalysedFrames::Analysed& AnalysedFrames::at(int64_t frame) {
  const auto index = static_cast<size_t>(frame);
  if (frames_.size() <= index) frames_.resize(index + 1);
  return frames_[index];
}

bool AnalysedFrames::note(const FrameResult& result, const StageVersions& present, bool continued) {
  if (result.preview || !holds(result.versions, present)) return false;
  Analysed& entry = at(result.frame);
  if (entry.versions && *entry.versions == result.versions) return false;
  if (!last_ || *last_ != result.versions) last_ = std::make_shared<const StageVersions>(result.versions);
  const std::optional<size_t> counted = people_count(result);
  entry = {last_, static_cast<int16_t>(counted ? static_cast<int>(*counted) : -1), continued};
  return true;
}

void AnalysedFrames::add_stored(const StoredFrame& frame, std::string_view last_stage) {
  if (!frame.versions->contains(last_stage) || frame.frame < 0 || frame.frame >= kMaxFrames) return;
  Analysed& entry = at(frame.frame);
  if (!entry.versions) entry = {frame.versions, static_cast<int16_t>(frame.people_count), frame.continued};
}

void AnalysedFrames::restate(const StageVersions& before, const StageVersions& now, int64_t first_changed) {
  std::shared_ptr<const StageVersions> compared, restated;  // neighbours share theirs
  const size_t end = std::min(frames_.size(), static_cast<size_t>(std::max<int64_t>(first_changed, 0)));
  for (size_t i = 0; i < end; ++i) {
    std::shared_ptr<const StageVersions>& versions = frames_[i].versions;
    if (!versions) continue;
    if (versions != compared) {
      compared = versions;
      restated.reset();
      if (holds(*versions, before)) {
        auto changed = std::make_shared<StageVersions>(*versions);
        for (const auto& [stage, version] : now) changed->insert_or_assign(stage, version);
        restated = std::move(changed);
      }
    }
    if (restated) versions = restated;
  }
}

std::vector<FrameSummary> AnalysedFrames::summary(int64_t count,
                                                  std::span<const StageVersions> present) const {
  std::vector<FrameSummary> summary(static_cast<size_t>(count));
  const StageVersions* compared = nullptr;  // neighbours share theirs
  FrameState state = FrameState::not_analysed;
  for (size_t i = 0; i < std::min(summary.size(), frames_.size()); ++i) {
    const StageVersions* versions = frames_[i].versions.get();
    if (!versions) continue;
    if (versions != compared)
      state = std::any_of(present.begin(), present.end(),
                          [&](const StageVersions& now) { return holds(*versions, now); })
                  ? FrameState::current
                  : FrameState::out_of_date;
    compared = versions;
    summary[i] = {state, frames_[i].people, frames_[i].continued};
  }
  return summary;
}

}  // namespace vantage
