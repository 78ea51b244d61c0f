#include <QLineEdit>
#include <QPushButton>

#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/bookmarks/bookmarks_control.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

// Bookmarks: set, changed, removed, undone, gone through, seen on the time axis.
class BookmarksTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void are_set_changed_and_removed_with_undo();
  void are_of_whoever_is_chosen();
  void are_gone_through_by_key();
};

namespace {

MomentDialog* ask(const OpenWindow& w) {
  w.window->action("bookmark")->trigger();
  return w.window->part<BookmarksControl>()->dialog();
}

void go(OpenWindow& w, int64_t frame) {
  w.session().post(command::Seek{frame});
  QTRY_COMPARE(w.window->workspace()->timeline()->frame(), frame);
}

void set(OpenWindow& w, int64_t frame, const QString& note) {
  go(w, frame);
  MomentDialog* dialog = ask(w);
  QVERIFY(dialog);
  dialog->findChild<QLineEdit*>()->setText(note);
  button(dialog, "&Set")->click();
}

}  // namespace

void BookmarksTest::are_set_changed_and_removed_with_undo() {
  OpenWindow w;
  const std::vector<Bookmark>& bookmarks = w.session().project().bookmarks;
  const Timeline* timeline = w.window->workspace()->timeline();
  set(w, 40, "bag");
  QCOMPARE(bookmarks, (std::vector<Bookmark>{{40, "bag", {}}}));
  QTRY_VERIFY(timeline->describe(40).endsWith("bookmark"));
  QVERIFY(!timeline->describe(41).contains("bookmark"));
  keep_picture(*w.window, "bookmark");
  set(w, 10, "");
  QCOMPARE(bookmarks.size(), size_t{2});
  QCOMPARE(bookmarks[0].frame, int64_t{10});
  go(w, 40);
  QTRY_VERIFY(timeline->describe(10).contains("bookmark"));
  MomentDialog* dialog = ask(w);
  QCOMPARE(dialog->typed(), QString("bag"));
  QVERIFY(dialog->answer().startsWith("frame 40"));
  dialog->findChild<QLineEdit*>()->setText("bag taken");
  button(dialog, "&Set")->click();
  QCOMPARE(bookmarks[1].note, std::string("bag taken"));
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  w.window->action("undo")->trigger();
  QCOMPARE(bookmarks[1].note, std::string("bag"));
  QTRY_VERIFY(timeline->describe(40).contains("bookmark"));
  button(ask(w), "&Remove")->click();
  QCOMPARE(bookmarks.size(), size_t{1});
  QTRY_VERIFY(!timeline->describe(40).contains("bookmark"));
  w.window->action("undo")->trigger();
  QCOMPARE(bookmarks.size(), size_t{2});
  ask(w)->reject();
  QCOMPARE(bookmarks.size(), size_t{2});
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void BookmarksTest::are_of_whoever_is_chosen() {
  const FakeScene scene;
  OpenWindow w(scene);
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = scene.frame_rate;
  tracks->paths = {{FakeScene::kPerson, {}}};
  for (int64_t frame = 0; frame < scene.frames; ++frame) {
    const Eigen::Vector3d at = scene.person_in_world_m(frame);
    tracks->frames.push_back(frame);
    tracks->paths[0].points.push_back({frame, at.x(), at.y(), 1.7, 0.9, true, 0});
  }
  tracks->known_frames = tracks->frames;
  tracks->index();
  w.bridge()->on_tracks(tracks);
  go(w, 30);
  QTRY_VERIFY(w.window->action("next_person")->isEnabled());
  w.key(Qt::Key_A);
  MomentDialog* dialog = ask(w);
  QVERIFY2(dialog->answer().contains("person 1"), qPrintable(dialog->answer()));
  button(dialog, "&Set")->click();
  const Bookmark& made = w.session().project().bookmarks.at(0);
  QVERIFY(made.place_m.has_value());
  QVERIFY((*made.place_m - scene.person_in_world_m(30).head<2>()).norm() < 0.05);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void BookmarksTest::are_gone_through_by_key() {
  OpenWindow w;
  QVERIFY(!w.window->action("next_bookmark")->isEnabled());
  w.session().post(command::Edit{"bookmarks", [](Project& project) {
                                   project.bookmarks = {
                                       {20, "a", {}}, {50, "b", Eigen::Vector2d(1, 0)}, {80, "c", {}}};
                                 }});
  QTRY_VERIFY(w.window->action("next_bookmark")->isEnabled());
  const auto next = [&] { w.key(Qt::Key_PageDown, Qt::ControlModifier | Qt::ShiftModifier); };
  const auto previous = [&] { w.key(Qt::Key_PageUp, Qt::ControlModifier | Qt::ShiftModifier); };
  for (const char* call : {"seek 20", "seek 50", "seek 80", "seek 20"}) {
    next();
    QCOMPARE(w.last(), QString(call));
  }
  for (const char* call : {"seek 80", "seek 50"}) {
    previous();
    QCOMPARE(w.last(), QString(call));
  }
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

const TestPart<BookmarksTest> kBookmarksPart("bookmarks");

}  // namespace vantage::ui

#include "bookmarks_test.moc"
