#include "ui/widgets/start_page.h"

#include <QAction>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kButtonsWidth = 240, kColumns = 3, kShown = 6;
constexpr QSize kPicture(192, 120), kCard(208, 172);

QPushButton* big_button(QAction* action) {
  auto* button = new QPushButton;
  button->setMinimumHeight(40);
  const auto show = [button, action] {
    button->setText(action->iconText());
    describe(button, action->iconText().remove(QChar(0x2026)), action->toolTip());
    button->setEnabled(action->isEnabled());
    button->setVisible(action->isVisible());
  };
  QObject::connect(action, &QAction::changed, button, show);
  QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
  show();
  return button;
}

QString shortened(const QString& path, const QFontMetrics& metrics) {
  const QString home = QDir::homePath();
  const QString text = path.startsWith(home + '/') ? '~' + path.mid(home.size()) : path;
  return metrics.elidedText(text, Qt::ElideMiddle, kPicture.width());
}

// All of one size; a project that was never seen has the program's mark.
QPixmap framed(const QPixmap& picture, qreal ratio) {
  QPixmap frame(kPicture * ratio);
  frame.setDevicePixelRatio(ratio);
  frame.fill(QColor(kNoPicture));
  QPainter painter(&frame);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  const QPixmap shown = picture.isNull() ? colored_pixmap("vantage", QColor(kQuietText), 48, ratio) : picture;
  const QSize size = picture.isNull() ? QSize(48, 48) : picture.size().scaled(kPicture, Qt::KeepAspectRatio);
  painter.drawPixmap(QRect((kPicture.width() - size.width()) / 2, (kPicture.height() - size.height()) / 2,
                           size.width(), size.height()),
                     shown);
  return frame;
}

}  // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent),
      mark_(new QLabel),
      heading_(new QLabel(tr("Recent projects"))),
      drop_(new QLabel(tr("Drop a project here, or videos and their calibration"))),
      buttons_(new QVBoxLayout),
      recent_(new QGridLayout) {
  setAccessibleName(tr("Start page"));
  auto* title = new QLabel(tr("Vantage"));
  title->setFont(sized(title->font(), TextSize::title));
  auto* line = new QLabel(tr("One scene, seen by several cameras."));
  line->setForegroundRole(QPalette::PlaceholderText);
  auto* left = new QVBoxLayout;
  left->addWidget(mark_);
  left->addWidget(title);
  left->addWidget(line);
  left->addSpacing(kWide);
  left->addLayout(buttons_);
  left->addStretch(1);
  buttons_->setSpacing(kApart);
  heading_->setForegroundRole(QPalette::PlaceholderText);
  drop_->setAlignment(Qt::AlignCenter);
  drop_->setForegroundRole(QPalette::PlaceholderText);
  drop_->setMinimumSize(kColumns * kCard.width() + (kColumns - 1) * kApart, 72);
  drop_->setStyleSheet(
      QStringLiteral("border: 1px dashed %1; border-radius: 4px;").arg(QColor(kQuietText).name()));
  recent_->setSpacing(kApart);
  auto* right = new QVBoxLayout;
  right->addWidget(heading_);
  right->addLayout(recent_);
  right->addSpacing(kApart);
  right->addWidget(drop_, 1);
  auto* columns = new QHBoxLayout;
  columns->addStretch(1);
  columns->addLayout(left);
  columns->addSpacing(kPage);
  columns->addLayout(right);
  columns->addStretch(1);
  auto* page = new QVBoxLayout(this);
  page->addStretch(2);
  page->addLayout(columns);
  page->addStretch(3);
  set_mark();
}

void StartPage::set_actions(const QList<QAction*>& actions) {
  for (QAction* action : actions) {
    QPushButton* button = big_button(action);
    button->setFixedWidth(kButtonsWidth);
    buttons_->addWidget(button);
  }
}

void StartPage::set_mark() {
  mark_->setPixmap(colored_pixmap("vantage", palette().color(QPalette::WindowText), 64, devicePixelRatioF()));
}

void StartPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) set_mark();
  QWidget::changeEvent(event);
}

QWidget* StartPage::make_card(const Recent& project) {
  const QFileInfo info(project.file);
  auto* card = new QToolButton;
  card->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  card->setAutoRaise(true);
  card->setFocusPolicy(Qt::StrongFocus);
  card->setFixedSize(kCard);
  card->setIconSize(kPicture);
  card->setIcon(framed(project.thumbnail, devicePixelRatioF()));
  const QString name =
      fontMetrics().elidedText(info.completeBaseName(), Qt::ElideRight, kPicture.width()).replace("&", "&&");
  card->setText(name + '\n' + shortened(info.absolutePath(), fontMetrics()).replace("&", "&&"));
  describe(card, tr("Open %1").arg(info.completeBaseName()), project.file);
  connect(card, &QToolButton::clicked, this, [this, file = project.file] { emit file_chosen(file); });
  return card;
}

void StartPage::set_recent(const QList<Recent>& projects) {
  while (QLayoutItem* item = recent_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  heading_->setVisible(!projects.isEmpty());
  const QList<Recent> shown = projects.mid(0, kShown);
  for (int i = 0; i < shown.size(); ++i)
    recent_->addWidget(make_card(shown[i]), i / kColumns, i % kColumns, Qt::AlignLeft);
  recent_->setColumnStretch(kColumns, 1);
}

}  // namespace vantage::ui
