#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/geometry/camera.h"
#include "core/video/no_video.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "tests/unit/pipeline/footage.h"
#include "ui/panels/new_project_page.h"
#include "ui/panels/new_project_row.h"

namespace vantage::ui {

class NewProjectTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void files_are_sorted();
  void videos_and_cameras_are_matched_by_name();
  void what_does_not_match_is_chosen_by_hand();
  void a_plan_shows_how_cameras_stand();
  void another_picture_size_is_asked_about();
  void disagreeing_rates_are_shown_and_overridden();
  void broken_files_say_what_is_wrong();
  void a_folder_of_each_cameras_files_is_a_row_a_camera();
  void clips_are_matched_by_name();
  void detections_are_matched_by_name_and_read();
  void detections_make_a_project_without_videos();
  void detections_ask_who_is_a_person();
  void the_unit_is_asked_about();
  void a_mirrored_world_is_ticked();
};

namespace {

// Three short videos and what calibrates them.
class ProjectFootage {
 public:
  ProjectFootage() {
    for (int i = 0; i < 3; ++i) test::write_footage(path(i), i, 6, false);
  }
  std::filesystem::path path(int camera) const {
    return std::filesystem::path(folder_.path().toStdString()) /
           ("cam" + std::to_string(camera + 1) + ".mp4");
  }
  QString video(int camera) const { return QString::fromStdString(path(camera).string()); }
  QString file(const std::string& name) const { return folder_.filePath(QString::fromStdString(name)); }
  QString calibration(const std::vector<std::string>& names, int scale = 1,
                      const QString& name = "calibration.json") const {
    std::vector<Camera> cameras;
    for (size_t i = 0; i < names.size(); ++i) {
      PinholeCamera<double> model = test::footage_camera(static_cast<int>(i), 3).model();
      model.width_px *= scale, model.height_px *= scale;
      model.fx_px *= scale, model.fy_px *= scale;
      model.cx_px = (model.cx_px + 0.5) * scale - 0.5, model.cy_px = (model.cy_px + 0.5) * scale - 0.5;
      cameras.push_back(Camera::make(names[i], model).value());
    }
    const std::filesystem::path file = this->file(name.toStdString()).toStdString();
    if (!write_file_atomically(file, calibration_to_json(cameras))) qFatal("the calibration was not written");
    return QString::fromStdString(file.string());
  }

 private:
  QTemporaryDir folder_;
};

template <typename Widget>
Widget* named(const QWidget* parent, const QString& accessible_name) {
  for (Widget* widget : parent->findChildren<Widget*>())
    if (widget->accessibleName() == accessible_name) return widget;
  qFatal("no widget is called %s", qPrintable(accessible_name));
}

void choose(QComboBox* box, const QString& text) {
  box->setCurrentIndex(box->findText(text));
  emit box->activated(box->currentIndex());
}

}  // namespace

void NewProjectTest::files_are_sorted() {
  const ProjectFootage footage;
  footage.calibration({"cam1"});
  const SortedFiles sorted = sort_files({footage.file("calibration.json"), footage.video(1)});
  QCOMPARE(sorted.videos, QStringList{footage.video(1)});
  QCOMPARE(sorted.calibrations, QStringList{footage.file("calibration.json")});
  // bioCV's are called after their video: they are no videos.
  for (const QString& name : {QString("00.mp4.calib"), QString("left.cameramodel"), QString("Cal.mcal")})
    QCOMPARE(sort_files({name}).calibrations, QStringList{name});
  const SortedFiles folder = sort_files({QFileInfo(footage.video(0)).absolutePath()});
  QCOMPARE(folder.videos, (QStringList{footage.video(0), footage.video(1), footage.video(2)}));
  QCOMPARE(folder.calibrations, QStringList{footage.file("calibration.json")});
}

