#include "ui/panels/log_panel.h"

#include <QMetaObject>
#include <QPlainTextEdit>
#include <QTime>
#include <QVBoxLayout>

namespace vantage::ui {
namespace {

constexpr int kKeptLines = 2000;

QString level_word(LogLevel level) {
  switch (level) {
    case LogLevel::error:
      return LogPanel::tr("error: ");
    case LogLevel::warning:
      return LogPanel::tr("warning: ");
    case LogLevel::debug:
    case LogLevel::info:
      break;
  }
  return {};
}

}  // namespace

LogPanel::LogPanel(QWidget* parent) : QWidget(parent), lines_(new QPlainTextEdit) {
  setAccessibleName(tr("Log"));
  lines_->setAccessibleName(tr("Log"));
  lines_->setReadOnly(true);
  lines_->setPlaceholderText(
      tr("Warnings, errors and notes of this session are listed here, the newest last."));
  lines_->setMaximumBlockCount(kKeptLines);
  lines_->setFrameShape(QFrame::NoFrame);
  lines_->setFocusPolicy(Qt::ClickFocus);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 0, 0, 0);
  page->addWidget(lines_);
  set_log_listener([this](LogLevel level, const std::string& line) {
    const QString text = QString::fromStdString(line);
    QMetaObject::invokeMethod(this, [this, level, text] { add(level, text); }, Qt::QueuedConnection);
  });
}

LogPanel::~LogPanel() {
  set_log_listener({});
}

void LogPanel::add(LogLevel level, const QString& line) {
  lines_->appendPlainText(QTime::currentTime().toString("HH:mm:ss  ") + level_word(level) + line);
}

QString LogPanel::text() const {
  return lines_->toPlainText();
}

}  // namespace vantage::ui
