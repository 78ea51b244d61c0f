#include "core/pipeline/pipeline.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "core/base/byte_stream.h"
#include "core/base/hash.h"
#include "core/base/threads.h"
#include "core/pipeline/detail/chain.h"
#include "core/pipeline/detail/person_motion.h"

namespace vantage::pipeline_detail {
namespace {

// Runs a range of frames with one thread that plans, one per worker of a stage, and bounded queues between
// stages. Workers of a stage take jobs in order and pass them on in that order.

size_t job_bytes(const Job& job) {
  size_t total = sizeof job;
  for (const Job::Slot& slot : job.slots)
    if (slot.artifact) total += slot.artifact->size_bytes();
  return total;
}

class ThreadedRun {
 public:
  ThreadedRun(Chain& chain, const PipelineOptions& options, const StopSource& stop)
      : chain_(chain), stop_(stop), turns_(chain.stages.size()) {
    for (size_t i = 0; i <= chain.stages.size(); ++i)
      queues_.push_back(
          std::make_unique<Queue>(options.queue_frames, options.queue_bytes, QueuePolicy::block));
  }
  // Ends all waits and threads, however the run ends, also by an exception from the sink.
  ~ThreadedRun() { end(); }

  Status run(FrameRange range, const std::function<bool(FrameResultRef)>& sink) {
    threads_.emplace_back([this, range] { plan_range(range); });
    for (size_t i = 0; i < chain_.stages.size(); ++i) {
      const size_t workers = chain_.stages[i].stage->workers();
      assert(workers == 1 || !chain_.stages[i].has_memory);
      turns_[i].at_work = workers;
      for (size_t w = 0; w < workers; ++w) threads_.emplace_back([this, i, w] { run_worker(i, w); });
    }
    Status delivered = deliver(sink);
    end();
    if (!delivered) return delivered;
    return sink_stopped_ || stream_ended_ ? Status{} : planned_;
  }

 private:
  using Queue = BoundedQueue<Job>;

  void plan_range(FrameRange range) {
    Planner planner(chain_, [this](Job job) -> Status {
      if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
      const SpanGuard span(chain_.trace, "wait for room", "plan", job.frame, -1, SpanKind::wait);
      // Nothing is planned after a failed frame.
      if (first_failed_ != UINT64_MAX || !queues_.front()->push(std::move(job)))
        return fail(ErrorKind::cancelled, "the run has ended");
      return {};
    });
    const std::vector<bool> all(chain_.stages.size(), true);
    for (int64_t frame = range.begin; frame < range.end && planned_; ++frame)
      planned_ = planner.plan(frame, all, {});
    queues_.front()->close();
  }

  // The order in which one stage's workers pass jobs on.
  struct Turns {
    std::mutex taking, passing;
    std::condition_variable passed;
    uint64_t taken = 0, passed_on = 0;
    size_t at_work = 0;  // workers that have not ended
  };

  void run_worker(size_t index, size_t worker) {
    Turns& turns = turns_[index];
    std::string lane = "stage " + chain_.stages[index].name;
    if (worker > 0) lane += " " + std::to_string(worker + 1);
    bool open = true;
    while (open) {
      std::unique_lock taking(turns.taking);
      std::optional<Job> job = next_job(*queues_[index], lane);
      const uint64_t number = turns.taken++;
      taking.unlock();
      if (job) {
        if (job->number < first_failed_) run_stage(chain_, index, *job, lane);
        if (job->error) note_failure(job->number);
      }
      std::unique_lock passing(turns.passing);
      const SpanGuard span(chain_.trace, "wait for room", lane, job ? job->frame : -1, -1, SpanKind::wait);
      turns.passed.wait(passing, [&] { return turns.passed_on == number; });
      open = job && pass_on(index, *job);
      ++turns.passed_on;
      if (!open && --turns.at_work == 0) queues_[index + 1]->close();
      turns.passed.notify_all();
    }
  }

  bool pass_on(size_t index, Job& job) {
    const size_t bytes = job_bytes(job);
    return queues_[index + 1]->push(std::move(job), bytes);
  }

