#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/text.h"
#include "core/display/flow_colors.h"
#include "core/display/picture_colors.h"
#include "core/export/figure/detail/compared_figure.h"
#include "core/export/figure/detail/figure_drawing.h"
#include "core/export/figure/detail/scene_drawing.h"
#include "core/image/image_files.h"
#include "core/pipeline/kept_frames.h"
#include "core/project/json_parts.h"
#include "core/project/variants.h"
#include "core/run/analysis.h"
#include "core/video/video_writer.h"

namespace vantage {
namespace {

using namespace figure_detail;

constexpr int kFilmCrf = 18;

// The project with the stages on that the overlays show.
Project project_for(const FigureOptions& options, const ParameterStore& parameters) {
  Project project = options.project;
  project.parameters = parameters;
  const auto enable = [&](bool wanted, const char* assignment) {
    if (wanted) (void)set_from_text(&project, assignment);
  };
  const FigureView& view = options.view;
  enable(view.kind == FigureKind::height_map, "heightmap.enabled=true");
  enable(view.overlays.contains(FigureOverlay::flow), "flow.enabled=true");
  enable(view.kind == FigureKind::camera && view.overlays.contains(FigureOverlay::heads),
         "heads.enabled=true");
  return project;
}

std::string parameters_text(const ParameterStore& parameters) {
  std::string text;
  for (const ParameterDifference& one : parameter_differences(default_parameters(), parameters))
    append_item(&text,
                one.key() + "\u00a0=\u00a0" + parameter_value_json(*one.description, one.second).dump());
  return text.empty() ? "All parameters are at their defaults." : "Other than by default: " + text + ".";
}

class FigureExport {
 public:
  explicit FigureExport(const FigureOptions& options)
      : options_(options),
        project_(project_for(options, options.project.parameters)),
        scene_{project_, options.view, 0, {}} {}

  Result<ExportedFigure> run() {
    VANTAGE_TRY(open());
    const bool film = options_.out.extension() != ".png";
    const int64_t first = std::max<int64_t>(0, frames_.begin - before_);
    const int64_t total = frames_.begin - first + pictures_;
    for (int64_t frame = first; frame < frames_.end; ++frame) {
      if (options_.stop.stop_requested()) return stopped();
      VANTAGE_ASSIGN(const FrameResultRef result, analysis_->pipeline().frame(frame, effort_, options_.stop));
      if (people_) people_->add(*result);
      if (options_.progress) options_.progress(frame - first, total);
      if (frame < frames_.begin) continue;
      if (frame == frames_.begin) lay_out_page(*result);
      VANTAGE_ASSIGN(const FigureFrame shown, frame_of(result));
      for (const int64_t last = frame - frames_.begin + 1 + pictures_ - (frames_.end - frames_.begin);
           report_.frames < last;) {
        if (options_.stop.stop_requested()) return stopped();
        if (options_.progress) options_.progress(frames_.begin - first + report_.frames, total);
        VANTAGE_ASSIGN(const Image drawn, draw(shown));
        if (film)
          VANTAGE_TRY(add_to_film(drawn));
        else
          VANTAGE_TRY(write_png_rgb(options_.out, drawn));
        ++report_.frames;
      }
    }
    if (writer_) VANTAGE_TRY(writer_->finish());
    return report_;
  }

 private:
  static tl::unexpected<Error> stopped() {
    return fail(ErrorKind::cancelled, "the export was stopped; nothing was kept");
  }
  Status open();
  void lay_out_page(const FrameResult& first);
  std::vector<std::string> notes() const;
  std::string title(int64_t frame) const;
  bool shows(FigureOverlay overlay) const { return scene_.shows(overlay); }
  Result<FigureFrame> frame_of(const FrameResultRef& result);
  Result<Image> draw(const FigureFrame& frame);
  void draw_view(const FigureScene& scene, const FigureFrame& frame, Canvas& canvas);
  Status draw_both(FigureFrame first, Canvas& canvas);
  std::string side_name(size_t side) const;
  std::filesystem::path results_of(const std::string& variant) const;
  bool side_by_side() const {
    return options_.second && options_.second->how == FigureComparison::side_by_side;
  }
  Status add_to_film(const Image& drawn);

