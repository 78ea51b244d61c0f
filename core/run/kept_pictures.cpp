#include "core/run/kept_pictures.h"

#include <string>

namespace vantage {

void KeptPictures::set(const Past* past, const Recorder* recorder) {
  const std::lock_guard lock(mutex_);
  past_ = past, recorder_ = recorder;
}

Result<Project> KeptPictures::recording(FrameRange span) const {
  const std::lock_guard lock(mutex_);
  if (!past_ && !recorder_)
    return fail(ErrorKind::not_found, "the live cameras' pictures are not kept", {},
                "In the window the last minutes are kept; `run --record` keeps all.");
  std::string kept;
  const auto has = [&](const RecordingState& state) {
    if (state.first_frame < 0) return false;
    kept += (kept.empty() ? "" : " and ") + std::to_string(state.first_frame) + " to " +
            std::to_string(state.last_frame);
    return span.begin >= state.first_frame && span.end <= state.last_frame + 1;
  };
  if (past_ && has(past_->state())) return past_->project();
  if (recorder_ && has(recorder_->state())) return recorder_->project();
  return fail(ErrorKind::not_found, "the live cameras' pictures of these frames are not kept", {},
              kept.empty() ? "None are kept yet: ask again." : "Kept are the frames " + kept + ".");
}

}  // namespace vantage
