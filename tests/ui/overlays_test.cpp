#include <QApplication>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QStatusBar>
#include <QTableWidget>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>

#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/boxes/box_control.h"
#include "ui/main_window/boxes/box_list.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/panel_controls.h"
#include "ui/main_window/result_text.h"
#include "ui/main_window/why/why_control.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/height_map_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/platform/height_map_runner.h"
#include "ui/platform/host_surface.h"
#include "ui/views/box_editor.h"
#include "ui/views/camera_grid.h"
#include "ui/views/height_map_canvas.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/curve_plot.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// Overlays of the pictures and the scene, and the height map next to them.
class OverlaysTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void overlays_follow_their_keys();
  void pointing_tells_why_a_peak_was_rejected();
  void heads_tell_how_tall_people_are();
  void detections_are_marked_by_score_and_age();
  void detections_say_what_they_need();
  void skeletons_have_the_limbs_that_are_known();
  void people_without_pictures_are_no_empty_scene();
  void pointing_tells_which_detections_carry_a_person();
  void a_click_asks_why();
  void nothing_is_asked_about_where_nothing_can_be_told();
  void overlays_without_their_stage_offer_it();
  void a_box_is_made_edited_and_undone();
  void boxes_are_added_chosen_renamed_and_removed();
  void the_region_is_edited_by_numbers();
  void overlays_say_what_they_need();
  void the_height_map_is_shown_and_tuned();
  void only_the_newest_height_map_is_finished();
  void the_height_map_lies_beside_or_over_its_picture();
};

void OverlaysTest::overlays_follow_their_keys() {
  OpenWindow w;
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  QTRY_COMPARE(marks.people.size(), size_t{1});
  QCOMPARE(marks.people[0].id, FakeScene::kPerson);
  const std::pair<int, QAction*> keys[] = {
      {Qt::Key_P, w.window->action("people")}, {Qt::Key_T, w.window->action("trails")},
      {Qt::Key_V, w.window->action("volume")}, {Qt::Key_G, w.window->action("floor_map")},
      {Qt::Key_R, w.window->action("region")}, {Qt::Key_C, w.window->action("coverage")},
      {Qt::Key_S, w.window->action("figure")}, {Qt::Key_D, w.window->action("details")},
      {Qt::Key_U, w.window->action("cut")}};
  for (const auto& [key, action] : keys) {
    const bool before = action->isChecked();
    w.key(key);
    QVERIFY2(action->isChecked() != before, qPrintable(action->text()));
  }
  QVERIFY(marks.people.empty());
  QVERIFY(!marks.everybody.empty());
  QVERIFY(marks.floor_map && marks.region && !marks.coverage.empty() && !marks.figure);
  QCOMPARE(w.last(), QString("set_cut 1"));
  w.key(Qt::Key_Up, Qt::ShiftModifier);
  QCOMPARE(w.last(), QString("set_cut 1.1"));
  w.key(Qt::Key_U, Qt::ShiftModifier);
  QCOMPARE(w.last(), QString("set_cut 0"));  // across x, in the middle
  w.key(Qt::Key_Down, Qt::ShiftModifier);
  QCOMPARE(w.last(), QString("set_cut -0.1"));
  for (int turns = 0; turns < 2; ++turns) w.key(Qt::Key_U, Qt::ShiftModifier);
  QCOMPARE(w.last(), QString("set_cut 1.1"));  // where it was
  w.key(Qt::Key_U);
  QCOMPARE(w.last(), QString("set_cut none"));
  w.key(Qt::Key_T);
  w.session().post(command::Seek{1});
  w.session().post(command::Seek{2});
  QTRY_VERIFY(!marks.trails.empty());
  const PeopleStyle style = marks.people_style;
  w.key(Qt::Key_P, Qt::ShiftModifier);
  QVERIFY(marks.people_style != style);
  QVERIFY2(!marks.people.empty(), "asking for a style shows them");
}

