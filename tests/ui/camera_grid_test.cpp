#include <QObject>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/ui/support/fake_scene.h"
#include "tests/ui/support/window_test.h"
#include "ui/platform/host_surface.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {

class CameraGridTest final : public QObject {
  Q_OBJECT
 private slots:
  void shows_every_camera_in_its_colours();
  void names_give_way_to_a_notice();
  void overlay_is_switched_at_once();
  void heights_lie_over_their_camera_in_viridis();
  void enlarges_one_camera();
  void marks_people_where_they_stand();
  void a_part_of_what_is_shown_can_be_kept();
  void a_person_stands_where_one_points();
  void the_floor_map_lies_on_the_floor();
  void heads_are_boxes_in_their_picture();
  void detections_are_boxes_in_their_picture();
  void a_camera_without_a_video_shows_its_detections();
  void says_why_a_frame_is_missing();
  void a_late_live_camera_keeps_its_last_picture();
  void a_live_camera_that_never_sent_has_no_marks();
  void pointing_at_the_floor_names_the_place();
};

namespace {

struct ShownGrid {
  FakeScene scene;
  CameraGrid grid{[] { return std::make_unique<HostSurface>("test"); }};

  explicit ShownGrid(FakeScene made = {}) : scene(made) {
    grid.resize(640, 480);
    grid.set_cameras(scene.project().cameras);
    grid.show();
    grid.show_result(scene.result(10, true));
  }
  QColor at(const QPointF& place) { return grid.grabFramebuffer().pixelColor(place.toPoint()); }
  // Where the person's middle is drawn.
  QPointF person(int camera) { return place(camera, scene.person_in_world_m(10)); }
  QPointF place(int camera, const Eigen::Vector3d& point_in_world_m) {
    const Camera model = *scene.project().cameras[camera].calibration;
    const Eigen::Vector2d pixel = *model.project(point_in_world_m);
    const QRectF area = grid.picture_area(camera);
    return {area.left() + (pixel.x() + 0.5) / model.width_px() * area.width(),
            area.top() + (pixel.y() + 0.5) / model.height_px() * area.height()};
  }
};

int count_like(const QImage& picture, const QRect& area, const QColor& color) {
  int count = 0;
  for (int y = std::max(0, area.top()); y <= std::min(area.bottom(), picture.height() - 1); ++y)
    for (int x = std::max(0, area.left()); x <= std::min(area.right(), picture.width() - 1); ++x) {
      const QColor at = picture.pixelColor(x, y);
      count += std::abs(at.red() - color.red()) + std::abs(at.green() - color.green()) +
                   std::abs(at.blue() - color.blue()) <
               45;
    }
  return count;
}

// BT.601, limited range, of the ellipsoid's cloth (150, 105, 160).
constexpr int kClothRed = 207, kClothBlue = 110;

}  // namespace

void CameraGridTest::shows_every_camera_in_its_colours() {
  ShownGrid shown;
  shown.grid.set_foreground_visible(false);
  for (int camera = 0; camera < 4; ++camera) {
    const QColor color = shown.at(shown.person(camera));
    QVERIFY2(std::abs(color.red() - kClothRed) <= 2, qPrintable(color.name()));
    QVERIFY2(std::abs(color.blue() - kClothBlue) <= 2, qPrintable(color.name()));
  }
}

// The name of a camera under a notice is below it; others stay.
void CameraGridTest::names_give_way_to_a_notice() {
  ShownGrid shown;
  const auto squares_at = [&](int camera, double top) {
    const QRect around(
        QPoint(static_cast<int>(shown.grid.picture_area(camera).left()) + 8, static_cast<int>(top)),
        QSize(30, 24));
    return count_like(shown.grid.grabFramebuffer(), around, camera_color(camera));
  };
  const double top = shown.grid.picture_area(0).top(), lower = shown.grid.picture_area(2).top();
  QVERIFY2(squares_at(0, top + 8) > 60, qPrintable(QString::number(squares_at(0, top + 8))));
  QWidget notice(&shown.grid);
  notice.setGeometry(0, static_cast<int>(top) + 4, shown.grid.width(), 36);
  shown.grid.set_notice(&notice);
  notice.show();
  QCOMPARE(squares_at(0, top + 8), 0);
  QVERIFY(squares_at(0, notice.geometry().bottom() + 2) > 60);
  QVERIFY(squares_at(2, lower + 8) > 60);
  notice.hide();
  QVERIFY(squares_at(0, top + 8) > 60);
  shown.grid.set_notice(nullptr);
}

