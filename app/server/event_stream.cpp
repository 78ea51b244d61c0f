#include "app/server/event_stream.h"

namespace vantage::server {
namespace {

constexpr std::chrono::seconds kHeartBeat{10};
// Clients that lose the connection come again after so long.
constexpr const char* kBegin = "retry: 2000\n\n";

std::string line_events(const FeedEvent& event) {
  const std::string frame = std::to_string(event.line->frame);
  std::string text;
  if (event.dropped)
    text = "event: dropped\ndata: {\"lines\":" +
           (event.dropped_lines ? std::to_string(*event.dropped_lines) : "null") + ",\"next\":" + frame +
           "}\n\n";
  return text + "id: " + frame + "\nevent: frame\ndata: " + event.line->text + "\n\n";
}

}  // namespace

std::optional<std::string> EventStream::next() {
  if (state_ == State::over) return std::nullopt;
  if (state_ == State::begin) {
    state_ = State::lines;
    return kBegin;
  }
  const FeedEvent event = feed_->next(kHeartBeat);
  if (event.kind == FeedEvent::Kind::line) return line_events(event);
  if (event.kind == FeedEvent::Kind::quiet) return ": still here\n\n";
  state_ = State::over;
  return "event: end\ndata: {}\n\n";
}

}  // namespace vantage::server
