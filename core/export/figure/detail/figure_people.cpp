#include "core/export/figure/detail/figure_people.h"

#include <cmath>
#include <utility>

#include "core/export/figure/figure.h"

namespace vantage::figure_detail {

FigurePeople::FigurePeople(const Project& project, const std::filesystem::path& results, FrameRange frames,
                           uint64_t version, double frame_rate)
    : version_(version), trail_frames_(std::lround(kFigureTrail_s * frame_rate)) {
  if (project.path.empty()) return;
  Result<CasePeople> read = CasePeople::read(project, results);
  if (!read || !read->found_by(frames, version)) return;
  for (int64_t frame = frames.begin; frame < frames.end; ++frame)
    if (!read->known(frame)) return;
  recorded_.emplace(std::move(*read));
  trails_.set_stored(recorded_->recorded().paths, version);
}

void FigurePeople::add(const FrameResult& result) {
  if (!recorded_) trails_.add(result);
}

std::string FigurePeople::label(int64_t id) const {
  return recorded_ ? person_label(id, recorded_->recorded().names) : person_label(id);
}

std::vector<FigurePerson> FigurePeople::people(const FrameResult& result) const {
  std::vector<FigurePerson> people;
  if (recorded_) {
    for (const CasePerson& person : recorded_->at(result.frame))
      people.push_back({person.id, label(person.id), person.x_m, person.y_m, person.height_m});
    return people;
  }
  for (const FramePerson& person : people_of(result))
    people.push_back(
        {person.id(), label(person.id()), person.found.x_m, person.found.y_m, person.found.height_m});
  return people;
}

std::vector<Trail> FigurePeople::trails(const FrameResult& result) const {
  return trails_.until(result.frame, trail_frames_, version_,
                       recorded_ ? TrailStore::From::results : TrailStore::From::any);
}

}  // namespace vantage::figure_detail
