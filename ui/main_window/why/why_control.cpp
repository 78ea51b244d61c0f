#include "ui/main_window/why/why_control.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QSet>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <cmath>
#include <type_traits>
#include <utility>

#include "ui/main_window/overlay_control.h"
#include "ui/main_window/panel_controls.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {

WhyControl::WhyControl(const WindowParts& parts) : Control(parts) {
  why_here_ = add_action(
      {"why_here", "Why &Here?", "?",
       "Say why a person is found at the position under the pointer, or no one: what each "
       "camera sees, and which threshold decides"},
      {Menu::scene, "figure"}, [this] { ask_pointed_place(); },
      [this] { return unmet({{project().calibrated(), tr("Positions on the floor need a calibration.")}}); });
  why_pixel_ = add_action(
      {"why_pixel", "Why This Pi&xel?", "Ctrl+?",
       "Say why the pixel under the pointer is in the mask or not: colour, model, noise, "
       "distance, shadow, cleaning, voxels"},
      {Menu::scene, "why_here"}, [this] { ask_pixel(pixel_); }, needs_project);
  QAction* copy = add_action(
      {"copy_why", "&Copy Answer", "Ctrl+Shift+F5", "Copy the chosen values of the answer, or all, as text",
       false, "Copy"},
      {Menu::scene, "why_pixel"}, [this] { QApplication::clipboard()->setText(panel_->text_to_copy()); },
      [this] { return unmet({{panel_->has_answer(), tr("Nothing was asked yet.")}}); });
  panel_ = new WhyPanel({copy});
  QAction* dock =
      add_dock({"why_dock", "&Why", "Shift+F5", "Show why a person is found, or a pixel is in the mask"},
               "variants_dock", tr("Why"), panel_);
  const auto connect_view = [this](auto* view) {
    using View = std::remove_pointer_t<decltype(view)>;
    connect(view, &View::person_pointed, this, [this](int64_t id) { person_ = id; });
    connect(view, &View::pointed, this, &WhyControl::point_at);
    connect(view, &View::menu_wanted, this, &WhyControl::offer_menu);
  };
  connect(parts.cameras, &CameraGrid::pixel_pointed, this,
          [this](const std::optional<PicturePosition>& pixel) { pixel_ = pixel; });
  connect_view(parts.cameras);
  connect_view(parts.scene);
  connect(parts.services.bridge, &SessionBridge::why_answered, this, &WhyControl::take);
  connect(panel_, &WhyPanel::parameter_wanted, this, [window = parts.window](const QString& key) {
    window->findChild<ParametersControl*>()->show_parameter(key);
  });
  connect(dock, &QAction::toggled, this, [this](bool shown) {
    if (shown && asked_ && !waiting_) post_question();
    mark();
  });
}

void WhyControl::forget() {
  person_ = 0;
  pointed_.reset();
  pixel_.reset();
  asked_.reset();
  waiting_ = false;
  panel_->show_text({});
  mark();
}

// The question stays while one steps through frames and changes parameters; not while frames are played.
void WhyControl::refresh(Changes what) {
  if (!asked_ || !dock_shown()) return;
  if (state().status().playing) {
    if (!waiting_) panel_->show_waiting(tr("Pause to see the answer for the frame shown."));
    return;
  }
  if (what & (Change::frame | Change::mode)) post_question();
}

