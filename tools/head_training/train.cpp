#include "tools/head_training/train.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/heads/curve.h"
#include "core/heads/head_search.h"
#include "core/heads/head_window.h"
#include "core/heads/heads_cpu.h"
#include "core/image/image_files.h"
#include "core/synth/head_pictures.h"
#include "core/synth/random.h"
#include "tools/head_training/detail/boosting.h"

namespace vantage::head_training {
namespace {

// Work on many things on all threads whose outcome does not depend on the threads.

// make(i) for every i below `count`, several at once; use(i, made) one after the other, in order, until it
// returns false. Errors: cancelled.
template <class Make, class Use>
Status make_in_order(size_t count, const StopSource& stop, const Make& make, const Use& use) {
  constexpr size_t kAtOnce = 64;  // made before they are used: bounds the memory
  for (size_t first = 0; first < count; first += kAtOnce) {
    const size_t some = std::min(kAtOnce, count - first);
    std::vector<std::optional<decltype(make(first))>> made(some);
    tbb::parallel_for(
        size_t{0}, some,
        [&](size_t i) {
          if (stop.stop_requested()) return;
          // Isolated: a thread that waits in there must not start on another one meanwhile.
          tbb::this_task_arena::isolate([&] { made[i].emplace(make(first + i)); });
        },
        tbb::simple_partitioner());
    if (stop.stop_requested())
      return fail(ErrorKind::cancelled, "training was stopped; nothing was saved", "train-heads");
    for (size_t i = 0; i < some; ++i)
      if (!use(first + i, std::move(*made[i]))) return {};
  }
  return {};
}

// The pictures that a head detector learns from and is measured on: rendered pictures, painted ones, and
// those of a folder.

inline constexpr int kFramesPerCamera = 6;  // of each scene's two cameras

using synth::HeadPicture;
using synth::RenderedHead;

// The pictures of that many scenes, in order. `done` hears of each scene.
Result<std::vector<HeadPicture>> render_scenes(uint64_t seed, int scenes,
                                               const synth::HeadPictureShares& shares,
                                               const std::function<void(int64_t)>& done,
                                               const StopSource& stop) {
  std::vector<HeadPicture> all;
  Status failed;
  VANTAGE_TRY(make_in_order(
      static_cast<size_t>(scenes), stop,
      [&](size_t i) {
        return synth::render_head_pictures(synth::mix(seed ^ synth::mix(i)), kFramesPerCamera, shares);
      },
      [&](size_t i, Result<std::vector<HeadPicture>> some) {
        if (!some) {
          failed = tl::unexpected(some.error());
          return false;
        }
        std::move(some->begin(), some->end(), std::back_inserter(all));
        done(static_cast<int64_t>(i) + 1);
        return true;
      }));
  VANTAGE_TRY(failed);
  return all;
}

Result<std::vector<HeadPicture>> paint_headless(uint64_t seed, int count) {
  std::vector<HeadPicture> pictures;
  for (int i = 0; i < count; ++i) {
    VANTAGE_ASSIGN(HeadPicture picture,
                   synth::paint_headless_picture(synth::mix(~seed ^ synth::mix(static_cast<uint64_t>(i)))));
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

// Every PNG file in and below the folder. Errors: not_found when there is none.
Result<std::vector<HeadPicture>> read_headless(const std::filesystem::path& folder) {
  std::error_code code;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, code))
    if (entry.path().extension() == ".png") files.push_back(entry.path());
  if (code || files.empty())
    return fail(ErrorKind::not_found, "no PNG file is in the folder", folder.string());
  std::sort(files.begin(), files.end());
  std::vector<HeadPicture> pictures;
  for (const std::filesystem::path& file : files) {
    HeadPicture picture;
    VANTAGE_ASSIGN(picture.luma, read_png_gray(file, HostPool::shared()));
    if (picture.luma.width() <= kMaxHeadPictureSide && picture.luma.height() <= kMaxHeadPictureSide)
      pictures.push_back(std::move(picture));
  }
  return pictures;
}

HeadPicture mirrored(const HeadPicture& picture) {
  HeadPicture other;
  const int width = picture.luma.width();
  other.luma = Image::make(ImageType::u8, width, picture.luma.height(), HostPool::shared()).value();
  const ImageView<const uint8_t> from = picture.luma.view<uint8_t>();
  const ImageView<uint8_t> to = other.luma.writable_view<uint8_t>();
  for (int y = 0; y < to.height; ++y) std::reverse_copy(from.row(y), from.row(y) + width, to.row(y));
  for (RenderedHead head : picture.heads) {
    head.box = {width - head.box.x1, head.box.y0, width - head.box.x0, head.box.y1};
    other.heads.push_back(head);
  }
  return other;
}

// Well enough seen to be asked for; smaller ones are not searched for.
bool counts(const RenderedHead& head, double smallest_px) {
  return !head.cut && head.visibility >= kHeadCountsFrom && head.box.y1 - head.box.y0 >= smallest_px;
}

std::vector<GroundTruthHead> truth_of(const HeadPicture& picture, double smallest_px) {
  std::vector<GroundTruthHead> truth;
  for (const RenderedHead& head : picture.heads)
    truth.push_back({static_cast<float>(head.box.x0), static_cast<float>(head.box.y0),
                     static_cast<float>(head.box.x1 - head.box.x0),
                     static_cast<float>(head.box.y1 - head.box.y0), counts(head, smallest_px)});
  return truth;
}

// Does the box lie on a head, near enough to be no mistake?
bool near_head(const HeadPicture& picture, const Detection& box) {
  constexpr double kNear = 0.38;
  return std::any_of(picture.heads.begin(), picture.heads.end(), [&](const RenderedHead& head) {
    const double w = std::min<double>(box.x + box.w, head.box.x1) - std::max<double>(box.x, head.box.x0);
    const double h = std::min<double>(box.y + box.h, head.box.y1) - std::max<double>(box.y, head.box.y0);
    if (w <= 0 || h <= 0) return false;
    const double area =
        double{box.w} * box.h + double(head.box.x1 - head.box.x0) * (head.box.y1 - head.box.y0);
    return w * h / (area - w * h) > kNear;
  });
}

}  // namespace

}  // namespace vantage::head_training

