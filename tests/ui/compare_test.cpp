#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QTabWidget>
#include <QTableWidget>
#include <QWheelEvent>
#include <algorithm>
#include <random>

#include "core/base/file.h"
#include "core/image/image_files.h"
#include "core/project/variants.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/compare/compare_control.h"
#include "ui/main_window/variants/variants_control.h"
#include "ui/main_window/workspace.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"

namespace vantage::ui {

// The kept results of two runs compared in the views, and the way from one difference to the next.
class CompareTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void next_difference_goes_to_frame_and_place();
  void ground_truth_says_which_is_better();
  void differences_are_listed_by_kind_and_gone_to_by_clicks();
  void the_divider_is_dragged_in_every_view();
  void blink_shows_one_run_after_the_other();
  void side_by_side_shows_every_camera_twice();
  void kept_masks_are_drawn_by_side();
  void what_is_missing_or_out_of_date_is_said();
  void what_is_compared_and_how_survives_a_restart();
  void without_two_results_nothing_is_offered();
  void results_are_kept_to_be_compared_with();
};

namespace {

constexpr int kFrames = 12;

struct Standing {
  int64_t id;
  double x_m, y_m;
};
using People = std::function<std::vector<Standing>(int frame)>;

void write_results(const std::filesystem::path& folder, const People& people, int frames = kFrames,
                   const std::string& parameters = "{}") {
  std::string lines = R"({"schema":"vantage-results-1","version":"0.0.9","device":"CPU","frame_rate":25.0,)"
                      R"("parameters":)" +
                      parameters + "}\n";
  std::string csv;
  for (int frame = 0; frame < frames; ++frame) {
    std::string found;
    for (const Standing& one : people(frame)) {
      const std::string id = std::to_string(one.id), x = std::to_string(one.x_m), y = std::to_string(one.y_m);
      found += (found.empty() ? "" : ",") + (R"({"id":)" + id) + R"(,"x_m":)" + x + R"(,"y_m":)" + y +
               R"(,"height_m":0.9,"confidence":0.9})";
      csv += std::to_string(frame + 1) + "," + id + ",-1,-1,-1,-1,0.9," + x + "," + y + ",0,0.9\n";
    }
    lines += R"({"frame":)" + std::to_string(frame) + R"(,"versions":{},"cameras":[],"people":{"count":)" +
             std::to_string(people(frame).size()) + R"(,"people":[)" + found + R"(],"rejected":[]}})" + "\n";
  }
  QVERIFY(make_folder(folder).has_value());
  QVERIFY(write_file_atomically(folder / "results.jsonl", lines).has_value());
  QVERIFY(write_file_atomically(folder / "tracks.csv", csv).has_value());
}

std::vector<Standing> one_person(int) {
  return {{1, 0, 0}};
}

// Another ID from frame 3 on, nobody from frame 6 on, and somebody else in frames 8 and 9.
std::vector<Standing> otherwise(int frame) {
  std::vector<Standing> people;
  if (frame < 6) people.push_back({frame < 3 ? 5 : 7, 0.05, 0});
  if (frame == 8 || frame == 9) people.push_back({9, -0.5, -0.5});
  return people;
}

void send(QWidget* to, QEvent::Type type, const QPointF& at, Qt::MouseButton button,
          Qt::MouseButtons held = {}) {
  QMouseEvent event(type, at, to->mapToGlobal(at), button, held, {});
  QCoreApplication::sendEvent(to, &event);
}
void drag(QWidget* in, const QPointF& from, const QPointF& to, Qt::MouseButton button = Qt::LeftButton) {
  send(in, QEvent::MouseButtonPress, from, button, button);
  send(in, QEvent::MouseMove, (from + to) / 2, Qt::NoButton, button);
  send(in, QEvent::MouseMove, to, Qt::NoButton, button);
  send(in, QEvent::MouseButtonRelease, to, button);
}

int count_like(const QImage& picture, const QRectF& area, QRgb wanted) {
  const QColor color(wanted);
  int count = 0;
  const QRect all = area.toAlignedRect().intersected(picture.rect());
  for (int y = all.top(); y <= all.bottom(); ++y)
    for (int x = all.left(); x <= all.right(); ++x) {
      const QColor at = picture.pixelColor(x, y);
      count += std::abs(at.red() - color.red()) + std::abs(at.green() - color.green()) +
                   std::abs(at.blue() - color.blue()) <
               30;
    }
  return count;
}

// Without the names in the corners, whose squares have colours, too.
QRectF people_part(const QRectF& picture) {
  return picture.adjusted(0, 34, 0, -40);
}

class CompareWindow : public SessionWindow {
 public:
  // The project's own results are A, those of the variant "strict" B.
  explicit CompareWindow(const People& strict = otherwise, int strict_frames = kFrames,
                         const std::string& made_with = "{}")
      : SessionWindow(2, kFrames) {
    write_results(project_.results_folder(), one_person);
    if (strict) {
      EXPECT_TRUE(write_variant(project_.path, {"strict", {}, "a test", {}, default_parameters()}, false));
      write_results(folder_of_strict(), strict, strict_frames, made_with);
    }
    begin();
  }
  ~CompareWindow() { window.reset(); }