  std::optional<Job> next_job(Queue& queue, const std::string& lane) {
    const SpanGuard span(chain_.trace, "wait for input", lane, -1, -1, SpanKind::wait);
    return queue.pop();
  }

  // Jobs planned after the failed one are passed on without processing; those before it are completed.
  void note_failure(uint64_t number) {
    uint64_t known = first_failed_;
    while (number < known && !first_failed_.compare_exchange_weak(known, number)) continue;
  }

  Status deliver(const std::function<bool(FrameResultRef)>& sink) {
    const std::string lane = "results";
    while (std::optional<Job> job = next_job(*queues_.back(), lane)) {
      if (job->error) {
        stream_ended_ = job->error->kind == ErrorKind::end_of_stream;
        return stream_ended_ ? Status{} : fail(std::move(*job->error));
      }
      if (!job->deliver) continue;
      VANTAGE_ASSIGN(FrameResultRef result, finish_job(chain_, *job, lane));
      job.reset();
      if (!sink(std::move(result))) {
        sink_stopped_ = true;
        return {};
      }
    }
    return {};
  }

  void end() {
    for (const auto& queue : queues_) queue->abort();
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

  Chain& chain_;
  const StopSource stop_;
  std::vector<std::unique_ptr<Queue>> queues_;  // into each stage, and out of the last
  std::vector<Turns> turns_;                    // of each stage
  std::vector<std::thread> threads_;
  std::atomic<uint64_t> first_failed_{UINT64_MAX};
  Status planned_;  // the planning thread's, read after it has ended
  bool stream_ended_ = false, sink_stopped_ = false;
};

// As Pipeline::analyse(). The sink runs on the caller's thread. All threads have ended on return.
Status run_threaded(Chain& chain, FrameRange range, const PipelineOptions& options,
                    const std::function<bool(FrameResultRef)>& sink, const StopSource& stop) {
  ThreadedRun run(chain, options, stop);
  return run.run(range, sink);
}

// Memories of a chain's stages, as bytes from which another process continues: a mark, the format's number, a
// checksum of the rest; then the frame, and for each stage with memory its name, its version and the bytes of
// Stage::write_memory().

// As Pipeline::write_memory() and read_memory().
Result<std::string> write_memory(const Chain& chain, int64_t frame);
Status read_memory(std::string_view bytes, int64_t frame, Chain* chain);

constexpr std::string_view kMemoryMark = "vantage stage memory\n";
constexpr uint32_t kFormat = 3;

uint64_t checksum(std::string_view bytes) {
  return Hasher().bytes(bytes.data(), bytes.size()).value();
}

// The content after mark, format and checksum.
Result<std::string_view> checked_content(std::string_view bytes) {
  if (!bytes.starts_with(kMemoryMark))
    return fail(ErrorKind::bad_data, "this is not a memory of stages", "state", "Run the task before again.");
  ByteReader head(bytes.substr(kMemoryMark.size()));
  const auto format = head.take<uint32_t>();
  if (!head.damaged() && format != kFormat)
    return fail(ErrorKind::bad_data,
                "the memory of stages has format " + std::to_string(format) + ", this program reads " +
                    std::to_string(kFormat),
                "state", "Run all tasks with one version of the program.");
  const auto sum = head.take<uint64_t>();
  const std::string_view content = head.take_text();
  if (head.finish() && sum == checksum(content)) return content;
  return fail(ErrorKind::bad_data, "the memory of stages is damaged", "state", "Run the task before again.");
}

Status read_stage(ByteReader* from, int64_t frame, ChainStage* entry) {
  const std::string_view name = from->take_text();
  const auto version = from->take<uint64_t>();
  const std::string_view memory = from->take_text();
  if (from->damaged() || name != entry->name)
    return fail(ErrorKind::invalid_argument, "the memory is of a chain of other stages", entry->name);
  if (version != entry->version)
    return fail(ErrorKind::invalid_argument,
                "the memory was made with other parameters, cameras, inputs or another device", entry->name,
                "Run all tasks of a recording with the same ones.");
  ByteReader bytes(memory);
  entry->position.known = false;
  Status read = entry->stage->read_memory(&bytes);
  if (read) read = bytes.finish();
  if (!read) {
    Error error = read.error();
    error.where = entry->name + (error.where.empty() ? "" : ", " + error.where);
    return fail(std::move(error));
  }
  entry->position = {true, frame, entry->version, true};
  return {};
}

Result<std::string> write_memory(const Chain& chain, int64_t frame) {
  ByteWriter content;
  content.add(frame);
  for (const ChainStage& entry : chain.stages) {
    if (!entry.has_memory) continue;
    if (!entry.position.is(entry.version, frame))
      return fail(ErrorKind::invalid_argument, "the stage does not stand at the frame", entry.name,
                  "Frame " + std::to_string(frame) + " must be the last that was analysed.");
    ByteWriter memory;
    VANTAGE_TRY(entry.stage->write_memory(&memory));
    content.add(entry.name).add(entry.version).add(memory.bytes());
  }
  ByteWriter whole;
  whole.raw(kMemoryMark.data(), kMemoryMark.size())
      .add(kFormat)
      .add(checksum(content.bytes()))
      .add(content.bytes());
  return whole.take();
}

Status read_memory(std::string_view bytes, int64_t frame, Chain* chain) {
  VANTAGE_ASSIGN(const std::string_view content, checked_content(bytes));
  ByteReader from(content);
  if (const auto of = from.take<int64_t>(); of != frame)
    return fail(ErrorKind::invalid_argument,
                "the memory is that after frame " + std::to_string(of) + ", not " + std::to_string(frame));
  for (ChainStage& entry : chain->stages)
    if (entry.has_memory) VANTAGE_TRY(read_stage(&from, frame, &entry));
  return from.finish();
}

}  // namespace

}  // namespace vantage::pipeline_detail

namespace vantage {

using pipeline_detail::Chain;
using pipeline_detail::ChainStage;
using pipeline_detail::Job;
using pipeline_detail::Planner;

namespace {

Result<size_t> find_stage(const Chain& chain, std::string_view name) {
  for (size_t i = 0; i < chain.stages.size(); ++i)
    if (chain.stages[i].name == name) return i;
  return fail(ErrorKind::invalid_argument, "no such stage before this one", std::string(name));
}

Status check_options(const PipelineOptions& options) {
  if (options.checkpoint_interval_frames < 1 || options.queue_frames < 1)
    return fail(ErrorKind::invalid_argument,
                "the checkpoint interval and the queues hold at least one frame");
  return {};
}

}  // namespace

class Pipeline::Impl {
 public:
  explicit Impl(PipelineOptions options)
      : options_(options), chain_(options.cache_bytes, options.checkpoint_bytes) {
    chain_.checkpoint_interval_frames = options.checkpoint_interval_frames;
    chain_.replays = options.unseen == UnseenFrames::replay;
    chain_.trace = options.trace;
    chain_.kept = options.kept;
  }

