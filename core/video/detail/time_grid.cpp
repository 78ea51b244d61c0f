#include "core/video/detail/time_grid.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace vantage {
namespace {

constexpr double kOnTheBeat = 0.25;     // of a period: so far may an interval of a steady clock be off
constexpr double kSteadyShare = 0.95;   // of the intervals of a steady clock lie on the beat,
constexpr double kSingleShare = 0.8;    // and so many are one period long: else the camera slows down
constexpr double kSteadyStray = 0.9;    // periods off a line; a lost picture puts what follows off by one
constexpr double kUnsteadyStray = 1.5;  // where pictures come early and late
constexpr double kSteadyReach = 0.6, kVaryingReach = 1.05;  // periods from a frame to the picture it shows
constexpr double kFramesPerPicture = 10;                    // more are no gaps but a jump of the clock

struct Beat {
  double period_ns = 0;
  bool steady = false;
};

// The interval that most pictures keep, and whether the others are whole multiples of it.
Beat beat_of(const std::vector<int64_t>& times_ns) {
  std::vector<double> intervals;
  for (size_t i = 1; i < times_ns.size(); ++i)
    intervals.push_back(static_cast<double>(times_ns[i] - times_ns[i - 1]));
  std::vector<double> sorted = intervals;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                   sorted.end());
  const double median = sorted[sorted.size() / 2];
  if (!(median > 0)) return {};
  double periods = 0, time_ns = 0;
  size_t on_the_beat = 0;
  for (const double interval : intervals) {
    const double whole = std::max(1.0, std::round(interval / median));
    if (std::abs(interval / median - whole) > kOnTheBeat) continue;
    ++on_the_beat;
    if (whole > 1) continue;  // a gap of a clock that drifts shows less of the period
    periods += 1;
    time_ns += interval;
  }
  const auto all = static_cast<double>(intervals.size());
  const bool steady = static_cast<double>(on_the_beat) >= kSteadyShare * all && periods >= kSingleShare * all;
  return {steady && periods > 0 ? time_ns / periods : median, steady};
}

// True when the pictures lie on one line in time, as with a constant rate.
bool on_a_line(const std::vector<int64_t>& times_ns, const Beat& beat) {
  const double count = static_cast<double>(times_ns.size() - 1);
  // The mean of the whole where nothing is lost: the period of the intervals alone would be off by its
  // rounding.
  const double mean_ns = static_cast<double>(times_ns.back() - times_ns.front()) / count;
  const double period_ns =
      std::abs(mean_ns - beat.period_ns) * count < 0.5 * beat.period_ns ? mean_ns : beat.period_ns;
  double least = 0, most = 0;
  for (size_t i = 0; i < times_ns.size(); ++i) {
    const double stray =
        static_cast<double>(times_ns[i] - times_ns.front()) / period_ns - static_cast<double>(i);
    least = std::min(least, stray), most = std::max(most, stray);
  }
  return most - least <= (beat.steady ? kSteadyStray : kUnsteadyStray);
}

// Each frame shows the picture nearest to it; -1 where none is within reach.
std::vector<int64_t> nearest_pictures(const PictureTimes& pictures, const Beat& beat) {
  const double reach = beat.steady ? kSteadyReach : kVaryingReach;
  const auto place = [&](size_t i) {
    return static_cast<double>(pictures.lead_ns + pictures.times_ns[i]) / beat.period_ns;
  };
  const size_t last = pictures.times_ns.size() - 1;
  std::vector<int64_t> shown(static_cast<size_t>(std::floor(place(last) + 0.5)) + 1, -1);
  size_t picture = 0;
  for (size_t frame = 0; frame < shown.size(); ++frame) {
    const auto here = static_cast<double>(frame);
    while (picture < last && std::abs(place(picture + 1) - here) <= std::abs(place(picture) - here))
      ++picture;
    if (std::abs(place(picture) - here) <= reach) shown[frame] = static_cast<int64_t>(picture);
  }
  return shown;
}

