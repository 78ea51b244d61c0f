// The cameras of the project in a table: video, picture, offset, lens and position of each; they are renamed
// here.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/main_window/control.h"

class QTableWidget;

namespace vantage::ui {

class CamerasPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands stand in its head as buttons.
  explicit CamerasPanel(const std::vector<QAction*>& commands, QWidget* parent = nullptr);

  void show_cameras(const Project& project, int64_t frame_set);
  void edit_name();  // of the chosen row, or of the first
  QTableWidget* table() const { return table_; }

 signals:
  void renamed(int camera, const QString& name);

 private:
  QTableWidget* table_;
  bool filling_ = false;
};

class CamerasControl final : public Control {
  Q_OBJECT
 public:
  explicit CamerasControl(const WindowParts& parts);
  void refresh(Changes what) override;

 private:
  void show_cameras();
  void rename(int camera, const QString& name);

  CamerasPanel* panel_;
};

}  // namespace vantage::ui
