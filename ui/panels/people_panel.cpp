#include "ui/panels/people_panel.h"

#include <QAction>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/tracks/repairs/repairs.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kShownRepairs = 2;  // minimum

const Tracks& tracks_or_none(const TracksRef& tracks) {
  static const Tracks kNone;
  return tracks ? *tracks : kNone;
}

// Marks of the tracks with these repairs: beginnings, and changes by a repair.
std::vector<LaneMark> marks_of(const Tracks& tracks, const std::vector<IdentityRepair>& repairs,
                               const FrameTimes& times) {
  std::vector<LaneMark> marks;
  const auto mark = [&](const PlaceInTime& position, const QString& words) {
    if (const std::optional<size_t> person = person_at(tracks.paths, tracks.by_frame, position))
      marks.push_back({tracks.paths[*person].id, position.frame, words});
  };
  for (size_t i = 0; i < repairs.size(); ++i) {
    const bool unmet = std::any_of(tracks.unmet.begin(), tracks.unmet.end(),
                                   [&](const FailedRepair& one) { return one.number == i; });
    if (unmet) continue;
    const QString words = repair_text(repairs[i], tracks, times);
    mark(repairs[i].at, words);
    if (has_second_position(repairs[i].kind)) mark(repairs[i].other, words);
  }
  return marks;
}

}  // namespace

QString repair_text(const IdentityRepair& repair, const Tracks& tracks, const FrameTimes& times) {
  const auto tr = [](const char* text) { return QCoreApplication::translate("PeoplePanel", text); };
  const auto id_at = [&](const PlaceInTime& position) {
    const std::optional<size_t> person = person_at(tracks.paths, tracks.by_frame, position);
    return person ? tracks.paths[*person].id : 0;
  };
  const auto called = [&](const PlaceInTime& position) {
    const int64_t id = id_at(position);
    const auto name = tracks.names.find(id);
    return id == 0                      ? tr("someone")
           : name == tracks.names.end() ? QString::number(id)
                                        : QString::fromStdString(name->second);
  };
  const QString at = times.text(repair.at.frame), other = times.text(repair.other.frame);
  switch (repair.kind) {
    case RepairKind::join:
      return tr("Join: %1 until %2 and from %3 on").arg(called(repair.at), at, other);
    case RepairKind::split:
      return tr("Split: %1 from %2 on").arg(called(repair.at), at);
    case RepairKind::swap: {
      const bool turned = id_at(repair.other) < id_at(repair.at);
      return tr("Swap: %1 and %2 exchange IDs from %3 on")
          .arg(called(turned ? repair.other : repair.at), called(turned ? repair.at : repair.other), at);
    }
    case RepairKind::remove:  // anyone there now is another person
      return tr("Delete: a track at %1").arg(at);
    case RepairKind::name: {
      const int64_t id = id_at(repair.at);
      return tr("Name: %1 is %2")
          .arg(id == 0 ? tr("someone") : QString::number(id), QString::fromStdString(repair.name));
    }
    case RepairKind::same:
      return tr("Seen to be one: %1 at %2 and %3").arg(called(repair.at), at, other);
    case RepairKind::apart:
      return tr("Seen to be two: %1 at %2, %3 at %4").arg(called(repair.at), at, called(repair.other), other);
  }
  return {};
}

