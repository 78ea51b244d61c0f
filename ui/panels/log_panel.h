// The log as it is written, newest below. Lines come from any thread.
#pragma once

#include <QWidget>

#include "core/base/log.h"

class QPlainTextEdit;

namespace vantage::ui {

class LogPanel final : public QWidget {
  Q_OBJECT
 public:
  // Listens to the program's log during its lifetime; only one at a time.
  explicit LogPanel(QWidget* parent = nullptr);
  ~LogPanel() override;
  QString text() const;

 private:
  void add(LogLevel level, const QString& line);

  QPlainTextEdit* lines_;
};

}  // namespace vantage::ui
