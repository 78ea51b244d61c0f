#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <optional>
#include <queue>
#include <string>

#include "core/algorithms.h"
#include "core/primitives/detail/nms_scan.h"
#include "core/primitives/nms.h"
#include "core/primitives/nms_grid.h"

namespace vantage {
namespace {

using nms::BoxArrays;
using nms::Candidate;
using nms::Corners;

// Looking up neighbours beats testing every kept box, a vector at a time, from here on.
constexpr size_t kIndexFrom = 1500;

Candidate candidate_of(const Detection& d, const NmsRule& rule) {
  const Corners corners = nms::corners_of(d);
  return {corners, nms::area_of(corners, rule.pixel), d.score, d.class_id};
}

// Valid detections, best first, equal scores by index.
std::vector<int32_t> ranked(std::span<const Detection> detections) {
  std::vector<uint64_t> keys;
  keys.reserve(detections.size());
  for (size_t i = 0; i < detections.size(); ++i)
    if (nms::is_valid(detections[i]))
      keys.push_back(uint64_t{nms::descending_key(std::bit_cast<uint32_t>(detections[i].score))} << 32 | i);
  std::sort(keys.begin(), keys.end());
  std::vector<int32_t> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(),
                 [](uint64_t key) { return static_cast<int32_t>(key & 0xffffffffu); });
  return order;
}

nms::Grid grid_over(std::span<const Detection> detections, const std::vector<int32_t>& order, float pixel) {
  Corners bounds = nms::corners_of(detections[order[0]]);
  float largest = 0;
  for (const int32_t i : order) {
    const Corners c = nms::corners_of(detections[i]);
    bounds = {std::min(bounds.x1, c.x1), std::min(bounds.y1, c.y1), std::max(bounds.x2, c.x2),
              std::max(bounds.y2, c.y2)};
    largest = std::max({largest, c.x2 - c.x1, c.y2 - c.y1});
  }
  return nms::Grid::make(bounds.x1, bounds.y1, bounds.x2, bounds.y2, largest, pixel);
}

// The boxes kept so far, found by place.
class KeptIndex {
 public:
  KeptIndex(const nms::Grid& grid, const NmsRule& rule, size_t capacity)
      : grid_(grid), rule_(rule), first_(size_t{nms::kLevels} * nms::kCellsPerLevel, -1) {
    kept_.reserve(capacity);
  }

  bool suppresses(const Candidate& candidate) const {
    for (int level = 0; level < nms::kLevels; ++level)
      if (used_[level] && level_suppresses(candidate, level)) return true;
    return false;
  }

  void add(const Candidate& candidate) {
    const int level = grid_.level_of(candidate.corners);
    int32_t& first = first_[grid_.index_of(candidate.corners, level)];
    kept_.push_back({candidate, first});
    first = static_cast<int32_t>(kept_.size()) - 1;
    used_[level] = true;
  }

 private:
  struct Kept {
    Candidate box;
    int32_t next;
  };

  bool level_suppresses(const Candidate& candidate, int level) const {
    const nms::CellRange cells = grid_.cells_near(candidate.corners, level);
    for (int y = cells.y0; y <= cells.y1; ++y)
      for (int x = cells.x0; x <= cells.x1; ++x)
        if (cell_suppresses(candidate, (level * nms::kCellsPerSide + y) * nms::kCellsPerSide + x))
          return true;
    return false;
  }

  bool cell_suppresses(const Candidate& candidate, int cell) const {
    for (int32_t i = first_[cell]; i >= 0; i = kept_[i].next) {
      const Candidate& other = kept_[i].box;
      if (rule_.per_class && other.class_id != candidate.class_id) continue;
      if (nms::overlaps(rule_, candidate.corners, candidate.area, other.corners, other.area)) return true;
    }
    return false;
  }

  nms::Grid grid_;
  NmsRule rule_;
  std::vector<int32_t> first_;
  std::vector<Kept> kept_;
  bool used_[nms::kLevels] = {};
};

// The kept boxes of a short list, tested all, a vector at a time.
class KeptList {
 public:
  KeptList(const NmsRule& rule, size_t capacity) : rule_(rule), boxes_(capacity) {}
  bool suppresses(const Candidate& candidate) const {
    return nms::any_suppresses(boxes_, candidate, rule_, false);
  }
  void add(const Candidate& c) { boxes_.push_back(c.corners, c.area, c.score, c.class_id); }

