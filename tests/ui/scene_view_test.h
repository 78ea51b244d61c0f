#pragma once

#include <QObject>

namespace vantage::ui {

class SceneViewTest final : public QObject {
  Q_OBJECT
 private slots:
  void draws_points_where_the_person_is();
  void hides_the_volume();
  void looks_from_above();
  void skeletons_are_lines_in_the_persons_colour();
  void people_have_rings_numbers_and_colours();
  void figures_draw_the_same_scene();
  void a_box_is_dragged_by_its_handles();
  void is_opaque();
};

}  // namespace vantage::ui
