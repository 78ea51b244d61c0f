#include "core/head_training/train.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/head_training/boosting.h"
#include "core/heads/head_window.h"
#include "core/heads/heads_cpu.h"
#include "core/image/png.h"
#include "core/synth/head_pictures.h"
#include "core/synth/random.h"

namespace vantage {
namespace {

using namespace head_training;
using synth::HeadPicture;

constexpr int kFramesPerCamera = 6;
constexpr size_t kOthers = 14000;      // negatives in a set
constexpr size_t kFewestOthers = 150;  // with fewer left the training ends
constexpr double kVisibleHead = 0.65;  // of a head to learn from
constexpr int kWindowsPerHead = 3;
constexpr uint64_t kHeldOutSeed = 0x686f6c64;  // the scenes the curve is measured on

HeadParameters training_parameters() {
  HeadParameters parameters;
  parameters.smallest_px = 11;
  parameters.stride = 1;
  return parameters;
}

TrueHead true_head(const synth::SeenHead& head, double smallest_px) {
  const auto w = static_cast<float>(head.box.x1 - head.box.x0),
             h = static_cast<float>(head.box.y1 - head.box.y0);
  return {static_cast<float>(head.box.x0), static_cast<float>(head.box.y0), w, h,
          !head.cut && head.visibility >= kHeadCountsFrom && h >= smallest_px};
}

// Does the window's head lie on a head, near enough to be no mistake?
bool near_head(const HeadPicture& picture, const Detection& box) {
  constexpr double kNear = 0.38;
  return std::any_of(picture.heads.begin(), picture.heads.end(), [&](const synth::SeenHead& head) {
    const double w = std::min<double>(box.x + box.w, head.box.x1) - std::max<double>(box.x, head.box.x0);
    const double h = std::min<double>(box.y + box.h, head.box.y1) - std::max<double>(box.y, head.box.y0);
    if (w <= 0 || h <= 0) return false;
    const double area =
        double{box.w} * box.h + double(head.box.x1 - head.box.x0) * (head.box.y1 - head.box.y0);
    return w * h / (area - w * h) > kNear;
  });
}

HeadPicture mirrored(const HeadPicture& picture) {
  HeadPicture other;
  const int width = picture.luma.width();
  other.luma = Image::make(ImageType::u8, width, picture.luma.height(), HostPool::shared()).value();
  const ImageView<const uint8_t> from = picture.luma.view<uint8_t>();
  const ImageView<uint8_t> to = other.luma.writable_view<uint8_t>();
  for (int y = 0; y < to.height; ++y) std::reverse_copy(from.row(y), from.row(y) + width, to.row(y));
  for (synth::SeenHead head : picture.heads) {
    head.box = {width - head.box.x1, head.box.y0, width - head.box.x0, head.box.y1};
    other.heads.push_back(head);
  }
  return other;
}

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
    collect_heads();
    VANTAGE_TRY(boost());
    return measure();
  }

 private:
  void report(const char* what, int64_t done, int64_t total) const {
    if (progress_) progress_({what, done, total});
  }
  Status check_stop() const {
    if (!stop_.stop_requested()) return {};
    return fail(ErrorKind::cancelled, "training was stopped; nothing was kept", "train-heads");
  }

  Result<std::vector<HeadPicture>> render(uint64_t seed, int scenes, const char* what) {
    std::vector<HeadPicture> all;
    for (int i = 0; i < scenes; ++i) {
      VANTAGE_TRY(check_stop());
      VANTAGE_ASSIGN(std::vector<HeadPicture> some,
                     synth::render_head_pictures(synth::mix(seed ^ synth::mix(static_cast<uint64_t>(i))),
                                                 kFramesPerCamera));
      std::move(some.begin(), some.end(), std::back_inserter(all));
      report(what, i + 1, scenes);
    }
    return all;
  }

