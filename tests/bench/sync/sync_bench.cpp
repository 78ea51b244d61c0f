// sync_bench render SEED FOLDER: thirty recordings of four cameras, rendered and encoded in many ways, and
// plan.json with what is true of each and whether it can be solved at all.
// sync_bench measure FOLDER [REPORT.json]: what `sync` says to them without a calibration.
//
// Exit codes: 0 done, 1 failed, 2 wrong usage.
#include <fmt/core.h>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/project/new_project.h"
#include "core/setup/alignment/align.h"
#include "core/synth/random.h"
#include "tests/support/encoded_footage.h"

namespace vantage::bench {
namespace {

using nlohmann::ordered_json;
using test::EncodedFootage;
using test::FootageScene;

constexpr int kRecordings = 30;

// Every mixture of the encoder's settings comes up; lengths, people and offsets by chance.
std::vector<EncodedFootage> plan(uint64_t seed) {
  constexpr int kGops[] = {12, 25, 50, 250};
  synth::Random random(seed, 0x73796e63);
  std::vector<EncodedFootage> all;
  for (int i = 0; i < kRecordings; ++i) {
    EncodedFootage footage;
    footage.seed = seed * 1000 + static_cast<uint64_t>(i);
    footage.gop_frames = kGops[i % 4];
    footage.b_pictures = (i / 4) % 2 == 0 ? 0 : 2;
    footage.constant_quality = (i / 8) % 2 == 0;
    footage.mpeg4 = i % 3 == 2;
    footage.seconds = 3 + std::floor(10 * random.uniform()) * 0.9 + (i % 2 == 0 ? 0.0 : 0.9);
    footage.seconds = std::round(footage.seconds * 25) / 25;
    footage.people = 1 + random.below(5);
    const int reach = std::min(40, static_cast<int>(footage.seconds * 25 / 6));
    for (size_t c = 1; c < footage.offsets_frames.size(); ++c)
      footage.offsets_frames[c] = random.below(2 * reach + 1) - reach;
    footage.stopping = i % 6 != 5;
    if (i % 10 == 4) footage.exposure_drift_stops = 0.3;
    if (i % 10 == 7) footage.flicker_hz = 2.5;
    if (i == 9 || i == 18) footage.scene = FootageScene::nobody;
    if (i == 13 || i == 27) footage.scene = FootageScene::apart;
    all.push_back(footage);
  }
  return all;
}

std::string folder_name(size_t recording) {
  return (recording < 10 ? "r0" : "r") + std::to_string(recording);
}

const char* scene_name(FootageScene scene) {
  return scene == FootageScene::shared ? "shared" : scene == FootageScene::nobody ? "nobody" : "apart";
}

Status render(uint64_t seed, const std::filesystem::path& folder) {
  ordered_json recordings = ordered_json::array();
  const std::vector<EncodedFootage> all = plan(seed);
  for (size_t i = 0; i < all.size(); ++i) {
    const EncodedFootage& footage = all[i];
    const std::filesystem::path inside = folder / folder_name(i);
    VANTAGE_TRY(make_folder(inside));
    VANTAGE_ASSIGN(const std::vector<test::CommonMotion> common, test::render_footage(footage, inside));
    // Every camera must see people move that the first one sees too.
    double moving_s = footage.seconds;
    for (const test::CommonMotion& motion : common) moving_s = std::min(moving_s, motion.moving_s);
    ordered_json videos = ordered_json::array();
    for (const auto& video : test::footage_videos(footage, folder_name(i))) videos.push_back(video.string());
    recordings.push_back({{"videos", videos},
                          {"scene", scene_name(footage.scene)},
                          {"seed", footage.seed},
                          {"codec", footage.mpeg4 ? "mpeg4" : "h264"},
                          {"gop", footage.gop_frames},
                          {"b", footage.b_pictures},
                          {"quality", footage.constant_quality ? "constant" : "variable"},
                          {"seconds", footage.seconds},
                          {"people", footage.people},
                          {"stopping", footage.stopping},
                          {"exposure_drift_stops", footage.exposure_drift_stops},
                          {"flicker_hz", footage.flicker_hz},
                          {"offsets_frames", footage.offsets_frames},
                          {"moving_s", moving_s},
                          {"solvable", moving_s >= test::kSolvableFrom_s}});
    fmt::print("{} done\n", folder_name(i));
    std::fflush(stdout);
  }
  return write_file_atomically(folder / "plan.json",
                               json_text(ordered_json{{"seed", seed}, {"recordings", recordings}}, 1) + "\n");
}

Result<Alignment> align(const std::filesystem::path& folder, const ordered_json& recording) {
  Project project;
  project.parameters = default_parameters();
  for (const auto& video : recording.at("videos")) {
    ProjectCamera& camera = project.cameras.emplace_back();
    camera.video = (folder / video.get<std::string>()).string();
    camera.name = std::filesystem::path(camera.video).stem().string();
  }
  BackendRegistry backends;  // without a calibration no algorithm is needed
  register_memory_transfer_cpu(backends);
  AlignOptions options;
  options.collect.backends = &backends;
  return align_project(project, options);
}

// The findings of one recording, beside the ground truth; prints them.
struct Verdict {
  int given = 0, right = 0, wrong = 0;
};

Verdict judge(const Alignment& alignment, ordered_json* recording) {
  Verdict verdict;
  ordered_json found = ordered_json::array();
  std::string text;
  for (size_t c = 1; c < alignment.estimate.cameras.size(); ++c) {
    const CameraAlignment& camera = alignment.estimate.cameras[c];
    const double truth = recording->at("offsets_frames").at(c);
    const bool given = camera.offset_frames && camera.confidence > 0.5;
    const bool right =
        given && recording->at("scene") == "shared" && std::abs(*camera.offset_frames - truth) <= 1;
    verdict.given += given, verdict.right += right, verdict.wrong += given && !right;
    found.push_back(
        {{"offset_frames", camera.offset_frames ? ordered_json(*camera.offset_frames) : ordered_json()},
         {"confidence", camera.confidence}});
    char one[80];
    if (camera.offset_frames)
      std::snprintf(one, sizeof one, "  %3.0f: %6.2f %.3f %s", truth, *camera.offset_frames,
                    camera.confidence,
                    right   ? "ok"
                    : given ? "WRONG"
                            : "");
    else
      std::snprintf(one, sizeof one, "  %3.0f: - %.3f", truth, camera.confidence);
    text += one;
  }
  (*recording)["found"] = found;
  fmt::print("{} {:5} gop {:3} b {} {:8} {:4.1f} s {} people {:8} {:6} {:8}{}\n",
             recording->at("videos")[0].get<std::string>().substr(0, 3),
             recording->at("codec").get<std::string>(), recording->at("gop").get<int>(),
             recording->at("b").get<int>(), recording->at("quality").get<std::string>(),
             recording->at("seconds").get<double>(), recording->at("people").get<int>(),
             recording->at("stopping").get<bool>() ? "stopping" : "walking",
             recording->at("scene").get<std::string>(),
             recording->at("solvable").get<bool>() ? "solvable" : "", text);
  std::fflush(stdout);
  return verdict;
}

Status measure(const std::filesystem::path& folder, const std::string& report) {
  VANTAGE_ASSIGN(const std::string text, read_file(folder / "plan.json"));
  ordered_json stated = parse_ordered_json(text);
  int solvable = 0, found = 0, wrong = 0, given = 0;
  for (ordered_json& recording : stated["recordings"]) {
    VANTAGE_ASSIGN(const Alignment alignment, align(folder, recording));
    const Verdict verdict = judge(alignment, &recording);
    const bool whole = verdict.right + 1 == static_cast<int>(alignment.estimate.cameras.size());
    solvable += recording.at("solvable").get<bool>();
    found += whole && recording.at("solvable").get<bool>();
    given += verdict.given, wrong += verdict.wrong;
  }
  fmt::print("{} solvable, {} of them found; {} offsets given, {} of them wrong\n", solvable, found, given,
             wrong);
  if (report.empty()) return {};
  stated["solvable"] = solvable, stated["found"] = found, stated["given"] = given, stated["wrong"] = wrong;
  return write_file_atomically(report, json_text(stated, 1) + "\n");
}

int run(int count, char** arguments) {
  Status done;
  uint64_t seed = 0;
  if (count == 4 && std::strcmp(arguments[1], "render") == 0 &&
      std::from_chars(arguments[2], arguments[2] + std::strlen(arguments[2]), seed).ec == std::errc()) {
    done = render(seed, arguments[3]);
  } else if ((count == 3 || count == 4) && std::strcmp(arguments[1], "measure") == 0) {
    done = measure(arguments[2], count == 4 ? arguments[3] : "");
  } else {
    fmt::print(stderr, "usage: sync_bench render SEED FOLDER | measure FOLDER [REPORT.json]\n");
    return 2;
  }
  if (!done) fmt::print(stderr, "sync_bench: {}\n", done.error().message());
  return done ? 0 : 1;
}

}  // namespace
}  // namespace vantage::bench

int main(int count, char** arguments) {
  return vantage::bench::run(count, arguments);
}