PeoplePanel::PeoplePanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent),
      lanes_(new TrackLanes(
          tr("Lanes of people"),
          tr("A lane for each person, when and how long they were there: analyse (Ctrl+R) first."))),
      summary_(new QLabel),
      repairs_side_(new QWidget),
      repairs_(new QListWidget),
      drop_(new QToolButton) {
  setAccessibleName(tr("People"));
  summary_->setAccessibleName(tr("Summary of the tracks"));
  summary_->setIndent(4);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(0, 0, kApart, 0);
  head->addWidget(summary_, 1);
  for (QAction* command : commands) head->addWidget(text_button(command));
  describe(
      repairs_, tr("Repairs"),
      tr("Every later run applies these repairs. Double-click: go to the frame. Delete: remove the repair."));
  repairs_->setWordWrap(true);
  repairs_->installEventFilter(this);
  drop_->setText(tr("Take Out"));
  describe(drop_, tr("Take Out"), tr("Remove the selected repair from the project (Delete)"));
  auto* side = new QHBoxLayout(repairs_side_);
  side->setContentsMargins(kApart, 0, kApart, kTight);
  side->addWidget(repairs_, 1);
  side->addWidget(drop_, 0, Qt::AlignTop);
  repairs_->setMinimumHeight(kShownRepairs * repairs_->fontMetrics().lineSpacing() +
                             2 * repairs_->frameWidth());
  // Below, not next to them, so that the lanes stay aligned with the timeline.
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(lanes_);
  both->addWidget(repairs_side_);
  both->setChildrenCollapsible(false);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 1);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, kTight, 0, 0);
  page->setSpacing(kTight);
  page->addLayout(head);
  page->addWidget(both, 1);
  const auto drop = [this] {
    if (repairs_->currentRow() >= 0) emit repair_dropped(repairs_->currentRow());
  };
  connect(drop_, &QToolButton::clicked, this, drop);
  connect(lanes_, &TrackLanes::seek_requested, this, &PeoplePanel::seek_requested);
  connect(repairs_, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
    emit seek_requested(item->data(Qt::UserRole).toLongLong());
  });
  show_tracks(nullptr, {});
}

void PeoplePanel::set_frame_count(int64_t count) {
  if (count == 0 && frame_count_ == 0) return;
  frame_count_ = count;
  lanes_->set_extent(0, count);
  lanes_->share(count > 0 ? axis_ : nullptr);
}

void PeoplePanel::set_times(const FrameTimes& times) {
  times_ = times;
  lanes_->set_times(times);
  show_tracks(tracks_, listed_);
}

void PeoplePanel::show_tracks(const TracksRef& tracks, const std::vector<IdentityRepair>& repairs) {
  tracks_ = tracks;
  listed_ = repairs;
  const Tracks& shown = tracks_or_none(tracks_);
  lanes_->set_lanes(shown.lanes, marks_of(shown, listed_, times_), shown.names);
  lanes_->set_settled_end(shown.settled_end);
  if (frame_count_ == 0 && !shown.frames.empty())
    lanes_->set_extent(shown.frames.front(), shown.frames.back() + 1);
  QString words;
  if (tracks) words = tr("%1 people in %2 frames").arg(lanes_->lanes().size()).arg(shown.frames.size());
  if (shown.settled_end) words += tr("; IDs are final after %1 s").arg(shown.latency_s);
  if (!shown.unmet.empty())
    words += QStringLiteral("  \u25b2 ") +
             tr("%n repairs no longer apply", nullptr, static_cast<int>(shown.unmet.size()));
  summary_->setText(words);
  show_repairs();
}

void PeoplePanel::show_repairs() {
  const Tracks& shown = tracks_or_none(tracks_);
  const int row = repairs_->currentRow();
  repairs_->clear();
  for (size_t i = 0; i < listed_.size(); ++i) {
    auto* item = new QListWidgetItem(repair_text(listed_[i], shown, times_));
    item->setData(Qt::UserRole, QVariant::fromValue<qlonglong>(listed_[i].at.frame));
    for (const FailedRepair& one : shown.unmet)
      if (one.number == i)
        item->setText(QStringLiteral("\u25b2 ") + item->text() + QStringLiteral("\n") +
                      tr("no longer applies: %1").arg(QString::fromStdString(one.why)));
    repairs_->addItem(item);
  }
  repairs_->setCurrentRow(std::min(row, repairs_->count() - 1));
  repairs_side_->setVisible(!listed_.empty());
}

bool PeoplePanel::eventFilter(QObject* watched, QEvent* event) {
  const bool drops = watched == repairs_ && event->type() == QEvent::KeyPress &&
                     static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete;
  if (drops && repairs_->currentRow() >= 0) emit repair_dropped(repairs_->currentRow());
  return drops || QWidget::eventFilter(watched, event);
}

}  // namespace vantage::ui
