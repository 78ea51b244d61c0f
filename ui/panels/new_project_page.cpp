#include "ui/panels/new_project_page.h"

#include <QCheckBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/detections/detection_file.h"
#include "core/project/match_cameras.h"
#include "core/project/new_project.h"
#include "ui/panels/new_project_plan.h"
#include "ui/panels/new_project_row.h"
#include "ui/widgets/form.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kMaxWidth = 1240;
constexpr double kSameRate = 0.001;  // relative; 29.97 and 30 differ

const QStringList kCalibrationSuffixes = {"toml", "xml", "json", "yml",   "yaml",        "txt",
                                          "qca",  "xcp", "mcal", "calib", "cameramodel", "pickle"};

QString patterns(const QStringList& suffixes) {
  QStringList all;
  for (const QString& suffix : suffixes) all << "*." + suffix << "*." + suffix.toUpper();
  return all.join(' ');
}

bool has_suffix(const QString& path, const QStringList& suffixes) {
  return suffixes.contains(QFileInfo(path).suffix().toLower());
}

// The videos of a folder and its subfolders; a folder without any is a sequence of pictures.
QStringList videos_of(const QString& folder) {
  QStringList found;
  for (const std::string& video : videos_in(folder.toStdString())) found << QString::fromStdString(video);
  return found.isEmpty() ? QStringList(folder) : found;
}

QString video_filter() {
  QStringList suffixes;
  for (const std::string& suffix : video_suffixes()) suffixes << QString::fromStdString(suffix);
  return NewProjectPage::tr("Videos (%1);;All files (*)").arg(patterns(suffixes));
}

// Fields in a row, each behind its name.
QWidget* field_row(const std::vector<std::pair<QString, QWidget*>>& fields) {
  auto* widget = new QWidget;
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  for (const auto& [name, field] : fields) {
    if (!name.isEmpty()) row->addWidget(new QLabel(name));
    row->addWidget(field);
    row->addSpacing(16);
  }
  row->addStretch(1);
  return widget;
}

QLabel* head_label(const QString& text, int width, QHBoxLayout* row) {
  auto* label = new QLabel(text);
  label->setForegroundRole(QPalette::PlaceholderText);
  if (width > 0) label->setFixedWidth(width);
  row->addWidget(label, width > 0 ? 0 : 1);
  return label;
}

}  // namespace

QString page_words(const std::string& remedy) {
  QString text = QString::fromStdString(remedy);
  text.replace("--unit-scale", NewProjectPage::tr("\u201cone unit is\u201d"));
  text.replace("--up-axis", NewProjectPage::tr("\u201cup is\u201d"));
  return text;
}

SortedFiles sort_files(const QStringList& paths) {
  SortedFiles sorted;
  for (const QString& path : paths) {
    if (QFileInfo(path).isDir()) {
      sorted.videos << videos_of(path);
      for (const std::string& file : calibration_in(path.toStdString()).files)
        sorted.calibrations << QString::fromStdString(file);
      continue;
    }
    (has_suffix(path, kCalibrationSuffixes) ? sorted.calibrations : sorted.videos) << path;
  }
  return sorted;
}

NewProjectPage::NewProjectPage(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("New Project"));
  setFocusPolicy(Qt::StrongFocus);
  pool_.setMaxThreadCount(1);
  auto* sides = new QHBoxLayout(this);  // in a wide window both sides stay empty
  sides->setContentsMargins(0, 0, 0, 0);
  auto* middle = new QWidget;
  middle->setMaximumWidth(kMaxWidth);
  sides->addStretch(1);
  sides->addWidget(middle, 1000);
  sides->addStretch(1);
  auto* page = new QVBoxLayout(middle);
  page->setContentsMargins(kPage, kWide, kPage, kWide);
  page->setSpacing(kApart);
  auto* list = new ScrollList(1);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);  // a row has many columns
  list->setFocusPolicy(Qt::NoFocus);
  list_ = list->rows();
  list_->setContentsMargins(0, 0, 0, 0);
  build_head(page);
  page->addWidget(list, 1);
  build_calibration(page);
  build_foot(page);
  connect(&probe_, &VideoProbe::probed, this, &NewProjectPage::on_probed);
  connect(&probe_, &VideoProbe::idle, this, &NewProjectPage::update_state);
  update_state();
}

NewProjectPage::~NewProjectPage() {
  pool_.clear();
  pool_.waitForDone();
}

