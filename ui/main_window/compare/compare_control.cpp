#include "ui/main_window/compare/compare_control.h"

#include <QActionGroup>
#include <QSettings>
#include <algorithm>
#include <utility>

#include "ui/main_window/overlay_control.h"
#include "ui/main_window/variants/variants_control.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {
namespace {

constexpr int kBlink_ms = 600;  // slower than three times a second, which can harm
constexpr double kWipeStep = 0.05;

}  // namespace

CompareControl::CompareControl(const WindowParts& parts) : Control(parts), styles_(new QActionGroup(this)) {
  const auto two = [this] { return unmet({comparable_need()}); };
  const auto differ = [this] {
    return unmet(
        {comparable_need(),
         {!compared_ || !panel_->differences().empty(), tr("A and B do not differ in what is chosen.")}});
  };
  const auto wiping = [this] {
    return unmet({{comparable() && style() == CompareStyle::wipe, tr("Compare by wipe (Ctrl+F9) first.")}});
  };
  styles_->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
  const auto style = [&](const ActionSpec& spec, const char* after, bool separated = false) {
    styles_->addAction(add_switch(spec, {Menu::analysis, after, separated}, [this] { change_style(); }, two));
  };
  style({"compare_side_by_side", "Compare S&ide by Side", "Ctrl+F8",
         "Show each picture twice: with the results A, and with B", true, "Side by Side"},
        "load_truth", true);
  style({"compare_wipe", "Compare by &Wipe", "Ctrl+F9",
         "Show the results A left of a divider that can be dragged, and B right of it", true, "Wipe"},
        "compare_side_by_side");
  style({"compare_blink", "Compare by &Blink", "Ctrl+F10", "Show the results A and B in turn, 0.6 s each",
         true, "Blink"},
        "compare_wipe");
  style({"compare_difference", "Compare &Differences", "Ctrl+F11",
         "Show the results A and B at once: what differs in colour, the rest in grey", true, "Difference"},
        "compare_blink");
  QAction* swap = add_action(
      {"swap_compared", "Swap A and B", "Ctrl+Shift+Y", "Exchange the results A and B", false, "Swap"},
      {Menu::analysis, "compare_difference"}, [this] { this->swap(); }, two);
  QAction* previous = add_action(
      {"previous_difference", "&Previous Difference", "Shift+Y",
       "Go to the previous frame and position where A and B differ", false, "Previous"},
      {Menu::analysis, "swap_compared"}, [this] { go_on(-1); }, differ);
  QAction* next = add_action(
      {"next_difference", "&Next Difference", "Y",
       "Go to the next frame and position where A and B differ: a person whom only one has within 0.7 m, "
       "positions more than 0.3 m apart, IDs that change partners, events of one alone",
       false, "Next Difference"},
      {Menu::analysis, "previous_difference"}, [this] { go_on(1); }, differ);
  add_action(
      {"wipe_left", "Move Divider &Left", "Q", "Move the divider between A and B left by 5 % of the picture"},
      {Menu::analysis, "next_difference"}, [this] { move_wipe(wipe_ - kWipeStep); }, wiping);
  add_action(
      {"wipe_right", "Move Divider &Right", "Shift+Q",
       "Move the divider between A and B right by 5 % of the picture"},
      {Menu::analysis, "wipe_left"}, [this] { move_wipe(wipe_ + kWipeStep); }, wiping);
  const QList<QAction*> styles = styles_->actions();
  panel_ = new ComparePanel({std::vector<QAction*>(styles.begin(), styles.end()), swap, previous, next});
  QAction* dock = add_dock({"compare_dock", "C&ompare", "Shift+F8",
                            "Compare the kept results of two variants, or of one and the project"},
                           "variants_dock", tr("Compare"), panel_);
  blink_.setInterval(kBlink_ms);
  connect(&blink_, &QTimer::timeout, this, [this] {
    turn_ = 1 - turn_;
    draw();
  });
  connect(panel_, &ComparePanel::runs_chosen, this, [this] {
    leave_value();
    change_runs();
  });
  connect(panel_, &ComparePanel::difference_chosen, this, &CompareControl::go_to);
  connect(panel_, &ComparePanel::kinds_changed, this, [this] {
    gone_to_.reset();
    update_availability();
    draw();
  });
  connect(parts.cameras, &CameraGrid::wipe_dragged, this, &CompareControl::move_wipe);
  connect(parts.scene, &SceneView::wipe_dragged, this, &CompareControl::move_wipe);
  auto* variants = parts.window->findChild<VariantsControl*>();
  connect(variants, &VariantsControl::listed, this, &CompareControl::take_variants);
  connect(dock, &QAction::toggled, this, [this, variants](bool shown) {
    if (shown && state().open()) variants->read_list();
  });
}