 private:
  NmsRule rule_;
  BoxArrays boxes_;
};

template <typename KeptBoxes>
std::vector<int32_t> keep_greedily(std::span<const Detection> detections, const std::vector<int32_t>& order,
                                   const NmsRule& rule, KeptBoxes kept_boxes) {
  std::vector<int32_t> kept;
  for (const int32_t i : order) {
    const Candidate candidate = candidate_of(detections[i], rule);
    if (kept_boxes.suppresses(candidate)) continue;
    kept_boxes.add(candidate);
    kept.push_back(i);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

std::vector<int32_t> greedy(std::span<const Detection> detections, const NmsRule& rule) {
  const std::vector<int32_t> order = ranked(detections);
  if (order.size() < kIndexFrom) return keep_greedily(detections, order, rule, KeptList(rule, order.size()));
  return keep_greedily(detections, order, rule,
                       KeptIndex(grid_over(detections, order, rule.pixel), rule, order.size()));
}

std::vector<int32_t> map_reduce(std::span<const Detection> detections, const NmsRule& rule, int threads) {
  // Best first: the likeliest suppressors are met first, and none stands behind the box itself.
  const std::vector<int32_t> order = ranked(detections);
  BoxArrays boxes(order.size());
  for (const int32_t i : order) {
    const Candidate c = candidate_of(detections[i], rule);
    boxes.push_back(c.corners, c.area, c.score, c.class_id);
  }
  std::vector<uint8_t> stays(detections.size(), 0);
  const auto decide = [&](size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) {
      const auto i = static_cast<size_t>(order[k]);
      stays[i] = !nms::any_suppresses(boxes, candidate_of(detections[i], rule), rule, true);
    }
  };
  if (threads == 1) {
    decide(0, order.size());
  } else {
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<size_t>(0, order.size(), 256),
                              [&](const auto& range) { decide(range.begin(), range.end()); });
  }
  std::vector<int32_t> kept;
  for (size_t i = 0; i < stays.size(); ++i)
    if (stays[i]) kept.push_back(static_cast<int32_t>(i));
  return kept;
}

float soft_weight(const NmsOptions& options, float overlap) {
  if (options.method == NmsMethod::soft_linear)
    return overlap > options.rule.threshold ? 1.0f - overlap : 1.0f;
  return overlap > 0 ? std::exp(-(overlap * overlap) / options.sigma) : 1.0f;
}

// The boxes that are neither taken nor dropped, found by place and by score. What the heap says of a box
// holds while that is still its score.
class SoftBoxes {
 public:
  SoftBoxes(std::span<const Detection> detections, const std::vector<int32_t>& order,
            const NmsOptions& options)
      : options_(options),
        grid_(grid_over(detections, order, options.rule.pixel)),
        first_(size_t{nms::kLevels} * nms::kCellsPerLevel, -1) {
    boxes_.reserve(order.size());
    for (const int32_t i : order) {
      const Candidate box = candidate_of(detections[i], options.rule);
      if (!(box.score >= options.min_score)) continue;
      const int level = grid_.level_of(box.corners);
      int32_t& first = first_[grid_.index_of(box.corners, level)];
      const auto at = static_cast<int32_t>(boxes_.size());
      boxes_.push_back({box, i, first, true});
      best_.push({box.score, i, at});
      first = at;
      used_[level] = true;
    }
  }

  struct Taken {
    int32_t index;
    float score;
  };
  // The best box that is left; nothing when all are gone.
  std::optional<Taken> take() {
    while (!best_.empty()) {
      const Ranked top = best_.top();
      best_.pop();
      Box& box = boxes_[top.at];
      if (!box.there || box.candidate.score != top.score) continue;
      box.there = false;
      weaken_around(box.candidate);
      return Taken{box.index, top.score};
    }
    return std::nullopt;
  }

 private:
  struct Box {
    Candidate candidate;
    int32_t index, next;  // of the detection; of the next in the cell, -1: none
    bool there;
  };
  struct Ranked {
    float score;
    int32_t index, at;  // of the detection; in boxes_
    bool operator<(const Ranked& other) const {
      return score < other.score || (score == other.score && index > other.index);
    }
  };

  void weaken_around(const Candidate& chosen) {
    for (int level = 0; level < nms::kLevels; ++level) {
      if (!used_[level]) continue;
      const nms::CellRange cells = grid_.cells_near(chosen.corners, level);
      for (int y = cells.y0; y <= cells.y1; ++y)
        for (int x = cells.x0; x <= cells.x1; ++x)
          weaken_in_cell(chosen, (level * nms::kCellsPerSide + y) * nms::kCellsPerSide + x);
    }
  }

