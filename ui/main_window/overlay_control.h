// The overlays of the views: takes their commands, gathers what they show from project and
// results, and hands the same marks to cameras and scene.
#pragma once

#include <QStringList>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "core/session/shown_people.h"
#include "ui/main_window/control.h"
#include "ui/views/marks.h"

namespace vantage::ui {

// A picture that lies on the floor, and what it says of a place of it.
struct FloorLayer {
  FloorPictureRef picture;  // null: none
  QString text;             // what its colours stand for
  std::function<QString(const Eigen::Vector2d& place_m)> said_of;
};

class OverlayControl final : public Control {
  Q_OBJECT
 public:
  explicit OverlayControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void restore(const QSettings& settings) override;  // the switches
  void save(QSettings& settings) const override;

  // Marks the chosen people in every view.
  void set_choice(MarkedChoice choice);
  // The people in the frame that is shown: the views mark them, other controls ask for them.
  const ShownPeople& who() const { return who_; }
  void set_points(std::vector<MarkedPoint> points) { take(points_, std::move(points)); }
  void set_shapes(std::vector<MarkedShape> shapes) { take(shapes_, std::move(shapes)); }
  void set_measures(std::vector<MarkedMeasure> measures) { take(measures_, std::move(measures)); }
  void set_truth(std::vector<MarkedTruth> people) { take(truth_, std::move(people)); }
  void set_question(const MarkedQuestion& question);
  void set_boxes(std::vector<MarkedBox> boxes) { take(boxes_, std::move(boxes)); }
  // Shown whether the region is switched on or not; nothing: it is not being edited.
  void set_edited_region(std::optional<UprightBox> region);
  // Two trackers in place of the people's own numbers; nothing: not compared.
  void set_trackers(std::optional<MarkedTrackers> trackers) { take(trackers_, std::move(trackers)); }
  // Two runs in place of the people, trails, skeletons and heads of the present one; null: none.
  void set_comparison(std::shared_ptr<const MarkedComparison> comparison) {
    take(comparison_, std::move(comparison));
  }
  // Laid over the floor instead of the floor map; null: none.
  void set_floor_use(FloorPictureRef picture, const QString& text);
  // Laid over the floor instead of both.
  void set_floor_layer(FloorLayer layer);

  const Marks& marks() const { return marks_; }
  // The reason why the peak at this position was not taken for a person, as it is marked; empty: none is
  // there.
  QString rejected_because(const Eigen::Vector3d& position_in_world_m) const;
  // "Anna", else "person 183".
  QString called(int64_t id) const;
  // What the floor's layer says of the position; empty: there is none.
  QString layer_text(const Eigen::Vector3d& position_in_world_m) const;
  // The person in whose ring the position lies, as called(); empty: no one with an ID.
  QString person_text(const Eigen::Vector3d& position_in_world_m) const;
  // What is analysed: the project's, or the one fitted for it, which the first frame tells.
  const std::optional<VoxelGrid>& grid() const { return grid_; }
  std::optional<CutPlane> slice() const;  // the one that is shown

 private:
  void add_actions();
  template <typename Taken>
  void take(Taken& kept, Taken taken) {
    const auto nothing = [](const Taken& one) {
      if constexpr (requires { one.empty(); })
        return one.empty();
      else
        return !one;
    };
    if (nothing(kept) && nothing(taken)) return;
    kept = std::move(taken);
    update_marks();
  }
  void update_flow();
  void connect_stage(QAction* action, const char* stage);
  void offer_stage(const QString& stage);
  void take_project(bool same_world);
  void show_frame();
  void update_marks();
  void mark_people();
  void mark_comparison();
  QString name_of(int64_t id) const;  // empty: none was typed
  void mark_skeletons();
  std::vector<double> heights_by_heads(size_t people) const;
  void mark_heads();
  void mark_detections();
  std::optional<DetectionStrength> strength_of(const PersonDetection& person) const;
  void mark_coverage();
  void mark_floor_map();
  void update_details();
  void set_cut(bool shown, double by_m);
  void next_arrows();
  void next_people_style();
  void turn_cut();

  QAction *people_, *trails_, *floor_map_switch_, *heads_, *detections_, *skeletons_, *slice_, *region_,
      *coverage_switch_, *figure_, *details_, *flow_;
  std::optional<VoxelGrid> grid_;
  std::optional<UprightBox> edited_region_;
  std::vector<MarkedBox> boxes_;
  std::vector<MarkedMeasure> measures_;
  std::vector<MarkedTruth> truth_;
  MarkedQuestion question_;
  // The detector's last people in each camera, and their frame, for the frames that it leaves out.
  struct LastDetections {
    int64_t frame = -1;
    std::vector<PersonDetection> people;
  };
  std::vector<LastDetections> last_detections_;
  Marks marks_;
  int arrow_spacing_px_ = 0;
  std::vector<MarkedCoverage> coverage_;
  std::optional<size_t> coverage_span_;  // calibration_span() that coverage_ is of; nothing: not known
  FloorPictureRef floor_map_;
  FrameResultRef floor_map_of_;
  int cut_axis_ = 2;                                                                   // level
  std::array<std::optional<double>, 3> cut_at_m_ = {std::nullopt, std::nullopt, 1.0};  // by axis
  ShownPeople who_;
  std::vector<MarkedShape> shapes_;
  std::vector<MarkedPoint> points_;
  std::optional<MarkedTrackers> trackers_;
  std::shared_ptr<const MarkedComparison> comparison_;
  FloorPictureRef floor_use_;
  QString floor_use_text_;
  FloorLayer floor_layer_;
};

}  // namespace vantage::ui