void NewProjectPage::keep_clear(int top_px) {
  layout()->setContentsMargins(0, top_px, 0, 0);
}

void NewProjectPage::build_head(QVBoxLayout* page) {
  auto* title = new QLabel(tr("New Project"));
  title->setFont(sized(title->font(), TextSize::title));
  auto* head = new QHBoxLayout;
  head->addWidget(title, 1);
  const auto add = [&](const QString& text, const QString& tip, auto slot) {
    auto* button = described(new QPushButton(text), text, tip);
    connect(button, &QPushButton::clicked, this, slot);
    head->addWidget(button);
  };
  add(tr("Add Vi&deos…"), tr("One video for each camera, or its files of one recording"),
      &NewProjectPage::ask_for_videos);
  add(tr("Add Ca&libration…"), tr("One file for all cameras, or one for each"),
      &NewProjectPage::ask_for_calibrations);
  add(tr("Add Empt&y-Scene Clips…"),
      tr("Clips without people, to learn the background from; matched by name"),
      &NewProjectPage::ask_for_clips);
  add(tr("Add Detectio&ns…"),
      tr("Boxes or keypoints of people from another program; matched by name, or without videos one per "
         "camera"),
      &NewProjectPage::ask_for_detections);
  page->addLayout(head);
  hint_ = new QLabel(
      tr("Add one video for each camera, and the calibration. Or drop the files here: videos, folders, "
         "calibrations. Without videos, a project can be made of another program's detections."));
  hint_->setForegroundRole(QPalette::PlaceholderText);
  hint_->setWordWrap(true);
  page->addWidget(hint_);
  columns_ = new QWidget;
  auto* names = new QHBoxLayout(columns_);
  names->setContentsMargins(kApart, kTight, kApart, 0);
  names->setSpacing(NewProjectColumns::gap);
  head_label({}, NewProjectColumns::thumbnail, names);
  head_label(tr("video"), 0, names);
  head_label(tr("size, length, rate"), NewProjectColumns::picture, names);
  head_label(tr("calibrated camera"), NewProjectColumns::camera, names);
  head_label(tr("clip and detections"), NewProjectColumns::clip, names);
  head_label({}, NewProjectColumns::buttons, names);
  list_->insertWidget(0, columns_);  // scrolls with the rows, whose columns it names
}

void NewProjectPage::build_calibration(QVBoxLayout* page) {
  auto* beside = new QHBoxLayout;
  auto* words = new QVBoxLayout;
  beside->addLayout(words, 1);
  beside->addWidget(plan_ = new NewProjectPlan, 0, Qt::AlignTop);
  page->addLayout(beside);
  calibration_list_ = new QVBoxLayout;
  calibration_list_->setSpacing(2);
  words->addLayout(calibration_list_);
  unit_scale_ =
      described(number_field(0, 1000, 0, 4, tr(" m"), 0.01), tr("Metres per unit of the calibration"),
                tr("For files in board squares: the edge of a square in metres"));
  unit_scale_->setSpecialValueText(tr("as stated in the file"));
  unit_scale_->setKeyboardTracking(false);
  up_axis_ = described(new QComboBox, tr("Up axis of the calibration"), tr("The file's axis that points up"));
  up_axis_->addItems({tr("as stated in the file"), "x", "-x", "y", "-y", "z", "-z"});
  mirrored_ =
      described(new QCheckBox(tr("mirrored")), tr("The calibration is mirrored"),
                tr("The file's world is left-handed, or its cameras stand as in a mirror: y is negated"));
  calibration_options_ =
      field_row({{tr("one unit is"), unit_scale_}, {tr("up is"), up_axis_}, {QString(), mirrored_}});
  words->addWidget(calibration_options_);
  words->addWidget(stands_ = new QLabel);
  stands_->setWordWrap(true);
  stands_->setTextFormat(Qt::RichText);
  stands_->setAccessibleName(tr("How the cameras stand"));
  words->addStretch(1);
  plan_->hide(), stands_->hide();
  build_detections(words);
  connect(unit_scale_, &QDoubleSpinBox::valueChanged, this, &NewProjectPage::read_calibrations);
  connect(up_axis_, &QComboBox::currentIndexChanged, this, &NewProjectPage::read_calibrations);
  connect(mirrored_, &QCheckBox::toggled, this, &NewProjectPage::read_calibrations);
}

