#include "ui/main_window/controls.h"

#include "ui/main_window/boards/boards_control.h"
#include "ui/main_window/bookmarks/bookmarks_control.h"
#include "ui/main_window/boxes/box_control.h"
#include "ui/main_window/calibrate/calibrate_control.h"
#include "ui/main_window/calibrate/compare_people_control.h"
#include "ui/main_window/case/case_control.h"
#include "ui/main_window/case/handover_control.h"
#include "ui/main_window/check_control.h"
#include "ui/main_window/clock/clock_control.h"
#include "ui/main_window/compare/compare_control.h"
#include "ui/main_window/crash_recovery.h"
#include "ui/main_window/doubts/doubts_control.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/evidence_control.h"
#include "ui/main_window/export_control.h"
#include "ui/main_window/figure/figure_control.h"
#include "ui/main_window/file_control.h"
#include "ui/main_window/find/find_control.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/floor_error/floor_error_control.h"
#include "ui/main_window/live_control.h"
#include "ui/main_window/log_control.h"
#include "ui/main_window/measure/measure_control.h"
#include "ui/main_window/messages/messages_control.h"
#include "ui/main_window/nudge/nudge_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/parameters_control.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/plots/plots_control.h"
#include "ui/main_window/residuals/residuals_control.h"
#include "ui/main_window/screens/screens_control.h"
#include "ui/main_window/serve_control.h"
#include "ui/main_window/sweep/sweep_control.h"
#include "ui/main_window/sync_control.h"
#include "ui/main_window/timings_control.h"
#include "ui/main_window/trackers/trackers_control.h"
#include "ui/main_window/truth/mask_control.h"
#include "ui/main_window/truth/mask_merge_control.h"
#include "ui/main_window/truth/quality_control.h"
#include "ui/main_window/truth/truth_control.h"
#include "ui/main_window/variants/variants_control.h"
#include "ui/main_window/views_control.h"
#include "ui/main_window/why/why_control.h"

namespace vantage::ui {
namespace {

template <typename Made>
Control* make_control(const WindowParts& parts) {
  return new Made(parts);
}

// Docks of one area are tabs in this order. The masks stand before those who ask for them.
constexpr Control* (*kControls[])(const WindowParts&) = {
    make_control<BoxControl>,           make_control<EvidenceControl>,   make_control<ExportControl>,
    make_control<CaseControl>,          make_control<HandoverControl>,   make_control<FileControl>,
    make_control<CrashRecovery>,        make_control<ServeControl>,      make_control<ParametersControl>,
    make_control<VariantsControl>,      make_control<CompareControl>,    make_control<WhyControl>,
    make_control<CheckControl>,         make_control<TimingsControl>,    make_control<LogControl>,
    make_control<SyncControl>,          make_control<FloorControl>,      make_control<LiveControl>,
    make_control<EventsControl>,        make_control<FindControl>,       make_control<DoubtsControl>,
    make_control<PeopleControl>,        make_control<TrackersControl>,   make_control<CalibrateControl>,
    make_control<ComparePeopleControl>, make_control<FloorErrorControl>, make_control<ResidualsControl>,
    make_control<MeasureControl>,       make_control<ClockControl>,      make_control<MessagesControl>,
    make_control<BookmarksControl>,     make_control<TruthControl>,      make_control<MaskControl>,
    make_control<MaskMergeControl>,     make_control<QualityControl>,    make_control<BoardsControl>,
    make_control<NudgeControl>,         make_control<SweepControl>,      make_control<FigureControl>,
    make_control<PlotsControl>,         make_control<ScreensControl>,
};

}  // namespace

std::vector<Control*> make_controls(WindowParts& parts) {
  std::vector<Control*> controls = {new ViewsControl(parts)};
  controls.push_back(parts.playback = new PlaybackControl(parts));
  controls.push_back(parts.overlays = new OverlayControl(parts));
  for (const auto make : kControls) {
    controls.push_back(make(parts));
    if (auto* floor = qobject_cast<FloorControl*>(controls.back())) parts.floor = floor;
    if (auto* people = qobject_cast<PeopleControl*>(controls.back())) parts.people = people;
  }
  return controls;
}

}  // namespace vantage::ui
