#include "core/base/trace.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/base/timings.h"

namespace vantage {
namespace {

// A host stage and the device work it enqueues often have the same name; their times must not be mixed.
std::string device_of(const TraceSpan& span) {
  return span.lane.starts_with("cuda:") ? span.lane.substr(0, span.lane.find(' ')) : "host";
}

double percentile(const std::vector<double>& sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<size_t>(position);
  const size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (position - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

// As JSON has it; most need no escapes.
std::string quoted(const std::string& text) {
  const bool plain =
      std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  return plain ? '"' + text + '"' : json_text(nlohmann::ordered_json(text));
}

// An element of timings_json()'s spans. Not by way of a JSON value, which takes ten times as long.
std::string span_text(const TraceSpan& span) {
  return "{\"name\":" + quoted(span.name) + ",\"kind\":\"" + kind_name(span.kind) +
         "\",\"lane\":" + quoted(span.lane) +
         formatted(",\"camera\":%d,\"frame\":%lld,\"start_ns\":%lld,\"duration_ns\":%lld,\"bytes\":%lld}",
                   span.camera, static_cast<long long>(span.frame), static_cast<long long>(span.start_ns),
                   static_cast<long long>(span.duration_ns), static_cast<long long>(span.bytes));
}

// The text of an object whose last member is a long array, written element by element: as JSON values all of
// them would take some ten times the memory of their text.
class ObjectText {
 public:
  // `object` ends with the array, still empty.
  explicit ObjectText(const nlohmann::ordered_json& object) : text_(json_text(object)) {
    text_.resize(text_.size() - kEnd.size());
  }
  void add(const nlohmann::ordered_json& element) { add_text(json_text(element)); }
  void add_text(std::string_view element) {
    if (!std::exchange(first_, false)) text_ += ',';
    text_ += element;
  }
  std::string finish() && {
    text_ += kEnd;
    return std::move(text_);
  }

 private:
  static constexpr std::string_view kEnd = "]}";
  std::string text_;
  bool first_ = true;
};

}  // namespace

int64_t trace_now_ns() {
  static const auto origin = std::chrono::steady_clock::now();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - origin)
      .count();
}

TraceRecorder::TraceRecorder(size_t capacity) : capacity_(std::max<size_t>(capacity, 1)) {}

void TraceRecorder::record(TraceSpan span) {
  const std::lock_guard lock(mutex_);
  if (ring_.size() < capacity_) {
    ring_.push_back(std::move(span));
  } else {
    ring_[total_ % capacity_] = std::move(span);
  }
  ++total_;
}

std::vector<TraceSpan> TraceRecorder::snapshot() const {
  const std::lock_guard lock(mutex_);
  std::vector<TraceSpan> spans;
  spans.reserve(ring_.size());
  for (uint64_t i = total_ - ring_.size(); i < total_; ++i) spans.push_back(ring_[i % capacity_]);
  return spans;
}

std::vector<TraceSpan> TraceRecorder::take_new() {
  const std::lock_guard lock(mutex_);
  std::vector<TraceSpan> spans;
  for (uint64_t i = std::max(taken_, total_ - ring_.size()); i < total_; ++i)
    spans.push_back(ring_[i % capacity_]);
  taken_ = total_;
  return spans;
}

uint64_t TraceRecorder::dropped() const {
  const std::lock_guard lock(mutex_);
  return total_ - ring_.size();
}

void TraceRecorder::clear() {
  const std::lock_guard lock(mutex_);
  ring_.clear();
  total_ = taken_ = 0;
}

SpanGuard::SpanGuard(TraceRecorder* recorder, std::string name, std::string lane, int64_t frame, int camera,
                     SpanKind kind)
    : recorder_(recorder),
      span_{std::move(name), std::move(lane), camera, frame, kind, trace_now_ns(), 0, 0} {}

SpanGuard::~SpanGuard() {
  if (!recorder_) return;
  span_.duration_ns = trace_now_ns() - span_.start_ns;
  recorder_->record(std::move(span_));
}

std::vector<SpanStatistics> summarize(const std::vector<TraceSpan>& spans) {
  struct Group {
    std::vector<double> durations_ms;
    int64_t bytes = 0;
  };
  using Place = std::pair<SpanKind, std::string>;  // kind and device
  std::map<std::pair<Place, std::string>, Group> groups;
  std::map<Place, double> place_total_ms;
  for (const TraceSpan& span : spans) {
    const Place place(span.kind, device_of(span));
    const double ms = static_cast<double>(span.duration_ns) * 1e-6;
    Group& group = groups[{place, span.name}];
    group.durations_ms.push_back(ms);
    group.bytes += span.bytes;
    place_total_ms[place] += ms;
  }
  std::vector<SpanStatistics> rows;
  for (auto& [key, group] : groups) {
    std::vector<double>& values = group.durations_ms;
    std::sort(values.begin(), values.end());
    SpanStatistics row;
    row.kind = key.first.first;
    row.device = key.first.second;
    row.name = key.second;
    row.count = static_cast<int64_t>(values.size());
    for (double value : values) row.total_ms += value;
    row.mean_ms = row.total_ms / static_cast<double>(values.size());
    row.p50_ms = percentile(values, 0.50);
    row.p95_ms = percentile(values, 0.95);
    row.p99_ms = percentile(values, 0.99);
    const double total_ms = place_total_ms[key.first];
    row.share = total_ms > 0 ? row.total_ms / total_ms : 0;
    row.bytes = group.bytes;
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.total_ms > b.total_ms; });
  return rows;
}

std::string timings_json(const std::vector<TraceSpan>& spans, uint64_t dropped) {
  nlohmann::ordered_json json;
  json["schema"] = "vantage-timings-1";
  json["dropped_spans"] = dropped;
  json["summary"] = nlohmann::ordered_json::array();
  for (const SpanStatistics& row : summarize(spans)) {
    json["summary"].push_back({{"name", row.name},
                               {"device", row.device},
                               {"kind", kind_name(row.kind)},
                               {"count", row.count},
                               {"mean_ms", row.mean_ms},
                               {"p50_ms", row.p50_ms},
                               {"p95_ms", row.p95_ms},
                               {"p99_ms", row.p99_ms},
                               {"total_ms", row.total_ms},
                               {"share", row.share},
                               {"bytes", row.bytes}});
  }
  json["spans"] = nlohmann::ordered_json::array();
  ObjectText text(json);
  for (const TraceSpan& span : spans) text.add_text(span_text(span));
  return std::move(text).finish();
}

std::string chrome_trace_json(const std::vector<TraceSpan>& spans) {
  ObjectText text({{"displayTimeUnit", "ms"}, {"traceEvents", nlohmann::ordered_json::array()}});
  std::map<std::string, int> lanes;
  for (const TraceSpan& span : spans) {
    const auto [lane, is_new] = lanes.try_emplace(span.lane, static_cast<int>(lanes.size()) + 1);
    if (is_new) {
      text.add({{"name", "thread_name"},
                {"ph", "M"},
                {"pid", 1},
                {"tid", lane->second},
                {"args", {{"name", span.lane}}}});
    }
    text.add({{"name", span.name},
              {"cat", kind_name(span.kind)},
              {"ph", "X"},
              {"pid", 1},
              {"tid", lane->second},
              {"ts", static_cast<double>(span.start_ns) * 1e-3},
              {"dur", static_cast<double>(span.duration_ns) * 1e-3},
              {"args", {{"camera", span.camera}, {"frame", span.frame}, {"bytes", span.bytes}}}});
  }
  return std::move(text).finish();
}

}  // namespace vantage
