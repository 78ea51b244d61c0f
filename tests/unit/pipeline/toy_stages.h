// Small stages whose artifacts are single numbers that depend on everything upstream and, with memory, on
// every earlier frame: any frame skipped, repeated or taken from the wrong version changes all that follow.
#pragma once

#include <atomic>
#include <chrono>
#include <latch>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>

#include "core/base/hash.h"
#include "core/pipeline/pipeline.h"

namespace vantage::test {

struct ToyMemoryParameters {
  double gain = 1;
};
struct ToyTrackParameters {
  double gain = 1;
};
struct ToyLastParameters {
  double gain = 1;
};

template <auto Gain>
ParameterDescription toy_gain() {
  return real<Gain>("Gain", "", 0, 9, "Changes the result.");
}

}  // namespace vantage::test

namespace vantage {

template <>
inline const ParameterTable& parameter_table<test::ToyMemoryParameters>() {
  static const ParameterTable table = ParameterTable::make<test::ToyMemoryParameters>(
      "memory", "Memory", {test::toy_gain<&test::ToyMemoryParameters::gain>()});
  return table;
}
template <>
inline const ParameterTable& parameter_table<test::ToyTrackParameters>() {
  static const ParameterTable table = ParameterTable::make<test::ToyTrackParameters>(
      "track", "Track", {test::toy_gain<&test::ToyTrackParameters::gain>()});
  return table;
}
template <>
inline const ParameterTable& parameter_table<test::ToyLastParameters>() {
  static const ParameterTable table = ParameterTable::make<test::ToyLastParameters>(
      "last", "Last", {test::toy_gain<&test::ToyLastParameters::gain>()});
  return table;
}

}  // namespace vantage

namespace vantage::test {

inline ParameterStore toy_parameters() {
  return ParameterStore({&parameter_table<ToyMemoryParameters>(), &parameter_table<ToyTrackParameters>(),
                         &parameter_table<ToyLastParameters>()});
}

// Every toy's number lies in a field of one of the chain's artifacts.
inline ArtifactRef toy_artifact(std::string_view stage, uint64_t value) {
  const auto number = static_cast<int64_t>(value);
  if (stage == "source") {
    auto source = std::make_shared<FrameSetArtifact>();
    source->frames.time_ns = number;
    return source;
  }
  if (stage == "memory") {
    auto memory = std::make_shared<PeopleArtifact>();
    memory->found.peaks = number;
    return memory;
  }
  if (stage == "track") {
    auto track = std::make_shared<TracksArtifact>();
    track->tracked = {{number, 0, 0, 0}};
    return track;
  }
  auto last = std::make_shared<DisplayArtifact>();
  last->shell_count = number;
  return last;
}

inline void put_toy(std::string_view stage, const ArtifactRef& made, FrameArtifacts* artifacts) {
  if (stage == "source")
    artifacts->video = std::dynamic_pointer_cast<const FrameSetArtifact>(made);
  else if (stage == "memory")
    artifacts->people = std::dynamic_pointer_cast<const PeopleArtifact>(made);
  else if (stage == "track")
    artifacts->tracking = std::dynamic_pointer_cast<const TracksArtifact>(made);
  else
    artifacts->display = std::dynamic_pointer_cast<const DisplayArtifact>(made);
}

using ToyValues = std::map<std::string, uint64_t>;

// Values of the stages that have made something.
inline ToyValues toy_values(const FrameArtifacts& artifacts) {
  ToyValues values;
  const auto number = [](int64_t value) { return static_cast<uint64_t>(value); };
  if (artifacts.video) values["source"] = number(artifacts.video->frames.time_ns);
  if (artifacts.people) values["memory"] = number(artifacts.people->found.peaks);
  if (artifacts.tracking) values["track"] = number(artifacts.tracking->tracked.at(0).id);
  if (artifacts.display) values["last"] = number(artifacts.display->shell_count);
  return values;
}
inline ToyValues toy_values(const FrameResult& result) {
  return toy_values(result.artifacts);
}

struct ToyMemory final : StageMemory {
  uint64_t state = 0;
  explicit ToyMemory(uint64_t s) : state(s) {}
  size_t size_bytes() const override { return 1000; }
};

// What the stages do on purpose, and how often they ran. Shared by a pipeline's stages and its test.
struct ToyWorld {
  int64_t frames = 1000000;  // the source ends here
  std::string failing_stage;
  int64_t failing_frame = -1;
  bool fail_by_exception = false;
  int delay_us = 0;               // at most; random
  size_t workers = 3;             // of "last", which has no memory
  std::latch* meeting = nullptr;  // of the workers of "last", on their first frames
  std::map<std::string, std::atomic<int>> runs;
  ToyWorld() {
    for (const char* name : {"source", "memory", "track", "last"}) runs[name] = 0;
  }
};

class ToyStage final : public Stage {
 public:
  ToyStage(ToyWorld& world, std::string name, std::vector<std::string> inputs, bool memory)
      : world_(world), name_(std::move(name)), inputs_(std::move(inputs)), memory_(memory), random_(7) {}

