// The points of a person's path, small: a day of a crowd has tens of millions.
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace vantage {

// A point of a person's path, and the same in less memory.

// A person's path in one frame of it.
struct PathPoint {
  int64_t frame = 0;
  double x_m = 0, y_m = 0, height_m = 0;
  double confidence = 0;
  bool seen = false;    // false: between two frames where the person was found, on the straight line; the
                        // confidence is carried from the nearer one
  int32_t person = -1;  // place among the frame's people; -1: a rejected peak, or not seen
};

// A point in 20 bytes instead of 48, without loss: one whose values are multiples of 0.0001, as files hold
// them. Others do not fit.
class PackedPoint {
 public:
  static std::optional<PackedPoint> of(const PathPoint& point) {
    PackedPoint packed;
    int32_t height = 0, confidence = 0;
    if (!pack(point.x_m, &packed.x_) || !pack(point.y_m, &packed.y_) || !pack(point.height_m, &height) ||
        !pack(point.confidence, &confidence) || !std::in_range<int32_t>(point.frame) ||
        !std::in_range<uint16_t>(height) || confidence < 0 || confidence >= kSeen ||
        !std::in_range<int16_t>(point.person))
      return std::nullopt;
    packed.frame_ = static_cast<int32_t>(point.frame), packed.height_ = static_cast<uint16_t>(height);
    packed.confidence_ = static_cast<uint16_t>(confidence | (point.seen ? kSeen : 0));
    packed.person_ = static_cast<int16_t>(point.person);
    return packed;
  }

  int64_t frame() const { return frame_; }
  PathPoint point() const {
    return {frame_,
            unpack(x_),
            unpack(y_),
            unpack(height_),
            unpack(confidence_ & (kSeen - 1)),
            (confidence_ & kSeen) != 0,
            person_};
  }

 private:
  static constexpr double kUnits = 1e4;
  static constexpr int32_t kSeen = 1 << 15;
  static constexpr int32_t kMinusZero = INT32_MIN;  // "-0.000" of a file

  static bool pack(double value, int32_t* packed) {
    const double scaled = kUnits * value;
    if (!(std::abs(scaled) < 2e9)) return false;
    *packed = static_cast<int32_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    if (value == 0 && std::signbit(value)) *packed = kMinusZero;
    return std::bit_cast<uint64_t>(unpack(*packed)) == std::bit_cast<uint64_t>(value);
  }
  // Division rounds to the double that is nearest to the decimal number, as reading it from text does.
  static double unpack(int32_t packed) { return packed == kMinusZero ? -0.0 : packed / kUnits; }

  int32_t frame_ = 0, x_ = 0, y_ = 0;
  uint16_t height_ = 0, confidence_ = 0;
  int16_t person_ = -1;
};

// A path's points; frames ascend, unless points are still being added. Packed as long as every one fits,
// else each takes 48 bytes. Copies share the points until one of them changes.
class PathPoints {
 public:
  // Gives points by value, as they may be packed.
  class Iterator;
  using value_type = PathPoint;
  using const_iterator = Iterator;

  PathPoints() = default;
  PathPoints(std::initializer_list<PathPoint> points) : PathPoints(points.begin(), points.end()) {}
  template <std::input_iterator It>
  PathPoints(It first, It last) {
    append(first, last);
  }

  bool empty() const { return size() == 0; }
  size_t size() const { return store_ ? store_->packed.size() + store_->wide.size() : 0; }
  PathPoint operator[](size_t i) const {
    return store_->wide.empty() ? store_->packed[i].point() : store_->wide[i];
  }
  PathPoint front() const { return (*this)[0]; }
  PathPoint back() const { return (*this)[size() - 1]; }
  Iterator begin() const;
  Iterator end() const;

  int64_t frame(size_t i) const {
    return store_->wide.empty() ? store_->packed[i].frame() : store_->wide[i].frame;
  }
  // The first point in that frame or behind it; size() where there is none.
  size_t first_from(int64_t frame) const;
  // The point in that frame; nothing where there is none.
  std::optional<PathPoint> find(int64_t frame) const;

  void push_back(const PathPoint& point);
  template <std::input_iterator It>
  void append(It first, It last) {
    for (; first != last; ++first) push_back(*first);
  }
  void set(size_t i, const PathPoint& point);
  void clear() { store_.reset(); }
  // Keeps the points from `first` to `last`, that one excluded.
  void keep(size_t first, size_t last);
  // Gives back the memory kept for points to come.
  void shrink();

 private:
  // One of them is empty.
  struct Store {
    std::vector<PackedPoint> packed;
    std::vector<PathPoint> wide;
  };
  Store& own();
  static void widen(Store* store);

  std::shared_ptr<Store> store_;  // null: no points
};

class PathPoints::Iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = PathPoint;
  using reference = PathPoint;
  struct pointer {
    PathPoint point;
    const PathPoint* operator->() const { return &point; }
  };

  Iterator() = default;
  Iterator(const PathPoints* points, size_t at) : points_(points), at_(static_cast<std::ptrdiff_t>(at)) {}

  reference operator*() const { return (*this)[0]; }
  pointer operator->() const { return {**this}; }
  reference operator[](std::ptrdiff_t n) const { return (*points_)[at_ + n]; }
  Iterator& operator+=(std::ptrdiff_t n) { return at_ += n, *this; }
  Iterator& operator-=(std::ptrdiff_t n) { return at_ -= n, *this; }
  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this -= 1; }
  Iterator operator++(int) { return std::exchange(*this, *this + 1); }
  Iterator operator--(int) { return std::exchange(*this, *this - 1); }
  friend Iterator operator+(Iterator it, std::ptrdiff_t n) { return it += n; }
  friend Iterator operator+(std::ptrdiff_t n, Iterator it) { return it += n; }
  friend Iterator operator-(Iterator it, std::ptrdiff_t n) { return it -= n; }
  friend std::ptrdiff_t operator-(const Iterator& a, const Iterator& b) { return a.at_ - b.at_; }
  bool operator==(const Iterator& other) const { return at_ == other.at_; }
  auto operator<=>(const Iterator& other) const { return at_ <=> other.at_; }

 private:
  const PathPoints* points_ = nullptr;
  std::ptrdiff_t at_ = 0;
};