void CameraGridTest::overlay_is_switched_at_once() {
  ShownGrid shown;
  const QColor tinted = shown.at(shown.person(0));
  // 35 % of #56B4E9 over the cloth.
  QVERIFY(std::abs(tinted.red() - (0.65 * kClothRed + 0.35 * 0x56)) <= 3);
  QVERIFY(std::abs(tinted.blue() - (0.65 * kClothBlue + 0.35 * 0xe9)) <= 3);
  shown.grid.set_bare(true);
  QVERIFY(std::abs(shown.at(shown.person(0)).red() - kClothRed) <= 2);
  shown.grid.set_bare(false);
  QCOMPARE(shown.at(shown.person(0)), tinted);
  shown.grid.set_foreground_visible(false);
  QVERIFY(shown.at(shown.person(0)) != tinted);
}

void CameraGridTest::heights_lie_over_their_camera_in_viridis() {
  ShownGrid shown;
  shown.grid.set_foreground_visible(false);
  const QColor bare = shown.at(shown.person(1)), other = shown.at(shown.person(0));
  const HeightLabels scale{1.4, 0.1, 5};
  const auto show = [&](uint8_t label) {
    shown.grid.show_result(FakeScene::with_heights(shown.scene.result(10, true), 1, scale, label));
  };
  show(2);
  QCOMPARE(shown.at(shown.person(1)), bare);
  shown.grid.set_heights_visible(true);
  // 75 % of viridis' middle.
  const QColor mapped = shown.at(shown.person(1));
  QVERIFY2(std::abs(mapped.red() - (0.25 * bare.red() + 0.75 * 0.128 * 255)) <= 3, qPrintable(mapped.name()));
  QVERIFY2(std::abs(mapped.green() - (0.25 * bare.green() + 0.75 * 0.567 * 255)) <= 3,
           qPrintable(mapped.name()));
  QCOMPARE(shown.at(shown.person(0)), other);
  show(5);  // no head
  QCOMPARE(shown.at(shown.person(1)), bare);
}

void CameraGridTest::enlarges_one_camera() {
  ShownGrid shown;
  shown.grid.set_foreground_visible(false);
  const QRectF small = shown.grid.picture_area(2);
  QSignalSpy changes(&shown.grid, &CameraGrid::enlarged_changed);
  shown.grid.enlarge(2);
  QCOMPARE(changes.count(), 1);
  QVERIFY(shown.grid.picture_area(2).width() > 1.9 * small.width());
  QVERIFY(std::abs(shown.at(shown.person(2)).red() - kClothRed) <= 2);
  shown.grid.enlarge(7);  // no such camera
  QCOMPARE(shown.grid.enlarged(), std::optional<int>(2));
  shown.grid.enlarge(std::nullopt);
  QCOMPARE(shown.grid.picture_area(2), small);
}