  const FigureOptions& options_;
  const Project project_;
  FigureScene scene_;
  std::unique_ptr<Analysis> analysis_;
  std::optional<FigurePeople> people_;  // nothing: they are not drawn
  FrameEffort effort_;
  FrameRange frames_;
  int64_t before_ = 0, pictures_ = 0;    // frames computed before the first; pictures drawn
  std::unique_ptr<SecondChain> second_;  // null: nothing is compared
  std::optional<SceneRoom> room_;        // of a scene
  double flow_full_px_ = 1;              // grows, so that colours do not change back and forth in a film
  std::unique_ptr<VideoWriter> writer_;
  ExportedFigure report_;
};

// The stage that the view needs; all where it needs several.
std::string_view last_stage(const FigureView& view) {
  using enum FigureOverlay;
  if (view.kind == FigureKind::height_map) return kHeightMapStage;
  if (view.kind == FigureKind::plan || view.kind == FigureKind::scene) return {};
  std::string_view stage = kVideoStage;
  for (const FigureOverlay overlay : view.overlays) {
    const std::string_view needed = overlay == mask         ? kForegroundStage
                                    : overlay == flow       ? kFlowStage
                                    : overlay == detections ? kDetectionsStage
                                    : overlay == floor      ? kVideoStage
                                                            : std::string_view();
    if (needed == kVideoStage || needed == stage) continue;
    if (stage != kVideoStage || needed.empty()) return {};
    stage = needed;
  }
  return stage;
}

Status FigureExport::open() {
  VANTAGE_TRY(check_figure(options_));
  AnalysisOptions analysis;
  analysis.backends = options_.backends;
  analysis.hardware = options_.hardware;
  analysis.stop = options_.stop;
  analysis.pipeline.cache_bytes = 0;
  if (!project_.path.empty())
    analysis.pipeline.kept = std::make_shared<KeptFrames>(kept_folder(project_.path));
  VANTAGE_ASSIGN(analysis_, Analysis::open(project_, analysis));
  VANTAGE_ASSIGN(const int64_t count, analysis_->source().wait_for_frame_count(options_.stop));
  if (options_.frames.begin >= count)
    return fail(ErrorKind::invalid_argument, "the recording has only " + std::to_string(count) + " frames",
                "frame " + std::to_string(options_.frames.begin),
                "Choose frames before " + std::to_string(count) + ".");
  frames_ = {options_.frames.begin, std::min(options_.frames.end, count)};
  effort_.last_stage = last_stage(options_.view);
  pictures_ = frames_.end - frames_.begin;
  if (options_.view.kind == FigureKind::scene) {
    room_.emplace(project_, *analysis_->grid());
    if (pictures_ == 1)
      pictures_ =
          std::max<int64_t>(1, turning_pictures(options_.view.scene, analysis_->source().frame_rate()));
  }
  const bool whose = shows(FigureOverlay::volume) && !options_.view.scene.by_height;  // by colour
  if (shows(FigureOverlay::people) || shows(FigureOverlay::trails) || shows(FigureOverlay::skeletons) ||
      whose) {
    people_.emplace(project_, results_of(options_.variant), frames_,
                    analysis_->pipeline().version(kTrackingStage), analysis_->source().frame_rate());
    if (shows(FigureOverlay::trails)) before_ = people_->frames_before();
  }
  if (!options_.second) return {};
  VANTAGE_ASSIGN(second_, SecondChain::open(project_for(options_, options_.second->parameters), options_,
                                            results_of(options_.second->variant), frames_, effort_));
  return {};
}

std::filesystem::path FigureExport::results_of(const std::string& variant) const {
  return variant.empty() ? project_.results_folder() : variant_results(project_.path, variant);
}

// Lays out by the first frame: only the map states which camera a height map belongs to.
void FigureExport::lay_out_page(const FrameResult& first) {
  scene_.camera = options_.view.camera;
  if (const HeightEstimate* estimate = first.height_map();
      estimate && options_.view.kind == FigureKind::height_map)
    scene_.camera = estimate->reference;
  double share = 1;
  if (options_.view.kind == FigureKind::plan) {
    const Eigen::Vector2d size = plan_area_m(*analysis_->grid()).sizes();
    share = size.y() / size.x();
  } else if (room_) {
    share = kSceneHeightShare;
  } else {
    const VideoInfo info = analysis_->source().info(static_cast<int>(scene_.camera));
    share = static_cast<double>(info.height_px) / std::max(1, info.width_px);
  }
  const bool side = options_.view.kind == FigureKind::height_map || shows(FigureOverlay::flow) ||
                    shows(FigureOverlay::floor_map) || (room_ && !scene_scales(scene_).empty());
  if (side_by_side()) share /= 2;
  scene_.page = lay_out(options_.view.width_px, share, side, notes());
  report_.width_px = scene_.page.width_px, report_.height_px = scene_.page.height_px;
  report_.caption = {title(frames_.begin)};
  report_.caption.insert(report_.caption.end(), scene_.page.notes.begin(), scene_.page.notes.end());
}

std::vector<std::string> FigureExport::notes() const {
  std::string shown;
  for (const FigureOverlay overlay : figure_overlays(options_.view.kind)) {
    const bool empty = overlay == FigureOverlay::floor && project_.zones.empty() && project_.lines.empty();
    if (!shows(overlay) || empty) continue;
    append_item(&shown, figure_overlay_words(overlay));
    if (overlay == FigureOverlay::trails) shown += fmt::format(" of the last {:g} s", kFigureTrail_s);
  }
  // The notes of each frame come first.
  std::vector<std::string> notes;
  if (options_.second) notes = disagreement_lines({}, options_.view);
  if (!shown.empty()) {
    shown[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(shown[0])));
    notes.push_back(shown + ".");
  }
  if (room_)
    for (std::string& note : room_->notes(scene_)) notes.push_back(std::move(note));
  if (options_.view.kind == FigureKind::height_map)
    notes.push_back("Colour: height above the floor of the head seen at each pixel, in metres.");
  if (shows(FigureOverlay::floor_map))
    notes.push_back("Colour: occupied height above each cell of the floor, in metres; lines every metre.");
  if (options_.second)
    notes.push_back(side_name(0) + ". " + side_name(1) +
                    ". Blue: only A has it; orange: only B; grey: both, within 0.3\u00a0m.");
  if ((people_ && !people_->from_results()) || (second_ && !second_->ids_of_results()))
    notes.push_back("IDs are those of the tracker that goes from frame to frame.");
  notes.push_back(std::string("Vantage ") + VANTAGE_VERSION + ". " +
                  (options_.variant.empty() ? std::string() : "Variant " + options_.variant + ". ") +
                  (options_.second ? "A: " : "") + parameters_text(options_.project.parameters));
  if (options_.second) notes.push_back("B: " + parameters_text(options_.second->parameters));
  return notes;
}

std::string FigureExport::side_name(size_t side) const {
  const std::string& variant = side == 0 ? options_.variant : options_.second->variant;
  return std::string(side == 0 ? "A: " : "B: ") + (variant.empty() ? "the project" : "variant " + variant);
}

std::string FigureExport::title(int64_t frame) const {
  const std::string of = options_.view.kind == FigureKind::plan ? "plan"
                         : room_                                ? "scene"
                                                                : project_.cameras[scene_.camera].name;
  std::string name = project_.path.stem().string();
  if (!name.empty()) name += ", ";
  return name + of + (options_.view.kind == FigureKind::height_map ? ", height map" : "") +
         fmt::format(", frame {} ({:.2f} s)", frame,
                     static_cast<double>(frame) / analysis_->source().frame_rate());
}

Result<FigureFrame> FigureExport::frame_of(const FrameResultRef& result) {
  FigureFrame frame;
  frame.result = result;
  if (people_) {
    frame.people = people_->people(*result);
    frame.trails = people_->trails(*result);
  }
  if (options_.view.kind == FigureKind::plan) return frame;
  if (room_) {
    if (const CarvedVolume* volume = result->volume(); volume && shows(FigureOverlay::volume)) {
      VANTAGE_ASSIGN(const std::vector<uint32_t> ids, analysis_->host_shell(*result));
      frame.shell = shell_points(volume->grid, ids, {});
    }
    if (const auto& plane = options_.view.scene.slice) {
      VANTAGE_ASSIGN(const auto cut,
                     analysis_->cut(*result, project_.parameters.get<CarvingParameters>(), *plane));
      if (cut) frame.slice = cut_picture(*cut);
    }
    return frame;
  }
  VANTAGE_ASSIGN(frame.picture, analysis_->host_picture(*result, scene_.camera));
  if (shows(FigureOverlay::mask) && result->foreground()) {
    const Result<std::vector<Image>>& masks = result->foreground()->host_masks.get();
    if (!masks) return fail(masks.error());
    if (scene_.camera < masks->size()) frame.mask = (*masks)[scene_.camera];
  }
  if (shows(FigureOverlay::flow) && result->flow())
    flow_full_px_ = std::max(flow_full_px_, flow_full_px(*result->flow()));
  frame.flow_full_px = flow_full_px_;
  return frame;
}

Result<Image> FigureExport::draw(const FigureFrame& frame) {
  const FigurePage& page = scene_.page;
  VANTAGE_ASSIGN(Canvas canvas, Canvas::make(page.width_px, page.height_px, kPaper));
  if (second_) {
    VANTAGE_TRY(draw_both(frame, canvas));
  } else {
    draw_view(scene_, frame, canvas);
  }
  draw_caption(canvas, page, title(frame.result->frame));
  return canvas.image();
}

// The side bars are A's: both have the same.
void FigureExport::draw_view(const FigureScene& scene, const FigureFrame& frame, Canvas& canvas) {
  const FigurePage& page = scene_.page;
  switch (options_.view.kind) {
    case FigureKind::camera:
      draw_camera(scene, frame, canvas);
      if (shows(FigureOverlay::flow)) draw_flow_wheel(canvas, page, frame.flow_full_px);
      break;
    case FigureKind::plan:
      draw_plan(scene, *analysis_->grid(), frame, canvas);
      if (shows(FigureOverlay::floor_map)) draw_color_bar(canvas, page, plan_scale());
      break;
    case FigureKind::height_map:
      draw_height_map(scene, frame, canvas);
      if (const HeightEstimate* estimate = frame.result->height_map()) {
        const HeightLabels& scale = estimate->map.scale;
        draw_color_bar(canvas, page,
                       {&kViridis, scale.height_m(0), scale.height_m(scale.count - 1), "m", 1, kPaper});
      }
      break;
    case FigureKind::scene:
      room_->draw(scene, frame, static_cast<double>(report_.frames) / static_cast<double>(pictures_), canvas);
      draw_color_bars(canvas, page, scene_scales(scene));
      break;
  }
}

Status FigureExport::draw_both(FigureFrame first, Canvas& canvas) {
  VANTAGE_ASSIGN(FigureFrame second, second_->frame(first.result->frame, scene_.camera));
  second.picture = first.picture, second.flow_full_px = first.flow_full_px;
  const auto lines = disagreement_lines(mark_disagreement(&first, &second), options_.view);
  for (size_t i = 0; i < lines.size(); ++i) {
    scene_.page.notes[i] = lines[i];
    if (report_.frames == 0) report_.caption[i + 1] = lines[i];
  }
  if (!side_by_side()) {
    draw_view(scene_, joined(first, second), canvas);
    return {};
  }
  const std::array<PixelArea, 2> areas = halves(scene_.page.view);
  for (size_t side = 0; side < 2; ++side) {
    FigureScene scene = {side == 0 ? project_ : second_->project(), options_.view, scene_.camera,
                         scene_.page};
    scene.page.view = areas[side];
    draw_view(scene, side == 0 ? first : second, canvas);
    draw_side_name(canvas, areas[side], side_name(side), scene_.page.text_px);
  }
  return {};
}

Status FigureExport::add_to_film(const Image& drawn) {
  const ImageView<const uint8_t> from = drawn.view<uint8_t>();
  const PictureFormat format = {PictureLayout::i420, from.width / 3, from.height, ColorRange::limited,
                                ColorMatrix::bt709};
  if (!writer_) {
    VideoWriterOptions video;
    video.frame_rate = analysis_->source().frame_rate();
    video.crf = kFilmCrf;
    video.gop_frames = std::max(1, static_cast<int>(std::lround(video.frame_rate)));
    video.b_frames = 0;
    video.any_encoder = true;
    VANTAGE_ASSIGN(writer_, VideoWriter::open(options_.out, format, video));
  }
  VANTAGE_ASSIGN(Picture picture, Picture::make(format, HostPool::shared()));
  set_colors(from, &picture);
  return writer_->write(picture);
}

}  // namespace

Result<ExportedFigure> export_figure(const FigureOptions& options) {
  return FigureExport(options).run();
}

}  // namespace vantage
