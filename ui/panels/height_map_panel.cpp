#include "ui/panels/height_map_panel.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "core/height_map/height_map.h"
#include "ui/panels/parameters_panel.h"
#include "ui/views/height_map_canvas.h"
#include "ui/widgets/curve_plot.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kSideWidth = 320;
constexpr const char* kStage = "heightmap";
// Okabe and Ito's palette; lines also differ in style.
constexpr QRgb kMessageColors[4] = {0xff56b4e9, 0xffe69f00, 0xff009e73, 0xffcc79a7};
constexpr Qt::PenStyle kMessageLines[4] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

std::vector<QPointF> over_heights(const HeightLabels& labels, const std::vector<float>& values) {
  std::vector<QPointF> points;
  for (int k = 0; k < labels.count; ++k)
    points.emplace_back(labels.height_m(k), static_cast<double>(values[k]));
  return points;
}

// A map of one is a map of the other: other stages do not matter, the chain's own map included.
bool same_input(const FrameResult& a, const FrameResult& b) {
  const auto same_version = [&](std::string_view stage) {
    const auto in_a = a.versions.find(stage), in_b = b.versions.find(stage);
    return (in_a == a.versions.end() ? 0 : in_a->second) == (in_b == b.versions.end() ? 0 : in_b->second);
  };
  return a.frame == b.frame && a.preview == b.preview && same_version(kVideoStage) &&
         same_version(kForegroundStage) && !a.foreground() == !b.foreground();
}

}  // namespace

HeightMapPanel::HeightMapPanel(HeightStudyFactory factory, SurfaceFactory surfaces, QWidget* parent)
    : QWidget(parent),
      runner_(std::move(factory)),
      canvas_(new HeightMapCanvas(std::move(surfaces))),
      camera_(new QComboBox),
      pixel_plot_(new CurvePlot(tr("Selected pixel: costs by height"))),
      energy_plot_(new CurvePlot(tr("Energy by iteration"))),
      pointed_(new QLabel),
      words_(new QLabel),
      progress_(new QProgressBar),
      stop_(new QPushButton(tr("Stop"))) {
  setAccessibleName(tr("Height map"));
  auto* split = new QSplitter(Qt::Horizontal);
  split->addWidget(canvas_);
  split->addWidget(build_side());
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 0);
  split->setSizes({1200, kSideWidth});
  split->setChildrenCollapsible(false);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(build_bar());
  rows->addWidget(split, 1);
  rows->addWidget(build_status());
  connect(canvas_, &HeightMapCanvas::pointed, this, &HeightMapPanel::tell_pointed);
  connect(canvas_, &HeightMapCanvas::pixel_selected, this,
          [this](const QPoint& pixel) { runner_.watch(pixel); });
  connect_runner();
  clear();
}

QToolButton* HeightMapPanel::switch_button(const QString& text, const QString& tip) {
  auto* button = new QToolButton;
  button->setText(text);
  describe(button, text, tip);
  button->setCheckable(true);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

QWidget* HeightMapPanel::build_bar() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(kApart, kTight, kApart, kTight);
  auto* word = new QLabel(tr("Seen by"));
  word->setBuddy(camera_);
  row->addWidget(word);
  row->addWidget(camera_);
  camera_->setAccessibleName(tr("Reference camera"));
  camera_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  camera_->setToolTip(tr("The camera whose pixels get a height; the others are compared with it"));
  connect(camera_, &QComboBox::activated, this,
          [this](int index) { emit edited(kStage, "reference", index); });
  auto* beside = switch_button(tr("Side by side"), tr("Picture and map side by side"));
  auto* blended = switch_button(tr("Blended"), tr("The map over the picture"));
  auto* one = new QButtonGroup(this);
  one->addButton(beside);
  one->addButton(blended);
  beside->setChecked(true);
  connect(blended, &QToolButton::toggled, this, [this](bool on) {
    canvas_->set_arrangement(on ? HeightMapArrangement::blended : HeightMapArrangement::side_by_side);
  });
  auto* hatching = switch_button(tr("Unsettled"), tr("Hatch the pixels whose height changed last"));
  auto* heads = switch_button(tr("Heads"), tr("Circle the heads and show their heights in metres"));
  hatching->setChecked(true);
  heads->setChecked(true);
  connect(hatching, &QToolButton::toggled, canvas_, &HeightMapCanvas::set_hatched);
  connect(heads, &QToolButton::toggled, canvas_, &HeightMapCanvas::set_heads_shown);
  row->addSpacing(kWide);
  for (QToolButton* button : {beside, blended, hatching, heads}) row->addWidget(button);
  row->addStretch(1);
  pointed_->setAccessibleName(tr("Height under the pointer"));
  row->addWidget(pointed_);
  return bar;
}

