#include "ui/main_window/overlay_control.h"

#include <algorithm>
#include <cmath>

#include "core/carving/voxel_votes.h"
#include "core/detections/detection_parameters.h"
#include "core/display/box_handles.h"
#include "core/pipeline/head_views.h"
#include "core/project/camera_in_time.h"
#include "ui/main_window/result_text.h"
#include "ui/panels/timings_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/views/compared_marks.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

OverlayControl::OverlayControl(const WindowParts& parts) : Control(parts) {
  add_actions();
}

// ---- project and results

void OverlayControl::refresh(Changes what) {
  if (what.testFlag(Change::project) && state().open())
    take_project(!what.testFlag(Change::other_project) && !state().project_change().recording);
  if (what.testFlag(Change::tracks)) {
    who_ = ShownPeople(state().shown(), state().tracks());
    update_marks();
  }
  if (what.testFlag(Change::frame)) show_frame();
}

void OverlayControl::take_project(bool same_world) {
  if (!same_world) grid_.reset();
  if (project().grid) grid_ = project().grid;
  if (!same_world) coverage_span_.reset();
  update_marks();
  update_details();
}

void OverlayControl::show_frame() {
  who_ = ShownPeople(state().shown(), state().tracks());
  const FrameResultRef& result = state().shown()->result;
  const bool first_grid = !grid_ && result->volume();
  if (const CarvedVolume* volume = result->volume()) grid_ = volume->grid;
  update_marks();
  update_details();
  if (!first_grid) return;
  if (slice_->isChecked()) set_cut(true, 0);  // a plane inside this grid
  update_availability();
}

void OverlayControl::forget() {
  grid_.reset();
  who_ = {};
  coverage_span_.reset();
  update_marks();
  update_details();
}

// ---- marks

void OverlayControl::update_marks() {
  Marks now;
  now.people_style = marks_.people_style, now.choice = std::move(marks_.choice);
  marks_ = std::move(now);
  marks_.question = state().open() ? question_ : MarkedQuestion();
  marks_.figure = figure_->isChecked();
  if (state().open() && heads_->isChecked()) mark_heads();
  if (state().open() && detections_->isChecked()) mark_detections();
  if (state().open() && project().calibrated()) {
    mark_people();
    if (trackers_) {
      marks_.people = trackers_->first;
      marks_.second = trackers_->second, marks_.switches = trackers_->switches;
    }
    if (trails_->isChecked() && state().shown()) marks_.trails = state().shown()->trails;
    if (skeletons_->isChecked()) mark_skeletons();
    if (coverage_switch_->isChecked()) mark_coverage();
    if (floor_map_switch_->isChecked()) mark_floor_map();
    if (floor_use_) marks_.floor_map = floor_use_, marks_.floor_text = floor_use_text_;
    if (floor_layer_.picture) marks_.floor_map = floor_layer_.picture, marks_.floor_text = floor_layer_.text;
    marks_.shapes = shapes_;
    marks_.points = points_;
    if (state().shown() && state().shown()->cut && slice_->isChecked())
      marks_.cut = std::make_shared<const FloorPicture>(cut_picture(*state().shown()->cut));
    if (grid_ && region_->isChecked()) marks_.region = box_of_grid(*grid_);
    if (edited_region_) marks_.region = edited_region_;
    marks_.boxes = boxes_;
    marks_.measures = measures_;
    marks_.truth = truth_;
    if (comparison_) mark_comparison();
  }
  parts().cameras->set_marks(marks_);
  parts().scene->set_marks(marks_);
}

void OverlayControl::mark_people() {
  const PeopleArtifact* people = state().shown() ? state().shown()->people() : nullptr;
  if (!people) return;
  const std::vector<double> by_head_m = heights_by_heads(who_.people().size());
  for (size_t i = 0; i < who_.people().size(); ++i) {
    const ShownPerson& person = who_.people()[i];
    marks_.everybody.push_back(
        {person.id, {person.x_m, person.y_m, 0}, person.height_m, by_head_m[i], name_of(person.id)});
  }
  if (!people_->isChecked()) return;
  marks_.people = marks_.everybody;
  for (const RejectedPeak& rejected : people->found.rejected)
    marks_.rejected.push_back(
        {{rejected.peak.x_m, rejected.peak.y_m, 0},
         QString::fromUtf8(reject_reason_text(rejected.reason).data(),
                           static_cast<qsizetype>(reject_reason_text(rejected.reason).size()))});
}