namespace vantage {
namespace {

using namespace head_training;
using synth::HeadPicture;

constexpr size_t kFewestOthers = 150;  // with fewer left the training ends
constexpr double kSmallestLearnt_px = 11;
constexpr int kWindowsPerHead = 3;
constexpr int64_t kMaxSpeaking = 800;          // windows for heads, a picture
constexpr uint64_t kHeldOutSeed = 0x686f6c64;  // the scenes the curve is measured on

HeadSearch search_of(const HeadPicture& picture) {
  HeadParameters parameters;
  parameters.smallest_px = kSmallestLearnt_px;
  parameters.stride_px = 1;
  return plan_head_search(picture.luma.width(), picture.luma.height(), parameters).value();
}

struct TakenSample {
  Sample codes;
  int32_t score = 0;
  bool kept = false;  // from the boosting
};

// The score that all but one in so many reach.
int32_t lowest_but(double one_in, std::span<const int32_t> scores) {
  std::vector<int32_t> sorted(scores.begin(), scores.end());
  if (sorted.empty()) return 0;
  const auto place = sorted.begin() + static_cast<ptrdiff_t>(static_cast<double>(sorted.size()) / one_in);
  std::nth_element(sorted.begin(), place, sorted.end());
  return *place;
}

// The windows nearest to the head, and some right next to it.
void take_head(const HeadPlanes& planes, const synth::RenderedHead& head, const HeadSearch& search, bool kept,
               synth::Random random, std::vector<TakenSample>* samples) {
  const double w = head.box.x1 - head.box.x0, h = head.box.y1 - head.box.y0;
  const double scale = std::sqrt(w * h / (kHeadWidth * kHeadHeight));
  const double l = kHeadLevelsPerOctave * std::log2(scale);
  for (int i = 0; i < kWindowsPerHead; ++i) {
    const double shift = i == 0 ? 0 : random.uniform(-0.3, 0.3);
    const auto index = static_cast<int64_t>(std::lround(l + shift));
    if (index < 0 || index >= static_cast<int64_t>(search.levels.size())) continue;
    const HeadLevel& level = search.levels[index];
    double x = 0.5 * (head.box.x0 + head.box.x1) / level.scale - kHeadLeft - 0.5 * kHeadWidth;
    double y = 0.5 * (head.box.y0 + head.box.y1) / level.scale - kHeadTop - 0.5 * kHeadHeight;
    if (i > 0) x += random.uniform(-0.9, 0.9), y += random.uniform(-0.9, 0.9);
    const int wx = static_cast<int>(std::lround(x)), wy = static_cast<int>(std::lround(y));
    if (wx < 0 || wy < 0 || wx + kHeadWindow > level.width || wy + kHeadWindow > level.height) continue;
    samples->push_back({sample_at(planes, level, wx, wy), 0, kept});
  }
}

std::vector<HeadHit> random_windows(const HeadSearch& search, size_t count, synth::Random& random) {
  std::vector<HeadHit> windows;
  for (size_t i = 0; i < count; ++i) {
    const int l = random.below(static_cast<int>(search.levels.size()));
    const HeadLevel& level = search.levels[l];
    windows.push_back({heads::key_of(l, random.below(level.width - kHeadWindow + 1),
                                     random.below(level.height - kHeadWindow + 1)),
                       0});
  }
  return windows;
}

// Takes windows that are no heads from a picture.
class Miner {
 public:
  Miner(const HeadPicture& picture, uint64_t seed, uint64_t number)
      : picture_(picture), search_(search_of(picture)), random_(seed, number) {
    planes_.build(picture.luma.view<uint8_t>(), search_);
  }

