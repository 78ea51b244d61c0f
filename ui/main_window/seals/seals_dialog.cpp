#include "ui/main_window/seals/seals_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/live_badge.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kWidth = 900, kHeight = 560, kMark = 16;
enum CameraColumn { kCamera, kFiles, kState, kSealed, kKey };

// What a custody log calls it, in the window's language.
QString what_text(const std::string& what) {
  if (what == "opened") return SealsDialog::tr("opened");
  if (what == "project changed") return SealsDialog::tr("project changed");
  if (what == "events judged") return SealsDialog::tr("events judged");
  if (what == "sealed") return SealsDialog::tr("sealed");
  if (what == "verified") return SealsDialog::tr("verified");
  if (what == "case exported") return SealsDialog::tr("case exported");
  return qt_text(what);
}

struct SealState {
  CameraStanding standing;
  QString words, tip;
};

SealState state_of(const CameraVerdict& verdict) {
  QStringList findings;
  for (const std::string& fault : verdict.faults) findings << qt_text(fault);
  for (const SealVerdict& file : verdict.files)
    for (const SealFinding& one : file.findings)
      findings << qt_text(file.file.filename().string() + ", " + finding_text(file, one));
  if (!findings.isEmpty())
    return {CameraStanding::away, SealsDialog::tr("touched: %1").arg(findings.first()), findings.join('\n')};
  if (verdict.untouched()) return {CameraStanding::good, SealsDialog::tr("untouched"), {}};
  return {CameraStanding::doubtful, SealsDialog::tr("the seal has no end"),
          SealsDialog::tr("The recording goes on, broke off (crash, loss of power), or was cut off with its "
                          "seal. Up to its last sealed group it is untouched.")};
}

}  // namespace

SealsDialog::SealsDialog(QWidget* parent)
    : QDialog(parent),
      cameras_(row_table(tr("Recordings"), {tr("Camera"), tr("Files"), tr("State"), tr("Sealed"), tr("Key")},
                         kState)),
      log_(row_table(tr("Custody log"),
                     {tr("Time (UTC)"), tr("User"), tr("What"), tr("Details"), tr("Version")}, 3)),
      summary_(quiet_label()),
      doing_(quiet_label()),
      seal_(new QPushButton(tr("&Seal"))),
      verify_(new QPushButton(tr("&Verify"))),
      stop_(new QPushButton(tr("S&top"))) {
  setWindowTitle(tr("Seals and Custody"));
  seal_->setToolTip(tr("Sign the recordings that have no seal, as they are now; nothing of them is changed"));
  verify_->setToolTip(tr("Compare every recording with its seal; nothing is decoded"));
  stop_->setToolTip(tr("End it; seals that are complete stay"));
  doing_->setAccessibleName(tr("Progress"));
  summary_->setAccessibleName(tr("State of the custody log"));
  auto* buttons = new QHBoxLayout;
  for (QPushButton* button : {seal_, verify_, stop_}) {
    button->setAutoDefault(false);
    buttons->addWidget(button);
  }
  buttons->addWidget(doing_, 1);
  auto* recordings = new QWidget;
  auto* upper = new QVBoxLayout(recordings);
  upper->addWidget(cameras_, 1);
  upper->addLayout(buttons);
  auto* custody = new QWidget;
  auto* lower = new QVBoxLayout(custody);
  lower->addWidget(summary_);
  lower->addWidget(log_, 1);
  for (QVBoxLayout* column : {upper, lower}) {
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kApart);
  }
  auto* halves = new QSplitter(Qt::Vertical);
  halves->setChildrenCollapsible(false);
  halves->addWidget(recordings);
  halves->addWidget(custody);
  auto* close = new QDialogButtonBox(QDialogButtonBox::Close);
  close->button(QDialogButtonBox::Close)->setToolTip(tr("Close this dialog"));
  connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kWide, kWide, kWide, kWide);
  page->setSpacing(kWide);
  page->addWidget(halves, 1);
  page->addWidget(close);
  connect(seal_, &QPushButton::clicked, this, &SealsDialog::seal_wanted);
  connect(verify_, &QPushButton::clicked, this, &SealsDialog::verify_wanted);
  connect(stop_, &QPushButton::clicked, this, &SealsDialog::stopped);
  update_state();
  resize(kWidth, kHeight);
}

