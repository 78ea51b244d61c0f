// What the window shows without a project: the demonstration, opening a file, and the projects of late.
#pragma once

#include <QWidget>

class QAction;
class QVBoxLayout;

namespace vantage::ui {

class StartPage final : public QWidget {
  Q_OBJECT
 public:
  // `demonstration` is null where the demonstration was not found.
  StartPage(QAction* open, QAction* demonstration, QWidget* parent = nullptr);
  void set_recent(const QStringList& files);

 signals:
  void file_chosen(const QString& file);

 private:
  QVBoxLayout* recent_;
};

}  // namespace vantage::ui
