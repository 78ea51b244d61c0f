#include <algorithm>
#include <memory>
#include <span>

#include "core/heads/heads.h"
#include "gpu/algorithms.h"
#include "gpu/heads/heads_kernels.h"
#include "gpu/primitives/nms_kernels.h"
#include "gpu/runtime/upload.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

using namespace heads;

// Maximum number of boxes suppressed on the device. More, a sign of a threshold far too low, are fetched and
// suppressed on the host.
constexpr int kRoom = 4096;
constexpr int kBatchEnds[] = {16, 64, kMaxWeakClassifiers};
constexpr int kLists = 2;

struct Output {        // copied to the host, in this order
  uint32_t counts[8];  // of the lists; the last two are of accepted and of faint windows
  int32_t kept_count, unused[7];
  int32_t kept[kRoom];
  Detection boxes[kRoom];
  WindowEntry faint[kRoom];  // in any order; only if searched for
};
constexpr int kAccepted = 7, kFaint = 6;

class HeadDetectorCuda final : public HeadDetector {
 public:
  HeadDetectorCuda(std::shared_ptr<const HeadModel> model, std::shared_ptr<Context> context,
                   std::unique_ptr<Stream> stream)
      : model_(std::move(model)), context_(std::move(context)), stream_(std::move(stream)) {}

  Status prepare(HeadSearch search, const HeadParameters& parameters) override {
    search_ = std::move(search);
    parameters_ = parameters;
    if (search_.tiles.empty()) return {};
    VANTAGE_TRY(take_memory());
    return upload_plan();
  }

  Result<HeadsInView> detect(const Picture& picture, int64_t frame) override {
    VANTAGE_TRY(check_head_picture(picture, search_, MemoryKind::device));
    HeadsInView view;
    if (search_.tiles.empty()) return view;
    VANTAGE_ASSIGN(const EventRef done, context_->run([&] { return enqueue(picture, frame); }));
    VANTAGE_TRY(context_->wait(done));
    const Output* output = host_output_.data();
    if (std::max(output->counts[kAccepted], output->counts[kFaint]) > static_cast<uint32_t>(kRoom))
      return suppress_on_host(*output);
    view.heads = final_heads(output->boxes, output->kept, output->kept_count, search_, *model_, parameters_);
    VANTAGE_TRY(add_faint_heads(hits_of(output->faint, output->counts[kFaint]), search_, *model_, parameters_,
                                &view));
    return view;
  }

 private:
  // Minimum score of windows; faint_too(): it is below accept_from.
  int32_t faint_from() const { return windows_from(search_, *model_, parameters_); }
  bool faint_too() const { return faint_from() < model_->accept_from; }
  size_t output_bytes() const { return faint_too() ? sizeof(Output) : offsetof(Output, faint); }

  static std::vector<HeadHit> hits_of(const WindowEntry* entries, uint32_t count) {
    std::vector<HeadHit> hits;
    for (uint32_t i = 0; i < count; ++i) hits.push_back({entries[i].key, entries[i].score});
    return hits;
  }

  // Rows begin at multiples of 256 bytes.
  size_t turned_stride() const { return (static_cast<size_t>(search_.turn.width) + 255) / 256 * 256; }

  Status take_memory() {
    Context& context = *context_;
    const auto windows = static_cast<size_t>(search_.windows);
    turned_ = {};
    if (search_.turn.turned()) {
      VANTAGE_ASSIGN(turned_, DeviceBuffer<uint8_t>::take(
                                  context, turned_stride() * static_cast<size_t>(search_.turn.height)));
    }
    VANTAGE_ASSIGN(octaves_, DeviceBuffer<uint8_t>::take(context, search_.octave_bytes));
    VANTAGE_ASSIGN(codes_, DeviceBuffer<uint8_t>::take(context, kHeadBlockCount * search_.level_bytes));
    for (DeviceBuffer<WindowEntry>& list : lists_) {
      VANTAGE_ASSIGN(list, DeviceBuffer<WindowEntry>::take(context, windows));
    }
    VANTAGE_ASSIGN(accepted_, DeviceBuffer<WindowEntry>::take(context, 2 * kRoom));
    VANTAGE_ASSIGN(output_, DeviceBuffer<Output>::take(context, 1));
    VANTAGE_ASSIGN(host_output_, PinnedBuffer<Output>::take(context, 1));
    VANTAGE_ASSIGN(nms_scratch_, DeviceBuffer<std::byte>::take(context, greedy_nms_scratch_bytes(kRoom)));
    return {};
  }

