#include "ui/main_window/plots/plots_control.h"

#include <QAction>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "ui/main_window/playback_control.h"
#include "ui/main_window/plots/plot_dialog.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {
namespace {

constexpr int kMinPlots_px = 110;  // one plot

}  // namespace

PlotsPanel::PlotsPanel(const std::vector<QAction*>& buttons, QWidget* parent)
    : QWidget(parent), text_(quiet_label()), none_(quiet_label()), scroll_(new QScrollArea) {
  setAccessibleName(tr("Plots"));
  text_->setAccessibleName(tr("What is being read"));
  none_->setText(
      tr("No plots yet. Add Plot draws figures of the results over time, their histogram, or one over "
         "another."));
  none_->setAlignment(Qt::AlignCenter);
  none_->setAccessibleName(tr("Why nothing is drawn"));
  auto* head = new QHBoxLayout;
  head->setContentsMargins(kTight, 0, kTight, 0);
  head->setSpacing(kTight);
  for (QAction* action : buttons) head->addWidget(text_button(action));
  head->addWidget(text_, 1);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // The bar at the left: at the right the plots would not line up with the timeline.
  scroll_->setLayoutDirection(Qt::RightToLeft);
  scroll_->setAccessibleName(tr("Plots"));
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setMinimumHeight(kMinPlots_px);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, kTight, 0, 0);
  page->setSpacing(kTight);
  page->addLayout(head);
  page->addWidget(none_, 1);
  page->addWidget(scroll_, 1);
  set_plots({}, -1);
}

void PlotsPanel::set_plots(const std::vector<PlotSpec>& specs, int chosen) {
  plots_.clear();
  auto* rows = new QSplitter(Qt::Vertical);
  rows->setLayoutDirection(Qt::LeftToRight);
  rows->setChildrenCollapsible(false);
  for (const PlotSpec& spec : specs) {
    PlotCanvas* plot = PlotCanvas::make(spec, this);
    plot->setToolTip(spec.kind == ScalarPlotKind::time
                         ? tr("Click: go to the frame. Drag: mark a range. Wheel: zoom; with Shift: move. "
                              "Right button: menu")
                     : spec.kind == ScalarPlotKind::histogram
                         ? tr("Click a bin: go to its first frame; again: to the next. Right button: menu")
                         : tr("Click a point: go to its frame. Right button: menu"));
    const int number = static_cast<int>(plots_.size());
    connect(plot, &PlotCanvas::chosen, this, [this, number] { choose(number); });
    connect(plot, &PlotCanvas::menu_wanted, this, &PlotsPanel::menu_wanted);
    rows->addWidget(plot);
    plots_.push_back(plot);
  }
  scroll_->setWidget(rows);  // deletes the one before
  none_->setVisible(specs.empty());
  scroll_->setVisible(!specs.empty());
  chosen_ = -1;
  choose(std::min(chosen, static_cast<int>(specs.size()) - 1));
}

void PlotsPanel::choose(int plot) {
  if (plot == chosen_) return;
  chosen_ = plot;
  for (size_t i = 0; i < plots_.size(); ++i) plots_[i]->set_chosen(static_cast<int>(i) == plot);
  if (PlotCanvas* now = chosen_plot()) scroll_->ensureWidgetVisible(now);
  emit plot_chosen();
}

void PlotsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  emit came_up();
}

void PlotsPanel::show_text(const QString& text) {
  text_->setText(text);
}

namespace {

constexpr int kLookAgain_ms = 1000;

}  // namespace

