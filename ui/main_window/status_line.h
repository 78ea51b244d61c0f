// The line below everything: the position under the pointer, the volume, the backend and what is being done.
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

  void set_position(const QString& text);
  void set_flow(const QString& text);  // next to the position
  void set_volume(const QString& text) { volume_->setText(text); }
  void set_backend(const QString& text) { backend_->setText(text); }
  void set_surface(const QString& text);  // what draws the views, before the notes
  void add_note(const QString& note);
  const QStringList& notes() const { return notes_; }
  void set_activity(const QString& text) { activity_->setText(text); }
  QToolButton* serving() const { return serving_; }  // hidden; its owner says when results are served
  void show_stop(bool shown) { stop_->setVisible(shown); }

 private:
  void show_position();
  void show_notes();

  QString position_text_, flow_text_, surface_;
  QStringList notes_;
  QLabel *position_, *volume_, *backend_, *activity_;
  QToolButton* serving_;
  QPushButton* stop_;
};

}  // namespace vantage::ui
