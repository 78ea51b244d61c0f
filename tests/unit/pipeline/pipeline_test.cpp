#include "core/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <iostream>

#include "tests/unit/pipeline/toy_stages.h"

namespace vantage {
namespace {

using test::make_toy_pipeline;
using test::toy_parameters;
using test::toy_reference;
using test::toy_values;
using test::ToyValues;
using test::ToyWorld;

constexpr ExecutionMode kModes[] = {ExecutionMode::sequential, ExecutionMode::threaded};

struct Collected {
  Status status;
  std::vector<FrameResultRef> results;
};

Collected analyse(Pipeline& pipeline, FrameRange range, ExecutionMode mode, const StopSource& stop = {},
                  int64_t stop_after = -1, bool stop_by_sink = false) {
  Collected collected;
  StopSource source = stop;
  collected.status = pipeline.analyse(
      range, mode,
      [&](FrameResultRef result) {
        collected.results.push_back(std::move(result));
        if (static_cast<int64_t>(collected.results.size()) != stop_after) return true;
        if (!stop_by_sink) source.request_stop();
        return !stop_by_sink;
      },
      stop);
  return collected;
}

// The central test: whatever was done before, in whatever mode, a frame's artifacts are those of one loop
// from frame 0 with the present parameters.
void random_orders(unsigned seed, PipelineOptions options, int operations) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto pick = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  constexpr int64_t frames = 90;
  ToyWorld world;
  world.frames = frames;
  const auto pipeline = make_toy_pipeline(world, options);
  ParameterStore parameters = toy_parameters();
  ASSERT_TRUE(pipeline->configure(parameters));
  std::vector<ToyValues> reference = toy_reference(frames, parameters);
  int64_t frame = 0;
  for (int operation = 0; operation < operations; ++operation) {
    const int64_t what = pick(10);
    if (what < 3) {  // re-tune, sometimes back to where it was
      const char* stages[] = {"memory", "track", "last"};
      ASSERT_TRUE(parameters.set(stages[pick(3)], "gain", static_cast<double>(pick(3))));
      ASSERT_TRUE(pipeline->configure(parameters));
      reference = toy_reference(frames, parameters);
    } else if (what < 4) {  // a glance: whatever it shows, it must not change what follows
      const auto shown =
          pipeline->frame(pick(frames), {.allow_preview = true, .max_replay_frames = pick(9)}, {});
      ASSERT_TRUE(shown);
      if ((*shown)->preview) continue;
      ASSERT_EQ(toy_values(**shown), reference[(*shown)->frame]);
    } else if (what < 8) {  // play on, seek, step back
      frame = what < 5   ? pick(frames)
              : what < 7 ? std::min(frame + 1, frames - 1)
                         : std::max<int64_t>(frame - 1, 0);
      const auto shown = pipeline->frame(frame, {}, {});
      ASSERT_TRUE(shown);
      ASSERT_FALSE((*shown)->preview);
      ASSERT_EQ(toy_values(**shown), reference[frame]) << "frame " << frame;
    } else {
      FrameRange range{pick(frames), 0};
      range.end = range.begin + pick(40);
      const Collected got = analyse(*pipeline, range, kModes[pick(2)]);
      ASSERT_TRUE(got.status);
      const auto expected = static_cast<size_t>(std::min(range.end, frames) - range.begin);
      ASSERT_EQ(got.results.size(), expected);
      for (size_t i = 0; i < expected; ++i) {
        ASSERT_EQ(got.results[i]->frame, range.begin + static_cast<int64_t>(i));
        ASSERT_FALSE(got.results[i]->preview);
        ASSERT_EQ(toy_values(*got.results[i]), reference[got.results[i]->frame]);
      }
    }
  }
}

TEST(Pipeline, AFrameDependsOnProjectAndFrameOnly) {
  const unsigned seed = std::random_device{}();
  std::cout << "first seed " << seed << "\n";
  for (unsigned i = 0; i < 40; ++i) {
    PipelineOptions options;
    options.checkpoint_interval_frames = 1 + i % 11;
    if (i % 2) options.cache_bytes = 100 * (i * 7 % 50);           // from nothing to a dozen frames
    if (i % 3) options.checkpoint_bytes = 1000 * (1 + i * 5 % 9);  // a few checkpoints only
    options.queue_frames = 1 + i % 5;
    random_orders(seed + i, options, 60);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Pipeline, ChangedParametersRerunOnlyWhatDependsOnThem) {
  ToyWorld world;
  const auto pipeline = make_toy_pipeline(world, {});
  ParameterStore parameters = toy_parameters();
  ASSERT_TRUE(pipeline->configure(parameters));
  ASSERT_TRUE(analyse(*pipeline, {0, 30}, ExecutionMode::threaded).status);
  const uint64_t memory = pipeline->version("memory"), track = pipeline->version("track"),
                 last = pipeline->version("last");
  for (auto& [name, count] : world.runs) count = 0;
  ASSERT_TRUE(parameters.set("last", "gain", 2));
  ASSERT_TRUE(pipeline->configure(parameters));
  EXPECT_EQ(pipeline->version("memory"), memory);
  EXPECT_EQ(pipeline->version("track"), track);
  EXPECT_NE(pipeline->version("last"), last);
  for (const ExecutionMode mode : kModes) ASSERT_TRUE(analyse(*pipeline, {0, 30}, mode).status);
  EXPECT_EQ(world.runs["source"] + world.runs["memory"] + world.runs["track"], 0);
  EXPECT_EQ(world.runs["last"], 30) << "the second run finds the first one's artifacts";
  ASSERT_TRUE(parameters.set("last", "gain", 1));
  ASSERT_TRUE(pipeline->configure(parameters));
  EXPECT_EQ(pipeline->version("last"), last);
  ASSERT_TRUE(pipeline->frame(12, {}, {}));
  EXPECT_EQ(world.runs["last"], 30) << "tuned back: still cached";
  ASSERT_TRUE(parameters.set("track", "gain", 2));
  ASSERT_TRUE(pipeline->configure(parameters));
  ASSERT_TRUE(pipeline->frame(12, {}, {}));
  EXPECT_EQ(world.runs["memory"], 0);
  EXPECT_EQ(world.runs["track"], 13) << "a new version replays from frame 0, over cached inputs";
  EXPECT_EQ(world.runs["last"], 31) << "replayed frames run only what the replay needs";
}

TEST(Pipeline, ARangeReplaysFromTheNearestCheckpoint) {
  for (const ExecutionMode mode : kModes) {
    ToyWorld world;
    PipelineOptions options;
    options.cache_bytes = 0;
    options.checkpoint_interval_frames = 10;
    const auto pipeline = make_toy_pipeline(world, options);
    ASSERT_TRUE(pipeline->configure(toy_parameters()));
    ASSERT_TRUE(analyse(*pipeline, {0, 60}, mode).status);
    for (auto& [name, count] : world.runs) count = 0;
    const Collected got = analyse(*pipeline, {33, 36}, mode);
    ASSERT_TRUE(got.status);
    const auto reference = toy_reference(36, toy_parameters());
    for (const auto& result : got.results) EXPECT_EQ(toy_values(*result), reference[result->frame]);
    EXPECT_EQ(world.runs["track"], 6) << "30 to 35: the checkpoint after frame 29 is the nearest";
    EXPECT_EQ(world.runs["last"], 3);
  }
}

TEST(Pipeline, APreviewIsMarkedAndNeverKept) {
  ToyWorld world;
  const auto pipeline = make_toy_pipeline(world, {});
  ParameterStore parameters = toy_parameters();
  ASSERT_TRUE(pipeline->configure(parameters));
  const auto reference = toy_reference(101, parameters);
  const FrameEffort quick{.allow_preview = true, .max_replay_frames = 5};
  const auto first = pipeline->frame(100, quick, {});
  ASSERT_TRUE(first);
  EXPECT_TRUE((*first)->preview);
  EXPECT_LE(world.runs["track"], 6) << "no more than the frames one may replay, and the frame itself";
  EXPECT_EQ(toy_values(**first)["source"], reference[100].at("source")) << "stages without memory are exact";
  const auto exact = pipeline->frame(100, {}, {});
  ASSERT_TRUE(exact);
  EXPECT_FALSE((*exact)->preview);
  EXPECT_EQ(toy_values(**exact), reference[100]);
  EXPECT_FALSE((*pipeline->frame(100, quick, {}))->preview) << "now it is known";
  EXPECT_FALSE((*pipeline->frame(4, quick, {}))->preview) << "near enough for an exact replay";
  ASSERT_TRUE(parameters.set("memory", "gain", 3));
  ASSERT_TRUE(pipeline->configure(parameters));
  world.runs["memory"] = 0;
  EXPECT_TRUE((*pipeline->frame(80, quick, {}))->preview);
  EXPECT_EQ(world.runs["memory"], 1) << "another version's checkpoint serves a preview";
}

TEST(Pipeline, PicturesAloneRunNothingElse) {
  ToyWorld world;
  const auto pipeline = make_toy_pipeline(world, {});
  ASSERT_TRUE(pipeline->configure(toy_parameters()));
  ASSERT_TRUE(pipeline->frame(3, {}, {}));
  for (auto& [name, count] : world.runs) count = 0;
  FrameEffort pictures;
  pictures.last_stage = "source";
  EXPECT_EQ(toy_values(**pipeline->frame(9, pictures, {})).size(), 1u);
  EXPECT_EQ(toy_values(**pipeline->frame(3, pictures, {})).size(), 4u) << "what is cached is shown too";
  EXPECT_EQ(world.runs["source"], 1);
  EXPECT_EQ(world.runs["memory"], 0);
}

TEST(Pipeline, AnErrorEndsTheRunAfterCompleteResults) {
  const auto reference = toy_reference(60, toy_parameters());
  for (const ExecutionMode mode : kModes)
    for (const char* stage : {"source", "memory", "track", "last"})
      for (const bool by_exception : {false, true}) {
        SCOPED_TRACE(stage);
        ToyWorld world;
        world.failing_stage = stage;
        world.failing_frame = 37;
        world.fail_by_exception = by_exception;
        const auto pipeline = make_toy_pipeline(world, {});
        ASSERT_TRUE(pipeline->configure(toy_parameters()));
        Collected got = analyse(*pipeline, {0, 60}, mode);
        ASSERT_FALSE(got.status);
        EXPECT_EQ(got.status.error().what, "broken on purpose");
        EXPECT_EQ(got.results.size(), 37u);
        EXPECT_EQ(toy_values(*got.results.back()), reference[36]);
        world.failing_frame = -1;
        got = analyse(*pipeline, {30, 60}, mode);
        ASSERT_TRUE(got.status) << "the pipeline goes on after an error";
        EXPECT_EQ(toy_values(*got.results.back()), reference[59]);
      }
}

// Without workers at the same time the first would wait for the others for ever.
TEST(Pipeline, WorkersOfAStageRunTogetherAndKeepTheOrder) {
  ToyWorld world;
  world.frames = 90;
  world.delay_us = 300;
  std::latch meeting(static_cast<ptrdiff_t>(world.workers));
  world.meeting = &meeting;
  const auto pipeline = make_toy_pipeline(world, {});
  const ParameterStore parameters = toy_parameters();
  ASSERT_TRUE(pipeline->configure(parameters));
  const std::vector<ToyValues> reference = toy_reference(world.frames, parameters);
  const Collected got = analyse(*pipeline, {0, world.frames}, ExecutionMode::threaded);
  ASSERT_TRUE(got.status);
  ASSERT_EQ(got.results.size(), reference.size());
  for (size_t i = 0; i < reference.size(); ++i) {
    EXPECT_EQ(got.results[i]->frame, static_cast<int64_t>(i));
    EXPECT_EQ(toy_values(*got.results[i]), reference[i]);
  }
}

TEST(Pipeline, TheVideosEndIsNoError) {
  for (const ExecutionMode mode : kModes) {
    ToyWorld world;
    world.frames = 20;
    const auto pipeline = make_toy_pipeline(world, {});
    ASSERT_TRUE(pipeline->configure(toy_parameters()));
    Collected got = analyse(*pipeline, {10, 100}, mode);
    EXPECT_TRUE(got.status);
    EXPECT_EQ(got.results.size(), 10u);
    got = analyse(*pipeline, {50, 100}, mode);
    EXPECT_TRUE(got.status);
    EXPECT_TRUE(got.results.empty());
    EXPECT_EQ(pipeline->frame(20, {}, {}).error().kind, ErrorKind::end_of_stream);
    EXPECT_EQ(pipeline->frame(-1, {}, {}).error().kind, ErrorKind::invalid_argument);
  }
}

TEST(Pipeline, StoppingLeavesCompleteResults) {
  const auto reference = toy_reference(300, toy_parameters());
  for (const ExecutionMode mode : kModes) {
    ToyWorld world;
    const auto pipeline = make_toy_pipeline(world, {});
    ASSERT_TRUE(pipeline->configure(toy_parameters()));
    Collected got = analyse(*pipeline, {0, 300}, mode, StopSource(), 17);
    ASSERT_FALSE(got.status);
    EXPECT_EQ(got.status.error().kind, ErrorKind::cancelled);
    ASSERT_GE(got.results.size(), 17u);
    for (size_t i = 0; i < got.results.size(); ++i) ASSERT_EQ(toy_values(*got.results[i]), reference[i]);
    got = analyse(*pipeline, {0, 300}, mode, StopSource(), 17, true);
    EXPECT_TRUE(got.status) << "the sink's own wish is no error";
    EXPECT_EQ(got.results.size(), 17u);
    StopSource stopped;
    stopped.request_stop();
    EXPECT_EQ(pipeline->frame(200, {}, stopped).error().kind, ErrorKind::cancelled);
  }
}

// Ends a run in every way at random moments. A deadlock would run into ctest's time limit.
TEST(Pipeline, NoOrderOfEndingBlocks) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  for (int round = 0; round < 150; ++round) {
    ToyWorld world;
    world.frames = 20 + static_cast<int64_t>(random() % 60);
    world.delay_us = static_cast<int>(random() % 200);
    const char* stages[] = {"source", "memory", "track", "last", "nobody"};
    world.failing_stage = stages[random() % 5];
    world.failing_frame = static_cast<int64_t>(random() % 60);
    world.fail_by_exception = random() % 2 == 0;
    PipelineOptions options;
    options.queue_frames = 1 + random() % 4;
    options.queue_bytes = 1 + random() % 500;
    TraceRecorder trace(64);
    if (random() % 2) options.trace = &trace;
    const auto pipeline = make_toy_pipeline(world, options);
    ASSERT_TRUE(pipeline->configure(toy_parameters()));
    StopSource stop;
    const auto wait = std::chrono::microseconds(random() % 4000);
    std::thread stopper([&stop, wait] {
      std::this_thread::sleep_for(wait);
      stop.request_stop();
    });
    const int64_t stop_after = static_cast<int64_t>(random() % 80);
    const Collected got = analyse(*pipeline, {static_cast<int64_t>(random() % 10), 80},
                                  ExecutionMode::threaded, stop, stop_after, true);
    stopper.join();
    for (size_t i = 1; i < got.results.size(); ++i)
      ASSERT_EQ(got.results[i]->frame, got.results[i - 1]->frame + 1);
  }
}

TEST(Pipeline, ASinkThatThrowsEndsTheThreads) {
  ToyWorld world;
  const auto pipeline = make_toy_pipeline(world, {});
  ASSERT_TRUE(pipeline->configure(toy_parameters()));
  EXPECT_THROW(static_cast<void>(pipeline->analyse(
                   {0, 100}, ExecutionMode::threaded,
                   [](const FrameResultRef&) -> bool { throw std::runtime_error("the sink"); }, {})),
               std::runtime_error);
  EXPECT_TRUE(pipeline->frame(5, {}, {}));
}

TEST(Pipeline, EveryStageAndWaitIsASpan) {
  ToyWorld world;
  TraceRecorder trace;
  PipelineOptions options;
  options.trace = &trace;
  const auto pipeline = make_toy_pipeline(world, options);
  ASSERT_TRUE(pipeline->configure(toy_parameters()));
  ASSERT_TRUE(analyse(*pipeline, {0, 10}, ExecutionMode::threaded).status);
  std::map<std::string, int> stages, waits;
  for (const TraceSpan& span : trace.snapshot()) ++(span.kind == SpanKind::stage ? stages : waits)[span.name];
  for (const char* name : {"source", "memory", "track", "last"}) EXPECT_EQ(stages[name], 10) << name;
  EXPECT_EQ(waits["wait for device"], 10);
  EXPECT_GT(waits["wait for input"], 0);
  EXPECT_GT(waits["wait for room"], 0);
}

// Live cameras: what was left out never comes, and a stage goes on from what it remembers, also when its
// parameters change. Each frame is run once.
TEST(Pipeline, FramesThatNeverComeAreNotReplayed) {
  ToyWorld world;
  PipelineOptions options;
  options.cache_bytes = 0;
  options.unseen = UnseenFrames::go_on;
  const auto pipeline = make_toy_pipeline(world, options);
  ParameterStore parameters = toy_parameters();
  ASSERT_TRUE(pipeline->configure(parameters));
  int frames = 0;
  for (const int64_t frame : {3, 4, 9, 10, 500, 501}) {
    if (frame == 10) {
      ASSERT_TRUE(parameters.set("memory", "gain", 2.0));
      ASSERT_TRUE(pipeline->configure(parameters));
    }
    const auto result = pipeline->frame(frame, {}, {});
    ASSERT_TRUE(result) << result.error().message();
    EXPECT_FALSE((*result)->preview);
    ++frames;
    for (const char* stage : {"source", "memory", "track", "last"})
      EXPECT_EQ(world.runs[stage], frames) << stage;
  }
}

TEST(Pipeline, WrongChainsAreRefused) {
  ToyWorld world;
  std::vector<std::unique_ptr<Stage>> stages;
  stages.push_back(
      std::make_unique<test::ToyStage>(world, "memory", std::vector<std::string>{"source"}, true));
  EXPECT_FALSE(Pipeline::make(std::move(stages), {}));
  stages.clear();
  for (int i = 0; i < 2; ++i)
    stages.push_back(std::make_unique<test::ToyStage>(world, "source", std::vector<std::string>{}, false));
  EXPECT_FALSE(Pipeline::make(std::move(stages), {}));
  PipelineOptions options;
  options.checkpoint_interval_frames = 0;
  EXPECT_FALSE(Pipeline::make({}, options));
}

}  // namespace
}  // namespace vantage
