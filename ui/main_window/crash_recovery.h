// What a crash would lose: changes are kept beside the project a while after they were made, the open project
// is remembered, and after an end that nobody asked for both are offered again.
#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>

namespace vantage {
class Session;
}

namespace vantage::ui {

class MessageBar;
class RunMarker;

class CrashRecovery final : public QObject {
  Q_OBJECT
 public:
  // Null marker: nothing is remembered from run to run.
  CrashRecovery(RunMarker* marker, MessageBar* messages, Session* session, QObject* parent);

  void keep_changes_after(double seconds);
  void project_opened(const QString& file);  // empty: it has no file yet
  void project_changed();
  void project_closed();                 // as asked: nothing is to be recovered
  void offer_changes(int64_t of_utc_s);  // of the open project, made then; 0: there are none
  // After runs that did not end well: what was open, and the layout of before where it was set aside.
  void offer_what_was_open(bool layout_set_aside);

 signals:
  void open_requested(const QString& file);
  void layout_requested();  // the one of before the early end

 private:
  RunMarker* marker_;
  MessageBar* messages_;
  Session* session_;
  QTimer timer_;
  bool offered_ = false;
};

}  // namespace vantage::ui