void OverlaysTest::pointing_tells_why_a_peak_was_rejected() {
  OpenWindow w;
  QTRY_COMPARE(w.window->part<OverlayControl>()->marks().rejected.size(), size_t{1});
  const Eigen::Vector3d position = FakeScene::rejected_in_world_m();
  QCOMPARE(w.window->part<OverlayControl>()->rejected_because(position + Eigen::Vector3d(0.2, 0, 0)),
           QString("too small"));
  QCOMPARE(w.window->part<OverlayControl>()->rejected_because(position + Eigen::Vector3d(0.4, 0, 0)),
           QString());
  QLabel* label = nullptr;
  for (QLabel* candidate : w.window->statusBar()->findChildren<QLabel*>())
    if (candidate->accessibleName() == "Position") label = candidate;
  QVERIFY(label);
  emit w.window->workspace()->scene()->pointed(position);
  QVERIFY2(label->text().contains("not a person: too small"), qPrintable(label->text()));
  emit w.window->workspace()->cameras()->pointed(std::nullopt);
  QCOMPARE(label->text(), QString());
}

void OverlaysTest::heads_tell_how_tall_people_are() {
  OpenWindow w;
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  QTRY_COMPARE(marks.people.size(), size_t{1});
  const auto show = [&] {
    emit w.bridge()->frame_ready(FakeScene{}.shown(FakeScene::with_head(FakeScene{}.result(3, true), 1.66)));
    return marks.people.at(0).by_head_m;
  };
  w.session().post(command::SetParameter{"heads", "enabled", 1});
  QCoreApplication::processEvents();
  QCOMPARE(show(), 1.78);
  w.key(Qt::Key_H);  // heads are not shown: nor what they tell
  QCOMPARE(show(), 0.0);
  w.key(Qt::Key_H);
  QCOMPARE(show(), 1.78);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// Detections of a frame that no detector looked at are the last ones, with their age; a score too low to be
// kept goes, one that is kept but no evidence stays and says so.
void OverlaysTest::detections_are_marked_by_score_and_age() {
  FakeScene scene;
  scene.detections = true;
  OpenWindow w(scene);
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  const auto show = [&](int64_t frame, bool looked) {
    std::vector<CameraDetections> cameras(4);
    if (looked)
      cameras[1] = {true, {{10, 20, 30, 60, 0.9F, {}}, {70, 20, 20, 50, 0.45F, {}}, {5, 5, 9, 20, 0.3F, {}}}};
    emit w.bridge()->frame_ready(scene.shown(FakeScene::with_detections(scene.result(frame, true), cameras)));
  };
  show(3, true);
  QCOMPARE(marks.detections.size(), size_t{4});
  QVERIFY(marks.detections[0].people.empty());
  QCOMPARE(marks.detections[1].people.size(), size_t{2});
  QCOMPARE(marks.detections[1].age_frames, int64_t{0});
  QVERIFY(marks.detections[1].people[0].strength == DetectionStrength::shown);
  QVERIFY(marks.detections[1].people[1].strength == DetectionStrength::weak);
  show(5, false);
  QCOMPARE(marks.detections[1].people.size(), size_t{2});
  QCOMPARE(marks.detections[1].age_frames, int64_t{2});
  show(2, false);  // before that look: nothing is known
  QVERIFY(marks.detections[1].people.empty());
  show(40, false);  // too long ago
  QVERIFY(marks.detections[1].people.empty());
  w.session().post(command::SetParameter{"detections", "min_score", 0.2});
  QCoreApplication::processEvents();
  show(6, true);
  QCOMPARE(marks.detections[1].people.size(), size_t{3});
  QVERIFY(marks.detections[1].people[2].strength == DetectionStrength::no_evidence);
  w.key(Qt::Key_D, Qt::ShiftModifier);
  QVERIFY(!w.window->action("detections")->isChecked() && marks.detections.empty());
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

// A limb needs both of its joints. Limbs are in the colour of the person's number, in every view.
void OverlaysTest::skeletons_have_the_limbs_that_are_known() {
  FakeScene scene;
  scene.detections = true;
  OpenWindow w(scene);
  w.session().post(command::SetParameter{"skeletons", "enabled", 1});
  QCoreApplication::processEvents();
  PersonSkeleton skeleton{find_skeleton("COCO_17"), {}};
  skeleton.joints.resize(17);
  for (const auto& [name, z_m] : {std::pair{"left_hip", 0.9}, {"left_knee", 0.5}, {"right_ankle", 0.1}})
    skeleton.joints[skeleton.layout->joint(name)].emplace().point_in_world_m = {0.8, 0, z_m};
  emit w.bridge()->frame_ready(scene.shown(FakeScene::with_skeleton(scene.result(3, true), skeleton)));
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  QCOMPARE(marks.skeletons.size(), size_t{1});
  QCOMPARE(marks.skeletons[0].id, FakeScene::kPerson);
  QCOMPARE(marks.skeletons[0].limbs_in_world_m.size(), size_t{1});
  QCOMPARE(marks.skeletons[0].limbs_in_world_m[0][1].z(), 0.5);
  w.key(Qt::Key_J, Qt::ShiftModifier);
  QVERIFY(!w.window->action("skeletons")->isChecked() && marks.skeletons.empty());
  w.key(Qt::Key_J, Qt::ShiftModifier);
  QCOMPARE(marks.skeletons.size(), size_t{1});
  w.session().post(command::SetParameter{"skeletons", "enabled", 0});
  QCoreApplication::processEvents();
  w.key(Qt::Key_J, Qt::ShiftModifier);
  QVERIFY2(button(w.window->messages(), "Join Joints"), qPrintable(w.window->messages()->text()));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void OverlaysTest::detections_say_what_they_need() {
  OpenWindow without;
  QAction* none = without.window->action("detections");
  QVERIFY(!none->isEnabled());
  QVERIFY2(none->toolTip().contains("neither a model nor files"), qPrintable(none->toolTip()));
  FakeScene scene;
  scene.detections = true;
  OpenWindow w(scene);
  QAction* detections = w.window->action("detections");
  QVERIFY(detections->isEnabled());
  w.session().post(command::SetParameter{"detections", "enabled", 0});
  QCoreApplication::processEvents();
  w.key(Qt::Key_D, Qt::ShiftModifier);
  QVERIFY2(detections->isChecked(), "asked for, so they are shown as soon as they are there");
  QPushButton* offer = button(w.window->messages(), "Use Detections");
  QVERIFY2(offer, qPrintable(w.window->messages()->text()));
  offer->click();
  QCOMPARE(w.last(), QString("set_parameter detections.enabled 1"));
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

namespace {

// A window on a frame in which three cameras see the scene's person, one sees nobody.
struct EvidenceWindow : OpenWindow {
  EvidenceWindow() : OpenWindow(scene_with_detections()) {
    const FakeScene scene = scene_with_detections();
    FrameResultRef result = scene.result(3, true);
    std::vector<CameraDetections> seen(4, CameraDetections{true, {}});
    std::vector<CameraEvidence> evidence;
    for (int32_t c = 0; c < 4; ++c) {
      if (c < 3) seen[c].people = {{40, 20, 30, 60, 0.91F, {}}};
      evidence.push_back({c, c < 3 ? 0 : -1, c < 3 ? 4.0 : -1.5, 0.8});
    }
    result = FakeScene::with_fused(FakeScene::with_detections(result, seen), evidence);
    emit bridge() -> frame_ready(scene.shown(result));
    QCoreApplication::processEvents();
    person = scene.person_in_world_m(3);
    person.z() = 0;
  }
  static FakeScene scene_with_detections() {
    FakeScene scene;
    scene.detections = true;
    return scene;
  }
  CameraGrid* cameras() const { return window->workspace()->cameras(); }
  SceneView* scene() const { return window->workspace()->scene(); }
  // Where a camera's view shows a position.
  QPoint in_camera(int camera, const Eigen::Vector3d& position) {
    const Camera model = *session().project().cameras[camera].calibration;
    const Eigen::Vector2d pixel = *model.project(position);
    const QRectF area = cameras()->picture_area(camera);
    return QPointF(area.left() + (pixel.x() + 0.5) / model.width_px() * area.width(),
                   area.top() + (pixel.y() + 0.5) / model.height_px() * area.height())
        .toPoint();
  }
  // The entry of the menu that is open; null: none is.
  static QAction* why_entry() {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    return menu ? menu->actions().front() : nullptr;
  }
  static void close_popups() {
    while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    QCoreApplication::processEvents();
  }
  Eigen::Vector3d person;
};

}  // namespace

// People from detections alone: nothing is carved, which is neither an empty room nor 0 litres.
void OverlaysTest::people_without_pictures_are_no_empty_scene() {
  FakeScene scene;
  scene.detections = scene.without_person = true, scene.videos = false;
  const Project project = scene.project();
  const auto result = std::make_shared<FrameResult>(
      *FakeScene::with_detections(scene.result(3, true), std::vector<CameraDetections>(4)));
  const auto with = [&](bool person, bool looked) {
    auto people = std::make_shared<PeopleArtifact>(*result->people());
    people->found.people.resize(person ? 1 : 0);
    people->looked = looked;
    people->stopped_at = person ? "" : "no camera has a detection";
    result->artifacts.people = std::move(people);
    return scene_text(project, *scene.shown(result)).text;
  };
  QCOMPARE(with(true, true), QString());
  QCOMPARE(with(false, true), QString("No one found: no camera has a detection."));
  QVERIFY(with(false, false).contains("Whether anyone is here is unknown"));
  QCOMPARE(volume_text(*result), QString());
}

void OverlaysTest::pointing_tells_which_detections_carry_a_person() {
  EvidenceWindow w;
  const EvidenceControl* evidence = w.window->part<EvidenceControl>();
  const QPointF on_body = w.in_camera(0, w.person + Eigen::Vector3d(0, 0, 1.2));
  QMouseEvent move(QEvent::MouseMove, on_body, w.cameras()->mapToGlobal(on_body), Qt::NoButton, {}, {});
  QCoreApplication::sendEvent(w.cameras(), &move);
  const QString body = evidence->hover_text();
  QVERIFY2(body.contains("person 1") && body.contains("confidence 0.98"), qPrintable(body));
  QVERIFY2(body.contains("cam1: sees them, score 0.91"), qPrintable(body));
  QVERIFY2(body.contains("cam4: sees no one here, though 80 %"), qPrintable(body));
  emit w.scene()->person_pointed(0);
  emit w.scene()->pointed(w.person + Eigen::Vector3d(0.1, 0, 0));  // the ring
  QCOMPARE(evidence->hover_text(), body);
  emit w.scene()->pointed(w.person + Eigen::Vector3d(0.6, 0, 0));
  QCOMPARE(evidence->hover_text(), QString());
}

void OverlaysTest::a_click_asks_why() {
  EvidenceWindow w;
  const WhyPanel* panel = w.window->findChild<WhyPanel*>();
  QVERIFY(panel && !w.window->action("copy_why")->isEnabled());
  const Eigen::Vector3d empty = -w.person;
  QTest::mouseClick(w.cameras(), Qt::RightButton, {}, w.in_camera(1, empty));
  QAction* why = EvidenceWindow::why_entry();
  QVERIFY(why && why->isEnabled());
  why->trigger();
  QCoreApplication::processEvents();
  QVERIFY(w.window->action("why_dock")->isChecked());
  QVERIFY2(w.last().startsWith("explain 3 place"), qPrintable(w.last()));
  QVERIFY2(panel->verdict().startsWith("About place"), qPrintable(panel->verdict()));
  EvidenceWindow::close_popups();
  // The pixel there.
  QTest::mouseClick(w.cameras(), Qt::RightButton, {}, w.in_camera(1, empty));
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  QVERIFY(menu && menu->actions().size() == 2);
  menu->actions().back()->trigger();
  QCoreApplication::processEvents();
  QVERIFY2(w.last().startsWith("explain 3 pixel 1 "), qPrintable(w.last()));
  EvidenceWindow::close_popups();
  // The same by its key, for the position that is pointed at; people have the names that are shown.
  emit w.scene()->pointed(w.person);
  w.cameras()->setFocus();
  w.key(Qt::Key_Question);
  QVERIFY2(w.last().startsWith("explain 3 place"), qPrintable(w.last()));
  QVERIFY2(panel->text_to_copy().contains("person 1"), qPrintable(panel->text_to_copy()));
  w.window->action("copy_why")->trigger();
  QCOMPARE(QApplication::clipboard()->text(), panel->text_to_copy());
  panel->values()->topLevelItem(0)->child(0)->setSelected(true);
  QVERIFY2(panel->text_to_copy().startsWith("Place, About: place"), qPrintable(panel->text_to_copy()));
  // From a threshold to its parameter.
  emit panel->values()->itemActivated(panel->values()->topLevelItem(1)->child(0), 1);
  QVERIFY(w.window->action("parameters")->isChecked());
  QVERIFY(w.window->findChild<ParametersPanel*>()->editor("people", "min_own")->isVisible());
  QVERIFY(!w.window->findChild<ParametersPanel*>()->editor("people", "min_fill")->isVisible());
  w.window->action("why_dock")->trigger();  // in front again
  QVERIFY(w.window->action("why_dock")->isChecked());
  // The question follows the frame, as long as the dock is shown.
  const QString asked = w.last().mid(QString("explain 3").size());
  w.session().post(command::Seek{7});
  QCoreApplication::processEvents();
  QCOMPARE(w.last(), "explain 7" + asked);
  w.window->action("why_dock")->trigger();
  w.session().post(command::Seek{8});
  QCoreApplication::processEvents();
  QVERIFY(!w.last().startsWith("explain"));
  w.window->action("why_dock")->trigger();
  QCoreApplication::processEvents();
  QCOMPARE(w.last(), "explain 8" + asked);
  QTest::mouseClick(w.scene(), Qt::RightButton, {}, w.scene()->rect().center());
  QVERIFY(EvidenceWindow::why_entry());
  EvidenceWindow::close_popups();
}

// A drag with the right button moves the scene; above the horizon there is no floor; an answer to an earlier
// question is none to this one, and a project that is closed has none.
void OverlaysTest::nothing_is_asked_about_where_nothing_can_be_told() {
  EvidenceWindow w;
  const WhyPanel* panel = w.window->findChild<WhyPanel*>();
  QTest::mousePress(w.scene(), Qt::RightButton, {}, QPoint(100, 100));
  QTest::mouseMove(w.scene(), QPoint(140, 120));
  QTest::mouseRelease(w.scene(), Qt::RightButton, {}, QPoint(140, 120));
  QVERIFY(!EvidenceWindow::why_entry());
  emit w.cameras()->pixel_pointed(std::nullopt);
  emit w.cameras()->menu_wanted(std::nullopt, QPoint(10, 10));
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  QVERIFY(menu && !menu->actions().front()->isEnabled() && !menu->actions().back()->isEnabled());
  QVERIFY2(menu->actions().front()->toolTip().contains("no floor"),
           qPrintable(menu->actions().front()->toolTip()));
  EvidenceWindow::close_popups();
  emit w.scene()->pointed(std::nullopt);
  const QStringList before = w.session().calls;
  w.window->action("why_here")->trigger();
  QVERIFY2(panel->verdict().contains("Point at the floor"), qPrintable(panel->verdict()));
  w.window->action("why_pixel")->trigger();
  QVERIFY2(panel->verdict().contains("Point at a picture"), qPrintable(panel->verdict()));
  QCOMPARE(w.session().calls, before);
  emit w.scene()->pointed(w.person);
  w.window->action("why_here")->trigger();
  QCoreApplication::processEvents();
  const QString verdict = panel->verdict();
  Report other;
  other.add_sentence("verdict", "of another place");
  w.bridge()->on_why({{3, FloorQuestion{9, 9}}, other});
  QCoreApplication::processEvents();
  QCOMPARE(panel->verdict(), verdict);
  w.bridge()->on_why({{3, FloorQuestion{w.person.x(), w.person.y()}},
                      fail(ErrorKind::invalid_argument, "people were not searched for in this frame")});
  QCoreApplication::processEvents();
  QVERIFY2(panel->verdict().contains("people were not searched for"), qPrintable(panel->verdict()));
  QVERIFY(!w.window->action("copy_why")->isEnabled());
  w.window->action("close")->trigger();
  QCoreApplication::processEvents();
  QVERIFY(!panel->has_answer() && !w.window->action("why_here")->isEnabled());
}

// H, W and Shift+H without their stages: said every time, with a button that switches the stage on.
void OverlaysTest::overlays_without_their_stage_offer_it() {
  OpenWindow w;
  const struct {
    Qt::Key key;
    Qt::KeyboardModifiers modifiers;
    QAction* action;
    const char *words, *parameter;
  } overlays[] = {
      {Qt::Key_H, {}, w.window->action("heads"), "Head detection", "heads.enabled"},
      {Qt::Key_W, {}, w.window->action("flow"), "Optical flow", "flow.enabled"},
      {Qt::Key_H, Qt::ShiftModifier, w.window->action("heights"), "Height maps", "heightmap.enabled"}};
  for (const auto& overlay : overlays)
    for (const bool before : {false, true}) {
      overlay.action->setChecked(before);
      w.window->messages()->clear();
      w.key(overlay.key, overlay.modifiers);
      QVERIFY2(w.window->messages()->text().contains(overlay.words),
               qPrintable(w.window->messages()->text()));
      QVERIFY2(overlay.action->isChecked(), "asked for, so it is shown as soon as it is there");
    }
  for (const auto& overlay : overlays) {
    w.window->messages()->clear();
    w.key(overlay.key, overlay.modifiers);
    const auto buttons = w.window->messages()->findChildren<QPushButton*>();
    const auto offer =
        std::find_if(buttons.begin(), buttons.end(), [](const QPushButton* b) { return b->isVisible(); });
    QVERIFY(offer != buttons.end());
    (*offer)->click();
    QCOMPARE(w.last(), QString("set_parameter %1 1").arg(overlay.parameter));
    QCoreApplication::processEvents();
    w.window->messages()->clear();
    w.key(overlay.key, overlay.modifiers);
    QVERIFY2(!overlay.action->isChecked() && w.window->messages()->text().isEmpty(), "a switch as any other");
  }
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void OverlaysTest::a_box_is_made_edited_and_undone() {
  OpenWindow w;
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  QVERIFY(!w.window->action("edit_numbers")->isEnabled());
  QVERIFY(w.window->action("edit_numbers")->toolTip().contains("Show the box"));
  w.key(Qt::Key_B);
  QTRY_COMPARE(marks.boxes.size(), size_t{1});
  QCOMPARE(marks.boxes[0].box.size_m.z(), 1.75);
  QVERIFY2(w.session().project().boxes.empty(), "shown, and the project is as it was");
  w.key(Qt::Key_B, Qt::ShiftModifier);
  BoxEditor* editor = w.window->part<BoxControl>()->editor();
  QTRY_VERIFY(editor->isVisible());
  auto* x = editor->findChild<QDoubleSpinBox*>();
  x->setValue(0.575);  // to the millimetre
  QCOMPARE(w.last(), QString("edit box"));
  QCOMPARE(w.session().project().boxes[0].box.base_in_world_m.x(), 0.575);
  QTRY_COMPARE(marks.boxes[0].box.base_in_world_m.x(), 0.575);
  w.window->action("undo")->trigger();
  QTRY_COMPARE(marks.boxes[0].box.base_in_world_m.x(), 0.0);
  QCOMPARE(x->value(), 0.0);
  w.window->action("redo")->trigger();
  QTRY_COMPARE(marks.boxes[0].box.base_in_world_m.x(), 0.575);
  QTest::keyClick(x, Qt::Key_Escape);
  QVERIFY(!editor->isVisible());
  w.window->workspace()->cameras()->setFocus();
  w.key(Qt::Key_B);
  QVERIFY(marks.boxes.empty());
  QVERIFY2(!w.session().project().boxes.empty(), "hidden, but kept");
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void OverlaysTest::boxes_are_added_chosen_renamed_and_removed() {
  OpenWindow w;
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  const std::vector<NamedBox>& boxes = w.session().project().boxes;
  const BoxControl& control = *w.window->part<BoxControl>();
  QTableWidget* table = control.list()->table();
  const auto chosen = [&] { return control.chosen() ? control.chosen()->name : std::string(); };
  w.window->action("calibrate")->trigger();
  QVERIFY(!w.window->action("remove_box")->isEnabled());
  w.key(Qt::Key_Insert, Qt::AltModifier);
  w.key(Qt::Key_Insert, Qt::AltModifier);
  QTRY_COMPARE(table->rowCount(), 2);
  QCOMPARE(chosen(), std::string("box 2"));
  QVERIFY((boxes[0].box.base_in_world_m - boxes[1].box.base_in_world_m).norm() > 0.4);  // beside it
  QVERIFY2(w.window->action("box")->isChecked(), "what is added is shown");
  QCOMPARE(marks.boxes.size(), size_t{2});
  QVERIFY(!marks.boxes[0].chosen && marks.boxes[1].chosen);
  // What is done is done to the chosen one.
  const UprightBox first = boxes[0].box;
  w.key(Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(boxes[0].box, first);
  QCOMPARE(boxes[1].box.base_in_world_m.x(), first.base_in_world_m.x() + 0.001);
  w.key(Qt::Key_B, Qt::AltModifier);
  QCOMPARE(chosen(), std::string("box 1"));
  table->selectRow(1);
  QCOMPARE(chosen(), std::string("box 2"));
  table->item(1, 0)->setText("box 1");
  QTRY_COMPARE(table->item(1, 0)->text(), QString("box 2"));
  QVERIFY(w.window->messages()->text().contains("another box named box 1"));
  table->item(1, 0)->setText("crate");
  QTRY_COMPARE(boxes[1].name, std::string("crate"));
  QTRY_COMPARE(chosen(), std::string("crate"));
  w.window->action("duplicate_box")->trigger();
  QTRY_COMPARE(boxes.size(), size_t{3});
  QCOMPARE(boxes[2].box.size_m, boxes[1].box.size_m);
  w.window->action("remove_box")->trigger();
  QTRY_COMPARE(boxes.size(), size_t{2});
  w.window->action("undo")->trigger();
  QTRY_COMPARE(table->rowCount(), 3);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void OverlaysTest::the_region_is_edited_by_numbers() {
  OpenWindow w;
  const Marks& marks = w.window->part<OverlayControl>()->marks();
  w.key(Qt::Key_R, Qt::ShiftModifier);
  BoxEditor* editor = w.window->part<BoxControl>()->editor();
  QTRY_VERIFY(editor->isVisible());
  QVERIFY(marks.region.has_value());
  for (auto* field : editor->findChildren<QDoubleSpinBox*>())
    if (field->accessibleName().startsWith("Length")) field->setValue(2.0);
  QCOMPARE(w.last(), QString("edit region"));
  const VoxelGrid grid = *w.session().project().grid;
  QCOMPARE(grid.nx, 40);  // voxels of 5 cm
  QCOMPARE(grid.ny, w.session().project().grid->ny);
  QTRY_COMPARE(marks.region->size_m.x(), 2.0);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void OverlaysTest::overlays_say_what_they_need() {
  FakeScene uncalibrated;
  uncalibrated.calibrated = false;
  OpenWindow w(uncalibrated);
  for (const QAction* action :
       {w.window->action("people"), w.window->action("trails"), w.window->action("floor_map"),
        w.window->action("cut"), w.window->action("region"), w.window->action("coverage"),
        w.window->action("box"), w.window->action("figure")}) {
    QVERIFY(!action->isEnabled());
    QVERIFY2(action->toolTip().contains("need a calibration"), qPrintable(action->toolTip()));
  }
  QVERIFY(w.window->action("foreground")->isEnabled());
}

void OverlaysTest::the_height_map_is_shown_and_tuned() {
  OpenWindow w;
  w.session().post(command::SetParameter{"heightmap", "iterations", 20});
  HeightMapPanel* panel = w.window->workspace()->height_map();
  QVERIFY(!panel->isVisible());
  w.window->action("layout_height_map")->trigger();
  QVERIFY(panel->isVisible() && !w.window->workspace()->cameras()->isVisible());
  const auto finished = [&](const char* iterations) {
    return panel->status_text().contains(iterations) && panel->status_text().contains("heads");
  };
  QTRY_VERIFY(finished("20 iterations"));
  HeightMapCanvas* canvas = panel->canvas();
  QCOMPARE(panel->energy_plot()->curves().size(), size_t{1});
  QCOMPARE(panel->energy_plot()->curves()[0].points.size(), qsizetype{2});
  QVERIFY(panel->pixel_plot()->curves().empty());
  QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->picture_area().center().toPoint());
  QVERIFY(canvas->selected());
  QTRY_COMPARE(panel->pixel_plot()->curves().size(), size_t{6});  // cost, four messages, belief
  QVERIFY(panel->pixel_plot()->curves().back().aside);
  const QPoint before = *canvas->selected();
  canvas->setFocus();
  w.key(Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(*canvas->selected(), before + QPoint(1, 0));
  // Tuned in the panel: by way of the session, so that it can be taken back.
  auto* iterations = panel->findChild<QDoubleSpinBox*>("heightmap.iterations");
  QVERIFY(iterations);
  iterations->setValue(30);
  QVERIFY(w.session().calls.contains("set_parameter heightmap.iterations 30"));
  QTRY_VERIFY(finished("30 iterations"));
  w.window->action("undo")->trigger();
  QTRY_VERIFY(finished("20 iterations"));
  w.window->action("layout_both")->trigger();
  QVERIFY(!panel->isVisible());
}

void OverlaysTest::only_the_newest_height_map_is_finished() {
  const FakeScene scene;
  const Project project = scene.project();
  HeightMapRunner runner(study_of);
  runner.set_project(project);
  HeightStudyRequest first{scene.result(10, true), project.parameters.get<HeightMapParameters>(),
                           project.parameters.get<DaisyParameters>()};
  first.parameters.iterations = 2000;
  HeightStudyRequest second = first;
  second.parameters.iterations = 30;
  int maps = 0, finished = 0, last = 0;
  connect(&runner, &HeightMapRunner::map_ready, &runner, [&](const HeightStudyMap& map) {
    last = map.estimate.map.checks.back().iteration;
    if (++maps == 1) runner.request(second);
  });
  connect(&runner, &HeightMapRunner::finished, &runner, [&] {
    ++finished;
    QCOMPARE(last, 30);
  });
  runner.request(first);
  QTRY_COMPARE(finished, 1);
  QTest::qWait(50);
  QCOMPARE(finished, 1);
}

namespace {

bool alike(const QColor& a, double red, double green, double blue) {
  return std::abs(a.red() - red) <= 3 && std::abs(a.green() - green) <= 3 && std::abs(a.blue() - blue) <= 3;
}

}  // namespace

void OverlaysTest::the_height_map_lies_beside_or_over_its_picture() {
  HeightMapCanvas canvas([] { return std::make_unique<HostSurface>("test"); });
  canvas.resize(800, 300);
  canvas.show();
  const FrameResultRef result = FakeScene{}.result(10, true);
  const auto map_of = [&](uint8_t label, size_t checks) {
    HeightStudyMap map;
    map.estimate = *FakeScene::with_heights(result, 1, {1.4, 0.1, 5}, label)->height_map();
    map.estimate.map.checks.resize(checks);
    return map;
  };
  canvas.set_hatched(false);
  canvas.set_picture(result, 1);
  canvas.set_map(map_of(2, 1));
  const QRectF area = canvas.picture_area();
  const QPoint in_picture = area.center().toPoint(),
               in_map = in_picture + QPoint(qRound(area.width()) + 6, 0);
  const auto at = [&](const QPoint& position) { return canvas.grabFramebuffer().pixelColor(position); };
  const QColor bare = at(in_picture);
  const double middle[3] = {0.128 * 255, 0.567 * 255, 0.551 * 255};  // viridis'
  QVERIFY2(alike(at(in_map), middle[0], middle[1], middle[2]), qPrintable(at(in_map).name()));
  QVERIFY(std::abs(*canvas.height_m(QPoint(80, 60)) - 1.6) < 1e-6);
  canvas.set_map(map_of(5, 1));  // no head: the picture grey and dark
  const double grey = 0.4 * (0.299 * bare.red() + 0.587 * bare.green() + 0.114 * bare.blue());
  QVERIFY2(alike(at(in_map), grey, grey, grey), qPrintable(at(in_map).name()));
  // Everything counts as unsettled before two maps were compared: only heads are hatched then.
  const auto white = [&] {
    const QImage shown = canvas.grabFramebuffer();
    int count = 0;
    for (int x = 0; x < 70; ++x) count += shown.pixelColor(in_map + QPoint(x, 0)) == QColor(Qt::white);
    return count;
  };
  canvas.set_hatched(true);
  QCOMPARE(white(), 0);
  canvas.set_map(map_of(5, 2));
  QCOMPARE(white(), 20);  // 2 of 7
  canvas.set_map(map_of(2, 1));
  QCOMPARE(white(), 20);
  canvas.set_hatched(false);
  canvas.set_arrangement(HeightMapArrangement::blended);
  const QPoint over = canvas.picture_area().center().toPoint();
  const auto mixed = [&](int picture, double map) { return 0.38 * picture + 0.62 * map; };
  canvas.set_map(map_of(5, 1));
  const QColor beneath = at(over);
  canvas.set_map(map_of(2, 1));
  QVERIFY2(alike(at(over), mixed(beneath.red(), middle[0]), mixed(beneath.green(), middle[1]),
                 mixed(beneath.blue(), middle[2])),
           qPrintable(at(over).name()));
  // Another camera's picture of the same moment.
  canvas.set_picture(result, 1);
  const QImage second = canvas.grabFramebuffer();
  canvas.set_picture(result, 0);
  const QImage first = canvas.grabFramebuffer();
  QVERIFY(first != second);
  HeightMapCanvas fresh([] { return std::make_unique<HostSurface>("test"); });
  fresh.resize(800, 300);
  fresh.set_arrangement(HeightMapArrangement::blended);
  fresh.show();
  fresh.set_picture(result, 0);
  QCOMPARE(first, fresh.grabFramebuffer());
  canvas.clear();
  QVERIFY(!canvas.has_map());
}

const TestPart<OverlaysTest> kOverlaysPart("overlays");

}  // namespace vantage::ui

#include "overlays_test.moc"