std::string span_text(const VideoGap& gap) {
  const auto first = static_cast<long long>(gap.first_frame),
             last = static_cast<long long>(gap.first_frame + gap.frames - 1);
  return gap.frames == 1 ? fmt::format("frame {}", first) : fmt::format("frames {} to {}", first, last);
}

std::string timing_text(const TimeGrid& grid, const PictureTimes& pictures, bool steady) {
  constexpr size_t kNamed = 4;
  std::string text = steady ? fmt::format("{:.4g} frames/s by the pictures' times", grid.frame_rate)
                            : fmt::format("a varying rate, played at {:.4g} frames/s by the pictures' times",
                                          grid.frame_rate);
  const std::vector<VideoGap> gaps = gaps_in(grid.picture_of_frame);
  if (gaps.empty()) return text;
  text += ", without pictures:";
  for (size_t i = 0; i < gaps.size() && i < kNamed; ++i) {
    text += (i == 0 ? " " : ", ") + span_text(gaps[i]) +
            fmt::format(" ({:.2f} s", static_cast<double>(gaps[i].frames) / grid.frame_rate);
    text += gaps[i].first_frame == 0 ? ": " + pictures.lead_reason + ")" : ")";
  }
  if (gaps.size() > kNamed) text += fmt::format(" and {} more", gaps.size() - kNamed);
  return text;
}

class TimedSource final : public VideoSource {
 public:
  TimedSource(std::unique_ptr<VideoSource> pictures, TimeGrid grid)
      : pictures_(std::move(pictures)),
        timing_(std::move(grid.timing)),
        frame_rate_(grid.frame_rate),
        shown_(std::make_shared<const std::vector<int64_t>>(std::move(grid.picture_of_frame))) {
    for (size_t frame = 0; frame < shown_->size(); ++frame)
      if (const int64_t picture = (*shown_)[frame]; picture >= static_cast<int64_t>(frame_of_.size()))
        frame_of_.resize(static_cast<size_t>(picture) + 1, static_cast<int64_t>(frame));
  }

  VideoInfo info() const override {
    VideoInfo info = pictures_->info();
    info.frame_rate = frame_rate_;
    info.frame_count = frames();
    info.frame_count_exact = true;
    info.timing = timing_;
    info.picture_of_frame = shown_;
    return info;
  }

  Result<DecodedFrame> read() override {
    if (next_ >= frames()) return fail(ErrorKind::end_of_stream, "the video has ended");
    DecodedFrame frame;
    const int64_t picture = shown_->at(static_cast<size_t>(next_));
    if (picture < 0) {
      frame.problem = "the file has no picture at this time";
    } else {
      const Status decoded = decode(picture);
      if (!decoded && decoded.error().kind != ErrorKind::end_of_stream) return fail(decoded.error());
      if (decoded)
        frame = last_;
      else
        frame.problem = note_lost(next_);
    }
    frame.index = next_++;
    frame.time_ns = std::llround(static_cast<double>(frame.index) / frame_rate_ * 1e9);
    return frame;
  }

  Status seek(int64_t index) override {
    if (index < 0) return fail(ErrorKind::invalid_argument, "frame numbers start at 0");
    if (index >= frames())
      return fail(ErrorKind::end_of_stream, fmt::format("the video ends before frame {}", index));
    next_ = index;
    return {};
  }

  int64_t start_before(int64_t index) const override {
    if (index < 0 || index >= frames()) return index;
    while (index > 0 && shown_->at(static_cast<size_t>(index)) < 0) --index;
    const int64_t picture = shown_->at(static_cast<size_t>(index));
    return picture < 0 ? index : std::min(index, frame_of(pictures_->start_before(picture)));
  }

  Result<int64_t> wait_for_frame_count(const StopSource&) override { return frames(); }

  std::vector<std::pair<int64_t, std::string>> problems() const override {
    std::vector<std::pair<int64_t, std::string>> all;
    for (const auto& [picture, text] : pictures_->problems()) all.emplace_back(frame_of(picture), text);
    for (int64_t frame = 0; frame < frames(); ++frame)
      if (shown_->at(static_cast<size_t>(frame)) < 0)
        all.emplace_back(frame, "no picture by the file's times");
    const std::lock_guard lock(mutex_);
    all.insert(all.end(), lost_.begin(), lost_.end());
    std::sort(all.begin(), all.end());
    return all;
  }