void SealsDialog::show_cameras(const std::vector<CameraSeal>& cameras) {
  rows_.clear();
  files_ = sealed_ = 0;
  cameras_->setRowCount(static_cast<int>(cameras.size()));
  for (const auto& [files, sealed] : cameras) {
    const int row = static_cast<int>(rows_.size());
    rows_[files.camera] = row;
    files_ += files.files.size(), sealed_ += sealed;
    const QString state = files.files.empty() ? tr("not a video file: cannot be sealed")
                          : sealed == 0       ? tr("not sealed")
                          : sealed == files.files.size()
                              ? tr("sealed, not compared yet")
                              : tr("%1 of %2 files sealed").arg(sealed).arg(files.files.size());
    fill_row(cameras_, row,
             {qt_text(files.camera), QString::number(files.files.size()), state, QString(), QString()},
             qt_text(files.recording));
    cameras_->item(row, kCamera)->setIcon(QIcon());
  }
  update_state();
}

void SealsDialog::show_verdict(const std::string& camera, const Result<CameraVerdict>& verdict,
                               const KnownKeys& known) {
  const auto found = rows_.find(camera);
  if (found == rows_.end()) return;
  const int row = found->second;
  const SealState state =
      verdict ? state_of(*verdict) : SealState{CameraStanding::away, qt_text(verdict.error().message()), {}};
  put_cell(cameras_, row, kState, state.words, state.tip.isEmpty() ? state.words : state.tip);
  cameras_->item(row, kCamera)
      ->setIcon(colored_pixmap(icon_of(state.standing), color_of(state.standing, palette()), kMark,
                               devicePixelRatioF()));
  if (!verdict || verdict->files.empty()) return;
  const SealVerdict& first = verdict->files.front();
  const std::string name = known.name_of(first.fingerprint);
  put_cell(cameras_, row, kSealed, qt_text(first.sealed_utc));
  put_cell(cameras_, row, kKey, name.empty() ? tr("not known here") : qt_text(name),
           tr("Fingerprint %1").arg(qt_text(first.fingerprint)));
}

void SealsDialog::show_log(const Result<CustodyLog>& log) {
  log_->setRowCount(0);
  if (!log) {
    summary_->setText(
        log.error().kind == ErrorKind::not_found
            ? tr("There is no custody log yet: it begins with the first seal, comparison or case.")
            : qt_text(log.error().message()));
    return;
  }
  QString text = tr("Custody log: %n entries", nullptr, static_cast<int>(log->entries.size()));
  text += QStringLiteral(", ") +
          (log->faults.empty() ? tr("untouched") : tr("touched: %1").arg(qt_text(log->faults.front())));
  summary_->setText(text);
  log_->setRowCount(static_cast<int>(log->entries.size()));
  for (size_t i = 0; i < log->entries.size(); ++i) {
    const CustodyEntry& entry = log->entries[log->entries.size() - 1 - i];  // the last first
    QStringList details;
    for (const auto& [name, value] : entry.details) details << qt_text(name + ": " + value);
    fill_row(log_, static_cast<int>(i),
             {qt_text(entry.utc), qt_text(entry.user + "@" + entry.host), what_text(entry.what),
              details.join(QStringLiteral(", ")), qt_text(entry.program)},
             tr("Signed by %1").arg(qt_text(entry.fingerprint)));
  }
}

void SealsDialog::show_running(bool running) {
  running_ = running;
  if (!running) doing_->clear();
  update_state();
}

void SealsDialog::show_doing(const QString& doing) {
  doing_->setText(doing);
}

QString SealsDialog::camera_text(int row) const {
  QStringList cells;
  for (int column = 0; column < cameras_->columnCount(); ++column)
    if (const QTableWidgetItem* item = cameras_->item(row, column); item && !item->text().isEmpty())
      cells << item->text();
  return cells.join(' ');
}

QString SealsDialog::log_summary() const {
  return summary_->text();
}

void SealsDialog::update_state() {
  seal_->setEnabled(!running_ && sealed_ < files_);
  verify_->setEnabled(!running_ && sealed_ > 0);
  stop_->setEnabled(running_);
}

}  // namespace vantage::ui
