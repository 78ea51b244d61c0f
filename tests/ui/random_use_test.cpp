#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>
#include <QUrl>
#include <QWheelEvent>
#include <functional>
#include <random>

#include "app/workbench/workbench.h"
#include "core/project/project.h"
#include "tests/support/own_home.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "tests/unit/pipeline/footage.h"
#include "ui/views/gl_view.h"

namespace vantage::ui {

// The whole program under a user who does anything.
class RandomUseTest final : public WindowTest {
  Q_OBJECT
 public:
  Q_INVOKABLE void opened(const QUrl&) {}  // in place of a browser or a viewer

 private slots:
  void anything_may_be_done();
};

namespace {

// Presses, types, drags, resizes and opens what comes, as its seed says. What it does next is asked for
// before it does something, as a dialog returns only when it is answered.
class Visitor final : public QObject {
 public:
  Visitor(MainWindow* window, uint64_t seed, QStringList projects)
      : window_(window), random_(seed), projects_(std::move(projects)) {}

  void begin(int steps) {
    left_ = steps;
    next();
  }
  // Nothing is left to do, and no dialog waits.
  bool done() const { return left_ == 0 && depth_ == 0 && top() == window_; }
  QString last() const { return last_; }

 private:
  int below(int limit) { return std::uniform_int_distribution<int>(0, std::max(limit, 1) - 1)(random_); }
  bool chance(double share) { return std::uniform_real_distribution<double>(0, 1)(random_) < share; }
  template <typename List>
  auto any(const List& list) {
    return list[below(static_cast<int>(list.size()))];
  }

  QWidget* top() const {
    if (QWidget* popup = QApplication::activePopupWidget()) return popup;
    if (QWidget* modal = QApplication::activeModalWidget()) return modal;
    return window_;
  }

  void next() {
    QTimer::singleShot(below(15), this, [this] {
      if (done()) return;
      next();
      ++depth_;
      if (left_ > 0) --left_;
      step();
      --depth_;
    });
  }

  void step() {
    QWidget* const at = top();
    // Files are chosen by nobody: what is written stays in the test's folder.
    if (qobject_cast<QFileDialog*>(at) || (at != window_ && (left_ == 0 || chance(0.1) || depth_ > 4))) {
      said("close", at);
      if (!at->close()) use_widget(at);  // a question that wants an answer
      return;
    }
    if (left_ == 0) return;
    const int kind = below(100);
    if (at != window_) return kind < 15 ? press_key(at) : use_widget(at);
    if (kind < 30)
      trigger();
    else if (kind < 75)
      use_widget(at);
    else if (kind < 88)
      press_key(at);
    else if (kind < 92)
      resize();
    else if (kind < 97)
      toggle_dock();
    else
      open();
  }

  void said(const char* what, const QObject* on) {
    last_ = QString("%1 %2 %3").arg(what, on->metaObject()->className(), on->objectName());
    if (qEnvironmentVariableIsSet("VANTAGE_RANDOM_LOG")) qInfo("%d %s", left_, qPrintable(last_));
  }

  void trigger() {
    QList<QAction*> all = window_->findChildren<QAction*>(Qt::FindDirectChildrenOnly);
    all.removeIf([](const QAction* one) { return !one->isEnabled() || one->objectName() == "quit"; });
    QAction* const one = any(all);
    said("trigger", one);
    one->trigger();
  }

  void use_widget(QWidget* in) {
    if (auto* menu = qobject_cast<QMenu*>(in)) return use_menu(menu);
    QList<QWidget*> all = in->findChildren<QWidget*>();
    all.removeIf([in](const QWidget* one) {
      return !one->isVisible() || !one->isEnabled() || one->window() != in->window();
    });
    // Views are what people use most.
    QList<QWidget*> views;
    for (QWidget* one : all)
      if (qobject_cast<GlView*>(one)) views << one;
    if (all.isEmpty()) return in->close(), void();
    use(!views.isEmpty() && chance(0.4) ? any(views) : any(all));
  }

  void use_menu(QMenu* menu) {
    QList<QAction*> all = menu->actions();
    all.removeIf([](const QAction* one) {
      return !one->isEnabled() || one->isSeparator() || one->objectName() == "quit";
    });
    if (all.isEmpty()) return menu->close(), void();
    QAction* const one = any(all);
    said("choose", one);
    menu->close();
    one->trigger();
  }

  void use(QWidget* one) {
    said("use", one);
    const QPoint place(below(one->width()), below(one->height()));
    if (auto* button = qobject_cast<QAbstractButton*>(one)) return button->click();
    if (auto* box = qobject_cast<QComboBox*>(one); box && box->count() > 0)
      return box->setCurrentIndex(below(box->count()));
    if (auto* slider = qobject_cast<QAbstractSlider*>(one))
      return slider->setValue(slider->minimum() + below(slider->maximum() - slider->minimum() + 1));
    if (auto* number = qobject_cast<QSpinBox*>(one)) return number->setValue(number->minimum() + below(1000));
    if (auto* number = qobject_cast<QDoubleSpinBox*>(one))
      return number->setValue(number->minimum() + below(1000) / 7.0);
    if (auto* line = qobject_cast<QLineEdit*>(one)) {
      static const QStringList words = {"",    "0",    "-1",       "1e9",   "soon", "14:32:05",
                                        "250", "cam1", "<b>ä</b>", "%1 %n", "nan"};
      line->setText(any(words));
      if (chance(0.3)) QTest::keyClick(line, Qt::Key_Return);
      return;
    }
    if (qobject_cast<QAbstractItemView*>(one->parentWidget()) || !chance(0.5)) return click(one, place);
    chance(0.5) ? drag(one, place) : turn_wheel(one, place);
  }