  Status add(std::unique_ptr<Stage> stage) {
    ChainStage entry;
    entry.name = stage->name();
    entry.has_memory = stage->has_memory();
    if (find_stage(chain_, entry.name))
      return fail(ErrorKind::invalid_argument, "two stages have the same name", entry.name);
    VANTAGE_ASSIGN(entry.inputs, inputs_of(*stage));
    entry.stage = std::move(stage);
    chain_.stages.push_back(std::move(entry));
    chain_.update_versions();
    return {};
  }

  Result<std::vector<size_t>> inputs_of(const Stage& stage) const {
    std::vector<size_t> inputs;
    for (const std::string_view input : stage.inputs()) {
      VANTAGE_ASSIGN(const size_t index, find_stage(chain_, input));
      inputs.push_back(index);
    }
    return inputs;
  }

  Status configure(const ParameterStore& parameters) {
    Status status;
    for (ChainStage& entry : chain_.stages) {
      if (Status configured = entry.stage->configure(parameters); !configured && status) status = configured;
      VANTAGE_ASSIGN(entry.inputs, inputs_of(*entry.stage));
      entry.input_need = pipeline_detail::input_need(entry.name, entry.stage->own_hash(), parameters);
    }
    chain_.update_versions();
    return status;
  }

  std::map<std::string, uint64_t, std::less<>> versions() const {
    std::map<std::string, uint64_t, std::less<>> versions;
    for (const ChainStage& entry : chain_.stages) versions.emplace(entry.name, entry.version);
    return versions;
  }

