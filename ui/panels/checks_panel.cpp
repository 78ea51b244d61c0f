#include "ui/panels/checks_panel.h"

#include <QAction>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTime>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kCheckMark = 18;

QString name_of(const CheckItem& item) {
  const QString check = QString::fromStdString(item.check);
  return item.camera.empty() ? check : QString::fromStdString(item.camera) + QStringLiteral("  ") + check;
}

// The window's equivalent of a command of the command line.
struct WindowRemedy {
  const char *command, *action, *text, *tip;
};
constexpr WindowRemedy kRemedies[] = {
    {"vantage-cli sync", "find_offsets", QT_TRANSLATE_NOOP("ChecksPanel", "Find Offsets"),
     QT_TRANSLATE_NOOP("ChecksPanel", "Find the offsets of all cameras")},
    {"vantage-cli calibrate people", "solve_people", QT_TRANSLATE_NOOP("ChecksPanel", "Solve From People"),
     QT_TRANSLATE_NOOP("ChecksPanel", "Propose a pose by the people of the footage")},
    {"vantage-cli calibrate footage", "solve_footage", QT_TRANSLATE_NOOP("ChecksPanel", "Solve From Footage"),
     QT_TRANSLATE_NOOP("ChecksPanel",
                       "Propose lenses, poses and offsets by the people who walk in the footage")},
    {"vantage-cli calibrate bumped", "find_bumped", QT_TRANSLATE_NOOP("ChecksPanel", "Find Bumped Cameras"),
     QT_TRANSLATE_NOOP("ChecksPanel", "Find where cameras were moved, and calibrate them from there on")},
    {"vantage-cli new --background", "add_clip", QT_TRANSLATE_NOOP("ChecksPanel", "Add Clip…"),
     QT_TRANSLATE_NOOP("ChecksPanel", "Choose a clip of the empty scene")},
    {"vantage-cli relink", "find_videos", QT_TRANSLATE_NOOP("ChecksPanel", "Find…"),
     QT_TRANSLATE_NOOP("ChecksPanel", "Search a folder for the missing files")},
    {"vantage-cli check", "check", QT_TRANSLATE_NOOP("ChecksPanel", "Check"),
     QT_TRANSLATE_NOOP("ChecksPanel", "Check all of it")}};

const WindowRemedy* window_remedy(const CheckItem& item) {
  const auto* found = std::find_if(std::begin(kRemedies), std::end(kRemedies), [&](const WindowRemedy& one) {
    return item.command.starts_with(one.command);
  });
  return found == std::end(kRemedies) ? nullptr : found;
}

QLabel* mark_label(const CheckItem& item, const QWidget& owner) {
  const VerdictStyle look = look_of(item.verdict, owner.palette());
  auto* mark = new QLabel;
  mark->setPixmap(colored_pixmap(look.icon, look.color, kCheckMark, owner.devicePixelRatioF()));
  mark->setFixedWidth(kCheckMark + 2);
  mark->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
  describe(mark, core_text(verdict_name(item.verdict)), mark->accessibleName());
  return mark;
}

}  // namespace

// Verdicts by core's names, to be found for translation.
[[maybe_unused]] constexpr const char* kVerdictNames[] = {
    QT_TRANSLATE_NOOP("Core", "passed"), QT_TRANSLATE_NOOP("Core", "cannot tell"),
    QT_TRANSLATE_NOOP("Core", "doubtful"), QT_TRANSLATE_NOOP("Core", "failed")};

QString part_text(const CheckProgress& at) {
  static const std::pair<const char*, const char*> kParts[] = {
      {"videos", QT_TRANSLATE_NOOP("ChecksPanel", "Reading videos")},
      {"views", QT_TRANSLATE_NOOP("ChecksPanel", "Views of the cameras")},
      {"outlines", QT_TRANSLATE_NOOP("ChecksPanel", "Outlines of people")},
      {"people", QT_TRANSLATE_NOOP("ChecksPanel", "Cameras by people")},
      {"silhouettes", QT_TRANSLATE_NOOP("ChecksPanel", "Silhouettes")},
      {"detectors", QT_TRANSLATE_NOOP("ChecksPanel", "Detectors")},
      {"offsets", QT_TRANSLATE_NOOP("ChecksPanel", "Offsets")},
      {"resources", QT_TRANSLATE_NOOP("ChecksPanel", "Disk and memory")}};
  for (const auto& [part, text] : kParts)
    if (at.part == part) return QCoreApplication::translate("ChecksPanel", text);
  return QString::fromStdString(at.part);
}

