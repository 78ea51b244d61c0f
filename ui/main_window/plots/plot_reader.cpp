#include "ui/main_window/plots/plot_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace vantage::ui {
namespace {

// What a look at the results gave.
struct ReadFigures {
  bool changed = false;
  std::map<std::vector<std::string>, ScalarsRef> scalars;
  ScalarOwners owners;
  QString problem;
};

}  // namespace

struct PlotReader::Source {
  std::filesystem::path results;
  std::set<std::vector<std::string>> figures;
  std::optional<ScalarFollower> follower;

  Result<bool> read_on(const StopSource& stop, bool running) {
    if (!follower) {
      std::set<std::string> each;
      for (const auto& together : figures) each.insert(together.begin(), together.end());
      VANTAGE_ASSIGN(ScalarFollower made, ScalarFollower::make(results, {each.begin(), each.end()},
                                                               {0, std::numeric_limits<int64_t>::max()}));
      follower.emplace(std::move(made));
    }
    return follower->read_on(stop, running);
  }
  std::map<std::vector<std::string>, ScalarsRef> scalars() const {
    std::map<std::vector<std::string>, ScalarsRef> all;
    const ResultScalars& read = follower->scalars();
    for (const auto& together : figures) {
      auto own = std::make_shared<ResultScalars>();
      own->frame_rate = read.frame_rate, own->frames = read.frames;
      for (const std::string& figure : together)
        own->series.push_back(*std::ranges::find(read.series, figure, &ScalarSeries::name));
      all.emplace(together, std::move(own));
    }
    return all;
  }
};

ScalarsRef PlotReader::scalars_of(const std::vector<std::string>& figures) const {
  const auto found = scalars_.find(figures);
  return found == scalars_.end() ? nullptr : found->second;
}

void PlotReader::set_source(const std::filesystem::path& results, std::set<std::vector<std::string>> figures,
                            bool running) {
  running_ = running;
  if (source_ && source_->results == results && source_->figures == figures) return look();
  if (source_ && source_->results != results) scalars_.clear(), owners_ = {};
  source_ = std::make_shared<Source>(Source{results, std::move(figures), std::nullopt});
  problem_.clear();
  first_ = true;
  read();
}

void PlotReader::look() {
  if (source_ && !job_.running()) read();
}

void PlotReader::forget() {
  job_.stop();
  source_.reset();
  scalars_.clear();
  owners_ = {};
  problem_.clear();
  emit changed();
}

// The job alone uses the source; one that was stopped keeps its own.
void PlotReader::read() {
  job_.start([this, source = source_, running = running_](const StopSource& stop) -> BackgroundJob::Deliver {
    auto found = std::make_shared<ReadFigures>();
    const Result<bool> read = source->read_on(stop, running);
    found->changed = read.value_or(true);
    if (!read)
      found->problem = read.error().kind == ErrorKind::not_found
                           ? tr("There are no results yet: analyse first.")
                           : QString::fromStdString(read.error().message());
    else
      found->owners = source->follower->owners();
    if (read && found->changed) found->scalars = source->scalars();
    return [this, found] {
      const bool news = std::exchange(first_, false) || found->changed || found->problem != problem_;
      if (found->changed) {
        scalars_ = std::move(found->scalars);
        owners_ = std::move(found->owners);
      }
      problem_ = found->problem;
      emit reading_changed();
      if (news) emit changed();
    };
  });
  emit reading_changed();
}

}  // namespace vantage::ui
