// The seals of a project's recordings and its custody log: what is sealed, what was found when it was
// compared, and who did what.
#pragma once

#include <QDialog>
#include <map>
#include <string>
#include <vector>

#include "core/project/project_seals.h"
#include "core/seal/custody.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace vantage::ui {

// What is known of one camera's recording.
struct CameraSeal {
  CameraFiles files;
  size_t sealed = 0;  // of the files
};

class SealsDialog final : public QDialog {
  Q_OBJECT
 public:
  explicit SealsDialog(QWidget* parent = nullptr);

  void show_cameras(const std::vector<CameraSeal>& cameras);
  // As compared with its seals; an error where that was not possible.
  void show_verdict(const std::string& camera, const Result<CameraVerdict>& verdict, const KnownKeys& known);
  void show_log(const Result<CustodyLog>& log);
  // Nothing else can be asked for meanwhile. `doing`: the camera.
  void show_running(bool running);
  void show_doing(const QString& doing);

  QString camera_text(int row) const;  // the row's cells, with spaces between; for screen readers and tests
  QString log_summary() const;
  QTableWidget* log() const { return log_; }

 signals:
  void seal_wanted();
  void verify_wanted();
  void stopped();

 private:
  void update_state();

  std::map<std::string, int> rows_;  // by camera
  size_t files_ = 0, sealed_ = 0;
  bool running_ = false;
  QTableWidget *cameras_, *log_;
  QLabel *summary_, *doing_;
  QPushButton *seal_, *verify_, *stop_;
};

}  // namespace vantage::ui
