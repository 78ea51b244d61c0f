#include "ui/main_window/truth/quality_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

QString words_of(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString dash_if_empty(const std::string& text) {
  return text.empty() ? QStringLiteral("\u2013") : QString::fromStdString(text);
}

QString column_title(const TrackFigure& figure) {
  return figure.unit.empty() ? words_of(figure.title)
                             : QStringLiteral("%1 (%2)").arg(words_of(figure.title), words_of(figure.unit));
}

QString interval_cell(const FigureInterval& interval) {
  if (!interval.known())
    return QualityPanel::tr("none: %1").arg(QString::fromStdString(interval.why_unknown));
  return QStringLiteral("%1 \u2013 %2")
      .arg(dash_if_empty(figure_text(interval.from)), dash_if_empty(figure_text(interval.to)));
}

QString block_cell(const FigureInterval& interval) {
  if (!interval.known()) return QStringLiteral("\u2013");
  return interval.block == 1 ? QualityPanel::tr("1 frame")
                             : QualityPanel::tr("%1 frames").arg(interval.block);
}

}  // namespace

QualityPanel::QualityPanel(const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      views_(new QComboBox),
      table_(row_table(tr("Quality of the results"), {tr("Figure")}, 0)),
      text_(text_label()) {
  setAccessibleName(tr("Quality of the results"));
  views_->addItems({tr("All frames"), tr("Over time"), tr("Each person"), tr("Each zone"),
                    tr("By number of cameras"), tr("Worst frames")});
  views_->setAccessibleName(tr("What is measured"));
  views_->setToolTip(
      tr("Figures of all compared frames with 95 % intervals, or of parts of them; or the worst frames"));
  text_->setAccessibleName(tr("What the figures mean"));
  auto* head = new QHBoxLayout;
  head->setSpacing(4);
  head->addWidget(views_, 1);
  for (QAction* action : actions) head->addWidget(text_button(action));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(4, 4, 4, 4);
  page->setSpacing(4);
  page->addLayout(head);
  page->addWidget(table_, 1);
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

void QualityPanel::set_row(int row, const QStringList& cells, const QString& tip) {
  for (int column = 0; column < cells.size(); ++column) {
    auto* item = new QTableWidgetItem(cells[column]);
    item->setToolTip(tip);
    table_->setItem(row, column, item);
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
      set_row(row,
              {column_title(*parts.figures[at]), dash_if_empty(figure_text(all.values[at])),
               interval_cell(all.intervals[at]), block_cell(all.intervals[at])},
              words_of(parts.figures[at]->meaning));
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
    names << column_title(*figure), tips << words_of(figure->meaning);
  set_columns(names, tips, -1);
  table_->setRowCount(static_cast<int>(parts.parts.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const MeasuredPart& part = parts.parts[static_cast<size_t>(row)];
    QStringList cells{QString::fromStdString(part.name), QString::number(part.frames.size())};
    for (const double value : part.values) cells << dash_if_empty(figure_text(value));
    set_row(row, cells,
            tr("Frames %1 to %2; a click goes to the first").arg(part.first_frame).arg(part.last_frame));
  }
}

void QualityPanel::show_moments(const std::vector<WorstMoment>& moments) {
  const QSignalBlocker blocked(table_);
  set_columns({tr("Frame"), tr("What")}, {}, 1);
  table_->setRowCount(static_cast<int>(moments.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const WorstMoment& moment = moments[static_cast<size_t>(row)];
    const QString what = QString::fromStdString(moment_text(moment));
    set_row(row, {QString::number(moment.frame), what},
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

QString QualityPanel::text() const {
  return text_->text();
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

}  // namespace vantage::ui