  std::vector<DeviceLevel> device_levels() const {
    std::vector<DeviceLevel> levels;
    for (const HeadLevel& level : search_.levels) {
      const HeadOctave& octave = search_.octaves[level.octave];
      const uint8_t* pixels = octaves_.data() + octave.offset;
      levels.push_back({level.octave == 0 ? nullptr : pixels, static_cast<int64_t>(octave.stride),
                        octave.width, octave.height, level.step, level.width, level.height, level.window_step,
                        static_cast<uint32_t>(level.stride), static_cast<uint32_t>(level.offset),
                        static_cast<float>(level.scale)});
    }
    return levels;
  }

  // Tiles of the rows that the windows of a level need.
  std::vector<DeviceTile> code_tiles() const {
    std::vector<DeviceTile> tiles;
    for (size_t l = 0; l < search_.levels.size(); ++l) {
      const HeadLevel& level = search_.levels[l];
      for (int y = level.first_row; y < level.end_row; y += kCodeTileHeight)
        for (int x = 0; x < level.width; x += kCodeTileWidth)
          tiles.push_back({static_cast<int32_t>(l), x, y});
    }
    return tiles;
  }

  Status upload_plan() {
    const std::vector<DeviceLevel> levels = device_levels();
    const std::vector<DeviceTile> codes = code_tiles();
    std::vector<DeviceTile> windows;
    for (const HeadTile& tile : search_.tiles) windows.push_back({tile.level, tile.x, tile.y});
    std::vector<DeviceWeak> weak;
    std::vector<int8_t> tables;
    for (const WeakHeadClassifier& w : model_->weak) {
      weak.push_back({w.block, w.x, w.y, w.reject_below});
      tables.insert(tables.end(), w.table.begin(), w.table.end());
    }
    VANTAGE_ASSIGN(levels_, upload(*stream_, std::span(levels)));
    VANTAGE_ASSIGN(code_tiles_, upload(*stream_, std::span(codes)));
    VANTAGE_ASSIGN(window_tiles_, upload(*stream_, std::span(windows)));
    VANTAGE_ASSIGN(weak_, upload(*stream_, std::span(weak)));
    VANTAGE_ASSIGN(tables_, upload(*stream_, std::span(tables)));
    plan_ = {levels_.data(),
             code_tiles_.data(),
             window_tiles_.data(),
             weak_.data(),
             tables_.data(),
             codes_.data(),
             static_cast<uint32_t>(search_.level_bytes)};
    return context_->run([&]() -> Status {
      Work work(*stream_, {});
      VANTAGE_TRY(work.writes(nms_scratch_));
      VANTAGE_TRY(work.set_zero(nms_scratch_));
      return work.finish();
    });
  }

  Result<EventRef> enqueue(const Picture& picture, int64_t frame) {
    Work work(*stream_, {.name = "heads", .frame = frame});
    VANTAGE_TRY(work.reads(picture.buffer()));
    VANTAGE_TRY(work.reads({levels_, code_tiles_, window_tiles_, weak_, tables_}));
    VANTAGE_TRY(work.writes(
        {octaves_, codes_, lists_[0], lists_[1], accepted_, output_, host_output_, nms_scratch_}));
    if (turned_) VANTAGE_TRY(work.writes(turned_));
    VANTAGE_TRY(work.set_zero(output_.data(), offsetof(Output, boxes)));
    VANTAGE_TRY(enqueue_pyramid(work, picture));
    VANTAGE_TRY(enqueue_batches(work));
    VANTAGE_TRY(enqueue_list(work));
    VANTAGE_TRY(work.copy("copy heads to host", host_output_.data(), output_.data(), output_bytes()));
    VANTAGE_TRY(work.finish());
    return work.done();
  }

