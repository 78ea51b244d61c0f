// The line below everything: the place under the pointer, the volume, the backend and what is being done.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QStatusBar>
#include <QToolButton>

namespace vantage::ui {

class StatusLine final : public QStatusBar {
  Q_OBJECT
 public:
  // `stop` ends what is being done; its button is there while something can be stopped.
  explicit StatusLine(QAction* stop, QWidget* parent = nullptr);

  void set_place(const QString& words);
  void set_flow(const QString& words);  // beside the place
  void set_volume(const QString& words) { volume_->setText(words); }
  void set_backend(const QString& words) { backend_->setText(words); }
  void set_surface(const QString& words);  // what draws the views, before the notes
  void add_note(const QString& note);
  const QStringList& notes() const { return notes_; }
  void set_activity(const QString& words) { activity_->setText(words); }
  QToolButton* serving() const { return serving_; }  // hidden; its owner says when results are served
  void show_stop(bool shown) { stop_->setVisible(shown); }

 private:
  void show_place();
  void show_notes();

  QString place_words_, flow_words_, surface_;
  QStringList notes_;
  QLabel *place_, *volume_, *backend_, *activity_;
  QToolButton* serving_;
  QPushButton* stop_;
};

}  // namespace vantage::ui
