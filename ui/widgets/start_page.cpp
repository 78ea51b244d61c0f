#include "ui/widgets/start_page.h"

#include <QAction>
#include <QCommandLinkButton>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kColumnWidth = 460, kShown = 5;
constexpr QSize kThumbnail(72, 48);

QPushButton* big_button(QAction* action, QWidget* parent) {
  auto* button = new QPushButton(action->text().remove('&').remove(QChar(0x2026)), parent);
  button->setMinimumHeight(40);
  button->setToolTip(action->toolTip());
  button->setAccessibleName(button->text());
  QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
  return button;
}

QString shortened(const QString& path, const QFontMetrics& metrics) {
  const QString home = QDir::homePath();
  const QString text = path.startsWith(home + '/') ? '~' + path.mid(home.size()) : path;
  return metrics.elidedText(text, Qt::ElideMiddle, kColumnWidth - 110);
}

}  // namespace

StartPage::StartPage(QAction* new_project, QAction* open, QAction* demonstration, QWidget* parent)
    : QWidget(parent), recent_(new QVBoxLayout) {
  auto* column = new QWidget;
  column->setFixedWidth(kColumnWidth);
  auto* rows = new QVBoxLayout(column);
  rows->setSpacing(10);
  auto* mark = new QLabel;
  mark->setPixmap(colored_pixmap("vantage", palette().color(QPalette::WindowText), 72, devicePixelRatioF()));
  mark->setAlignment(Qt::AlignCenter);
  auto* title = new QLabel(tr("Vantage"));
  QFont font = title->font();
  font.setPointSizeF(font.pointSizeF() * 2.2);
  title->setFont(font);
  title->setAlignment(Qt::AlignCenter);
  auto* line = new QLabel(tr("One scene, seen by several cameras."));
  line->setAlignment(Qt::AlignCenter);
  line->setForegroundRole(QPalette::PlaceholderText);
  rows->addWidget(mark);
  rows->addWidget(title);
  rows->addWidget(line);
  rows->addSpacing(14);
  if (demonstration) {
    QPushButton* button = big_button(demonstration, column);
    button->setDefault(true);
    rows->addWidget(button);
  }
  rows->addWidget(big_button(new_project, column));
  rows->addWidget(big_button(open, column));
  rows->addSpacing(10);
  rows->addLayout(recent_);
  recent_->setSpacing(0);
  auto* page = new QVBoxLayout(this);
  page->addStretch(2);
  page->addWidget(column, 0, Qt::AlignHCenter);
  page->addStretch(3);
  setAccessibleName(tr("Start page"));
}

void StartPage::set_recent(const QList<Recent>& projects) {
  while (QLayoutItem* item = recent_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  if (projects.isEmpty()) return;
  auto* heading = new QLabel(tr("Recent projects"));
  heading->setForegroundRole(QPalette::PlaceholderText);
  recent_->addWidget(heading);
  for (const auto& [file, thumbnail] : projects.mid(0, kShown)) {
    const QFileInfo info(file);
    auto* button =
        new QCommandLinkButton(info.completeBaseName(), shortened(info.absolutePath(), fontMetrics()));
    button->setIcon(thumbnail);
    button->setIconSize(kThumbnail);
    button->setToolTip(file);
    button->setAccessibleName(tr("Open %1").arg(info.completeBaseName()));
    connect(button, &QCommandLinkButton::clicked, this, [this, file = file] { emit file_chosen(file); });
    recent_->addWidget(button);
  }
}

}  // namespace vantage::ui
