#include "core/foreground/steady_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/foreground/camera_shake.h"
#include "core/foreground/ignored_painter.h"
#include "core/foreground/picture_steadier.h"
#include "core/foreground/pixel_evidence.h"
#include "core/image/picture.h"

namespace vantage {
namespace {

// Frames; each examination waits for the device.
constexpr int64_t kLookEvery = 32;

struct Steadiness {
  std::shared_ptr<const RestView> rest;  // null: nothing was seen yet
  bool shakes = false;
  // The first offset found: a camera that keeps still may be apart from its empty scene for good.
  std::optional<SceneOffset> seen;

  void look(const std::optional<SceneOffset>& offset) {
    if (!offset) return;
    if (!seen) seen = offset;
    shakes = std::hypot(offset->x_px - seen->x_px, offset->y_px - seen->y_px) >= kShakes_px;
  }
};

class SteadyState final : public ForegroundState {
 public:
  SteadyState(std::shared_ptr<const ForegroundState> model, Steadiness steadiness)
      : model_(std::move(model)), steadiness_(std::move(steadiness)) {}
  // The view at rest is shared by all states.
  size_t size_bytes() const override { return model_->size_bytes(); }
  const ForegroundState& model() const { return *model_; }
  const Steadiness& steadiness() const { return steadiness_; }

 private:
  const std::shared_ptr<const ForegroundState> model_;
  const Steadiness steadiness_;
};

// The painter of a camera's regions, made for its first picture.
class RegionsPainter {
 public:
  RegionsPainter(const DeviceBackends& backends, int camera, IgnoredRegions regions)
      : backends_(backends), camera_(camera), regions_(std::move(regions)) {}

  Result<ForegroundImages> paint(ForegroundImages images, int64_t frame) {
    if (regions_.empty() || !images.mask) return images;
    if (!painter_) {
      VANTAGE_ASSIGN(Image ignored, ignored_image(regions_, images.mask.width(), images.mask.height()));
      VANTAGE_ASSIGN(painter_, backends_.create<IgnoredPainter>({camera_, std::move(ignored)}));
    }
    return painter_->paint(images, frame);
  }

 private:
  DeviceBackends backends_;
  int camera_;
  IgnoredRegions regions_;
  std::unique_ptr<IgnoredPainter> painter_;
};

class SteadyModel final : public ForegroundModel, public PixelExplainer {
 public:
  SteadyModel(std::unique_ptr<ForegroundModel> model, std::unique_ptr<PictureSteadier> steadier,
              RegionsPainter painter)
      : model_(std::move(model)), steadier_(std::move(steadier)), painter_(std::move(painter)) {}

  void reset() override {
    model_->reset();
    now_ = {};
    learns_at_rest_ = false;
    learnt_shake_px_ = 0;
  }
  void set_parameters(const ParameterStore& parameters) override {
    steadying_ = parameters.get<ForegroundParameters>().steady;
    model_->set_parameters(parameters);
  }
  void follow_shakes(std::shared_ptr<const RestView> rest) override {
    now_.shakes = rest != nullptr;
    now_.rest = std::move(rest);
    learns_at_rest_ = true;
  }
  int showings() const override { return model_->showings(); }
  double shake_px() const override { return learnt_shake_px_; }

  Status learn(const Picture& picture, int64_t frame) override {
    if (steadying_ == Steadying::off || learns_at_rest_) return model_->learn(picture, frame);
    VANTAGE_ASSIGN(const std::optional<SceneOffset> offset, offset_of(picture, frame));
    if (offset) learnt_shake_px_ = std::max(learnt_shake_px_, length_px(*offset));
    if (learnt_shake_px_ >= kShakes_px) now_.shakes = true;
    VANTAGE_ASSIGN(const Picture steadied, brought_back(picture, offset, frame));
    return model_->learn(steadied, frame);
  }

  Result<ForegroundImages> apply(const Picture& picture, int64_t frame) override {
    VANTAGE_ASSIGN(ForegroundImages images, apply_at_rest(picture, frame));
    return painter_.paint(std::move(images), frame);
  }

