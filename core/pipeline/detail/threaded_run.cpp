#include "core/pipeline/detail/threaded_run.h"

#include <atomic>
#include <thread>

#include "core/base/bounded_queue.h"
#include "core/pipeline/detail/planner.h"

namespace vantage::pipeline_detail {
namespace {

size_t job_bytes(const Job& job) {
  size_t total = sizeof job;
  for (const Job::Slot& slot : job.slots)
    if (slot.artifact) total += slot.artifact->size_bytes();
  return total;
}

class ThreadedRun {
 public:
  ThreadedRun(Chain& chain, const PipelineOptions& options, const StopSource& stop)
      : chain_(chain), stop_(stop) {
    for (size_t i = 0; i <= chain.stages.size(); ++i)
      queues_.push_back(
          std::make_unique<Queue>(options.queue_frames, options.queue_bytes, QueuePolicy::block));
  }
  // However the run ends, also by an exception from the sink: no one waits for a queue any more, all threads
  // end.
  ~ThreadedRun() { end(); }

  Status run(FrameRange range, const std::function<bool(FrameResultRef)>& sink) {
    threads_.emplace_back([this, range] { plan_range(range); });
    for (size_t i = 0; i < chain_.stages.size(); ++i)
      threads_.emplace_back([this, i] { run_stages_thread(i); });
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
      // Behind a failed frame nothing is worth planning.
      if (first_failed_ != UINT64_MAX || !queues_.front()->push(std::move(job)))
        return fail(ErrorKind::cancelled, "the run has ended");
      return {};
    });
    const std::vector<bool> all(chain_.stages.size(), true);
    for (int64_t frame = range.begin; frame < range.end && planned_; ++frame)
      planned_ = planner.plan(frame, all, {});
    queues_.front()->close();
  }

  void run_stages_thread(size_t index) {
    const std::string lane = "stage " + chain_.stages[index].name;
    while (std::optional<Job> job = next_job(*queues_[index], lane)) {
      if (job->number < first_failed_) run_stage(chain_, index, *job, lane);
      if (job->error) note_failure(job->number);
      const size_t bytes = job_bytes(*job);
      const SpanGuard span(chain_.trace, "wait for room", lane, job->frame, -1, SpanKind::wait);
      if (!queues_[index + 1]->push(std::move(*job), bytes)) break;
    }
    queues_[index + 1]->close();
  }

  std::optional<Job> next_job(Queue& queue, const std::string& lane) {
    const SpanGuard span(chain_.trace, "wait for input", lane, -1, -1, SpanKind::wait);
    return queue.pop();
  }

  // Jobs planned behind the failed one are passed on untouched; those before it are completed.
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
  std::vector<std::thread> threads_;
  std::atomic<uint64_t> first_failed_{UINT64_MAX};
  Status planned_;  // the planning thread's, read after it has ended
  bool stream_ended_ = false, sink_stopped_ = false;
};

}  // namespace

Status run_threaded(Chain& chain, FrameRange range, const PipelineOptions& options,
                    const std::function<bool(FrameResultRef)>& sink, const StopSource& stop) {
  ThreadedRun run(chain, options, stop);
  return run.run(range, sink);
}

}  // namespace vantage::pipeline_detail
