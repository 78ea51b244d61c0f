// Plots of figures of the project's results that people choose, linked with the timeline: the frame that is
// shown, what is pointed at, the marked range and the part of the time that is seen. Which plots there are is
// kept with the window's layout. Results are read while the dock is shown.
#pragma once

#include <QLabel>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/main_window/control.h"
#include "ui/main_window/plots/plot_canvas.h"
#include "ui/main_window/plots/plot_reader.h"

class QAction;
class QScrollArea;

namespace vantage::ui {

// Plots of figures of results, one above the other, and what can be done with the chosen one.

class PlotsPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit PlotsPanel(const std::vector<QAction*>& buttons, QWidget* parent = nullptr);

  // In place of those before; the one of that number is chosen, -1: none.
  void set_plots(const std::vector<PlotSpec>& specs, int chosen);
  const std::vector<PlotCanvas*>& plots() const { return plots_; }
  int chosen() const { return chosen_; }  // -1: there is none
  void choose(int plot);
  PlotCanvas* chosen_plot() const { return chosen_ < 0 ? nullptr : plots_[chosen_]; }
  // The text next to the buttons: what is being done, or hinders.
  void show_text(const QString& text);
  QString text() const { return text_->text(); }
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

class PlotDialog;

class PlotsControl final : public Control {
  Q_OBJECT
 public:
  explicit PlotsControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void restore(const QSettings& settings) override;
  void save(QSettings& settings) const override;

  PlotsPanel* panel() const { return panel_; }
  const PlotReader& reader() const { return reader_; }
  PlotDialog* dialog() const { return dialog_; }  // the one that is open; null: none is
  // The chosen plot, by the file's ending; as `vantage-cli plot` of the same figures and frames writes it.
  void export_to(const QString& file);

 private:
  using Plots = std::vector<PlotSpec>;
  void ask(const QString& title, const PlotSpec& spec, const std::function<void(const PlotSpec&)>& take);
  void add_plot();
  void change_plot();
  void remove_plot();
  void ask_for_file();
  void apply(const char* what, Plots plots, int chosen);
  void show_plots(int chosen);
  void show_scalars();
  void show_text();
  void read();
  void link();
  void point_at(std::optional<int64_t> frame);
  void step(int by);
  void mark_range(int64_t first, int64_t last);
  void offer_menu(const QPoint& at);
  bool shown() const;
  FrameRange frames_of(const PlotSpec& spec) const;
  std::vector<std::string> offered() const;

  QAction* link_;
  QList<QAction*> menu_;  // of a plot
  PlotsPanel* panel_;
  TimeAxis* own_axis_;  // of plots that are not linked
  Plots plots_;
  PlotReader reader_;
  QTimer timer_;
  PlotDialog* dialog_ = nullptr;
};

}  // namespace vantage::ui
