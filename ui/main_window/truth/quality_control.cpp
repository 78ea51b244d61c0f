#include "ui/main_window/truth/quality_control.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/file.h"
#include "core/results/compare_trackers.h"
#include "ui/main_window/truth/truth_control.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

QString dash_if_empty(const std::string& text) {
  return text.empty() ? QStringLiteral("\u2013") : QString::fromStdString(text);
}

QString column_title(const TrackFigure& figure) {
  return figure.unit.empty() ? qt_text(figure.title)
                             : QStringLiteral("%1 (%2)").arg(qt_text(figure.title), qt_text(figure.unit));
}

QString interval_cell(const FigureInterval& interval) {
  if (!interval.known()) return QStringLiteral("\u2013");
  return QStringLiteral("%1 \u2013 %2")
      .arg(dash_if_empty(figure_text(interval.from)), dash_if_empty(figure_text(interval.to)));
}

// Follows a sentence without its full stop.
QString no_interval_text(const FigureInterval& interval) {
  return interval.known()
             ? QString()
             : QualityPanel::tr("; no interval: %1").arg(QString::fromStdString(interval.why_unknown));
}

QString block_cell(const FigureInterval& interval) {
  if (!interval.known()) return QStringLiteral("\u2013");
  return QualityPanel::tr("%n frames", nullptr, static_cast<int>(interval.block));
}

}  // namespace

QualityPanel::QualityPanel(const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      views_(new QComboBox),
      analysed_only_(new QCheckBox(tr("A&nalysed frames only"))),
      table_(row_table(tr("Quality of the results"), {tr("Figure")}, 0)),
      text_(text_label()) {
  setAccessibleName(tr("Quality of the results"));
  views_->addItems({tr("All frames"), tr("Over time"), tr("Each person"), tr("Each zone"),
                    tr("By number of cameras"), tr("Worst frames")});
  describe(
      views_, tr("What is measured"),
      tr("Figures of all compared frames with 95 % intervals, or of parts of them; or the worst frames"));
  text_->setAccessibleName(tr("What the figures mean"));
  analysed_only_->setToolTip(
      tr("Leave out annotated frames without results; otherwise their people count as missed"));
  auto* head = new QHBoxLayout;
  head->setSpacing(kTight);
  head->addWidget(views_, 1);
  for (QAction* action : actions) head->addWidget(text_button(action));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kTight, kTight, kTight, kTight);
  page->setSpacing(kTight);
  page->addLayout(head);
  page->addWidget(table_, 1);
  page->addWidget(analysed_only_);
  page->addWidget(text_);
  connect(views_, &QComboBox::currentIndexChanged, this, &QualityPanel::view_chosen);
  connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
    if (const int row = chosen_row(); row >= 0) emit row_chosen(row);
  });
  // Back to the one that is chosen already.
  connect(table_, &QTableWidget::cellClicked, this, &QualityPanel::row_chosen);
}

void QualityPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  emit became_visible();
}

QualityView QualityPanel::view() const {
  return static_cast<QualityView>(std::max(0, views_->currentIndex()));
}

void QualityPanel::choose_view(QualityView view) {
  views_->setCurrentIndex(static_cast<int>(view));
}

