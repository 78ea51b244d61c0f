#pragma once

#include <QObject>

namespace vantage::ui {

class TextsTest final : public QObject {
  Q_OBJECT
 private slots:
  void no_letter_is_given_twice();
  void tooltips_are_seen_whole();
  void names_of_lanes_have_room();
  void every_text_fits_data();
  void every_text_fits();
};

}  // namespace vantage::ui
