// vantage-cli detections: people in a picture or video by a model; to try a model before a project uses it.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/detections/person_detector.h"
#include "core/image/png.h"
#include "core/video/sha256.h"
#include "core/video/video_source.h"

namespace vantage::cli {
namespace {

struct DetectionsCommand {
  std::string model, video, out, picture, frames;
  SetOption set;
  bool json = false;
};

class PeopleInVideo {
 public:
  explicit PeopleInVideo(const DetectionsCommand& command)
      : command_(command),
        parameters_(
            command.set.apply_to({&parameter_table<DetectionParameters>()}).get<DetectionParameters>()) {}

  void run() {
    const FrameRange range = parse_frames(command_.frames);
    source_ = value_or_fail(open_video(command_.video, {}));
    open_detector();
    if (range.begin > 0) check_or_fail(source_->seek(range.begin));
    Progress progress("detections");
    for (int64_t frame = range.begin; frame < range.end; ++frame) {
      if (interrupted().stop_requested()) break;
      const Result<DecodedFrame> decoded = source_->read();
      if (!decoded && decoded.error().kind == ErrorKind::end_of_stream) break;
      const DecodedFrame& read = value_or_fail(decoded);
      if (frame % parameters_.every == 0 && read.picture) look(frame, read.picture);
      progress.update(frame - range.begin + 1, source_->info().frame_count - range.begin);
    }
    check_or_fail(write_detection_file(command_.out, file_));
  }

  void report() const {
    const double ms = pictures_ > 0 ? milliseconds_ / static_cast<double>(pictures_) : 0;
    const DetectorProvenance& from = file_.provenance;
    if (command_.json) {
      const nlohmann::ordered_json json = {{"model_sha256", from.model_sha256},
                                           {"family", from.family},
                                           {"engine", from.engine},
                                           {"engine_version", from.engine_version},
                                           {"pictures", pictures_},
                                           {"boxes", file_.people()},
                                           {"shown", shown_},
                                           {"ms_per_picture", ms}};
      print_json(json);
      return;
    }
    std::printf("%s: %s, by %s %s, %d px\n", from.model.c_str(), from.family.c_str(), from.engine.c_str(),
                from.engine_version.c_str(), from.long_side_px);
    std::printf("%lld pictures: %lld boxes of at least %.2g, %lld of at least %.2g; %.1f ms a picture\n",
                static_cast<long long>(pictures_), static_cast<long long>(file_.people()),
                parameters_.min_score, static_cast<long long>(shown_), parameters_.shown_score, ms);
    std::printf("written to %s\n", command_.out.c_str());
  }

 private:
  void open_detector() {
    std::string bytes = value_or_fail(read_file(command_.model));
    const ModelFile model{command_.model, sha256(bytes), std::move(bytes)};
    EngineOptions engine;
    engine.choice = parameters_.engine;
    detector_ = value_or_fail(PersonDetector::open(model, parameters_, engine));
    const VideoInfo info = source_->info();
    file_.provenance = detector_->provenance();
    file_.provenance.min_score = parameters_.min_score;
    file_.frame_rate = info.frame_rate, file_.width_px = info.width_px, file_.height_px = info.height_px;
  }

  void look(int64_t frame, const Picture& picture) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<PersonDetection> people = value_or_fail(detector_->detect(picture));
    milliseconds_ +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    std::erase_if(people,
                  [&](const PersonDetection& person) { return person.score < parameters_.min_score; });
    shown_ += std::count_if(people.begin(), people.end(), [&](const PersonDetection& person) {
      return person.score >= parameters_.shown_score;
    });
    if (pictures_++ == 0 && !command_.picture.empty()) write_picture(picture, people);
    file_.frames.resize(static_cast<size_t>(frame) + 1);
    file_.frames.back() = {true, std::move(people)};
  }

  // Grey, with the boxes as white lines on black ones, thin where the score is below what is shown.
  void write_picture(const Picture& picture, const std::vector<PersonDetection>& people) const {
    Image grey =
        value_or_fail(Image::make(ImageType::u8, picture.width(), picture.height(), HostPool::shared()));
    const ImageView<uint8_t> view = grey.writable_view<uint8_t>();
    for (int y = 0; y < view.height; ++y) std::copy_n(picture.plane(0).row(y), view.width, view.row(y));
    for (const PersonDetection& person : people) {
      const int width = person.score < parameters_.shown_score ? 1 : 3;
      frame_box(person, width + 1, 0, view);
      frame_box(person, width, 255, view);
    }
    check_or_fail(write_png_gray(command_.picture, grey));
  }

  static void frame_box(const PersonDetection& person, int width, uint8_t value,
                        const ImageView<uint8_t>& view) {
    const auto left = static_cast<int>(person.left_px + 0.5F), top = static_cast<int>(person.top_px + 0.5F);
    const auto right = static_cast<int>(person.left_px + person.width_px),
               bottom = static_cast<int>(person.top_px + person.height_px);
    for (int y = std::max(0, top - width); y < std::min(view.height, bottom + width); ++y)
      for (int x = std::max(0, left - width); x < std::min(view.width, right + width); ++x)
        if (x < left || x >= right || y < top || y >= bottom) view.at(x, y) = value;
  }

  const DetectionsCommand& command_;
  DetectionParameters parameters_;
  std::unique_ptr<VideoSource> source_;
  std::unique_ptr<PersonDetector> detector_;
  DetectionFile file_;
  int64_t pictures_ = 0, shown_ = 0;
  double milliseconds_ = 0;
};

void find_people(const DetectionsCommand& command) {
  PeopleInVideo people(command);
  people.run();
  people.report();
}

}  // namespace

void add_detections(CLI::App& app) {
  auto options = std::make_shared<DetectionsCommand>();
  CLI::App* command =
      app.add_subcommand("detections", "Find people in a picture or video with a learned model (ONNX).");
  command->footer(
      "Writes JSON lines, a line for each picture examined: its boxes in pixels, with scores. Try a model "
      "so\n"
      "before a project uses it: vantage-cli new --detection-model M.onnx, or run --set "
      "detections.model=M.onnx.\n"
      "Models are of the families RTMDet, YOLOX, NanoDet and DETR; doctor says which engines run them.\n"
      "Example: vantage-cli detections --model M.onnx cam1.mp4 --out boxes.jsonl --picture first.png");
  command->add_option("video", options->video, "a picture, video, image folder or pattern")->required();
  command->add_option("--model", options->model, "the detector, an ONNX file")
      ->required()
      ->type_name("M.onnx");
  command->add_option("--out", options->out, "the boxes, JSON lines")->required()->type_name("FILE");
  command->add_option("--picture", options->picture, "the first picture in grey with its boxes, PNG");
  command->add_option("--frames", options->frames, "A:B, B excluded")->type_name("A:B");
  options->set.add_to(*command, "detections");
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { find_people(*options); });
}

}  // namespace vantage::cli