void HeightMapPanel::add_editor(const ParameterTable& table, const std::string& name) {
  auto* editor = new ParameterEditor(table.stage, *table.find(name));
  connect(editor, &ParameterEditor::edited, this,
          [this, editor](double value) { emit edited(editor->stage(), editor->description().name, value); });
  connect(editor, &ParameterEditor::reset_requested, this,
          [this, editor] { emit reset_requested(editor->stage(), editor->description().name); });
  editors_.push_back(editor);
}

QWidget* HeightMapPanel::build_side() {
  const auto& height_map = parameter_table<HeightMapParameters>();
  for (const char* name : {"lambda", "no_head_cost", "step_m", "heights", "lowest_m", "iterations",
                           "descriptor_heads", "combine", "use_foreground"})
    add_editor(height_map, name);
  auto* list = new ScrollList(kTight);
  list->rows()->setContentsMargins(kApart, kTight, kApart, kTight);
  for (ParameterEditor* editor : editors_) list->append(editor);
  pixel_plot_->setToolTip(
      tr("Selected pixel: its data cost, the messages from its neighbours, and their sum, whose minimum is "
         "chosen"));
  pixel_plot_->set_axis(tr("m"), tr("no head"));
  energy_plot_->setToolTip(tr(
      "Data cost and differences between neighbours, summed over the map: the quantity that is minimised"));
  energy_plot_->set_axis(tr("it."), {});
  auto* side = new QSplitter(Qt::Vertical);
  // In a low window all three shrink, not the list alone.
  for (const auto& [part, height] :
       {std::pair<QWidget*, int>{list, 400}, {pixel_plot_, 220}, {energy_plot_, 170}}) {
    side->addWidget(part);
    side->setStretchFactor(side->indexOf(part), height);
  }
  side->setChildrenCollapsible(false);
  side->setMinimumWidth(kSideWidth);
  return side;
}

QWidget* HeightMapPanel::build_status() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(kApart, kTight, kApart, kTight);
  words_->setAccessibleName(tr("State of the height map"));
  words_->setMinimumWidth(1);
  row->addWidget(words_, 1);
  progress_->setRange(0, 100);
  progress_->setFixedSize(200, 16);
  progress_->setAccessibleName(tr("Progress of the height map"));
  row->addWidget(progress_);
  stop_->setFixedHeight(20);
  stop_->setAccessibleName(tr("Stop or continue the height map"));
  connect(stop_, &QPushButton::clicked, this, [this] { working_ ? stop() : request(); });
  row->addWidget(stop_);
  return bar;
}

void HeightMapPanel::connect_runner() {
  connect(&runner_, &HeightMapRunner::reference_chosen, canvas_, &HeightMapCanvas::set_picture);
  connect(&runner_, &HeightMapRunner::map_ready, this, &HeightMapPanel::show_map);
  connect(&runner_, &HeightMapRunner::belief_ready, this, &HeightMapPanel::show_belief);
  connect(&runner_, &HeightMapRunner::progressed, this, [this](const QString& what, double share) {
    if (!working_) return;
    progress_->setValue(static_cast<int>(std::lround(100 * share)));
    progress_->setFormat(what + " %p %");
  });
  connect(&runner_, &HeightMapRunner::failed, this, [this](const Error& error) {
    const QString message = QString::fromStdString(error.message());
    canvas_->set_hint(message);
    words_->setText(message);
  });
  connect(&runner_, &HeightMapRunner::finished, this, [this] { set_working(false); });
}

void HeightMapPanel::set_project(const Project& project) {
  const bool another = !open_ || difference(project, project_).recording;
  const bool tuned =
      another ||
      project.parameters.get<HeightMapParameters>() != project_.parameters.get<HeightMapParameters>() ||
      project.parameters.get<DaisyParameters>() != project_.parameters.get<DaisyParameters>();
  project_ = project;
  open_ = true;
  if (another) {
    if (project.calibrated()) runner_.set_project(project);
    result_.reset();
    canvas_->clear();
  }
  set_cameras();
  for (ParameterEditor* editor : editors_)
    if (const Result<double> value = project.parameters.get(editor->stage(), editor->description().name))
      editor->set_value(*value);
  if (tuned) request();
}

void HeightMapPanel::set_cameras() {
  camera_->clear();
  camera_->addItem(tr("the camera that sees the most floor"));
  for (const ProjectCamera& camera : project_.cameras) camera_->addItem(QString::fromStdString(camera.name));
  camera_->setCurrentIndex(project_.parameters.get<HeightMapParameters>().reference);
}

void HeightMapPanel::show_result(const FrameResultRef& result) {
  const bool same = result_ && same_input(*result_, *result);  // already in progress
  result_ = result;
  if (!same) request();
}

void HeightMapPanel::set_playing(bool playing) {
  if (std::exchange(playing_, playing) && !playing) request();
}

void HeightMapPanel::clear() {
  runner_.release();
  open_ = false;
  result_.reset();
  canvas_->clear();
  set_working(false);
  words_->clear();
  pixel_plot_->set_curves({}, tr("Click a pixel of the picture or the map."));
  energy_plot_->set_curves({}, tr("No map yet."));
}

