#include "ui/panels/new_project_row.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "core/project/match_cameras.h"
#include "ui/widgets/form.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

constexpr int kThumbnailHigh = 64;
constexpr int kChooseIndex = 0, kNoneIndex = 1, kFirstCamera = 2;  // indices of the combo box
enum FitIndex { kAsk, kScaled, kCropped, kTurnedRight, kTurnedLeft };

QLabel* dim_label() {
  auto* label = new QLabel;
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

// A column of the row, in the middle of its height; 0: as wide as there is space.
QVBoxLayout* column_of(QHBoxLayout* row, int width) {
  auto* box = new QWidget;
  if (width > 0) box->setFixedWidth(width);
  auto* rows = new QVBoxLayout(box);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(kTight);
  row->addWidget(box, width > 0 ? 0 : 1, Qt::AlignVCenter);
  return rows;
}

QSpinBox* pixel_box(const QString& name) {
  auto* box =
      described(number_field(0, 65535, 0), NewProjectRow::tr("Crop %1").arg(name),
                NewProjectRow::tr("The pixel of the calibrated picture that is the video's top-left one"));
  box->setPrefix(name + ' ');
  return box;
}

}  // namespace

NewProjectRow::NewProjectRow(const QString& video, std::optional<FileGroup> files, QWidget* parent)
    : QFrame(parent), files_(std::move(files)), video_(video) {
  setFrameShape(QFrame::NoFrame);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kApart, kApart, kApart, kApart);
  row->setSpacing(NewProjectColumns::gap);
  thumbnail_ = new QLabel;
  thumbnail_->setFixedSize(NewProjectColumns::thumbnail, kThumbnailHigh);
  thumbnail_->setAlignment(Qt::AlignCenter);
  thumbnail_->setAccessibleName(tr("First picture"));
  thumbnail_->setText(video.isEmpty() ? tr("no video") : QStringLiteral("…"));
  row->addWidget(thumbnail_);
  build_video(row);
  build_picture(row);
  build_camera(row);
  build_files(row);
  build_buttons(row);
  set_icons();
  set_cameras({});
  show_picture();
}

void NewProjectRow::build_video(QHBoxLayout* row) {
  QVBoxLayout* rows = column_of(row, 0);
  name_ = new QLabel;
  QFont bold = name_->font();
  bold.setBold(true);
  name_->setFont(bold);
  folder_ = dim_label();
  joints_ = dim_label();
  joints_->setWordWrap(true);
  joints_->setAccessibleName(tr("Files in order"));
  separate_ = described(new QToolButton, tr("Separate Files"),
                        tr("These are not one camera's: each file becomes a camera of its own"));
  separate_->setText(tr("Separate Files"));
  connect(separate_, &QToolButton::clicked, this, &NewProjectRow::separated);
  for (QLabel* label : {name_, folder_, joints_}) {
    label->setMinimumWidth(60);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    rows->addWidget(label);
  }
  rows->addWidget(separate_);
  joints_->setVisible(files_.has_value()), separate_->setVisible(files_.has_value());
  show_name();
}

void NewProjectRow::build_picture(QHBoxLayout* row) {
  QVBoxLayout* rows = column_of(row, NewProjectColumns::picture);
  rows->addWidget(picture_ = dim_label());
  picture_->setAccessibleName(tr("Size and length"));
  rate_ = described(number_field(0, 1000, 0, 3, tr(" /s")), tr("Frames per second"),
                    tr("Frames per second. Change it if the file states a wrong one."));
  rows->addWidget(rate_);
  connect(rate_, &QDoubleSpinBox::valueChanged, this, &NewProjectRow::changed);
}