  Result<PixelEvidence> explain(const Picture& picture, int x_px, int y_px) const override {
    const auto* explainer = dynamic_cast<const PixelExplainer*>(model_.get());
    if (!explainer)
      return fail(ErrorKind::unsupported, "this method does not report what it finds at a pixel",
                  "foreground");
    if (!follows() || !now_.rest) return explainer->explain(picture, x_px, y_px);
    VANTAGE_ASSIGN(const Image small,
                   reduced_mean(picture.plane(0), now_.rest->factor(), HostPool::shared()));
    const std::optional<SceneOffset> offset = now_.rest->find(small.view<uint8_t>());
    const std::optional<PictureShift> back = way_back(offset);
    if (!back) return explainer->explain(picture, x_px, y_px);
    VANTAGE_ASSIGN(const Picture steadied, shifted(picture, *back, HostPool::shared()));
    const auto at_rest = [](int at, double moved, int size) {
      return std::clamp(static_cast<int>(std::lround(at - moved)), 0, size - 1);
    };
    return explainer->explain(steadied, at_rest(x_px, offset->x_px, picture.width()),
                              at_rest(y_px, offset->y_px, picture.height()));
  }

  Result<std::shared_ptr<const ForegroundState>> save() const override {
    VANTAGE_ASSIGN(auto state, model_->save());
    return std::make_shared<const SteadyState>(std::move(state), now_);
  }
  Status restore(const ForegroundState& state) override {
    const auto& saved = dynamic_cast<const SteadyState&>(state);
    now_ = saved.steadiness();
    return model_->restore(saved.model());
  }
  Status write(ByteWriter* to) const override {
    to->add(uint8_t{now_.shakes}).add(uint8_t{now_.rest != nullptr});
    if (now_.rest) now_.rest->write(to);
    to->add(uint8_t{now_.seen.has_value()});
    if (now_.seen) to->add(now_.seen->x_px).add(now_.seen->y_px);
    return model_->write(to);
  }
  Status read(ByteReader* from) override {
    now_ = {};
    now_.shakes = from->take<uint8_t>() != 0;
    if (from->take<uint8_t>() != 0) {
      VANTAGE_ASSIGN(now_.rest, RestView::read(from));
    }
    if (from->take<uint8_t>() != 0) {
      SceneOffset seen;
      from->take(&seen.x_px), from->take(&seen.y_px);
      now_.seen = seen;
    }
    return model_->read(from);
  }

 private:
  Result<ForegroundImages> apply_at_rest(const Picture& picture, int64_t frame) {
    if (!follows() && !looks_at(frame)) return model_->apply(picture, frame);
    VANTAGE_ASSIGN(const std::optional<SceneOffset> offset, offset_of(picture, frame));
    if (!follows()) now_.look(offset);
    if (!follows()) return model_->apply(picture, frame);
    VANTAGE_ASSIGN(const Picture steadied, brought_back(picture, offset, frame));
    return model_->apply(steadied, frame);
  }

  bool follows() const {
    return steadying_ == Steadying::on || (steadying_ == Steadying::automatic && now_.shakes);
  }

  // True if a camera that has kept still is examined again.
  bool looks_at(int64_t frame) const {
    return steadying_ == Steadying::automatic && now_.rest && frame % kLookEvery == 0;
  }

  // The first picture of all is the one at rest.
  Result<std::optional<SceneOffset>> offset_of(const Picture& picture, int64_t frame) {
    const int factor = RestView::factor_of(picture.width());
    VANTAGE_ASSIGN(const Image small, steadier_->reduced_luma(picture, factor, frame));
    if (now_.rest) return now_.rest->find(small.view<uint8_t>());
    now_.rest = std::make_shared<const RestView>(small.view<uint8_t>(), factor);
    return std::optional<SceneOffset>();
  }

  Result<Picture> brought_back(const Picture& picture, const std::optional<SceneOffset>& offset,
                               int64_t frame) {
    const std::optional<PictureShift> back = way_back(offset);
    return back ? steadier_->shifted(picture, *back, frame) : picture;
  }

  const std::unique_ptr<ForegroundModel> model_;
  const std::unique_ptr<PictureSteadier> steadier_;
  RegionsPainter painter_;
  Steadying steadying_ = Steadying::automatic;
  Steadiness now_;
  bool learns_at_rest_ = false;
  double learnt_shake_px_ = 0;
};

}  // namespace

Result<std::unique_ptr<ForegroundModel>> make_steady_model(const DeviceBackends& backends,
                                                           std::string_view method, int camera,
                                                           IgnoredRegions ignored) {
  VANTAGE_ASSIGN(auto model, backends.create<ForegroundModel>(method, {camera}));
  VANTAGE_ASSIGN(auto steadier, backends.create<PictureSteadier>({camera}));
  return std::make_unique<SteadyModel>(std::move(model), std::move(steadier),
                                       RegionsPainter(backends, camera, std::move(ignored)));
}

}  // namespace vantage
