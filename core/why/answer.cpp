#include "core/why/answer.h"

#include <fmt/core.h>
#include <cmath>

#include "core/pipeline/frame_people.h"
#include "core/why/why_pixel.h"
#include "core/why/why_place.h"

namespace vantage {

std::vector<std::string> people_in(const FrameResult& result, std::span<const NamedPlace> named) {
  std::vector<std::string> names;
  for (const FramePerson& person : people_of(result)) {
    const FoundPerson& at = person.found;
    std::string& name = names.emplace_back();
    if (named.empty() && person.id() > 0) name = "person " + std::to_string(person.id());
    double nearest_m = kWhyReach_m;
    for (const NamedPlace& one : named) {
      const double away_m = std::hypot(one.x_m - at.x_m, one.y_m - at.y_m);
      if (away_m <= nearest_m) name = one.name, nearest_m = away_m;
    }
    if (name.empty()) name = fmt::format("the person at x {:.2f} y {:.2f}", at.x_m, at.y_m);
  }
  return names;
}

Result<Report> answer_to(const WhyQuestion& question, const Project& project, Analysis& analysis,
                         const FrameResult& result, const StopSource& stop) {
  if (const auto* floor = std::get_if<FloorQuestion>(&question.about)) {
    VANTAGE_ASSIGN(const WhyPlace place, why_place(project, analysis, result, floor->x_m, floor->y_m, stop));
    return describe(place, project, people_in(result, question.people));
  }
  const auto& asked = std::get<PixelQuestion>(question.about);
  VANTAGE_ASSIGN(const WhyPixel pixel,
                 why_pixel(project, analysis, result, asked.camera, asked.x_px, asked.y_px, stop));
  return describe(pixel, project);
}

}  // namespace vantage