  uint64_t content_hash() const override { return pictures_->content_hash(); }

 private:
  int64_t frames() const { return static_cast<int64_t>(shown_->size()); }

  // The first frame that shows the picture or a later one.
  int64_t frame_of(int64_t picture) const {
    return picture < static_cast<int64_t>(frame_of_.size()) ? frame_of_[std::max<int64_t>(0, picture)]
                                                            : frames();
  }

  // A damaged file gives fewer pictures than its packets promise.
  std::string note_lost(int64_t frame) {
    const std::lock_guard lock(mutex_);
    return lost_.emplace(frame, "the picture could not be decoded").first->second;
  }

  Status decode(int64_t picture) {
    if (decoded_ == picture) return {};
    if (position_ != picture) {
      position_ = -1;
      VANTAGE_TRY(pictures_->seek(picture));
    }
    position_ = decoded_ = -1;
    VANTAGE_ASSIGN(last_, pictures_->read());
    decoded_ = picture, position_ = picture + 1;
    return {};
  }

  const std::unique_ptr<VideoSource> pictures_;
  const std::string timing_;
  const double frame_rate_;
  const std::shared_ptr<const std::vector<int64_t>> shown_;
  std::vector<int64_t> frame_of_;  // by picture
  int64_t next_ = 0;
  int64_t position_ = 0;  // what pictures_ reads next; -1: not known
  int64_t decoded_ = -1;  // what last_ holds
  mutable std::mutex mutex_;
  std::map<int64_t, std::string> lost_;
  DecodedFrame last_;  // a varying rate shows a picture in several frames
};

}  // namespace

std::vector<VideoGap> gaps_in(const std::vector<int64_t>& shown) {
  std::vector<VideoGap> gaps;
  for (size_t frame = 0; frame < shown.size(); ++frame) {
    if (shown[frame] >= 0) continue;
    if (frame == 0 || shown[frame - 1] >= 0) gaps.push_back({static_cast<int64_t>(frame), 0});
    ++gaps.back().frames;
  }
  return gaps;
}

bool in_gap(const VideoInfo& info, int64_t frame) {
  if (!info.picture_of_frame || frame < 0) return false;
  const std::vector<int64_t>& shown = *info.picture_of_frame;
  return frame < static_cast<int64_t>(shown.size()) && shown[frame] < 0;
}

std::optional<TimeGrid> time_grid(const PictureTimes& pictures) {
  if (pictures.times_ns.size() < 3) return std::nullopt;
  const Beat beat = beat_of(pictures.times_ns);
  if (beat.period_ns <= 0) return std::nullopt;
  const bool leads = static_cast<double>(pictures.lead_ns) >= 0.5 * beat.period_ns;
  if (!leads && on_a_line(pictures.times_ns, beat)) return std::nullopt;
  TimeGrid grid;
  grid.frame_rate = 1e9 / beat.period_ns;
  const auto frames = static_cast<double>(pictures.lead_ns + pictures.times_ns.back()) / beat.period_ns;
  if (frames > kFramesPerPicture * static_cast<double>(pictures.times_ns.size())) {
    grid.timing = fmt::format(
        "its times jump, over {:.0f} s for {} pictures: not believed, pictures follow each other",
        1e-9 * static_cast<double>(pictures.lead_ns + pictures.times_ns.back()), pictures.times_ns.size());
    return grid;
  }
  grid.picture_of_frame = nearest_pictures(pictures, beat);
  grid.timing = timing_text(grid, pictures, beat.steady);
  return grid;
}

std::unique_ptr<VideoSource> make_timed_source(std::unique_ptr<VideoSource> pictures, TimeGrid grid) {
  return std::make_unique<TimedSource>(std::move(pictures), std::move(grid));
}

}  // namespace vantage
