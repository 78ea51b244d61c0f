#include "ui/main_window/plots/plots_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/panel_parts.h"

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
  head->setContentsMargins(4, 0, 4, 0);
  head->setSpacing(4);
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
  page->setContentsMargins(0, 4, 0, 0);
  page->setSpacing(4);
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
  // Between views handles are as dark as these.
  rows->setStyleSheet(QStringLiteral("QSplitter::handle { background: palette(mid); }"));
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

QString PlotsPanel::text() const {
  return text_->text();
}

}  // namespace vantage::ui
