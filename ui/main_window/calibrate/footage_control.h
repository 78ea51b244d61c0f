// Cameras from nothing, as a page of the Calibrate dock: what the footage must show, what is known besides,
// and the command whose result is proposed.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/main_window/control.h"

class QDoubleSpinBox;

namespace vantage::ui {

class FootagePage;
class Form;

class FootageControl final : public Control {
  Q_OBJECT
 public:
  explicit FootageControl(const WindowParts& parts);

  void restore(const QSettings& settings) override;
  void save(QSettings& settings) const override;
  FootagePage* page() const { return page_; }

 private:
  QString why_not() const;
  void solve();

  FootagePage* page_;
};

class FootagePage final : public QWidget {
  Q_OBJECT
 public:
  explicit FootagePage(QAction* solve, QWidget* parent = nullptr);

  std::optional<double> mean_height_m() const;  // nothing: adults
  double max_offset_s() const;
  Form* form() const { return form_; }
  QDoubleSpinBox* height() const { return height_; }

 private:
  Form* form_;
  QDoubleSpinBox *height_, *offset_;
};

}  // namespace vantage::ui