  void begin() {
    show({1366, 768});
    open();
    QTRY_VERIFY(window->action("keep_variant")->isEnabled());
    if (!panel()->isVisible()) window->action("compare_dock")->trigger();
    QTRY_VERIFY(panel()->list()->isVisible());
  }
  void restart() {
    window->close();
    window.reset();
    session.reset();
    begin();
  }
  std::filesystem::path folder_of_strict() const { return variant_results(project_.path, "strict"); }
  const Project& project() const { return project_; }
  ComparePanel* panel() const { return window->part<ComparePanel>(); }
  CameraGrid* cameras() const { return window->workspace()->cameras(); }
  SceneView* scene() const { return window->workspace()->scene(); }
  const MarkedComparison* shown() const { return window->part<CompareControl>()->shown().get(); }
  void key(Qt::Key key, Qt::KeyboardModifiers with = {}) const { QTest::keyClick(cameras(), key, with); }
  // Switched on, and in the views.
  void compare(const char* style) const {
    QTRY_VERIFY(window->action(style)->isEnabled());
    window->action(style)->trigger();
    QTRY_VERIFY(shown());
    QTRY_VERIFY(!cameras()->picture_area(0).isEmpty());
  }
  void at_frame(qint64 frame) const {
    QTRY_VERIFY2(shown() && shown()->place_in_world_m, "nowhere");
    QTRY_VERIFY(panel()->text().contains(QString("frame %1,").arg(frame)));
  }
  void seek(int64_t frame) const { session->post(command::Seek{frame}); }
};

}  // namespace

void CompareTest::next_difference_goes_to_frame_and_place() {
  CompareWindow w;
  QTRY_COMPARE(w.panel()->list()->rowCount(), 3);
  QVERIFY(!w.shown());
  w.key(Qt::Key_Y);
  w.at_frame(3);
  QCOMPARE(w.shown()->style, CompareStyle::difference);
  QVERIFY(w.window->action("compare_difference")->isChecked());
  QVERIFY2(w.panel()->text().contains("ID 1 in the project is 7 in strict, was 5"),
           qPrintable(w.panel()->text()));
  w.key(Qt::Key_Y);
  w.at_frame(6);
  QVERIFY(w.shown()->sides[0].people.at(0).differs);
  QVERIFY(w.shown()->sides[1].people.empty());
  w.key(Qt::Key_Y);
  w.at_frame(8);
  QVERIFY((*w.shown()->place_in_world_m - Eigen::Vector3d(-0.5, -0.5, 0)).norm() < 1e-9);
  keep_picture(*w.window, "compare_difference");
  w.key(Qt::Key_Y);
  w.at_frame(3);
  w.key(Qt::Key_Y, Qt::ShiftModifier);
  w.at_frame(8);
  w.seek(7);
  QTRY_VERIFY(!w.shown()->place_in_world_m);
  w.key(Qt::Key_Y, Qt::ShiftModifier);
  w.at_frame(6);
  w.window->action("compare_difference")->trigger();  // off: the way goes on from where one is
  w.seek(2);
  QTRY_VERIFY(w.panel()->text().startsWith("People differ"));
  w.key(Qt::Key_Y);
  w.at_frame(3);
}