  void click(QWidget* one, const QPoint& place) {
    static const QList<Qt::KeyboardModifiers> held = {Qt::NoModifier, Qt::NoModifier, Qt::ControlModifier,
                                                      Qt::ShiftModifier};
    switch (below(6)) {
      case 0: {
        QContextMenuEvent asked(QContextMenuEvent::Mouse, place, one->mapToGlobal(place));
        QApplication::sendEvent(one, &asked);
        return;
      }
      case 1:
        QTest::mouseDClick(one, Qt::LeftButton, any(held), place);
        return;
      case 2:
        QTest::mouseClick(one, Qt::RightButton, any(held), place);
        return;
      default:
        QTest::mouseClick(one, Qt::LeftButton, any(held), place);
    }
  }

  void drag(QWidget* one, QPoint place) {
    const QPointer<QWidget> still(one);
    const Qt::MouseButton button = chance(0.7) ? Qt::LeftButton : Qt::RightButton;
    QTest::mousePress(one, button, {}, place);
    for (int i = 0; still && i < 4; ++i) {
      place += QPoint(below(80) - 40, below(80) - 40);
      QMouseEvent moved(QEvent::MouseMove, place, one->mapToGlobal(place), Qt::NoButton, button, {});
      QApplication::sendEvent(one, &moved);
    }
    if (still) QTest::mouseRelease(one, button, {}, place);
  }

  void turn_wheel(QWidget* one, const QPoint& place) {
    QWheelEvent turned(place, one->mapToGlobal(place), {}, {0, chance(0.5) ? 120 : -120}, Qt::NoButton,
                       chance(0.5) ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(one, &turned);
  }

  void press_key(QWidget* in) {
    static const QList<Qt::Key> keys = {Qt::Key_Escape, Qt::Key_Return, Qt::Key_Tab,     Qt::Key_Space,
                                        Qt::Key_Delete, Qt::Key_Left,   Qt::Key_Right,   Qt::Key_Up,
                                        Qt::Key_Down,   Qt::Key_Home,   Qt::Key_End,     Qt::Key_Period,
                                        Qt::Key_Comma,  Qt::Key_0,      Qt::Key_Question};
    QWidget* const focus = QApplication::focusWidget();
    QWidget* const to = focus && focus->window() == in->window() ? focus : in;
    said("press a key in", to);
    const auto letter = static_cast<Qt::Key>(Qt::Key_A + below(26));
    QTest::keyClick(to, chance(0.5) ? any(keys) : letter, chance(0.25) ? Qt::ShiftModifier : Qt::NoModifier);
  }

  void resize() {
    said("resize", window_);
    window_->resize(200 + below(2400), 150 + below(1500));
  }

  void toggle_dock() {
    QDockWidget* const dock = any(window_->findChildren<QDockWidget*>());
    said("dock", dock);
    if (chance(0.3))
      dock->setFloating(!dock->isFloating());
    else
      dock->setVisible(!dock->isVisible());
  }

  void open() {
    const QString project = any(projects_);
    last_ = "open " + project;
    window_->open_project(project);
  }

  MainWindow* const window_;
  std::mt19937_64 random_;
  const QStringList projects_;
  int left_ = 0, depth_ = 0;
  QString last_;
};

int number_of(const char* variable, int otherwise) {
  return qEnvironmentVariableIsSet(variable) ? qEnvironmentVariableIntValue(variable) : otherwise;
}

}  // namespace

// VANTAGE_RANDOM_STEPS and VANTAGE_RANDOM_SEED ask for more, VANTAGE_RANDOM_LOG says each step.
void RandomUseTest::anything_may_be_done() {
  const QTemporaryDir folder;
  const test::OwnHome home(folder.path().toStdString(),
                           {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"});
  QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  for (const char* scheme : {"file", "http", "https"})
    QDesktopServices::setUrlHandler(scheme, this, "opened");
  QStringList projects = {folder.path() + "/missing.vantage"};
  std::vector<std::filesystem::path> files;
  for (const int cameras : {2, 3}) {
    const std::filesystem::path in = (folder.path() + QString("/hall%1").arg(cameras)).toStdString();
    std::filesystem::create_directory(in);
    const Project project = test::make_footage(in, cameras, 40);
    QVERIFY(save_project(project, project.path));
    files.push_back(project.path);
    projects << QString::fromStdString(project.path.string());
  }
  {
    const auto workbench = Workbench::open("cpu");
    QVERIFY(workbench);
    const std::unique_ptr<MainWindow> window = (*workbench)->make_window({});
    window->resize(1280, 720);
    window->show();
    window->open_project(projects.last());
    Visitor visitor(window.get(), static_cast<uint64_t>(number_of("VANTAGE_RANDOM_SEED", 1)), projects);
    visitor.begin(number_of("VANTAGE_RANDOM_STEPS", 250));
    QVERIFY2(QTest::qWaitFor([&] { return visitor.done(); }, kWait_ms * 60), qPrintable(visitor.last()));
  }
  for (const std::filesystem::path& file : files) {
    const Result<Project> left = load_project(file);
    QVERIFY2(left, left ? "" : left.error().message().c_str());
  }
  for (const char* scheme : {"file", "http", "https"}) QDesktopServices::unsetUrlHandler(scheme);
}

const TestPart<RandomUseTest> kRandomUsePart("random_use");

}  // namespace vantage::ui

#include "random_use_test.moc"