void NewProjectRow::build_camera(QHBoxLayout* row) {
  QVBoxLayout* rows = column_of(row, NewProjectColumns::camera);
  camera_ = new QComboBox;
  camera_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  camera_->setAccessibleName(tr("Calibrated camera"));
  connect(camera_, &QComboBox::activated, this, [this](int index) {
    by_person_ = index != kChooseIndex;
    choose_camera(index);
  });
  fit_box_ = new QWidget;
  auto* fits = new QVBoxLayout(fit_box_);
  fits->setContentsMargins(0, 0, 0, 0);
  fits->setSpacing(kTight);
  fit_question_ = new QLabel;
  fit_question_->setWordWrap(true);
  fit_ = described(
      new QComboBox, tr("How the picture came from the calibrated one"),
      tr("Turned right: clockwise, the top of the calibrated picture is the right side of this one"));
  fit_->addItems(
      {tr("what happened to it?"), tr("scaled"), tr("cropped"), tr("turned right"), tr("turned left")});
  crop_ = side_by_side({crop_x_ = pixel_box("x"), crop_y_ = pixel_box("y")});
  fits->addWidget(fit_question_);
  fits->addWidget(fit_);
  fits->addWidget(crop_);
  connect(fit_, &QComboBox::activated, this, [this](int index) {
    crop_->setVisible(index == kCropped);
    emit changed();
  });
  connect(crop_x_, &QSpinBox::valueChanged, this, &NewProjectRow::changed);
  connect(crop_y_, &QSpinBox::valueChanged, this, &NewProjectRow::changed);
  rows->addWidget(camera_);
  rows->addWidget(fit_box_);
}

// The empty-scene clip, and the detections below it.
void NewProjectRow::build_files(QHBoxLayout* row) {
  QVBoxLayout* rows = column_of(row, NewProjectColumns::clip);
  const auto add = [&](const QString& name, const QString& none) {
    const FileField field{described(new QToolButton, name, {}), described(new QToolButton, none, none)};
    field.button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    field.button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    field.clear->setAutoRaise(true);
    auto* line = new QHBoxLayout;
    line->setSpacing(kTight);
    line->addWidget(field.button, 1);
    line->addWidget(field.clear);
    rows->addLayout(line);
    return field;
  };
  clip_field_ = add(tr("Empty-scene clip"), tr("Use no empty-scene clip"));
  detections_field_ = add(tr("Detections"), tr("Use no detection file"));
  connect(clip_field_.button, &QToolButton::clicked, this, &NewProjectRow::clip_wanted);
  connect(clip_field_.clear, &QToolButton::clicked, this, [this] { set_clip({}); });
  connect(detections_field_.button, &QToolButton::clicked, this, &NewProjectRow::detections_wanted);
  connect(detections_field_.clear, &QToolButton::clicked, this, [this] { set_detections({}); });
  if (video_.isEmpty()) clip_field_.button->hide();  // there is no scene to learn
  set_clip({});
  set_detections({});
}

// The file's name on its button, or what chooses one.
void NewProjectRow::show_file(const FileField& field, const QString& none, const QString& name) {
  field.button->setText(
      name.isEmpty() ? none : fontMetrics().elidedText(name, Qt::ElideMiddle, NewProjectColumns::clip - 44));
}

void NewProjectRow::build_buttons(QHBoxLayout* row) {
  up_ = described(new QToolButton, tr("Move up"),
                  tr("Move up. The first camera is the base: frame numbers are its own."));
  up_->setText(QStringLiteral("↑"));
  remove_ = described(new QToolButton, tr("Remove"), tr("Leave this video out"));
  auto* box = new QWidget;
  box->setFixedWidth(NewProjectColumns::buttons);
  auto* line = new QHBoxLayout(box);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(kTight);
  for (QToolButton* button : {up_, remove_}) {
    button->setAutoRaise(true);
    line->addWidget(button);
  }
  row->addWidget(box);
  connect(up_, &QToolButton::clicked, this, &NewProjectRow::moved_up);
  connect(remove_, &QToolButton::clicked, this, &NewProjectRow::removed);
}

void NewProjectRow::set_icons() {
  for (QToolButton* button : {remove_, clip_field_.clear, detections_field_.clear})
    button->setIcon(themed_icon("close", palette()));
}

void NewProjectRow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) set_icons();
  QFrame::changeEvent(event);
}

// ---- the video