// A's are the truth; B loses the person from frame 6 on and has somebody false, in blocks too few to be sure.
void CompareTest::ground_truth_says_which_is_better() {
  CompareWindow w;
  QTRY_COMPARE(w.panel()->list()->rowCount(), 3);
  QTRY_VERIFY2(w.panel()->figures_text().contains("Draw ground truth"),
               qPrintable(w.panel()->figures_text()));
  w.session->post(command::Edit{
      "truth", [](Project& project) { project.truth = {{1, 0, {{0, 0, 0}, {kFrames - 1, 0, 0}}}}; }});
  QTRY_VERIFY(w.panel()->figures()->rowCount() > 5);
  const auto row_of = [&](const QString& figure) {
    for (int row = 0; row < w.panel()->figures()->rowCount(); ++row)
      if (w.panel()->figures()->item(row, 0)->text() == figure) return row;
    return -1;
  };
  const auto cell = [&](const QString& figure, int column) {
    const QTableWidgetItem* item =
        w.panel()->figures()->item(row_of(figure), column);  // null while measuring
    return item ? item->text() : QString();
  };
  QCOMPARE(cell("Recall", 1), QString("1.000"));
  QCOMPARE(cell("Recall", 2), QString("0.500"));
  QCOMPARE(cell("Recall", 3), QString("too short to tell"));
  QVERIFY2(w.panel()->figures()->item(row_of("Recall"), 3)->toolTip().contains("no interval"),
           qPrintable(w.panel()->figures()->item(row_of("Recall"), 3)->toolTip()));
  QVERIFY(row_of("OSPA (m)") >= 0 && row_of("GOSPA (m)") >= 0);
  auto* pages = w.panel()->findChild<QTabWidget*>();
  pages->setCurrentIndex(1);
  QVERIFY(w.panel()->figures()->isVisible());
  keep_picture(*w.window, "compare_quality");
  // Over more frames the same is told.
  const auto missing = [](int frame) {
    const bool missed = std::mt19937(static_cast<uint32_t>(frame))() % 7 < 3;  // not by any rule of time
    return missed ? std::vector<Standing>() : std::vector<Standing>{{1, 0, 0}};
  };
  write_results(w.project().results_folder(), one_person, 400);
  write_results(w.folder_of_strict(), missing, 400);
  w.session->post(
      command::Edit{"truth", [](Project& project) { project.truth = {{1, 0, {{0, 0, 0}, {399, 0, 0}}}}; }});
  QTRY_COMPARE(cell("Recall", 3), QString("worse"));
}

void CompareTest::differences_are_listed_by_kind_and_gone_to_by_clicks() {
  CompareWindow w;
  QTRY_COMPARE(w.panel()->list()->rowCount(), 3);
  for (const QAbstractButton* one : w.panel()->findChildren<QAbstractButton*>()) {
    if (one->inherits("QTableCornerButton") || one->parent()->inherits("QTabBar")) continue;
    const QRect drawn(one->mapTo(w.panel(), QPoint()), one->size());
    QVERIFY2(w.panel()->rect().contains(drawn) && one->width() >= one->sizeHint().width(),
             qPrintable(one->text()));
    QVERIFY2(!one->visibleRegion().isEmpty(), qPrintable(one->text()));
  }
  const auto click = [&](int row, int column) {
    const QRect cell = w.panel()->list()->visualItemRect(w.panel()->list()->item(row, column));
    QTest::mouseClick(w.panel()->list()->viewport(), Qt::LeftButton, {}, cell.center());
  };
  click(2, 1);
  w.at_frame(8);
  w.seek(0);
  QTRY_VERIFY(!w.shown()->place_in_world_m);
  click(2, 0);  // the selected one again
  w.at_frame(8);
  QTest::mouseClick(w.panel()->list()->viewport(), Qt::LeftButton, {},
                    QPoint(20, w.panel()->list()->viewport()->height() - 5));  // below the rows
  w.at_frame(8);
  w.panel()->kinds()->setCurrentIndex(2);
  QCOMPARE(w.panel()->list()->rowCount(), 1);
  w.key(Qt::Key_Y);
  w.at_frame(3);
  w.panel()->kinds()->setCurrentIndex(3);
  QCOMPARE(w.panel()->list()->rowCount(), 0);
  QVERIFY(!w.window->action("next_difference")->isEnabled());
  QVERIFY(w.window->action("next_difference")->toolTip().contains("do not differ"));
  w.window->action("swap_compared")->trigger();
  w.panel()->kinds()->setCurrentIndex(1);
  QTRY_COMPARE(w.panel()->list()->rowCount(), 2);
  QVERIFY(w.panel()->list()->item(0, 1)->text().startsWith("only the project has a person"));
  QCOMPARE(w.panel()->differences()[0].kind, DifferenceKind::only_second);
}

