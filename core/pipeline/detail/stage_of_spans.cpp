#include "core/pipeline/detail/stage_of_spans.h"

#include <algorithm>
#include <string>

#include "core/base/hash.h"

namespace vantage {
namespace {

class StageOfSpans final : public Stage {
 public:
  explicit StageOfSpans(std::vector<StageSpan> spans) : spans_(std::move(spans)) {}

  std::string_view name() const override { return first().name(); }
  std::vector<std::string_view> inputs() const override { return first().inputs(); }
  Status configure(const ParameterStore& parameters) override {
    for (const StageSpan& span : spans_) VANTAGE_TRY(span.stage->configure(parameters));
    return {};
  }
  uint64_t own_hash() const override {
    Hasher hasher;
    for (const StageSpan& span : spans_) hasher.add(span.begin).add(span.stage->own_hash());
    return hasher.value();
  }
  Result<ArtifactRef> run(int64_t frame, const FrameArtifacts& inputs) override {
    const auto next =
        std::upper_bound(spans_.begin(), spans_.end(), frame,
                         [](int64_t wanted, const StageSpan& span) { return wanted < span.begin; });
    return std::prev(next)->stage->run(frame, inputs);
  }
  void put(ArtifactRef made, FrameArtifacts* artifacts) const override {
    first().put(std::move(made), artifacts);
  }

 private:
  const Stage& first() const { return *spans_.front().stage; }
  const std::vector<StageSpan> spans_;
};

}  // namespace

Result<std::unique_ptr<Stage>> make_stage_of_spans(std::vector<StageSpan> spans) {
  for (const StageSpan& span : spans)
    if (span.stage->has_memory())
      return fail(ErrorKind::unsupported, "a stage with memory cannot be another one later",
                  std::string(span.stage->name()));
  return std::make_unique<StageOfSpans>(std::move(spans));
}

}  // namespace vantage
