// Boxes and measures, as every view draws them.
#pragma once

#include "ui/views/marks.h"

namespace vantage::ui {

void draw_boxes(QPainter& painter, const MarkView& view, const std::vector<MarkedBox>& boxes);
void draw_measures(QPainter& painter, const MarkView& view, const std::vector<MarkedMeasure>& measures);

}  // namespace vantage::ui