  // Suppressed candidates leave the cell.
  void weaken_in_cell(const Candidate& chosen, int cell) {
    for (int32_t* link = &first_[cell]; *link >= 0;) {
      Box& box = boxes_[*link];
      if (box.there) weaken(chosen, *link, &box);
      if (box.there)
        link = &box.next;
      else
        *link = box.next;
    }
  }

  void weaken(const Candidate& chosen, int32_t at, Box* box) {
    Candidate& other = box->candidate;
    if (options_.rule.per_class && other.class_id != chosen.class_id) return;
    const float before = other.score;
    other.score *= soft_weight(
        options_, nms::overlap_ratio(options_.rule, other.corners, other.area, chosen.corners, chosen.area));
    box->there = other.score >= options_.min_score;
    if (box->there && other.score != before) best_.push({other.score, box->index, at});
  }

  const NmsOptions& options_;
  const nms::Grid grid_;
  std::vector<int32_t> first_;  // box of each cell
  bool used_[nms::kLevels] = {};
  std::vector<Box> boxes_;
  std::priority_queue<Ranked> best_;
};

NmsResult soft(std::span<const Detection> detections, const NmsOptions& options) {
  NmsResult result;
  const std::vector<int32_t> order = ranked(detections);
  if (order.empty()) return result;
  SoftBoxes boxes(detections, order, options);
  std::vector<std::pair<int32_t, float>> taken;
  while (const auto box = boxes.take()) taken.push_back({box->index, box->score});
  std::sort(taken.begin(), taken.end());
  for (const auto& [index, score] : taken) {
    result.kept.push_back(index);
    result.scores.push_back(score);
  }
  return result;
}

class CpuNms final : public NonMaximumSuppression {
 public:
  Result<NmsResult> run(std::span<const Detection> detections, const NmsOptions& options) override {
    return non_maximum_suppression_cpu(detections, options);
  }
};

}  // namespace

Status check_nms_request(size_t count, size_t limit, const NmsOptions& options) {
  if (count > limit)
    return fail(ErrorKind::invalid_argument,
                std::to_string(count) + " detections, at most " + std::to_string(limit) + " are possible",
                "non-maximum suppression", "Raise the detector's score threshold.");
  if (std::isnan(options.rule.threshold))
    return fail(ErrorKind::invalid_argument, "the threshold is not a number", "non-maximum suppression");
  if (options.method == NmsMethod::soft_gaussian && !(options.sigma > 0))
    return fail(ErrorKind::invalid_argument, "sigma must be above 0", "non-maximum suppression");
  if (options.partitions != 0 && options.method != NmsMethod::mapreduce)
    return fail(ErrorKind::invalid_argument, "only map-reduce has partitions", "non-maximum suppression",
                "Leave them out, or choose that method.");
  if (options.partitions < 0 || options.partitions > kMapReduceNmsMaxPartitions)
    return fail(ErrorKind::invalid_argument,
                std::to_string(options.partitions) + " partitions, 1 to " +
                    std::to_string(kMapReduceNmsMaxPartitions) + " are possible",
                "non-maximum suppression");
  return {};
}

Result<NmsResult> non_maximum_suppression_cpu(std::span<const Detection> detections,
                                              const NmsOptions& options, int threads) {
  VANTAGE_TRY(check_nms_request(detections.size(), kNmsMaxDetections, options));
  if (options.partitions != 0)
    return fail(ErrorKind::unsupported, "the published kernels, which have partitions, run on CUDA alone",
                "non-maximum suppression", "Leave the partitions out, or choose a GPU.");
  try {
    if (options.method == NmsMethod::soft_linear || options.method == NmsMethod::soft_gaussian)
      return soft(detections, options);
    NmsResult result;
    result.kept = options.method == NmsMethod::greedy ? greedy(detections, options.rule)
                                                      : map_reduce(detections, options.rule, threads);
    result.scores.reserve(result.kept.size());
    for (const int32_t i : result.kept) result.scores.push_back(detections[i].score);
    return result;
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::out_of_memory, "no memory for the boxes", "non-maximum suppression");
  }
}

void register_nms_cpu(BackendRegistry& registry) {
  registry.add<NonMaximumSuppression>(
      Device::cpu,
      [](const BackendContext&, const NonMaximumSuppression::Arguments&)
          -> Result<std::unique_ptr<NonMaximumSuppression>> { return std::make_unique<CpuNms>(); });
}

}  // namespace vantage