void CameraGridTest::marks_people_where_they_stand() {
  ShownGrid shown;
  shown.grid.set_foreground_visible(false);
  const QImage bare = shown.grid.grabFramebuffer();
  Marks marks;
  Eigen::Vector3d place = shown.scene.person_in_world_m(10);
  place.z() = 0;
  marks.people = {{4, place, 1.8}};  // vermilion, solid
  const QColor color = person_color(4);
  for (const PeopleStyle style : {PeopleStyle::box, PeopleStyle::ring, PeopleStyle::number}) {
    marks.people_style = style;
    shown.grid.set_marks(marks);
    const QImage picture = shown.grid.grabFramebuffer();
    for (int camera = 0; camera < 4; ++camera) {
      const QRect around(shown.person(camera).toPoint() - QPoint(60, 110), QSize(120, 220));
      QVERIFY2(count_like(picture, around, color) > 40, qPrintable(QString("camera %1").arg(camera)));
      QCOMPARE(count_like(bare, around, color), 0);
    }
  }
  shown.grid.set_bare(true);
  QCOMPARE(shown.grid.grabFramebuffer(), [&] {
    shown.grid.set_marks({});
    return shown.grid.grabFramebuffer();
  }());
}

void CameraGridTest::a_part_of_what_is_shown_can_be_kept() {
  ShownGrid shown;
  shown.grid.set_foreground_visible(false);
  for (int camera = 0; camera < 4; ++camera) {
    const Camera model = *shown.scene.project().cameras[camera].calibration;
    const Eigen::Vector2d pixel = *model.project(shown.scene.person_in_world_m(10));
    const QImage part = shown.grid.shown_part(camera, QRectF(pixel.x() - 20, pixel.y() - 20, 40, 40));
    QVERIFY(!part.isNull());
    const QColor middle = part.pixelColor(part.rect().center());
    QVERIFY2(std::abs(middle.red() - kClothRed) <= 2, qPrintable(middle.name()));
  }
  QVERIFY(shown.grid.shown_part(0, QRectF(-500, -500, 100, 100)).isNull());
  shown.grid.enlarge(1);
  QVERIFY(shown.grid.shown_part(0, QRectF(0, 0, 40, 40)).isNull());
}

void CameraGridTest::a_person_stands_where_one_points() {
  ShownGrid shown;
  shown.grid.set_foreground_visible(false);
  shown.grid.set_pointed(Eigen::Vector3d(-0.6, 0.3, 0));
  const QImage with = shown.grid.grabFramebuffer();
  Marks marks;
  marks.figure = false;
  shown.grid.set_marks(marks);
  const QImage without = shown.grid.grabFramebuffer();
  for (int camera = 0; camera < 4; ++camera) {
    const auto near = [&](double height_m) {
      const QPointF at = shown.place(camera, {-0.6, 0.3, height_m});
      return QRect(at.toPoint() - QPoint(14, 10), QSize(28, 20));
    };
    const QColor yellow(kSelection);
    QVERIFY2(count_like(with, near(0), yellow) > 10, "the ring at its feet");
    QVERIFY2(count_like(with, near(kStandingFigure_m), yellow) > 3, "its head");
    QVERIFY(count_like(without, near(0), yellow) > 10);
    QCOMPARE(count_like(without, near(kStandingFigure_m), yellow), 0);
  }
}

void CameraGridTest::the_floor_map_lies_on_the_floor() {
  ShownGrid shown;
  shown.grid.set_foreground_visible(false);
  const QImage before = shown.grid.grabFramebuffer();
  Marks marks;
  const VoxelGrid cells{{-1.2, -0.4, 0}, 0.1, 8, 8, 1};
  marks.floor_map =
      std::make_shared<const FloorPicture>(cividis_picture(cells, 0, std::vector<float>(64, 1.0F)));
  shown.grid.set_marks(marks);
  const QImage with = shown.grid.grabFramebuffer();
  for (int camera = 0; camera < 4; ++camera) {
    const QColor on = with.pixelColor(shown.place(camera, {-0.8, 0, 0}).toPoint());
    const QColor floor = before.pixelColor(shown.place(camera, {-0.8, 0, 0}).toPoint());
    const double share = kFloorAlpha / 255.0;
    QVERIFY(std::abs(on.red() - (share * 254 + (1 - share) * floor.red())) <= 4);
    QVERIFY(std::abs(on.blue() - (share * 56 + (1 - share) * floor.blue())) <= 4);
    const QPoint beside = shown.place(camera, {-0.8, 0.7, 0}).toPoint();
    QCOMPARE(with.pixelColor(beside), before.pixelColor(beside));
  }
}

