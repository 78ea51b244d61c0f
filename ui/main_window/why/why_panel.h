// The answer to "why": the verdict, and below it every value in sections that fold.
#pragma once

#include <QString>
#include <QWidget>

#include "core/why/answer.h"

class QAction;
class QLabel;
class QTreeWidget;

namespace vantage::ui {

class WhyPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands stand below the values as buttons.
  explicit WhyPanel(const std::vector<QAction*>& commands, QWidget* parent = nullptr);

  void show_answer(const WhyAnswer& answer);
  // In place of an answer, which goes: why there is none.
  void show_text(const QString& words);
  // Above the answer, which is the former one's as long as the next is computed; empty: it is current.
  void show_waiting(const QString& words);
  bool has_answer() const { return has_answer_; }
  QString verdict() const;
  QString waiting() const;
  QTreeWidget* values() const { return values_; }
  // The chosen values, each with its section, or the verdict with all of them.
  QString text_to_copy() const;

 signals:
  // A threshold was double-clicked, or chosen with Enter: "people.min_own".
  void parameter_wanted(const QString& key);

 private:
  void fill(const WhyAnswer& answer);

  QLabel *verdict_, *waiting_;
  QTreeWidget* values_;
  QString all_;
  bool has_answer_ = false;
};

}  // namespace vantage::ui
