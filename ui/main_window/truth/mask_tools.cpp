// The tools that paint masks, and what they change.

#include <QGuiApplication>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include "core/video/frame_source.h"
#include "ui/main_window/truth/mask_control.h"
#include "ui/main_window/truth/mask_panel.h"
#include "ui/main_window/truth/truth_control.h"
#include "ui/platform/video_probe.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/numbers.h"

namespace vantage::ui {
namespace {

constexpr double kSizeFactor = 1.2;  // of one step of the brush

// The camera's picture of a frame in host memory: the one that is shown, or read again where that lies on a
// device.
Result<Picture> host_picture_of(const FrameResultRef& result, const Project& project, size_t camera) {
  const FrameSet* frames = result->frames();
  if (frames && camera < frames->cameras.size()) {
    const Picture& picture = frames->cameras[camera].picture;
    if (picture && picture.place() == MemoryPlace{}) return picture;
  }
  if (const DisplayArtifact* display = result->display();
      display && camera < display->pictures.size() && display->pictures[camera])
    return display->pictures[camera];
  FrameSourceOptions options;
  for (const ProjectCamera& one : project.cameras)
    options.cameras.push_back({one.name, one.video, one.offset_frames, one.frame_rate, one.offset_changes});
  VANTAGE_ASSIGN(const auto source, FrameSource::open(std::move(options)));
  VANTAGE_ASSIGN(const FrameSet set, source->read(result->frame));
  return set.cameras.at(camera).picture;
}

}  // namespace

void MaskControl::start(Tool tool) {
  end();
  emit tool_begun();
  tool_ = tool;
  for (const auto& [action, its] : tools_) action->setChecked(its == tool);
  parts().cameras->set_picture_tool(this);
  parts().cameras->setCursor(Qt::CrossCursor);
  if (state().status().playing) post(command::Pause{});
  emit truth_->dock_wanted();
  truth_->show_page(panel_);
  parts().cameras->setFocus();
  show_masks();
  emit availability_changed();
}

void MaskControl::end() {
  for (const auto& [action, its] : tools_) action->setChecked(false);
  if (!tool_) return;
  tool_.reset();
  stroke_.reset();
  polygon_.clear();
  parts().cameras->drop_picture_tool(this);
  if (!parts().cameras->has_tool()) parts().cameras->unsetCursor();
  show_masks();
  emit availability_changed();
}

Paint MaskControl::paint() const {
  const bool held = QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
  return held != erase_->isChecked() ? Paint::erase : Paint::add;
}

std::string MaskControl::name_of(int camera) const {
  return project().cameras.at(camera).name;
}

std::optional<QSize> MaskControl::picture_size(int camera) const {
  const FrameSet* frames = state().shown() ? state().shown()->result->frames() : nullptr;
  const auto index = static_cast<size_t>(camera);
  if (camera < 0 || !frames || index >= frames->cameras.size() || !frames->cameras[index].picture)
    return std::nullopt;
  return QSize(frames->cameras[index].picture.width(), frames->cameras[index].picture.height());
}

Image MaskControl::copy_of(int camera) const {
  const auto size = picture_size(camera);
  if (!size) return {};
  const Image mask = store_.mask(name_of(camera));
  const bool fits = mask && mask.width() == size->width() && mask.height() == size->height();
  return (fits ? mask_of(mask.view<uint8_t>(), HostPool::shared())
               : empty_mask(size->width(), size->height(), HostPool::shared()))
      .value_or(Image());
}

void MaskControl::commit(int camera, Image mask) {
  const std::string name = name_of(camera);
  const Image before = store_.mask(name);
  apply({{name, frame(), before, std::move(mask)}});
  panel_->choose_camera(camera);
}

// ---- the mouse

bool MaskControl::press(const PicturePosition& place) {
  stroke_.reset();
  if (!store_.loaded() || store_.frame() != frame()) return true;  // it will be soon
  if (*tool_ == Tool::polygon) {
    if (polygon_camera_ != place.camera) polygon_.clear();
    polygon_camera_ = place.camera;
    if (polygon_.size() > 2 && (polygon_.front() - place.at_px).norm() <= place.reach_px) {
      close_polygon();
      return true;
    }
    polygon_.push_back(place.at_px);
    draw_masks();
    update_availability();
    return true;
  }
  Image mask = copy_of(place.camera);
  if (!mask) return true;
  if (*tool_ == Tool::grow) {
    grow(place.camera, place.at_px);
  } else if (*tool_ == Tool::fill) {
    if (fill_area(mask.writable_view<uint8_t>(), place.at_px, paint()) > 0) commit(place.camera, mask);
  } else {
    stroke_ = Stroke{place.camera, store_.mask(name_of(place.camera)), std::move(mask), place.at_px};
    drag(place);
  }
  return true;
}

void MaskControl::drag(const PicturePosition& place) {
  if (!stroke_ || place.camera != stroke_->camera) return;
  paint_stroke(stroke_->mask.writable_view<uint8_t>(), stroke_->last_px, place.at_px,
               panel_->radius()->value(), paint());
  stroke_->last_px = place.at_px;
  draw_masks();
}

void MaskControl::release() {
  std::optional<Stroke> stroke = std::exchange(stroke_, std::nullopt);
  if (stroke) commit(stroke->camera, std::move(stroke->mask));
}

void MaskControl::abandon() {
  if (!std::exchange(stroke_, std::nullopt)) return;
  show_masks();
}

bool MaskControl::double_click() {
  if (tool_ == Tool::polygon) close_polygon();
  return painting();
}

bool MaskControl::wheel(double notches) {
  if (tool_ != Tool::brush && tool_ != Tool::grow) return false;
  change_size(notches);
  return true;
}

// Changes the brush by a fifth, and at least one pixel; the tolerance by 5.
void MaskControl::change_size(double steps) {
  QSpinBox* size = tool_ == Tool::grow ? panel_->tolerance() : panel_->radius();
  const int value = size->value();
  const int wanted = tool_ == Tool::grow
                         ? value + static_cast<int>(std::lround(5 * steps))
                         : static_cast<int>(std::lround(value * std::pow(kSizeFactor, steps)));
  size->setValue(wanted != value ? wanted : value + (steps > 0 ? 1 : -1));
}

// A double click's first press has set its last corner.
void MaskControl::close_polygon() {
  const std::vector<Eigen::Vector2d> corners = std::exchange(polygon_, {});
  Image mask = corners.size() > 2 ? copy_of(polygon_camera_) : Image();
  if (mask) {
    paint_polygon(mask.writable_view<uint8_t>(), corners, paint());
    commit(polygon_camera_, std::move(mask));
  }
  show_masks();
  update_availability();
}

void MaskControl::grow(int camera, const Eigen::Vector2d& at_px) {
  Image mask = copy_of(camera);
  if (!mask || !state().shown()) return;
  growing_.start([this, camera, at_px, mask, paint = paint(), tolerance = panel_->tolerance()->value(),
                  result = state().shown()->result,
                  project = project()](const StopSource&) mutable -> BackgroundJob::Deliver {
    const Result<Picture> picture = host_picture_of(result, project, static_cast<size_t>(camera));
    if (!picture) return [this, error = picture.error()] { emit failed(error); };
    if (!*picture) return [] {};
    const QImage image = to_image(*picture).convertToFormat(QImage::Format_RGB888);
    const ImageView<const uint8_t> rgb{image.constBits(), 3 * image.width(), image.height(),
                                       static_cast<size_t>(image.bytesPerLine())};
    const int64_t grown = grow_by_color(mask.writable_view<uint8_t>(), rgb, at_px, tolerance,
                                        std::max(image.width(), image.height()), paint);
    return [this, camera, mask, grown, frame = result->frame] {
      if (grown > 0 && frame == this->frame() && store_.loaded()) commit(camera, mask);
    };
  });
}

// ---- masks of a whole frame

void MaskControl::carry() {
  const int64_t from = frame(), to = from + panel_->step()->value();
  std::map<std::string, Image> masks;
  int kept = 0;
  const auto there = store_.drawn().find(to);
  for (const auto& [camera, mask] : store_.masks()) {
    const bool known = there != store_.drawn().end() && there->second.contains(camera);
    known ? static_cast<void>(++kept) : static_cast<void>(masks[camera] = mask);
  }
  if (masks.empty()) {
    tell(tr("Frame %1 has these masks already: remove them first to carry others there.").arg(to), true);
    return go_to(to);
  }
  carrying_.start([this, from, to, masks, project = project(), carry_on = parts().services.carry_masks](
                      const StopSource& stop) -> BackgroundJob::Deliver {
    auto carried =
        std::make_shared<Result<std::map<std::string, Image>>>(carry_on(project, masks, from, to, stop));
    return [this, from, to, carried] {
      emit running_changed();
      emit availability_changed();
      if (!*carried) return emit failed(carried->error());
      take_carried(from, to, **carried);
    };
  });
  emit running_changed();
  emit availability_changed();
}

void MaskControl::take_carried(int64_t, int64_t to, const std::map<std::string, Image>& masks) {
  MaskStep step;
  for (const auto& [camera, mask] : masks) step.push_back({camera, to, {}, mask});
  apply(step);
  go_to(to);
}

void MaskControl::set_nobody() {
  MaskStep step;
  for (size_t i = 0; i < project().cameras.size(); ++i) {
    const std::string& name = project().cameras[i].name;
    const auto size = picture_size(static_cast<int>(i));
    if (!size || store_.mask(name)) continue;
    if (const Result<Image> mask = empty_mask(size->width(), size->height(), HostPool::shared()))
      step.push_back({name, frame(), {}, *mask});
  }
  apply(step);
}

void MaskControl::remove() {
  const int chosen = panel_->chosen_camera();
  const std::string only = chosen >= 0 ? name_of(chosen) : std::string();
  MaskStep step;
  for (const auto& [camera, mask] : store_.masks())
    if (only.empty() || camera == only || !store_.mask(only)) step.push_back({camera, frame(), mask, {}});
  apply(step);
}

// ---- the views and the page

bool MaskControl::shown() const {
  return state().open() && (painting() || panel_->isVisible());
}

const MaskControl::Tinted& MaskControl::tinted(const std::string& camera, const Image& mask) {
  Tinted& made = tinted_[camera];
  const auto other = theirs_.find(camera);
  const bool compared = other != theirs_.end() && other->second.width() == mask.width() &&
                        other->second.height() == mask.height();
  const BufferRef theirs = compared ? other->second.buffer() : BufferRef();
  if (made.of == mask.buffer() && made.theirs == theirs) return made;
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  made = {mask.buffer(), theirs,
          compared ? compared_masks(view, other->second.view<uint8_t>()) : painted_mask(view), 0};
  for (int y = 0; y < view.height; ++y)
    made.inside_px += view.width - std::count(view.row(y), view.row(y) + view.width, 0);
  return made;
}

void MaskControl::set_theirs(std::map<std::string, Image> masks) {
  if (masks.empty() && theirs_.empty()) return;
  theirs_ = std::move(masks);
  draw_masks();
}

void MaskControl::show_masks() {
  draw_masks();
  show_panel();
}

// Also while the pointer moves, which changes nothing on the page.
void MaskControl::draw_masks() {
  PaintedMasks painted;
  painted.painting = painting();
  const bool here = shown() && store_.loaded() && store_.frame() == frame();
  if (here) {
    painted.masks.resize(project().cameras.size());
    for (size_t i = 0; i < painted.masks.size(); ++i) {
      if (stroke_ && stroke_->camera == static_cast<int>(i)) {
        painted.masks[i] = painted_mask(stroke_->mask.view<uint8_t>());
        continue;
      }
      const std::string& name = project().cameras[i].name;
      const Image mask = store_.mask(name);
      if (!mask) continue;
      painted.masks[i] = tinted(name, mask).image;
    }
  }
  if (painting() && !polygon_.empty()) {
    painted.polygon_camera = polygon_camera_;
    for (const Eigen::Vector2d& corner : polygon_) painted.polygon << QPointF(corner.x(), corner.y());
  }
  if (tool_ == Tool::brush && pointed_)
    painted.brush = MarkedBrush{pointed_->camera, QPointF(pointed_->at_px.x(), pointed_->at_px.y()),
                                static_cast<double>(panel_->radius()->value()), paint() == Paint::erase};
  parts().cameras->set_painted(std::move(painted));
}

// Scores of the foreground of the present parameters by the masks that were painted.

namespace {

// Scores of masks in memory: those painted just now.
Result<std::vector<MaskScore>> scores_here(const FrameResultRef& result,
                                           const std::vector<std::string>& names,
                                           const std::map<std::string, Image>& painted) {
  VANTAGE_ASSIGN(const std::vector<Image> found, result->foreground()->host_masks.get());
  std::vector<MaskScore> scores;
  for (size_t i = 0; i < names.size() && i < found.size(); ++i) {
    const auto mask = painted.find(names[i]);
    if (mask == painted.end() || !found[i] || found[i].width() != mask->second.width() ||
        found[i].height() != mask->second.height())
      continue;
    scores.push_back(
        {result->frame, names[i], overlap_of(found[i].view<uint8_t>(), mask->second.view<uint8_t>())});
  }
  return scores;
}

QString iou_words(double iou) {
  return number_text(iou, 'f', 3);
}

}  // namespace

// A preview is not exact yet, and is not measured.
void MaskControl::score_shown() {
  if (!shown() || !state().shown() || !store_.loaded()) return;
  const FrameResultRef result = state().shown()->result;
  const auto version = result->versions.find(kForegroundStage);
  if (version != result->versions.end() && version->second != scored_version_) {
    scored_version_ = version->second;
    scores_.clear();
    show_panel();
  }
  if (result->frame != store_.frame() || !result->foreground() || result->preview) return;
  std::vector<std::string> names;
  for (const ProjectCamera& camera : project().cameras) names.push_back(camera.name);
  scoring_here_.start([this, result, names, version = scored_version_,
                       masks = store_.masks()](const StopSource&) -> BackgroundJob::Deliver {
    auto scores = std::make_shared<Result<std::vector<MaskScore>>>(scores_here(result, names, masks));
    return [this, scores, version, frame = result->frame] {
      if (!*scores) return emit failed(scores->error());
      if (version != scored_version_) return;
      std::erase_if(scores_, [&](const MaskScore& score) { return score.frame == frame; });
      take_scores(std::move(**scores));
    };
  });
}

void MaskControl::take_scores(std::vector<MaskScore> scores) {
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  show_panel();
  update_availability();
}

void MaskControl::measure() {
  when_saved([this] {
    scored_ = 0;
    const auto tell_progress = [this](size_t done, size_t all) {
      QMetaObject::invokeMethod(this, [this, done, all] {
        scored_ = static_cast<double>(done) / static_cast<double>(all);
        if (scoring_.running()) emit running_changed();
      });
    };
    scoring_.start([this, tell_progress, project = project(), drawn = store_.drawn(),
                    score = parts().services.score_masks](const StopSource& stop) -> BackgroundJob::Deliver {
      auto scores =
          std::make_shared<Result<std::vector<MaskScore>>>(score(project, drawn, tell_progress, stop));
      return [this, scores] {
        emit running_changed();
        emit availability_changed();
        if (!*scores) return emit failed(scores->error());
        scores_.clear();
        take_scores(std::move(**scores));
      };
    });
    emit running_changed();
    emit availability_changed();
  });
}

void MaskControl::go_to_worst() {
  const auto frames = worst_frames(scores_);
  if (frames.empty()) return;
  const auto here = std::ranges::find(frames, frame(), &std::pair<int64_t, double>::first);
  const bool last = here == frames.end() || here + 1 == frames.end();
  go_to(last ? frames.front().first : (here + 1)->first);
}

void MaskControl::show_panel() {
  if (!panel_->isVisible() && state().open()) return;
  std::vector<MaskPanel::CameraRow> cameras;
  std::vector<MaskPanel::FrameRow> frames;
  if (state().open()) {
    const auto means = iou_by_camera(scores_);
    for (const ProjectCamera& camera : project().cameras) {
      MaskPanel::CameraRow row{QString::fromStdString(camera.name), {}, {}, {}};
      if (const Image mask = store_.mask(camera.name)) row.painted_px = tinted(camera.name, mask).inside_px;
      for (const MaskScore& score : scores_)
        if (score.camera == camera.name && score.frame == frame()) row.here = score.overlap.iou();
      if (const auto mean = means.find(camera.name); mean != means.end()) row.mean = mean->second;
      cameras.push_back(std::move(row));
    }
    std::set<int64_t> measured;
    for (const auto& [frame, iou] : worst_frames(scores_)) {
      const auto files = store_.drawn().find(frame);
      if (files == store_.drawn().end() || !measured.insert(frame).second) continue;
      frames.push_back({frame, static_cast<int>(files->second.size()), iou});
    }
    for (const auto& [frame, files] : store_.drawn())
      if (!measured.contains(frame)) frames.push_back({frame, static_cast<int>(files.size()), {}});
  }
  panel_->show_cameras(cameras);
  panel_->show_frames(frames, frame());
  panel_->show_text(metrics_text());
}

QString MaskControl::metrics_text() const {
  if (!state().open()) return {};
  if (const QString refused = why_not(); !refused.isEmpty()) return refused;
  if (store_.drawn().empty()) return tr("Nothing was painted yet: choose Brush, then paint over a person.");
  std::vector<MaskScore> here;
  std::set<int64_t> measured;
  for (const MaskScore& score : scores_) {
    measured.insert(score.frame);
    if (score.frame == frame()) here.push_back(score);
  }
  QStringList words;
  if (const auto iou = mean_iou(here)) words << tr("IoU in this frame %1").arg(iou_words(*iou));
  if (const auto mean = mean_iou(scores_))
    words << tr("mean %1 (masks: %2, frames: %3)")
                 .arg(iou_words(*mean))
                 .arg(scores_.size())
                 .arg(measured.size());
  const size_t open = store_.drawn().size() - std::min(measured.size(), store_.drawn().size());
  if (open > 0) words << tr("painted frames not measured with these parameters yet: %1").arg(open);
  return words.join(QStringLiteral("; ")) + QStringLiteral(".");
}

}  // namespace vantage::ui