// Options that files of detections may require: as in vantage-cli new.
void NewProjectPage::build_detections(QVBoxLayout* page) {
  const auto add = [&](const QString& name, const QString& tip) {
    auto* field = described(new QLineEdit, name, tip);
    field->setMaximumWidth(150);
    field->setPlaceholderText(tr("as stated in the file"));
    connect(field, &QLineEdit::editingFinished, this, &NewProjectPage::read_all_detections);
    return field;
  };
  person_class_ = add(tr("Class of people"),
                      tr("Which classes of the detections are people, names or numbers: 0, or person,rider"));
  frames_by_ = add(tr("Number of the frame in names"),
                   tr("Which number in the names of files or pictures is the frame: 1, 2, …, time or order"));
  detection_options_ =
      field_row({{tr("people are class"), person_class_}, {tr("frames are number"), frames_by_}});
  page->addWidget(detection_options_);
  detection_options_->hide();
}

void NewProjectPage::read_all_detections() {
  for (NewProjectRow* row : rows_) {
    if (!row->set_reading(person_class_->text().trimmed(), frames_by_->text().trimmed())) continue;
    if (!row->detections().isEmpty()) read_detections(row);
  }
  update_state();
}

void NewProjectPage::build_foot(QVBoxLayout* page) {
  rates_ = new QLabel;
  rates_->setWordWrap(true);
  page->addWidget(rates_);
  progress_ = new QProgressBar;
  progress_->setRange(0, 0);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(4);
  progress_->setAccessibleName(tr("Reading the files"));
  page->addWidget(progress_);
  problem_ = new QLabel;
  problem_->setWordWrap(true);
  problem_->setAccessibleName(tr("What is missing"));
  auto* cancel = described(new QPushButton(tr("Cancel")), tr("Cancel"), tr("Cancel, without a new project"));
  create_ = new QPushButton(tr("Create Project…"));
  create_->setAccessibleName(tr("Create Project"));
  create_->setDefault(true);
  auto* foot = new QHBoxLayout;
  foot->addWidget(problem_, 1);
  foot->addWidget(cancel);
  foot->addWidget(create_);
  page->addLayout(foot);
  connect(cancel, &QPushButton::clicked, this, &NewProjectPage::cancelled);
  connect(create_, &QPushButton::clicked, this, &NewProjectPage::ask_where_to_write);
}

// ---- adding and removing

void NewProjectPage::reset() {
  while (!rows_.empty()) remove_row(rows_.back());
  calibrations_.clear();
  left_over_.clear();
  unit_scale_->setValue(0);
  up_axis_->setCurrentIndex(0);
  mirrored_->setChecked(false);
  person_class_->clear(), frames_by_->clear();
  show_calibrations();
  update_state();
}

void NewProjectPage::ask_for_videos() {
  add_files(QFileDialog::getOpenFileNames(this, tr("Add Videos"), {}, video_filter()));
}

void NewProjectPage::ask_for_calibrations() {
  add_calibrations(QFileDialog::getOpenFileNames(
      this, tr("Add Calibration"), {},
      tr("Calibrations (%1);;All files (*)").arg(patterns(kCalibrationSuffixes))));
}

void NewProjectPage::ask_for_clips() {
  add_clips(QFileDialog::getOpenFileNames(this, tr("Add Empty-Scene Clips"), {}, video_filter()));
}

void NewProjectPage::ask_for_clip(NewProjectRow* row) {
  const QString clip = QFileDialog::getOpenFileName(this, tr("Empty-Scene Clip"),
                                                    QFileInfo(row->video()).absolutePath(), video_filter());
  if (!clip.isEmpty()) set_clip(row, clip);
}

void NewProjectPage::set_clip(NewProjectRow* row, const QString& clip) {
  row->set_clip(clip);
  probe_.start(clip);
}

void NewProjectPage::add_files(const QStringList& paths) {
  const SortedFiles files = sort_files(paths);
  std::vector<std::string> videos;
  for (const QString& video : files.videos)
    if (const std::string file = video.toStdString();
        !is_listed(file) && std::ranges::find(videos, file) == videos.end())
      videos.push_back(file);
  add_videos(group_files(videos));
  order_rows();
  add_calibrations(files.calibrations);
  update_state();
}

void NewProjectPage::add_calibrations(const QStringList& paths) {
  for (const QString& path : paths)
    if (std::ranges::find(calibrations_, path, &CalibrationFile::path) == calibrations_.end())
      calibrations_.push_back({path, {}, {}});
  if (!paths.isEmpty()) read_calibrations();
}

