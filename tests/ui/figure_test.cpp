#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMouseEvent>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QWheelEvent>
#include <QtMath>
#include <cmath>

#include "core/video/video_source.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/figure/figure_control.h"
#include "ui/main_window/variants/variants_control.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// Figures and films of the open project, through the dialog.
class FigureTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void menu_and_command_line_draw_the_same_pixels();
  void the_present_parameters_are_drawn();
  void a_variant_is_compared_as_by_command();
  void a_film_of_the_marked_range();
  void the_scene_is_seen_as_in_the_window();
  void a_film_turns_about_one_frame();
  void stop_leaves_nothing();
  void the_dialog_says_what_is_missing();
};

namespace {

class FigureWindow : public SessionWindow {
 public:
  explicit FigureWindow(int64_t frames = 40) : SessionWindow(2, frames) {
    show({1280, 720}, {}, [this](WindowServices& services) {
      services.export_figure = [this](FigureOptions options) {
        options.backends = {&registry_, Device::cpu, {}};
        return export_figure(options);
      };
    });
    open();
  }

  FigureDialog* ask(const char* action) const {
    window->action(action)->trigger();
    return window->part<FigureControl>()->dialog();
  }
  template <typename Field>
  static Field* field(FigureDialog* dialog, const char* name) {
    for (auto* one : dialog->findChildren<Field*>())
      if (one->accessibleName() == name) return one;
    return nullptr;
  }
  static QPushButton* button(FigureDialog* dialog, QDialogButtonBox::StandardButton which) {
    return dialog->findChild<QDialogButtonBox*>()->button(which);
  }
  QString file(const char* name) const { return folder() + '/' + name; }
  std::string project() const { return project_.path.string(); }
  bool cli(const QStringList& more) const {
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + "/vantage-cli",
                  QStringList{"figure", QString::fromStdString(project()), "--backend", "cpu"} + more);
    return process.waitForFinished(kWait_ms) && process.exitCode() == 0;
  }
};