void CameraGridTest::heads_are_boxes_in_their_picture() {
  ShownGrid shown;
  shown.grid.set_foreground_visible(false);
  const QImage before = shown.grid.grabFramebuffer();
  Marks marks;
  marks.heads = {{}, {{QRectF(100, 60, 30, 40), false}}};
  shown.grid.set_marks(marks);
  const QImage with = shown.grid.grabFramebuffer();
  const QRect first = shown.grid.picture_area(0).toAlignedRect();
  QCOMPARE(with.copy(first), before.copy(first));
  const QRectF area = shown.grid.picture_area(1);
  const double scale = area.width() / 160.0;  // of the scene's pictures
  const QPoint corner = (area.topLeft() + QPointF(100, 60) * scale).toPoint();
  QVERIFY(count_like(with, QRect(corner - QPoint(3, 3), QSize(7, 7)), QColor(Qt::white)) > 3);
  const QPoint middle = (area.topLeft() + QPointF(115, 80) * scale).toPoint();
  QCOMPARE(with.pixelColor(middle), before.pixelColor(middle));
  // Dashed where other views helped.
  const QRect edge(corner.x() - 3, corner.y(), 7, static_cast<int>(40 * scale));
  marks.heads[1][0].guided = true;
  shown.grid.set_marks(marks);
  const QImage dashed = shown.grid.grabFramebuffer();
  QVERIFY(count_like(dashed, edge, QColor(Qt::white)) > 3);
  QVERIFY(4 * count_like(dashed, edge, QColor(Qt::white)) < 3 * count_like(with, edge, QColor(Qt::white)));
}

// Orange, dimmed where the score is low, dashed where it is not of this frame; joints that were seen are
// dots.
void CameraGridTest::detections_are_boxes_in_their_picture() {
  ShownGrid shown;
  shown.grid.set_foreground_visible(false);
  const QImage before = shown.grid.grabFramebuffer();
  PersonDetection seen{100, 30, 30, 60, 0.87F, {}};
  Marks marks;
  marks.detections.resize(2);
  marks.detections[1].people = {{seen, DetectionStrength::shown}};
  const auto draw = [&] {
    shown.grid.set_marks(marks);
    return shown.grid.grabFramebuffer();
  };
  const QImage with = draw();
  const QRect first = shown.grid.picture_area(0).toAlignedRect();
  QCOMPARE(with.copy(first), before.copy(first));
  const QRectF area = shown.grid.picture_area(1);
  const double scale = area.width() / 160.0;  // of the scene's pictures
  const auto at = [&](double x, double y) {
    return (area.topLeft() + QPointF(x + 0.5, y + 0.5) * scale).toPoint();
  };
  const QColor orange(kDoubtful);
  const QRect edge(at(100, 32) - QPoint(3, 0), QSize(7, static_cast<int>(50 * scale)));
  const auto all = [&](const QImage& picture) { return count_like(picture, edge, orange); };
  QVERIFY(all(with) > 50 * scale / 2);
  const QRect words(at(100, 91), QSize(40, 18));
  QVERIFY2(count_like(with, words, orange) > 5, "its score, below");
  QCOMPARE(with.pixelColor(at(115, 60)), before.pixelColor(at(115, 60)));
  marks.detections[1].people[0].strength = DetectionStrength::weak;
  const QImage dimmed = draw();
  QVERIFY2(all(dimmed) < all(with) / 4, "dimmed");
  QVERIFY(dimmed.copy(edge) != before.copy(edge));
  marks.detections[1].people[0].strength = DetectionStrength::shown;
  marks.detections[1].age_frames = 3;
  const QImage old = draw();
  QVERIFY2(4 * all(old) < 3 * all(with) && all(old) > 0, "dashed");
  QVERIFY2(count_like(old, QRect(at(0, 0), QSize(120, 60)), orange) >
               count_like(with, QRect(at(0, 0), QSize(120, 60)), orange),
           "says how old");
  marks.detections[1].age_frames = 0;
  marks.detections[1].people[0].seen.keypoints = {{115, 60, 0.8F}, {120, 70, 0}};
  const QImage joints = draw();
  QVERIFY(count_like(joints, QRect(at(115, 60) - QPoint(2, 2), QSize(5, 5)), orange) > 4);
  QCOMPARE(joints.pixelColor(at(120, 70)), before.pixelColor(at(120, 70)));
}