  // Half of them hard ones if there are so many, the others any that the model has not rejected.
  std::vector<TakenSample> mine(const HeadModel& model, size_t max, int32_t hard_from) {
    std::vector<HeadHit> hits = model.weak.empty() ? random_windows(search_, 4 * max, random_)
                                                   : find_head_windows(planes_, search_, model, INT32_MIN);
    const auto hard = std::partition(hits.begin(), hits.end(),
                                     [hard_from](const HeadHit& hit) { return hit.score >= hard_from; });
    const size_t asked = take({hits.begin(), hard}, max / 2);
    take(std::span(hits).subspan(asked), max);
    return std::move(taken_);
  }

 private:
  // Takes by lot until there are so many in all; those that were examined lie in front then. Returns how
  // many.
  size_t take(std::span<HeadHit> hits, size_t max) {
    size_t asked = 0;
    for (; asked < hits.size() && taken_.size() < max; ++asked) {
      HeadHit& hit = hits[asked];
      std::swap(hit, hits[asked + static_cast<size_t>(random_.below(static_cast<int>(hits.size() - asked)))]);
      const HeadLevel& level = search_.levels[hit.key >> 26];
      if (near_head(picture_, heads::detection_of(hit.key, static_cast<float>(level.scale)))) continue;
      taken_.push_back({sample_at(planes_, level, static_cast<int>(hit.key & 0x1fff),
                                  static_cast<int>(hit.key >> 13 & 0x1fff)),
                        hit.score});
    }
    return asked;
  }

  const HeadPicture& picture_;
  const HeadSearch search_;
  synth::Random random_;
  HeadPlanes planes_;
  std::vector<TakenSample> taken_;
};

class Trainer {
 public:
  Trainer(const HeadTrainingOptions& options,
          const std::function<void(const HeadTrainingProgress&)>& progress, const StopSource& stop)
      : options_(options),
        progress_(progress),
        stop_(stop),
        booster_(options.weak, options.alpha, options.seed) {}