// ---- which runs

void CompareControl::take_variants(const std::vector<ShownVariant>& variants) {
  variants_.clear();
  for (const ShownVariant& one : variants)
    if (one.frames) variants_.push_back(one.variant.name);
  list_runs();
}

// The project's own results first; chosen ones stay.
void CompareControl::list_runs() {
  std::vector<RunName> runs = variants_;
  std::error_code none;
  if (state().open() && std::filesystem::exists(project().results_folder() / "results.jsonl", none))
    runs.insert(runs.begin(), RunName());
  panel_->show_runs(runs);
  panel_->choose(compared_ ? panel_->chosen() : kept_names_);
  if (!comparable()) {
    drop();
    panel_->show_text(
        tr("Two results are needed: analyse the project, keep its parameters and results as a "
           "variant, then analyse with others."));
  } else if (!compared_ || stamps_ != stamps_of(project(), panel_->chosen()) ||
             compared_->runs[0].name != panel_->chosen()[0] ||
             compared_->runs[1].name != panel_->chosen()[1]) {
    change_runs();
  }
  update_availability();
}

bool CompareControl::comparable() const {
  return state().open() && panel_->side(0)->count() > 1;
}

Control::Need CompareControl::comparable_need() const {
  return {comparable(), tr("Two results are needed: those of the project, and those of a variant.")};
}

void CompareControl::change_runs() {
  drop();
  kept_names_ = panel_->chosen();
  if (!comparable()) return;
  if (style() || next_waits_ || dock_shown()) compare();
}

void CompareControl::swap() {
  leave_value();
  const std::array<RunName, 2> names = panel_->chosen();
  panel_->choose({names[1], names[0]});
  change_runs();
}

// ---- comparing

void CompareControl::drop() {
  compare_job_.stop();
  masks_job_.stop();
  measure_job_.stop();
  compared_.reset();
  gone_to_.reset();
  masks_.clear();
  masks_of_.reset();
  panel_->clear();
  draw();
  update_availability();
}

void CompareControl::compare() {
  const std::array<RunName, 2> names = panel_->chosen();
  if (names[0] == names[1]) return panel_->show_text(tr("A and B are the same results: choose another one."));
  panel_->show_text(tr("Comparing the results \u2026"));
  stamps_ = stamps_of(project(), names);
  compare_job_.start([this, names, of = project()](const StopSource& stop) -> BackgroundJob::Deliver {
    const auto compared = std::make_shared<Result<ComparedRunsRef>>(compare_runs(of, names, stop));
    return [this, compared] { take(*compared); };
  });
}

void CompareControl::take(const Result<ComparedRunsRef>& compared) {
  if (!compared) {
    next_waits_ = false;
    return panel_->show_text(QString::fromStdString(compared.error().message()));
  }
  compared_ = *compared;
  panel_->show_text(summary());
  panel_->show_differences(*compared_, [this](int64_t frame) { return frame_text(frame); });
  measure();
  update_availability();
  draw();
  if (std::exchange(next_waits_, false)) go_on(1);
}

void CompareControl::measure() {
  if (project().truth.empty())
    return panel_->show_figures({},
                                tr("Draw ground truth (Shift+T) to see which of the two is better by it."));
  panel_->show_figures({}, tr("Measuring \u2026"));
  measure_job_.start([this, names = panel_->chosen(),
                      of = project()](const StopSource&) -> BackgroundJob::Deliver {
    const auto figures = std::make_shared<Result<std::vector<ComparedFigure>>>(measure_runs(of, names));
    return [this, figures] {
      if (!*figures) return panel_->show_figures({}, QString::fromStdString(figures->error().message()));
      panel_->show_figures(
          **figures,
          (*figures)->empty()
              ? tr("No frame of both has ground truth.")
              : tr("B against A in the frames with ground truth. Intervals by paired blocks of frames: where "
                   "one holds 0 these frames do not tell the two apart."));
    };
  });
}

