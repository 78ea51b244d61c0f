// A session's listener that keeps its calls and lets a test wait for them.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "core/session/session.h"

namespace vantage::test {

class SessionRecorder final : public SessionListener {
 public:
  void on_opened(const Project& project) override {
    set([&] { opened_ = project, ++opened_count_; });
  }
  void on_frame(ShownFrameRef shown) override {
    set([&] {
      report_.push_back(told_of(*shown));
      shown_ = shown->result, shown_frame_ = std::move(shown), ++frames_;
    });
  }
  void on_status(const SessionStatus& status) override {
    set([&] {
      analyses_begun_ += status.analysing && !status_.analysing;
      analyses_ended_ += status_.analysing && !status.analysing;
      status_ = status;
    });
  }
  void on_results(std::vector<FrameSummary> states) override {
    set([&] { states_ = std::move(states); });
  }
  void on_tracks(TracksRef tracks) override {
    set([&] { tracks_ = std::move(tracks); });
  }
  void on_offset_proposal(const OffsetProposal& proposal, bool applied) override {
    set([&] { (applied ? applied_ : proposed_).push_back(proposal); });
  }
  void on_why(const WhyReport& report) override {
    set([&] { why_.push_back(report); });
  }
  void on_error(const Error& error) override {
    set([&] { errors_.push_back(error); });
  }
  void on_note(const std::string& note) override {
    set([&] { notes_.push_back(note); });
  }
  void on_step(const RepeatedStep& step) override {
    set([&] { steps_.push_back(step); });
  }

  // Waits until the condition, evaluated under the lock, holds.
  template <typename Condition>
  bool wait_for(const Condition& condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(120), [&] { return condition(*this); });
  }
  bool wait_for_exact(int64_t frame) {
    return wait_for([frame](const SessionRecorder& r) {
      return r.shown_ && r.shown_->frame == frame && !r.shown_->preview && r.shown_->volume();
    });
  }
  // Waits until an analysis started here has begun and ended, also where both happen at once.
  template <typename Start>
  bool wait_for_analysis(const Start& start) {
    const int ended = [this] {
      const std::lock_guard lock(mutex_);
      return analyses_ended_;
    }();
    start();
    return wait_for([ended](const SessionRecorder& r) { return r.analyses_ended_ > ended; });
  }
  int64_t count(FrameState state) const {
    return std::count_if(states_.begin(), states_.end(),
                         [&](const FrameSummary& f) { return f.state == state; });
  }

  // State that sessions change during a test: copies, made under the lock.
  SessionStatus status() const {
    const std::lock_guard lock(mutex_);
    return status_;
  }
  FrameResultRef shown() const {
    const std::lock_guard lock(mutex_);
    return shown_;
  }
  ShownFrameRef shown_frame() const {
    const std::lock_guard lock(mutex_);
    return shown_frame_;
  }
  int frames() const {
    const std::lock_guard lock(mutex_);
    return frames_;
  }
  std::vector<Error> errors() const {
    const std::lock_guard lock(mutex_);
    return errors_;
  }

  // The people of every frame shown.
  struct Told {
    int64_t frame = 0;
    bool preview = false, computed = false;  // computed: not only its pictures
    bool people = false;                     // the people are known
    std::vector<int64_t> numbers;
  };
  std::vector<Told> told() const {
    const std::lock_guard lock(mutex_);
    return report_;
  }
  void forget_told() {
    const std::lock_guard lock(mutex_);
    report_.clear();
  }

  Project opened_;
  int opened_count_ = 0;
  FrameResultRef shown_;       // the chain's
  ShownFrameRef shown_frame_;  // the same, with the session's additions
  int frames_ = 0;
  SessionStatus status_;
  int analyses_begun_ = 0, analyses_ended_ = 0;
  std::vector<FrameSummary> states_;
  TracksRef tracks_;
  std::vector<OffsetProposal> proposed_, applied_;
  std::vector<WhyReport> why_;
  std::vector<Error> errors_;
  std::vector<std::string> notes_;
  std::vector<RepeatedStep> steps_;

 private:
  static Told told_of(const ShownFrame& shown) {
    const FrameResult& result = *shown.result;
    Told told{result.frame, result.preview, result.volume() != nullptr, shown.people() != nullptr, {}};
    for (const FramePerson& person : people_of(shown))
      if (person.track) told.numbers.push_back(person.id());
    return told;
  }
  template <typename Change>
  void set(const Change& change) {
    const std::lock_guard lock(mutex_);
    change();
    changed_.notify_all();
  }
  std::vector<Told> report_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace vantage::test
