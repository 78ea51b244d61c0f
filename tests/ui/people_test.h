#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The window on results on disk, with a real session: repairs by hand, entrances, two trackers in the views.
class PeopleTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void two_exchange_their_numbers_by_hand();
  void a_track_is_deleted_by_hand();
  void tracks_are_joined_and_split_by_hand();
  void repairs_are_applied_again_or_listed();
  void people_get_names();
  void the_menu_says_what_it_will_do();
  void names_are_drawn_in_the_views();
  void zones_become_entrances_and_areas();
  void entrances_are_learned();
  void two_trackers_are_drawn();
  void current_results_are_drawn_at_once_by_their_numbers();
  void numbers_that_are_not_the_results_are_nowhere();
};

}  // namespace vantage::ui