void CameraGridTest::a_camera_without_a_video_shows_its_detections() {
  FakeScene scene;
  scene.videos = scene.calibrated = false;
  ShownGrid shown(scene);
  const QRectF area = shown.grid.picture_area(1);
  QVERIFY2(std::abs(area.width() / area.height() - 160.0 / 120) < 0.02,
           "of the size that the project states");
  const auto at = [&](double x, double y) {
    return (area.topLeft() + QPointF(x + 0.5, y + 0.5) * area.width() / 160.0).toPoint();
  };
  const QImage empty = shown.grid.grabFramebuffer();
  QCOMPARE(empty.pixelColor(at(80, 60)), QColor(kNoPicture));
  QCOMPARE(empty.pixelColor(at(3, 117)), QColor(kNoPicture));
  Marks marks;
  marks.detections.resize(2);
  marks.detections[1].people = {{{60, 40, 40, 60, 0.9F, {}}, DetectionStrength::shown}};
  shown.grid.set_marks(marks);
  const QImage with = shown.grid.grabFramebuffer();
  QVERIFY(count_like(with, QRect(at(60, 42) - QPoint(3, 0), QSize(7, 40)), QColor(kDoubtful)) > 20);
  QCOMPARE(with.pixelColor(at(80, 60)), QColor(kNoPicture));
}

void CameraGridTest::says_why_a_frame_is_missing() {
  FakeScene scene;
  scene.without_picture = 1;
  ShownGrid shown(scene);
  const QImage picture = shown.grid.grabFramebuffer();
  const QRectF area = shown.grid.picture_area(1).adjusted(10, 40, -10, -10);
  int words = 0;
  for (int y = static_cast<int>(area.top()); y < area.bottom(); ++y)
    for (int x = static_cast<int>(area.left()); x < area.right(); ++x)
      words += picture.pixelColor(x, y).lightness() > 100;
  QVERIFY2(words > 50, "no words where the picture would be");
  QVERIFY2(words < area.width() * area.height() / 4, "something else than words there");
}

namespace {

// The result with its pictures taken at that time.
FrameResultRef taken_at(const FrameResultRef& result, double time_s) {
  auto set = std::make_shared<FrameSetArtifact>(*result->artifacts.video);
  set->frames.time_ns = std::llround(time_s * 1e9);
  auto taken = std::make_shared<FrameResult>(*result);
  taken->artifacts.video = std::move(set);
  return taken;
}

int bright(const QImage& picture, const QRectF& area) {
  return count_like(picture, area.toAlignedRect(), QColor(Qt::white));
}

}  // namespace