VerdictStyle look_of(Verdict verdict, const QPalette& palette) {
  switch (verdict) {
    case Verdict::failed:
      return {"failed", QColor(kFailed)};
    case Verdict::doubtful:
      return {"doubtful", QColor(kDoubtful)};
    case Verdict::cannot_tell:
      return {"cannot-tell", palette.color(QPalette::PlaceholderText)};
    case Verdict::passed:
      break;
  }
  return {"passed", palette.color(QPalette::PlaceholderText)};
}

ChecksPanel::ChecksPanel(QWidget* parent)
    : QWidget(parent),
      summary_(new QLabel),
      check_(new QPushButton(tr("Check"))),
      cancel_(new QPushButton(tr("Cancel"))),
      rows_(new ScrollList(kApart)) {
  setAccessibleName(tr("Checks"));
  summary_->setWordWrap(true);
  summary_->setAccessibleName(tr("Summary of the checks"));
  describe(check_, tr("Check"), tr("Check videos, foreground, calibration, disk and time on a few frames"));
  describe(cancel_, tr("Cancel the check"), tr("End the check; what was found before is shown again (Esc)"));
  auto* head = new QHBoxLayout;
  head->addWidget(summary_, 1);
  head->addWidget(check_, 0, Qt::AlignTop);
  head->addWidget(cancel_, 0, Qt::AlignTop);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kTight, kTight);
  page->addLayout(head);
  page->addWidget(rows_, 1);
  connect(check_, &QPushButton::clicked, this, &ChecksPanel::check_requested);
  connect(cancel_, &QPushButton::clicked, this, &ChecksPanel::cancel_requested);
  build();
}

void ChecksPanel::clear() {
  report_ = {};
  checked_ = out_of_date_ = running_ = false;
  build();
}

void ChecksPanel::show_running() {
  running_ = true;
  part_.clear();
  build();
}

// Called often: the rows stay as they are.
void ChecksPanel::show_progress(const CheckProgress& at) {
  if (!running_) return;
  part_ = part_text(at);
  if (at.total > 1) part_ += tr(", %1 of %2").arg(at.done).arg(at.total);
  show_part();
}

void ChecksPanel::show_part() {
  summary_->setText(part_.isEmpty() ? tr("Checking a few frames of every camera…")
                                    : tr("Checking. %1").arg(part_));
}

void ChecksPanel::show_stopped() {
  running_ = false;
  build();
}

void ChecksPanel::show_report(const CheckReport& report) {
  report_ = report;
  std::stable_sort(report_.items.begin(), report_.items.end(),
                   [](const CheckItem& a, const CheckItem& b) { return a.verdict > b.verdict; });
  when_ = QTime::currentTime().toString("HH:mm");
  checked_ = true;
  out_of_date_ = running_ = false;
  build();
}

void ChecksPanel::mark_out_of_date() {
  if (!checked_ || out_of_date_) return;
  out_of_date_ = true;
  build();
}

int ChecksPanel::count(Verdict verdict) const {
  return static_cast<int>(std::count_if(report_.items.begin(), report_.items.end(),
                                        [&](const CheckItem& item) { return item.verdict == verdict; }));
}

void ChecksPanel::build() {
  rows_->clear();
  check_->setVisible(!running_), cancel_->setVisible(running_);
  for (const CheckItem& item : report_.items)
    rows_->append(item.verdict == Verdict::passed ? make_line(item) : make_card(item));
  if (running_) return show_part();
  if (!checked_) return summary_->setText(tr("Not checked yet. A check runs before every analysis."));
  QStringList found;
  for (const Verdict verdict : {Verdict::failed, Verdict::doubtful, Verdict::cannot_tell, Verdict::passed})
    if (const int n = count(verdict))
      found << QStringLiteral("%1 %2").arg(n).arg(core_text(verdict_name(verdict)));
  QString text = tr("%1, %2 s: %3").arg(when_).arg(report_.seconds, 0, 'f', 1).arg(found.join(", "));
  if (out_of_date_) text += tr(". The project has changed since then.");
  summary_->setText(text);
}