inline PathPoints::Iterator PathPoints::begin() const {
  return {this, 0};
}
inline PathPoints::Iterator PathPoints::end() const {
  return {this, size()};
}

inline size_t PathPoints::first_from(int64_t at) const {
  if (empty() || at <= frame(0)) return 0;
  // Most paths have every frame.
  const auto guess = static_cast<uint64_t>(at) - static_cast<uint64_t>(frame(0));
  if (guess < size() && frame(guess) == at) return guess;
  size_t first = 0, last = size();
  while (first < last) {
    const size_t middle = first + (last - first) / 2;
    if (frame(middle) < at)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

inline std::optional<PathPoint> PathPoints::find(int64_t at) const {
  const size_t i = first_from(at);
  return i < size() && frame(i) == at ? std::optional((*this)[i]) : std::nullopt;
}

inline PathPoints::Store& PathPoints::own() {
  if (!store_)
    store_ = std::make_shared<Store>();
  else if (store_.use_count() > 1)
    store_ = std::make_shared<Store>(*store_);
  return *store_;
}

inline void PathPoints::widen(Store* store) {
  for (const PackedPoint& packed : store->packed) store->wide.push_back(packed.point());
  store->packed = {};
}

inline void PathPoints::push_back(const PathPoint& point) {
  Store& store = own();
  const std::optional<PackedPoint> packed = store.wide.empty() ? PackedPoint::of(point) : std::nullopt;
  if (packed) return store.packed.push_back(*packed);
  widen(&store);
  store.wide.push_back(point);
}

inline void PathPoints::set(size_t i, const PathPoint& point) {
  Store& store = own();
  const std::optional<PackedPoint> packed = store.wide.empty() ? PackedPoint::of(point) : std::nullopt;
  if (packed) {
    store.packed[i] = *packed;
    return;
  }
  widen(&store);
  store.wide[i] = point;
}

inline void PathPoints::keep(size_t first, size_t last) {
  if (first == 0 && last == size()) return;
  *this =
      PathPoints(begin() + static_cast<std::ptrdiff_t>(first), begin() + static_cast<std::ptrdiff_t>(last));
}

inline void PathPoints::shrink() {
  if (!store_) return;
  Store& store = own();
  store.packed.shrink_to_fit();
  store.wide.shrink_to_fit();
}

}  // namespace vantage
