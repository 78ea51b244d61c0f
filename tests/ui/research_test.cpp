#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <algorithm>
#include <cmath>

#include "core/project/variants.h"
#include "core/results/results_paths.h"
#include "core/synth/synth.h"
#include "tests/ui/support/floor_window.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/compare/compare_control.h"
#include "ui/main_window/figure/figure_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/sweep/sweep_control.h"
#include "ui/main_window/sweep/sweep_panel.h"
#include "ui/main_window/truth/truth_control.h"
#include "ui/main_window/truth/truth_panel.h"
#include "ui/main_window/variants/variants_control.h"
#include "ui/main_window/why/why_control.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

// A researcher's day on rendered footage, from a threshold that is wrong to one that was tested.
class ResearchTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_researchers_day();
};

namespace {

constexpr int64_t kResearchFrames = 40, kDrawnTo = 36, kDrawnStep = 6;
constexpr double kTooTall_m = 1.97;  // nobody of the footage is that tall

Project render_hall(const std::filesystem::path& folder) {
  SynthOptions options;
  options.cameras = 4, options.people = 2, options.area_m = 4;
  options.seconds = 4, options.frame_rate = 10;
  options.width_px = 320, options.height_px = 240, options.seed = 7;
  EXPECT_TRUE(render_recording(options, folder / "hall", [](double) {}, StopSource()));
  Result<Project> project = load_project(folder / "hall" / "hall.vantage");
  EXPECT_TRUE(project) << project.error().message();
  return std::move(*project);
}

class ResearchWindow : public SessionWindow {
 public:
  ResearchWindow() : SessionWindow(render_hall) {
    truth = read_paths(project_.path.parent_path() / "truth" / "tracks.csv").value();
    show({1366, 768}, {}, [this](WindowServices& services) {
      services.sweep = sweep_on_cpu();
      services.export_figure = [this](FigureOptions options) {
        options.backends = {&registry_, Device::cpu, {}};
        return export_figure(options);
      };
    });
    open();
    QTRY_VERIFY(window->action("analyse_all")->isEnabled());
  }
  ~ResearchWindow() { window.reset(); }

  const Project& shown() const { return window->state().project(); }
  void trigger(const char* action) const {
    QTRY_VERIFY2(window->action(action)->isEnabled(), action);
    window->action(action)->trigger();
  }
  void set(const char* name, std::optional<double> value) const {
    session->post(command::SetParameter{"people", name, value});
    QTRY_VERIFY(!value || *shown().parameters.get("people", name) == *value);
  }
  void analyse() const {
    trigger("analyse_all");
    if (question(*window)) QVERIFY(agree(*window));
    QTRY_VERIFY(timeline()->results_in(0, kResearchFrames).current == kResearchFrames);
    QTRY_VERIFY(window->state().tracks() &&
                window->state().tracks()->frames.size() == static_cast<size_t>(kResearchFrames));
  }
  void go(int64_t frame) const {
    session->post(command::Seek{frame});
    QTRY_COMPARE(timeline()->frame(), frame);
    QTRY_VERIFY(window->state().shown() && window->state().shown()->result->frame == frame);
  }
  // A click where that person's feet are, in the first camera's picture.
  void click_feet(const PathPoint& point) const {
    CameraGrid* grid = window->workspace()->cameras();
    const Camera& camera = *shown().cameras[0].calibration;
    const Eigen::Vector2d pixel = camera.project({point.x_m, point.y_m, 0}).value();
    const QRectF area = grid->picture_area(0);
    click(grid, {area.left() + (pixel.x() + 0.5) * area.width() / camera.width_px(),
                 area.top() + (pixel.y() + 0.5) * area.height() / camera.height_px()});
    QCoreApplication::processEvents();
  }
  // Of the plan, 640 px wide, into the folder.
  void export_view(const char* action, const char* file) const {
    trigger(action);
    FigureDialog* dialog = window->part<FigureControl>()->dialog();
    QVERIFY(dialog);
    for (auto* view : dialog->findChildren<QComboBox*>())
      if (view->accessibleName() == "View") view->setCurrentIndex(1);
    for (auto* width : dialog->findChildren<QSpinBox*>())
      if (width->accessibleName() == "Width") width->setValue(640);
    for (auto* line : dialog->findChildren<QLineEdit*>())
      if (line->accessibleName() == "File") line->setText(folder() + '/' + file);
    QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
    window->messages()->clear();
    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    QTRY_VERIFY2(window->messages()->text().contains(" written to "), qPrintable(window->messages()->text()));
    QVERIFY(QFileInfo(folder() + '/' + file).size() > 1000);
  }
  size_t drawn() const {
    size_t keys = 0;
    for (const TruePerson& person : shown().truth) keys += person.keys.size();
    return keys;
  }
  Timeline* timeline() const { return window->workspace()->timeline(); }

  std::vector<PersonPath> truth;  // rendered
};

// A step in which something failed ends the test.
#define STEP(step)                          \
  do {                                      \
    step;                                   \
    if (QTest::currentTestFailed()) return; \
  } while (false)

}  // namespace