// A verdict that needs attention.
QWidget* ChecksPanel::make_card(const CheckItem& item) {
  auto* card = new QWidget;
  auto* row = new QHBoxLayout(card);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kApart);
  row->addWidget(mark_label(item, *this), 0, Qt::AlignTop);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(kTight);
  auto* head = new QHBoxLayout;
  QLabel* name = text_label(name_of(item));
  QFont bold = name->font();
  bold.setBold(true);
  name->setFont(bold);
  head->addWidget(name, 1);
  if (!item.camera.empty()) {
    const QString camera = QString::fromStdString(item.camera);
    auto* show =
        make_button(tr("Show"), item.frame >= 0 ? tr("Show %1 at its frame %2").arg(camera).arg(item.frame)
                                                : tr("Show %1").arg(camera));
    connect(show, &QPushButton::clicked, this,
            [this, camera, frame = static_cast<qint64>(item.frame)] { emit show_requested(camera, frame); });
    head->addWidget(show);
  }
  texts->addLayout(head);
  texts->addWidget(text_label(QString::fromStdString(item.figure)));
  texts->addWidget(quiet_label(tr("limit: %1").arg(QString::fromStdString(item.limit))));
  if (!item.remedy.empty()) texts->addWidget(text_label(QString::fromStdString(item.remedy)));
  if (const WindowRemedy* remedy = window_remedy(item)) {
    auto* does = make_button(tr(remedy->text), tr(remedy->tip));
    connect(does, &QPushButton::clicked, this, [this, remedy, camera = QString::fromStdString(item.camera)] {
      emit remedy_requested(remedy->action, camera);
    });
    texts->addWidget(does, 0, Qt::AlignLeft);
  }
  row->addLayout(texts, 1);
  card->setAccessibleName(tr("%1: %2").arg(name_of(item), core_text(verdict_name(item.verdict))));
  return card;
}

QPushButton* ChecksPanel::make_button(const QString& text, const QString& tip) {
  auto* button = new QPushButton(text);
  describe(button, tip, tip);
  return button;
}

QWidget* ChecksPanel::make_line(const CheckItem& item) {
  auto* line = new QWidget;
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kApart);
  row->addWidget(mark_label(item, *this), 0, Qt::AlignTop);
  row->addWidget(quiet_label(name_of(item) + QStringLiteral(": ") + QString::fromStdString(item.figure)), 1);
  describe(line, tr("%1: passed").arg(name_of(item)),
           tr("passed; limit: %1").arg(QString::fromStdString(item.limit)));
  return line;
}

// Deferred: Qt iterates over all widgets during a change of theme, so rows must not be deleted.
void ChecksPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange)
    QMetaObject::invokeMethod(this, &ChecksPanel::build, Qt::QueuedConnection);
  QWidget::changeEvent(event);
}

namespace {

constexpr int kButtonMark = 14, kHeight = 18, kButtonGap = 3;

}  // namespace

ChecksButton::ChecksButton(QAction* checks) {
  setDefaultAction(checks);
  setAccessibleName(tr("Checks"));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setLayoutDirection(Qt::RightToLeft);  // the mark is after the text
}

void ChecksButton::show_counts(int failed, int doubtful) {
  failed_ = failed, doubtful_ = doubtful;
  setAccessibleDescription(tr("%1 failed, %2 doubtful").arg(failed).arg(doubtful));
  draw();
}

void ChecksButton::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && defaultAction()) draw();
  QToolButton::changeEvent(event);
}

void ChecksButton::draw() {
  const int shown = failed_ > 0 ? failed_ : doubtful_;
  if (shown == 0) return defaultAction()->setIcon({});
  const VerdictStyle look = look_of(failed_ > 0 ? Verdict::failed : Verdict::doubtful, palette());
  const qreal ratio = devicePixelRatioF();
  const QString number = QString::number(shown);
  const QSize size(kButtonMark + kButtonGap + fontMetrics().horizontalAdvance(number), kHeight);
  QPixmap mark(size * ratio);
  mark.setDevicePixelRatio(ratio);
  mark.fill(Qt::transparent);
  QPainter painter(&mark);
  painter.drawPixmap(0, 2, colored_pixmap(look.icon, look.color, kButtonMark, ratio));
  painter.setFont(font());
  painter.setPen(palette().color(QPalette::ButtonText));
  painter.drawText(QRect(kButtonMark + kButtonGap, 0, size.width() - kButtonMark - kButtonGap, size.height()),
                   Qt::AlignVCenter, number);
  painter.end();
  setIconSize(size);
  defaultAction()->setIcon(QIcon(mark));
}

}  // namespace vantage::ui
