#include "core/project/recording_clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <regex>

#include "core/base/text.h"
#include "core/project/project.h"
#include "core/video/stream_packet.h"

namespace vantage {
namespace {

constexpr double kDay_s = 86400;

struct Civil {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0;
  double second = 0;
  bool valid() const {
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    return date.ok() && hour < 24 && minute < 60 && second < 60;
  }
};

// Seconds since 1970 of a time of that zone; nothing: this machine's.
double utc_of(const Civil& civil, std::optional<int> zone_minutes) {
  std::tm tm = {};
  tm.tm_year = civil.year - 1900, tm.tm_mon = civil.month - 1, tm.tm_mday = civil.day;
  tm.tm_hour = civil.hour, tm.tm_min = civil.minute;
  tm.tm_isdst = -1;
  const time_t whole = zone_minutes ? ::timegm(&tm) - 60 * *zone_minutes : std::mktime(&tm);
  return static_cast<double>(whole) + civil.second;
}

ClockTime local_time(double utc_s, std::optional<int> zone_minutes) {
  const auto ms = static_cast<int64_t>(std::floor(utc_s * 1000 + 0.5));
  auto seconds = static_cast<time_t>(ms >= 0 ? ms / 1000 : (ms - 999) / 1000);
  const auto milliseconds = static_cast<int>(ms - int64_t{1000} * seconds);
  std::tm tm = {};
  if (zone_minutes) {
    seconds += 60 * *zone_minutes;
    ::gmtime_r(&seconds, &tm);
  } else {
    ::localtime_r(&seconds, &tm);
  }
  return {tm.tm_year + 1900, tm.tm_mon + 1,
          tm.tm_mday,        tm.tm_hour,
          tm.tm_min,         tm.tm_sec,
          milliseconds,      zone_minutes.value_or(static_cast<int>(tm.tm_gmtoff / 60))};
}

std::string date_text(const ClockTime& at, char between) {
  return formatted("%04d-%02d-%02d%c%02d:%02d:%02d.%03d", at.year, at.month, at.day, between, at.hour,
                   at.minute, at.second, at.millisecond);
}

std::string zone_text(int minutes) {
  return formatted("%c%02d:%02d", minutes < 0 ? '-' : '+', std::abs(minutes) / 60, std::abs(minutes) % 60);
}

tl::unexpected<Error> not_a_time(const std::string& text) {
  return fail(ErrorKind::invalid_argument, "'" + text + "' is not a date and time", {},
              "Write 2026-05-01T14:32:05, with Z or +02:00 behind it if it is not this machine's time.");
}

// Hours may be left out.
std::optional<double> seconds_of(const std::string& text) {
  int first = 0, second = 0, used = 0;
  double third = 0;
  if (std::sscanf(text.c_str(), "%d:%d:%lf%n", &first, &second, &third, &used) == 3 &&
      static_cast<size_t>(used) == text.size() && first >= 0 && second >= 0 && second < 60 && third >= 0 &&
      third < 60)
    return 3600.0 * first + 60.0 * second + third;
  used = 0;
  if (std::sscanf(text.c_str(), "%d:%lf%n", &first, &third, &used) == 2 &&
      static_cast<size_t>(used) == text.size() && first >= 0 && third >= 0 && third < 60)
    return 60.0 * first + third;
  return std::nullopt;
}

}  // namespace

ClockTime RecordingClock::at(double seconds_from_start) const {
  return local_time(start_utc_s + seconds_from_start, zone_minutes);
}

std::string RecordingClock::text(double seconds_from_start) const {
  const ClockTime at_s = at(seconds_from_start);
  return date_text(at_s, ' ') + ' ' + zone_text(at_s.zone_minutes);
}

std::string RecordingClock::typed_text() const {
  return date_text(at(0), 'T') + (zone_minutes ? zone_text(*zone_minutes) : std::string());
}

Result<RecordingClock> parse_clock(const std::string& text) {
  static const std::regex form(
      R"((\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2}):(\d{2}(?:\.\d+)?) ?(Z|[+-]\d{2}:?\d{2})?)");
  std::smatch found;
  if (!std::regex_match(text, found, form)) return not_a_time(text);
  const Civil civil{std::stoi(found[1]), std::stoi(found[2]), std::stoi(found[3]),
                    std::stoi(found[4]), std::stoi(found[5]), std::stod(found[6])};
  if (!civil.valid()) return not_a_time(text);
  RecordingClock clock;
  clock.source = "typed";
  if (const std::string zone = found[7]; zone == "Z") {
    clock.zone_minutes = 0;
  } else if (!zone.empty()) {
    const int hours = std::stoi(zone.substr(1, 2)), minutes = std::stoi(zone.substr(zone.size() - 2));
    if (hours > 14 || minutes > 59) return not_a_time(text);
    clock.zone_minutes = (zone[0] == '-' ? -1 : 1) * (60 * hours + minutes);
  }
  clock.start_utc_s = std::round(utc_of(civil, clock.zone_minutes) * 1000) / 1000;
  return clock;
}

std::optional<RecordingClock> clock_of_name(const std::string& file) {
  static const std::regex form(
      R"((?:^|[^0-9])(20\d{2})[-_.]?(\d{2})[-_.]?(\d{2})[-_ .T]{0,3}(\d{2})[-_.:h]?(\d{2})[-_.:m]?(\d{2})(?:\d{3})?(?:[^0-9]|$))");
  const std::string name = std::filesystem::path(file).stem().string();
  std::smatch found;
  if (!std::regex_search(name, found, form)) return std::nullopt;
  const Civil civil{std::stoi(found[1]), std::stoi(found[2]), std::stoi(found[3]),
                    std::stoi(found[4]), std::stoi(found[5]), std::stod(found[6])};
  if (!civil.valid()) return std::nullopt;
  return RecordingClock{utc_of(civil, std::nullopt), std::nullopt,
                        "name of " + std::filesystem::path(file).filename().string()};
}

std::optional<RecordingClock> find_clock(const Project& project) {
  if (project.clock) return project.clock;
  if (project.cameras.empty()) return std::nullopt;
  const std::string& video = project.cameras.front().video;
  std::error_code none;
  if (std::filesystem::is_regular_file(video, none))
    if (const Result<double> start = container_start_utc_s(video); start && *start > 0)
      return RecordingClock{*start, std::nullopt,
                            "container of " + std::filesystem::path(video).filename().string()};
  return clock_of_name(video);
}

std::string elapsed_text(double seconds) {
  const auto ms = static_cast<long long>(std::llround(std::max(seconds, 0.0) * 1000));
  return formatted("%lld:%02lld:%02lld.%03lld", ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
}

Result<double> moment_of(const std::string& text, double frame_rate,
                         const std::optional<RecordingClock>& clock) {
  const auto wrong = [&] {
    return fail(
        ErrorKind::invalid_argument, "'" + text + "' is not an instant of the recording", {},
        "Write a frame (1234), seconds (12.5s), +0:02:05 from the start, or a time of day (14:32:05).");
  };
  if (text.empty()) return wrong();
  if (text.find_first_not_of("0123456789") == std::string::npos)
    return static_cast<double>(std::strtoll(text.c_str(), nullptr, 10)) / frame_rate;
  char* end = nullptr;
  if (text.back() == 's' && text.size() > 1) {
    const double seconds = std::strtod(text.c_str(), &end);
    if (end == text.c_str() + text.size() - 1 && seconds >= 0) return seconds;
    return wrong();
  }
  if (text.front() == '+') {
    const std::optional<double> seconds = seconds_of(text.substr(1));
    if (!seconds) return wrong();
    return *seconds;
  }
  const std::optional<double> of_day = seconds_of(text);
  const Result<RecordingClock> dated = of_day ? Result<RecordingClock>(wrong()) : parse_clock(text);
  if (!of_day && !dated) return wrong();
  if (!clock)
    return fail(ErrorKind::invalid_argument,
                "'" + text + "' is a time of day, and the clock of this recording is not known", {},
                "Say when it began (`vantage-cli clock`, or Time of Day in the window), or write +0:02:05 "
                "from the start.");
  if (dated) return dated->start_utc_s - clock->start_utc_s;
  const ClockTime start = clock->at(0);
  const double start_of_day =
      3600.0 * start.hour + 60.0 * start.minute + start.second + start.millisecond * 1e-3;
  const double behind = *of_day - start_of_day;
  return behind < 0 ? behind + kDay_s : behind;
}

Result<int64_t> frame_of_moment(const std::string& text, double frame_rate,
                                const std::optional<RecordingClock>& clock) {
  constexpr double kRounding_frames = 1e-6;
  VANTAGE_ASSIGN(const double seconds, moment_of(text, frame_rate, clock));
  return std::llround(std::ceil(seconds * frame_rate - kRounding_frames));
}

}  // namespace vantage
