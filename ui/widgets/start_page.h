// The page that the window shows without a project: what can be begun, the projects of late, and where files
// can be dropped.
#pragma once

#include <QList>
#include <QPixmap>
#include <QWidget>

class QAction;
class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace vantage::ui {

class StartPage final : public QWidget {
  Q_OBJECT
 public:
  explicit StartPage(QWidget* parent = nullptr);
  // A button each, which shows its action's text and state, while that is visible.
  void set_actions(const QList<QAction*>& actions);
  // Newest first; a project without a picture is shown by its name alone.
  struct Recent {
    QString file;
    QPixmap thumbnail;
  };
  void set_recent(const QList<Recent>& projects);

 signals:
  void file_chosen(const QString& file);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void set_mark();
  QWidget* make_card(const Recent& project);

  QLabel *mark_, *heading_, *drop_;
  QVBoxLayout* buttons_;
  QGridLayout* recent_;
};

}  // namespace vantage::ui
