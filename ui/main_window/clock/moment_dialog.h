// Asks for an instant, or for a note about one, in one line, and says what it means while it is typed.
#pragma once

#include <QDialog>
#include <functional>

#include "core/base/result.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace vantage::ui {

struct MomentQuestion {
  QString title, label, hint, text;  // `hint` says what can be typed, `text` stands there
  QString button;
  QString removal;  // a second button, which takes what there is away; empty: none
  // What the text means; an error says why it means nothing.
  std::function<Result<QString>(const QString& typed)> answer;
  bool may_be_empty = false;
  QString removal_tip = {};
};

class MomentDialog final : public QDialog {
  Q_OBJECT
 public:
  MomentDialog(const MomentQuestion& question, QWidget* parent);

  QString typed() const;
  QString answer() const;
  void show_note(const QString& note);  // above what is typed

 signals:
  void removed();

 private:
  void update_answer();

  const MomentQuestion question_;
  QLabel* note_;
  QLineEdit* field_;
  QLabel* answer_;
  QPushButton* accept_;
};

}  // namespace vantage::ui