  // Octaves and the codes of all levels.
  Status enqueue_pyramid(Work& work, const Picture& picture) {
    const ImageView<const uint8_t> luma = picture.plane(0);
    Source source{luma.data, static_cast<int64_t>(luma.stride_bytes)};
    if (turned_) {
      const auto stride = static_cast<int64_t>(turned_stride());
      VANTAGE_TRY(enqueue_turn(work, source, search_.turn, turned_.data(), stride));
      source = {turned_.data(), stride};
    }
    Source from = source;
    for (size_t o = 1; o < search_.octaves.size(); ++o) {
      const HeadOctave& octave = search_.octaves[o];
      uint8_t* to = octaves_.data() + octave.offset;
      const auto stride = static_cast<int64_t>(octave.stride);
      VANTAGE_TRY(enqueue_halve(work, from, to, stride, octave.width, octave.height));
      from = {to, stride};
    }
    return enqueue_codes(work, plan_, source, static_cast<int>(code_tiles_.count()));
  }

  WindowList list(int number) const {
    return {lists_[number % kLists].data(), output_.data()->counts + number};
  }

  // Leaves the last list's number in last_list_.
  Status enqueue_batches(Work& work) {
    const auto weak = static_cast<int>(model_->weak.size());
    int done = std::min(kFirstBatch, weak), number = 0;
    VANTAGE_TRY(enqueue_first_batch(work, plan_, static_cast<int>(search_.tiles.size()), done, list(0)));
    for (const int batch_end : kBatchEnds) {
      const int end = std::min(batch_end, weak);
      if (end <= done) continue;
      VANTAGE_TRY(enqueue_next_batch(work, plan_, done, end, list(number), list(number + 1)));
      done = end;
      ++number;
    }
    last_list_ = number;
    return {};
  }

  // Turns the last list into boxes, and decides which of them are kept.
  Status enqueue_list(Work& work) {
    Output* output = output_.data();
    const WindowList last = list(last_list_), accepted{accepted_.data(), output->counts + kAccepted};
    if (faint_too())
      VANTAGE_TRY(enqueue_accept(work, last, faint_from(), kRoom, {output->faint, output->counts + kFaint}));
    VANTAGE_TRY(enqueue_boxes(work, plan_, last, {model_->accept_from, model_->score_unit}, output->boxes,
                              kRoom, accepted, accepted_.data() + kRoom));
    return enqueue_greedy_nms(work, output->boxes, kRoom, head_suppression(parameters_).rule,
                              {output->kept, &output->kept_count, nullptr}, nms_scratch_.data(),
                              nms_scratch_.size_bytes());
  }

  Result<HeadsInView> suppress_on_host(const Output& output) {
    const uint32_t count = output.counts[last_list_];
    VANTAGE_ASSIGN(const auto host, PinnedBuffer<WindowEntry>::take(*context_, count));
    const DeviceBuffer<WindowEntry>& from = lists_[last_list_ % kLists];
    VANTAGE_ASSIGN(const EventRef done, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {});
      VANTAGE_TRY(work.reads(from));
      VANTAGE_TRY(work.writes(host));
      VANTAGE_TRY(work.copy("copy windows to host", host, from, count));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    VANTAGE_TRY(context_->wait(done));
    std::vector<HeadHit> hits = hits_of(host.data(), count);
    std::erase_if(hits, [&](const HeadHit& hit) { return hit.score < faint_from(); });
    HeadsInView view;
    VANTAGE_ASSIGN(view.heads, suppress_heads(hits, search_, *model_, parameters_));
    VANTAGE_TRY(add_faint_heads(std::move(hits), search_, *model_, parameters_, &view));
    return view;
  }

  const std::shared_ptr<const HeadModel> model_;
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  HeadSearch search_;
  HeadParameters parameters_;
  DeviceBuffer<DeviceLevel> levels_;
  DeviceBuffer<DeviceTile> code_tiles_, window_tiles_;
  DeviceBuffer<DeviceWeak> weak_;
  DeviceBuffer<int8_t> tables_;
  DeviceBuffer<uint8_t> turned_, octaves_, codes_;
  DeviceBuffer<WindowEntry> lists_[kLists], accepted_;
  DeviceBuffer<Output> output_;
  PinnedBuffer<Output> host_output_;
  DeviceBuffer<std::byte> nms_scratch_;
  int last_list_ = 0;
  DevicePlan plan_{};
};

}  // namespace

void register_heads_cuda(BackendRegistry& registry) {
  registry.add<HeadDetector>(
      Device::cuda,
      [](const BackendContext& backend,
         const HeadDetector::Arguments& arguments) -> Result<std::unique_ptr<HeadDetector>> {
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "heads", backend.trace));
        return std::make_unique<HeadDetectorCuda>(arguments.model, std::move(context), std::move(stream));
      });
}

}  // namespace vantage::gpu