void NewProjectTest::videos_and_cameras_are_matched_by_name() {
  const ProjectFootage footage;
  NewProjectPage page;
  page.resize(900, 560);
  page.show();
  QVERIFY(!page.ready());
  // The calibration comes first and names its cameras in another order.
  page.add_files({footage.calibration({"cam3", "cam1", "cam2"})});
  page.add_files({footage.video(0), footage.video(1), footage.video(2), footage.video(1)});
  QTRY_VERIFY(page.ready());
  QCOMPARE(page.rows().size(), size_t{3});
  QCOMPARE(page.rows()[0]->camera_name(), QString("cam1"));
  QCOMPARE(page.rows()[2]->camera_name(), QString("cam3"));
  QVERIFY(!page.rows()[0]->probed().thumbnail.isNull());
  QTRY_COMPARE(page.rows()[0]->probed().info.frame_count, int64_t{6});
  QSignalSpy created(&page, &NewProjectPage::created), failed(&page, &NewProjectPage::failed);
  const QString file = footage.file("new.vantage");
  page.create(file);
  QTRY_VERIFY(created.count() + failed.count() == 1);
  QCOMPARE(created.count(), 1);
  const Result<Project> project = load_project(file.toStdString());
  QVERIFY(project.has_value());
  QCOMPARE(project->cameras.size(), size_t{3});
  QVERIFY(project->calibrated());
  QCOMPARE(project->cameras[1].name, std::string("cam2"));
  QCOMPARE(QString::fromStdString(project->cameras[1].video), footage.video(1));
  QCOMPARE(project->cameras[1].frame_rate, 0.0);
  page.reset();
  QVERIFY(page.rows().empty());
}

// Squares of a board taken for metres: cameras stand on masts, and the page says so.
void NewProjectTest::a_plan_shows_how_cameras_stand() {
  const ProjectFootage footage;
  NewProjectPage page;
  page.resize(1000, 700);
  page.show();
  auto* stands = named<QLabel>(&page, "How the cameras stand");
  auto* plan = named<QWidget>(&page, "Plan of the cameras");
  QVERIFY(plan->isHidden());
  page.add_files(
      {footage.video(0), footage.video(1), footage.video(2), footage.calibration({"cam1", "cam2", "cam3"})});
  QTRY_VERIFY(plan->isVisible());
  QVERIFY2(stands->text().startsWith(
               "Cameras stand 1.20 m above the floor, up to 5.20 m apart; together they see"),
           qPrintable(stands->text()));
  QVERIFY(!stands->text().contains("Is that so?"));
  const QImage usual = plan->grab().toImage();

  NewProjectPage wrong;
  wrong.resize(1000, 700);
  wrong.show();
  std::vector<Camera> cameras;
  WorldChange squares;
  squares.scale = 1 / 0.115;
  for (int i = 0; i < 3; ++i) cameras.push_back(in_changed_world(test::footage_camera(i, 3), squares));
  const QString file = footage.file("squares.json");
  QVERIFY(write_file_atomically(file.toStdString(), calibration_to_json(cameras)).has_value());
  wrong.add_files({footage.video(0), footage.video(1), footage.video(2), file});
  auto* said = named<QLabel>(&wrong, "How the cameras stand");
  QTRY_VERIFY2(said->text().contains("Is that so?"), qPrintable(said->text()));
  QVERIFY(said->text().contains("10.43 m above the floor"));
  QVERIFY(wrong.ready());  // it may be so
  QVERIFY(named<QWidget>(&wrong, "Plan of the cameras")->grab().toImage() != usual);

  // Without a camera for each video there is nothing to show.
  choose(page.rows()[1]->findChild<QComboBox*>(), "none");
  QTRY_VERIFY(plan->isHidden());
  QVERIFY(stands->isHidden());
}

void NewProjectTest::what_does_not_match_is_chosen_by_hand() {
  const ProjectFootage footage;
  NewProjectPage page;
  page.add_files({footage.video(0), footage.video(1), footage.calibration({"cam1", "left"})});
  QTRY_VERIFY(page.rows()[0]->camera_name() == "cam1");
  QTRY_VERIFY2(page.rows()[1]->undecided(), "never by order");
  QVERIFY(!page.ready());
  QVERIFY(page.problem().contains("cam2.mp4: choose"));
  auto* camera = named<QComboBox>(page.rows()[1], "Calibrated camera");
  choose(camera, "cam1");
  QTRY_VERIFY(page.problem().contains("Two videos"));
  choose(camera, "left");
  QTRY_VERIFY(page.ready());
  // A choice stays when the calibration is read again.
  named<QComboBox>(&page, "Up axis of the calibration")->setCurrentText("z");
  QTRY_VERIFY(page.ready());
  QCOMPARE(page.rows()[1]->camera_name(), QString("left"));
  named<QDoubleSpinBox>(&page, "Metres per unit of the calibration")->setValue(0.5);
  QTRY_VERIFY2(page.problem().contains("states its unit"), qPrintable(page.problem()));
  named<QDoubleSpinBox>(&page, "Metres per unit of the calibration")->setValue(0);
  QTRY_VERIFY(page.ready());
  choose(camera, "none");
  QVERIFY2(page.ready(), qPrintable(page.problem()));
  QVERIFY(page.rows()[1]->camera_name().isEmpty());
}

