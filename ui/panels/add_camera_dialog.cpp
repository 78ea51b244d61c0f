#include "ui/panels/add_camera_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "core/video/live/live_address.h"
#include "ui/platform/video_probe.h"
#include "ui/widgets/form.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr QSize kPreview(320, 180);

struct Probed {
  QImage picture;
  QString text;
  bool failed = false;
};

// Opens the camera, waits for its first picture and describes it. Its own time limits apply (live_address.h).
Probed probe(std::string address, const CredentialStore* store, const StopSource& stop) {
  if (store) {
    Result<std::string> known = with_stored_credentials(address, *store);
    if (!known) return {{}, QString::fromStdString(known.error().message()), true};
    address = std::move(*known);
  }
  VideoOpenOptions options;
  options.stop = stop;
  const auto source = open_video(address, options);
  if (!source) return {{}, QString::fromStdString(source.error().message()), true};
  const Result<DecodedFrame> frame = (*source)->read();
  if (!frame) return {{}, QString::fromStdString(frame.error().message()), true};
  const VideoInfo info = (*source)->info();
  QStringList words = {QObject::tr("%1×%2 px").arg(info.width_px).arg(info.height_px),
                       QString::fromStdString(info.codec)};
  if (info.frame_rate > 0) words << QObject::tr("%1 pictures/s").arg(info.frame_rate, 0, 'g', 4);
  return {to_image(frame->picture), QObject::tr("It works: %1.").arg(words.join(", ")), false};
}

// "cam5": the first that is free.
QString free_name(const std::vector<std::string>& names) {
  for (size_t i = names.size() + 1;; ++i) {
    const std::string name = "cam" + std::to_string(i);
    if (std::find(names.begin(), names.end(), name) == names.end()) return QString::fromStdString(name);
  }
}

}  // namespace

void add_camera(const AddedCamera& added, Project& project) {
  ProjectCamera camera;
  if (added.place) camera.calibration = project.cameras.at(*added.place).calibration;
  if (added.place) camera.background = project.cameras.at(*added.place).background;
  camera.name = added.name;
  camera.video = added.address;
  camera.offset_confirmed = true;
  if (added.place)
    project.cameras.at(*added.place) = std::move(camera);
  else
    project.cameras.push_back(std::move(camera));
}

AddCameraDialog::AddCameraDialog(Services services, const Project& project, QWidget* parent)
    : QDialog(parent), services_(std::move(services)) {
  setWindowTitle(tr("Add Camera"));
  for (const ProjectCamera& camera : project.cameras) names_.push_back(camera.name);
  tabs_ = new QTabWidget;
  tabs_->addTab(make_address_page(), tr("&Address"));
  tabs_->addTab(make_local_page(), tr("At This &Machine"));
  tabs_->setAccessibleName(tr("Kind of camera"));
  auto* form = new Form;
  name_ = form->add_line(tr("&Name"), tr("What the camera is called in the project"), free_name(names_));
  place_ = form->add_choice(tr("&Use as"), tr("The calibration of the camera it replaces is kept"),
                            {tr("a new camera")});
  for (const std::string& name : names_)
    place_->addItem(tr("in place of %1").arg(QString::fromStdString(name)));
  buttons_ = new QDialogButtonBox(QDialogButtonBox::Cancel);
  QPushButton* add = buttons_->addButton(tr("Add"), QDialogButtonBox::AcceptRole);
  add->setToolTip(tr("Add it to the project"));
  auto* page = new QVBoxLayout(this);
  page->addWidget(tabs_);
  page->addWidget(make_test_row());
  page->addLayout(form);
  page->addWidget(buttons_);
  connect(place_, &QComboBox::currentIndexChanged, this, [this](int index) {
    name_->setText(index > 0 ? QString::fromStdString(names_[index - 1]) : free_name(names_));
  });
  for (QLineEdit* field : {address_, name_})
    connect(field, &QLineEdit::textChanged, this, &AddCameraDialog::update_buttons);
  connect(tabs_, &QTabWidget::currentChanged, this, [this](int tab) {
    if (tab == 1 && local_.empty()) list_local_cameras();
    update_buttons();
  });
  connect(&job_, &BackgroundJob::stopped, this,
          [this] { show_result({}, tr("The test was stopped."), false); });
  connect(buttons_, &QDialogButtonBox::accepted, this, &AddCameraDialog::add);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  tabs_->setTabVisible(1, static_cast<bool>(services_.local_cameras));
  update_buttons();
  resize(520, sizeHint().height());
}

