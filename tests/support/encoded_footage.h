// Rendered footage of a ring of cameras, encoded in many ways, for what must not take the encoder's habits
// for motion: groups of pictures, B-pictures, rate control. Rendered pictures go into the ffmpeg program as
// they are, so that no other encoder's key frames lie below.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/synth/detail/renderer.h"
#include "core/synth/detail/truth.h"
#include "core/synth/random.h"

namespace vantage::test {

enum class FootageScene : uint8_t {
  shared,  // all cameras see the same people
  nobody,  // all see an empty room
  apart,   // each camera sees people of its own: nothing goes together
};

struct EncodedFootage {
  uint64_t seed = 1;
  FootageScene scene = FootageScene::shared;
  int people = 3;
  bool stopping = true;  // people stop now and then, and gesture; otherwise they walk on and on
  double seconds = 6;
  std::vector<int> offsets_frames = {0, 0, 0, 0};  // by camera, the first one's 0
  int gop_frames = 25;
  int b_pictures = 0;
  bool mpeg4 = false;            // otherwise H.264
  bool constant_quality = true;  // otherwise a bit rate is kept, and the quality varies
  double exposure_drift_stops = 0;
  double flicker_hz = 0;  // of the lamps, as the picture shows it; 0: none
  int width_px = 320, height_px = 240;
};

// What two cameras have in common, from the exact truth.
struct CommonMotion {
  double common_s = 0;  // both record
  double moving_s = 0;  // both see the same person move
};
inline constexpr double kSolvableFrom_s = 2;  // of moving_s: less tells nobody anything
inline constexpr int64_t kSeenFrom_px = 60;   // visible pixels of a person at 320 x 240
inline constexpr double kMovesFrom_mps = 0.3;

inline Result<synth::Scene> footage_scene(const EncodedFootage& footage, uint64_t seed) {
  SynthOptions options;
  options.cameras = static_cast<int>(footage.offsets_frames.size());
  options.people = footage.people;
  options.seconds = footage.seconds;
  options.width_px = footage.width_px, options.height_px = footage.height_px;
  options.area_m = 5;
  options.seed = seed;
  options.exposure_drift_stops = footage.exposure_drift_stops;
  options.offsets_frames.assign(footage.offsets_frames.begin(), footage.offsets_frames.end());
  return synth::make_scene(options);
}

inline std::string encoder_options(const EncodedFootage& footage) {
  const std::string gop = std::to_string(footage.gop_frames), b = std::to_string(footage.b_pictures);
  if (footage.mpeg4)
    return "-c:v mpeg4 -g " + gop + " -bf " + b + (footage.constant_quality ? " -q:v 5" : " -b:v 350k");
  return "-c:v libx264 -preset veryfast -g " + gop + " -keyint_min " + gop + " -sc_threshold 0 -bf " + b +
         (footage.constant_quality ? " -crf 24" : " -b:v 250k -maxrate 350k -bufsize 250k");
}

// ffmpeg, taking pictures from its standard input.
class PictureEncoder {
 public:
  PictureEncoder(const EncodedFootage& footage, const std::filesystem::path& path) {
    std::string command = "ffmpeg -nostdin -v error -y -f rawvideo -pix_fmt yuv420p -s " +
                          std::to_string(footage.width_px) + "x" + std::to_string(footage.height_px) +
                          " -r 25 -i - ";
    if (footage.flicker_hz > 0)
      command +=
          "-vf \"eq=eval=frame:brightness='0.015*sin(2*PI*" + std::to_string(footage.flicker_hz) + "*t)'\" ";
    command += encoder_options(footage) + " '" + path.string() + "'";
    pipe_ = ::popen(command.c_str(), "w");
  }
  ~PictureEncoder() { finish(); }
  PictureEncoder(const PictureEncoder&) = delete;
  PictureEncoder& operator=(const PictureEncoder&) = delete;

  bool write(const Picture& picture) {
    for (int p = 0; p < picture.plane_count(); ++p) {
      const ImageView<const uint8_t> plane = picture.plane(p);
      for (int y = 0; y < plane.height; ++y)
        if (!pipe_ || std::fwrite(plane.row(y), 1, static_cast<size_t>(plane.width), pipe_) !=
                          static_cast<size_t>(plane.width))
          return false;
    }
    return true;
  }
  // Whether ffmpeg wrote the file.
  bool finish() {
    FILE* pipe = std::exchange(pipe_, nullptr);
    return pipe && ::pclose(pipe) == 0;
  }

