#include <cstdio>

#include "app/cli/common/chain.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/image/backend/memory_transfer.h"
#include "core/image/png.h"
#include "core/results/drawn_masks.h"

namespace vantage::cli {
namespace {

struct SegmentOptions {
  ChainOptions chain;
  std::string out;
  bool indicator = false, json = false;
};

// Writes each camera's mask or indicator, from wherever it is.
class MaskWriter {
 public:
  MaskWriter(const OpenedChain& chain, const SegmentOptions& options) : chain_(chain), options_(options) {}

  Status open() {
    for (const ProjectCamera& camera : chain_.project.cameras)
      VANTAGE_TRY(make_folder(std::filesystem::path(options_.out) / camera.name));
    VANTAGE_ASSIGN(transfer_, chain_.backends.on_device(chain_.trace.get()).create<MemoryTransfer>({}));
    return {};
  }

  Status write(const FrameResult& result) {
    const auto& cameras = result.foreground()->cameras;
    for (size_t i = 0; i < cameras.size(); ++i) {
      Image image = options_.indicator ? cameras[i].indicator : cameras[i].mask;
      if (!image) continue;  // the camera has no frame here
      VANTAGE_ASSIGN(image, transfer_->download(image, result.frame, static_cast<int>(i)));
      VANTAGE_TRY(
          write_png_gray(mask_file(options_.out, chain_.project.cameras[i].name, result.frame), image));
      ++files_;
    }
    return {};
  }
  int64_t files() const { return files_; }

 private:
  const OpenedChain& chain_;
  const SegmentOptions& options_;
  std::unique_ptr<MemoryTransfer> transfer_;
  int64_t files_ = 0;
};

void segment(const SegmentOptions& options) {
  const FrameRange asked = parse_frames(options.chain.frames);
  Project project = load_project_or_fail(options.chain);
  OpenedChain chain = open_chain_or_fail(options.chain, std::move(project));
  const FrameRange range = cut_to_recording_or_fail(asked, chain.analysis->source());
  MaskWriter writer(chain, options);
  if (const Status opened = writer.open(); !opened) fail_command(opened.error());
  FrameEffort effort;
  effort.last_stage = kForegroundStage;
  int64_t frames = 0;
  {
    Progress progress("segment");
    for (int64_t frame = range.begin; frame < range.end; ++frame) {
      const Result<FrameResultRef> result = chain.analysis->pipeline().frame(frame, effort, interrupted());
      if (!result && result.error().kind == ErrorKind::end_of_stream) break;
      if (!result) fail_command(result.error());
      if (const Status written = writer.write(**result); !written) fail_command(written.error());
      progress.update(++frames, range.end - range.begin);
    }
  }
  if (options.json)
    print_json(nlohmann::ordered_json{{"frames", frames}, {"files", writer.files()}, {"out", options.out}});
  else
    std::printf("%lld frames, %lld files in %s\n", static_cast<long long>(frames),
                static_cast<long long>(writer.files()), options.out.c_str());
}

}  // namespace

void add_segment(CLI::App& app) {
  auto options = std::make_shared<SegmentOptions>();
  CLI::App* command = app.add_subcommand("segment", "Write each camera's foreground mask as PNG files.");
  command->footer(
      "Writes DIR/CAMERA/frame_000000.png, 255 where there is foreground.\n"
      "Example: vantage-cli segment hall.vantage --out masks --frames 0:100");
  add_chain_options(*command, options->chain);
  add_frames_option(*command, options->chain);
  command->add_option("--out", options->out, "folder for the masks")->required()->type_name("DIR");
  command->add_flag("--indicator", options->indicator,
                    "write the soft indicator (0 to 255) instead of the mask");
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options] { segment(*options); });
}

}  // namespace vantage::cli