PlotsControl::PlotsControl(const WindowParts& parts) : Control(parts) {
  const auto placed = [](const char* after, bool separated = false) {
    return MenuPosition{Menu::analysis, after, separated};
  };
  const auto has_plot = [this] { return Need{panel_->chosen_plot() != nullptr, tr("Add a plot first.")}; };
  const auto chosen = [has_plot] { return unmet({has_plot()}); };
  const auto in_bin = [this] {
    const PlotCanvas* plot = panel_->chosen_plot();
    return unmet({{plot && plot->can_step(), tr("Choose a bin of a histogram first: click on it.")}});
  };
  QAction* add = add_action(
      {"add_plot", "Add Plo&t\u2026", "Ctrl+P",
       "Plot figures of the results: over time, how often, or one over another", false, "Add Plot\u2026"},
      placed("wipe_right", true), [this] { add_plot(); }, needs_project);
  QAction* change = add_action(
      {"change_plot", "Change Plot\u2026", "Ctrl+Shift+F11",
       "Choose other figures or another kind for the chosen plot", false, "Change\u2026"},
      placed("add_plot"), [this] { change_plot(); }, chosen);
  QAction* remove = add_action(
      {"remove_plot", "Remove Plot", "Ctrl+Shift+F10", "Remove the chosen plot; Undo restores it", false,
       "Remove"},
      placed("change_plot"), [this] { remove_plot(); }, chosen);
  QAction* save = add_action(
      {"export_plot", "Export Plot\u2026", "Ctrl+Shift+F8",
       "Write the chosen plot as SVG, PDF or PNG, or its values as CSV, as vantage-cli plot does", false,
       "Export\u2026"},
      placed("remove_plot"), [this] { ask_for_file(); },
      [this, has_plot] {
        const PlotCanvas* plot = panel_->chosen_plot();
        return unmet(
            {has_plot(), {plot && plot->empty_text().isEmpty(), plot ? plot->empty_text() : QString()}});
      });
  link_ = add_action(
      {"link_plots", "Link Plots With Timeline", "Alt+Shift+L",
       "Plots over time show the part of the time that the timeline shows; off: a part of their "
       "own",
       true, "Linked"},
      placed("export_plot"), [this] { link(); }, needs_project);
  QAction* next = add_action(
      {"next_of_bin", "Next Frame of Bin", "Alt+Shift+F",
       "Go to the next frame with a value in the histogram's chosen bin", false, "Next"},
      placed("link_plots"), [this] { step(1); }, in_bin);
  QAction* previous = add_action(
      {"previous_of_bin", "Previous Frame of Bin", "Alt+Shift+P",
       "Go to the previous frame with a value in the histogram's chosen bin", false, "Previous"},
      placed("next_of_bin"), [this] { step(-1); }, in_bin);
  menu_ = {change, remove, save, previous, next};
  panel_ = new PlotsPanel({add, change, remove, save, previous, next, link_});
  add_dock(
      {"plots_dock", "P&lots", "Shift+F11", "Show plots of figures of the results, linked with the timeline"},
      "compare_dock", tr("Plots"), panel_, DockArea::bottom);
  own_axis_ = new TimeAxis(panel_);
  link_->setChecked(true);
  keep_switch(link_, "plots_linked", true);
  connect(panel_, &PlotsPanel::plot_chosen, this, &PlotsControl::update_availability);
  connect(panel_, &PlotsPanel::menu_wanted, this, &PlotsControl::offer_menu);
  connect(&reader_, &PlotReader::changed, this, [this] {
    show_scalars();
    if (dialog_) dialog_->offer(offered());
    update_availability();
  });
  connect(&reader_, &PlotReader::reading_changed, this, &PlotsControl::show_text);
  connect(parts.timeline, &Timeline::frame_pointed, this, [this](qint64 frame) {
    for (PlotCanvas* plot : panel_->plots())
      plot->set_pointed(frame < 0 ? std::nullopt : std::optional<int64_t>(frame));
  });
  connect(panel_, &PlotsPanel::came_up, this, &PlotsControl::read);
  connect(&timer_, &QTimer::timeout, this, &PlotsControl::read);
  timer_.start(kLookAgain_ms);
}

bool PlotsControl::shown() const {
  return state().open() && panel_->isVisible();
}

// ---- changes in the window

void PlotsControl::forget() {
  if (dialog_) dialog_->close();
  reader_.forget();
}