void WhyControl::offer_menu(const std::optional<Eigen::Vector3d>& position_in_world_m, const QPoint& at) {
  if (person_ > 0) return;  // people have a menu of their own
  auto* menu = new QMenu(parts().window);
  menu->setObjectName("why_menu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  QAction* here = menu->addAction(why_here_->text());
  here->setEnabled(why_here_->isEnabled() && position_in_world_m);
  here->setToolTip(position_in_world_m || !why_here_->isEnabled()
                       ? why_here_->toolTip()
                       : tr("There is no floor at this point of the picture."));
  connect(here, &QAction::triggered, this, [this, position_in_world_m] { ask_place(*position_in_world_m); });
  if (sender() == parts().cameras) {
    QAction* pixel = menu->addAction(why_pixel_->text());
    pixel->setEnabled(why_pixel_->isEnabled() && pixel_);
    pixel->setToolTip(pixel_ ? why_pixel_->toolTip() : tr("There is no picture at this point."));
    connect(pixel, &QAction::triggered, this, [this, asked = pixel_] { ask_pixel(asked); });
  }
  menu->popup(at);
}

void WhyControl::ask_pointed_place() {
  if (pointed_) return ask_place(*pointed_);
  say_where_to_point(tr("Point at the floor in a picture or the scene first, then press ?."));
}

void WhyControl::ask_place(const Eigen::Vector3d& position_in_world_m) {
  ask(FloorQuestion{position_in_world_m.x(), position_in_world_m.y()});
}

void WhyControl::ask_pixel(const std::optional<PicturePosition>& pixel) {
  if (pixel)
    return ask(PixelQuestion{static_cast<size_t>(pixel->camera),
                             static_cast<int>(std::lround(pixel->at_px.x())),
                             static_cast<int>(std::lround(pixel->at_px.y()))});
  say_where_to_point(tr("Point at a picture first, then press Ctrl+?."));
}

// An answer that is there stays.
void WhyControl::say_where_to_point(const QString& words) {
  emit dock_wanted();
  panel_->has_answer() ? panel_->show_waiting(words) : panel_->show_text(words);
}

void WhyControl::ask(const About& about) {
  asked_ = about;
  emit dock_wanted();
  if (state().status().playing) post(command::Pause{});
  post_question();
  mark();
}

// In the views, as long as the dock is shown.
void WhyControl::mark() {
  MarkedQuestion marked;
  if (asked_ && dock_shown()) {
    if (const auto* floor = std::get_if<FloorQuestion>(&*asked_))
      marked.position_in_world_m = Eigen::Vector3d(floor->x_m, floor->y_m, 0);
    else if (const auto* pixel = std::get_if<PixelQuestion>(&*asked_))
      marked.camera = static_cast<int>(pixel->camera), marked.pixel = QPointF(pixel->x_px, pixel->y_px);
  }
  parts().overlays->set_question(marked);
}

void WhyControl::post_question() {
  if (!state().shown()) return panel_->show_text(tr("There is no frame yet."));
  waiting_ = true;
  panel_->show_waiting(state().status().analysing ? tr("The answer comes when the analysis ends.")
                                                  : tr("Computing the answer…"));
  WhyQuestion question{state().shown()->result->frame, *asked_};
  for (const ShownPerson& person : parts().overlays->who().people())
    if (person.id > 0)
      question.people.push_back({parts().overlays->called(person.id).toStdString(), person.x_m, person.y_m});
  post(command::Explain{std::move(question)});
}

// An answer to an earlier question is none to this one.
void WhyControl::take(const WhyReport& report) {
  if (!asked_ || report.question.about != *asked_) return;
  waiting_ = false;
  if (report.answer)
    panel_->show_answer(*report.answer);
  else
    panel_->show_text(QString::fromStdString(report.answer.error().message()));
  update_availability();
}

namespace {

constexpr int kFirstColumn_px = 185;
constexpr int kParameterRole = Qt::UserRole;  // of a threshold's section: its parameter

QString words(const std::string& text) {
  return QString::fromStdString(text);
}

}  // namespace

WhyPanel::WhyPanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent), verdict_(text_label()), waiting_(quiet_label()), values_(new QTreeWidget) {
  setAccessibleName(tr("Why"));
  verdict_->setAccessibleName(tr("Answer"));
  values_->setAccessibleName(tr("Values behind the answer"));
  values_->setHeaderLabels({tr("what"), tr("value")});
  values_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  values_->setUniformRowHeights(true);
  values_->setTextElideMode(Qt::ElideRight);
  values_->setIndentation(12);
  values_->header()->resizeSection(0, kFirstColumn_px);
  values_->header()->setStretchLastSection(true);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(kApart, kApart, kTight, kTight);
  rows->addWidget(verdict_);
  rows->addWidget(waiting_);
  rows->addWidget(values_, 1);
  rows->addLayout(button_row(commands));
  connect(values_, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
    const QString key = (item->parent() ? item->parent() : item)->data(0, kParameterRole).toString();
    if (!key.isEmpty()) emit parameter_wanted(key);
  });
  show_text({});
}

void WhyPanel::show_answer(const Report& answer) {
  has_answer_ = true;
  verdict_->setText(words(answer.text("verdict")));
  all_ = words(text_of(answer));
  show_waiting({});
  fill(answer);
}

// What was folded or unfolded by hand stays so from answer to answer, by its title.
void WhyPanel::fill(const Report& answer) {
  QSet<QString> known, open;
  for (int i = 0; i < values_->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* section = values_->topLevelItem(i);
    known.insert(section->text(0));
    if (section->isExpanded()) open.insert(section->text(0));
  }
  values_->clear();
  for (const ReportItem& part : answer.items)
    for (const Report& section : part.parts) {
      const QString title = words(section.title), summary = words(section.summary);
      auto* top = new QTreeWidgetItem(values_, {title, summary});
      top->setToolTip(0, title);
      top->setToolTip(1, summary);
      QFont font = top->font(0);
      font.setBold(section.decides);
      top->setFont(0, font);
      for (const ReportItem& value : section.items) {
        if (value.key == "parameter") {
          top->setData(0, kParameterRole, words(value.text));
          top->setToolTip(0, tr("%1: double-click to see the parameter").arg(title));
        }
        auto* row = new QTreeWidgetItem(top, {words(value.label), words(value.text)});
        for (int column = 0; column < 2; ++column)
          row->setToolTip(column, words(value.label + ": " + value.text));
      }
      top->setExpanded(known.contains(title) ? open.contains(title) : section.decides);
    }
}

void WhyPanel::show_text(const QString& text) {
  has_answer_ = false;
  verdict_->setText(text.isEmpty()
                        ? tr("Point at the floor and press ?, or at a pixel and press Ctrl+?; or use "
                             "the right mouse button.")
                        : text);
  all_.clear();
  values_->clear();
  show_waiting({});
}

void WhyPanel::show_waiting(const QString& text) {
  waiting_->setText(text);
  waiting_->setVisible(!text.isEmpty());
}

QString WhyPanel::text_to_copy() const {
  QStringList lines;
  for (int i = 0; i < values_->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* section = values_->topLevelItem(i);
    if (section->isSelected()) lines << section->text(0) + ": " + section->text(1);
    for (int k = 0; k < section->childCount(); ++k)
      if (const QTreeWidgetItem* row = section->child(k); row->isSelected())
        lines << section->text(0) + ", " + row->text(0) + ": " + row->text(1);
  }
  return lines.isEmpty() ? all_ : lines.join('\n');
}

}  // namespace vantage::ui
