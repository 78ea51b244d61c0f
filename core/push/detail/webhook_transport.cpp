// POST of a message as JSON, signed where there is a key.
#include "core/base/clock.h"
#include "core/live/http_post.h"
#include "core/push/detail/signature.h"
#include "core/push/push_transport.h"

namespace vantage {
namespace {

constexpr size_t kMaxAnswer_bytes = 2000;  // length of the response that is read: only people read it

// The answer as one printable line.
std::string shown(const std::string& answer) {
  std::string text;
  for (const char c : answer.substr(0, 200)) text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return text;
}

class WebhookTransport final : public PushTransport {
 public:
  WebhookTransport(PushTarget target, std::string key) : target_(std::move(target)), key_(std::move(key)) {}

  Result<std::string> send(const PushMessage& message, const StopSource& stop) override {
    HttpPost request{.address = target_.address,
                     .body = message_text(message, true),
                     .headers = {"Content-Type: application/json", "Expect:", "User-Agent: vantage",
                                 "X-Vantage-Id: " + message.id},
                     .limit_s = target_.limit_s,
                     .ca = target_.ca,
                     .max_answer_bytes = kMaxAnswer_bytes};
    VANTAGE_TRY(sign(&request));
    VANTAGE_ASSIGN(const HttpAnswer answer, poster_.post(request, stop));
    const std::string said =
        "answered " + std::to_string(answer.status) + (answer.body.empty() ? "" : ": " + shown(answer.body));
    if (answer.status >= 200 && answer.status < 300) return said;
    return fail(ErrorKind::io, said, target_.address);
  }

 private:
  // The signature covers the time, so that no other person can send an old message again.
  Status sign(HttpPost* request) const {
    const std::string time = std::to_string(utc_now_ns() / 1'000'000'000);
    request->headers.push_back("X-Vantage-Time: " + time);
    if (key_.empty()) return {};
    VANTAGE_ASSIGN(const std::string signature, hmac_sha256(key_, time + "." + request->body));
    request->headers.push_back("X-Vantage-Signature: sha256=" + signature);
    return {};
  }

  const PushTarget target_;
  const std::string key_;
  HttpPoster poster_;
};

}  // namespace

Result<std::unique_ptr<PushTransport>> make_webhook_transport(const PushTarget& target,
                                                              const std::optional<Credentials>& secret) {
  return std::make_unique<WebhookTransport>(target, secret ? secret->password : std::string());
}

}  // namespace vantage
