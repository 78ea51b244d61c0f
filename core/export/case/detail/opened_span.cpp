#include "core/export/case/detail/opened_span.h"

#include <algorithm>

#include "core/pipeline/artifacts.h"

namespace vantage::case_detail {
namespace {

Status read_people(CaseScene* scene) {
  const CaseBlur& blur = scene->blur;
  if (blur.on && !scene->project.calibrated())
    return fail(ErrorKind::invalid_argument,
                "people cannot be made unrecognisable without a calibration: their positions are unknown", {},
                "Calibrate the cameras, or export without blur.");
  Result<CasePeople> people = CasePeople::read(scene->project);
  if (people)
    scene->people.emplace(std::move(*people));
  else if (people.error().kind != ErrorKind::not_found || blur.on)
    return fail(people.error().kind == ErrorKind::not_found
                    ? Error{ErrorKind::not_found,
                            "people cannot be made unrecognisable without results: their positions and IDs "
                            "are unknown",
                            scene->project.results_folder().string(), "Analyse the project first."}
                    : people.error());
  for (const int64_t id : blur.kept)
    if (!scene->people || !scene->people->has_person(id))
      return fail(ErrorKind::invalid_argument,
                  "there is no person " + std::to_string(id) + " to keep recognisable", {},
                  "Give the ID as the window and tracks.csv show it.");
  if (blur.on && scene->people) scene->people->keep_names_of(blur.kept);
  return {};
}

}  // namespace

Result<std::unique_ptr<Analysis>> open_span(CaseScene* scene, const SpanRequest& request) {
  if (request.with_people || scene->blur.on) VANTAGE_TRY(read_people(scene));
  AnalysisOptions options;
  options.backends = request.backends;
  options.hardware = request.hardware;
  options.pipeline.cache_bytes = 0;
  options.pipeline.checkpoint_bytes = 0;
  options.pipeline.unseen = UnseenFrames::go_on;
  options.stop = request.stop;
  VANTAGE_ASSIGN(std::unique_ptr<Analysis> analysis, Analysis::open(scene->project, options));
  VANTAGE_ASSIGN(const int64_t count, analysis->source().wait_for_frame_count(request.stop));
  scene->span = {request.span.begin, std::min(request.span.end, count)};
  if (scene->span.begin < 0 || scene->span.begin >= scene->span.end)
    return fail(ErrorKind::invalid_argument, "the span holds no frame",
                std::to_string(request.span.begin) + " to " + std::to_string(request.span.end),
                "The recording has " + std::to_string(count) + " frames.");
  if (scene->blur.on && !scene->people->found_by(scene->span, analysis->pipeline().version(kTrackingStage)))
    return fail(ErrorKind::invalid_argument,
                "these results cannot be used to make people unrecognisable: they were made with another "
                "calibration, other videos or parameters, or on another device",
                scene->project.results_folder().string(), "Analyse the project again.");
  scene->frame_rate = analysis->source().frame_rate();
  scene->keep_trails();
  return analysis;
}

}  // namespace vantage::case_detail
