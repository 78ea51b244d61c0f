// What the foreground of the present parameters is worth by the masks that were painted.
#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "ui/main_window/truth/mask_control.h"
#include "ui/main_window/truth/mask_panel.h"

namespace vantage::ui {
namespace {

// Scores of masks in memory: those painted just now.
Result<std::vector<MaskScore>> scores_here(const FrameResultRef& result,
                                           const std::vector<std::string>& names,
                                           const std::map<std::string, Image>& painted) {
  VANTAGE_ASSIGN(const std::vector<Image> found, result->foreground()->host_masks.get());
  std::vector<MaskScore> scores;
  for (size_t i = 0; i < names.size() && i < found.size(); ++i) {
    const auto mask = painted.find(names[i]);
    if (mask == painted.end() || !found[i] || found[i].width() != mask->second.width() ||
        found[i].height() != mask->second.height())
      continue;
    scores.push_back(
        {result->frame, names[i], overlap_of(found[i].view<uint8_t>(), mask->second.view<uint8_t>())});
  }
  return scores;
}

QString iou_words(double iou) {
  return QString::number(iou, 'f', 3);
}

}  // namespace

// A preview is not exact yet, and is not measured.
void MaskControl::score_shown() {
  if (!shown() || !state().shown() || !store_.loaded()) return;
  const FrameResultRef result = state().shown()->result;
  const auto version = result->versions.find(kForegroundStage);
  if (version != result->versions.end() && version->second != scored_version_) {
    scored_version_ = version->second;
    scores_.clear();
    show_panel();
  }
  if (result->frame != store_.frame() || !result->foreground() || result->preview) return;
  std::vector<std::string> names;
  for (const ProjectCamera& camera : project().cameras) names.push_back(camera.name);
  scoring_here_.start([this, result, names, version = scored_version_,
                       masks = store_.masks()](const StopSource&) -> BackgroundJob::Deliver {
    auto scores = std::make_shared<Result<std::vector<MaskScore>>>(scores_here(result, names, masks));
    return [this, scores, version, frame = result->frame] {
      if (!*scores) return emit failed(scores->error());
      if (version != scored_version_) return;
      std::erase_if(scores_, [&](const MaskScore& score) { return score.frame == frame; });
      take_scores(std::move(**scores));
    };
  });
}

void MaskControl::take_scores(std::vector<MaskScore> scores) {
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  show_panel();
  update_availability();
}

void MaskControl::measure() {
  when_saved([this] {
    panel_->show_progress(0, store_.drawn().size());
    const auto tell_progress = [this](size_t done, size_t all) {
      QMetaObject::invokeMethod(this, [this, done, all] {
        if (scoring_.running()) panel_->show_progress(done, all);
      });
    };
    scoring_.start([this, tell_progress, project = project(), drawn = store_.drawn(),
                    score = parts().services.score_masks](const StopSource& stop) -> BackgroundJob::Deliver {
      auto scores =
          std::make_shared<Result<std::vector<MaskScore>>>(score(project, drawn, tell_progress, stop));
      return [this, scores] {
        panel_->hide_progress();
        emit running_changed();
        emit availability_changed();
        if (!*scores) return emit failed(scores->error());
        scores_.clear();
        take_scores(std::move(**scores));
      };
    });
    emit running_changed();
    emit availability_changed();
  });
}

void MaskControl::go_to_worst() {
  const auto frames = worst_frames(scores_);
  if (frames.empty()) return;
  const auto here = std::ranges::find(frames, frame(), &std::pair<int64_t, double>::first);
  const bool last = here == frames.end() || here + 1 == frames.end();
  go_to(last ? frames.front().first : (here + 1)->first);
}

void MaskControl::show_panel() {
  if (!panel_->isVisible() && state().open()) return;
  std::vector<MaskPanel::CameraRow> cameras;
  std::vector<MaskPanel::FrameRow> frames;
  if (state().open()) {
    const auto means = iou_by_camera(scores_);
    for (const ProjectCamera& camera : project().cameras) {
      MaskPanel::CameraRow row{QString::fromStdString(camera.name), {}, {}, {}};
      if (const Image mask = store_.mask(camera.name)) row.painted_px = tinted(camera.name, mask).inside_px;
      for (const MaskScore& score : scores_)
        if (score.camera == camera.name && score.frame == frame()) row.here = score.overlap.iou();
      if (const auto mean = means.find(camera.name); mean != means.end()) row.mean = mean->second;
      cameras.push_back(std::move(row));
    }
    std::set<int64_t> measured;
    for (const auto& [frame, iou] : worst_frames(scores_)) {
      const auto files = store_.drawn().find(frame);
      if (files == store_.drawn().end() || !measured.insert(frame).second) continue;
      frames.push_back({frame, static_cast<int>(files->second.size()), iou});
    }
    for (const auto& [frame, files] : store_.drawn())
      if (!measured.contains(frame)) frames.push_back({frame, static_cast<int>(files.size()), {}});
  }
  panel_->show_cameras(cameras);
  panel_->show_frames(frames, frame());
  panel_->show_text(metrics_text());
}

QString MaskControl::metrics_text() const {
  if (!state().open()) return {};
  if (const QString refused = why_not(); !refused.isEmpty()) return refused;
  if (store_.drawn().empty()) return tr("Nothing was painted yet: choose Brush, then paint over a person.");
  std::vector<MaskScore> here;
  std::set<int64_t> measured;
  for (const MaskScore& score : scores_) {
    measured.insert(score.frame);
    if (score.frame == frame()) here.push_back(score);
  }
  QStringList words;
  if (const auto iou = mean_iou(here)) words << tr("IoU in this frame %1").arg(iou_words(*iou));
  if (const auto mean = mean_iou(scores_))
    words << tr("mean %1 (masks: %2, frames: %3)")
                 .arg(iou_words(*mean))
                 .arg(scores_.size())
                 .arg(measured.size());
  const size_t open = store_.drawn().size() - std::min(measured.size(), store_.drawn().size());
  if (open > 0) words << tr("painted frames not measured with these parameters yet: %1").arg(open);
  return words.join(QStringLiteral("; ")) + QStringLiteral(".");
}

}  // namespace vantage::ui
