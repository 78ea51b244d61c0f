// The height map of the present frame, computed while the panel is visible: picture and map, the most
// important parameters, the curves of a selected pixel, energy against iterations. While the recording plays,
// it computes only if a map takes less than kLiveMs.
#pragma once

#include <QElapsedTimer>
#include <QLabel>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/project/project.h"
#include "ui/platform/height_map_runner.h"
#include "ui/views/gl_view.h"

class QComboBox;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace vantage::ui {

class CurvePlot;
class HeightMapCanvas;
class ParameterEditor;

class HeightMapPanel final : public QWidget {
  Q_OBJECT
 public:
  static constexpr qint64 kLiveMs = 150;

  HeightMapPanel(HeightStudyFactory factory, SurfaceFactory surfaces, QWidget* parent = nullptr);

  bool available() const { return runner_.available(); }
  void set_project(const Project& project);
  void show_result(const FrameResultRef& result);
  void set_playing(bool playing);
  void clear();  // no project

  HeightMapCanvas* canvas() const { return canvas_; }
  CurvePlot* pixel_plot() const { return pixel_plot_; }
  CurvePlot* energy_plot() const { return energy_plot_; }
  QString status_text() const { return words_->text(); }

 signals:
  void edited(const std::string& stage, const std::string& name, double value);
  void reset_requested(const std::string& stage, const std::string& name);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* build_bar();
  QWidget* build_side();
  QWidget* build_status();
  void connect_runner();
  void add_editor(const ParameterTable& table, const std::string& name);
  QToolButton* switch_button(const QString& text, const QString& tip);
  void set_cameras();
  void request();
  void stop();
  void set_working(bool working);
  void show_map(const HeightStudyMap& map);
  void show_belief(const QPoint& pixel, const PixelBelief& belief);
  void show_energy(const HeightMap& map);
  void tell_pointed(const std::optional<QPoint>& pixel);
  QString camera_name(size_t camera) const;

  HeightMapRunner runner_;
  Project project_;
  bool open_ = false, playing_ = false, working_ = false, stopped_ = false;
  FrameResultRef result_;
  HeightLabels labels_;
  QElapsedTimer since_request_;
  qint64 took_ms_ = 1'000'000;  // duration of the last complete map
  HeightMapCanvas* canvas_;
  QComboBox* camera_;
  std::vector<ParameterEditor*> editors_;
  CurvePlot *pixel_plot_, *energy_plot_;
  QLabel *pointed_, *words_;
  QProgressBar* progress_;
  QPushButton* stop_;
};

}  // namespace vantage::ui
