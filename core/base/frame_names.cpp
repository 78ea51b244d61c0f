#include "core/base/frame_names.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

namespace vantage {
namespace {

// Numbers that fill less than that share of their span do not count frames.
constexpr double kDense = 0.01;
constexpr int64_t kShortestStep_ms = 8;  // between frames at 125 frames/s
constexpr double kEvenShare = 0.8;       // of the steps of times that are multiples of the usual one
constexpr size_t kMaxDigits = 18, kNamed = 3;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// The last point and what is behind it, where that is an extension.
std::string stem_of(const std::string& name) {
  const size_t point = name.rfind('.');
  if (point == std::string::npos || point == 0 || point + 1 == name.size() || name.size() - point > 6)
    return name;
  const bool letters = std::any_of(name.begin() + static_cast<std::ptrdiff_t>(point) + 1, name.end(),
                                   [](char c) { return !is_digit(c); });
  return letters ? name.substr(0, point) : name;
}

// A run of letters and digits between others.
struct Field {
  std::string text, shape;          // "img0012", "img#"
  std::vector<std::string> digits;  // "0012"
  std::vector<size_t> begins;       // of the digits, in the name
  char before = 0;                  // the character before it
};

std::vector<Field> fields_of(const std::string& stem) {
  std::vector<Field> fields;
  for (size_t i = 0; i < stem.size();) {
    if (!is_word(stem[i])) {
      ++i;
      continue;
    }
    Field field;
    field.before = i > 0 ? stem[i - 1] : 0;
    for (; i < stem.size() && is_word(stem[i]); ++i) {
      field.text += stem[i];
      if (!is_digit(stem[i])) {
        field.shape += stem[i];
      } else if (field.shape.empty() || field.shape.back() != '#') {
        field.shape += '#';
        field.digits.emplace_back(1, stem[i]);
        field.begins.push_back(i);
      } else {
        field.digits.back() += stem[i];
      }
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

std::optional<int64_t> number_of(const std::string& digits) {
  int64_t number = 0;
  if (digits.size() > kMaxDigits) return std::nullopt;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

template <typename Key>
std::pair<Key, size_t> commonest(const std::map<Key, size_t>& counts) {
  const auto found = std::max_element(counts.begin(), counts.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  return {found->first, found->second};
}

// One number of the names, in all that belong to the sequence.
struct Candidate {
  std::vector<int64_t> values;  // by member
  std::string before;           // the text before it in the first name
  int place = 0;                // which number of the names it is, from 1
  // The steps from value to value in their order.
  int64_t low = 0, high = 0, common = 0;  // the greatest common divisor of all steps
  int64_t usual = 0;                      // the median step
  double even = 0;                        // the share of steps that are nearly multiples of the usual one

  bool distinct = false;  // no two files have the same number
  bool dense = false;

  double density() const {
    return high == low ? 1 : static_cast<double>(values.size() - 1) / static_cast<double>(high - low);
  }
  bool timelike() const { return usual >= kShortestStep_ms && even >= kEvenShare; }
};

void weigh(Candidate* candidate) {
  std::vector<int64_t> sorted = candidate->values;
  std::sort(sorted.begin(), sorted.end());
  candidate->distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  if (!candidate->distinct) return;
  candidate->low = sorted.front(), candidate->high = sorted.back();
  std::vector<int64_t> steps;
  for (size_t i = 1; i < sorted.size(); ++i) {
    steps.push_back(sorted[i] - sorted[i - 1]);
    candidate->common = std::gcd(candidate->common, steps.back());
  }
  if (steps.empty()) return;
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  candidate->usual = steps[steps.size() / 2];
  const auto usual = static_cast<double>(candidate->usual);
  const auto even = std::count_if(steps.begin(), steps.end(), [&](int64_t step) {
    const double times = std::round(static_cast<double>(step) / usual);
    return times >= 1 && std::abs(static_cast<double>(step) - times * usual) <= std::max(1.0, 0.15 * usual);
  });
  candidate->even = static_cast<double>(even) / static_cast<double>(steps.size());
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(kNamed, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
  return text;
}

class NameReading {
 public:
  NameReading(const std::vector<std::string>& names, const FrameNameOptions& options)
      : names_(names), options_(options) {
    for (const std::string& name : names) fields_.push_back(fields_of(stem_of(name)));
    result_.frames.resize(names.size());
  }

  Result<FrameNames> decide() {
    choose_members();
    if (options_.rule == "order") return in_order("as stated, each file is the next frame");
    gather();
    if (!options_.rule.empty()) return as_said();
    if (members_.size() == 1) return alone();
    return weighed();
  }

 private:
  // Chooses the files with names built alike: as many fields, with the same letters wherever most agree.
  void choose_members() {
    std::map<size_t, size_t> counts;
    for (size_t i = 0; i < names_.size(); ++i)
      if (!is_system_file(names_[i])) ++counts[fields_[i].size()];
    const size_t count = counts.empty() ? 0 : commonest(counts).first;
    std::vector<size_t> alike;
    for (size_t i = 0; i < names_.size(); ++i)
      if (!is_system_file(names_[i]) && fields_[i].size() == count) alike.push_back(i);
    shapes_.assign(count, std::string());
    for (size_t column = 0; column < count; ++column) {
      std::map<std::string, size_t> shapes;
      for (const size_t i : alike) ++shapes[fields_[i][column].shape];
      const auto [shape, files] = commonest(shapes);
      if (2 * files > alike.size() && (files == alike.size() || files > 2)) shapes_[column] = shape;
    }
    for (size_t i = 0; i < names_.size(); ++i) {
      bool member = !is_system_file(names_[i]) && fields_[i].size() == count;
      for (size_t column = 0; member && column < count; ++column)
        member = shapes_[column].empty() || fields_[i][column].shape == shapes_[column];
      if (member)
        members_.push_back(i);
      else
        result_.left_out.push_back(names_[i]);
    }
  }

  void gather() {
    for (size_t column = 0; column < shapes_.size(); ++column) {
      const auto runs = std::count(shapes_[column].begin(), shapes_[column].end(), '#');
      for (int64_t run = 0; run < runs; ++run) add_number(column, static_cast<size_t>(run));
    }
  }

  void add_number(size_t column, size_t run) {
    Candidate candidate;
    candidate.place = ++places_;
    for (const size_t i : members_) {
      const auto number = number_of(fields_[i][column].digits[run]);
      if (!number) return;
      candidate.values.push_back(*number);
    }
    const Field& first = fields_[members_.front()][column];
    candidate.before = names_[members_.front()].substr(0, first.begins[run]);
    weigh(&candidate);
    all_.push_back(std::move(candidate));
    if (!all_.back().distinct) add_decimal(column, run);
  }

  // "12.040": a point between two numbers, the second as long everywhere.
  void add_decimal(size_t column, size_t run) {
    if (run != 0 || column == 0 || shapes_[column] != "#" || shapes_[column - 1].empty() ||
        shapes_[column - 1].back() != '#')
      return;
    Candidate candidate;
    candidate.place = places_;
    const size_t width = fields_[members_.front()][column].text.size();
    for (const size_t i : members_) {
      const Field &whole = fields_[i][column - 1], &part = fields_[i][column];
      const auto number = number_of(whole.digits.back() + part.text);
      if (part.before != '.' || part.text.size() != width || !number) return;
      candidate.values.push_back(*number);
    }
    const Field& first = fields_[members_.front()][column - 1];
    candidate.before = names_[members_.front()].substr(0, first.begins.back());
    weigh(&candidate);
    if (candidate.distinct) decimals_.push_back(std::move(candidate));
  }

  // ---- the decision

  Result<FrameNames> as_said() {
    const bool time = options_.rule == "time";
    int place = 0;
    if (!time) std::from_chars(options_.rule.data(), options_.rule.data() + options_.rule.size(), place);
    std::vector<Candidate> possible = distinct();
    possible.insert(possible.end(), decimals_.begin(), decimals_.end());
    const auto named = std::find_if(possible.begin(), possible.end(), [&](const Candidate& candidate) {
      return time ? candidate.timelike() : candidate.place == place;
    });
    if (named == possible.end())
      return fail(ErrorKind::invalid_argument,
                  time ? "no number in the names goes up as times of frames do (" + example() + ")"
                       : "\"" + options_.rule + "\" is not a number of these names that differs in each (" +
                             example() + ")");
    return time ? by_time(*named) : by_number(*named);
  }

  Result<FrameNames> alone() {
    if (all_.empty()) return options_.pictures ? in_order("") : nothing_counts();
    // A single file allows no comparison: the last number by itself, else the last.
    const Candidate* chosen = &all_.back();
    for (const Candidate& candidate : all_) {
      const std::string& before = candidate.before;
      if (before.empty() || !is_word(before.back())) chosen = &candidate;
    }
    return by_number(*chosen);
  }

  std::vector<Candidate> distinct() const {
    std::vector<Candidate> different;
    std::copy_if(all_.begin(), all_.end(), std::back_inserter(different),
                 [](const Candidate& candidate) { return candidate.distinct; });
    return different;
  }

  Result<FrameNames> weighed() {
    std::vector<Candidate> possible = distinct();
    if (possible.empty()) possible = decimals_;
    if (possible.empty()) return none();
    for (Candidate& candidate : possible) candidate.dense = candidate.density() >= kDense;
    std::stable_sort(possible.begin(), possible.end(), [](const Candidate& a, const Candidate& b) {
      return rank(a) != rank(b) ? rank(a) > rank(b) : a.density() > b.density();
    });
    const Candidate& best = possible.front();
    for (size_t i = 1; i < possible.size(); ++i)
      if (rivals(best, possible[i])) {
        if (options_.ask) return ambiguous(best, possible[i]);
        return last_of(possible);
      }
    if (best.timelike()) return even_steps(best);
    if (best.dense) return by_number(best);
    if (options_.pictures)
      return in_order("the numbers " + range(best) + " are not a count: each picture is the next frame");
    return fail(ErrorKind::not_found,
                "the numbers " + range(best) + " in the names of " + std::to_string(members_.size()) +
                    " files count no frames (" + example() + ")",
                "", "Where each file is the frame after the last: --frames-by order.");
  }

  // A count before times, times before numbers that are neither.
  static int rank(const Candidate& candidate) { return candidate.dense ? 2 : candidate.timelike() ? 1 : 0; }

  // True when the other number may be the frame as well: pictures only need their order.
  bool rivals(const Candidate& best, const Candidate& other) const {
    if (rank(other) < rank(best)) return false;
    if (options_.pictures) {
      std::vector<size_t> order(members_.size());
      std::iota(order.begin(), order.end(), size_t{0});
      std::sort(order.begin(), order.end(),
                [&](size_t a, size_t b) { return best.values[a] < best.values[b]; });
      return !std::is_sorted(order.begin(), order.end(),
                             [&](size_t a, size_t b) { return other.values[a] < other.values[b]; });
    }
    return best.values != other.values;
  }

  // Steps of 40: every 40th frame, or milliseconds.
  Result<FrameNames> even_steps(const Candidate& candidate) {
    if (options_.pictures || !candidate.dense) return by_time(candidate);
    const auto step = static_cast<double>(candidate.usual);
    const bool beyond = options_.frame_count > 0 && candidate.high > options_.frame_count;
    if (beyond) return by_time(candidate);
    const double rate_ms = 1000 / step;
    const bool of_rate = options_.frame_rate > 0 && std::abs(rate_ms / options_.frame_rate - 1) < 0.02;
    if (!options_.ask || (options_.frame_rate > 0 ? !of_rate : !usual_rate(rate_ms)))
      return by_number(candidate);
    return fail(ErrorKind::invalid_argument,
                "the numbers in the names go up by " + std::to_string(candidate.usual) +
                    ": milliseconds at " + fmt::format("{:.4g}", rate_ms) + " frames/s, or every " +
                    std::to_string(candidate.usual) + "th frame (" + example() + ")",
                "", "Say it with --frames-by time or --frames-by " + std::to_string(candidate.place) + ".");
  }

  FrameNames last_of(const std::vector<Candidate>& possible) {
    const auto last = std::max_element(possible.begin(), possible.end(), [](const auto& a, const auto& b) {
      return rank(a) != rank(b) ? rank(a) < rank(b) : a.place < b.place;
    });
    return by_number(*last);
  }

  static bool usual_rate(double rate) {
    for (const double usual : {10.0, 12.5, 15.0, 20.0, 24.0, 25.0, 30.0, 50.0, 60.0, 100.0})
      if (std::abs(rate / usual - 1) < 0.02) return true;
    return false;
  }

  tl::unexpected<Error> ambiguous(const Candidate& a, const Candidate& b) const {
    return fail(ErrorKind::invalid_argument,
                "the frames may be counted by the numbers " + range(a) + " or by " + range(b) +
                    " in the names (" + example() + ")",
                "", remedy(a, b));
  }
  std::string remedy(const Candidate& a, const Candidate& b) const {
    if (options_.pictures) return "Name the pictures by a pattern such as img_%d.png, with %d for the frame.";
    return "Say it with --frames-by " + std::to_string(a.place) + " or --frames-by " +
           std::to_string(b.place) + ", by which of the numbers it is.";
  }

  // No number differs from file to file.
  Result<FrameNames> none() {
    if (clock_times()) return in_order("the names are times of day: each file is the frame after the last");
    if (!options_.pictures) return nothing_counts();
    std::set<int64_t> numbers;
    std::string twice;
    for (size_t m = 0; m < members_.size() && !all_.empty(); ++m)
      if (!numbers.insert(all_.back().values[m]).second) twice = names_[members_[m]];
    if (numbers.size() > 1)
      return fail(ErrorKind::invalid_argument,
                  "several pictures have the same number, as of several cameras in one folder (" + twice +
                      " is one of " + std::to_string(members_.size()) + ")",
                  "", "Name one camera's pictures by a pattern such as cam1_%d.png or 'cam1_*.png'.");
    return in_order("no number counts the pictures: they are in the order of their names");
  }

  // Three pairs of digits side by side that are hours, minutes and seconds, which lead to different times.
  bool clock_times() const {
    for (size_t i = 0; i + 2 < all_.size(); ++i) {
      const auto within = [&](const Candidate& candidate, int64_t limit) {
        return std::all_of(candidate.values.begin(), candidate.values.end(),
                           [&](int64_t value) { return value < limit; });
      };
      if (!within(all_[i], 24) || !within(all_[i + 1], 60) || !within(all_[i + 2], 60)) continue;
      std::set<std::vector<int64_t>> times;
      for (size_t m = 0; m < members_.size(); ++m) {
        std::vector<int64_t> time;
        for (const Candidate& candidate : all_) time.push_back(candidate.values[m]);
        times.insert(time);
      }
      if (times.size() == members_.size()) return true;
    }
    return false;
  }

  Result<FrameNames> nothing_counts() const {
    return fail(ErrorKind::not_found,
                "no number in the names of " + std::to_string(members_.size()) +
                    " files counts the frames (" + example() + ")",
                "", "Where each file is the frame after the last: --frames-by order.");
  }

  // ---- the result

  FrameNames by_number(const Candidate& candidate) {
    for (size_t m = 0; m < members_.size(); ++m) result_.frames[members_[m]] = candidate.values[m];
    result_.by = FrameNames::By::number;
    const bool one = members_.size() == 1;
    return said((one ? "the frame is the number " + std::to_string(candidate.values.front())
                     : "frames are the numbers " + range(candidate)) +
                (candidate.before.empty() ? " of the names" : " behind \"" + candidate.before + "\""));
  }

  FrameNames by_time(const Candidate& candidate) {
    // Times from the start of a clip begin near 0, those of a clock at any time.
    const int64_t start = candidate.low < 1000 * candidate.usual ? 0 : candidate.low;
    double step = static_cast<double>(candidate.usual);
    if (candidate.common > 1 && candidate.common == candidate.usual) {
      step = static_cast<double>(candidate.common);
    } else {  // 33, 33, 34: the mean of the single steps
      std::vector<int64_t> sorted = candidate.values;
      std::sort(sorted.begin(), sorted.end());
      double sum = 0, count = 0;
      for (size_t i = 1; i < sorted.size(); ++i) {
        const auto gap = static_cast<double>(sorted[i] - sorted[i - 1]);
        if (std::round(gap / step) == 1) sum += gap, ++count;
      }
      if (count > 0) step = sum / count;
    }
    const double span = static_cast<double>(candidate.high - candidate.low) / step;
    if (options_.pictures && span * kDense > static_cast<double>(members_.size()))
      return in_order("the times " + range(candidate) + " have long pauses: each picture is the next frame");
    std::set<int64_t> taken;
    for (size_t m = 0; m < members_.size(); ++m) {
      const auto frame =
          static_cast<int64_t>(std::llround(static_cast<double>(candidate.values[m] - start) / step));
      if (!taken.insert(frame).second)
        return in_order("the times " + range(candidate) +
                        " are uneven: each file is the frame after the last");
      result_.frames[members_[m]] = frame;
    }
    result_.by = FrameNames::By::time;
    // Times of a clock tell their unit; of others milliseconds at a usual rate are believed.
    constexpr int64_t kClock_ms = 1'000'000'000'000, kClock_us = 1000 * kClock_ms / 10;
    const double rate = (candidate.low >= kClock_us ? 1e6 : 1e3) / step;
    if (candidate.low >= kClock_ms || usual_rate(rate)) result_.frame_rate = rate;
    return said("the numbers " + range(candidate) + " are times, " + fmt::format("{:.4g}", step) +
                " from frame to frame" + (start == 0 ? "" : ", frame 0 the first of them"));
  }

  FrameNames in_order(const std::string& why) {
    std::vector<size_t> sorted = members_;
    std::sort(sorted.begin(), sorted.end(),
              [&](size_t a, size_t b) { return naturally_before(names_[a], names_[b]); });
    for (size_t i = 0; i < sorted.size(); ++i) result_.frames[sorted[i]] = static_cast<int64_t>(i);
    result_.by = FrameNames::By::order;
    return said(why);
  }

  FrameNames said(const std::string& what) {
    result_.said = what;
    if (result_.left_out.empty()) return std::move(result_);
    if (!result_.said.empty()) result_.said += "; ";
    result_.said += "left out: " + listed(result_.left_out);
    return std::move(result_);
  }

  std::string range(const Candidate& candidate) const {
    return std::to_string(candidate.low) + " to " + std::to_string(candidate.high);
  }
  std::string example() const {
    std::vector<std::string> some;
    for (const size_t i : members_) some.push_back(names_[i]);
    return listed(some);
  }

  const std::vector<std::string>& names_;
  const FrameNameOptions& options_;
  std::vector<std::vector<Field>> fields_;
  std::vector<std::string> shapes_;  // by column; empty: differs from file to file
  std::vector<size_t> members_;
  std::vector<Candidate> all_, decimals_;
  int places_ = 0;
  FrameNames result_;
};

}  // namespace

bool naturally_before(const std::string& a, const std::string& b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto run_of = [](const std::string& text, size_t* at) {
      while (*at + 1 < text.size() && text[*at] == '0' && is_digit(text[*at + 1])) ++*at;
      const size_t begin = *at;
      while (*at < text.size() && is_digit(text[*at])) ++*at;
      return std::string_view(text).substr(begin, *at - begin);
    };
    const std::string_view x = run_of(a, &i), y = run_of(b, &j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;  // they differ in zeros alone
}

bool is_system_file(const std::string& name) {
  return name.starts_with('.') || name == "Thumbs.db" || name == "desktop.ini" || name.ends_with('~');
}

Result<FrameNames> frames_of_names(const std::vector<std::string>& names, const FrameNameOptions& options) {
  NameReading reading(names, options);
  return reading.decide();
}

}  // namespace vantage