bool NewProjectPage::is_listed(const std::string& file) const {
  return std::ranges::any_of(rows_, [&](const NewProjectRow* row) {
    return row->video().toStdString() == file ||
           (row->files() && std::ranges::find(row->files()->files, file) != row->files()->files.end());
  });
}

void NewProjectPage::add_videos(const std::vector<FileGroup>& groups) {
  for (const FileGroup& group : groups) {
    const QString video = QString::fromStdString(group.video());
    const bool single = group.files.size() == 1;
    NewProjectRow* row = add_row(video, single ? std::nullopt : std::optional(group));
    if (const std::string people = people_next_to(group.video()); !people.empty())
      set_detections(row, QString::fromStdString(people));
    if (single)
      probe_.start(video);
    else
      probe_.start(group);
  }
}

// Each of its files becomes a row.
void NewProjectPage::separate(NewProjectRow* row) {
  const std::vector<std::string> files = row->files()->files;
  remove_row(row);
  add_videos(keep_apart(files));
  order_rows();
  match_rows();
  update_state();
}

NewProjectRow* NewProjectPage::add_row(const QString& video, std::optional<FileGroup> files) {
  auto* row = new NewProjectRow(video, std::move(files));
  rows_.push_back(row);
  list_->insertWidget(list_->count() - 1, row);
  connect(row, &NewProjectRow::changed, this, &NewProjectPage::update_state);
  connect(row, &NewProjectRow::clip_wanted, this, [this, row] { ask_for_clip(row); });
  connect(row, &NewProjectRow::detections_wanted, this, [this, row] { ask_for_detections_of(row); });
  connect(row, &NewProjectRow::moved_up, this, [this, row] { move_up(row); });
  connect(row, &NewProjectRow::separated, this, [this, row] { separate(row); });
  connect(row, &NewProjectRow::removed, this, [this, row] {
    remove_row(row);
    order_rows();
    match_rows();
    update_state();
  });
  return row;
}

void NewProjectPage::remove_row(NewProjectRow* row) {
  std::erase(rows_, row);
  list_->removeWidget(row);
  row->hide();
  row->deleteLater();
}

void NewProjectPage::move_up(NewProjectRow* row) {
  const auto at = std::find(rows_.begin(), rows_.end(), row);
  if (at == rows_.begin() || at == rows_.end()) return;
  std::iter_swap(at, at - 1);
  order_rows();
  update_state();
}

void NewProjectPage::order_rows() {
  for (size_t i = 0; i < rows_.size(); ++i) {
    list_->removeWidget(rows_[i]);
    list_->insertWidget(static_cast<int>(i) + 1, rows_[i]);
    rows_[i]->set_base(i == 0);
  }
}

std::vector<std::string> NewProjectPage::row_files() const {
  std::vector<std::string> files;
  for (const NewProjectRow* row : rows_) files.push_back(row->file().toStdString());
  return files;
}

// Files go to the row whose video has their name or that of their folder.
void NewProjectPage::match_files(const QStringList& paths,
                                 const std::function<void(NewProjectRow*, const QString&)>& take) {
  for (const bool by_folder : {false, true}) {
    std::vector<std::string> names;
    for (const QString& path : paths) {
      const QFileInfo info(path);
      names.push_back((by_folder ? info.dir().dirName() : info.completeBaseName()).toStdString());
    }
    const auto matched = match_by_name(row_files(), names);
    for (size_t i = 0; i < rows_.size(); ++i)
      if (matched[i]) take(rows_[i], paths[static_cast<qsizetype>(*matched[i])]);
  }
}

void NewProjectPage::add_clips(const QStringList& paths) {
  match_files(paths, [this](NewProjectRow* row, const QString& clip) {
    if (row->clip().isEmpty() && !row->video().isEmpty()) set_clip(row, clip);
  });
}

// ---- detections

bool NewProjectPage::has_videos() const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [](const NewProjectRow* row) { return !row->video().isEmpty(); });
}

void NewProjectPage::ask_for_detections() {
  add_detections(QFileDialog::getOpenFileNames(this, tr("Add Detections")));
}

void NewProjectPage::ask_for_detections_of(NewProjectRow* row) {
  const QString file =
      QFileDialog::getOpenFileName(this, tr("Detections"), QFileInfo(row->file()).absolutePath());
  if (!file.isEmpty()) set_detections(row, file);
}

void NewProjectPage::add_detections(const QStringList& paths) {
  left_over_ = paths;
  if (has_videos())
    match_files(paths, [this](NewProjectRow* row, const QString& file) {
      if (row->detections().isEmpty()) set_detections(row, file);
    });
  else
    take_left_over(paths);
  update_state();
}

