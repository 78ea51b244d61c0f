// POST of a message as JSON, signed where there is a key.
#include <curl/curl.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/push/detail/signature.h"
#include "core/push/push_transport.h"

namespace vantage {
namespace {

constexpr size_t kMaxAnswer_bytes = 2000;  // length of the response that is read: only people read it

struct FreeCurl {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

extern "C" size_t take_answer(char* bytes, size_t size, size_t count, void* to) {
  auto& answer = *static_cast<std::string*>(to);
  answer.append(bytes, std::min(size * count, kMaxAnswer_bytes - std::min(answer.size(), kMaxAnswer_bytes)));
  return size * count;
}

extern "C" int stop_transfer(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const StopSource*>(stop)->stop_requested() ? 1 : 0;
}

// The answer as one printable line.
std::string shown(const std::string& answer) {
  std::string text;
  for (const char c : answer.substr(0, 200)) text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return text;
}

class WebhookTransport final : public PushTransport {
 public:
  WebhookTransport(PushTarget target, std::string key) : target_(std::move(target)), key_(std::move(key)) {
    static const bool initialized = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    if (initialized) curl_.reset(curl_easy_init());
  }

  Result<std::string> send(const PushMessage& message, const StopSource& stop) override {
    if (!curl_) return fail(ErrorKind::out_of_memory, "libcurl cannot be used");
    const std::string text = message_text(message, true);
    VANTAGE_ASSIGN(const auto headers, headers_of(message, text));
    std::string answer;
    set_options(text, headers.get(), stop, &answer);
    const CURLcode code = curl_easy_perform(curl_.get());
    if (code == CURLE_ABORTED_BY_CALLBACK) return fail(ErrorKind::cancelled, "stopped");
    if (code != CURLE_OK) return fail(ErrorKind::io, curl_easy_strerror(code), target_.address);
    long status = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    const std::string said =
        "answered " + std::to_string(status) + (answer.empty() ? "" : ": " + shown(answer));
    if (status >= 200 && status < 300) return said;
    return fail(ErrorKind::io, said, target_.address);
  }

 private:
  // The signature covers the time, so that no other person can send an old message again.
  Result<std::unique_ptr<curl_slist, FreeCurl>> headers_of(const PushMessage& message,
                                                           const std::string& text) const {
    std::vector<std::string> lines = {"Content-Type: application/json", "Expect:", "User-Agent: vantage",
                                      "X-Vantage-Id: " + message.id};
    const std::string time = std::to_string(utc_now_ns() / 1'000'000'000);
    lines.push_back("X-Vantage-Time: " + time);
    if (!key_.empty()) {
      VANTAGE_ASSIGN(const std::string signature, hmac_sha256(key_, time + "." + text));
      lines.push_back("X-Vantage-Signature: sha256=" + signature);
    }
    curl_slist* list = nullptr;
    for (const std::string& line : lines) list = curl_slist_append(list, line.c_str());
    return std::unique_ptr<curl_slist, FreeCurl>(list);
  }

  // Only the connection is kept. Redirections are not followed: the message is for this address.
  void set_options(const std::string& text, curl_slist* headers, const StopSource& stop,
                   std::string* answer) {
    CURL* const curl = curl_.get();
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, target_.address.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, text.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(text.size()));
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(target_.limit_s * 1000));
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop_transfer);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &stop);
    if (!target_.ca.empty()) {
      curl_easy_setopt(curl, CURLOPT_CAINFO, target_.ca.c_str());
      curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
    }
  }

  const PushTarget target_;
  const std::string key_;
  std::unique_ptr<CURL, FreeCurl> curl_;
};

}  // namespace

Result<std::unique_ptr<PushTransport>> make_webhook_transport(const PushTarget& target,
                                                              const std::optional<Credentials>& secret) {
  return std::make_unique<WebhookTransport>(target, secret ? secret->password : std::string());
}

}  // namespace vantage
