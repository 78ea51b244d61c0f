// The marks drawn over every view alike, given in the world; a view only provides its projection. Only heads
// and detections are boxes in the cameras' pictures. Hidden marks are not included.
#pragma once

#include <QPainter>
#include <QString>
#include <QTransform>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/detections/detections.h"
#include "core/display/coverage_outline.h"
#include "core/display/floor_picture.h"
#include "core/display/trails.h"
#include "core/display/world_lines.h"
#include "core/sync/line_segment.h"

namespace vantage::ui {

enum class PeopleStyle { box, ring, number };

// A person as views draw them.
struct MarkedPerson {
  int64_t id = 0;  // 0: no ID yet
  Eigen::Vector3d position_in_world_m;
  double height_m = 0;
  double by_head_m = 0;  // height by the detected head; 0: none, or heads are not shown
  QString name = {};     // typed by the user; empty: the ID is shown
};

// A person's limbs, between joints that are known.
struct MarkedSkeleton {
  int64_t id = 0;  // 0: no ID yet
  std::vector<std::array<Eigen::Vector3d, 2>> limbs_in_world_m;
};

// The same person from a second tracker: drawn dashed around the first's, with its ID below.
struct MarkedSecond {
  MarkedPerson person;
  bool differs = false;  // the ID is not paired with the first tracker's
};

// An ID changed here just before.
struct MarkedSwitch {
  Eigen::Vector3d position_in_world_m;
  QString words;
};

// Position of a point clicked in several cameras, for the scene; cameras show the clicks.
struct MarkedPoint {
  QString name;
  Eigen::Vector3d position_in_world_m;
  bool chosen = false;
};

// Two trackers compared with each other, in one frame.
struct MarkedTrackers {
  std::vector<MarkedPerson> first;
  std::vector<MarkedSecond> second;
  std::vector<MarkedSwitch> switches;
};

inline constexpr double kRing_m = 0.28;  // radius of marks around a position on the floor

struct MarkedPeak {
  Eigen::Vector3d position_in_world_m;
  QString reason;
};

// In its camera's picture, whose first pixel begins at 0.
struct MarkedHead {
  QRectF box;
  bool guided = false;  // found with the help of other views
};

// Use of a detection by its score (detections.shown_score, fusion.min_score).
enum class DetectionStrength { shown, weak, no_evidence };

// A detector's person in a camera's picture.
struct MarkedDetection {
  PersonDetection seen;
  DetectionStrength strength = DetectionStrength::shown;
};
struct MarkedDetections {
  std::vector<MarkedDetection> people;
  int64_t age_frames = 0;  // since the detector's last picture
};

struct MarkedCoverage {
  int cameras = 0;      // the position is seen by at least so many inside
  bool needed = false;  // as many as a person found there needs
  std::vector<CoverageLine> lines;
};

// Epipolar lines of one camera's picture.
struct MarkedEpipolarLines {
  int camera = 0;
  int chosen = 0;  // drawn bright
  std::vector<LineSegment> lines;
};
// A zone or a line on the floor.
struct MarkedShape {
  QString name;
  std::vector<Eigen::Vector2d> corners_m;
  bool closed = true;  // a zone
  bool chosen = false;
  bool corners = false;   // can be dragged, so they are shown
  bool doubtful = false;  // people there may be missed
};

// A box laid over a thing.
struct MarkedBox {
  QString text;  // its name where there are several, its size during a drag
  UprightBox box;
  bool chosen = true;  // has the handles
};

// A measurement: lines from point to point, and the value as text.
struct MarkedMeasure {
  std::vector<Eigen::Vector3d> points_m;
  QString text;
  bool chosen = false;
};

// A person of the ground truth who was drawn by hand.
struct MarkedTruth {
  int64_t id = 0;
  Eigen::Vector3d position_in_world_m;
  double height_m = 0;  // 0: unknown
  bool key = false;     // set in this very frame
  bool chosen = false;
};

// The position on the floor, or the pixel of a camera, that a question is about.
struct MarkedQuestion {
  std::optional<Eigen::Vector3d> position_in_world_m;
  int camera = -1;  // the pixel's; -1: no pixel
  QPointF pixel;    // (0, 0) is the centre of the first pixel
};

// The chosen person, with the complete path.
struct MarkedChoice {
  int64_t first = 0, second = 0;                    // 0: none
  std::vector<std::vector<Eigen::Vector2d>> way_m;  // the first person's, in runs without a break
};

using FloorPictureRef = std::shared_ptr<const FloorPicture>;
struct MarkedComparison;  // ui/views/compared_marks.h

struct Marks {
  PeopleStyle people_style = PeopleStyle::box;
  std::vector<MarkedPerson> people;     // to be marked
  std::vector<MarkedPerson> everybody;  // found, marked or not
  std::vector<MarkedSecond> second;
  std::vector<MarkedSwitch> switches;
  std::vector<MarkedPeak> rejected;
  std::vector<std::vector<MarkedHead>> heads;  // one per camera
  std::vector<MarkedDetections> detections;    // one per camera
  std::vector<MarkedSkeleton> skeletons;
  std::vector<Trail> trails;
  std::vector<MarkedCoverage> coverage;
  std::vector<MarkedShape> shapes;
  std::vector<MarkedPoint> points;
  MarkedChoice choice;
  std::optional<UprightBox> region;
  std::vector<MarkedBox> boxes;
  std::vector<MarkedMeasure> measures;
  std::vector<MarkedTruth> truth;
  MarkedQuestion question;
  bool figure = true;  // stands at the position that is pointed at
  FloorPictureRef floor_map, cut;
  QString floor_text;                                  // meaning of the floor map's colours
  std::shared_ptr<const MarkedComparison> comparison;  // comparison of two runs; null: none
};

// The surface that marks are drawn on: a camera's picture or the scene.
struct MarkView {
  WorldView world;
  QTransform widget_from_view;
  QRectF visible;                  // widget coordinates
  Eigen::Vector3d eye_in_world_m;  // figures turn towards it
  bool camera = true;              // people as in the style; the scene shows rings
  bool from_above = false;         // nothing upright is visible
  int pane = -1;                   // side of the comparison that it shows alone; -1: as in its style
};

void draw_epipolar_lines(QPainter& painter, const MarkView& view, const MarkedEpipolarLines& pair);
void draw_marks(QPainter& painter, const MarkView& view, const Marks& marks);
// The person drawn there, the nearest to the view's eye; 0: no one with an ID.
int64_t person_at(const MarkView& view, const Marks& marks, const QPointF& place);
// A position on the floor under the mouse; `figure`: with a person of 1.75 m.
void draw_pointed(QPainter& painter, const MarkView& view, const Eigen::Vector3d& position_in_world_m,
                  bool figure);
// A question mark at a place of the widget.
void draw_question(QPainter& painter, const QPointF& at);

struct LineStyle {
  QColor color;
  double width_px = 2;
  Qt::PenStyle style = Qt::SolidLine;
};
// With a 1 px black halo.
void draw_world_line(QPainter& painter, const MarkView& view,
                     std::span<const Eigen::Vector3d> points_in_world_m, bool closed, const LineStyle& look);
std::optional<QPointF> widget_position(const MarkView& view, const Eigen::Vector3d& point_in_world_m);

}  // namespace vantage::ui