void NewProjectRow::set_probed(const ProbedVideo& probed) {
  const bool first = !opened();
  probed_ = probed;
  const qreal ratio = devicePixelRatioF();
  if (!probed.thumbnail.isNull()) {
    QPixmap picture = QPixmap::fromImage(
        probed.thumbnail.scaled(thumbnail_->size() * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    picture.setDevicePixelRatio(ratio);
    thumbnail_->setPixmap(picture);
  } else if (!probed.error.isEmpty()) {
    thumbnail_->setPixmap(colored_pixmap("failed", QColor(kFailed), 24, ratio));
  }
  if (first) {
    const QSignalBlocker quiet(rate_);
    rate_->setValue(probed.info.frame_rate);
  }
  show_name();
  show_picture();
  show_fit();
  emit changed();
}

void NewProjectRow::show_picture() {
  const VideoInfo& info = probed_.info;
  rate_->setEnabled((opened() && !files_) || video_.isEmpty());  // by it files were put in their places
  if (video_.isEmpty()) {
    const QSize size = picture_px();
    return picture_->setText(size.isEmpty() ? tr("size unknown")
                                            : QStringLiteral("%1×%2").arg(size.width()).arg(size.height()));
  }
  if (!opened()) return picture_->setText(probed_.error.isEmpty() ? tr("opening…") : tr("cannot be read"));
  QString text = QStringLiteral("%1×%2").arg(info.width_px).arg(info.height_px);
  if (info.frame_count > 0 && rate() > 0)
    text += QStringLiteral("  ") + (info.frame_count_exact ? QString() : tr("about ")) +
            short_time_text(static_cast<double>(info.frame_count) / rate());
  picture_->setText(text);
  if (info.frame_count > 0)
    picture_->setToolTip(tr("%1 frames, %2").arg(info.frame_count).arg(QString::fromStdString(info.codec)));
}

void NewProjectRow::set_base(bool base) {
  base_ = base;
  up_->setEnabled(!base);
  show_name();
}

void NewProjectRow::show_name() {
  const QFileInfo info(file());
  const QString folder = info.dir().dirName(),
                name = files_ ? QString::fromStdString(files_->camera) : info.fileName();
  name_->setText(name);
  folder_->setText(base_ ? tr("base camera, in %1").arg(folder) : folder);
  setAccessibleName(name);
  if (!files_) return setToolTip(file());
  QStringList lines;
  for (const std::string& one : files_->files) lines << QString::fromStdString(one);
  QString joints = tr("%1 files, being put in order…").arg(files_->files.size());
  if (probed_.joined) {
    lines.clear();
    for (const std::string& line : file_list_lines(probed_.joined->list))
      lines << QString::fromStdString(line);
    for (const std::string& note : probed_.joined->notes) lines << QString::fromStdString(note);
    joints = QString::fromStdString(file_list_text(probed_.joined->list));
  } else if (!probed_.error.isEmpty()) {
    joints = tr("%n files", nullptr, static_cast<int>(files_->files.size()));
  }
  joints_->setText(joints);
  setToolTip(lines.join('\n'));
}

void NewProjectRow::set_rate_doubtful(bool doubtful) {
  QPalette colors = palette();
  if (doubtful) colors.setColor(QPalette::Text, QColor(kDoubtful));
  rate_->setPalette(doubtful ? colors : QPalette());
}

double NewProjectRow::rate() const {
  return rate_->value();
}

// ---- the calibrated camera

void NewProjectRow::set_cameras(const std::vector<CalibratedCamera>& cameras) {
  const QString before = by_person_ ? wanted_ : camera_name();
  const bool none_chosen = decided_ && by_person_ && !chosen_;
  cameras_ = cameras;
  chosen_.reset();
  decided_ = none_chosen;
  const QSignalBlocker quiet(camera_);
  camera_->clear();
  camera_->addItems({cameras.empty() ? tr("no calibration") : tr("choose…"), tr("none")});
  for (size_t i = 0; i < cameras.size(); ++i) {
    camera_->addItem(QString::fromStdString(cameras[i].camera.name()));
    camera_->setItemData(camera_->count() - 1, QString::fromStdString(cameras[i].source()), Qt::ToolTipRole);
    if (!before.isEmpty() && QString::fromStdString(cameras[i].camera.name()) == before) chosen_ = i;
  }
  camera_->setEnabled(!cameras.empty());
  if (chosen_) decided_ = true;
  camera_->setCurrentIndex(chosen_       ? static_cast<int>(*chosen_) + kFirstCamera
                           : none_chosen ? kNoneIndex
                                         : kChooseIndex);
  show_fit();
}

void NewProjectRow::match(std::optional<size_t> camera) {
  if (by_person_ || !camera || *camera >= cameras_.size()) return;
  if (chosen_ == camera) return;  // unchanged: remarks on its picture stay
  camera_->setCurrentIndex(static_cast<int>(*camera) + kFirstCamera);
  choose_camera(camera_->currentIndex());
}

void NewProjectRow::choose_camera(int index) {
  decided_ = index != kChooseIndex;
  chosen_.reset();
  if (index >= kFirstCamera) chosen_ = static_cast<size_t>(index - kFirstCamera);
  fit_->setCurrentIndex(kAsk);
  show_fit();
  show_picture();
  wanted_ = camera_name();
  emit changed();
}

bool NewProjectRow::undecided() const {
  return !cameras_.empty() && !decided_;
}

const CalibratedCamera* NewProjectRow::chosen() const {
  return chosen_ && *chosen_ < cameras_.size() ? &cameras_[*chosen_] : nullptr;
}

QString NewProjectRow::camera_name() const {
  return chosen() ? QString::fromStdString(chosen()->camera.name()) : QString();
}

// Asks about a calibration for another picture size, with the most likely cause.
void NewProjectRow::show_fit() {
  const CalibratedCamera* calibrated = chosen();
  camera_->setToolTip(calibrated ? QString::fromStdString(calibrated->source())
                                 : tr("The camera of the calibration that took this video"));
  const bool differs = calibrated && opened() &&
                       (calibrated->camera.width_px() != probed_.info.width_px ||
                        calibrated->camera.height_px() != probed_.info.height_px);
  fit_box_->setVisible(differs);
  if (!differs) return;
  const FitGuess guess =
      guess_fit(calibrated->camera, probed_.info.width_px, probed_.info.height_px, probed_.info.pixel_aspect);
  QString likely = tr("The aspect ratio differs: most likely another camera.");
  if (guess.likely == LikelyFit::scaled)
    likely = tr("Most likely scaled by %1.").arg(guess.factor, 0, 'g', 4);
  if (guess.squeezed) likely = tr("Its pixels are not square: most likely scaled.");
  if (guess.likely == LikelyFit::cropped) likely = tr("Most likely a part of it.");
  if (guess.likely == LikelyFit::turned) likely = tr("Most likely rotated by 90°.");
  fit_question_->setText(tr("▲ calibrated at %1×%2. %3")
                             .arg(calibrated->camera.width_px())
                             .arg(calibrated->camera.height_px())
                             .arg(likely));
  if (fit_->currentIndex() != kCropped) {
    const QSignalBlocker quiet_x(crop_x_), quiet_y(crop_y_);
    crop_x_->setValue(guess.fit.x_px);
    crop_y_->setValue(guess.fit.y_px);
  }
  crop_->setVisible(fit_->currentIndex() == kCropped);
}

PictureFit NewProjectRow::fit() const {
  if (fit_->currentIndex() == kScaled) return {PictureFit::Kind::scaled};
  if (fit_->currentIndex() == kTurnedRight) return {PictureFit::Kind::turned_right};
  if (fit_->currentIndex() == kTurnedLeft) return {PictureFit::Kind::turned_left};
  if (fit_->currentIndex() == kCropped)
    return {PictureFit::Kind::cropped, crop_x_->value(), crop_y_->value()};
  return {};
}

// ---- the empty-scene clip

void NewProjectRow::set_clip(const QString& clip) {
  clip_ = clip;
  clip_problem_.clear();
  show_file(clip_field_, tr("Clip…"), QFileInfo(clip).fileName());
  clip_field_.button->setToolTip(
      clip.isEmpty() ? tr("Choose a clip of the empty scene, to learn the background from") : clip);
  clip_field_.clear->setVisible(!clip.isEmpty());
  emit changed();
}

void NewProjectRow::set_clip_probed(const ProbedVideo& probed) {
  clip_problem_ = probed.error;
  if (probed.error.isEmpty() && opened())
    if (const Status same =
            check_background(clip_.toStdString(), probed.info, name_->text().toStdString(), probed_.info);
        !same)
      clip_problem_ = QString::fromStdString(same.error().message());
  emit changed();
}

// ---- the detections

void NewProjectRow::set_detections(const QString& file) {
  detections_ = file;
  read_.reset();
  show_detections();
  emit changed();
}

void NewProjectRow::set_detections_read(const ReadDetections& read) {
  const bool first = !read_;
  read_ = read;
  if (video_.isEmpty() && first && read.frame_rate > 0 && rate() <= 0) {
    const QSignalBlocker quiet(rate_);
    rate_->setValue(read.frame_rate);
  }
  show_picture();
  show_detections();
  emit changed();
}

bool NewProjectRow::set_reading(const QString& person_class, const QString& frames_by) {
  if (person_class == person_class_ && frames_by == frames_by_) return false;
  person_class_ = person_class, frames_by_ = frames_by;
  return true;
}

// A triangle if parts of the file were skipped or assumptions made; the tooltip explains.
void NewProjectRow::show_detections() {
  if (video_.isEmpty()) show_name();
  const bool none = detections_.isEmpty();
  const bool doubtful = read_ && (!read_->remarks.isEmpty() || !read_->error.isEmpty());
  const QString name = QFileInfo(detections_).fileName();
  show_file(detections_field_, tr("Detections…"), doubtful ? tr("▲ %1").arg(name) : name);
  QStringList tip = {none ? tr("Choose a file of boxes or keypoints of people in this camera's picture, from "
                               "another program or vantage-cli detections")
                          : detections_};
  if (read_)
    for (const QString& words : {read_->words, read_->frames_said, read_->remarks, read_->error})
      if (!words.isEmpty()) tip << words;
  detections_field_.button->setToolTip(tip.join('\n'));
  detections_field_.clear->setVisible(!none && !video_.isEmpty());
}

QSize NewProjectRow::picture_px() const {
  if (opened()) return {probed_.info.width_px, probed_.info.height_px};
  if (chosen()) return {chosen()->camera.width_px(), chosen()->camera.height_px()};
  return read_ ? QSize(read_->width_px, read_->height_px) : QSize(0, 0);
}

// ---- result

QString NewProjectRow::problem() const {
  if (!probed_.error.isEmpty()) return probed_.error;
  if (!video_.isEmpty() && !opened()) return tr("%1 is being opened.").arg(name_->text());
  if (!detections_.isEmpty() && !read_) return tr("%1 is being read.").arg(QFileInfo(detections_).fileName());
  if (read_ && !read_->error.isEmpty()) return read_->error;
  if (rate() <= 0) return tr("%1 states no frame rate: enter its frames per second.").arg(name_->text());
  if (undecided()) return tr("%1: choose its calibrated camera, or none.").arg(name_->text());
  if (video_.isEmpty() && picture_px().isEmpty())
    return tr("%1: its picture size is unknown; add its calibration.").arg(name_->text());
  if (const CalibratedCamera* calibrated = chosen(); calibrated && opened()) {
    const auto fitted =
        fit_to_picture(calibrated->camera, probed_.info.width_px, probed_.info.height_px, fit());
    if (!fitted) return QString::fromStdString(fitted.error().message());
  }
  return clip_problem_;
}

NewCamera NewProjectRow::camera() const {
  NewCamera camera;
  camera.video = video_.toStdString();
  if (probed_.joined) camera.files = probed_.joined->list;
  camera.background = clip_.toStdString();
  camera.info = probed_.info;
  // Shown with three decimals: only a larger difference is a change.
  if (video_.isEmpty())
    camera.detections.frame_rate = rate();
  else if (std::abs(rate() - probed_.info.frame_rate) > 6e-4)
    camera.frame_rate = rate();
  camera.detections.file = detections_.toStdString();
  camera.detections.person_class = person_class_.toStdString();
  camera.detections.frames_by = frames_by_.toStdString();
  if (const CalibratedCamera* calibrated = chosen()) camera.calibration = *calibrated;
  camera.fit = fit();
  return camera;
}

}  // namespace vantage::ui
