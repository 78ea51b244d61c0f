#include "core/check/detail/camera_view.h"

#include <memory>
#include <utility>

#include "core/base/formatted.h"
#include "core/image/reduce.h"
#include "core/video/video_source.h"

namespace vantage {
namespace {

// From so far on positions are wrong by more than people are apart in results: the run would be for nothing.
constexpr double kFailingShift_m = 0.10;

std::string instant_text(int64_t frame, double rate) {
  return formatted("%.1f s (frame %lld)", static_cast<double>(frame) / rate, static_cast<long long>(frame));
}

// The jump, and what it does to the calibration where there is one.
std::string jump_text(const ViewJump& jump, const std::optional<JumpTurn>& turn, double rate) {
  std::string text = formatted("jumped by %.1f px", jump.moved_px);
  if (turn) text += formatted(", %.2f degrees", turn->degrees);
  text += " at " + instant_text(jump.first_after, rate);
  if (jump.first_after - jump.last_before > 1)
    text += formatted(" or up to %.1f s before",
                      static_cast<double>(jump.first_after - jump.last_before - 1) / rate);
  text += " and stays there";
  if (turn && turn->floor_m)
    text += formatted("; places on the floor are off by %.0f cm from there on", 100 * *turn->floor_m);
  if (turn) text += formatted("; a turn leaves %.1f of the %.1f px", turn->after_px, turn->before_px);
  return text;
}

bool fits(const std::optional<Camera>& camera, const VideoInfo& info) {
  return camera && camera->width_px() == info.width_px && camera->height_px() == info.height_px;
}

}  // namespace

CheckItem examine_view(const ProjectCamera& camera, const CameraSample& sample, const VoxelGrid* grid,
                       double rate, const StopSource& stop) {
  const int factor = view_factor(sample.info.width_px);
  CheckItem item{"view", camera.name, Verdict::passed, {}, {}, {}, -1};
  item.limit = formatted("the view jumps by less than %.1f px", smallest_jump_px(factor));
  std::unique_ptr<VideoSource> source;
  const ReadView read = [&](int64_t frame) -> Result<Image> {
    if (!source) {
      VideoOpenOptions how;
      how.stop = stop;
      VANTAGE_ASSIGN(source, open_video(camera.video, how));
    }
    VANTAGE_TRY(source->seek(frame));
    VANTAGE_ASSIGN(const DecodedFrame decoded, source->read());
    if (!decoded.picture) return fail(ErrorKind::bad_data, "the frame has no picture", camera.video);
    return reduced_mean(decoded.picture.plane(0), factor, HostPool::shared());
  };
  const ViewFinding found = find_view_jumps(sample.views, factor, read);
  if (found.jumps.empty() && !found.untold.empty()) {
    item.verdict = Verdict::cannot_tell;
    item.figure = found.untold;
    item.frame = found.untold_frame;
    item.remedy = "Look at the pictures yourself: does the camera stand still?";
    return item;
  }
  if (found.jumps.empty()) {
    item.figure = formatted("stays within %.1f px over %zu pictures", found.largest_px, sample.views.size());
    return item;
  }
  item.verdict = Verdict::doubtful;
  for (const ViewJump& jump : found.jumps) {
    const auto turn =
        fits(camera.calibration, sample.info) ? solve_turn(*camera.calibration, jump, grid) : std::nullopt;
    if (turn && turn->floor_m && *turn->floor_m >= kFailingShift_m) item.verdict = Verdict::failed;
    item.figure += (item.figure.empty() ? "" : "; ") + jump_text(jump, turn, rate);
  }
  const ViewJump& first = found.jumps.front();
  item.frame = first.first_after;
  item.remedy = formatted(
      "Somebody may have knocked against the camera. Analyse the recording before frame %lld of this camera "
      "(run --frames), and calibrate what comes behind in a project of its own.",
      static_cast<long long>(first.last_before + 1));
  return item;
}

}  // namespace vantage
