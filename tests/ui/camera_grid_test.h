#pragma once

#include <QObject>

namespace vantage::ui {

class CameraGridTest final : public QObject {
  Q_OBJECT
 private slots:
  void shows_every_camera_in_its_colours();
  void names_give_way_to_a_notice();
  void overlay_is_switched_at_once();
  void heights_lie_over_their_camera_in_viridis();
  void enlarges_one_camera();
  void marks_people_where_they_stand();
  void a_part_of_what_is_shown_can_be_kept();
  void a_person_stands_where_one_points();
  void the_floor_map_lies_on_the_floor();
  void heads_are_boxes_in_their_picture();
  void detections_are_boxes_in_their_picture();
  void a_camera_without_a_video_shows_its_detections();
  void says_why_a_frame_is_missing();
  void a_late_live_camera_keeps_its_last_picture();
  void a_live_camera_that_never_sent_has_no_marks();
  void pointing_at_the_floor_names_the_place();
};

}  // namespace vantage::ui