  void keep_before(int64_t first_changed) {
    std::vector<uint64_t> before;
    for (const ChainStage& entry : chain_.stages) before.push_back(entry.version);
    chain_.update_versions();
    for (size_t i = 0; i < before.size(); ++i) {
      ChainStage& entry = chain_.stages[i];
      if (entry.version == before[i]) continue;
      chain_.cache.restate(i, before[i], entry.version, first_changed);
      chain_.checkpoints.restate(i, before[i], entry.version, first_changed);
      pipeline_detail::MemoryPosition& at = entry.position;
      if (at.version == before[i] && at.frame < first_changed) at.version = entry.version;
    }
  }

  void set_limits(size_t cache_bytes, size_t checkpoint_bytes) {
    chain_.cache.set_max_bytes(cache_bytes);
    chain_.checkpoints.set_max_bytes(checkpoint_bytes);
  }

  uint64_t version(std::string_view stage) const {
    const Result<size_t> index = find_stage(chain_, stage);
    return index ? chain_.stages[*index].version : 0;
  }

  Result<std::string> write_memory(int64_t frame) const {
    return pipeline_detail::write_memory(chain_, frame);
  }
  Status read_memory(std::string_view bytes, int64_t frame) {
    return pipeline_detail::read_memory(bytes, frame, &chain_);
  }

  Result<FrameResultRef> frame(int64_t frame, const FrameEffort& effort, const StopSource& stop) {
    if (frame < 0) return fail(ErrorKind::invalid_argument, "frames count from 0", std::to_string(frame));
    chain_.delivered = {};
    std::vector<bool> wanted(chain_.stages.size(), true);
    if (!effort.last_stage.empty()) {
      VANTAGE_ASSIGN(const size_t last, find_stage(chain_, effort.last_stage));
      wanted.assign(chain_.stages.size(), false);
      wanted[last] = true;
    }
    FrameResultRef result;
    Planner planner(chain_, [&](Job job) { return run_inline(std::move(job), stop, &result); });
    VANTAGE_TRY(planner.plan(frame, wanted, effort));
    return result;
  }

  int64_t replay_frames(int64_t frame) {
    int64_t max = 0;
    for (size_t i = 0; i < chain_.stages.size(); ++i) {
      const ChainStage& entry = chain_.stages[i];
      if (!entry.has_memory || chain_.cache.find({frame, i, entry.version})) continue;
      const pipeline_detail::MemoryPosition& at = entry.position;
      const bool usable = at.known && at.exact && at.version == entry.version && at.frame < frame;
      const auto checkpoint = chain_.checkpoints.last_before(i, entry.version, frame - 1);
      const int64_t start = std::max(usable ? at.frame : -1, checkpoint ? checkpoint->frame : -1);
      max = std::max(max, frame - 1 - start);
    }
    return max;
  }

  Result<const Stage*> stage_before(int64_t frame, std::string_view name, const StopSource& stop) {
    VANTAGE_ASSIGN(const size_t index, find_stage(chain_, name));
    const ChainStage& entry = chain_.stages[index];
    if (frame < 0 || !entry.has_memory)
      return fail(ErrorKind::invalid_argument, "frames count from 0, and only some stages have a memory",
                  entry.name);
    if (!chain_.replays)
      return fail(ErrorKind::unsupported, "live cameras continue: the state before this frame is not kept",
                  entry.name, "Record the cameras, and ask in the recording.");
    chain_.delivered = {};
    FrameResultRef result;
    Planner planner(chain_, [&](Job job) { return run_inline(std::move(job), stop, &result); });
    VANTAGE_TRY(planner.stand_before(index, frame));
    return entry.stage.get();
  }