void NewProjectPage::set_detections(NewProjectRow* row, const QString& file) {
  left_over_.removeAll(file);
  row->set_detections(file);
  read_detections(row);
}

// Without videos: one camera each.
void NewProjectPage::take_left_over(const QStringList& paths) {
  for (const QString& path : paths) {
    const bool known = std::ranges::any_of(rows_, [&](const auto* row) { return row->detections() == path; });
    if (!known) set_detections(add_row({}), path);
  }
  left_over_.clear();
  order_rows();
  read_calibrations();
}

void NewProjectPage::read_detections(NewProjectRow* row) {
  const QSize size = row->picture_px();
  row->set_reading(person_class_->text().trimmed(), frames_by_->text().trimmed());
  DetectionFileOptions options = asking_options(row->camera());
  options.width_px = size.width(), options.height_px = size.height();
  pool_.start([this, path = row->detections(), size, options] {
    const Result<DetectionFile> file = read_detection_file(path.toStdString(), options);
    ReadDetections read;
    read.for_px = size;
    if (file) {
      read.frames_said = QString::fromStdString(file->frames_said);
      read.words = tr("%1, %2 boxes in %3 frames")
                       .arg(QString::fromStdString(file->format))
                       .arg(file->people())
                       .arg(file->known_frames());
      QStringList remarks;
      for (const std::string& remark : remarks_on(*file)) remarks << QString::fromStdString(remark);
      read.remarks = remarks.join('\n');
      read.frame_rate = file->frame_rate;
      read.width_px = file->width_px, read.height_px = file->height_px;
    } else {
      read.error = QString::fromStdString(file.error().message());
      read.asks = file.error().remedy.find("--person-class") != std::string::npos ||
                  file.error().remedy.find("--frames-by") != std::string::npos;
    }
    QMetaObject::invokeMethod(this, [this, path, read] { on_detections(path, read); }, Qt::QueuedConnection);
  });
}

void NewProjectPage::on_detections(const QString& path, const ReadDetections& read) {
  for (NewProjectRow* row : rows_)
    if (row->detections() == path) row->set_detections_read(read);
  update_state();
}

void NewProjectPage::on_probed(const QString& path, const ProbedVideo& video) {
  for (NewProjectRow* row : rows_) {
    if (row->clip() == path) row->set_clip_probed(video);
    if (row->video() != path) continue;
    const bool new_size = !row->opened() && video.info.width_px > 0;
    row->set_probed(video);
    if (new_size && !row->detections().isEmpty()) read_detections(row);
    if (new_size && !calibrations_.empty()) read_calibrations();
  }
  update_state();
}

// ---- obstacles and creation

QString NewProjectPage::rates_text() const {
  std::set<double> rates;
  for (const NewProjectRow* row : rows_)
    if (row->opened() && row->rate() > 0) rates.insert(row->rate());
  if (rates.size() < 2 || *rates.rbegin() <= *rates.begin() * (1 + kSameRate)) return {};
  QStringList texts;
  for (const double rate : rates) texts << number_text(rate, 'g', 6);
  return tr("▲ The frame rates differ: %1 frames/s. Each camera is stepped at its own; correct a wrong one "
            "in its row.")
      .arg(texts.join(", "));
}

// Sentences on the offsets that clocks give to cameras in several files.
QString NewProjectPage::clocks_text() const {
  std::vector<NewCamera> cameras;
  for (const NewProjectRow* row : rows_) {
    if (!row->opened()) return {};
    cameras.push_back(row->camera());
  }
  QStringList texts;
  for (const std::string& text : offset_by_clocks(&cameras)) texts << "▲ " + QString::fromStdString(text);
  return texts.join('\n');
}

QString NewProjectPage::problem() const {
  if (rows_.empty()) return tr("No videos or detections yet.");
  for (const CalibrationFile& file : calibrations_)
    if (!file.error.what.empty())
      return tr("%1: %2.").arg(QFileInfo(file.path).fileName(), QString::fromStdString(file.error.what));
  if (const QString question = unit_question(); !question.isEmpty()) return question;
  for (const NewProjectRow* row : rows_)
    if (const QString problem = row->problem(); !problem.isEmpty()) return problem;
  std::set<QString> used;
  for (const NewProjectRow* row : rows_)
    if (const QString name = row->camera_name(); !name.isEmpty() && !used.insert(name).second)
      return has_videos() ? tr("Two videos are assigned to %1.").arg(name)
                          : tr("Two detection files are assigned to %1.").arg(name);
  return {};
}