void QualityPanel::set_columns(const QStringList& names, const QStringList& tips, int stretched) {
  table_->clearSelection();
  table_->setRowCount(0);
  table_->setColumnCount(static_cast<int>(names.size()));
  table_->setHorizontalHeaderLabels(names);
  for (int column = 0; column < table_->columnCount(); ++column) {
    table_->horizontalHeader()->setSectionResizeMode(
        column, column == stretched ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    if (column < tips.size()) table_->horizontalHeaderItem(column)->setToolTip(tips[column]);
  }
}

void QualityPanel::show_parts(const MeasuredParts& parts) {
  const QSignalBlocker blocked(table_);
  if (parts.by == MeasuredBy::all) {
    set_columns({tr("Figure"), tr("Value"), tr("95 % interval"), tr("Blocks")},
                {{},
                 {},
                 tr("By the block bootstrap over the compared frames"),
                 tr("Compared frames that are drawn together: as long as the errors stay correlated")},
                2);
    if (parts.parts.empty()) return;
    const MeasuredPart& all = parts.parts[0];
    table_->setRowCount(static_cast<int>(parts.figures.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
      const auto at = static_cast<size_t>(row);
      fill_row(table_, row,
               {column_title(*parts.figures[at]), dash_if_empty(figure_text(all.values[at])),
                interval_cell(all.intervals[at]), block_cell(all.intervals[at])},
               qt_text(parts.figures[at]->meaning) + no_interval_text(all.intervals[at]));
    }
    return;
  }
  QStringList names{parts.by == MeasuredBy::time     ? tr("Frames")
                    : parts.by == MeasuredBy::person ? tr("Person")
                    : parts.by == MeasuredBy::zone   ? tr("Zone")
                                                     : tr("Cameras"),
                    tr("Compared")};
  QStringList tips{QString(), tr("Frames with a true or a found person there")};
  for (const TrackFigure* figure : parts.figures)
    names << column_title(*figure), tips << qt_text(figure->meaning);
  set_columns(names, tips, -1);
  table_->setRowCount(static_cast<int>(parts.parts.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const MeasuredPart& part = parts.parts[row];
    QStringList cells{QString::fromStdString(part.name), QString::number(part.frames.size())};
    for (const double value : part.values) cells << dash_if_empty(figure_text(value));
    fill_row(table_, row, cells,
             tr("Frames %1 to %2; a click goes to the first").arg(part.first_frame).arg(part.last_frame));
  }
}

void QualityPanel::show_moments(const std::vector<WorstMoment>& moments) {
  const QSignalBlocker blocked(table_);
  set_columns({tr("Frame"), tr("What")}, {}, 1);
  table_->setRowCount(static_cast<int>(moments.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const WorstMoment& moment = moments[row];
    const QString what = QString::fromStdString(moment_text(moment));
    fill_row(table_, row, {QString::number(moment.frame), what},
             tr("Frames %1 to %2, at x %3 m, y %4 m: %5")
                 .arg(moment.first_frame)
                 .arg(moment.last_frame)
                 .arg(moment.x_m, 0, 'f', 2)
                 .arg(moment.y_m, 0, 'f', 2)
                 .arg(what));
  }
}

void QualityPanel::show_text(const QString& words) {
  text_->setText(words);
  text_->setVisible(!words.isEmpty());
}

int QualityPanel::chosen_row() const {
  const auto rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : rows.front().row();
}

void QualityPanel::choose_row(int row) {
  const QSignalBlocker blocked(table_);
  table_->selectRow(row);
  if (table_->item(row, 0)) table_->scrollToItem(table_->item(row, 0));
}

QString QualityPanel::table_text() const {
  QStringList lines;
  for (int row = -1; row < table_->rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < table_->columnCount(); ++column) {
      const QTableWidgetItem* item =
          row < 0 ? table_->horizontalHeaderItem(column) : table_->item(row, column);
      cells << (item ? item->text() : QString());
    }
    lines << cells.join('\t');
  }
  return lines.join('\n') + '\n';
}

namespace {

constexpr size_t kMaxMoments = 200;

QString meaning_of(MeasuredBy by) {
  if (by == MeasuredBy::all)
    return QualityControl::tr(
        "People match within 0.5 m, which is OSPA's and GOSPA's cut-off, too. Intervals: 2000 samples of "
        "blocks of frames; IDF1, IDR and HOTA under the identities of the whole recording.");
  if (by == MeasuredBy::person)
    return QualityControl::tr("Figures of each true person. A false person counts for none of them.");
  return QualityControl::tr(
      "Identities are matched over the whole recording; a match belongs where its true person stands.");
}

// Off the GUI thread.
Result<MeasuredParts> measured(const Tracks& tracks, const ComparedFrames& frames, const GroundTruth& truth,
                               const Project& project, MeasuredBy by) {
  VANTAGE_ASSIGN(const MatchedTracks matched, match_paths(tracks.paths, frames, truth));
  MeasureOptions options;
  options.project = &project;
  if (by == MeasuredBy::all) options.intervals = BootstrapOptions();
  return measure_parts(matched, by, options);
}

}  // namespace

QualityControl::QualityControl(const WindowParts& parts)
    : Control(parts), truth_(parts.window->findChild<TruthControl*>()) {
  const auto measurable = [this] {
    return unmet({{!project().truth.empty(), tr("Draw ground truth first (Shift+T).")},
                  {state().tracks() && !state().tracks()->frames.empty(),
                   tr("Analyse first: results are measured by what was drawn.")}});
  };
  const auto listed = [this] {
    return unmet({{panel_->table()->rowCount() > 0, tr("Measure results first (Ctrl+Alt+Q).")}});
  };
  add_action(
      {"measure_results", "Measure &Results", "Ctrl+Alt+Q",
       "Show how good the results are by the ground truth drawn here, with intervals: of all frames, "
       "over time, of each person and zone, by cameras, or the worst frames"},
      {Menu::analysis, "export_truth"}, [this] { show_page(); }, measurable);
  QAction* next = add_action(
      {"next_worst_moment", "Next &Worst Frame", "Ctrl+Alt+Y",
       "Go to the next of the frames in which the results are worst: people missed, "
       "false or under another ID",
       false, "Next Worst"},
      {Menu::analysis, "measure_results"}, [this] { go_to_next_moment(); }, measurable);
  QAction* copy = add_action(
      {"copy_quality", "&Copy Measured Results", "",
       "Copy the table of measured figures as text, columns separated by tabs", false, "Copy"},
      {Menu::analysis, "next_worst_moment"},
      [this] { QApplication::clipboard()->setText(panel_->table_text()); }, listed);
  QAction* save = add_action(
      {"export_quality", "Export &Measured Results\u2026", "", "Write the table of measured figures as CSV",
       false, "Export"},
      {Menu::analysis, "copy_quality"},
      [this] {
        const QString file = QFileDialog::getSaveFileName(
            panel_, tr("Export Measured Results"),
            QString::fromStdString(project().path.parent_path().string()) + QStringLiteral("/quality.csv"),
            tr("CSV (*.csv)"));
        if (!file.isEmpty()) export_to(file);
      },
      listed);
  panel_ = new QualityPanel({next, copy, save});
  truth_->add_page(panel_, tr("Quality"));
  connect(panel_, &QualityPanel::view_chosen, this, &QualityControl::measure);
  connect(panel_->analysed_only(), &QCheckBox::toggled, this, [this](bool only) {
    truth_->set_analysed_only(only);
    measure();
  });
  connect(panel_, &QualityPanel::became_visible, this, &QualityControl::measure);
  connect(panel_, &QualityPanel::row_chosen, this, &QualityControl::go_to);
}

void QualityControl::forget() {
  job_.stop();
  go_on_ = false;
  say({});
}

void QualityControl::refresh(Changes what) {
  if (!state().open()) return;
  const bool truth = what.testFlag(Change::project) && state().project_change().truth;
  if (truth || what.testFlag(Change::tracks)) measure();
  if (truth || what.testFlag(Change::tracks)) update_availability();
}

void QualityControl::show_page() {
  emit truth_->dock_wanted();
  truth_->show_page(panel_);
  measure();
}

void QualityControl::say(const QString& words) {
  job_.stop();
  parts_ = {}, moments_.clear();
  panel_->show_moments({});
  panel_->show_text(words);
  update_availability();
}

void QualityControl::measure() {
  if (!panel_->isVisible() || !state().open()) return;
  if (project().truth.empty())
    return say(tr("No one was drawn yet: Draw (Shift+T), then click where a person stands."));
  if (!state().tracks() || state().tracks()->frames.empty())
    return say(tr("Analyse first: results are measured by what was drawn."));
  panel_->show_text(tr("Measuring \u2026"));
  job_.start([this, view = panel_->view(), tracks = state().tracks(), only = truth_->analysed_only(),
              now = project()](const StopSource&) -> BackgroundJob::Deliver {
    const GroundTruth truth = ground_truth_of(now.truth);
    const ComparedFrames frames{tracks->frames, tracks->known_frames, only};
    QString without = QString::fromStdString(without_results_text(truth, tracks->frames, only));
    if (!without.isEmpty()) without = QStringLiteral(" %1.").arg(without);
    if (view == QualityView::moments) {
      auto moments =
          std::make_shared<Result<std::vector<WorstMoment>>>(worst_of_paths(tracks->paths, frames, truth));
      return [this, moments, without] {
        without_ = without;
        *moments ? take(**moments) : say(QString::fromStdString(moments->error().message()));
      };
    }
    auto parts = std::make_shared<Result<MeasuredParts>>(
        measured(*tracks, frames, truth, now, static_cast<MeasuredBy>(view)));
    return [this, parts, without] {
      without_ = without;
      *parts ? take(**parts) : say(QString::fromStdString(parts->error().message()));
    };
  });
}

void QualityControl::take(const MeasuredParts& parts) {
  if (parts.parts.empty()) return say(tr("None of the drawn frames was analysed, or no one was seen there."));
  parts_ = parts, moments_.clear();
  panel_->show_parts(parts_);
  panel_->show_text(meaning_of(parts.by) + without_);
  update_availability();
}

void QualityControl::take(const std::vector<WorstMoment>& moments) {
  if (moments.empty()) {
    go_on_ = false;
    return say(tr("No one is missed, false, or under another ID in the drawn frames."));
  }
  parts_ = {}, moments_ = moments;
  if (moments_.size() > kMaxMoments) moments_.resize(kMaxMoments);
  panel_->show_moments(moments_);
  panel_->show_text(moments.size() > kMaxMoments
                        ? tr("The first %1 of %2 spans of frames, the longest first.")
                                  .arg(kMaxMoments)
                                  .arg(moments.size()) +
                              without_
                        : tr("The longest first. A click goes there.") + without_);
  update_availability();
  if (std::exchange(go_on_, false)) go_to_next_moment();
}

void QualityControl::go_to(int row) {
  const auto at = static_cast<size_t>(row);
  if (panel_->view() == QualityView::moments) {
    if (at < moments_.size()) emit seek_requested(moments_[at].frame);
  } else if (parts_.by != MeasuredBy::all && at < parts_.parts.size()) {
    emit seek_requested(parts_.parts[at].first_frame);
  }
}

// Shows them first where something else is listed.
void QualityControl::go_to_next_moment() {
  if (panel_->view() != QualityView::moments || !panel_->isVisible() || moments_.empty()) {
    go_on_ = true;
    panel_->choose_view(QualityView::moments);
    return show_page();
  }
  const int next = (panel_->chosen_row() + 1) % static_cast<int>(moments_.size());
  panel_->choose_row(next);
  go_to(next);
}

void QualityControl::export_to(const QString& path) {
  std::string text = parts_csv(parts_);
  if (panel_->view() == QualityView::moments) {
    text = "kind,frame,first_frame,last_frame,true_id,id,id_before,x_m,y_m,amount\n";
    for (const WorstMoment& one : moments_)
      text += QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8,%9,%10\n")
                  .arg(QString::fromStdString(std::string(moment_kind_name(one.kind))))
                  .arg(one.frame)
                  .arg(one.first_frame)
                  .arg(one.last_frame)
                  .arg(one.true_id)
                  .arg(one.id)
                  .arg(one.id_before)
                  .arg(one.x_m, 0, 'f', 4)
                  .arg(one.y_m, 0, 'f', 4)
                  .arg(one.amount)
                  .toStdString();
  }
  emit work_requested([text, file = path.toStdString()] { return write_file_atomically(file, text); },
                      tr("Measured results exported to %1.").arg(path));
}

}  // namespace vantage::ui
