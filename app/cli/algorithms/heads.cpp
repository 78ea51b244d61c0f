#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/heads/curve.h"
#include "core/heads/heads.h"
#include "core/image/backend/memory_transfer.h"
#include "core/image/image_files.h"
#include "core/people/triangulation/triangulation.h"
#include "core/pipeline/head_views.h"
#include "core/project/match_cameras.h"
#include "core/project/new_project.h"
#include "core/results/drawn_masks.h"

namespace vantage::cli {
namespace {

struct HeadsCommand {
  std::vector<std::string> videos, maps, truth;
  SetOption set;
  std::string out, calibration, up_axis, points, model, pictures, frames, backend = "auto";
  double unit_scale_m = 0;
  bool json = false;
};

// One video with its detector.
struct View {
  std::string name;
  std::unique_ptr<VideoSource> source;
  std::unique_ptr<HeadDetector> detector;
  std::optional<Camera> camera;
  std::vector<std::vector<GroundTruthHead>> truth;
  bool has_truth = false;
  int64_t windows = 0, all_windows = 0;  // a picture: examined, without the calibration
  int64_t heads = 0, guided = 0;
};

// The pictures of one instant, one per view that has one, and the heads found in each.
struct Moment {
  std::vector<Picture> pictures;
  std::vector<HeadsInView> views;
};

std::vector<std::pair<std::string, std::string>> maps_of(const HeadsCommand& command) {
  std::vector<std::pair<std::string, std::string>> maps;
  for (const std::string& text : command.maps) {
    const size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw CLI::ValidationError("--map", "'" + text + "' is not of the form VIDEO=CAMERA");
    maps.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return maps;
}

void read_cameras(const HeadsCommand& command, std::vector<View>* views) {
  if (command.calibration.empty()) return;
  const VideoInfo first = views->front().source->info();
  const std::vector<CalibratedCamera> cameras = value_or_fail(read_calibrated_cameras(
      command.calibration, {command.unit_scale_m, command.up_axis, {}}, first.width_px, first.height_px));
  std::vector<std::string> names;
  for (const CalibratedCamera& camera : cameras) names.push_back(camera.camera.name());
  const std::vector<size_t> of_view = value_or_fail(match_cameras(command.videos, names, maps_of(command)));
  for (size_t i = 0; i < views->size(); ++i) {
    (*views)[i].camera = cameras[of_view[i]].camera;
    (*views)[i].name = cameras[of_view[i]].camera.name();
  }
}

void read_truth(const HeadsCommand& command, const HeadParameters& parameters, std::vector<View>* views) {
  for (size_t i = 0; i < command.truth.size(); ++i) {
    View& view = (*views)[i];
    const VideoInfo info = view.source->info();
    view.truth = value_or_fail(read_true_heads(value_or_fail(read_file(command.truth[i])), command.truth[i],
                                               info.width_px, info.height_px, parameters.smallest_px));
    view.has_truth = true;
  }
}

std::vector<View> open_views(const HeadsCommand& command, const HeadParameters& parameters,
                             const Backends& backends, const std::shared_ptr<const HeadModel>& model) {
  std::vector<View> views(command.videos.size());
  for (size_t i = 0; i < views.size(); ++i) {
    VideoOpenOptions options;
    options.hardware = backends.hardware;
    options.stop = interrupted();
    views[i].name = std::filesystem::path(command.videos[i]).stem().string();
    views[i].source = value_or_fail(open_video(command.videos[i], options));
  }
  read_cameras(command, &views);
  read_truth(command, parameters, &views);
  for (View& view : views) {
    const VideoInfo info = view.source->info();
    view.detector = value_or_fail(backends.on_device().create<HeadDetector>({model}));
    view.all_windows = value_or_fail(plan_head_search(info.width_px, info.height_px, parameters)).windows;
    HeadSearch search = value_or_fail(
        plan_head_search(info.width_px, info.height_px, parameters, view.camera ? &*view.camera : nullptr));
    view.windows = search.windows;
    check_or_fail(view.detector->prepare(std::move(search), parameters));
  }
  return views;
}

std::shared_ptr<const HeadModel> model_of(const HeadsCommand& command) {
  if (command.model.empty()) return built_in_head_model();
  return std::make_shared<const HeadModel>(value_or_fail(read_head_model(command.model)));
}

void draw_box(const Detection& box, ImageView<uint8_t> picture) {
  const int x0 = std::max(0, static_cast<int>(box.x)), y0 = std::max(0, static_cast<int>(box.y));
  const int x1 = std::min(picture.width - 1, static_cast<int>(box.x + box.w));
  const int y1 = std::min(picture.height - 1, static_cast<int>(box.y + box.h));
  for (int x = x0; x <= x1; ++x)
    for (const int y : {y0, y1}) picture.at(x, y) = 255;
  for (int y = y0; y <= y1; ++y)
    for (const int x : {x0, x1}) picture.at(x, y) = 255;
}

class HeadsRun {
 public:
  HeadsRun(const HeadsCommand& command, const ParameterStore& parameters)
      : command_(command),
        parameters_(parameters.get<HeadParameters>()),
        triangulation_(parameters.get<TriangulationParameters>()),
        model_(model_of(command)),
        backends_(value_or_fail(open_backends(command.backend, nullptr))),
        views_(open_views(command, parameters_, backends_, model_)) {
    if (views_.front().camera)
      for (const View& view : views_) cameras_.push_back(*view.camera);
    for (const std::string& note : backends_.notes) fmt::print(stderr, "{}\n", note);
    transfer_ = value_or_fail(backends_.on_device().create<MemoryTransfer>({}));
  }

  void run() {
    const FrameRange range = parse_frames(command_.frames);
    if (range.begin > 0)
      for (View& view : views_) check_or_fail(view.source->seek(range.begin));
    Progress progress("heads");
    const int64_t count = views_.front().source->info().frame_count;
    for (int64_t frame = range.begin; frame < range.end; ++frame) {
      if (interrupted().stop_requested())
        fail_command({ErrorKind::cancelled, "stopped; nothing was written", command_.out, ""});
      if (!process(frame)) break;
      progress.update(++frames_, count < 0 ? -1 : std::min(count, range.end) - range.begin);
    }
    check_or_fail(write_file_atomically(command_.out, boxes_csv_));
    if (!command_.points.empty()) check_or_fail(write_file_atomically(command_.points, points_csv_));
  }

  void report() const {
    nlohmann::ordered_json json = {
        {"frames", frames_},
        {"device", backends_.description},
        {"milliseconds_per_picture", milliseconds_ / std::max<double>(1, pictures_)},
        {"out", command_.out}};
    for (const View& view : views_) {
      nlohmann::ordered_json entry = {{"camera", view.name},
                                      {"heads", view.heads},
                                      {"guided", view.guided},
                                      {"windows", view.windows},
                                      {"windows_without_calibration", view.all_windows}};
      json["cameras"].push_back(std::move(entry));
    }
    if (!command_.points.empty()) json["points"] = points_;
    const bool measured = !command_.truth.empty();
    if (measured) {
      const HeadCurve::Point here = curve_.at_score(-1e9);
      json["truth"] = {{"heads", curve_.heads()},
                       {"recall", here.recall},
                       {"false_positives_per_picture", here.false_positives}};
    }
    if (command_.json) {
      print_json(json);
      return;
    }
    print_text(json, measured);
  }

 private:
  void print_text(const nlohmann::ordered_json& json, bool measured) const {
    fmt::print("{} frames, {:.2f} ms a picture ({})\n", frames_,
               json["milliseconds_per_picture"].get<double>(), backends_.description);
    for (const View& view : views_)
      fmt::print("{}: {} heads, {} of them guided, {} windows a picture ({:.1f} % of all)\n", view.name,
                 view.heads, view.guided, view.windows,
                 100.0 * static_cast<double>(view.windows) /
                     std::max<double>(1, static_cast<double>(view.all_windows)));
    if (!command_.points.empty()) fmt::print("{} points of several views\n", points_);
    if (measured) {
      const HeadCurve::Point here = curve_.at_score(-1e9);
      fmt::print("recall {:.4f}, {:.4f} false positives a picture, here\n{}", here.recall,
                 here.false_positives, curve_.text());
    }
  }

  // Returns false when the first video has ended.
  bool process(int64_t frame) {
    Moment moment;
    moment.pictures.resize(views_.size());
    moment.views.resize(views_.size());
    for (size_t i = 0; i < views_.size(); ++i) {
      const Result<DecodedFrame> decoded = views_[i].source->read();
      if (!decoded && decoded.error().kind == ErrorKind::end_of_stream) {
        if (i == 0) return false;
        continue;
      }
      if (!decoded) fail_command(decoded.error());
      if (!decoded->picture) continue;
      moment.pictures[i] = decoded->picture;
      moment.views[i] = detect(views_[i], decoded->picture, frame, static_cast<int>(i));
    }
    take(frame, moment);
    return true;
  }

  HeadsInView detect(View& view, const Picture& picture, int64_t frame, int camera) {
    Picture there = picture;
    if (picture.place().kind == MemoryKind::host)
      there = value_or_fail(transfer_->upload(picture, frame, camera));
    const int64_t start_ns = trace_now_ns();
    HeadsInView found = value_or_fail(view.detector->detect(there, frame));
    milliseconds_ += static_cast<double>(trace_now_ns() - start_ns) * 1e-6;
    ++pictures_;
    return found;
  }

  void take(int64_t frame, const Moment& moment) {
    const int64_t start_ns = trace_now_ns();
    const std::vector<std::vector<Detection>> boxes =
        join_head_views(cameras_, moment.views, *model_, parameters_);
    milliseconds_ += static_cast<double>(trace_now_ns() - start_ns) * 1e-6;
    std::vector<PointInView> points;
    for (size_t i = 0; i < views_.size(); ++i) {
      if (!moment.pictures[i]) continue;
      add_rows(views_[i], frame, boxes[i]);
      if (views_[i].has_truth) measure(views_[i], frame, boxes[i]);
      if (!command_.pictures.empty()) write_picture(views_[i], frame, moment.pictures[i], boxes[i]);
      for (const Detection& head : boxes[i])
        points.push_back({static_cast<int>(i), head.x + 0.5 * head.w - 0.5, head.y + 0.5 * head.h - 0.5,
                          std::clamp(0.1 + 0.1 * head.score, 0.05, 1.0)});
    }
    if (!command_.points.empty()) add_points(frame, points);
  }

  void measure(const View& view, int64_t frame, const std::vector<Detection>& boxes) {
    curve_.add(boxes, static_cast<size_t>(frame) < view.truth.size()
                          ? std::span<const GroundTruthHead>(view.truth[frame])
                          : std::span<const GroundTruthHead>());
  }

  void add_rows(View& view, int64_t frame, const std::vector<Detection>& boxes) {
    for (const Detection& head : boxes) {
      const bool guided = head.class_id == kHeadGuided;
      boxes_csv_ += fmt::format("{},{},{:.2f},{:.2f},{:.2f},{:.2f},{:.4f},{}\n", view.name, frame, head.x,
                                head.y, head.w, head.h, head.score, guided ? 1 : 0);
      ++view.heads;
      if (guided) ++view.guided;
    }
  }

  void add_points(int64_t frame, const std::vector<PointInView>& points) {
    for (const TriangulatedPoint& point : triangulate(cameras_, points, triangulation_)) {
      points_csv_ +=
          fmt::format("{},{:.4f},{:.4f},{:.4f},{},{:.4f},{:.4f}\n", frame, point.point_in_world_m.x(),
                      point.point_in_world_m.y(), point.point_in_world_m.z(), point.points.size(),
                      point.distance_m, point.value);
      ++points_;
    }
  }

  void write_picture(const View& view, int64_t frame, const Picture& picture,
                     const std::vector<Detection>& boxes) {
    Picture here = picture;
    if (picture.place().kind == MemoryKind::device)
      here = value_or_fail(transfer_->download(picture, frame, 0));
    Image gray = value_or_fail(Image::make(ImageType::u8, here.width(), here.height(), HostPool::shared()));
    const ImageView<uint8_t> view_of = gray.writable_view<uint8_t>();
    for (int y = 0; y < view_of.height; ++y) std::copy_n(here.plane(0).row(y), view_of.width, view_of.row(y));
    for (const Detection& head : boxes) draw_box(head, view_of);
    const std::filesystem::path path = mask_file(command_.pictures, view.name, frame);
    check_or_fail(make_folder(path.parent_path()));
    check_or_fail(write_png_gray(path, gray));
  }

  const HeadsCommand& command_;
  const HeadParameters parameters_;
  const TriangulationParameters triangulation_;
  const std::shared_ptr<const HeadModel> model_;
  Backends backends_;
  std::unique_ptr<MemoryTransfer> transfer_;
  std::vector<View> views_;
  std::vector<Camera> cameras_;  // the views'; empty without a calibration
  HeadCurve curve_;
  std::string boxes_csv_ = "camera,frame,x,y,w,h,score,guided\n",
              points_csv_ = "frame,x,y,z,views,distance,value\n";
  int64_t frames_ = 0, pictures_ = 0, points_ = 0;
  double milliseconds_ = 0;
};

void heads(const HeadsCommand& command) {
  if (!command.points.empty() && (command.calibration.empty() || command.videos.size() < 2))
    throw CLI::ValidationError("--points", "needs --calibration and two videos or more");
  if (!command.truth.empty() && command.truth.size() != command.videos.size())
    throw CLI::ValidationError("--truth", "needs one file for each video");
  HeadsRun run(command, command.set.apply_to({&parameter_table<HeadParameters>(),
                                              &parameter_table<TriangulationParameters>()}));
  run.run();
  run.report();
}

}  // namespace

void add_heads(CLI::App& app) {
  auto options = std::make_shared<HeadsCommand>();
  CLI::App* command =
      app.add_subcommand("heads", "Find heads in pictures or videos, and their positions in the room.");
  command->footer(
      "Writes camera,frame,x,y,w,h,score,guided: the box of the head in pixels. With a calibration only\n"
      "windows of the size of a person's head at their position are searched (--set heads.min_height_m=,\n"
      "heads.max_height_m=), and views help each other: guided is 1 where the others were needed\n"
      "(--set heads.guided=false: every view for itself).\n"
      "Example: vantage-cli heads cam1.mp4 cam2.mp4 --out boxes.csv --calibration calibration.json --points "
      "points.csv");
  command->add_option("videos", options->videos, "pictures, videos, image folders or patterns")->required();
  command->add_option("--out", options->out, "the boxes, CSV")->required();
  command->add_option("--calibration", options->calibration, "of all cameras, in any known format");
  command->add_option("--unit-scale", options->unit_scale_m, "metres per unit of the calibration");
  command->add_option("--up-axis", options->up_axis, "the calibration's axis that points up");
  command->add_option("--map", options->maps, "VIDEO=CAMERA where the names differ")->take_all();
  command->add_option("--points", options->points, "heads joined over the views: frame,x,y,z in metres, CSV");
  command->add_option("--truth", options->truth,
                      "truth/heads_camN.csv of rendered footage, one per video: prints recall and errors");
  command->add_option("--pictures", options->pictures, "folder for grey pictures with the boxes drawn in");
  command->add_option("--model", options->model, "a model of train-heads instead of the one built in");
  command->add_option("--frames", options->frames, "A:B, B excluded")->type_name("A:B");
  options->set.add_to(*command, "heads or triangulation");
  add_backend_option(*command, options->backend, "where it runs; auto takes a GPU when there is one");
  add_json_flag(*command, &options->json);
  command->callback([options] { heads(*options); });
}

}  // namespace vantage::cli
