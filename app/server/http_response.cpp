#include "app/server/http_response.h"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "app/server/event_stream.h"

namespace vantage::server {
namespace {

constexpr size_t kEventBlock_bytes = size_t{1} << 16;  // handed over at once, at most

// Server-sent events on their way to one client.
struct SentEvents {
  explicit SentEvents(std::unique_ptr<Feed> feed) : stream(std::move(feed)) {}

  EventStream stream;
  std::string text;  // of the stream, what is being sent
  size_t sent = 0;   // of the text
};

ssize_t read_events(void* context, uint64_t, char* to, size_t max) {
  auto& events = *static_cast<SentEvents*>(context);
  try {
    while (events.sent == events.text.size()) {
      std::optional<std::string> next = events.stream.next();
      if (!next) return MHD_CONTENT_READER_END_OF_STREAM;
      events.text = std::move(*next), events.sent = 0;
    }
  } catch (const std::exception&) {  // no memory; nothing may leave through C
    return MHD_CONTENT_READER_END_WITH_ERROR;
  }
  const size_t taken = std::min(max, events.text.size() - events.sent);
  std::memcpy(to, events.text.data() + events.sent, taken);
  events.sent += taken;
  return static_cast<ssize_t>(taken);
}

HttpResponse events_response(std::unique_ptr<Feed> feed) {
  auto events = std::make_unique<SentEvents>(std::move(feed));
  HttpResponse response(
      MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, kEventBlock_bytes, &read_events, events.get(),
                                        [](void* context) { delete static_cast<SentEvents*>(context); }));
  if (response) static_cast<void>(events.release());
  return response;
}

// The response closes its descriptor; the one of `body` is another's.
HttpResponse file_response(const FileBody& body) {
  const int descriptor = ::dup(::fileno(body.file.get()));
  if (descriptor < 0) return nullptr;
  HttpResponse response(
      MHD_create_response_from_fd_at_offset64(static_cast<uint64_t>(body.bytes), descriptor, 0));
  if (!response) ::close(descriptor);
  return response;
}

HttpResponse text_response(std::string body) {
  auto text = std::make_unique<std::string>(std::move(body));
  HttpResponse response(MHD_create_response_from_buffer_with_free_callback_cls(
      text->size(), text->data(), [](void* context) { delete static_cast<std::string*>(context); },
      text.get()));
  if (response) static_cast<void>(text.release());
  return response;
}

}  // namespace

HttpResponse make_http_response(Answer answer) {
  HttpResponse response = answer.feed   ? events_response(std::move(answer.feed))
                          : answer.file ? file_response(*answer.file)
                                        : text_response(std::move(answer.body));
  if (!response) return nullptr;
  answer.headers.emplace_back(MHD_HTTP_HEADER_CONTENT_TYPE, std::move(answer.type));
  answer.headers.emplace_back(MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
  answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : answer.headers)
    if (MHD_add_response_header(response.get(), name.c_str(), value.c_str()) != MHD_YES) return nullptr;
  return response;
}

}  // namespace vantage::server
