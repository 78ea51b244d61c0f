#include "core/base/trace.h"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/json.h"

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
         fmt::format(",\"camera\":{},\"frame\":{},\"start_ns\":{},\"duration_ns\":{},\"bytes\":{}}}",
                     span.camera, span.frame, span.start_ns, span.duration_ns, span.bytes);
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

namespace {

std::string lane_name(const TraceSpan& span, const std::vector<std::string>& cameras) {
  // Lanes of decoders are a camera's already.
  if (span.camera < 0 || span.lane.starts_with("decode ")) return span.lane;
  return span.lane + ", " + camera_name(span.camera, cameras);
}

int64_t end_of(const TraceSpan& span) {
  return span.start_ns + span.duration_ns;
}

// Puts the spans of a lane, by start, into rows. A span goes below all that hold it whole and into the first
// row that is free by then.
void place(const std::vector<TraceSpan>& spans, TraceLane& lane) {
  std::vector<const TraceSpan*> last;  // of each row
  for (TraceLane::Place& place : lane.spans) {
    const TraceSpan& span = spans[place.span];
    size_t row = 0;
    for (size_t r = 0; r < last.size(); ++r)
      if (end_of(*last[r]) > span.start_ns) row = r + 1;
    if (row == last.size()) last.push_back(nullptr);
    last[row] = &span;
    place.row = static_cast<int>(row);
  }
  lane.rows = std::max(1, static_cast<int>(last.size()));
}

// A field with a comma or a quote in quotes.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string camera_name(int camera, const std::vector<std::string>& cameras) {
  const auto index = static_cast<size_t>(camera);
  return index < cameras.size() ? cameras[index] : "camera " + std::to_string(camera + 1);
}

std::vector<TraceLane> lanes_of(const std::vector<TraceSpan>& spans,
                                const std::vector<std::string>& cameras) {
  std::vector<size_t> order(spans.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  // The longest of spans that begin together holds the others.
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return spans[a].start_ns != spans[b].start_ns ? spans[a].start_ns < spans[b].start_ns
                                                  : spans[a].duration_ns > spans[b].duration_ns;
  });
  std::map<std::string, size_t> index;
  std::vector<TraceLane> lanes;
  for (const size_t i : order) {
    const auto [at, is_new] = index.try_emplace(lane_name(spans[i], cameras), lanes.size());
    if (is_new) lanes.push_back({at->first, 1, {}});
    lanes[at->second].spans.push_back({i, 0});
  }
  for (TraceLane& lane : lanes) place(spans, lane);
  std::sort(lanes.begin(), lanes.end(), [](const TraceLane& a, const TraceLane& b) {
    const bool first = a.name.starts_with("decode "), second = b.name.starts_with("decode ");
    return first != second ? first : a.name < b.name;
  });
  return lanes;
}

std::vector<FrameLatency> frame_latencies(const std::vector<TraceSpan>& spans) {
  struct Ends {
    int64_t in_ns = -1, out_ns = -1;
  };
  std::map<int64_t, Ends> frames;
  for (const TraceSpan& span : spans) {
    if (span.frame < 0 || span.kind != SpanKind::stage) continue;
    Ends& ends = frames[span.frame];
    if (span.name == "decode")
      ends.in_ns = std::max(ends.in_ns, span.start_ns);
    else
      ends.out_ns = std::max(ends.out_ns, end_of(span));
  }
  std::vector<FrameLatency> latencies;
  for (const auto& [frame, ends] : frames)
    if (ends.in_ns >= 0 && ends.out_ns > ends.in_ns)
      latencies.push_back({frame, static_cast<double>(ends.out_ns - ends.in_ns) * 1e-6});
  return latencies;
}

const char* kind_name(SpanKind kind) {
  switch (kind) {
    case SpanKind::stage:
      return "stage";
    case SpanKind::kernel:
      return "kernel";
    case SpanKind::copy:
      return "copy";
    case SpanKind::wait:
      return "wait";
  }
  return "stage";
}

std::string timings_csv(const std::vector<SpanStatistics>& rows) {
  std::string csv = "name,device,kind,count,mean_ms,p50_ms,p95_ms,p99_ms,total_ms,share,bytes\n";
  for (const SpanStatistics& row : rows) {
    csv += field(row.name) + "," + field(row.device);
    csv +=
        fmt::format(",{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{}\n", kind_name(row.kind), row.count,
                    row.mean_ms, row.p50_ms, row.p95_ms, row.p99_ms, row.total_ms, row.share, row.bytes);
  }
  return csv;
}

std::string spans_csv(const std::vector<TraceSpan>& spans) {
  std::string csv = "name,lane,kind,camera,frame,start_ns,duration_ns,bytes\n";
  for (const TraceSpan& span : spans) {
    csv += field(span.name) + "," + field(span.lane);
    csv += fmt::format(",{},{},{},{},{},{}\n", kind_name(span.kind), span.camera, span.frame, span.start_ns,
                       span.duration_ns, span.bytes);
  }
  return csv;
}

Result<std::vector<SpanStatistics>> read_timings(const std::string& text, const std::string& where) {
  const auto wrong = [&where] {
    return fail(ErrorKind::bad_data, "not a file of timings", where,
                "Choose a timings.json of a run, or one saved by the Timings dock.");
  };
  const nlohmann::json json = parse_json(text);
  if (!json.is_object() || !json.contains("schema") || json["schema"] != "vantage-timings-1" ||
      !json.contains("summary") || !json["summary"].is_array())
    return wrong();
  std::vector<SpanStatistics> rows;
  for (const nlohmann::json& line : json["summary"]) {
    if (!line.is_object()) return wrong();
    const auto number = [&line](const char* name) {
      const auto at = line.find(name);
      return at != line.end() && at->is_number() ? at->get<double>() : 0.0;
    };
    const auto word = [&line](const char* name) {
      const auto at = line.find(name);
      return at != line.end() && at->is_string() ? at->get<std::string>() : std::string();
    };
    SpanStatistics row;
    row.name = word("name"), row.device = word("device");
    const std::string kind = word("kind");
    for (const SpanKind known : {SpanKind::stage, SpanKind::kernel, SpanKind::copy, SpanKind::wait})
      if (kind == kind_name(known)) row.kind = known;
    row.count = static_cast<int64_t>(number("count")), row.bytes = static_cast<int64_t>(number("bytes"));
    row.mean_ms = number("mean_ms"), row.p50_ms = number("p50_ms"), row.p95_ms = number("p95_ms");
    row.p99_ms = number("p99_ms"), row.total_ms = number("total_ms"), row.share = number("share");
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::optional<SpanStatistics>> matching(const std::vector<SpanStatistics>& rows,
                                                    const std::vector<SpanStatistics>& baseline) {
  std::vector<std::optional<SpanStatistics>> found;
  for (const SpanStatistics& row : rows) {
    const auto same = std::find_if(baseline.begin(), baseline.end(), [&](const SpanStatistics& other) {
      return other.kind == row.kind && other.device == row.device && other.name == row.name;
    });
    found.push_back(same == baseline.end() ? std::nullopt : std::optional(*same));
  }
  return found;
}

}  // namespace vantage