// The question about the unit of the chosen cameras, before they are read as metres.
QString NewProjectPage::unit_question() const {
  std::vector<CalibratedCamera> chosen;
  for (const NewProjectRow* row : rows_)
    if (const auto calibrated = row->camera().calibration) chosen.push_back(*calibrated);
  if (chosen.empty()) return {};
  const Status unit = check_unit(chosen);
  return unit ? QString() : page_words(unit.error().message());
}

bool NewProjectPage::ready() const {
  return !reading_ && !writing_ && problem().isEmpty();
}

void NewProjectPage::update_state() {
  for (NewProjectRow* row : rows_)
    if (row->detections_stale()) read_detections(row);
  const QString rates = rates_text(), clocks = clocks_text(), problem = this->problem();
  rates_->setText(rates.isEmpty() || clocks.isEmpty() ? rates + clocks : rates + '\n' + clocks);
  rates_->setVisible(!rates_->text().isEmpty());
  for (NewProjectRow* row : rows_) row->set_rate_doubtful(!rates.isEmpty());
  hint_->setVisible(rows_.empty());
  columns_->setVisible(!rows_.empty());
  const bool asked = std::any_of(rows_.begin(), rows_.end(), [](const auto* row) { return row->asks(); });
  detection_options_->setVisible(asked || !person_class_->text().isEmpty() || !frames_by_->text().isEmpty());
  progress_->setVisible(probe_.running_count() > 0 || reading_ || writing_);
  lay_out_cameras();
  QStringList words;
  if (!left_over_.isEmpty())
    words << tr("No video has the name of %1: choose its camera in its row.")
                 .arg(QFileInfo(left_over_.front()).fileName());
  const bool uncalibrated = std::any_of(
      rows_.begin(), rows_.end(), [](const NewProjectRow* row) { return row->camera_name().isEmpty(); });
  if (!problem.isEmpty())
    words.push_front(problem);
  else if (uncalibrated)
    words << tr(
        "Without a calibration for every camera there is no 3-D and there are no people; Solve From "
        "Footage or a board can give one later.");
  problem_->setText(words.join(' '));
  create_->setEnabled(ready());
  create_->setToolTip(ready() ? tr("Write the project file and open it") : problem);
}

void NewProjectPage::ask_where_to_write() {
  const QDir folder = QFileInfo(rows_.front()->file()).dir();
  QString file =
      QFileDialog::getSaveFileName(this, tr("Create Project"), folder.filePath(folder.dirName() + ".vantage"),
                                   tr("Vantage projects (*.vantage)"));
  if (file.isEmpty()) return;
  if (!file.endsWith(".vantage")) file += ".vantage";
  create(file);
}

void NewProjectPage::create(const QString& file) {
  std::vector<NewCamera> cameras;
  for (const NewProjectRow* row : rows_) cameras.push_back(row->camera());
  writing_ = true;
  update_state();
  pool_.start([this, file, cameras]() mutable {
    // A grid that cannot be fitted is reported now rather than at the first analysis.
    std::vector<std::string> notes;
    const auto write = [&]() -> Status {
      VANTAGE_ASSIGN(notes, settle_detections(&cameras));
      VANTAGE_TRY(stand_in_for_videos(&cameras, 0, 0));
      const std::vector<std::string> by_clocks = offset_by_clocks(&cameras);
      notes.insert(notes.end(), by_clocks.begin(), by_clocks.end());
      VANTAGE_TRY(write_file_lists(file.toStdString(), &cameras));
      VANTAGE_ASSIGN(const Project project, assemble_project(cameras, &notes));
      if (project.calibrated()) {
        VANTAGE_TRY(project.effective_grid());
      }
      return save_project(project, file.toStdString());
    };
    const Status written = write();
    QMetaObject::invokeMethod(
        this,
        [this, file, written, notes] {
          writing_ = false;
          update_state();
          if (!written) return emit failed(written.error());
          for (const std::string& note : notes) emit noted(QString::fromStdString(note));
          emit created(file);
        },
        Qt::QueuedConnection);
  });
}

void NewProjectPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit cancelled();
  QWidget::keyPressEvent(event);
}

void NewProjectPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && isVisible()) show_calibrations();
  QWidget::changeEvent(event);
}

}  // namespace vantage::ui
