// Ground truth as every view draws it: a diamond at the feet, full where it was set by hand in this frame,
// and a line up to the head, dashed where the height is not known.
#pragma once

#include "ui/views/marks.h"

namespace vantage::ui {

void draw_truth(QPainter& painter, const MarkView& view, const std::vector<MarkedTruth>& people);

}  // namespace vantage::ui
