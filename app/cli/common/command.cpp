#include "app/cli/common/command.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/trace.h"

namespace vantage::cli {
namespace {

StopSource& stop_source() {
  static StopSource source;
  return source;
}

extern "C" void on_interrupt(int) {
  if (stop_source().stop_requested()) std::_Exit(130);
  stop_source().request_stop();
}

}  // namespace

void fail_command(const Error& error) {
  std::fflush(stdout);
  std::fprintf(stderr, "vantage-cli: %s\n", redact_credentials(error.message()).c_str());
  throw CLI::RuntimeError(1);
}

void print_json(const nlohmann::json& document) {
  std::printf("%s\n", json_text(document, 2).c_str());
}
void print_json(const nlohmann::ordered_json& document) {
  std::printf("%s\n", json_text(document, 2).c_str());
}

const StopSource& interrupted() {
  static const bool installed = [] {
    stop_source();
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    return true;
  }();
  static_cast<void>(installed);
  return stop_source();
}

Progress::Progress(std::string label)
    : label_(std::move(label)),
      start_ns_(trace_now_ns()),
      last_ns_(start_ns_),
      terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (printed_ && terminal_) std::fputc('\n', stderr);
}

void Progress::update(int64_t done, int64_t total) {
  const int64_t now = trace_now_ns();
  const int64_t interval = terminal_ ? 200'000'000 : 10'000'000'000;
  const bool last = total >= 0 && done >= total;
  if (now - last_ns_ < interval && !(last && terminal_)) return;
  last_ns_ = now;
  printed_ = true;
  const double seconds = static_cast<double>(now - start_ns_) * 1e-9;
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::fprintf(stderr, "%s%s  %lld", terminal_ ? "\r\033[K" : "", label_.c_str(),
               static_cast<long long>(done));
  if (total >= 0) std::fprintf(stderr, "/%lld", static_cast<long long>(total));
  std::fprintf(stderr, "  %.1f frames/s", rate);
  if (total >= 0 && rate > 0) {
    const auto left = static_cast<long long>(static_cast<double>(total - done) / rate + 0.5);
    std::fprintf(stderr, "  %lld:%02lld left", left / 60, left % 60);
  }
  if (!terminal_) std::fputc('\n', stderr);
  std::fflush(stderr);
}

}  // namespace vantage::cli