void PlotsControl::refresh(Changes what) {
  if (what.testFlag(Change::status))
    own_axis_->set_extent(state().first_frame(),
                          std::max(state().first_frame(), state().status().frame_count));
  if (what.testFlag(Change::other_project)) own_axis_->show_all();
  if (what & (Change::project | Change::tracks | Change::mode)) read();
  for (PlotCanvas* plot : panel_->plots()) {
    if (what.testFlag(Change::frame)) plot->set_frame(state().shown()->result->frame);
    if (what & (Change::range | Change::other_project)) plot->set_range(state().range());
    if (what & (Change::clock | Change::frame_rate | Change::other_project)) plot->set_times(state().times());
  }
  if (what.testFlag(Change::frame)) own_axis_->set_playhead(state().shown()->result->frame);
}

// ---- the plots

void PlotsControl::restore(const QSettings& settings) {
  Control::restore(settings);
  plots_.clear();
  for (const QString& text : settings.value("plots").toStringList())
    if (const std::optional<PlotSpec> spec = plot_spec_of(text)) plots_.push_back(*spec);
  show_plots(0);
}

void PlotsControl::save(QSettings& settings) const {
  Control::save(settings);
  QStringList texts;
  for (const PlotSpec& spec : plots_) texts << plot_spec_text(spec);
  settings.setValue("plots", texts);
}

void PlotsControl::apply(const char* what, Plots plots, int chosen) {
  const auto change_to = [this](const Plots& other) {
    return on_present<PlotsControl>([other](PlotsControl& now) {
      now.plots_ = other;
      now.show_plots(std::max(now.panel_->chosen(), 0));
    });
  };
  post(command::Did{what, change_to(plots_), change_to(plots)});
  plots_ = std::move(plots);
  show_plots(chosen);
}

void PlotsControl::show_plots(int chosen) {
  panel_->set_plots(plots_, chosen);
  for (PlotCanvas* plot : panel_->plots()) {
    plot->set_times(state().times());
    plot->set_range(state().range());
    if (state().shown()) plot->set_frame(state().shown()->result->frame);
    connect(plot, &PlotCanvas::seek_requested, this, &PlotsControl::seek_requested);
    connect(plot, &PlotCanvas::range_dragged, this, &PlotsControl::mark_range);
    connect(plot, &PlotCanvas::bin_chosen, this, &PlotsControl::update_availability);
    connect(plot, &PlotCanvas::frame_pointed, this, &PlotsControl::point_at);
  }
  link();
  read();
  show_scalars();
  update_availability();
}

void PlotsControl::ask(const QString& title, const PlotSpec& spec,
                       const std::function<void(const PlotSpec&)>& take) {
  if (dialog_) return dialog_->raise();
  read();
  const auto name_of = [tracks = state().tracks()](int64_t id) {
    if (!tracks) return QString();
    const auto name = tracks->names.find(id);
    return name == tracks->names.end() ? QString() : QString::fromStdString(name->second);
  };
  dialog_ = new PlotDialog(title, offered(), name_of, spec, parts().window);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog_, &PlotDialog::accepted_with, this, [this, take](const PlotSpec& made) {
    take(made);
    emit dock_wanted();
  });
  connect(dialog_, &QObject::destroyed, this, [this] { dialog_ = nullptr; });
  dialog_->open();
}

void PlotsControl::add_plot() {
  ask(tr("Add Plot"), {}, [this](const PlotSpec& spec) {
    Plots plots = plots_;
    plots.push_back(spec);
    apply("add plot", std::move(plots), static_cast<int>(plots_.size()));
  });
}

void PlotsControl::change_plot() {
  const int chosen = panel_->chosen();
  if (chosen < 0) return;
  ask(tr("Change Plot"), plots_[static_cast<size_t>(chosen)], [this, chosen](const PlotSpec& spec) {
    Plots plots = plots_;
    if (static_cast<size_t>(chosen) >= plots.size() || plots[static_cast<size_t>(chosen)] == spec) return;
    plots[static_cast<size_t>(chosen)] = spec;
    apply("change plot", std::move(plots), chosen);
  });
}

void PlotsControl::remove_plot() {
  const int chosen = panel_->chosen();
  if (chosen < 0) return;
  Plots plots = plots_;
  plots.erase(plots.begin() + chosen);
  apply("remove plot", std::move(plots), chosen);
}