void OverlayControl::mark_skeletons() {
  if (!state().shown()) return;
  const std::vector<FramePerson> people = people_of(*state().shown());
  for (size_t i = 0; i < people.size() && i < who_.people().size(); ++i) {
    const PersonSkeleton* skeleton = people[i].skeleton;
    if (!skeleton) continue;
    MarkedSkeleton& marked = marks_.skeletons.emplace_back();
    marked.id = who_.people()[i].id;
    for (const SkeletonLimb& limb : limbs_of(*skeleton->layout)) {
      const auto &from = skeleton->joints[limb.joints[0]], &to = skeleton->joints[limb.joints[1]];
      if (from && to) marked.limbs_in_world_m.push_back({from->point_in_world_m, to->point_in_world_m});
    }
  }
}

// The height of each person by the head that the largest number of views see; 0: no head. Heads belong to the
// chain's people, not to recorded ones.
std::vector<double> OverlayControl::heights_by_heads(size_t people) const {
  std::vector<double> heights_m(people);
  const HeadsArtifact* heads = heads_->isChecked() ? state().shown()->result->heads() : nullptr;
  const PeopleArtifact* found = heads ? state().shown()->result->people() : nullptr;
  if (!heads || !found || state().shown()->recorded) return heights_m;
  std::vector<int> views(people);
  for (const SceneHead& head : heads->heads) {
    const int below = person_below(head, found->found.people);
    const auto person = static_cast<size_t>(below);
    if (below < 0 || person >= people || head.views <= views[person]) continue;
    views[person] = head.views;
    heights_m[person] = person_height_m(head);
  }
  return heights_m;
}

void OverlayControl::set_choice(MarkedChoice choice) {
  marks_.choice = std::move(choice);
  update_marks();
}

void OverlayControl::set_question(const MarkedQuestion& question) {
  question_ = question;
  update_marks();
}

void OverlayControl::set_edited_region(std::optional<UprightBox> region) {
  if (region == edited_region_) return;
  edited_region_ = region;
  update_marks();
}

// People of the present run would be taken for those of one of the two.
void OverlayControl::mark_comparison() {
  marks_.comparison = comparison_;
  marks_.people.clear();
  marks_.second.clear();
  marks_.switches.clear();
  marks_.rejected.clear();
  marks_.heads.clear();
  marks_.skeletons.clear();
  marks_.trails.clear();
  if (!comparison_->project) marks_.everybody.clear();
}

void OverlayControl::set_floor_use(FloorPictureRef picture, const QString& text) {
  if (!picture && !floor_use_) return;
  floor_use_ = std::move(picture);
  floor_use_text_ = text;
  update_marks();
}

void OverlayControl::set_floor_layer(FloorLayer layer) {
  if (!layer.picture && !floor_layer_.picture) return;
  floor_layer_ = std::move(layer);
  update_marks();
}

QString OverlayControl::layer_text(const Eigen::Vector3d& position_in_world_m) const {
  return floor_layer_.picture && floor_layer_.said_of ? floor_layer_.said_of(position_in_world_m.head<2>())
                                                      : QString();
}

QString OverlayControl::rejected_because(const Eigen::Vector3d& position_in_world_m) const {
  for (const MarkedPeak& peak : marks_.rejected)
    if ((peak.position_in_world_m - position_in_world_m).head<2>().norm() <= kRing_m) return peak.reason;
  return {};
}

QString OverlayControl::name_of(int64_t id) const {
  if (!who_.tracks()) return {};
  const auto name = who_.tracks()->names.find(id);
  return name == who_.tracks()->names.end() ? QString() : QString::fromStdString(name->second);
}

QString OverlayControl::called(int64_t id) const {
  const QString name = name_of(id);
  return name.isEmpty() ? tr("person %1").arg(id) : name;
}

QString OverlayControl::person_text(const Eigen::Vector3d& position_in_world_m) const {
  const ShownPerson* nearest = nullptr;
  double nearest_m = kRing_m;
  for (const ShownPerson& person : who_.people()) {
    const double distance_m =
        std::hypot(person.x_m - position_in_world_m.x(), person.y_m - position_in_world_m.y());
    if (person.id > 0 && distance_m <= nearest_m) nearest = &person, nearest_m = distance_m;
  }
  return nearest ? called(nearest->id) : QString();
}

void OverlayControl::mark_heads() {
  const HeadsArtifact* heads = state().shown() ? state().shown()->result->heads() : nullptr;
  if (!heads) return;
  for (const std::vector<Detection>& camera : heads->cameras) {
    std::vector<MarkedHead>& marked = marks_.heads.emplace_back();
    for (const Detection& box : camera)
      marked.push_back({QRectF(box.x, box.y, box.w, box.h), box.class_id == kHeadGuided});
  }
}