  Result<TrainedHeads> run() {
    VANTAGE_ASSIGN(pictures_, render(options_.seed, options_.scenes, "training pictures"));
    VANTAGE_TRY(add_headless());
    VANTAGE_TRY(collect_heads());
    VANTAGE_TRY(boost());
    return measure();
  }

 private:
  void report(const char* what, int64_t done, int64_t total) const {
    if (progress_) progress_({what, done, total});
  }

  Result<std::vector<HeadPicture>> render(uint64_t seed, int scenes, const char* what) const {
    return render_scenes(
        seed, scenes, options_.shares, [&](int64_t done) { report(what, done, scenes); }, stop_);
  }

  Status add_headless() {
    VANTAGE_ASSIGN(std::vector<HeadPicture> others, paint_headless(options_.seed, 3 * options_.scenes));
    std::move(others.begin(), others.end(), std::back_inserter(pictures_));
    if (options_.negatives.empty()) return {};
    VANTAGE_ASSIGN(others, read_headless(options_.negatives));
    std::move(others.begin(), others.end(), std::back_inserter(pictures_));
    return {};
  }

  // Every fourth head is kept from the boosting, and so is what a mirror shows of it.
  Status collect_heads() {
    std::vector<int64_t> first = {0};  // number of each picture's first head
    for (const HeadPicture& picture : pictures_)
      first.push_back(first.back() +
                      std::count_if(picture.heads.begin(), picture.heads.end(),
                                    [](const auto& head) { return counts(head, kSmallestLearnt_px); }));
    const auto take = [&](const HeadPicture& picture, int64_t number, std::vector<TakenSample>* samples) {
      const HeadSearch search = search_of(picture);
      HeadPlanes planes;
      planes.build(picture.luma.view<uint8_t>(), search);
      for (const synth::RenderedHead& head : picture.heads) {
        if (!counts(head, kSmallestLearnt_px)) continue;
        take_head(planes, head, search, number % 4 == 3,
                  {options_.seed ^ static_cast<uint64_t>(number), 0x6a697474}, samples);
        ++number;
      }
    };
    return make_in_order(
        pictures_.size(), stop_,
        [&](size_t p) {
          std::vector<TakenSample> samples;
          if (first[p] == first[p + 1]) return samples;
          take(pictures_[p], first[p], &samples);
          take(mirrored(pictures_[p]), first[p], &samples);
          return samples;
        },
        [&](size_t p, const std::vector<TakenSample>& samples) {
          for (const TakenSample& sample : samples)
            (sample.kept ? booster_.kept_heads() : booster_.heads()).add(sample.codes, 0);
          report("heads", static_cast<int64_t>(p) + 1, static_cast<int64_t>(pictures_.size()));
          return true;
        });
  }

  // The others again, a few of each picture in random order; hard ones score no less than one kept head in
  // ten.
  Status mine(int round) {
    booster_.others() = {};
    std::vector<size_t> order(pictures_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    synth::Random random(options_.seed, 0x6d696e65 + static_cast<uint64_t>(round));
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random.below(static_cast<int>(i))]);
    const uint64_t seed = random.bits();
    const auto others = static_cast<size_t>(options_.others);
    const size_t max = std::max<size_t>(120, 3 * others / pictures_.size());
    const int32_t hard_from = lowest_but(10, booster_.kept_heads().scores());
    VANTAGE_TRY(make_in_order(
        order.size(), stop_,
        [&](size_t i) { return Miner(pictures_[order[i]], seed, order[i]).mine(model_, max, hard_from); },
        [&](size_t, const std::vector<TakenSample>& samples) {
          for (const TakenSample& sample : samples)
            if (booster_.others().size() < others) booster_.others().add(sample.codes, sample.score);
          return booster_.others().size() < others;
        }));
    mined_ = booster_.others().size();
    return {};
  }

