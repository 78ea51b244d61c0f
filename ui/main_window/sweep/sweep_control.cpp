#include "ui/main_window/sweep/sweep_control.h"

#include <memory>
#include <utility>

#include "ui/main_window/sweep/sweep_panel.h"
#include "ui/main_window/truth/mask_control.h"

namespace vantage::ui {
namespace {

QString span_text(const FrameRange& range) {
  return QStringLiteral("%1:%2").arg(range.begin).arg(range.end);
}

}  // namespace

SweepControl::SweepControl(const WindowParts& parts)
    : Control(parts),
      dock_(add_action({"sweep_dock", "S&weep", "Ctrl+F3",
                        "Try values of a parameter and measure each, on a tuning span and a test span", true},
                       {Menu::docks, "variants_dock"})),
      sweep_(add_action({"sweep", "S&weep", "Shift+F3",
                         "Measure every value; Esc stops, what is measured stays", false, "Sweep"},
                        {Menu::analysis, "load_truth"})),
      use_(add_action({"use_swept", "&Use Swept Value", "Alt+U",
                       "The chosen value becomes the project's; Undo takes it back", false, "Use Value"},
                      {Menu::analysis, "sweep"})),
      tune_here_(add_action({"tune_on_range", "Tune on Mar&ked Range", "Alt+Shift+I",
                             "Values are compared on the range between I and O", false, "Tune Here"},
                            {Menu::analysis, "use_swept"})),
      test_here_(add_action({"test_on_range", "Test on Marked Ran&ge", "Alt+Shift+O",
                             "The best value is tested on the range between I and O", false, "Test Here"},
                            {Menu::analysis, "tune_on_range"})),
      panel_(new SweepPanel({sweep_, use_, tune_here_, test_here_})),
      masks_(parts.window->findChild<MaskControl*>()) {
  connect(masks_, &MaskControl::masks_changed, this, [this] {
    if (state().open()) offer_truth();
  });
  const bool offered = parts.services.sweep != nullptr;
  for (QAction* action : {dock_, sweep_, use_, tune_here_, test_here_}) action->setVisible(offered);
  connect(sweep_, &QAction::triggered, this, &SweepControl::sweep);
  connect(use_, &QAction::triggered, this, &SweepControl::use_value);
  connect(tune_here_, &QAction::triggered, this, [this] { mark_range(true); });
  connect(test_here_, &QAction::triggered, this, [this] { mark_range(false); });
  connect(panel_, &SweepPanel::changed, this, &SweepControl::update_availability);
  connect(panel_, &SweepPanel::value_chosen, this, &SweepControl::update_availability);
  connect(&job_, &BackgroundJob::stopped, this, [this] {
    panel_->hide_progress();
    emit running_changed();
  });
}

std::optional<Dock> SweepControl::dock() const {
  return Dock{tr("Sweep"), panel_, dock_};
}

std::optional<RunningWork> SweepControl::running() const {
  if (!job_.running()) return std::nullopt;
  return RunningWork{tr("Sweeping"), tr("Values of a parameter are being measured.")};
}

void SweepControl::stop() {
  if (!job_.running()) return;
  job_.stop();
  ++turn_;
  panel_->show_text(
      tr("Stopped after %1 of %2 values.").arg(measured_.size()).arg(request_.parameter.values.size()));
  update_availability();
}

void SweepControl::forget() {
  stop();
  measured_.clear();
  panel_->show_measured({}, {});
  panel_->show_text({});
}

void SweepControl::refresh(Changes what) {
  if (!what.testFlag(Change::project) || !state().open()) return;
  if (what.testFlag(Change::other_project)) {
    panel_->show_parameters(project().parameters);
    panel_->set_spans({}, {});
    offered_ = {};
  }
  if (what.testFlag(Change::other_project) || state().project_change().truth) offer_truth();
}

// Metrics that need ground truth, and its frames, which are those that can be compared: the first two thirds
// tune, the rest tests. Spans that somebody typed stay until other frames are drawn.
void SweepControl::offer_truth() {
  const DrawnMasks& masks = masks_->store().drawn();
  panel_->show_metrics(!project().truth.empty(), !masks.empty());
  AnnotatedFrames drawn = annotated_frames(project().truth);
  if (drawn.count() < 3 && !masks.empty()) drawn = {masks.begin()->first, masks.rbegin()->first};
  if (drawn.count() < 3 || drawn == offered_) return;
  offered_ = drawn;
  const int64_t cut = drawn.first + 2 * drawn.count() / 3;
  panel_->set_spans(span_text({drawn.first, cut}), span_text({cut, drawn.last + 1}));
}

void SweepControl::update_availability() {
  const bool files = !state().live() && (project().has_pictures() || project().has_detections());
  const Result<SweepRequest> request = panel_->request();
  const bool idle = !state().busy() && !job_.running();
  enable(sweep_, files && idle && request.has_value(),
         !files    ? tr("Live cameras have no frames to choose from: sweep the recording.")
         : !idle   ? (job_.running() ? tr("Values of a parameter are being measured.") : state().why_busy())
         : request ? QString()
                   : QString::fromStdString(request.error().what));
  enable(use_, panel_->chosen_value().has_value(), tr("Choose a value in the table of the sweep first."));
  const bool marked = !state().range().empty();
  for (QAction* action : {tune_here_, test_here_})
    enable(action, marked, tr("Mark a range with I and O first."));
}

void SweepControl::mark_range(bool tune) {
  const Result<SweepRequest> now = panel_->request();
  const QString range = span_text(state().frames_of_range());
  const QString other = !now   ? QString()
                        : tune ? (now->spans.test ? span_text(*now->spans.test) : QString())
                               : span_text(now->spans.tune);
  tune ? panel_->set_spans(range, other) : panel_->set_spans(other, range);
  emit dock_wanted();
}

void SweepControl::sweep() {
  Result<SweepRequest> request = panel_->request();
  if (!request) return panel_->show_text(QString::fromStdString(request.error().what));
  request->how.truth = ground_truth_of(project().truth);
  request->how.masks = masks_->store().drawn();
  request_ = *request;
  measured_.clear();
  panel_->show_measured(request_, measured_);
  panel_->show_text({});
  panel_->show_progress(0, request_.parameter.values.size());
  emit dock_wanted();
  const int turn = ++turn_;
  job_.start([this, turn, project = project(), request = request_,
              sweep = parts().services.sweep](const StopSource& stop) -> BackgroundJob::Deliver {
    const auto tell = [this, turn](size_t value, const SweepPoint& point) {
      QMetaObject::invokeMethod(this, [this, turn, value, point] { take(value, point, turn); });
    };
    return [this, status = sweep(project, request, tell, stop)] { finish(status); };
  });
  emit running_changed();
  update_availability();
}

void SweepControl::take(size_t value, const SweepPoint& point, int turn) {
  if (turn != turn_) return;
  measured_[value] = point;
  panel_->show_measured(request_, measured_);
  panel_->show_progress(measured_.size(), request_.parameter.values.size());
}

void SweepControl::finish(const Status& status) {
  panel_->hide_progress();
  emit running_changed();
  update_availability();
  if (!status) return panel_->show_text(QString::fromStdString(status.error().message()));
  const std::optional<BestPoint> best = best_point(*request_.how.metrics[0], measured_);
  if (!best) return panel_->show_text(tr("Every value was measured."));
  const SweepPoint& point = measured_.at(best->point);
  QString words =
      tr("Best on the tuning span: %1, %2 %3.")
          .arg(QString::fromStdString(request_.parameter.text(request_.parameter.values[best->point])),
               QString::fromStdString(std::string(request_.how.metrics[0]->name)))
          .arg(point.tune.whole[0], 0, 'g', 4);
  if (!point.test.whole.empty()) words += tr(" On the test span %1.").arg(point.test.whole[0], 0, 'g', 4);
  if (!best->as_good.empty())
    words += tr(" %1 others are as good, by blocks of time.").arg(best->as_good.size());
  panel_->choose_value(best->point);
  panel_->show_text(words);
}

void SweepControl::use_value() {
  const std::optional<size_t> chosen = panel_->chosen_value();
  if (!chosen || *chosen >= request_.parameter.values.size()) return;
  post(command::SetParameter{request_.parameter.stage, request_.parameter.description->name,
                             request_.parameter.values[*chosen]});
}

}  // namespace vantage::ui
