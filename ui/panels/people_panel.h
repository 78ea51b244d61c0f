// People: a lane for everyone who was tracked, the commands that repair identities, and the list of repairs,
// with those that do not apply.
#pragma once

#include <QLabel>
#include <QWidget>
#include <vector>

#include "core/session/recorded_tracks.h"
#include "ui/widgets/track_lanes.h"

class QListWidget;
class QToolButton;

namespace vantage::ui {

class PeoplePanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands are buttons in its head.
  explicit PeoplePanel(const std::vector<QAction*>& commands, QWidget* parent = nullptr);

  // The time axis shared with other lanes of a recording.
  void share(TimeAxis* axis) { axis_ = axis; }
  void set_frame_count(int64_t count);  // 0: of live cameras; the lanes then show the range of the tracks
  void show_tracks(const TracksRef& tracks, const std::vector<IdentityRepair>& repairs);
  void set_times(const FrameTimes& times);
  TrackLanes* lanes() const { return lanes_; }
  QListWidget* repairs() const { return repairs_; }
  QString summary() const { return summary_->text(); }

 signals:
  void seek_requested(qint64 frame);
  void repair_dropped(int number);

 private:
  void show_repairs();
  bool eventFilter(QObject* watched, QEvent* event) override;

  int64_t frame_count_ = 0;
  TracksRef tracks_;
  std::vector<IdentityRepair> listed_;
  FrameTimes times_;
  TimeAxis* axis_ = nullptr;
  TrackLanes* lanes_;
  QLabel* summary_;
  QWidget* repairs_side_;
  QListWidget* repairs_;
  QToolButton* drop_;
};

// With the people of these tracks, to which the repairs were applied, and their times: "Swap: Anna and 3
// exchange IDs from 0:12.400 on". Who is at its position no longer is "someone".
QString repair_text(const IdentityRepair& repair, const Tracks& tracks, const FrameTimes& times);

}  // namespace vantage::ui