void NewProjectTest::another_picture_size_is_asked_about() {
  const ProjectFootage footage;
  NewProjectPage page;
  page.add_files({footage.video(0), footage.calibration({"cam1"}, 2)});
  QTRY_VERIFY(page.rows()[0]->camera_name() == "cam1");
  QVERIFY(!page.ready());
  QVERIFY(page.problem().contains("192x128"));
  auto* fit = named<QComboBox>(page.rows()[0], "How the picture came from the calibrated one");
  choose(fit, "cropped");
  QVERIFY(page.ready());
  QVERIFY(page.rows()[0]->camera().fit.kind == PictureFit::Kind::cropped);
  choose(fit, "scaled");
  QVERIFY(page.ready());
  const NewCamera camera = page.rows()[0]->camera();
  const auto fitted = fit_to_picture(camera.calibration->camera, test::kWidth, test::kHeight, camera.fit);
  QVERIFY(std::abs(fitted->model().fx_px - 80) < 1e-9);
  // A second file is read beside it and changes nothing of what was chosen.
  page.add_files({footage.calibration({"cam2"}, 1, "second.json")});
  QTRY_VERIFY(page.ready());
  QCOMPARE(fit->currentText(), QString("scaled"));
  QCOMPARE(page.rows()[0]->camera_name(), QString("cam1"));
}

void NewProjectTest::disagreeing_rates_are_shown_and_overridden() {
  const ProjectFootage footage;
  NewProjectPage page;
  page.show();
  page.add_files({footage.video(0), footage.video(1)});
  QTRY_VERIFY(page.ready());
  const auto warned = [&] {
    for (const QLabel* label : page.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains("rates differ")) return true;
    return false;
  };
  QVERIFY(!warned());
  named<QDoubleSpinBox>(page.rows()[1], "Frames per second")->setValue(30);
  QVERIFY(warned());
  QCOMPARE(page.rows()[1]->camera().frame_rate, 30.0);
  QCOMPARE(page.rows()[0]->camera().frame_rate, 0.0);
}

void NewProjectTest::broken_files_say_what_is_wrong() {
  const ProjectFootage footage;
  QVERIFY(write_file_atomically(footage.file("bad.mp4").toStdString(), "no video").has_value());
  QVERIFY(write_file_atomically(footage.file("bad.toml").toStdString(), "no calibration").has_value());
  NewProjectPage page;
  page.add_files({footage.file("bad.mp4")});
  QTRY_VERIFY(page.problem().contains("bad.mp4"));
  page.reset();
  page.add_files({footage.video(0), footage.file("bad.toml")});
  QTRY_VERIFY(page.problem().contains("bad.toml"));
  QVERIFY(!page.ready());
}

namespace {

QString write_text(const QString& file, const std::string& text) {
  if (!write_file_atomically(file.toStdString(), text)) qFatal("%s was not written", qPrintable(file));
  return file;
}

constexpr const char* kBoxes = "1,-1,10,10,20,40,0.9\n2,-1,11,10,20,40,0.8\n";

Result<Project> created(NewProjectPage& page, const QString& file) {
  QSignalSpy created(&page, &NewProjectPage::created), failed(&page, &NewProjectPage::failed);
  page.create(file);
  if (!QTest::qWaitFor([&] { return created.count() + failed.count() == 1; }, kWait_ms)) qFatal("no end");
  return load_project(file.toStdString());
}

}  // namespace