void CompareTest::the_divider_is_dragged_in_every_view() {
  CompareWindow w([](int) { return std::vector<Standing>{{4, 0.02, 0}}; });
  w.compare("compare_wipe");
  const auto divider = [&](const QRectF& area) {
    return QPointF(area.left() + w.shown()->wipe * area.width(), area.bottom() - 3);
  };
  const QRectF picture = w.cameras()->picture_area(1);
  QCOMPARE(w.shown()->wipe, 0.5);
  drag(w.cameras(), divider(picture) + QPointF(40, 0), picture.center());  // beside it
  QCOMPARE(w.shown()->wipe, 0.5);
  drag(w.cameras(), divider(picture), picture.center(), Qt::RightButton);
  QCOMPARE(w.shown()->wipe, 0.5);
  const auto colors = [&](QRgb color) {
    return count_like(w.cameras()->grabFramebuffer(), people_part(picture), color);
  };
  drag(w.cameras(), divider(picture), {picture.right() + 50, picture.center().y()});
  QCOMPARE(w.shown()->wipe, 1.0);
  QVERIFY(colors(kSideColors[0]) > 20);
  QCOMPARE(colors(kSideColors[1]), 0);
  drag(w.cameras(), {picture.right() - 1, picture.bottom() - 3},
       {picture.left() + 0.25 * picture.width(), 5});
  QVERIFY(std::abs(w.shown()->wipe - 0.25) < 0.02);
  send(w.cameras(), QEvent::MouseMove, picture.center(), Qt::NoButton);  // let go of
  QVERIFY(std::abs(w.shown()->wipe - 0.25) < 0.02);
  drag(w.cameras(), divider(picture), {picture.left() - 9, 5});
  QCOMPARE(w.shown()->wipe, 0.0);
  QCOMPARE(colors(kSideColors[0]), 0);
  QVERIFY(colors(kSideColors[1]) > 20);
  w.key(Qt::Key_Q, Qt::ShiftModifier);
  QCOMPARE(w.shown()->wipe, 0.05);
  w.key(Qt::Key_Q);
  w.key(Qt::Key_Q);
  QCOMPARE(w.shown()->wipe, 0.0);
  const QRectF scene = w.scene()->rect();
  drag(w.scene(), {1, scene.center().y()}, {0.5 * scene.width(), 20});
  QVERIFY(std::abs(w.shown()->wipe - 0.5) < 0.02);
  keep_picture(*w.window, "compare_wipe");
  w.window->action("compare_wipe")->trigger();
  QVERIFY(!w.shown());
  QVERIFY(!w.window->action("wipe_left")->isEnabled());
}

void CompareTest::blink_shows_one_run_after_the_other() {
  CompareWindow w([](int) { return std::vector<Standing>{{4, 0.02, 0}}; });
  w.compare("compare_blink");
  for (const int turn : {1, 0, 1}) {
    QTRY_COMPARE(w.shown()->turn, turn);
    const QRectF picture = w.cameras()->picture_area(0);
    const QImage drawn = w.cameras()->grabFramebuffer();
    QVERIFY(count_like(drawn, people_part(picture), kSideColors[turn]) > 20);
    QCOMPARE(count_like(drawn, people_part(picture), kSideColors[1 - turn]), 0);
  }
  w.compare("compare_difference");
  QVERIFY(!w.window->action("compare_blink")->isChecked());
  QCOMPARE(w.shown()->turn, 0);
}

