#include "core/project/recording_clock.h"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <regex>

#include "core/base/text.h"
#include "core/project/project.h"
#include "core/video/file_list.h"
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

// Seconds since 1970 of a time in that zone; nothing: this machine's.
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
  return fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}.{:03}", at.year, at.month, at.day, between,
                     at.hour, at.minute, at.second, at.millisecond);
}

std::string zone_text(int minutes) {
  return fmt::format("{}{:02}:{:02}", minutes < 0 ? '-' : '+', std::abs(minutes) / 60,
                     std::abs(minutes) % 60);
}

tl::unexpected<Error> not_a_time(const std::string& text) {
  return fail(ErrorKind::invalid_argument, "'" + text + "' is not a date and time", {},
              "Write 2026-05-01T14:32:05, with Z or +02:00 behind it if it is not this machine's time.");
}

constexpr size_t kMaxTimeText = 64;  // regular expressions recurse with every letter
constexpr double kMillisecond_s = 1e-3, kMinute_s = 60;

// A date, a time of day or both.
struct Stamp {
  Civil civil;                      // year 0 and month 0 where they were not typed
  std::optional<int> zone_minutes;  // nothing where it was not typed
  double resolution_s = 0;          // unit of its last part
};

// 1 to 12; 0: not a month.
int month_of(std::string_view name) {
  const size_t at = std::string_view("janfebmaraprmayjunjulaugsepoctnovdec").find(lower_case(name));
  return at == std::string_view::npos || at % 3 != 0 ? 0 : static_cast<int>(at / 3) + 1;
}

std::optional<Stamp> read_stamp(const std::string& text) {
  enum { kYear = 1, kMonth, kDay, kDayOfName, kMonthName, kHour, kMinute, kSecond, kZone };
  static const std::regex form(
      R"((?:(?:(\d{4})-(\d{1,2})-(\d{1,2})|(?:[A-Za-z]{3} )?(\d{1,2}) ([A-Za-z]{3}))(?:[ T]|$))?)"
      R"((?:(\d{1,2}):(\d{1,2})(?::(\d{1,2}(?:\.\d+)?))?)? ?(Z|[+-]\d{2}:?\d{2})?)");
  std::smatch found;
  if (text.size() > kMaxTimeText || !std::regex_match(text, found, form)) return std::nullopt;
  const bool named = found[kMonthName].matched, dated = named || found[kYear].matched;
  if (!dated && !found[kHour].matched) return std::nullopt;
  const auto number = [&](int part) { return found[part].matched ? std::stoi(found[part]) : 0; };
  Stamp stamp;
  stamp.civil = {number(kYear),
                 named ? month_of(found[kMonthName].str()) : number(kMonth),
                 named ? number(kDayOfName) : number(kDay),
                 number(kHour),
                 number(kMinute),
                 found[kSecond].matched ? std::stod(found[kSecond]) : 0};
  Civil whole = stamp.civil;
  if (whole.year == 0) whole.year = 2000;  // a leap year
  if (!dated) whole.month = whole.day = 1;
  if (!whole.valid()) return std::nullopt;
  stamp.resolution_s = !found[kHour].matched                                 ? kDay_s
                       : !found[kSecond].matched                             ? kMinute_s
                       : found[kSecond].str().find('.') == std::string::npos ? 1
                                                                             : kMillisecond_s;
  if (const std::string zone = found[kZone]; zone == "Z") {
    stamp.zone_minutes = 0;
  } else if (!zone.empty()) {
    const int hours = std::stoi(zone.substr(1, 2)), minutes = std::stoi(zone.substr(zone.size() - 2));
    if (hours > 14 || minutes > 59) return std::nullopt;
    stamp.zone_minutes = (zone[0] == '-' ? -1 : 1) * (60 * hours + minutes);
  }
  return stamp;
}

