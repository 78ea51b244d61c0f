#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Several boards, and a hand-held camera, on the page Board.
class BoardsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void boards_are_listed_edited_undone_and_kept();
  void a_hand_held_camera_links_cameras_that_share_no_board();
  void why_a_board_is_not_joined_is_said();
  void wrong_clicks_change_nothing();
  void the_form_stays_where_it_is_and_progress_only_grows();
};

}  // namespace vantage::ui