void CompareTest::side_by_side_shows_every_camera_twice() {
  CompareWindow w([](int) { return std::vector<Standing>{{4, 0.02, 0}}; });
  w.compare("compare_side_by_side");
  const auto part = [&](int side) { return w.cameras()->picture_area({0, side}); };
  QVERIFY(!part(0).intersects(part(1)));
  QCOMPARE(part(0).size(), part(1).size());
  const QImage drawn = w.cameras()->grabFramebuffer();
  for (const int side : {0, 1}) {
    QVERIFY(count_like(drawn, people_part(part(side)), kSideColors[static_cast<size_t>(side)]) > 20);
    QCOMPARE(count_like(drawn, people_part(part(side)), kSideColors[1 - side]), 0);
  }
  keep_picture(*w.window, "compare_side_by_side");
  const QPointF over_b = part(1).center();
  QWheelEvent wheel(over_b, w.cameras()->mapToGlobal(over_b), {}, {0, 240}, {}, {}, Qt::NoScrollPhase, false);
  const double before = part(0).width();
  QCoreApplication::sendEvent(w.cameras(), &wheel);
  QVERIFY(part(0).width() > before);
  QCOMPARE(part(0).width(), part(1).width());
  send(w.cameras(), QEvent::MouseButtonDblClick, w.cameras()->picture_area({1, 1}).center(), Qt::LeftButton,
       Qt::LeftButton);
  QCOMPARE(w.cameras()->enlarged(), std::optional<int>(1));
  w.window->action("compare_side_by_side")->trigger();
  QCOMPARE(w.cameras()->enlarged(), std::optional<int>(1));
}

void CompareTest::kept_masks_are_drawn_by_side() {
  CompareWindow w([](int) { return std::vector<Standing>(); });
  HostPool pool;
  for (const int side : {0, 1}) {
    Image mask = Image::make(ImageType::u8, 96, 64, pool).value();
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 96; ++x) mask.writable_view<uint8_t>().at(x, y) = x < 24 + 24 * side ? 255 : 0;
    const auto folder = (side == 0 ? w.project().results_folder() : w.folder_of_strict()) / "masks" / "cam1";
    QVERIFY(make_folder(folder).has_value());
    QVERIFY(write_png_gray(folder / "frame_000000.png", mask).has_value());
  }
  w.seek(0);
  QTRY_VERIFY(w.window->action("swap_compared")->isEnabled());
  w.window->action("swap_compared")->trigger();  // compared again, now with masks
  w.compare("compare_difference");
  QTRY_COMPARE(w.shown()->masks.size(), size_t{2});
  QVERIFY(!w.shown()->masks[0].both.isNull());
  QVERIFY(w.shown()->masks[1].sides[0].isNull());
  const auto color = [&](double share) {
    const QRectF picture = w.cameras()->picture_area(0);
    return w.cameras()->grabFramebuffer().pixelColor(
        QPointF(picture.left() + share * picture.width(), picture.top() + 0.6 * picture.height()).toPoint());
  };
  const QColor both = color(0.1), only_a = color(0.37), neither = color(0.9);
  QVERIFY2(only_a.blue() > only_a.red() + 25, qPrintable(only_a.name()));
  QVERIFY2(std::abs(both.blue() - both.red()) < 25, qPrintable(both.name()));
  w.window->action("foreground")->trigger();
  QVERIFY(color(0.37) != only_a);
  QCOMPARE(color(0.9), neither);
  w.seek(1);
  QTRY_VERIFY(w.shown()->masks.size() == 2 && w.shown()->masks[0].both.isNull());
  QTRY_COMPARE(w.panel()->note(), QString("No foreground masks are kept of this frame."));
}

