#include "ui/main_window/plots/plot_reader.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/json.h"

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

namespace {

QString spec_tr(const char* text) {
  return QCoreApplication::translate("PlotSpec", text);
}

}  // namespace

QString plot_spec_text(const PlotSpec& spec) {
  return QString::fromStdString(
      json_text(nlohmann::ordered_json{{"kind", std::string(scalar_plot_name(spec.kind))},
                                       {"figures", spec.figures},
                                       {"bins", spec.bins},
                                       {"in_range", spec.in_range}}));
}

std::optional<PlotSpec> plot_spec_of(const QString& text) {
  const nlohmann::json json = parse_json(text.toStdString());
  if (!json.is_object()) return std::nullopt;
  PlotSpec spec;
  try {
    const std::string kind = json.at("kind").get<std::string>();
    bool known = false;
    for (const ScalarPlotKind one : kScalarPlotKinds)
      if (scalar_plot_name(one) == kind) spec.kind = one, known = true;
    spec.figures = json.at("figures").get<std::vector<std::string>>();
    spec.bins = json.at("bins").get<int>();
    spec.in_range = json.at("in_range").get<bool>();
    if (!known || spec.bins < 0 || spec.bins > kMaxBins) return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return spec;
}

QString why_no_plot(const PlotSpec& spec) {
  for (const std::string& figure : spec.figures)
    if (const auto kind = scalar_kind(figure); !kind)
      return QString::fromStdString(kind.error().what + ": " + figure);
  if (spec.figures.empty()) return spec_tr("Choose a figure in the list.");
  if (spec.kind == ScalarPlotKind::scatter && spec.figures.size() != 2)
    return spec_tr("A scatter plot shows two figures: the one chosen first lies along x, the other along y.");
  return {};
}

QString plot_kind_text(ScalarPlotKind kind) {
  switch (kind) {
    case ScalarPlotKind::time:
      return spec_tr("Over time");
    case ScalarPlotKind::histogram:
      return spec_tr("Histogram");
    case ScalarPlotKind::scatter:
      return spec_tr("Scatter");
  }
  return {};
}

}  // namespace vantage::ui