  Status analyse(FrameRange range, ExecutionMode mode, const std::function<bool(FrameResultRef)>& sink,
                 const StopSource& stop, const Delivered& delivered) {
    range.begin = std::max<int64_t>(range.begin, 0);
    chain_.delivered = delivered;
    if (mode == ExecutionMode::threaded)
      return pipeline_detail::run_threaded(chain_, range, options_, sink, stop);
    FrameResultRef result;
    Planner planner(chain_, [&](Job job) { return run_inline(std::move(job), stop, &result); });
    const std::vector<bool> all(chain_.stages.size(), true);
    for (int64_t frame = range.begin; frame < range.end; ++frame) {
      if (const Status made = planner.plan(frame, all, {}); !made)
        return made.error().kind == ErrorKind::end_of_stream ? Status{} : made;
      if (!sink(std::move(result))) return {};
    }
    return {};
  }

 private:
  Status run_inline(Job job, const StopSource& stop, FrameResultRef* result) {
    const std::string lane = "pipeline";
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    for (size_t i = 0; i < chain_.stages.size(); ++i) run_stage(chain_, i, job, lane);
    if (job.error) return fail(std::move(*job.error));
    if (!job.deliver) return {};
    VANTAGE_ASSIGN(*result, finish_job(chain_, job, lane));
    return {};
  }

  const PipelineOptions options_;
  Chain chain_;
};

Result<std::unique_ptr<Pipeline>> Pipeline::make(std::vector<std::unique_ptr<Stage>> stages,
                                                 PipelineOptions options) {
  VANTAGE_TRY(check_options(options));
  auto impl = std::make_unique<Impl>(options);
  for (std::unique_ptr<Stage>& stage : stages) VANTAGE_TRY(impl->add(std::move(stage)));
  return std::unique_ptr<Pipeline>(new Pipeline(std::move(impl)));
}

Pipeline::Pipeline(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Pipeline::~Pipeline() = default;

Status Pipeline::configure(const ParameterStore& parameters) {
  return impl_->configure(parameters);
}
uint64_t Pipeline::version(std::string_view stage) const {
  return impl_->version(stage);
}
std::map<std::string, uint64_t, std::less<>> Pipeline::versions() const {
  return impl_->versions();
}
void Pipeline::keep_before(int64_t first_changed) {
  impl_->keep_before(first_changed);
}
void Pipeline::set_limits(size_t cache_bytes, size_t checkpoint_bytes) {
  impl_->set_limits(cache_bytes, checkpoint_bytes);
}
Result<std::string> Pipeline::write_memory(int64_t frame) const {
  return impl_->write_memory(frame);
}
Status Pipeline::read_memory(std::string_view bytes, int64_t frame) {
  return impl_->read_memory(bytes, frame);
}
Result<FrameResultRef> Pipeline::frame(int64_t frame, const FrameEffort& effort, const StopSource& stop) {
  return impl_->frame(frame, effort, stop);
}
int64_t Pipeline::replay_frames(int64_t frame) {
  return impl_->replay_frames(frame);
}
Result<const Stage*> Pipeline::stage_before(int64_t frame, std::string_view stage, const StopSource& stop) {
  return impl_->stage_before(frame, stage, stop);
}
Status Pipeline::analyse(FrameRange range, ExecutionMode mode,
                         const std::function<bool(FrameResultRef)>& sink, const StopSource& stop,
                         const Delivered& delivered) {
  [[maybe_unused]] const ThreadCheck caller;
  const auto on_caller = [&](FrameResultRef result) {
    assert(caller.here());
    return sink(std::move(result));
  };
  return impl_->analyse(range, mode, on_caller, stop, delivered);
}

template <>
const ParameterTable& parameter_table<AppearanceParameters>() {
  using P = AppearanceParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "appearance", "Colours of people",
      {
          boolean<&P::enabled>("Measure colours",
                               "Keep the colours of people's clothes that each camera sees; paths then tell "
                               "people apart by them where they cross."),
      });
  return table;
}

}  // namespace vantage
