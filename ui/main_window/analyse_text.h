// What the button of analyses says: what it will do, how far it is, what it would replace.
#pragma once

#include <QString>
#include <cstdint>

#include "core/session/session.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

// "Analyse all, 500 frames, about 1 min". `seconds`: negative where nothing was measured yet.
QString analyse_offer(bool range, int64_t frames, bool exact, double seconds);
// "Stop, 24 %, 0:38 left"
QString analyse_progress(const SessionStatus& status, double share);
// The share analysed so far of `frames` frames, 0 to 1; negative: not known.
double analysed_share(const SessionStatus& status, int64_t frames);
// What is asked before results are replaced; empty: none are.
QString replaced_results(const ResultCounts& counts, int64_t frames);

}  // namespace vantage::ui