  Status add_headless() {
    for (int i = 0; i < 3 * options_.scenes; ++i) {
      VANTAGE_ASSIGN(
          HeadPicture picture,
          synth::paint_headless_picture(synth::mix(~options_.seed ^ synth::mix(static_cast<uint64_t>(i)))));
      pictures_.push_back(std::move(picture));
    }
    if (options_.negatives.empty()) return {};
    std::error_code code;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(options_.negatives, code))
      if (entry.path().extension() == ".png") files.push_back(entry.path());
    if (code || files.empty())
      return fail(ErrorKind::not_found, "no PNG file is in the folder", options_.negatives.string());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      HeadPicture picture;
      VANTAGE_ASSIGN(picture.luma, read_png_gray(file, HostPool::shared()));
      if (picture.luma.width() <= kHeadMostSide && picture.luma.height() <= kHeadMostSide)
        pictures_.push_back(std::move(picture));
    }
    return {};
  }

  HeadSearch search_of(const HeadPicture& picture) const {
    return plan_head_search(picture.luma.width(), picture.luma.height(), training_parameters()).value();
  }

  // Windows on and right beside each head that is well seen; every fourth head is kept from the boosting.
  void collect_heads() {
    int64_t number = 0;
    for (size_t p = 0; p < pictures_.size(); ++p) {
      const HeadPicture& picture = pictures_[p];
      if (picture.heads.empty()) continue;
      const HeadSearch search = search_of(picture);
      planes_.build(picture.luma.view<uint8_t>(), search);
      const int64_t first = number;
      for (const synth::SeenHead& head : picture.heads) number += add_head(head, search, number);
      number = first;
      const HeadPicture seen_in_a_mirror = mirrored(picture);
      planes_.build(seen_in_a_mirror.luma.view<uint8_t>(), search);
      for (const synth::SeenHead& head : seen_in_a_mirror.heads) number += add_head(head, search, number);
      report("heads", static_cast<int64_t>(p) + 1, static_cast<int64_t>(pictures_.size()));
    }
  }

  int64_t add_head(const synth::SeenHead& head, const HeadSearch& search, int64_t number) {
    if (head.cut || head.visibility < kVisibleHead) return 0;
    const double w = head.box.x1 - head.box.x0, h = head.box.y1 - head.box.y0;
    const double scale = std::sqrt(w * h / (kHeadWidth * kHeadHeight));
    const double l = kHeadLevelsPerOctave * std::log2(scale);
    synth::Random random(options_.seed ^ static_cast<uint64_t>(number), 0x6a697474);
    for (int i = 0; i < kWindowsPerHead; ++i) {
      const double shift = i == 0 ? 0 : random.uniform(-0.3, 0.3);
      const auto index = static_cast<int64_t>(std::lround(l + shift));
      if (index < 0 || index >= static_cast<int64_t>(search.levels.size())) continue;
      const HeadLevel& level = search.levels[static_cast<size_t>(index)];
      double x = 0.5 * (head.box.x0 + head.box.x1) / level.scale - kHeadLeft - 0.5 * kHeadWidth;
      double y = 0.5 * (head.box.y0 + head.box.y1) / level.scale - kHeadTop - 0.5 * kHeadHeight;
      if (i > 0) x += random.uniform(-0.9, 0.9), y += random.uniform(-0.9, 0.9);
      const int wx = static_cast<int>(std::lround(x)), wy = static_cast<int>(std::lround(y));
      if (wx < 0 || wy < 0 || wx + kHeadWindow > level.width || wy + kHeadWindow > level.height) continue;
      SampleSet& set = number % 4 == 3 ? booster_.kept_heads() : booster_.heads();
      set.add(sample_at(planes_, level, wx, wy), 0);
    }
    return 1;
  }

  // The others anew, a few of each picture in random order: half of them any windows that the model has not
  // rejected, half of them hard ones, which score like heads: no less than one kept head in ten.
  Status mine(const HeadModel& model, int round) {
    booster_.others() = {};
    std::vector<size_t> order(pictures_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    synth::Random random(options_.seed, 0x6d696e65 + static_cast<uint64_t>(round));
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<size_t>(random.below(static_cast<int>(i)))]);
    const size_t most = std::max<size_t>(120, 3 * kOthers / pictures_.size());
    const int32_t hard_from = lowest_but(10, booster_.kept_heads().scores());
    for (const size_t p : order) {
      const size_t found = booster_.others().size();
      if (found >= kOthers) break;
      VANTAGE_TRY(check_stop());
      mine_picture(model, pictures_[p], std::min(most, kOthers - found), hard_from, random);
    }
    mined_ = booster_.others().size();
    return {};
  }

  // The score that all but one in so many reach.
  static int32_t lowest_but(size_t one_in, std::span<const int32_t> scores) {
    std::vector<int32_t> sorted(scores.begin(), scores.end());
    if (sorted.empty()) return 0;
    const auto place = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / one_in);
    std::nth_element(sorted.begin(), place, sorted.end());
    return *place;
  }

  void mine_picture(const HeadModel& model, const HeadPicture& picture, size_t most, int32_t hard_from,
                    synth::Random& random) {
    const HeadSearch search = search_of(picture);
    planes_.build(picture.luma.view<uint8_t>(), search);
    std::vector<HeadHit> hits;
    if (model.weak.empty())
      hits = random_windows(search, 4 * most, random);
    else
      hits = find_head_windows(planes_, search, model, INT32_MIN);
    const auto hard = std::partition(hits.begin(), hits.end(),
                                     [hard_from](const HeadHit& hit) { return hit.score >= hard_from; });
    const size_t hard_ones = take_some({hits.begin(), hard}, most / 2, picture, search, random);
    take_some(hits, most - hard_ones, picture, search, random);
  }

  // As many as asked for of those that are no heads, by lot.
  size_t take_some(std::span<HeadHit> hits, size_t most, const HeadPicture& picture, const HeadSearch& search,
                   synth::Random& random) {
    size_t taken = 0;
    for (size_t i = 0; i < hits.size() && taken < most; ++i) {
      std::swap(hits[i], hits[i + static_cast<size_t>(random.below(static_cast<int>(hits.size() - i)))]);
      const HeadLevel& level = search.levels[hits[i].key >> 26];
      if (near_head(picture, heads::detection_of(hits[i].key, static_cast<float>(level.scale)))) continue;
      booster_.others().add(sample_at(planes_, level, static_cast<int>(hits[i].key & 0x1fff),
                                      static_cast<int>(hits[i].key >> 13 & 0x1fff)),
                            hits[i].score);
      ++taken;
    }
    return taken;
  }

  static std::vector<HeadHit> random_windows(const HeadSearch& search, size_t count, synth::Random& random) {
    std::vector<HeadHit> windows;
    for (size_t i = 0; i < count; ++i) {
      const int l = random.below(static_cast<int>(search.levels.size()));
      const HeadLevel& level = search.levels[static_cast<size_t>(l)];
      windows.push_back({heads::key_of(l, random.below(level.width - kHeadWindow + 1),
                                       random.below(level.height - kHeadWindow + 1)),
                         0});
    }
    return windows;
  }

  Status boost() {
    for (int round = 0; round < options_.weak; ++round) {
      VANTAGE_TRY(check_stop());
      // Whenever a quarter of them has gone, and regularly.
      if (round < 4 || round % (round < 64 ? 8 : 16) == 0 || booster_.others().size() < mined_ * 3 / 4)
        VANTAGE_TRY(mine(model_, round));
      if (booster_.others().size() < kFewestOthers) break;
      booster_.step(&model_);
      report("weak classifiers", round + 1, options_.weak);
    }
    if (!model_.weak.empty()) return {};
    return fail(ErrorKind::bad_data, "the pictures hold too few windows to learn from", "train-heads",
                "Render more scenes.");
  }

  Result<TrainedHeads> measure() {
    model_.accept_from = lowest_but(5, booster_.kept_heads().scores());
    TrainedHeads trained;
    trained.model = model_;
    const int scenes = std::max(1, options_.scenes / 4);
    VANTAGE_ASSIGN(const std::vector<HeadPicture> pictures,
                   render(synth::mix(options_.seed ^ kHeldOutSeed), scenes, "pictures to measure on"));
    HeadParameters parameters;
    for (const HeadPicture& picture : pictures) {
      VANTAGE_ASSIGN(const HeadSearch search,
                     plan_head_search(picture.luma.width(), picture.luma.height(), parameters));
      planes_.build(picture.luma.view<uint8_t>(), search);
      VANTAGE_ASSIGN(const std::vector<Detection> heads,
                     suppress_heads(find_head_windows(planes_, search, model_, model_.accept_from), search,
                                    model_, parameters));
      std::vector<TrueHead> truth;
      for (const synth::SeenHead& head : picture.heads)
        truth.push_back(true_head(head, parameters.smallest_px));
      trained.curve.add(heads, truth);
    }
    const double score = trained.curve.at(options_.false_positives).score;
    trained.model.head_from = static_cast<int32_t>(std::lround(std::ceil(score / model_.score_unit)));
    return trained;
  }

  const HeadTrainingOptions& options_;
  const std::function<void(const HeadTrainingProgress&)>& progress_;
  const StopSource& stop_;
  Booster booster_;
  HeadModel model_;
  HeadPlanes planes_;
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