void CompareTest::what_is_missing_or_out_of_date_is_said() {
  CompareWindow w(otherwise, 8, R"({"people":{"min_own":0.4}})");
  w.compare("compare_difference");
  QTRY_VERIFY(w.shown()->sides[1].name.contains("B: strict, \u25b2 out of date"));
  QVERIFY2(w.panel()->text().contains("B is out of date"), qPrintable(w.panel()->text()));
  w.seek(10);
  QTRY_VERIFY(w.shown()->sides[1].name.contains("no data here"));
  QVERIFY(!w.shown()->sides[0].name.contains("no data"));
  QVERIFY2(w.panel()->note().contains("B does not tell who is there in frame 10"),
           qPrintable(w.panel()->note()));
  QCOMPARE(w.shown()->sides[0].people.size(), size_t{1});
  QVERIFY(!w.shown()->sides[0].people[0].differs);
  QVERIFY(w.panel()->text().contains("Neither keeps foreground masks"));
  // Written again meanwhile: compared again once the list is read.
  write_results(w.folder_of_strict(), one_person);
  std::filesystem::last_write_time(w.folder_of_strict() / "results.jsonl",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  w.window->action("compare_dock")->trigger();
  w.window->action("compare_dock")->trigger();
  QTRY_VERIFY2(w.panel()->text().contains("A and B do not differ in 12 frames"),
               qPrintable(w.panel()->text()));
  // Damaged: said, and nothing is drawn.
  QVERIFY(write_file_atomically(w.folder_of_strict() / "results.jsonl", "{\"schema\":\"vanta").has_value());
  w.window->action("swap_compared")->trigger();
  QTRY_VERIFY2(w.panel()->text().contains("results.jsonl"), qPrintable(w.panel()->text()));
  QVERIFY(!w.shown());
}

void CompareTest::what_is_compared_and_how_survives_a_restart() {
  CompareWindow w;
  w.compare("compare_wipe");
  w.window->action("swap_compared")->trigger();
  QTRY_VERIFY(w.shown() && w.shown()->sides[0].name.startsWith("A: strict"));
  w.key(Qt::Key_Q);
  QCOMPARE(w.shown()->wipe, 0.45);
  w.restart();
  QTRY_VERIFY(w.shown());
  QCOMPARE(w.shown()->style, CompareStyle::wipe);
  QCOMPARE(w.shown()->wipe, 0.45);
  QVERIFY(w.shown()->sides[0].name.startsWith("A: strict"));
  QVERIFY(w.shown()->sides[1].name.startsWith("B: the project"));
}

void CompareTest::without_two_results_nothing_is_offered() {
  CompareWindow w(nullptr);
  QTRY_VERIFY2(w.panel()->text().contains("Two results are needed"), qPrintable(w.panel()->text()));
  for (const char* name : {"compare_wipe", "compare_blink", "next_difference", "swap_compared"})
    QVERIFY2(!w.window->action(name)->isEnabled(), name);
  w.key(Qt::Key_Y);
  QVERIFY(!w.shown());
}

// A name is typed, the results are kept under it, and the next ones are compared with them.
void CompareTest::results_are_kept_to_be_compared_with() {
  CompareWindow w(nullptr);
  w.window->action("variants_dock")->trigger();
  auto* variants = w.window->part<VariantsPanel>();
  auto* name = variants->findChild<QLineEdit*>();
  QTRY_VERIFY(w.window->action("keep_results")->isEnabled());
  w.window->action("keep_results")->trigger();
  QCOMPARE(variants->list()->rowCount(), 0);  // without a name
  for (const QAbstractButton* one : variants->findChildren<QAbstractButton*>())
    if (!one->inherits("QTableCornerButton"))
      QVERIFY2(variants->rect().contains({one->mapTo(variants, QPoint()), one->size()}),
               qPrintable(one->text()));
  name->setText("before");
  w.window->action("keep_results")->trigger();
  QTRY_COMPARE(variants->list()->rowCount(), 1);
  QVERIFY(variants->list()->item(0, 2)->text().contains("12 frames"));
  QVERIFY(name->text().isEmpty());
  w.window->action("compare_dock")->trigger();
  QTRY_VERIFY2(w.panel()->text().contains("A and B do not differ in 12 frames"),
               qPrintable(w.panel()->text()));
  name->setText("before");
  w.window->action("keep_results")->trigger();  // nothing is replaced
  const auto said = [&](const QLabel* one) { return one->text().contains("there are results of that name"); };
  QTRY_VERIFY(std::ranges::any_of(variants->findChildren<QLabel*>(), said));
  QVERIFY(std::filesystem::exists(variant_results(w.project().path, "before") / "tracks.csv"));
}

const TestPart<CompareTest> kComparePart("compare");

}  // namespace vantage::ui

#include "compare_test.moc"
