#include "core/live/http_post.h"

#include <curl/curl.h>

#include <algorithm>

namespace vantage {
namespace {

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

struct Answer {
  std::string body;
  size_t max_bytes = 0;
};

extern "C" size_t take_answer(char* bytes, size_t size, size_t count, void* to) {
  auto& answer = *static_cast<Answer*>(to);
  answer.body.append(bytes, std::min(size * count, answer.max_bytes - answer.body.size()));
  return size * count;
}

extern "C" int stop_transfer(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const StopSource*>(stop)->stop_requested() ? 1 : 0;
}

}  // namespace

std::string percent_decoded(const std::string& text) {
  int size = 0;
  char* const decoded = curl_easy_unescape(nullptr, text.c_str(), static_cast<int>(text.size()), &size);
  const std::string copy = decoded ? std::string(decoded, static_cast<size_t>(size)) : text;
  curl_free(decoded);
  return copy;
}

HttpPoster::HttpPoster() : curl_(nullptr, curl_easy_cleanup) {
  static const bool initialized = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (initialized) curl_.reset(curl_easy_init());
}

Result<HttpAnswer> HttpPoster::post(const HttpPost& request, const StopSource& stop) {
  CURL* const curl = curl_.get();
  if (!curl) return fail(ErrorKind::out_of_memory, "libcurl cannot be used");
  curl_slist* lines = nullptr;
  for (const std::string& line : request.headers) lines = curl_slist_append(lines, line.c_str());
  const std::unique_ptr<curl_slist, FreeList> headers(lines);
  Answer answer{{}, request.max_answer_bytes};
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_URL, request.address.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_POST, 1L);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(request.limit_s * 1000));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop_transfer);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &stop);
  if (!request.ca.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, request.ca.c_str());
    curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
  }
  const CURLcode code = curl_easy_perform(curl);
  if (code == CURLE_ABORTED_BY_CALLBACK) return fail(ErrorKind::cancelled, "stopped");
  if (code != CURLE_OK) return fail(ErrorKind::io, curl_easy_strerror(code), request.address);
  HttpAnswer answered{.body = std::move(answer.body)};
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answered.status);
  return answered;
}

}  // namespace vantage