QString CompareControl::summary() const {
  const ResultsComparison& results = compared_->results;
  QString text = results.differences.empty()
                     ? tr("A and B do not differ in %1 frames.").arg(results.frames)
                     : tr("People differ in %1 of %2 frames; changes of identity: %3.")
                           .arg(results.differing)
                           .arg(results.frames)
                           .arg(results.identities);
  if (!project().rules.empty()) text += tr(" %n events differ.", nullptr, static_cast<int>(results.events));
  const bool a = compared_->runs[0].masks, b = compared_->runs[1].masks;
  if (!a || !b)
    text += !a && !b ? tr(" Neither keeps foreground masks.")
                     : tr(" Only %1 keeps foreground masks.").arg(a ? "A" : "B");
  for (size_t side = 0; side < 2; ++side)
    if (const QString outdated = compared_->runs[side].outdated(project().parameters); !outdated.isEmpty())
      text += tr(" \u25b2 %1 is %2.").arg(QChar("AB"[side])).arg(outdated);
  return text;
}

QString CompareControl::frame_text(int64_t frame) const {
  return tr("frame %1, %2").arg(frame).arg(state().times().full_text(frame));
}

// ---- the views

std::optional<CompareStyle> CompareControl::style() const {
  QAction* checked = styles_->checkedAction();
  if (!checked) return std::nullopt;
  return static_cast<CompareStyle>(styles_->actions().indexOf(checked));
}

void CompareControl::change_style() {
  turn_ = 0;
  const std::optional<CompareStyle> now = style();
  now == CompareStyle::blink ? blink_.start() : blink_.stop();
  if (now && !compared_ && comparable() && !compare_job_.running()) compare();
  update_availability();
  draw();
}

void CompareControl::show_value(std::optional<ComparedValue> value, std::optional<int64_t> place_frame,
                                const Eigen::Vector2d& place_m) {
  value_ = std::move(value);
  value_frame_ = place_frame, value_place_m_ = place_m;
  draw();
}

void CompareControl::leave_value() {
  if (!value_) return;
  value_.reset();
  emit value_left();
}

// At once where no style is chosen: the value was asked for.
void CompareControl::draw_value() {
  const int64_t frame = state().shown()->result->frame;
  std::vector<FloorPerson> people;
  for (const ShownPerson& person : parts().overlays->who().people())
    people.push_back({.id = person.id, .x_m = person.x_m, .y_m = person.y_m, .height_m = person.height_m});
  auto marked = std::make_shared<MarkedComparison>(marks_of_value(*value_, people, frame));
  if (state().shown()->result->preview) marked->sides[0].name += tr(", preview");
  marked->style = style().value_or(CompareStyle::difference), marked->wipe = wipe_, marked->turn = turn_;
  if (value_frame_ == frame)
    marked->place_in_world_m = Eigen::Vector3d(value_place_m_.x(), value_place_m_.y(), 0);
  shown_ = marked;
  parts().overlays->set_comparison(std::move(marked));
}

void CompareControl::draw() {
  if (value_ && state().shown()) return draw_value();
  const std::optional<CompareStyle> now = style();
  if (!compared_ || !now || !state().shown()) {
    shown_.reset();
    panel_->show_note({});
    return parts().overlays->set_comparison(nullptr);
  }
  const int64_t frame = state().shown()->result->frame;
  auto marked = std::make_shared<MarkedComparison>(marks_of_frame(*compared_, frame, project().parameters));
  marked->style = *now, marked->wipe = wipe_, marked->turn = turn_;
  if (gone_to_ && gone_to_->first_frame == frame)
    marked->place_in_world_m = Eigen::Vector3d(gone_to_->x_m, gone_to_->y_m, 0);
  if (masks_of_ == frame)
    marked->masks = masks_;
  else
    read_masks(frame);
  const QString missing = missing_text(*marked, frame);
  panel_->show_note(missing.isEmpty() && !state().status().playing ? masks_text() : missing);
  shown_ = marked;
  parts().overlays->set_comparison(std::move(marked));
}

QString CompareControl::missing_text(const MarkedComparison& marked, int64_t frame) {
  const bool a = marked.sides[0].known, b = marked.sides[1].known;
  if (a && b) return {};
  const QString who = a ? tr("B does") : b ? tr("A does") : tr("A and B do");
  return tr("\u25b2 %1 not tell who is there in frame %2: it was not analysed, or with too few pictures.")
      .arg(who)
      .arg(frame);
}

QString CompareControl::masks_text() const {
  if (!compared_->runs[0].masks && !compared_->runs[1].masks) return {};
  if (masks_job_.running()) return tr("Reading the foreground masks \u2026");
  const auto kept = [](const ComparedMasks& one) { return !one.sides[0].isNull() || !one.sides[1].isNull(); };
  return std::any_of(masks_.begin(), masks_.end(), kept) ? QString()
                                                         : tr("No foreground masks are kept of this frame.");
}

