// Heads with shoulders in a picture. Source: J. Sochman, J. Matas, "WaldBoost", CVPR 2005; batches of weak
// classifiers on a level-of-detail pyramid after the BOXER report, section 3.3.5. Differences from the source
// and the reasons: resources/docs/algorithms/heads.md. Training: tools/head_training.
//
// A detection is the box of the head, without the shoulders, in pixels of the picture (the left edge of the
// first pixel is 0), kept by exact greedy non-maximum suppression (core/primitives/nms.h). A window's final
// score is the sum, over the windows that overlap it by more than half of the union (itself among them), of
// how far their scores exceed HeadModel::accept_from; each counts for as many windows as the stride has left
// out. From HeadModel::head_from on it is a head. With a calibration the rest is weighed by how likely a head
// is so large there (head_search.h); of two boxes that share more than half of the smaller one the weaker is
// suppressed. Every implementation gives the same windows, scores and boxes. Windows are completely inside
// the picture: a head nearer to its border than a third of its height above, a fifth of it at the sides, or
// nine elevenths below is not found.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/heads/head_model.h"
#include "core/heads/head_search.h"
#include "core/heads/heads_parameters.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"
#include "core/primitives/nms.h"

namespace vantage {

// A window that no weak classifier rejected, with a sufficient score.
struct HeadHit {
  uint32_t key = 0;  // heads::key_of()
  int32_t score = 0;
};

// The heads in a camera's picture: certain ones, and faint ones that other views decide
// (core/pipeline/head_views.h). Scores are in units of HeadModel::score_unit, boxes in the camera's picture;
// the best first, equal scores in the order of the windows.
struct HeadsInView {
  std::vector<Detection> heads;
  // Faint heads, with a calibration and HeadParameters::guided: from faint_windows_from() on, whatever the
  // sum over their windows.
  std::vector<Detection> faint;
  // The windows of `faint`, in order: excess over faint_windows_from(), times the windows it counts for.
  std::vector<Detection> windows;
};

class HeadDetector {
 public:
  static constexpr std::string_view kAlgorithm = "heads";
  struct Arguments {
    std::shared_ptr<const HeadModel> model;
  };
  virtual ~HeadDetector() = default;

  // Sets where and how to search from now on. Before the first detect().
  virtual Status prepare(HeadSearch search, const HeadParameters& parameters) = 0;
  // The picture lies in the memory of the detector's device. Errors (invalid_argument): a picture of another
  // size than the search's, or in another memory.
  virtual Result<HeadsInView> detect(const Picture& picture, int64_t frame) = 0;
};

// Steps that all implementations have in common.

NmsOptions head_suppression(const HeadParameters& parameters);

// Minimum score of windows: HeadModel::accept_from, or lower if faint heads are searched for.
int32_t faint_windows_from(const HeadModel& model, const HeadParameters& parameters);
int32_t windows_from(const HeadSearch& search, const HeadModel& model, const HeadParameters& parameters);

// The heads among the boxes that suppression kept, with final scores; the best first, in the camera's
// picture. `boxes`: in the order of their windows.
std::vector<Detection> final_heads(const Detection* boxes, const int32_t* kept, int32_t count,
                                   const HeadSearch& search, const HeadModel& model,
                                   const HeadParameters& parameters);
// The windows left after suppression, on the host; those below HeadModel::accept_from do not count.
Result<std::vector<Detection>> suppress_heads(std::vector<HeadHit> hits, const HeadSearch& search,
                                              const HeadModel& model, const HeadParameters& parameters);
// HeadsInView::faint and ::windows from the windows of windows_from(); nothing if none are searched for.
Status add_faint_heads(std::vector<HeadHit> hits, const HeadSearch& search, const HeadModel& model,
                       const HeadParameters& parameters, HeadsInView* view);
Status check_head_picture(const Picture& picture, const HeadSearch& search, MemoryKind memory);

}  // namespace vantage