  std::string_view name() const override { return name_; }
  std::vector<std::string_view> inputs() const override { return {inputs_.begin(), inputs_.end()}; }
  bool has_memory() const override { return memory_; }
  size_t workers() const override { return name_ == "last" ? world_.workers : 1; }
  Status configure(const ParameterStore& parameters) override {
    gain_ = parameters.get(name_, "gain").value_or(1);
    return {};
  }
  uint64_t own_hash() const override { return Hasher().add(gain_).value(); }

  static uint64_t compute(const std::string& name, double gain, int64_t frame,
                          const std::vector<uint64_t>& inputs, uint64_t* state) {
    Hasher hasher;
    hasher.add(name).add(gain).add(frame).add(*state);
    for (const uint64_t input : inputs) hasher.add(input);
    return hasher.value();
  }

  Result<ArtifactRef> run(int64_t frame, const FrameArtifacts& inputs) override {
    const Inside inside(inside_);
    if (inside.calls > workers()) throw std::logic_error("too many calls at a time");
    ++world_.runs.at(name_);
    if (world_.meeting && name_ == "last" && frame < static_cast<int64_t>(world_.workers))
      world_.meeting->arrive_and_wait();
    if (world_.delay_us > 0) std::this_thread::sleep_for(delay());
    return make(frame, inputs);
  }

  void put(ArtifactRef made, FrameArtifacts* artifacts) const override { put_toy(name_, made, artifacts); }

  Status reset() override {
    state_ = 0;
    return {};
  }
  Result<StageMemoryRef> save() const override { return std::make_shared<ToyMemory>(state_); }
  Status restore(const StageMemory& memory) override {
    state_ = dynamic_cast<const ToyMemory&>(memory).state;
    return {};
  }

 private:
  struct Inside {
    explicit Inside(std::atomic<size_t>& of) : now(of), calls(++of) {}
    ~Inside() { --now; }
    std::atomic<size_t>& now;
    const size_t calls;
  };

  std::chrono::microseconds delay() {
    const std::lock_guard lock(random_mutex_);
    return std::chrono::microseconds(random_() % static_cast<unsigned>(world_.delay_us));
  }

  Result<ArtifactRef> make(int64_t frame, const FrameArtifacts& inputs) {
    if (name_ == "source" && frame >= world_.frames) return fail(ErrorKind::end_of_stream, "the video ends");
    if (name_ == world_.failing_stage && frame == world_.failing_frame) {
      if (memory_) state_ = 12345;  // a failing stage may leave anything behind
      if (world_.fail_by_exception) throw std::runtime_error("broken on purpose");
      return fail(ErrorKind::bad_data, "broken on purpose", name_);
    }
    const ToyValues upstream = toy_values(inputs);
    std::vector<uint64_t> values;
    for (const std::string& input : inputs_) values.push_back(upstream.at(input));
    const uint64_t value = compute(name_, gain_, frame, values, &state_);
    if (memory_) state_ = value;
    return toy_artifact(name_, value);
  }

  ToyWorld& world_;
  const std::string name_;
  const std::vector<std::string> inputs_;
  const bool memory_;
  std::mutex random_mutex_;
  std::minstd_rand random_;
  double gain_ = 1;
  uint64_t state_ = 0;
  std::atomic<size_t> inside_{0};
};

// source -> memory -> track (both with memory; track also reads the source) -> last (by several workers)
inline std::unique_ptr<Pipeline> make_toy_pipeline(ToyWorld& world, const PipelineOptions& options) {
  std::vector<std::unique_ptr<Stage>> stages;
  const auto add = [&](const char* name, std::vector<std::string> inputs, bool memory) {
    stages.push_back(std::make_unique<ToyStage>(world, name, std::move(inputs), memory));
  };
  add("source", {}, false);
  add("memory", {"source"}, true);
  add("track", {"memory", "source"}, true);
  add("last", {"track", "memory"}, false);
  return Pipeline::make(std::move(stages), options).value();
}

// The obvious way: one loop from frame 0.
inline std::vector<ToyValues> toy_reference(int64_t frames, const ParameterStore& parameters) {
  const auto gain = [&](const char* stage) { return parameters.get(stage, "gain").value_or(1); };
  std::vector<ToyValues> result;
  uint64_t none = 0, memory = 0, track = 0;
  for (int64_t frame = 0; frame < frames; ++frame) {
    ToyValues values;
    values["source"] = ToyStage::compute("source", 1, frame, {}, &none);
    values["memory"] = memory =
        ToyStage::compute("memory", gain("memory"), frame, {values["source"]}, &memory);
    values["track"] = track =
        ToyStage::compute("track", gain("track"), frame, {values["memory"], values["source"]}, &track);
    values["last"] =
        ToyStage::compute("last", gain("last"), frame, {values["track"], values["memory"]}, &none);
    result.push_back(values);
  }
  return result;
}

}  // namespace vantage::test