void NewProjectTest::detections_are_matched_by_name_and_read() {
  const ProjectFootage footage;
  NewProjectPage page;
  page.add_files({footage.video(0), footage.video(1)});
  page.add_detections({write_text(footage.file("cam2_det.txt"), std::string(kBoxes) + "3,-1,x,y\n"),
                       write_text(footage.file("left.txt"), kBoxes)});
  QTRY_VERIFY2(page.ready(), qPrintable(page.problem()));
  QVERIFY(page.rows()[0]->detections().isEmpty());
  QCOMPARE(page.rows()[1]->detections(), footage.file("cam2_det.txt"));
  const auto* button = named<QToolButton>(page.rows()[1], "Detections");
  QVERIFY2(button->toolTip().contains("MOTChallenge, 2 boxes in 2 frames"), qPrintable(button->toolTip()));
  QVERIFY2(button->toolTip().contains("1 entries were skipped; line 3"), qPrintable(button->toolTip()));
  QVERIFY2(button->text().startsWith("▲"), "some of it was skipped");
  const auto* words = named<QLabel>(&page, "What is missing");
  QVERIFY2(words->text().contains("left.txt"), qPrintable(words->text()));
  // One that nobody can read hinders the project, until it is left out.
  page.rows()[0]->set_detections({});
  page.add_detections({write_text(footage.file("cam1_det.txt"), "nothing of the kind\n")});
  QTRY_VERIFY2(page.problem().contains("cam1_det.txt"), qPrintable(page.problem()));
  QVERIFY(!page.ready());
  named<QToolButton>(page.rows()[0], "Use no detection file")->click();
  QVERIFY2(page.ready(), qPrintable(page.problem()));
  const Result<Project> project = created(page, footage.file("new.vantage"));
  QVERIFY(project.has_value());
  QVERIFY(project->cameras[0].detections.file.empty());
  QCOMPARE(QString::fromStdString(project->cameras[1].detections.file), footage.file("cam2_det.txt"));
}

void NewProjectTest::detections_make_a_project_without_videos() {
  const ProjectFootage footage;
  NewProjectPage page;
  page.add_detections({write_text(footage.file("cam1_det.txt"), kBoxes),
                       write_text(footage.file("cam2_det.txt"), std::string(kBoxes) + "9,-1,1,1,9,9,0.9\n")});
  QCOMPARE(page.rows().size(), size_t{2});
  QTRY_VERIFY2(page.problem().contains("states no frame rate"), qPrintable(page.problem()));
  for (const NewProjectRow* row : page.rows()) named<QDoubleSpinBox>(row, "Frames per second")->setValue(4);
  QVERIFY2(page.problem().contains("picture size"), qPrintable(page.problem()));
  page.add_files({footage.calibration({"cam2", "cam1"})});
  QTRY_VERIFY2(page.ready(), qPrintable(page.problem()));
  QCOMPARE(page.rows()[0]->camera_name(), QString("cam1"));
  const Result<Project> project = created(page, footage.file("boxes.vantage"));
  QVERIFY(project.has_value());
  QVERIFY(project->calibrated());
  for (const ProjectCamera& camera : project->cameras) {
    const Result<NoVideo> none = parse_no_video(camera.video);
    QVERIFY(none.has_value());
    QCOMPARE(none->width_px, camera.calibration->width_px());
    QCOMPARE(none->frame_rate, 4.0);
    QCOMPARE(none->frames, int64_t{9});  // of the longest
  }
}

