// Who is drawn into a figure: the people of the results on disk where those were made with these parameters,
// with their IDs, names and repairs; else those that the chain finds, under the IDs of its frame-by-frame
// tracker.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/display/marked_view.h"
#include "core/display/trails.h"
#include "core/export/case/case_people.h"
#include "core/pipeline/frame_people.h"

namespace vantage::figure_detail {

struct FigurePerson {
  int64_t id = 0;  // 0: not known
  std::string label;
  double x_m = 0, y_m = 0, height_m = 0;
  std::optional<MarkColor> color = {};  // where two sets of parameters are compared; nothing: that of the ID
  bool differs = false;                 // then: from who the other finds
  MarkColor shown_color() const { return color.value_or(person_rgb(id)); }
};

class FigurePeople {
 public:
  // `results`: a run's folder. `version`: of the stage `tracking`.
  FigurePeople(const Project& project, const std::filesystem::path& results, FrameRange frames,
               uint64_t version, double frame_rate);

  bool from_results() const { return recorded_.has_value(); }
  // So many frames before the first are to be added, too, where the trails are wanted.
  int64_t frames_before() const { return from_results() ? 0 : trail_frames_; }
  void add(const FrameResult& result);
  std::vector<FigurePerson> people(const FrameResult& result) const;
  std::vector<Trail> trails(const FrameResult& result) const;

 private:
  std::string label(int64_t id) const;

  const uint64_t version_;
  const int64_t trail_frames_;
  std::optional<CasePeople> recorded_;
  TrailStore trails_;
};

}  // namespace vantage::figure_detail
