#include "core/geometry/ignored_region.h"

#include <array>
#include <optional>
#include <string>

#include "core/base/text.h"

namespace vantage {

IgnoredPixels::IgnoredPixels(std::span<const IgnoredRegion> regions, int width, int height)
    : width_(width), height_(height) {
  const auto row = static_cast<size_t>(width);
  for (const IgnoredRegion& region : regions)
    for_rows_in_polygon(region.corners_px, width, height, [&](int y, int left, int right) {
      if (mask_.empty()) mask_.assign(row * static_cast<size_t>(height), 0);
      const auto begin = mask_.begin() + static_cast<ptrdiff_t>(row * static_cast<size_t>(y));
      std::fill(begin + left, begin + right + 1, uint8_t{1});
    });
}

double IgnoredPixels::share() const {
  if (mask_.empty()) return 0;
  return static_cast<double>(std::count(mask_.begin(), mask_.end(), uint8_t{1})) /
         static_cast<double>(mask_.size());
}

Result<IgnoredRegion> make_ignored_region(std::span<const Eigen::Vector2d> corners_px, int width,
                                          int height) {
  if (corners_px.size() < 3)
    return fail(ErrorKind::invalid_argument, "an ignored region has at least three corners", "",
                "Add corners.");
  IgnoredRegion region;
  for (const Eigen::Vector2d& corner : corners_px) {
    if (!corner.allFinite())
      return fail(ErrorKind::invalid_argument, "a corner of an ignored region is not a number");
    region.corners_px.emplace_back((100 * corner).array().round() / 100);
  }
  if (width > 0 && height > 0 && !IgnoredPixels({&region, 1}, width, height).any())
    return fail(ErrorKind::invalid_argument,
                "the region covers no pixel of the picture, which has " + size_text(width, height) + " px",
                "", "Corners are x,y in pixels from the upper left one, 0,0.");
  return region;
}

Result<Image> ignored_image(std::span<const IgnoredRegion> regions, int width, int height) {
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, width, height, HostPool::shared()));
  const ImageView<uint8_t> rows = image.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y) std::fill_n(rows.row(y), width, uint8_t{0});
  for (const IgnoredRegion& region : regions)
    for_rows_in_polygon(region.corners_px, width, height, [&](int y, int left, int right) {
      std::fill(rows.row(y) + left, rows.row(y) + right + 1, uint8_t{255});
    });
  return image;
}

void add_to_hash(const IgnoredRegions& regions, Hasher* hasher) {
  if (regions.empty()) return;
  hasher->add(regions.size());
  for (const IgnoredRegion& region : regions) {
    hasher->add(region.corners_px.size());
    for (const Eigen::Vector2d& corner : region.corners_px) hasher->add(corner.x()).add(corner.y());
  }
}

namespace {

// Borders of a mask's areas, between the pixels. Corner (x, y) is the upper left one of pixel (x, y). Areas
// are joined by pixels' sides, holes also by their corners.
class MaskBorders {
 public:
  using Corner = Eigen::Vector2i;
  using Border = std::vector<Corner>;

  explicit MaskBorders(const ImageView<const uint8_t>& mask)
      : mask_(mask), columns_(static_cast<size_t>(mask.width) + 1) {}

  // Closed, with the area to the right; holes are joined to the border around them.
  std::vector<Border> find() {
    // A slit runs from each hole's highest corner up to the next border, which another hole's may be: all end
    // at a border that is no hole's.
    slits_.assign(columns_ * static_cast<size_t>(mask_.height), 0);
    for (const Border& border : trace())
      if (turns_left(border)) cut_up_from(*std::min_element(border.begin(), border.end(), is_higher));
    return trace();
  }

 private:
  // Right, down, left, up: with the area to the right of it.
  static constexpr std::array<std::array<int, 2>, 4> kSteps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  static constexpr std::array<size_t, 4> kTurns = {1, 0, 3, 2};  // to the right first, back last

  static bool is_higher(const Corner& a, const Corner& b) {
    return a.y() != b.y() ? a.y() < b.y() : a.x() < b.x();
  }
  bool is_in(int x, int y) const {
    return x >= 0 && y >= 0 && x < mask_.width && y < mask_.height && mask_.row(y)[x] != 0;
  }
  // The area ends between pixels (x - 1, y) and (x, y) of it.
  bool slit(int x, int y) const {
    return slits_[static_cast<size_t>(y) * columns_ + static_cast<size_t>(x)] != 0;
  }
  // A border leaves the corner in that direction.
  bool leaves(const Corner& at, size_t direction) const {
    const int x = at.x(), y = at.y();
    switch (direction) {
      case 0:
        return is_in(x, y) && !is_in(x, y - 1);
      case 1:
        return is_in(x - 1, y) && (!is_in(x, y) || slit(x, y));
      case 2:
        return is_in(x - 1, y - 1) && !is_in(x - 1, y);
      default:
        return is_in(x, y - 1) && (!is_in(x - 1, y - 1) || slit(x, y - 1));
    }
  }
  static bool turns_left(const Border& border) {
    int64_t twice = 0;
    for (size_t i = 0; i < border.size(); ++i) {
      const Corner &a = border[i], &b = border[(i + 1) % border.size()];
      twice += int64_t{a.x()} * b.y() - int64_t{b.x()} * a.y();
    }
    return twice < 0;
  }
  void cut_up_from(const Corner& at) {
    for (int y = at.y() - 1; is_in(at.x() - 1, y) && is_in(at.x(), y) && !slit(at.x(), y); --y)
      slits_[static_cast<size_t>(y) * columns_ + static_cast<size_t>(at.x())] = 1;
  }