// Seconds from the start: for a time without day or year, the first at or after the start. A time less exact
// than the clock that includes the start is the start.
double seconds_of(const Stamp& typed, const RecordingClock& clock) {
  const std::optional<int> zone = typed.zone_minutes ? typed.zone_minutes : clock.zone_minutes;
  const ClockTime start = local_time(clock.start_utc_s, zone);
  Civil at = typed.civil;
  const bool without_day = at.month == 0, without_year = at.year == 0;
  if (without_year) at.year = start.year;
  if (without_day) at.month = start.month, at.day = start.day;
  const auto behind_s = [&] { return utc_of(at, zone) - clock.start_utc_s; };
  if (without_year && behind_s() + typed.resolution_s <= 0) ++(without_day ? at.day : at.year);
  const double behind = behind_s();
  return behind < 0 && behind + typed.resolution_s > 0 ? 0 : behind;
}

// "0:12", "1:02:05.5", "+0:12", "12.5 s".
std::optional<double> elapsed_of(const std::string& text) {
  static const std::regex clock_form(R"(\+?(?:(\d{1,6}):)?(\d{1,6}):(\d{1,2}(?:\.\d*)?))"),
      seconds_form(R"(\+?(\d{1,9}(?:\.\d*)?|\.\d+) ?s)");
  std::smatch found;
  if (text.size() > kMaxTimeText) return std::nullopt;
  if (std::regex_match(text, found, seconds_form)) return std::stod(found[1]);
  if (!std::regex_match(text, found, clock_form)) return std::nullopt;
  const int minutes = std::stoi(found[2]);
  const double seconds = std::stod(found[3]);
  if (seconds >= kMinute_s || (found[1].matched && minutes >= 60)) return std::nullopt;
  return (found[1].matched ? 3600.0 * std::stoi(found[1]) : 0) + kMinute_s * minutes + seconds;
}

std::optional<int64_t> frame_number_of(const std::string& text) {
  static const std::regex form(R"((?:frame +)?(\d{1,15}))");
  std::smatch found;
  if (text.size() > kMaxTimeText || !std::regex_match(text, found, form)) return std::nullopt;
  return std::stoll(found[1]);
}

tl::unexpected<Error> not_a_moment(const std::string& text, const std::optional<RecordingClock>& clock) {
  std::string examples = "a time from the start (0:01 or 1.5 s)";
  if (clock) {
    const ClockTime start = clock->at(0);
    examples = fmt::format("a time of day ({:02}:{:02}:{:02}), ", start.hour, start.minute, start.second) +
               "one from the start (+0:01 or 1.5 s)";
  }
  return fail(ErrorKind::invalid_argument, "'" + text + "' is not a time", {},
              "Write " + examples + " or a frame (25).");
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
  const std::optional<Stamp> typed = read_stamp(text);
  if (!typed || typed->civil.year == 0 || typed->resolution_s > 1) return not_a_time(text);
  RecordingClock clock;
  clock.source = "typed";
  clock.zone_minutes = typed->zone_minutes;
  clock.start_utc_s = std::round(utc_of(typed->civil, clock.zone_minutes) * 1000) / 1000;
  return clock;
}

namespace {

// Year, month, day, hour, minute, second, and milliseconds or nothing.
const std::regex& clock_form() {
  static const std::regex form(
      R"((?:^|[^0-9])(20\d{2})[-_.]?(\d{2})[-_.]?(\d{2})[-_ .T]{0,3}(\d{2})[-_.:h]?(\d{2})[-_.:m]?(\d{2})(\d{3})?(?:[^0-9]|$))");
  return form;
}

}  // namespace

std::string name_without_clocks(std::string name) {
  for (std::smatch found; std::regex_search(name, found, clock_form());)
    name = name.substr(0, static_cast<size_t>(found.position(1))) +
           std::string(found[7].matched ? found[7].second : found[6].second, name.cend());
  return name;
}