// The figures of the results, or what those of this project would have.
std::vector<std::string> PlotsControl::offered() const {
  ScalarOwners owners = reader_.owners();
  if (owners.cameras.empty())
    for (const ProjectCamera& camera : project().cameras) owners.cameras.push_back(camera.name);
  return scalar_names(owners);
}

// ---- the values

void PlotsControl::read() {
  if (!shown() && !dialog_) return;
  std::set<std::vector<std::string>> figures;
  for (const PlotSpec& spec : plots_)
    if (why_no_plot(spec).isEmpty()) figures.insert(spec.figures);
  reader_.set_source(project().results_folder(), std::move(figures), state().status().analysing);
}

void PlotsControl::show_scalars() {
  for (PlotCanvas* plot : panel_->plots()) {
    const ScalarsRef own = reader_.scalars_of(plot->spec().figures);
    QStringList missing;
    for (size_t i = 0; own && i < own->series.size(); ++i)
      if (!own->series[i].found) missing << QString::fromStdString(own->series[i].name);
    QString empty = why_no_plot(plot->spec());
    if (empty.isEmpty() && !state().open()) empty = tr("Open a project first.");
    if (empty.isEmpty()) empty = reader_.problem();
    if (empty.isEmpty() && !own) empty = tr("Reading the results \u2026");
    if (empty.isEmpty() && missing.size() == static_cast<qsizetype>(own->series.size()))
      empty = tr("These results have no %1 (times of stages and kernels come when an analysis has ended).")
                  .arg(missing.join(QStringLiteral(", ")));
    plot->show_scalars(own, empty);
  }
  show_text();
}

void PlotsControl::show_text() {
  panel_->show_text(reader_.reading() && !reader_.has_read() ? tr("Reading the results \u2026") : QString());
}

// ---- linked with the window

void PlotsControl::link() {
  TimeAxis* axis = parts().timeline->axis();
  const bool linked = link_->isChecked();
  if (!linked) {
    own_axis_->set_extent(axis->first_frame(), axis->end_frame());
    own_axis_->show(axis->left(), axis->right());
  }
  for (PlotCanvas* plot : panel_->plots()) plot->set_axis(linked ? axis : own_axis_);
}

void PlotsControl::point_at(std::optional<int64_t> frame) {
  parts().timeline->set_pointed(frame);
  for (PlotCanvas* plot : panel_->plots()) plot->set_pointed(frame);
}

void PlotsControl::step(int by) {
  if (PlotCanvas* plot = panel_->chosen_plot()) plot->step(by);
}

void PlotsControl::mark_range(int64_t first, int64_t last) {
  if (state().live()) return panel_->show_text(tr("Ranges are marked in recordings, not in live cameras."));
  parts().playback->mark_range({first, last});
}

void PlotsControl::offer_menu(const QPoint& at) {
  QMenu menu(panel_);
  menu.setToolTipsVisible(true);
  menu.addActions(menu_);
  menu.exec(at);
}

// ---- files

FrameRange PlotsControl::frames_of(const PlotSpec& spec) const {
  if (spec.in_range && !state().range().empty()) return state().frames_of_range();
  return {0, std::numeric_limits<int64_t>::max()};
}

void PlotsControl::ask_for_file() {
  const PlotCanvas* plot = panel_->chosen_plot();
  if (!plot) return;
  const QString file =
      QFileDialog::getSaveFileName(parts().window, tr("Export Plot"), plot->accessibleName() + ".svg",
                                   tr("Pictures (*.svg *.pdf *.png);;Values (*.csv)"));
  if (!file.isEmpty()) export_to(file);
}

void PlotsControl::export_to(const QString& file) {
  const PlotCanvas* plot = panel_->chosen_plot();
  if (!plot) return;
  emit work_requested(
      [spec = plot->spec(), frames = frames_of(plot->spec()), results = project().results_folder(),
       to = std::filesystem::path(file.toStdString())]() -> Status {
        VANTAGE_ASSIGN(const ResultScalars scalars, read_scalars(results, spec.figures, frames));
        VANTAGE_ASSIGN(const ScalarPlot made, scalar_plot(scalars, spec.kind, spec.bins));
        return write_scalar_plot(made, to);
      },
      tr("Plot written to %1.").arg(file));
}

}  // namespace vantage::ui
