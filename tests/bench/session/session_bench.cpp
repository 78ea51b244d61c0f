// How long until the present frame shows a changed value: opens a recording as the window does, seeks,
// changes one parameter of each stage several times and takes the time from the change to the frame that has
// it.
//   session_bench P.vantage [frame]
#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/algorithms.h"
#include "tests/support/choose_instruction_set.h"
#include "tests/unit/session/session_recorder.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;
using Clock = std::chrono::steady_clock;

struct Change {
  const char* stage;
  const char* name;
  double first,
      step;  // another value each time, none a default: a value that is there already shows nothing new
};

constexpr Change kChanges[] = {{"foreground", "distance_high", 5.03, 0.1},
                               {"foreground", "min_sigma", 3.03, 0.1},
                               {"carving", "threshold", 0.61, 0.02},
                               {"people", "min_height_m", 1.03, 0.02},
                               {"tracking", "gate_m", 0.73, 0.02}};
constexpr int kRounds = 3;

// Seconds until the first frame, which may be a preview (from a memory of other parameters, marked so in the
// window), and until the exact one.
struct Waits {
  double shown_s = 0, exact_s = 0;
};

template <typename Act>
Waits waits_after(Recorder* recorder, int64_t frame, const Act& act) {
  int before = 0;
  recorder->wait_for([&](const Recorder& r) { return before = r.frames_, true; });
  const auto start = Clock::now();
  const auto seconds = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  act();
  const auto shown = [&](const Recorder& r) {
    return r.frames_ > before && r.shown_ && r.shown_->frame == frame && r.shown_->volume();
  };
  Waits waits;
  recorder->wait_for(shown);
  waits.shown_s = seconds();
  recorder->wait_for([&](const Recorder& r) { return shown(r) && !r.shown_->preview; });
  waits.exact_s = seconds();
  return waits;
}

void print(const std::string& what, const std::vector<Waits>& waits) {
  Waits mean, most;
  for (const Waits& one : waits) {
    mean.shown_s += one.shown_s / waits.size(), mean.exact_s += one.exact_s / waits.size();
    most.shown_s = std::max(most.shown_s, one.shown_s), most.exact_s = std::max(most.exact_s, one.exact_s);
  }
  fmt::print("{:26} shown after {:6.0f} ms (at most {:6.0f}), exact after {:6.0f} ms (at most {:6.0f})\n",
             what, 1e3 * mean.shown_s, 1e3 * most.shown_s, 1e3 * mean.exact_s, 1e3 * most.exact_s);
}

void measure(Session* session, Recorder* recorder, int64_t frame) {
  print("seek", {waits_after(recorder, frame, [&] { session->post(command::Seek{frame}); })});
  for (const Change& change : kChanges) {
    std::vector<Waits> waits;
    for (int i = 0; i < kRounds; ++i)
      waits.push_back(waits_after(recorder, frame, [&] {
        session->post(command::SetParameter{change.stage, change.name, change.first + i * change.step});
      }));
    print(std::string(change.stage) + "." + change.name, waits);
  }
}

int run(const std::string& path, int64_t frame) {
  BackendRegistry registry;
  register_cpu_backends(registry);
  SessionOptions options;
  options.backends = &registry;
  options.device_description = "CPU";
  const auto recorder = std::make_shared<Recorder>();
  const auto session = Session::make(options, recorder);
  session->post(command::OpenFile{path});
  recorder->wait_for([](const Recorder& r) { return r.status_.open || !r.errors_.empty(); });
  if (!recorder->errors_.empty()) {
    fmt::print(stderr, "{}\n", recorder->errors_[0].message());
    return 1;
  }
  measure(session.get(), recorder.get(), frame);
  return 0;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // each figure as it comes
  if (argc < 2) {
    fmt::print(stderr, "session_bench P.vantage [frame]\n");
    return 2;
  }
  return vantage::run(argv[1], argc > 2 ? std::atoll(argv[2]) : 100);
}
