#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Moments found in everybody's tracks, compared with core/tracks/find.
class FindTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void every_question_has_the_answer_of_core_find();
  void what_was_found_is_seen_whole();
  void a_place_is_drawn_and_searched();
  void answers_are_gone_through_by_key_and_mouse();
  void what_cannot_be_asked_is_said();
};

}  // namespace vantage::ui