QWidget* AddCameraDialog::make_address_page() {
  auto* page = new QWidget;
  auto* form = new Form(page);
  form->setContentsMargins(kApart, kApart, kApart, kApart);
  found_ = described(new QComboBox, tr("Cameras found"), tr("Streams of the network's cameras, by ONVIF"));
  found_->setPlaceholderText(tr("not searched for"));
  find_ = described(new QPushButton(tr("F&ind Cameras")), tr("Find Cameras"),
                    tr("Ask the network's cameras for their streams by ONVIF (takes about 3 s)"));
  found_->setObjectName("found_cameras"), find_->setObjectName("find_cameras");
  auto* row = new QHBoxLayout;
  row->addWidget(found_, 1);
  row->addWidget(find_);
  form->addRow(tr("Network"), row);
  connect(find_, &QPushButton::clicked, this, &AddCameraDialog::find_cameras);
  connect(found_, &QComboBox::activated, this,
          [this](int index) { address_->setText(found_->itemData(index).toString()); });
  address_ = form->add_line(
      tr("A&ddress"), tr("As the camera's manual states: rtsp://HOST/PATH, http://HOST/PATH, udp://:PORT"));
  address_->setPlaceholderText("rtsp://192.168.1.64/stream1");
  user_ = form->add_line(tr("U&ser"), tr("Needed only if the camera asks for it"));
  user_->setAccessibleName(tr("User name"));
  password_ = form->add_line(tr("&Password"), tr("Needed only if the camera asks for it"));
  password_->setEchoMode(QLineEdit::Password);
  kept_ = quiet_label();
  if (services_.credentials)
    kept_->setText(tr("User name and password are kept in %1, not in the project.")
                       .arg(QString::fromStdString(services_.credentials->place())));
  form->addRow(kept_);
  connect(address_, &QLineEdit::textChanged, this, &AddCameraDialog::take_credentials_out);
  return page;
}

void AddCameraDialog::find_cameras() {
  found_->clear();
  found_->setPlaceholderText(tr("Searching …"));
  find_->setEnabled(false);
  DiscoverOptions options = services_.discover;
  options.credentials = credentials();
  search_.start([this, options, store = services_.credentials](const StopSource& stop) mutable {
    options.store = store.get(), options.stop = stop;
    const auto found = discover_cameras(options);
    return [this, found] { list_found(found); };
  });
}

// A camera that keeps its streams to itself has a row that says why.
void AddCameraDialog::list_found(const Result<std::vector<FoundCamera>>& cameras) {
  find_->setEnabled(true);
  found_->setPlaceholderText(tr("no camera answered"));
  if (!cameras) return show_result({}, QString::fromStdString(cameras.error().message()), true);
  for (const FoundCamera& camera : *cameras) {
    const QString name = QString::fromStdString(camera.name.empty() ? host_of(camera.service) : camera.name);
    for (const FoundStream& stream : camera.streams)
      found_->addItem(tr("%1, %2: %3×%4 px, %5")
                          .arg(name, QString::fromStdString(stream.name))
                          .arg(stream.width_px)
                          .arg(stream.height_px)
                          .arg(QString::fromStdString(stream.codec)),
                      QString::fromStdString(stream.address));
    if (!camera.problem.empty())
      found_->addItem(name + QStringLiteral(": ") +
                      QString::fromStdString(redact_credentials(camera.problem)));
  }
  found_->setCurrentIndex(-1);
  if (!cameras->empty())
    found_->setPlaceholderText(tr("%n cameras found", nullptr, static_cast<int>(cameras->size())));
}

QWidget* AddCameraDialog::make_local_page() {
  auto* page = new QWidget;
  auto* form = new Form(page);
  form->setContentsMargins(kApart, kApart, kApart, kApart);
  device_ = described(new QComboBox, tr("Camera"), tr("Cameras connected to this machine"));
  device_text_ = new QLabel;
  device_text_->setWordWrap(true);
  auto* refresh = described(new QPushButton(tr("&Refresh")), tr("Refresh"), tr("Search for cameras again"));
  auto* row = new QHBoxLayout;
  row->addWidget(device_, 1);
  row->addWidget(refresh);
  form->addRow(tr("Camera"), row);
  format_ = form->add_choice(tr("&Format"), tr("Size, frame rate and pixel format that the camera offers"));
  form->addRow(device_text_);
  connect(refresh, &QPushButton::clicked, this, &AddCameraDialog::list_local_cameras);
  connect(device_, &QComboBox::currentIndexChanged, this, &AddCameraDialog::list_formats);
  return page;
}

QWidget* AddCameraDialog::make_test_row() {
  auto* row = new QWidget;
  auto* parts = new QHBoxLayout(row);
  parts->setContentsMargins(0, 0, 0, 0);
  preview_ = new QLabel;
  preview_->setFixedSize(kPreview);
  preview_->setAlignment(Qt::AlignCenter);
  preview_->setAccessibleName(tr("Picture of the camera"));
  preview_->setStyleSheet(QStringLiteral("background: %1; color: %2")
                              .arg(QColor(kViewBackground).name(), QColor(kQuietText).name()));
  preview_->setText(tr("No picture yet"));
  auto* side = new QVBoxLayout;
  test_ = described(new QPushButton(tr("&Test")), tr("Test"),
                    tr("Connect and show a picture (takes up to 10 s)"));
  result_ = text_label();
  result_->setAccessibleName(tr("Result of the test"));
  side->addWidget(test_, 0, Qt::AlignLeft);
  side->addWidget(result_, 1, Qt::AlignTop);
  parts->addWidget(preview_);
  parts->addLayout(side, 1);
  connect(test_, &QPushButton::clicked, this, [this] { job_.running() ? job_.stop() : test(); });
  return row;
}