  Status boost() {
    for (int round = 0; round < options_.weak; ++round) {
      // Whenever a quarter of them has gone, and regularly.
      const int regularly = round < 4 ? 1 : round < 64 ? 8 : round < 256 ? 16 : 32;
      if (round % regularly == 0 || booster_.others().size() < mined_ * 3 / 4) VANTAGE_TRY(mine(round));
      if (booster_.others().size() < kFewestOthers) break;
      booster_.step(&model_);
      report("weak classifiers", round + 1, options_.weak);
    }
    if (!model_.weak.empty()) return {};
    return fail(ErrorKind::bad_data, "the pictures hold too few windows to learn from", "train-heads",
                "Render more scenes.");
  }

  // Both thresholds from scenes that were not learnt from: where a window begins to speak for a head is what
  // finds most at the errors that are allowed.
  Result<TrainedHeads> measure() {
    VANTAGE_ASSIGN(const std::vector<HeadPicture> pictures,
                   render(synth::mix(options_.seed ^ kHeldOutSeed), std::max(1, options_.scenes / 4),
                          "pictures to measure on"));
    TrainedHeads best;
    for (const double one_in : {2., 3., 4., 5., 7., 10.}) {
      model_.accept_from = lowest_but(one_in, booster_.kept_heads().scores());
      TrainedHeads trained;
      int64_t windows = 0;
      VANTAGE_ASSIGN(trained.curve, curve_of(pictures, &windows));
      // Each is compared with each: too many speak.
      if (!best.model.weak.empty() && windows > kMaxSpeaking * std::ssize(pictures)) break;
      const HeadCurve::Point point = trained.curve.at(options_.false_positives);
      if (!best.model.weak.empty() && point.recall <= best.curve.at(options_.false_positives).recall)
        continue;
      trained.model = model_;
      trained.model.head_from = static_cast<int32_t>(std::lround(std::ceil(point.score / model_.score_unit)));
      best = std::move(trained);
    }
    return best;
  }

  // Also how many windows speak for heads.
  Result<HeadCurve> curve_of(const std::vector<HeadPicture>& pictures, int64_t* windows) const {
    const HeadParameters parameters;
    std::atomic<int64_t> speaking = 0;
    HeadCurve curve;
    Status failed;
    VANTAGE_TRY(make_in_order(
        pictures.size(), stop_,
        [&](size_t i) -> Result<std::vector<Detection>> {
          const ImageView<const uint8_t> luma = pictures[i].luma.view<uint8_t>();
          VANTAGE_ASSIGN(const HeadSearch search, plan_head_search(luma.width, luma.height, parameters));
          HeadPlanes planes;
          planes.build(luma, search);
          std::vector<HeadHit> hits = find_head_windows(planes, search, model_, model_.accept_from);
          speaking += std::ssize(hits);
          return suppress_heads(std::move(hits), search, model_, parameters);
        },
        [&](size_t i, const Result<std::vector<Detection>>& found) {
          if (!found) {
            failed = tl::unexpected(found.error());
            return false;
          }
          curve.add(*found, truth_of(pictures[i], parameters.smallest_px));
          return true;
        }));
    VANTAGE_TRY(failed);
    *windows = speaking;
    return curve;
  }

  const HeadTrainingOptions& options_;
  const std::function<void(const HeadTrainingProgress&)>& progress_;
  const StopSource& stop_;
  Booster booster_;
  HeadModel model_;
  size_t mined_ = 0;  // others found the last time
  std::vector<HeadPicture> pictures_;
};

}  // namespace

Result<TrainedHeads> train_heads(const HeadTrainingOptions& options,
                                 const std::function<void(const HeadTrainingProgress&)>& progress,
                                 const StopSource& stop) {
  return Trainer(options, progress, stop).run();
}

}  // namespace vantage