// A recorder's folder, dropped: what lies together, in which order, and where nothing was recorded.
void NewProjectTest::a_folder_of_each_cameras_files_is_a_row_a_camera() {
  const ProjectFootage footage;
  const auto night = std::filesystem::path(footage.file("night").toStdString());
  QVERIFY(make_folder(night).has_value());
  for (const char* name : {"cam1_20260101_220000.mp4", "cam1_20260101_220010.mp4", "cam2_20260101_220001.mp4",
                           "cam2_20260101_220005.mp4"})
    test::write_footage(night / name, 0, 50, false);
  NewProjectPage page;
  page.resize(1000, 700);
  page.show();
  page.add_files({QString::fromStdString(night.string()), footage.calibration({"cam2", "cam1"})});
  page.add_files({QString::fromStdString(night.string())});  // once more: nothing is added
  QCOMPARE(page.rows().size(), size_t{2});
  QTRY_VERIFY2(page.ready(), qPrintable(page.problem()));
  NewProjectRow* first = page.rows()[0];
  QCOMPARE(first->accessibleName(), QString("cam1"));
  QCOMPARE(first->camera_name(), QString("cam1"));
  QCOMPARE(first->probed().info.frame_count, int64_t{300});
  QCOMPARE(named<QLabel>(first, "Files in order")->text(),
           QString("2 files by the clocks in their names, without pictures: frames 50 to 249 (8.00 s)"));
  QVERIFY(first->toolTip().contains("gap: frames 50 to 249 (8.00 s), unknown\ncam1_20260101_220010.mp4"));

  QSignalSpy created(&page, &NewProjectPage::created), failed(&page, &NewProjectPage::failed);
  QSignalSpy noted(&page, &NewProjectPage::noted);
  const QString file = footage.file("night.vantage");
  page.create(file);
  QTRY_COMPARE(created.count() + failed.count(), 1);
  QCOMPARE(created.count(), 1);
  const Result<Project> project = load_project(file.toStdString());
  QVERIFY(project.has_value());
  QCOMPARE(QString::fromStdString(project->cameras[1].video), footage.file("night.videos/cam2.files"));
  QCOMPARE((*open_video(project->cameras[1].video, {}))->info().frame_count, int64_t{150});
  QCOMPARE(project->cameras[1].offset_frames, -25.0);
  QCOMPARE(noted.count(), 1);
  QVERIFY2(noted[0][0].toString().contains("cam2"), qPrintable(noted[0][0].toString()));

  // They were two cameras' after all.
  QTest::mouseClick(named<QToolButton>(page.rows()[1], "Separate Files"), Qt::LeftButton);
  QCOMPARE(page.rows().size(), size_t{3});
  QCOMPARE(page.rows()[2]->accessibleName(), QString("cam2_20260101_220005.mp4"));
  QTRY_VERIFY(page.rows()[2]->opened());

  // A file that cannot be read is named; its camera's other files are not lost.
  std::filesystem::resize_file(night / "cam1_20260101_220010.mp4", 500);
  page.reset();
  page.add_files({QString::fromStdString(night.string())});
  QTRY_VERIFY(page.problem().contains("cam1_20260101_220010.mp4"));
  QVERIFY(!page.ready());
  QVERIFY(named<QToolButton>(page.rows()[0], "Separate Files")->isVisible());
}

void NewProjectTest::clips_are_matched_by_name() {
  const ProjectFootage footage;
  test::write_footage(footage.file("cam2_empty.mp4").toStdString(), 1, 3, true);
  NewProjectPage page;
  page.add_files({footage.video(0), footage.video(1)});
  QTRY_VERIFY(page.ready());
  page.add_clips({footage.file("cam2_empty.mp4")});
  QVERIFY(page.rows()[0]->clip().isEmpty());
  QCOMPARE(page.rows()[1]->clip(), footage.file("cam2_empty.mp4"));
  QTRY_VERIFY(page.ready());
}

// The sentence of the command line, and a field that answers it.
void NewProjectTest::detections_ask_who_is_a_person() {
  const ProjectFootage footage;
  const QString file = footage.file("cam1.csv");
  QVERIFY(write_file_atomically(file.toStdString(),
                                "frame,x,y,w,h,class\n1,10,20,30,40,0\n1,50,20,30,40,2\n2,10,20,30,40,0\n")
              .has_value());
  NewProjectPage page;
  page.resize(1000, 700);
  page.show();
  auto* field = named<QLineEdit>(&page, "Class of people");
  QVERIFY(!field->isVisible());
  page.add_files({footage.video(0), footage.calibration({"cam1"})});
  page.add_detections({file});
  QTRY_VERIFY(page.problem().contains("2 boxes of class 0, 1 box of class 2"));
  QVERIFY(page.problem().contains("--person-class"));
  QVERIFY(!page.ready());
  QTRY_VERIFY(field->isVisible());
  QTest::keyClicks(field, "0");
  QTest::keyClick(field, Qt::Key_Return);
  QTRY_VERIFY(page.ready());
  QVERIFY(field->isVisible());
  QCOMPARE(page.rows()[0]->camera().detections.person_class, std::string("0"));
  QSignalSpy created(&page, &NewProjectPage::created), failed(&page, &NewProjectPage::failed);
  page.create(footage.file("asked.vantage"));
  QTRY_VERIFY(created.count() + failed.count() == 1);
  QCOMPARE(created.count(), 1);
  const Result<Project> project = load_project(footage.file("asked.vantage").toStdString());
  QVERIFY(project.has_value());
  QCOMPARE(project->cameras[0].detections.person_class, std::string("0"));
}