void ResearchTest::a_researchers_day() {
  ResearchWindow w;
  if (QTest::currentTestFailed()) return;
  // Somebody changed a threshold, and nobody is found.
  STEP(w.set("min_height_m", kTooTall_m));
  STEP(w.analyse());
  QVERIFY(w.window->state().tracks()->paths.empty());

  // Why is nobody where somebody stands? The answer names the threshold.
  STEP(w.go(10));
  const PathPoint standing = *w.truth[0].points.find(10);
  w.window->part<WhyControl>()->ask_place({standing.x_m, standing.y_m, 0});
  auto* why = w.window->part<WhyPanel>();
  QTRY_VERIFY(why->has_answer() && why->waiting().isEmpty());
  QVERIFY2(why->text_to_copy().contains("people.min_height_m"), qPrintable(why->text_to_copy()));
  keep_picture(*w.window, "research_why");

  // Kept with its results, for comparison; then the default, analysed.
  STEP(w.trigger("variants_dock"));
  auto* variants = w.window->part<VariantsPanel>();
  QTest::keyClicks(variants->findChild<QLineEdit*>(), "too tall");
  STEP(w.trigger("keep_results"));
  QTRY_VERIFY(std::filesystem::exists(variant_results(w.shown().path, "too tall") / "results.jsonl"));
  STEP(w.set("min_height_m", std::nullopt));
  STEP(w.analyse());
  QTRY_VERIFY(w.window->state().tracks() && !w.window->state().tracks()->paths.empty());

  // Side by side, and on to where they differ.
  STEP(w.trigger("compare_dock"));
  STEP(w.trigger("next_difference"));
  auto* compare = w.window->part<CompareControl>();
  QTRY_VERIFY(compare->shown() && compare->shown()->place_in_world_m);
  keep_picture(*w.window, "research_compare");
  STEP(w.trigger("compare_difference"));
  QTRY_VERIFY(!compare->shown());

  // The truth of the first 37 frames, by clicks.
  STEP(w.trigger("draw_truth"));
  auto& drawing = *w.window->part<TruthControl>();
  QTRY_VERIFY(drawing.panel()->isVisible());
  size_t drawn = 0;
  for (const PersonPath& person : w.truth) {
    for (int64_t frame = 0; frame <= kDrawnTo; frame += kDrawnStep) {
      const std::optional<PathPoint> point = person.points.find(frame);
      if (!point) continue;
      STEP(w.go(frame));
      STEP(w.click_feet(*point));
      ++drawn;
      QTRY_COMPARE(w.drawn(), drawn);
    }
    if (&person != &w.truth.back()) STEP(w.trigger("next_true_person"));
  }
  QTRY_COMPARE(w.shown().truth.size(), w.truth.size());
  QTRY_VERIFY2(drawing.panel()->metrics().contains("MODA"), qPrintable(drawing.panel()->metrics()));
  keep_picture(*w.window, "research_truth");
  STEP(w.trigger("draw_truth"));

  // The threshold swept on the first two thirds, tested on the rest.
  STEP(w.trigger("sweep_dock"));
  SweepPanel& sweep = *w.window->part<SweepControl>()->panel();
  QTRY_VERIFY(sweep.form()->request().has_value() && sweep.form()->request()->spans.test);
  sweep.form()->choose("people.min_height_m", 1, kTooTall_m, 3);
  sweep.form()->choose_metric("moda");
  STEP(w.trigger("sweep"));
  QTRY_VERIFY2_WITH_TIMEOUT(sweep.text().startsWith("Best on the tuning span"), qPrintable(sweep.text()),
                            3 * kWait_ms);
  const auto measured = w.window->part<SweepControl>()->measured();
  QCOMPARE(measured.size(), size_t{3});
  QVERIFY(measured.at(0).tune.whole[0] > measured.at(2).tune.whole[0]);
  QVERIFY2(measured.at(0).test.whole[0] > 0.8, qPrintable(sweep.text()));
  keep_picture(*w.window, "research_sweep");
  // Behind the value that is too tall everybody is missed, though found now; with the best one they are
  // there.
  sweep.choose_point(2);
  STEP(w.trigger("next_swept_moment"));
  QTRY_VERIFY(compare->shown() && compare->shown()->place_in_world_m);
  QVERIFY2(sweep.text().contains("missed"), qPrintable(sweep.text()));
  QVERIFY(compare->shown()->sides[1].known && compare->shown()->sides[1].people.empty());
  keep_picture(*w.window, "research_moment");
  sweep.choose_point(0);
  QTRY_COMPARE(compare->shown()->sides[1].people.size(), w.truth.size());
  STEP(w.trigger("show_swept"));
  STEP(w.trigger("use_swept"));
  QTRY_COMPARE(*w.shown().parameters.get("people", "min_height_m"), 1.0);

  // A figure of the plan, and a film of the marked span.
  STEP(w.analyse());
  STEP(w.go(10));
  STEP(w.export_view("export_figure", "plan.png"));
  STEP(w.go(0));
  STEP(w.trigger("mark_in"));
  STEP(w.go(12));
  STEP(w.trigger("mark_out"));
  STEP(w.export_view("export_film", "hall.mp4"));
}

const TestPart<ResearchTest> kResearchPart("research");

}  // namespace vantage::ui

#include "research_test.moc"
