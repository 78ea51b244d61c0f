// One camera's background model with its learnt state, for the foreground stage; of a camera that is moved
// later, one of its views. Private to core/pipeline/stages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/byte_stream.h"
#include "core/foreground/methods.h"
#include "core/pipeline/background.h"
#include "core/pipeline/stage.h"

namespace vantage {

// The footage from which each camera learns its background, opened as in the project. Private to
// core/pipeline/stages.

// A camera, or one of its later views (LaterView).
struct ForegroundCamera {
  std::string name;
  size_t camera = 0;
  int64_t from_frame = 0;  // the first frame set
  IgnoredRegions ignored = {};
  BackgroundFootage background;  // read at the first frame
  // Opens it again, for another method or one that cannot save its state; null without footage.
  std::function<Result<BackgroundFootage>()> reopen;
};

// `view`: 0 is the camera from the beginning, others are its later views, for which an empty-scene clip is
// used if the camera was only turned (core/pipeline/reoriented_clip.h). Errors: those of opening;
// invalid_argument for an empty-scene clip of another size than the video. A conversion of a clip's pictures
// is added to the context's notes.
Result<ForegroundCamera> open_background_footage(ChainContext& context, size_t camera, size_t view);

using ForegroundStateRef = std::shared_ptr<const ForegroundState>;

// Settings shared by all views of a stage during a frame.
struct ForegroundSetting {
  const ForegroundParameters& parameters;
  MemoryTransfer& transfer;  // copies clips and zeros to the device
  const StopSource& stop;    // ends the learning
  int camera = 0;
};

class ForegroundView {
 public:
  // The state between two frames.
  struct Memory {
    ForegroundStateRef state;  // null: the model has seen nothing, or does not show this frame
    bool ready = false, has_background = false;
    int64_t learnt_frames = 0;
  };

  explicit ForegroundView(ForegroundCamera from);

  const std::string& name() const { return name_; }
  const IgnoredRegions& ignored() const { return ignored_; }
  int64_t from_frame() const { return from_frame_; }
  bool ready() const { return ready_; }  // what is learnt beforehand is learnt
  ForegroundModel& model() { return *model_; }
  const ForegroundModel& model() const { return *model_; }

  // Uses a model of another method; what the former one learnt is dropped.
  void use(std::unique_ptr<ForegroundModel> model, bool saves_state);
  // The footage is learnt again, in another way.
  void forget_footage() { learnt_ = {}, nothing_learnt_ = false, examined_.reset(); }
  // Returns to the state before the first picture.
  void forget();

  // The coming frame is only learnt, and no one is in it.
  bool only_learns(const ForegroundParameters& parameters) const {
    return !has_background_ && learnt_frames_ < parameters.learning_frames;
  }
  // The part of learn_beforehand() on the host only, so that cameras can be examined in parallel. Errors:
  // those of examine_footage().
  Status examine(const ForegroundSetting& setting);
  // Learns from the footage the first time; then from the saved state or, where the method cannot save, from
  // the footage again. Errors: those of learn_background().
  Status learn_beforehand(const ForegroundSetting& setting);
  Result<ForegroundImages> segment(const Picture& picture, int64_t frame, const ForegroundSetting& setting);

  Result<Memory> save() const;
  Status restore(const Memory& memory);
  Status write(ByteWriter* to) const;
  Status read(ByteReader* from);

 private:
  bool learns_footage(const ForegroundSetting& setting) const;
  Status read_footage(const ForegroundSetting& setting);
  Result<ForegroundImages> empty_scene(const Picture& picture, int64_t frame,
                                       const ForegroundSetting& setting);

  std::string name_;
  IgnoredRegions ignored_;
  int64_t from_frame_ = 0;  // the first frame set
  std::unique_ptr<ForegroundModel> model_;
  bool saves_state_ = false;
  BackgroundFootage footage_;                // until it is read
  std::optional<ExaminedFootage> examined_;  // examination of footage_, until it is read
  std::function<Result<BackgroundFootage>()> reopen_;
  bool has_clip_ = false;
  bool looked_ = false;          // the footage was read
  bool nothing_learnt_ = false;  // the footage gave nothing
  ForegroundStateRef learnt_;    // state after the footage; null: nothing, or the method cannot save it
  bool ready_ = false;
  bool has_background_ = false;  // begins with what was learnt
  bool seen_ = false;            // the model has learnt or segmented a picture
  int64_t learnt_frames_ = 0;    // frames learnt from the beginning of the camera's own video
  ForegroundImages empty_;       // of a frame that is only learnt
};

}  // namespace vantage