  std::vector<Border> trace() const {
    std::vector<Border> borders;
    std::vector<uint8_t> done(columns_ * (static_cast<size_t>(mask_.height) + 1), 0);  // a bit a direction
    for (int y = 0; y <= mask_.height; ++y)
      for (int x = 0; x <= mask_.width; ++x)
        for (size_t direction = 0; direction < 4; ++direction)
          if (leaves({x, y}, direction) && !(done[index({x, y})] >> direction & 1))
            borders.push_back(trace_from({x, y}, direction, &done));
    return borders;
  }
  size_t index(const Corner& at) const {
    return static_cast<size_t>(at.y()) * columns_ + static_cast<size_t>(at.x());
  }
  // Turns to the right first: areas that touch at a corner alone are two.
  Border trace_from(Corner at, size_t direction, std::vector<uint8_t>* done) const {
    Border border;
    std::optional<size_t> before;
    while (!((*done)[index(at)] >> direction & 1)) {
      (*done)[index(at)] |= static_cast<uint8_t>(1 << direction);
      if (before != direction) border.push_back(at);
      before = direction;
      at += Corner(kSteps[direction][0], kSteps[direction][1]);
      for (const size_t turn : kTurns)
        if (const size_t next = (direction + turn) % 4; leaves(at, next)) {
          direction = next;
          break;
        }
    }
    // The beginning may be within a side.
    if (border.size() > 1 && before == direction) border.erase(border.begin());
    return border;
  }

  const ImageView<const uint8_t>& mask_;
  const size_t columns_;
  std::vector<uint8_t> slits_;
};

constexpr double kMaxOff_px = 0.75;

double distance_to_line(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& at) {
  const Eigen::Vector2d along = b - a;
  const double length2 = along.squaredNorm();
  const double share = length2 > 0 ? std::clamp((at - a).dot(along) / length2, 0.0, 1.0) : 0;
  return (a + share * along - at).norm();
}

// A corner's coordinate in pixels. At the picture's edge it lies well outside, so that fewer corners leave no
// pixel of the edge out.
double beyond_edge(int corner, int size) {
  constexpr double kOutside_px = 2;
  return corner == 0 ? -kOutside_px : corner == size ? size - 1 + kOutside_px : corner - 0.5;
}

// The corners needed for no other to be farther than kMaxOff_px from the border (D. Douglas, T. Peucker,
// 1973).
std::vector<Eigen::Vector2d> simplified(const std::vector<Eigen::Vector2d>& corners) {
  const auto at = [&](size_t i) { return corners[i % corners.size()]; };
  size_t across = 0;
  for (size_t i = 1; i < corners.size(); ++i)
    if ((at(i) - at(0)).norm() > (at(across) - at(0)).norm()) across = i;
  std::vector<bool> needed(corners.size(), false);
  needed[0] = needed[across] = true;
  std::vector<std::pair<size_t, size_t>> lines = {{0, across}, {across, corners.size()}};
  while (!lines.empty()) {
    const auto [first, last] = lines.back();
    lines.pop_back();
    size_t farthest = first;
    double off = kMaxOff_px;
    for (size_t i = first + 1; i < last; ++i)
      if (const double here = distance_to_line(at(first), at(last), at(i)); here > off)
        farthest = i, off = here;
    if (farthest == first) continue;
    needed[farthest] = true;
    lines.emplace_back(first, farthest);
    lines.emplace_back(farthest, last);
  }
  std::vector<Eigen::Vector2d> kept;
  for (size_t i = 0; i < corners.size(); ++i)
    if (needed[i]) kept.push_back(corners[i]);
  return kept.size() < 4 ? corners : kept;
}

}  // namespace

Result<IgnoredRegions> regions_of_mask(const ImageView<const uint8_t>& mask) {
  IgnoredRegions regions;
  size_t corner_count = 0;
  for (const MaskBorders::Border& border : MaskBorders(mask).find()) {
    std::vector<Eigen::Vector2d> corners;
    for (const MaskBorders::Corner& corner : border)
      corners.emplace_back(beyond_edge(corner.x(), mask.width), beyond_edge(corner.y(), mask.height));
    regions.push_back({simplified(corners)});
    corner_count += regions.back().corners_px.size();
    if (regions.size() > kMaxRegionsOfMask || corner_count > kMaxCornersOfMask)
      return fail(ErrorKind::bad_data,
                  "the mask has more than " + std::to_string(kMaxRegionsOfMask) +
                      " separate areas, or borders of more than " + std::to_string(kMaxCornersOfMask) +
                      " corners",
                  "", "Paint fewer, smoother areas on a ground of level 0, and save it without loss.");
  }
  if (regions.empty())
    return fail(ErrorKind::bad_data, "the mask ignores nothing: all its pixels are 0", "",
                "Paint what is to be ignored in any other level.");
  return regions;
}

}  // namespace vantage
