// Adds a live camera: its address or one of this machine's cameras, name and password, a test with a picture,
// and whether it is new or replaces an existing one. A password goes to the credential store, never into the
// address.
#pragma once

#include <QDialog>
#include <QImage>
#include <QLabel>
#include <functional>
#include <memory>

#include "core/live/credentials.h"
#include "core/live/onvif/onvif.h"
#include "core/project/project.h"
#include "ui/platform/background_job.h"
#include "ui/platform/local_camera.h"

class QComboBox;
class QDialogButtonBox;
class QLineEdit;
class QPushButton;
class QTabWidget;

namespace vantage::ui {

struct AddedCamera {
  std::string name, address;    // without credentials
  std::optional<size_t> place;  // index of the replaced camera; nothing: it is new
};
// Adds it to the project. Data of the replaced video is removed; its calibration stays.
void add_camera(const AddedCamera& camera, Project& project);

class AddCameraDialog final : public QDialog {
  Q_OBJECT
 public:
  struct Services {
    std::shared_ptr<CredentialStore> credentials;
    std::function<std::vector<LocalCamera>()> local_cameras;  // empty: the program supports none
    DiscoverOptions discover = {};                            // whom to ask for cameras of the network
  };
  AddCameraDialog(Services services, const Project& project, QWidget* parent = nullptr);

  void set_address(const QString& address);  // as if pasted
  void test();
  void find_cameras();  // lists the streams of the network's cameras
  QString result_text() const { return result_->text(); }
  const QImage& preview() const { return picture_; }

 signals:
  void added(const vantage::ui::AddedCamera& camera);

 private:
  QWidget* make_address_page();
  QWidget* make_local_page();
  QWidget* make_test_row();
  void list_local_cameras();
  void list_formats();
  void list_found(const Result<std::vector<FoundCamera>>& cameras);
  void take_credentials_out();
  std::string address() const;
  std::optional<Credentials> credentials() const;
  void show_result(const QImage& picture, const QString& text, bool failed);
  void update_buttons();
  void add();

  Services services_;
  std::vector<std::string> names_;
  std::vector<LocalCamera> local_;
  BackgroundJob job_, search_;
  QImage picture_;
  QTabWidget* tabs_;
  QLineEdit *address_, *user_, *password_, *name_;
  QComboBox *found_, *device_, *format_, *place_;
  QLabel *device_text_, *preview_, *result_, *kept_;
  QPushButton *test_, *find_;
  QDialogButtonBox* buttons_;
};

}  // namespace vantage::ui

Q_DECLARE_METATYPE(vantage::ui::AddedCamera)