void CompareControl::read_masks(int64_t frame) {
  if (!compared_->runs[0].masks && !compared_->runs[1].masks) return;
  masks_of_ = frame;
  masks_.clear();
  std::vector<std::string> cameras;
  for (const ProjectCamera& camera : project().cameras) cameras.push_back(camera.name);
  masks_job_.start([this, frame, cameras, of = compared_](const StopSource& stop) -> BackgroundJob::Deliver {
    auto masks = masks_of_frame(*of, cameras, frame, stop);
    return [this, frame, masks = std::move(masks)] {
      if (masks_of_ != frame) return;
      masks_ = masks;
      draw();
    };
  });
}

void CompareControl::move_wipe(double share) {
  wipe_ = std::clamp(share, 0.0, 1.0);
  draw();
}

// ---- from one difference to the next

// Differences are shown in the views: as chosen, else as such.
void CompareControl::go_on(int by) {
  leave_value();
  if (!compared_) {
    next_waits_ = by > 0;
    if (!compare_job_.running()) compare();
    return;
  }
  const std::vector<ResultsDifference>& all = panel_->differences();
  if (all.empty()) return panel_->show_text(tr("There is no difference of this kind."));
  const int64_t frame = gone_to_          ? gone_to_->first_frame
                        : state().shown() ? state().shown()->result->frame
                                          : -1;
  const auto step = by > 0 ? next_difference : previous_difference;
  if (const auto found = step(all, frame, panel_->selected())) go_to(*found);
}

void CompareControl::go_to(size_t difference) {
  const std::vector<ResultsDifference>& all = panel_->differences();
  if (!compared_ || difference >= all.size()) return;
  leave_value();
  gone_to_ = all[difference];
  arrived_ = state().shown() && state().shown()->result->frame == gone_to_->first_frame;
  panel_->select(difference);
  panel_->show_text(tr("%1 of %2: %3, x %4 m, y %5 m: %6.")
                        .arg(difference + 1)
                        .arg(all.size())
                        .arg(frame_text(gone_to_->first_frame))
                        .arg(gone_to_->x_m, 0, 'f', 2)
                        .arg(gone_to_->y_m, 0, 'f', 2)
                        .arg(QString::fromStdString(
                            difference_text(*gone_to_, run_text(compared_->runs[0].name).toStdString(),
                                            run_text(compared_->runs[1].name).toStdString()))));
  if (!style()) styles_->actions().back()->setChecked(true);
  draw();
  emit seek_requested(gone_to_->first_frame);
}

// ---- the window

void CompareControl::refresh(Changes what) {
  if (!state().open()) return;
  if (what & (Change::tracks | Change::other_project)) list_runs();
  if (what.testFlag(Change::project) && compared_) {
    if (state().project_change().floor) return change_runs();  // other rules make other events
    if (state().project_change().truth) measure();
    if (!gone_to_) panel_->show_text(summary());  // it may be of other parameters
    draw();
  }
  if (!what.testFlag(Change::frame)) return;
  const int64_t frame = state().shown()->result->frame;
  if (gone_to_ && gone_to_->first_frame == frame) arrived_ = true;
  if (gone_to_ && gone_to_->first_frame != frame && arrived_) {  // the user went on from there
    gone_to_.reset();
    if (compared_) panel_->show_text(summary());
  }
  draw();
}

void CompareControl::forget() {
  leave_value();
  variants_.clear();
  next_waits_ = false;
  panel_->show_runs({});
  drop();
  panel_->show_text(tr("Open a project to compare results."));
}

void CompareControl::restore(const QSettings& settings) {
  const QString kept = settings.value("compare/style").toString();
  for (QAction* action : styles_->actions()) action->setChecked(action->objectName() == kept);
  wipe_ = std::clamp(settings.value("compare/wipe", 0.5).toDouble(), 0.0, 1.0);
  kept_names_ = {settings.value("compare/a").toString().toStdString(),
                 settings.value("compare/b").toString().toStdString()};
}

void CompareControl::save(QSettings& settings) const {
  const QAction* checked = styles_->checkedAction();
  settings.setValue("compare/style", checked ? checked->objectName() : QString());
  settings.setValue("compare/wipe", wipe_);
  settings.setValue("compare/a", QString::fromStdString(kept_names_[0]));
  settings.setValue("compare/b", QString::fromStdString(kept_names_[1]));
}

}  // namespace vantage::ui