QByteArray figure_bytes(const QString& name) {
  QFile file(name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

void FigureTest::menu_and_command_line_draw_the_same_pixels() {
  FigureWindow w;
  QTRY_VERIFY(w.window->action("export_figure")->isEnabled());
  const struct {
    int view;
    QStringList words;
  } views[] = {{0, {"--view", "camera", "--camera", "cam2", "--overlays", "mask,people"}},
               {1, {"--view", "plan"}},
               {3,
                {"--view", "scene", "--azimuth", "-57.3", "--elevation", "28.6", "--overlays",
                 "volume,floor,trails,people"}}};
  for (const auto& [view, words] : views) {
    FigureDialog* dialog = w.ask("export_figure");
    QVERIFY(dialog && dialog->isVisible());
    w.field<QComboBox>(dialog, "View")->setCurrentIndex(view);
    w.field<QComboBox>(dialog, "Camera")->setCurrentIndex(1);
    w.field<QSpinBox>(dialog, "Frame")->setValue(17);
    w.field<QSpinBox>(dialog, "Width")->setValue(640);
    w.field<QLineEdit>(dialog, "File")->setText(w.file("window.png"));
    QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
    w.button(dialog, QDialogButtonBox::Ok)->click();
    QTRY_VERIFY(w.window->messages()->text().startsWith("Figure written to "));
    QTRY_VERIFY(!dialog->isVisible());
    QVERIFY(w.cli(words + QStringList{"--frame", "17", "--width", "640", "--out", w.file("cli.png")}));
    const QByteArray by_window = figure_bytes(w.file("window.png"));
    QVERIFY(by_window.size() > 1000);
    QVERIFY(by_window == figure_bytes(w.file("cli.png")));
    QFile::remove(w.file("window.png"));
    w.window->messages()->clear();
  }
}

void FigureTest::the_present_parameters_are_drawn() {
  FigureWindow w;
  QTRY_VERIFY(w.window->action("export_figure")->isEnabled());
  w.session->post(command::SetParameter{"carving", "threshold", 0.61});
  QTRY_VERIFY(w.window->isWindowModified());
  FigureDialog* dialog = w.ask("export_figure");
  w.field<QSpinBox>(dialog, "Frame")->setValue(5);
  w.field<QSpinBox>(dialog, "Width")->setValue(640);
  w.field<QLineEdit>(dialog, "File")->setText(w.file("window.png"));
  w.button(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(w.window->messages()->text().startsWith("Figure written to "));
  const QStringList words = {"--frame", "5", "--width", "640", "--out", w.file("cli.png")};
  QVERIFY(w.cli(words));
  QVERIFY(figure_bytes(w.file("window.png")) != figure_bytes(w.file("cli.png")));
  QVERIFY(w.cli(words + QStringList{"--set", "carving.threshold=0.61"}));
  QVERIFY(figure_bytes(w.file("window.png")) == figure_bytes(w.file("cli.png")));
}

void FigureTest::a_variant_is_compared_as_by_command() {
  FigureWindow w;
  QTRY_VERIFY(w.window->action("export_figure")->isEnabled());
  QVERIFY(!w.field<QComboBox>(w.ask("export_figure"), "Compare with")->isEnabled());
  Variant loose{"loose", {}, "the project", {}, w.window->state().project().parameters};
  QVERIFY(loose.parameters.set_from_text("foreground.distance_high=3").has_value());
  QVERIFY(write_variant(w.project(), loose, false).has_value());
  w.window->part<VariantsControl>()->read_list();
  FigureDialog* dialog = nullptr;
  QTRY_VERIFY((dialog = w.ask("export_figure")) && w.field<QComboBox>(dialog, "Compare with")->isEnabled());
  QVERIFY(!w.field<QComboBox>(dialog, "How")->isEnabled());
  w.field<QComboBox>(dialog, "Compare with")->setFocus();
  QTest::keyClick(w.field<QComboBox>(dialog, "Compare with"), Qt::Key_Down);
  QVERIFY(w.field<QComboBox>(dialog, "How")->isEnabled());
  w.field<QComboBox>(dialog, "View")->setCurrentIndex(2);
  QVERIFY2(dialog->problem().contains("nothing that is compared"), qPrintable(dialog->problem()));
  w.field<QComboBox>(dialog, "View")->setCurrentIndex(0);
  w.field<QSpinBox>(dialog, "Frame")->setValue(17);
  w.field<QSpinBox>(dialog, "Width")->setValue(640);
  w.field<QLineEdit>(dialog, "File")->setText(w.file("window.png"));
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  w.button(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(w.window->messages()->text().startsWith("Figure written to "));
  const QStringList words = {"--frame",   "17",    "--width", "640",
                             "--against", "loose", "--out",   w.file("cli.png")};
  QVERIFY(w.cli(words));
  QVERIFY(figure_bytes(w.file("window.png")).size() > 1000);
  QVERIFY(figure_bytes(w.file("window.png")) == figure_bytes(w.file("cli.png")));
  QVERIFY(w.cli(words + QStringList{"--compare-by", "side_by_side"}));
  QVERIFY(figure_bytes(w.file("window.png")) != figure_bytes(w.file("cli.png")));
}

void FigureTest::a_film_of_the_marked_range() {
  FigureWindow w;
  QTRY_VERIFY(w.window->action("export_film")->isEnabled());
  FigureDialog* dialog = w.ask("export_film");
  auto* first = w.field<QSpinBox>(dialog, "First frame");
  first->selectAll();
  QTest::keyClicks(first, "0:00.16");  // as the time axis counts
  QCOMPARE(first->value(), 4);
  w.field<QSpinBox>(dialog, "Last frame")->setValue(9);
  w.field<QSpinBox>(dialog, "Width")->setValue(320);
  w.field<QLineEdit>(dialog, "File")->setText(w.file("F.mp4"));
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  w.button(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(w.window->messages()->text().startsWith("Film written to "));
  const auto film = open_video(w.file("F.mp4").toStdString(), {});
  QVERIFY(film.has_value());
  QCOMPARE((*film)->wait_for_frame_count({}).value(), int64_t{6});
}

// What the window's scene shows is what its dialog offers, and what the command line draws by those words.
void FigureTest::the_scene_is_seen_as_in_the_window() {
  FigureWindow w;
  QTRY_VERIFY(w.window->action("export_figure")->isEnabled());
  auto* scene = w.window->findChild<SceneView*>();
  const QPointF middle = QRectF(scene->rect()).center();
  const auto mouse = [&](QEvent::Type type, const QPointF& at) {
    QMouseEvent event(type, at, scene->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(scene, &event);
  };
  mouse(QEvent::MouseButtonPress, middle);
  mouse(QEvent::MouseMove, middle + QPointF(50, -20));
  mouse(QEvent::MouseButtonRelease, middle + QPointF(50, -20));
  QWheelEvent wheel(middle, scene->mapToGlobal(middle), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(scene, &wheel);
  w.window->action("color_by_person")->setChecked(false);
  FigureDialog* dialog = w.ask("export_figure");
  w.field<QComboBox>(dialog, "View")->setCurrentIndex(3);
  const double azimuth = w.field<QDoubleSpinBox>(dialog, "Azimuth")->value(),
               elevation = w.field<QDoubleSpinBox>(dialog, "Elevation")->value(),
               distance = w.field<QDoubleSpinBox>(dialog, "Distance")->value();
  QVERIFY(std::abs(azimuth - qRadiansToDegrees(scene->point_of_view().azimuth_rad())) < 0.06);
  QVERIFY(std::abs(elevation - qRadiansToDegrees(scene->point_of_view().elevation_rad())) < 0.06);
  QVERIFY(std::abs(distance - scene->point_of_view().distance_m()) < 0.006);
  QStringList at;
  for (const char* name : {"Looks at x", "Looks at y", "Looks at z"})
    at.append(QString::number(w.field<QDoubleSpinBox>(dialog, name)->value()));
  w.field<QSpinBox>(dialog, "Frame")->setValue(17);
  w.field<QSpinBox>(dialog, "Width")->setValue(640);
  w.field<QLineEdit>(dialog, "File")->setText(w.file("window.png"));
  w.button(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(w.window->messages()->text().startsWith("Figure written to "));
  QVERIFY(w.cli({"--view", "scene", "--frame", "17", "--width", "640", "--azimuth", QString::number(azimuth),
                 "--elevation", QString::number(elevation), "--distance", QString::number(distance),
                 "--look-at", at.join(','), "--color", "height", "--out", w.file("cli.png")}));
  QVERIFY(figure_bytes(w.file("window.png")).size() > 1000);
  QVERIFY(figure_bytes(w.file("window.png")) == figure_bytes(w.file("cli.png")));
}

void FigureTest::a_film_turns_about_one_frame() {
  FigureWindow w;
  QTRY_VERIFY(w.window->action("export_film")->isEnabled());
  FigureDialog* dialog = w.ask("export_film");
  QVERIFY(!w.field<QDoubleSpinBox>(dialog, "Turn")->isVisible());
  w.field<QComboBox>(dialog, "View")->setCurrentIndex(3);
  QVERIFY(w.field<QDoubleSpinBox>(dialog, "Turn")->isVisible());
  w.field<QDoubleSpinBox>(dialog, "Turn")->setValue(90);
  w.field<QDoubleSpinBox>(dialog, "Seconds")->setValue(0.4);
  w.field<QSpinBox>(dialog, "First frame")->setValue(9);
  w.field<QSpinBox>(dialog, "Last frame")->setValue(9);
  w.field<QSpinBox>(dialog, "Width")->setValue(320);
  w.field<QLineEdit>(dialog, "File")->setText(w.file("F.mp4"));
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  w.button(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(w.window->messages()->text().startsWith("Film written to "));
  const auto film = open_video(w.file("F.mp4").toStdString(), {});
  QVERIFY(film.has_value());
  QCOMPARE((*film)->wait_for_frame_count({}).value(), std::lround(0.4 * (*film)->info().frame_rate));
}

void FigureTest::stop_leaves_nothing() {
  FigureWindow w(2000);
  QTRY_VERIFY(w.window->action("export_film")->isEnabled());
  FigureDialog* dialog = w.ask("export_film");
  w.field<QSpinBox>(dialog, "First frame")->setValue(0);
  w.field<QSpinBox>(dialog, "Last frame")->setValue(1999);
  w.field<QLineEdit>(dialog, "File")->setText(w.file("F.mp4"));
  const QStringList before = QDir(w.folder()).entryList({"F*"}, QDir::Files | QDir::Hidden);
  w.button(dialog, QDialogButtonBox::Ok)->click();
  QVERIFY(!w.button(dialog, QDialogButtonBox::Ok)->isEnabled());
  w.button(dialog, QDialogButtonBox::Cancel)->click();
  QTRY_VERIFY(w.button(dialog, QDialogButtonBox::Ok)->isEnabled());
  QTRY_COMPARE(QDir(w.folder()).entryList({"F*"}, QDir::Files | QDir::Hidden), before);
  QVERIFY(!w.window->messages()->text().contains("written"));
}

void FigureTest::the_dialog_says_what_is_missing() {
  FigureWindow w;
  QTRY_VERIFY(w.window->action("export_figure")->isEnabled());
  FigureDialog* dialog = w.ask("export_figure");
  const auto says = [&](const char* words) {
    return dialog->problem().contains(words) && !w.button(dialog, QDialogButtonBox::Ok)->isEnabled();
  };
  w.field<QLineEdit>(dialog, "File")->setText(w.file("F.gif"));
  QVERIFY(says("ends in .png"));
  w.field<QLineEdit>(dialog, "File")->setText(w.file("F.mp4"));
  QVERIFY(says("ends in .png"));
  w.field<QLineEdit>(dialog, "File")->setText(w.file("F.png"));
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  w.field<QSpinBox>(dialog, "Width")->setValue(641);
  QVERIFY(says("641 px"));
  QVERIFY(!dialog->problem().contains("--"));
}

const TestPart<FigureTest> kFigurePart("figure");

}  // namespace vantage::ui

#include "figure_test.moc"