 private:
  FILE* pipe_ = nullptr;
};

// What somebody does who stops now and then: how long he has walked, and how he stands.
struct Doing {
  double walked_s = 0;  // to that moment, of the walk that never stops
  synth::Posture posture;
};

inline double smooth(double from, double to, double at) {
  const double share = std::clamp((at - from) / (to - from), 0.0, 1.0);
  return share * share * (3 - 2 * share);
}

// Walks for 0.7 to 2.5 s, stops for 0.6 to 1.8 s and raises his arms or bends meanwhile, and so on.
inline Doing doing(const EncodedFootage& footage, uint64_t seed, size_t person, double since_start_s) {
  Doing now;
  now.walked_s = since_start_s;
  if (!footage.stopping) return now;
  constexpr double kSlowing_s = 0.24;
  synth::Random random(seed, 0x73746f70 + person);
  double begin_s = -random.uniform(0, 2.5), lost_s = 0;
  while (begin_s <= since_start_s) {
    const double stops_s = begin_s + random.uniform(0.7, 2.5), goes_s = stops_s + random.uniform(0.6, 1.8);
    const int what = random.below(4);
    const double left = random.uniform(0.8, 2.6), right = random.uniform(0.8, 2.6),
                 lean = random.uniform(0.3, 0.8);
    lost_s += std::clamp(since_start_s - stops_s, 0.0, goes_s - stops_s);
    const double raised = smooth(stops_s, stops_s + kSlowing_s, since_start_s) *
                          (1 - smooth(goes_s - kSlowing_s, goes_s, since_start_s));
    if (since_start_s < goes_s) {
      if (what != 1) now.posture.arm_forward[0] = left * raised;
      if (what != 0) now.posture.arm_forward[1] = right * raised;
      if (what == 3) now.posture.lean_forward = lean * raised;
    }
    begin_s = goes_s;
  }
  now.walked_s -= lost_s;
  return now;
}

inline std::vector<synth::Body> pose(const EncodedFootage& footage, const synth::Scene& scene,
                                     double time_s) {
  std::vector<synth::Body> bodies;
  if (footage.scene == FootageScene::nobody) return bodies;
  for (size_t person = 0; person < scene.looks.size(); ++person) {
    const Doing now = doing(footage, scene.options.seed, person, time_s - scene.start_s);
    bodies.push_back(synth::pose_body(scene.looks[person],
                                      scene.walk_state(person, now.walked_s + scene.start_s), now.posture));
  }
  return bodies;
}

// By frame of the camera and person: whether enough of the person is seen.
using Seen = std::vector<std::vector<uint8_t>>;

inline Result<Seen> render_camera(const EncodedFootage& footage, const synth::Scene& scene, int camera,
                                  const std::filesystem::path& path) {
  VANTAGE_ASSIGN(synth::Renderer renderer, synth::Renderer::make(scene, camera));
  const synth::CameraClock& clock = scene.clocks[camera];
  synth::PixelTruth truth(renderer.view());
  PictureEncoder encoder(footage, path);
  const int64_t enough = kSeenFrom_px * footage.width_px * footage.height_px / (320 * 240);
  Seen seen;
  for (int64_t frame = 0; frame < clock.frame_count(); ++frame) {
    const std::vector<synth::Body> bodies = pose(footage, scene, clock.time_s(frame));
    truth.draw(bodies);
    std::vector<uint8_t>& row = seen.emplace_back();
    for (size_t person = 0; person < bodies.size(); ++person)
      row.push_back(truth.appearances()[person].person.visible >= enough);
    VANTAGE_ASSIGN(const Picture picture, renderer.render(bodies, frame));
    if (!encoder.write(picture)) break;
  }
  if (!encoder.finish())
    return fail(ErrorKind::io, "the ffmpeg program did not encode the footage", path.string(),
                "Install ffmpeg with libx264.");
  return seen;
}

inline double walking_speed(const EncodedFootage& footage, const synth::Scene& scene, size_t person,
                            double time_s) {
  const auto distance_m = [&](double at_s) {
    const Doing now = doing(footage, scene.options.seed, person, at_s - scene.start_s);
    return scene.walk_state(person, now.walked_s + scene.start_s).distance_m;
  };
  return (distance_m(time_s + 0.2) - distance_m(time_s - 0.2)) / 0.4;
}

// The motion that the first camera and another have in common.
inline CommonMotion common_motion(const EncodedFootage& footage, const synth::Scene& scene,
                                  const std::vector<Seen>& seen, size_t camera) {
  const Seen &first = seen[0], &second = seen[camera];
  const double period_s = 1 / scene.options.frame_rate;
  CommonMotion motion;
  for (int64_t m = 0; m < static_cast<int64_t>(first.size()); ++m) {
    const int64_t other = m + footage.offsets_frames[camera];
    if (other < 0 || other >= static_cast<int64_t>(second.size())) continue;
    motion.common_s += period_s;
    if (footage.scene != FootageScene::shared) continue;
    bool moves = false;
    for (size_t person = 0; person < first[m].size(); ++person) {
      const double now_s = scene.time_s(m);
      const double speed_mps = walking_speed(footage, scene, person, now_s);
      moves |= first[m][person] && second[other][person] && speed_mps >= kMovesFrom_mps;
    }
    if (moves) motion.moving_s += period_s;
  }
  return motion;
}

inline std::vector<std::filesystem::path> footage_videos(const EncodedFootage& footage,
                                                         const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> videos;
  for (size_t c = 1; c <= footage.offsets_frames.size(); ++c)
    videos.push_back(folder / ("cam" + std::to_string(c) + (footage.mpeg4 ? ".avi" : ".mp4")));
  return videos;
}

// Writes footage_videos() into the folder, which is there. By camera: what it has in common with the first.
inline Result<std::vector<CommonMotion>> render_footage(const EncodedFootage& footage,
                                                        const std::filesystem::path& folder) {
  const std::vector<std::filesystem::path> videos = footage_videos(footage, folder);
  VANTAGE_ASSIGN(const synth::Scene scene, footage_scene(footage, footage.seed));
  std::vector<Seen> seen;
  std::vector<CommonMotion> common;
  for (size_t c = 0; c < videos.size(); ++c) {
    const uint64_t own = footage.scene == FootageScene::apart ? footage.seed + 50000 * c : footage.seed;
    VANTAGE_ASSIGN(const synth::Scene seen_scene, footage_scene(footage, own));
    VANTAGE_ASSIGN(Seen rows, render_camera(footage, seen_scene, static_cast<int>(c), videos[c]));
    seen.push_back(std::move(rows));
    common.push_back(common_motion(footage, scene, seen, c));
  }
  return common;
}

}  // namespace vantage::test
