#include "core/export/case/blur.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "core/export/case/detail/body_outline.h"
#include "core/export/case/mosaic.h"
#include "core/image/image_view.h"
#include "core/image/picture.h"

namespace vantage::case_detail {
namespace {

// The connected parts of a mask.

struct Blobs {
  // Part of each pixel, row by row, from 1; 0: not foreground. Corners connect.
  std::vector<int32_t> label;
  int32_t count = 0;
};

int32_t root(std::vector<int32_t>& parent, int32_t label) {
  while (parent[label] != label) {
    int32_t& up = parent[label];
    up = parent[up];
    label = up;
  }
  return label;
}

void join(std::vector<int32_t>& parent, int32_t a, int32_t b) {
  a = root(parent, a), b = root(parent, b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

Blobs find_blobs(const ImageView<const uint8_t>& mask) {
  Blobs blobs;
  const auto width = static_cast<size_t>(mask.width);
  blobs.label.resize(width * static_cast<size_t>(mask.height));
  std::vector<int32_t> parent = {0};
  for (int y = 0; y < mask.height; ++y) {
    const uint8_t* row = mask.row(y);
    int32_t* labels = blobs.label.data() + width * static_cast<size_t>(y);
    const int32_t* above = y > 0 ? labels - width : nullptr;
    for (int x = 0; x < mask.width; ++x) {
      if (!row[x]) continue;
      int32_t& label = labels[x];
      const auto meet = [&](int32_t other) {
        if (other == 0) return;
        if (label == 0)
          label = other;
        else if (label != other)
          join(parent, label, other);
      };
      if (x > 0) meet(labels[x - 1]);
      for (int dx = -1; above && dx <= 1; ++dx)
        if (x + dx >= 0 && x + dx < mask.width) meet(above[x + dx]);
      if (label != 0) continue;
      label = static_cast<int32_t>(parent.size());
      parent.push_back(label);
    }
  }
  std::vector<int32_t> final(parent.size());
  for (size_t i = 1; i < parent.size(); ++i) {
    const auto top = static_cast<size_t>(root(parent, static_cast<int32_t>(i)));
    final[i] = top == i ? ++blobs.count : final[top];
  }
  for (int32_t& label : blobs.label) label = final[label];
  return blobs;
}

// The pixel quads (mosaic.h) that a polygon meets.

// Calls visit(x, y) for each, of `width` times `height`, row by row.
template <typename Visit>
void for_each_quad(const Polygon& polygon, int width, int height, const Visit& visit) {
  if (polygon.size() < 3) return;
  double top = polygon[0].y(), bottom = top;
  for (const Eigen::Vector2d& corner : polygon)
    top = std::min(top, corner.y()), bottom = std::max(bottom, corner.y());
  const auto quad_of = [](double pixel) { return static_cast<int>(std::floor((pixel + 0.5) / 2)); };
  const double limit = 4.0 * (width + height);
  const int first = std::max(0, quad_of(std::max(top, -limit)));
  const int last = std::min(height - 1, quad_of(std::min(bottom, limit)));
  for (int y = first; y <= last; ++y) {
    const double low = 2 * y - 0.5, high = low + 2;  // the quad's edges
    double left = limit, right = -limit;
    const auto include = [&](double x) { left = std::min(left, x), right = std::max(right, x); };
    for (size_t i = 0; i < polygon.size(); ++i) {
      const Eigen::Vector2d& a = polygon[i];
      const Eigen::Vector2d& b = polygon[(i + 1) % polygon.size()];
      if (a.y() >= low && a.y() <= high) include(a.x());
      for (const double edge : {low, high})
        if ((a.y() < edge) != (b.y() < edge))
          include(a.x() + (edge - a.y()) / (b.y() - a.y()) * (b.x() - a.x()));
    }
    if (left > right) continue;
    const int to = std::min(width - 1, quad_of(std::min(right, limit)));
    for (int x = std::max(0, quad_of(std::max(left, -limit))); x <= to; ++x) visit(x, y);
  }
}

}  // namespace

}  // namespace vantage::case_detail

namespace vantage {
namespace {

using case_detail::Blobs;
using case_detail::BodyOutline;
using case_detail::for_each_quad;

constexpr double kViewChangedShare = 0.5;  // of the picture that is foreground
// Shares: a body is expected in the mask with this much of it in the picture, and this much of that not
// hidden by others; at least this much of its visible part is then foreground.
constexpr double kInPicture = 0.3, kNotHidden = 0.4, kInMask = 0.1;
// Foreground outside every person's outline is a body from this share of the area of a body that stands
// there, and of its height.
constexpr double kBodyArea = 0.12, kBodyHeight = 0.25;
constexpr double kUnknownHeight_m = 1.7;
// Minimum height of a body whose lower end is not on the floor, of the picture's height.
constexpr double kUnknownShare = 0.08;
// Margins, in parts of a mosaic's square.
constexpr int kMarginPart = 4;
// Beyond the reach of all hidden people: so many trunk radii nearer to the kept person.
constexpr double kClearly = 0.3;
// Within their reach: parts of foreground with a gap of so many quads between them are apart; of a person who
// is apart so much of the trunk is foreground; and so near to the axis, in trunk radii, no one else is kept.
constexpr int kGapQuads = 4;
constexpr double kSeenWell = 0.35, kOwnRadii = 1.3;
constexpr int kOverKeptQuads = 2;  // of a margin

struct Shown {
  BodyOutline body;
  bool kept = false, seen = false;
  uint8_t level = 0;
  std::set<int32_t> parts = {};  // of the foreground that show some of them
  bool seen_well = false;
  std::vector<uint8_t> reach = {};  // 1: within it
};

class Cover {
 public:
  Cover(const Camera& camera, const ImageView<const uint8_t>& mask, std::vector<Shown> shown)
      : camera_(camera),
        mask_(mask),
        shown_(std::move(shown)),
        blobs_(case_detail::find_blobs(mask)),
        reach_(quads()),
        levels_(quads()),
        kept_(quads()) {}