void CameraGridTest::a_late_live_camera_keeps_its_last_picture() {
  ShownGrid shown;
  shown.grid.set_foreground_visible(false);
  shown.grid.set_live(true);
  FakeScene late = shown.scene;
  late.without_picture = 2;
  const QPointF person = shown.person(2);
  const QRectF title(shown.grid.picture_area(2).topLeft(), QSizeF(160, 70));
  shown.grid.show_result(taken_at(shown.scene.result(10, true), 10));
  const QColor fresh = shown.at(person);
  QVERIFY(std::abs(fresh.red() - kClothRed) <= 2);
  const auto age_shown = [&] {
    return count_like(shown.grid.grabFramebuffer(), title.toAlignedRect(), QColor(kDoubtful)) > 30;
  };
  QVERIFY(!age_shown());
  shown.grid.show_result(taken_at(late.result(10, true), 10.5));
  QCOMPARE(shown.at(person), fresh);
  QVERIFY(!age_shown());
  // Dimmed, with its age, however long it takes.
  for (const double after_s : {3.0, 300.0}) {
    shown.grid.show_result(taken_at(late.result(10, true), 10 + after_s));
    const QColor old = shown.at(person);
    QVERIFY2(old.red() == old.green() && old.red() > 30 && old.red() < fresh.red() / 2,
             qPrintable(old.name()));
    QVERIFY(age_shown());
  }
  QVERIFY(std::abs(shown.at(shown.person(1)).red() - kClothRed) <= 2);
  // What became of it is said over its picture.
  const QRectF middle(shown.grid.picture_area(2).center() - QPointF(100, 20), QSizeF(200, 60));
  const auto said = [&] {
    const QImage picture = shown.grid.grabFramebuffer().copy(middle.toAlignedRect());
    int words = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) words += picture.pixelColor(x, y).lightness() > 140;
    return words;
  };
  const int before = said();
  shown.grid.set_states(
      {{}, {}, {CameraStanding::away, "not connected", "the connection was refused", 300}, {}});
  QVERIFY(said() > before + 100);
  // A picture is not of another instant of the past, nor of the next project.
  shown.grid.set_states({});
  shown.grid.set_past("3 s ago");
  QVERIFY(shown.at(person).lightness() < 40);
  shown.grid.set_past({});
  shown.grid.show_result(taken_at(shown.scene.result(10, true), 320));
  QCOMPARE(shown.at(person), fresh);
  shown.grid.show_result(nullptr);
  shown.grid.show_result(taken_at(late.result(10, true), 0));
  QVERIFY(shown.at(person).lightness() < 40);
}

void CameraGridTest::a_live_camera_that_never_sent_has_no_marks() {
  FakeScene scene;
  scene.without_picture = 1;
  ShownGrid shown(scene);
  Marks marks;
  marks.shapes = {{.name = "zone 1", .corners_m = {{-0.8, -0.8}, {0.8, -0.8}, {0.8, 0.8}, {-0.8, 0.8}}}};
  shown.grid.set_marks(marks);
  const QRectF area = shown.grid.picture_area(1).adjusted(10, 40, -10, -10);
  const int drawn = bright(shown.grid.grabFramebuffer(), area);
  QVERIFY(drawn > 50);
  shown.grid.set_live(true);
  QCOMPARE(bright(shown.grid.grabFramebuffer(), area), 0);
}

void CameraGridTest::pointing_at_the_floor_names_the_place() {
  ShownGrid shown;
  std::optional<Eigen::Vector3d> place;
  connect(&shown.grid, &CameraGrid::pointed, &shown.grid,
          [&](const std::optional<Eigen::Vector3d>& p) { place = p; });
  const Camera model = *shown.scene.project().cameras[0].calibration;
  const Eigen::Vector3d wanted(0.5, -0.25, 0);
  const Eigen::Vector2d pixel = *model.project(wanted);
  const QRectF area = shown.grid.picture_area(0);
  const QPointF mouse(area.left() + (pixel.x() + 0.5) / model.width_px() * area.width(),
                      area.top() + (pixel.y() + 0.5) / model.height_px() * area.height());
  QMouseEvent move(QEvent::MouseMove, mouse, shown.grid.mapToGlobal(mouse), Qt::NoButton, Qt::NoButton, {});
  QCoreApplication::sendEvent(&shown.grid, &move);
  QVERIFY(place.has_value());
  QVERIFY((*place - wanted).norm() < 1e-3);
}

const TestPart<CameraGridTest> kCameraGridPart("camera_grid");

}  // namespace vantage::ui

#include "camera_grid_test.moc"