// A room in millimetres: nothing is made of it before the unit is said.
void NewProjectTest::the_unit_is_asked_about() {
  const ProjectFootage footage;
  QString toml;
  for (int i = 0; i < 3; ++i) {
    const PinholeCamera<double> model = test::footage_camera(i, 3).model();
    const auto list = [](const double* values, int count, double times) {
      QStringList numbers;
      for (int k = 0; k < count; ++k) numbers << QString::number(values[k] * times, 'f', 9);
      return "[" + numbers.join(", ") + "]";
    };
    const double matrix[9] = {model.fx_px, 0, model.cx_px, 0, model.fy_px, model.cy_px, 0, 0, 1};
    toml += QString(
                "[cam%1]\nsize = [%2, %3]\nmatrix = %4\ndistortions = [0, 0, 0, 0]\nrotation = %5\n"
                "translation = %6\n\n")
                .arg(i + 1)
                .arg(model.width_px)
                .arg(model.height_px)
                .arg(list(matrix, 9, 1), list(model.rotation_cam_from_world, 9, 1),
                     list(model.translation_cam_from_world_m, 3, 1000));
  }
  const QString file = footage.file("room.toml");
  QVERIFY(write_file_atomically(file.toStdString(), toml.toStdString()).has_value());
  NewProjectPage page;
  page.show();
  page.add_files({footage.video(0), footage.video(1), footage.video(2), file});
  QTRY_VERIFY2(page.problem().contains("as millimetres"), qPrintable(page.problem()));
  QVERIFY(page.problem().contains("0.001"));
  QVERIFY2(!page.problem().contains("--"), "fields of the page, not options of a command");
  QVERIFY(!page.ready());
  named<QDoubleSpinBox>(&page, "Metres per unit of the calibration")->setValue(0.001);
  QTRY_VERIFY2(page.ready(), qPrintable(page.problem()));
}

// Its rotations mirror: the page says what to tick, and the cameras are then those of the right-handed world.
void NewProjectTest::a_mirrored_world_is_ticked() {
  const ProjectFootage footage;
  const QString file = footage.calibration({"cam1", "cam2", "cam3"});
  const std::string path = file.toStdString();
  nlohmann::json left = parse_json(*read_file(path));
  for (nlohmann::json& camera : left["cameras"])
    for (nlohmann::json& row : camera["rotation_cam_from_world"]) row[1] = -row[1].get<double>();
  QVERIFY(write_file_atomically(path, left.dump()).has_value());
  NewProjectPage page;
  page.show();
  page.add_files({footage.video(0), footage.video(1), footage.video(2), file});
  const auto asked = [&] {
    return std::ranges::any_of(page.findChildren<QLabel*>(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains("tick mirrored");
    });
  };
  QTRY_VERIFY(asked());
  QVERIFY(!page.ready());
  auto* mirrored = named<QCheckBox>(&page, "The calibration is mirrored");
  QTest::mouseClick(mirrored, Qt::LeftButton, {}, QPoint(8, mirrored->height() / 2));
  QTRY_VERIFY2(page.ready(), qPrintable(page.problem()));
  QVERIFY(!asked());
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d at = test::footage_camera(i, 3).center_in_world_m();
    QVERIFY((page.rows()[i]->camera().calibration->camera.center_in_world_m() - at).norm() < 1e-9);
  }
  page.reset();
  QVERIFY(!mirrored->isChecked());
}

const TestPart<NewProjectTest> kNewProjectPart("new_project");

}  // namespace vantage::ui

#include "new_project_test.moc"