void HeightMapPanel::request() {
  if (!open_ || !isVisible() || !available()) return;
  canvas_->set_hint({});
  const HeightMapParameters parameters = project_.parameters.get<HeightMapParameters>();
  if (!project_.calibrated()) return canvas_->set_hint(tr("A height map needs a calibration."));
  if (!result_ || !result_->frames()) return canvas_->set_hint(tr("Waiting for the pictures of this frame."));
  if (playing_ && took_ms_ > kLiveMs) return canvas_->set_hint(tr("Pause to see the height map of a frame."));
  if (parameters.use_foreground && !result_->foreground())
    return canvas_->set_hint(tr("Waiting for the foreground of this frame."));
  labels_ = parameters.labels();
  since_request_.start();
  runner_.watch(canvas_->selected());
  runner_.request({result_, parameters, project_.parameters.get<DaisyParameters>()});
  progress_->setValue(0);
  progress_->setFormat({});
  set_working(true);
}

void HeightMapPanel::stop() {
  runner_.stop();
  set_working(false);
}

void HeightMapPanel::set_working(bool working) {
  working_ = working;
  progress_->setVisible(working);
  stop_->setVisible(open_);
  stop_->setText(working ? tr("Stop") : tr("Again"));
  stop_->setToolTip(working ? tr("Stop solving the height map and keep what is shown")
                            : tr("Solve the height map of this frame again"));
}

QString HeightMapPanel::camera_name(size_t camera) const {
  return camera < project_.cameras.size() ? QString::fromStdString(project_.cameras[camera].name) : QString();
}

void HeightMapPanel::show_map(const HeightStudyMap& map) {
  const HeightEstimate& estimate = map.estimate;
  canvas_->set_hint({});
  canvas_->set_map(map);
  if (map.finished) took_ms_ = since_request_.elapsed();
  const HeightMapCheck& last = estimate.map.checks.back();
  const QString what =
      map.pixel_px > 1 ? tr("coarse, %1 × %1 pixels each").arg(map.pixel_px)
                       : tr("%1 iterations, energy %2, %3 pixels unsettled")
                             .arg(last.iteration)
                             .arg(last.energy, 0, 'f', 1)
                             .arg(estimate.map.checks.size() > 1 ? QString::number(last.changed) : tr("all"));
  words_->setText(tr("Frame %1 from %2: %3 heads; %4; after %5 s")
                      .arg(estimate.map.frame)
                      .arg(camera_name(estimate.reference))
                      .arg(estimate.heads.size())
                      .arg(what)
                      .arg(static_cast<double>(since_request_.elapsed()) / 1000, 0, 'f', 1));
  if (map.pixel_px == 1) show_energy(estimate.map);
}

void HeightMapPanel::show_energy(const HeightMap& map) {
  Curve energy{tr("energy"), QColor(), Qt::SolidLine, 2, {}, {}};
  for (const HeightMapCheck& check : map.checks) energy.points.emplace_back(check.iteration, check.energy);
  energy_plot_->set_curves({energy}, {});
}

void HeightMapPanel::show_belief(const QPoint& pixel, const PixelBelief& belief) {
  if (belief.cost.size() != static_cast<size_t>(labels_.count) + 1)
    return;  // the labels belong to other heights
  const QString names[4] = {tr("from ←"), tr("→"), tr("↑"), tr("↓")};
  std::vector<Curve> curves;
  curves.push_back({tr("cost"), QColor(), Qt::SolidLine, 1.5, over_heights(labels_, belief.cost),
                    static_cast<double>(belief.cost.back())});
  for (size_t d = 0; d < belief.messages.size(); ++d)
    if (!belief.messages[d].empty())
      curves.push_back({names[d], QColor(kMessageColors[d]), kMessageLines[d], 1.2,
                        over_heights(labels_, belief.messages[d]),
                        static_cast<double>(belief.messages[d].back())});
  curves.push_back({tr("belief"), QColor(kFailed), Qt::SolidLine, 2.5, over_heights(labels_, belief.belief),
                    static_cast<double>(belief.belief.back())});
  pixel_plot_->set_curves(std::move(curves), {});
  pixel_plot_->setAccessibleName(tr("Costs by height of pixel %1, %2").arg(pixel.x()).arg(pixel.y()));
}

void HeightMapPanel::tell_pointed(const std::optional<QPoint>& pixel) {
  if (!pixel || !canvas_->has_map()) return pointed_->clear();
  const std::optional<double> height = canvas_->height_m(*pixel);
  pointed_->setText(tr("x %1  y %2:  %3")
                        .arg(pixel->x())
                        .arg(pixel->y())
                        .arg(height ? number_text(*height, 'f', 3) + " m" : tr("no head")));
}

void HeightMapPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  request();
}

void HeightMapPanel::hideEvent(QHideEvent* event) {
  stop();
  runner_.release();
  QWidget::hideEvent(event);
}

}  // namespace vantage::ui
