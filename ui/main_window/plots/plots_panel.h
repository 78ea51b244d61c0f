// Plots of figures of results, one above the other, and what can be done with the chosen one.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/main_window/plots/plot_canvas.h"

class QAction;
class QLabel;
class QScrollArea;

namespace vantage::ui {

class PlotsPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit PlotsPanel(const std::vector<QAction*>& buttons, QWidget* parent = nullptr);

  // In place of those before; the one of that number is chosen, -1: none.
  void set_plots(const std::vector<PlotSpec>& specs, int chosen);
  const std::vector<PlotCanvas*>& plots() const { return plots_; }
  int chosen() const { return chosen_; }  // -1: there is none
  void choose(int plot);
  PlotCanvas* chosen_plot() const { return chosen_ < 0 ? nullptr : plots_[static_cast<size_t>(chosen_)]; }
  // The text next to the buttons: what is being done, or hinders.
  void show_text(const QString& text);
  QString text() const;
  QSize sizeHint() const override { return {400, 270}; }

 signals:
  void plot_chosen();
  void menu_wanted(const QPoint& at);
  void came_up();  // is shown from now on

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QLabel *text_, *none_;
  QScrollArea* scroll_;
  std::vector<PlotCanvas*> plots_;
  int chosen_ = -1;
};

}  // namespace vantage::ui
