// Learns a camera's background model before it segments, in the same way for runs, checks and
// synchronisation: from a complete empty-scene clip and the changes since then that the recording shows
// (core/foreground/scene_change.h); without a clip, from the scene of the whole recording
// (core/foreground/scene.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/base/threads.h"
#include "core/foreground/foreground.h"
#include "core/foreground/scene.h"
#include "core/foreground/scene_change.h"
#include "core/image/backend/memory_transfer.h"
#include "core/video/video_source.h"

namespace vantage {

// The frames of a recording in which its camera has its present pose.
struct RecordingSpan {
  int64_t begin = 0, end = INT64_MAX;  // end excluded
};

struct BackgroundFootage {
  std::unique_ptr<VideoSource> clip;  // the empty scene; null: none
  // The camera's recording, from its beginning. Both are decoded in software, so that every device learns the
  // same. Null: a live camera. Its clip may be in the device's memory.
  std::unique_ptr<VideoSource> recording;
  RecordingSpan span = {};
  Image unseen = {};  // u8 by 2x2 block: not 0 where the clip shows nothing; empty: nowhere
};

struct LearntBackground {
  int64_t frames = 0;                // pictures learnt or examined; 0: nothing was learnt
  std::optional<LearntScene> scene;  // set for a recording without a clip
  double changed_share =
      0;                // share of the picture that has changed since the clip and is taken for the scene
  double shake_px = 0;  // maximum shift of a picture from the camera's view at rest
};

struct LearnBackgroundOptions {
  MemoryTransfer* transfer = host_memory().get();  // copies pictures to the model's device
  int camera = 0;
  bool from_recording = true;            // ForegroundParameters::whole_recording
  int max_pictures = kMaxScenePictures;  // used for a recording without a clip
  Steadying steady = Steadying::automatic;
  StopSource stop;  // ErrorKind::cancelled
  // Ends the reading once true for the number of learnt pictures; null: reads all.
  std::function<bool(int64_t learnt)> enough;
  std::function<void(const Picture&)> see;  // each picture that was read, for an observer; may be null
};

// Observations in footage before a model learns it.
struct ExaminedFootage {
  std::optional<SceneChange> change;  // change of the scene since the clip; nothing: none, or unknown
  std::optional<LearntScene> scene;   // set for a recording without a clip
};

// The scene of a recording or a span of it; for a shaking camera, the scene at rest. Nothing where the span
// is too short or the recording's length unknown. Computed once per program and recording. Thread-safe.
Result<std::optional<LearntScene>> scene_of_recording(VideoSource& recording, Steadying steady,
                                                      const StopSource& stop,
                                                      int max_pictures = kMaxScenePictures,
                                                      RecordingSpan span = {});

// Most of the work of learn_background(), on the host only, so that several cameras can be examined in
// parallel. The clip is rewound afterwards. Errors: those of reading.
Result<ExaminedFootage> examine_footage(const BackgroundFootage& footage,
                                        const LearnBackgroundOptions& options);

// Gives the model its first pictures. Learns nothing without clip and recording, or from a recording too
// short or of unknown length: the model then begins with the first frames. Errors: those of reading; bad_data
// for a clip without a picture.
Result<LearntBackground> learn_background(const BackgroundFootage& footage, ForegroundModel& model,
                                          const LearnBackgroundOptions& options);
// The same with the observations of examine_footage().
Result<LearntBackground> learn_background(const BackgroundFootage& footage, ExaminedFootage examined,
                                          ForegroundModel& model, const LearnBackgroundOptions& options);

// Learns every picture of the source from its position on, until `enough` is true or it ends; returns their
// number. Errors: those of reading and learning.
Result<int64_t> learn_pictures(VideoSource& source, ForegroundModel& model,
                               const LearnBackgroundOptions& options);

// Pictures spread over the recording or a span of it, for learn_scene(); none where it is too short. Reads
// few frames: of long recordings key frames.
Result<std::vector<SceneSample>> scene_samples(VideoSource& recording, const StopSource& stop,
                                               int max_pictures = kMaxScenePictures, RecordingSpan span = {});

// The picture with planes of Y, Cb and Cr; unchanged memory (host).
Result<Picture> as_i420(const Picture& picture);

}  // namespace vantage
