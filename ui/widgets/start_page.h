// The page that the window shows without a project: the demonstration, opening a file, and the projects of
// late.
#pragma once

#include <QList>
#include <QPixmap>
#include <QWidget>

class QAction;
class QVBoxLayout;

namespace vantage::ui {

class StartPage final : public QWidget {
  Q_OBJECT
 public:
  // `demonstration` is null where the demonstration was not found.
  StartPage(QAction* new_project, QAction* open, QAction* demonstration, QWidget* parent = nullptr);
  // Newest first; a project without a picture is shown by its name alone.
  struct Recent {
    QString file;
    QPixmap thumbnail;
  };
  void set_recent(const QList<Recent>& projects);

 signals:
  void file_chosen(const QString& file);

 private:
  QVBoxLayout* recent_;
};

}  // namespace vantage::ui