std::optional<RecordingClock> clock_of_name(const std::string& file) {
  const std::string name = std::filesystem::path(file).stem().string();
  std::smatch found;
  if (!std::regex_search(name, found, clock_form())) return std::nullopt;
  const Civil civil{std::stoi(found[1]), std::stoi(found[2]), std::stoi(found[3]),
                    std::stoi(found[4]), std::stoi(found[5]), std::stod(found[6])};
  if (!civil.valid()) return std::nullopt;
  return RecordingClock{utc_of(civil, std::nullopt), std::nullopt,
                        "name of " + std::filesystem::path(file).filename().string()};
}

namespace {

std::optional<RecordingClock> clock_of_list(const std::string& file) {
  const Result<FileList> list = read_file_list(file);
  if (!list) return std::nullopt;
  Result<RecordingClock> clock = parse_clock(list->clock);
  if (!clock) return std::nullopt;
  clock->source = std::filesystem::path(file).filename().string() + ", by " + list->order;
  return *clock;
}

}  // namespace

std::optional<RecordingClock> find_clock(const Project& project) {
  if (project.clock) return project.clock;
  if (project.cameras.empty()) return std::nullopt;
  const std::string& video = project.cameras.front().video;
  if (names_file_list(video)) return clock_of_list(video);
  std::error_code none;
  if (std::filesystem::is_regular_file(video, none))
    if (const Result<double> start = container_start_utc_s(video); start && *start > 0)
      return RecordingClock{*start, std::nullopt,
                            "container of " + std::filesystem::path(video).filename().string()};
  return clock_of_name(video);
}

std::string elapsed_text(double seconds) {
  const auto ms = static_cast<long long>(std::llround(std::max(seconds, 0.0) * 1000));
  return fmt::format("{}:{:02}:{:02}.{:03}", ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
}

// Times are shown to the millisecond, so the text of a frame gives that frame.
Result<TypedTime> parse_time(const std::string& typed, double frame_rate,
                             const std::optional<RecordingClock>& clock) {
  constexpr double kShown_s = 0.000501;  // half of a millisecond
  const std::string text(trimmed(typed));
  if (const std::optional<int64_t> frame = frame_number_of(text))
    return TypedTime{static_cast<double>(*frame) / frame_rate, *frame, {}};
  const std::optional<double> elapsed = elapsed_of(text);
  const std::optional<Stamp> stamp = read_stamp(text);
  if (!elapsed && !stamp) return not_a_moment(text, clock);
  if (!elapsed && !clock)
    return fail(ErrorKind::invalid_argument,
                "'" + text + "' has a date or a zone, and this recording's time of day is not known", {},
                "Set it first (Time of Day), or write a time from the start (0:01).");
  TypedTime time;
  time.seconds = stamp && clock ? seconds_of(*stamp, *clock) : *elapsed;
  time.frame = std::llround(std::ceil((time.seconds - kShown_s) * frame_rate));
  if (elapsed && stamp)
    time.note = clock ? text + " is a time of day, as on the time axis; +" + text + " counts from the start."
                      : text + " counts from the start, as on the time axis.";
  return time;
}

Result<TypedSpan> parse_span(const std::string& text, double frame_rate,
                             const std::optional<RecordingClock>& clock) {
  constexpr std::string_view kBetween = " to ";
  const size_t between = text.find(kBetween);
  if (between == std::string::npos)
    return fail(ErrorKind::invalid_argument, "'" + text + "' is not a first and a last time", {},
                "Write both with 'to' between, as 0 to 499.");
  TypedSpan span;
  VANTAGE_ASSIGN(span.first, parse_time(text.substr(0, between), frame_rate, clock));
  VANTAGE_ASSIGN(span.last, parse_time(text.substr(between + kBetween.size()), frame_rate, clock));
  if (span.last.frame < span.first.frame)
    return fail(ErrorKind::invalid_argument, "'" + text + "' ends before it begins", {},
                "Write the earlier time first, as 0 to 499.");
  return span;
}

}  // namespace vantage