// Marks detections; those of the last frame that the detector examined, where it left out this one.
void OverlayControl::mark_detections() {
  constexpr int64_t kOldest_frames = 25;  // beyond, boxes tell nothing of who stands there now
  const DetectionsArtifact* detections = state().shown() ? state().shown()->result->detections() : nullptr;
  if (!detections) return last_detections_.clear();
  last_detections_.resize(detections->cameras.size());
  for (size_t i = 0; i < last_detections_.size(); ++i) {
    LastDetections& look = last_detections_[i];
    if (detections->cameras[i].known) look = {state().shown()->result->frame, detections->cameras[i].people};
    MarkedDetections& marked = marks_.detections.emplace_back();
    marked.age_frames = state().shown()->result->frame - look.frame;
    if (look.frame < 0 || marked.age_frames < 0 || marked.age_frames > kOldest_frames) continue;
    for (const PersonDetection& person : look.people)
      if (const auto strength = strength_of(person)) marked.people.push_back({person, *strength});
  }
}

// None: below the score that is kept now.
std::optional<DetectionStrength> OverlayControl::strength_of(const PersonDetection& person) const {
  const auto detections = project().parameters.get<DetectionParameters>();
  if (person.score < detections.min_score) return std::nullopt;
  if (person.score < project().parameters.get<FusionParameters>().min_score)
    return DetectionStrength::no_evidence;
  return person.score < detections.shown_score ? DetectionStrength::weak : DetectionStrength::shown;
}

void OverlayControl::mark_coverage() {
  const int64_t frame = state().shown() ? state().shown()->result->frame : 0;
  if (const size_t span = calibration_span(project(), frame); coverage_span_ != span) {
    coverage_.clear();
    const std::vector<Camera> cameras = project().calibrations(frame);
    const FloorArea area = floor_area(cameras, grid_ ? &*grid_ : nullptr);
    const CoverageOutline outline(cameras, Eigen::Vector2d(area.low_x_m, area.low_y_m),
                                  Eigen::Vector2d(area.high_x_m, area.high_y_m));
    for (int count = 2; count <= outline.cameras(); ++count)
      coverage_.push_back({count, false, outline.lines(count)});
    coverage_span_ = span;
  }
  const int needed = needed_cameras(project().parameters.get<CarvingParameters>(),
                                    static_cast<int>(project().cameras.size()));
  for (const MarkedCoverage& part : coverage_) {
    // With many cameras not every line: those of two, of as many as are needed, and of all.
    if (coverage_.size() > 5 && part.cameras != 2 && part.cameras != needed &&
        part.cameras != coverage_.back().cameras)
      continue;
    marks_.coverage.push_back(part);
    marks_.coverage.back().needed = part.cameras == needed;
  }
}

void OverlayControl::mark_floor_map() {
  const FloorMap* map = state().shown() ? state().shown()->result->floor_map() : nullptr;
  if (!map) return;
  if (floor_map_of_ != state().shown()->result)
    floor_map_ = std::make_shared<const FloorPicture>(floor_map_picture(*map));
  floor_map_of_ = state().shown()->result;
  marks_.floor_map = floor_map_;
  marks_.floor_text = tr("floor map 0 to %1 m").arg(kFullColumn_m);
}

// The next frames come with it; what is shown now comes again.
void OverlayControl::set_cut(bool shown, double by_m) {
  std::optional<double>& at_m = cut_at_m_[cut_axis_];
  if (grid_) {
    const int counts[3] = {grid_->nx, grid_->ny, grid_->nz};
    const double low = grid_->origin_in_world_m[cut_axis_],
                 high = low + counts[cut_axis_] * grid_->voxel_size_m;
    at_m = std::clamp(at_m.value_or((low + high) / 2) + by_m, low, high);
  }
  post(command::SetCut{shown ? std::optional(CutPlane{cut_axis_, at_m.value_or(0)}) : std::nullopt});
  update_availability();
  update_marks();
}

std::optional<CutPlane> OverlayControl::slice() const {
  if (!slice_->isChecked()) return std::nullopt;
  return CutPlane{cut_axis_, cut_at_m_[cut_axis_].value_or(0)};
}

// Level, across x, across y; each at its own position.
void OverlayControl::turn_cut() {
  cut_axis_ = (cut_axis_ + 1) % 3;
  set_cut(true, 0);
}

void OverlayControl::update_flow() {
  parts().cameras->set_flow({flow_->isChecked(), arrow_spacing_px_});
  update_availability();
}

// ---- words in the corners

void OverlayControl::update_details() {
  std::vector<QStringList> cameras;
  QStringList scene;
  if (state().open() && details_->isChecked()) {
    const FrameTimings timings =
        state().shown() ? parts().timings->timings_of(state().shown()->result->frame) : FrameTimings{};
    for (size_t i = 0; i < project().cameras.size(); ++i)
      cameras.push_back(camera_text(project(), static_cast<int>(i), state().frame_rate(),
                                    state().shown() ? state().shown()->result.get() : nullptr, timings));
    scene = stage_text(timings);
  }
  parts().cameras->set_details(std::move(cameras));
  parts().scene->set_details(std::move(scene));
}

}  // namespace vantage::ui
