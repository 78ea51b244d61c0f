#pragma once

#include <QObject>

namespace vantage::ui {

class HostSurfaceTest final : public QObject {
  Q_OBJECT
 private slots:
  void converts_within_one_grey_level_data();
  void converts_within_one_grey_level();
  void keeps_up_with_another_size();
  void draws_the_indicator();
  void draws_height_maps_of_their_camera_alone();
  void draws_points_at_voxel_centres();
  void says_when_there_is_nothing();
  void waits_for_copies_of_device_memory();
};

}  // namespace vantage::ui