void AddCameraDialog::list_local_cameras() {
  local_ = services_.local_cameras ? services_.local_cameras() : std::vector<LocalCamera>();
  device_->clear();
  for (const LocalCamera& camera : local_) device_->addItem(camera.name);
  device_text_->setText(local_.empty()
                            ? tr("No camera is connected to this machine. Plug one in and press Refresh.")
                            : QString());
  list_formats();
}

void AddCameraDialog::list_formats() {
  format_->clear();
  format_->addItem(tr("the camera's default"));
  const int index = device_->currentIndex();
  if (index >= 0)
    for (const LocalCameraFormat& format : local_[index].formats)
      format_->addItem(tr("%1×%2, %3 pictures/s, %4")
                           .arg(format.width_px)
                           .arg(format.height_px)
                           .arg(format.rate, 0, 'g', 4)
                           .arg(format.pixels));
  update_buttons();
}

void AddCameraDialog::set_address(const QString& address) {
  tabs_->setCurrentIndex(0);
  address_->setText(address);
}

// Removes pasted credentials ("rtsp://USER:PASSWORD@HOST/…"): the field never shows them.
void AddCameraDialog::take_credentials_out() {
  const SplitAddress split = split_credentials(address_->text().trimmed().toStdString());
  if (!split.credentials || split.credentials->password.empty()) return;
  user_->setText(QString::fromStdString(split.credentials->user));
  password_->setText(QString::fromStdString(split.credentials->password));
  address_->setText(QString::fromStdString(split.address));
}

std::string AddCameraDialog::address() const {
  if (tabs_->currentIndex() == 0) return split_credentials(address_->text().trimmed().toStdString()).address;
  const int index = device_->currentIndex(), format = format_->currentIndex();
  if (index < 0) return {};
  const LocalCamera& camera = local_[index];
  return local_camera_address(camera, format > 0 ? &camera.formats[format - 1] : nullptr).toStdString();
}

std::optional<Credentials> AddCameraDialog::credentials() const {
  if (tabs_->currentIndex() != 0 || user_->text().isEmpty()) return std::nullopt;
  return Credentials{user_->text().toStdString(), password_->text().toStdString()};
}

void AddCameraDialog::test() {
  picture_ = {};
  preview_->setPixmap({});
  preview_->setText(tr("Connecting …"));
  result_->clear();
  test_->setText(tr("Stop &Test"));
  std::string where = address();
  if (const auto given = credentials()) where = join_credentials(where, *given);
  job_.start([this, where, store = services_.credentials](const StopSource& stop) {
    const Probed probed = probe(where, store.get(), stop);
    return [this, probed] { show_result(probed.picture, probed.text, probed.failed); };
  });
}

void AddCameraDialog::show_result(const QImage& picture, const QString& text, bool failed) {
  picture_ = picture;
  test_->setText(tr("&Test"));
  result_->setText(text);
  result_->setForegroundRole(failed ? QPalette::Text : QPalette::PlaceholderText);
  if (picture.isNull())
    preview_->setText(failed ? tr("No picture") : tr("No picture yet"));
  else
    preview_->setPixmap(
        QPixmap::fromImage(picture.scaled(kPreview, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
}

void AddCameraDialog::update_buttons() {
  const std::string where = address();
  const Result<LiveAddress> parsed = parse_live_address(where);
  const int place = place_->currentIndex();
  const std::string name = name_->text().trimmed().toStdString();
  const auto same = std::find(names_.begin(), names_.end(), name);
  const bool taken = same != names_.end() && same - names_.begin() != place - 1;
  test_->setEnabled(parsed.has_value());
  test_->setToolTip(parsed ? tr("Connect and show a picture (takes up to 10 s)")
                           : tr("Give an address first."));
  for (QAbstractButton* button : buttons_->buttons())
    if (buttons_->buttonRole(button) == QDialogButtonBox::AcceptRole) {
      button->setEnabled(parsed && !name.empty() && !taken);
      button->setToolTip(!parsed        ? tr("Give an address first.")
                         : name.empty() ? tr("Give the camera a name.")
                         : taken        ? tr("Another camera has this name.")
                                        : tr("Add it to the project"));
    }
  if (!where.empty() && !parsed && tabs_->currentIndex() == 0)
    result_->setText(QString::fromStdString(parsed.error().message()));
}

// Credentials first: the session connects at once. The key ring may ask the user, so off this thread.
void AddCameraDialog::add() {
  AddedCamera camera{name_->text().trimmed().toStdString(), address(), std::nullopt};
  if (place_->currentIndex() > 0) camera.place = static_cast<size_t>(place_->currentIndex() - 1);
  const auto given = credentials();
  if (!given || !services_.credentials) {
    emit added(camera);
    return accept();
  }
  buttons_->setEnabled(false);
  job_.start([this, camera, given, store = services_.credentials](const StopSource&) {
    const Status kept = store->keep(camera.address, *given);
    return [this, kept, camera] {
      buttons_->setEnabled(true);
      if (!kept) return show_result({}, QString::fromStdString(kept.error().message()), true);
      emit added(camera);
      accept();
    };
  });
}

}  // namespace vantage::ui
