#include "ui/main_window/sweep/sweep_control.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "ui/main_window/compare/compare_control.h"
#include "ui/main_window/truth/mask_control.h"

namespace vantage::ui {

SweepControl::SweepControl(const WindowParts& parts)
    : Control(parts),
      compare_(parts.window->findChild<CompareControl*>()),
      masks_(parts.window->findChild<MaskControl*>()) {
  const auto has_point = [this] {
    return Need{chosen() != nullptr, tr("Choose a value in the table of the sweep first.")};
  };
  const auto point_chosen = [has_point] { return unmet({has_point()}); };
  const auto marked = [this] {
    return unmet({{!state().range().empty(), tr("Mark a range with I and O first.")}});
  };
  QAction* sweep = add_action(
      {"sweep", "S&weep", "Shift+F3", "Measure every value; Esc stops and keeps what is measured", false,
       "Sweep"},
      {Menu::analysis, "load_truth"}, [this] { this->sweep(); }, [this] { return why_not_sweep(); });
  QAction* use = add_action(
      {"use_swept", "&Use Swept Value", "Alt+U",
       "The project takes the chosen value, of two parameters both values; can be undone", false,
       "Use Value"},
      {Menu::analysis, "sweep"}, [this] { use_value(); }, point_chosen);
  QAction* tune_here = add_action(
      {"tune_on_range", "Tune on Mar&ked Range", "Alt+Shift+I",
       "Values are compared on the range between I and O", false, "Tune Here"},
      {Menu::analysis, "use_swept"}, [this] { mark_range(true); }, marked);
  QAction* test_here = add_action(
      {"test_on_range", "Test on Marked Ran&ge", "Alt+Shift+O",
       "The best value is tested on the range between I and O", false, "Test Here"},
      {Menu::analysis, "tune_on_range"}, [this] { mark_range(false); }, marked);
  show_ = add_switch(
      {"show_swept", "S&how Swept Value", "Alt+6",
       "Show who is found with the chosen value (B, dashed) compared with who is found now (A), "
       "in every view",
       true, "Show"},
      {Menu::analysis, "test_on_range"}, [this] { show_value(); }, point_chosen);
  QAction* next = add_action(
      {"next_swept_moment", "Next Worst Fra&me", "Alt+9",
       "Go to the next of the chosen value's worst frames, and show the value there", false, "Next"},
      {Menu::analysis, "show_swept"}, [this] { go_to_next_moment(); },
      [this, has_point] {
        return unmet(
            {has_point(), {!moments_.empty(), tr("The sweep counted nothing wrong with this value.")}});
      });
  panel_ = new SweepPanel({{sweep, use, tune_here, test_here}, {show_, next}});
  QAction* dock = add_dock({"sweep_dock", "S&weep", "Ctrl+F3",
                            "Try values of a parameter and measure each, on a tuning span and a test span"},
                           "variants_dock", tr("Sweep"), panel_);
  for (QAction* action : {dock, sweep, use, tune_here, test_here, show_, next})
    action->setVisible(parts.services.sweep != nullptr);
  connect(masks_, &MaskControl::masks_changed, this, [this] {
    if (state().open()) offer_truth();
  });
  connect(compare_, &CompareControl::value_left, this, [this] { show_->setChecked(false); });
  connect(panel_->form(), &SweepForm::changed, this, &SweepControl::update_availability);
  connect(panel_, &SweepPanel::point_chosen, this, &SweepControl::choose_point);
  connect(panel_, &SweepPanel::moment_chosen, this, &SweepControl::go_to_moment);
  connect(&job_, &BackgroundJob::stopped, this, &SweepControl::running_changed);
}

std::optional<RunningWork> SweepControl::running() const {
  if (!job_.running()) return std::nullopt;
  return RunningWork{
      tr("Sweeping"), tr("Values of a parameter are being measured."),
      static_cast<double>(measured_.size()) / static_cast<double>(request_.points.points.size())};
}

void SweepControl::stop() {
  if (!job_.running()) return;
  job_.stop();
  ++turn_;
  panel_->show_text(
      tr("Stopped after %1 of %2 values.").arg(measured_.size()).arg(request_.points.points.size()));
  update_availability();
}

void SweepControl::forget() {
  stop();
  reading_.stop();
  measured_.clear();
  panel_->show_measured({}, {});
  choose_point();
  panel_->show_text({});
}

void SweepControl::refresh(Changes what) {
  if (what & (Change::clock | Change::frame_rate | Change::other_project))
    panel_->form()->set_times(state().times());
  if (!what.testFlag(Change::project) || !state().open()) return;
  if (what.testFlag(Change::other_project)) {
    panel_->form()->show_parameters(project().parameters);
    panel_->form()->set_spans({}, {});
    offered_ = {};
  }
  if (what.testFlag(Change::other_project) || state().project_change().truth) offer_truth();
  if (what.testFlag(Change::other_project)) read_last();
}

// Metrics that need ground truth, and its frames, which are those that can be compared: the first two thirds
// tune, the rest tests. Spans that were typed stay until other frames are drawn.
void SweepControl::offer_truth() {
  const DrawnMasks& masks = masks_->store().drawn();
  panel_->form()->show_metrics(!project().truth.empty(), !masks.empty());
  AnnotatedFrames drawn = annotated_frames(project().truth);
  if (drawn.count() < 3 && !masks.empty()) drawn = {masks.begin()->first, masks.rbegin()->first};
  if (drawn.count() < 3 || drawn == offered_) return;
  offered_ = drawn;
  const int64_t cut = drawn.first + 2 * drawn.count() / 3;
  panel_->form()->set_spans(SweepForm::span_text({drawn.first, cut}),
                            SweepForm::span_text({cut, drawn.last + 1}));
}

QString SweepControl::why_not_sweep() const {
  const Result<SweepRequest> request = panel_->form()->request();
  return unmet({{!state().live() && (project().has_pictures() || project().has_detections()),
                 tr("Live cameras have no frames to choose from: sweep the recording.")},
                {!job_.running(), tr("Values of a parameter are being measured.")},
                idle(),
                {request.has_value(), request ? QString() : QString::fromStdString(request.error().what)}});
}

void SweepControl::mark_range(bool tune) {
  const Result<SweepRequest> now = panel_->form()->request();
  const QString range = SweepForm::span_text(state().frames_of_range());
  const QString other = !now   ? QString()
                        : tune ? (now->spans.test ? SweepForm::span_text(*now->spans.test) : QString())
                               : SweepForm::span_text(now->spans.tune);
  tune ? panel_->form()->set_spans(range, other) : panel_->form()->set_spans(other, range);
  emit dock_wanted();
}

void SweepControl::sweep() {
  Result<SweepRequest> request = panel_->form()->request();
  if (!request) return panel_->show_text(QString::fromStdString(request.error().what));
  request->how.truth = ground_truth_of(project().truth);
  request->how.masks = masks_->store().drawn();
  request_ = *request;
  measured_.clear();
  panel_->show_measured(request_, measured_);
  choose_point();
  panel_->show_text({});
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
  if (!chosen()) choose_point();
  emit running_changed();
}

void SweepControl::finish(const Status& status) {
  emit running_changed();
  update_availability();
  if (!status) return panel_->show_text(QString::fromStdString(status.error().message()));
  const std::optional<BestPoint> best = best_point(*request_.how.metrics[0], measured_);
  if (!best) return panel_->show_text(tr("Every value was measured."));
  panel_->choose_point(best->point);
  panel_->show_text(best_text());
}

QString SweepControl::best_text() const {
  const std::optional<BestPoint> best = best_point(*request_.how.metrics[0], measured_);
  if (!best) return {};
  const SweepPoint& point = measured_.at(best->point);
  QString words = tr("Best on the tuning span: %1, %2 %3.")
                      .arg(point_words(request_.points, best->point),
                           QString::fromStdString(std::string(request_.how.metrics[0]->name)))
                      .arg(point.tune.whole[0], 0, 'g', 4);
  if (!point.test.whole.empty()) words += tr(" On the test span %1.").arg(point.test.whole[0], 0, 'g', 4);
  if (!best->as_good.empty())
    words += tr(" %1 others are not told apart from it, by blocks of time.").arg(best->as_good.size());
  return words;
}

void SweepControl::read_last() {
  reading_.start(
      [this, of = project(), masks = masks_->store().drawn()](const StopSource&) -> BackgroundJob::Deliver {
        const auto kept = std::make_shared<const std::optional<KeptSweep>>(
            last_kept_sweep(of, ground_truth_of(of.truth), masks));
        return [this, kept] {
          if (*kept && measured_.empty() && !job_.running()) show_last(**kept);
        };
      });
}

void SweepControl::show_last(const KeptSweep& kept) {
  request_ = kept.request, measured_ = kept.measured;
  panel_->form()->show_request(request_);
  panel_->show_measured(request_, measured_);
  const size_t all = request_.points.points.size();
  QString words =
      measured_.size() < all
          ? tr("Measured before: %1 of %2 values; Sweep continues.").arg(measured_.size()).arg(all)
          : tr("Measured before. ") + best_text();
  if (kept.outdated) words += tr(" \u25b2 Out of date: parameters or ground truth have changed since.");
  panel_->show_text(words);
  choose_point();
}

// Two parameters are set as one change, which is undone at once.
void SweepControl::use_value() {
  if (!chosen()) return;
  const std::vector<double>& values = request_.points.points[*panel_->chosen_point()];
  const std::vector<SweptParameter>& parameters = request_.points.parameters;
  if (parameters.size() == 1)
    return post(command::SetParameter{parameters[0].stage, parameters[0].description->name, values[0]});
  post(command::Edit{"swept values", [parameters, values](Project& project) {
                       for (size_t i = 0; i < parameters.size(); ++i)
                         static_cast<void>(project.parameters.set(
                             parameters[i].stage, parameters[i].description->name, values[i]));
                     }});
}

// ---- the worst frames of a point

const SweepPoint* SweepControl::chosen() const {
  const std::optional<size_t> point = panel_->chosen_point();
  const auto found = point ? measured_.find(*point) : measured_.end();
  return found == measured_.end() ? nullptr : &found->second;
}

void SweepControl::choose_point() {
  list_moments();
  show_value();
  update_availability();
}

void SweepControl::list_moments() {
  moments_.clear();
  const SweepPoint* point = chosen();
  QString empty = measured_.empty() ? QString() : tr("Choose a value to see its worst frames.");
  QString head;
  if (point) {
    for (const WorstMoment& moment : point->tune.moments) moments_.push_back({moment, false});
    for (const WorstMoment& moment : point->test.moments) moments_.push_back({moment, true});
    // The smaller an overlap the worse.
    std::ranges::stable_sort(moments_, {}, [](const SweptMoment& one) {
      return one.moment.kind == MomentKind::mask ? one.moment.amount : -one.moment.amount;
    });
    const QString metric = QString::fromStdString(std::string(request_.how.metrics[0]->name));
    const QString words = point_words(request_.points, *panel_->chosen_point());
    head = tr("Worst frames of %1").arg(words);
    empty = moment_kinds(*request_.how.metrics[0]).empty()
                ? tr("%1 counts nothing as wrong.").arg(metric)
                : tr("Nothing is wrong with %1, by %2.").arg(words, metric);
  }
  panel_->show_moments(moments_, head, empty);
}

void SweepControl::go_to_moment(int row) {
  if (row < 0 || static_cast<size_t>(row) >= moments_.size()) return;
  const WorstMoment& moment = moments_[row].moment;
  panel_->show_text(tr("Frame %1 with %2: %3. B is with this value, A as it is now.")
                        .arg(moment.frame)
                        .arg(point_words(request_.points, *panel_->chosen_point()),
                             QString::fromStdString(moment_text(moment))));
  show_->setChecked(true);
  show_value();
  emit seek_requested(moment.frame);
}

void SweepControl::go_to_next_moment() {
  if (moments_.empty()) return;
  const int next = (panel_->chosen_moment() + 1) % static_cast<int>(moments_.size());
  panel_->choose_moment(next);
  go_to_moment(next);
}

void SweepControl::show_value() {
  const SweepPoint* point = chosen();
  if (!point || !show_->isChecked()) return compare_->show_value(std::nullopt);
  const ComparedValue value{point_words(request_.points, *panel_->chosen_point()),
                            [people = std::make_shared<const SweptPeople>(point->people)](int64_t frame) {
                              return people->at(frame);
                            }};
  const int row = panel_->chosen_moment();
  if (row < 0 || static_cast<size_t>(row) >= moments_.size()) return compare_->show_value(value);
  const WorstMoment& moment = moments_[row].moment;
  const bool placed = moment.kind != MomentKind::mask && moment.kind != MomentKind::slow;
  compare_->show_value(value, placed ? std::optional(moment.frame) : std::nullopt,
                       Eigen::Vector2d(moment.x_m, moment.y_m));
}

}  // namespace vantage::ui