  std::optional<BlurDoubt> doubt();
  Status cover(BufferPool& pool);
  Result<Image> finish(BufferPool& pool) const;

 private:
  size_t quads() const { return static_cast<size_t>(mask_.width) * static_cast<size_t>(mask_.height); }
  size_t at(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(mask_.width) + static_cast<size_t>(x);
  }
  static Eigen::Vector2d middle_px(int x, int y) { return {2 * x + 0.5, 2 * y + 0.5}; }
  bool is_missing(const Shown& one) const;
  bool is_unknown_body() const;
  bool is_body(int left, int right, int top, int bottom, int64_t area) const;
  Status find_parts(BufferPool& pool);
  bool may_keep(int x, int y) const;
  static void mark(uint8_t& at, uint8_t level) { at = std::max(at, level); }

  const Camera& camera_;
  const ImageView<const uint8_t> mask_;  // of quads
  std::vector<Shown> shown_;
  const Blobs blobs_;
  Blobs parts_;                  // foreground that is nearly connected is one
  std::vector<uint8_t> reach_;   // 1: within a person's reach
  std::vector<uint8_t> levels_;  // of mosaics, before margins
  std::vector<uint8_t> kept_;    // 1: foreground that shows a person who is kept
};

// Expected in the mask, and not there.
bool Cover::is_missing(const Shown& one) const {
  int64_t in_picture = 0, open = 0, foreground = 0;
  for_each_quad(one.body.trunk, mask_.width, mask_.height, [&](int x, int y) {
    ++in_picture;
    for (const Shown& other : shown_)
      if (&other != &one && other.body.distance_m < one.body.distance_m &&
          other.body.away(middle_px(x, y)) < 1)
        return;
    ++open;
    foreground += mask_.at(x, y) != 0;
  });
  const double whole = case_detail::area_px(one.body.trunk) / 4;
  return static_cast<double>(in_picture) >= kInPicture * whole &&
         static_cast<double>(open) >= kNotHidden * static_cast<double>(in_picture) && open > 0 &&
         static_cast<double>(foreground) < kInMask * static_cast<double>(open);
}

// True of a blob as large as a body that stands at its lower end.
bool Cover::is_body(int left, int right, int top, int bottom, int64_t area) const {
  const double height_px = 2.0 * (bottom - top + 1);
  const auto ray = camera_.ray({left + right + 0.5, 2.0 * bottom + 1});
  const auto floor = ray ? intersect_horizontal_plane(*ray, 0) : std::nullopt;
  if (floor) {
    const BodyOutline body =
        case_detail::body_outline(camera_.model(), floor->x(), floor->y(), kUnknownHeight_m);
    if (!body.trunk.empty() && !body.too_near)
      return 4.0 * static_cast<double>(area) >= kBodyArea * case_detail::area_px(body.trunk) &&
             height_px >= kBodyHeight * body.height_px;
  }
  return height_px >= kUnknownShare * 2 * mask_.height;
}

// Foreground beyond everybody's reach, blob by blob.
bool Cover::is_unknown_body() const {
  struct Rest {
    int left = INT32_MAX, right = -1, top = INT32_MAX, bottom = -1;
    int64_t area = 0;
  };
  std::vector<Rest> rests(static_cast<size_t>(blobs_.count) + 1);
  for (int y = 0; y < mask_.height; ++y)
    for (int x = 0; x < mask_.width; ++x) {
      const int32_t label = blobs_.label[at(x, y)];
      if (label == 0 || reach_[at(x, y)]) continue;
      Rest& rest = rests[label];
      rest.left = std::min(rest.left, x), rest.right = std::max(rest.right, x);
      rest.top = std::min(rest.top, y), rest.bottom = std::max(rest.bottom, y);
      ++rest.area;
    }
  return std::any_of(rests.begin(), rests.end(), [&](const Rest& rest) {
    return rest.area > 0 && is_body(rest.left, rest.right, rest.top, rest.bottom, rest.area);
  });
}

std::optional<BlurDoubt> Cover::doubt() {
  int64_t foreground = 0;
  for (int y = 0; y < mask_.height; ++y)
    for (int x = 0; x < mask_.width; ++x) foreground += mask_.at(x, y) != 0;
  if (static_cast<double>(foreground) > kViewChangedShare * static_cast<double>(quads()))
    return BlurDoubt::view_changed;
  for (const Shown& one : shown_)
    if (one.body.too_near) return BlurDoubt::too_near;
  for (const Shown& one : shown_)
    for_each_quad(one.body.reach, mask_.width, mask_.height, [&](int x, int y) { reach_[at(x, y)] = 1; });
  for (const Shown& one : shown_)
    if (!one.kept && is_missing(one)) return BlurDoubt::not_in_mask;
  if (is_unknown_body()) return BlurDoubt::unknown_body;
  return std::nullopt;
}

// Visible limbs connect a person's trunk with whatever they cover or touch, except across gaps of the
// foreground: parts with a wider gap between them show different people.
Status Cover::find_parts(BufferPool& pool) {
  VANTAGE_ASSIGN(Image foreground, Image::make(ImageType::u8, mask_.width, mask_.height, pool));
  const ImageView<uint8_t> copy = foreground.writable_view<uint8_t>();
  for (int y = 0; y < mask_.height; ++y)
    for (int x = 0; x < mask_.width; ++x) copy.at(x, y) = mask_.at(x, y) != 0;
  VANTAGE_ASSIGN(const Image closed, grown(foreground.view<uint8_t>(), kGapQuads / 2, pool));
  parts_ = case_detail::find_blobs(closed.view<uint8_t>());
  for (Shown& one : shown_) {
    int64_t trunk = 0, seen = 0;
    for_each_quad(one.body.trunk, mask_.width, mask_.height, [&](int x, int y) {
      ++trunk;
      if (mask_.at(x, y) == 0) return;
      ++seen;
      one.parts.insert(parts_.label[at(x, y)]);
    });
    one.reach.assign(quads(), 0);
    for_each_quad(one.body.reach, mask_.width, mask_.height, [&](int x, int y) { one.reach[at(x, y)] = 1; });
    one.seen_well =
        one.seen && trunk > 0 && static_cast<double>(seen) >= kSeenWell * static_cast<double>(trunk);
  }
  return {};
}

// True of foreground within the reach of a kept person that is that person's: clearly nearer to them than to
// all hidden people, and beyond the reach of these; or in a part of the foreground that shows a kept person
// and no hidden one, if the hidden ones are well seen in other parts.
bool Cover::may_keep(int x, int y) const {
  const Eigen::Vector2d pixel = middle_px(x, y);
  const int32_t part = parts_.label[at(x, y)];
  double kept = std::numeric_limits<double>::infinity();
  bool shows_kept = false;
  for (const Shown& one : shown_) {
    if (!one.kept) continue;
    kept = std::min(kept, one.body.away(pixel));
    shows_kept = shows_kept || one.parts.contains(part);
  }
  return std::all_of(shown_.begin(), shown_.end(), [&](const Shown& one) {
    if (one.kept) return true;
    const double away = one.body.away(pixel);
    if (shows_kept && one.seen_well && !one.parts.contains(part) && away >= kOwnRadii) return true;
    return kept + kClearly < away && one.reach[at(x, y)] == 0;
  });
}

Status Cover::cover(BufferPool& pool) {
  VANTAGE_TRY(find_parts(pool));
  std::vector<uint8_t> of_blob(static_cast<size_t>(blobs_.count) + 1);
  std::vector<uint8_t> kept_reach(quads());
  for (const Shown& one : shown_)
    for_each_quad(one.body.reach, mask_.width, mask_.height, [&](int x, int y) {
      if (one.kept) kept_reach[at(x, y)] = 1;
      uint8_t& level = of_blob[blobs_.label[at(x, y)]];
      level = std::max(level, one.level);
    });
  std::vector<int> top(of_blob.size(), INT32_MAX), bottom(of_blob.size(), -1);
  for (int y = 0; y < mask_.height; ++y)
    for (int x = 0; x < mask_.width; ++x) {
      const auto label = static_cast<size_t>(blobs_.label[at(x, y)]);
      top[label] = std::min(top[label], y), bottom[label] = std::max(bottom[label], y);
    }
  for (size_t label = 1; label < of_blob.size(); ++label)
    if (of_blob[label] == 0)
      of_blob[label] = static_cast<uint8_t>(mosaic_level(2.0 * (bottom[label] - top[label] + 1)));
  for (int y = 0; y < mask_.height; ++y)
    for (int x = 0; x < mask_.width; ++x) {
      const size_t quad = at(x, y);
      const auto label = static_cast<size_t>(blobs_.label[quad]);
      if (label == 0) continue;
      kept_[quad] = kept_reach[quad] && may_keep(x, y);
      if (!kept_[quad]) mark(levels_[quad], of_blob[label]);
    }
  for (const Shown& one : shown_) {
    if (one.kept) continue;
    for_each_quad(one.body.reach, mask_.width, mask_.height, [&](int x, int y) {
      if (!kept_[at(x, y)]) mark(levels_[at(x, y)], one.level);
    });
  }
  return {};
}

// The margin covers what the foreground misses of hidden people, next to what it shows of them. Over a kept
// person it is narrow: their foreground is beyond the reach of the others, or a gap apart from theirs.
Result<Image> Cover::finish(BufferPool& pool) const {
  VANTAGE_ASSIGN(Image levels, Image::make(ImageType::u8, mask_.width, mask_.height, pool));
  VANTAGE_ASSIGN(Image one, Image::make(ImageType::u8, mask_.width, mask_.height, pool));
  const ImageView<uint8_t> out = levels.writable_view<uint8_t>(), marked = one.writable_view<uint8_t>();
  for (int y = 0; y < out.height; ++y) std::memset(out.row(y), 0, static_cast<size_t>(out.width));
  for (int level = kMinMosaicLevel; level <= kMaxMosaicLevel; ++level) {
    bool any = false;
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x) {
        marked.at(x, y) = levels_[at(x, y)] == level;
        any = any || marked.at(x, y);
      }
    if (!any) continue;
    const int margin = std::max(1, (1 << level) / 2 / kMarginPart);
    VANTAGE_ASSIGN(const Image wider, grown(one.view<uint8_t>(), margin, pool));
    VANTAGE_ASSIGN(const Image near, grown(one.view<uint8_t>(), std::min(margin, kOverKeptQuads), pool));
    const ImageView<const uint8_t> covered = wider.view<uint8_t>(), beside = near.view<uint8_t>();
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x)
        if (kept_[at(x, y)] ? beside.at(x, y) : covered.at(x, y))
          mark(out.at(x, y), static_cast<uint8_t>(level));
  }
  return levels;
}

}  // namespace

std::string_view blur_doubt_text(BlurDoubt doubt) {
  constexpr std::array<std::string_view, 6> kTexts = {
      "the results do not state who was there",
      "the foreground is not known",
      "more than half of the picture is foreground",
      "the foreground shows nothing of a person who should be seen",
      "a region as large as a person belongs to no one",
      "a person is too close to the camera"};
  return kTexts[static_cast<size_t>(doubt)];
}

Result<BlurredPicture> covered_picture(int width_px, int height_px, BlurDoubt doubt, BufferPool& pool) {
  BlurredPicture blurred;
  blurred.doubt = doubt;
  VANTAGE_ASSIGN(blurred.levels, Image::make(ImageType::u8, quads(width_px), quads(height_px), pool));
  const ImageView<uint8_t> levels = blurred.levels.writable_view<uint8_t>();
  for (int y = 0; y < levels.height; ++y)
    std::memset(levels.row(y), mosaic_level(height_px), static_cast<size_t>(levels.width));
  return blurred;
}

Blur::Blur(const Camera& camera, std::set<int64_t> kept) : camera_(camera), kept_(std::move(kept)) {}

Result<BlurredPicture> Blur::cover(const Image& mask, const std::optional<std::vector<CasePerson>>& people,
                                   BufferPool& pool) const {
  const auto cover_all = [&](BlurDoubt doubt) {
    return covered_picture(camera_.width_px(), camera_.height_px(), doubt, pool);
  };
  if (!people) return cover_all(BlurDoubt::unknown_people);
  if (!mask) return cover_all(BlurDoubt::no_mask);
  VANTAGE_ASSIGN(const Image small, reduced_any(mask.view<uint8_t>(), 2, pool));
  std::vector<Shown> shown;
  for (const CasePerson& person : *people) {
    Shown one;
    one.body = case_detail::body_outline(camera_.model(), person.x_m, person.y_m, person.height_m);
    if (one.body.reach.empty()) continue;
    // A person who is only expected cannot be told from others.
    one.kept = person.seen && person.id > 0 && kept_.contains(person.id);
    one.seen = person.seen;
    one.level = static_cast<uint8_t>(mosaic_level(one.body.height_px));
    shown.push_back(std::move(one));
  }
  Cover cover(camera_, small.view<uint8_t>(), std::move(shown));
  if (const std::optional<BlurDoubt> doubt = cover.doubt()) return cover_all(*doubt);
  VANTAGE_TRY(cover.cover(pool));
  BlurredPicture blurred;
  VANTAGE_ASSIGN(blurred.levels, cover.finish(pool));
  return blurred;
}

}  // namespace vantage
