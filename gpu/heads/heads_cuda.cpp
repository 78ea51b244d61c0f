#include <algorithm>
#include <cstring>
#include <memory>

#include "core/heads/heads.h"
#include "gpu/algorithms.h"
#include "gpu/heads/heads_kernels.cuh"
#include "gpu/primitives/nms.cuh"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

using namespace heads;

// Boxes that are suppressed on the device; more than so many, which means a threshold far too low, are
// fetched and suppressed on the host.
constexpr int kRoom = 4096;
constexpr int kBlocks = 528;  // of the batches: four a multiprocessor of an H200
constexpr int kBatchEnds[] = {16, 64, kHeadModelMostWeak};
constexpr int kLists = 2;

constexpr size_t aligned(size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

// Parts of one block of memory.
class Layout {
 public:
  size_t add(size_t bytes) {
    const size_t at = size_;
    size_ += aligned(bytes);
    return at;
  }
  size_t size() const { return size_; }

 private:
  size_t size_ = 0;
};

struct Output {        // what comes back to the host, in this order
  uint32_t counts[8];  // of the lists; the last two are of accepted and of faint windows
  int32_t kept_count, unused[7];
  int32_t kept[kRoom];
  Detection boxes[kRoom];
  WindowEntry faint[kRoom];  // in any order; only where they are looked for
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
    const auto* output = reinterpret_cast<const Output*>(host_output_->data());
    if (std::max(output->counts[kAccepted], output->counts[kFaint]) > static_cast<uint32_t>(kRoom))
      return suppress_on_host(*output);
    view.heads = final_heads(output->boxes, output->kept, output->kept_count, search_, *model_, parameters_);
    VANTAGE_TRY(add_faint_heads(hits_of(output->faint, output->counts[kFaint]), search_, *model_, parameters_,
                                &view));
    return view;
  }

 private:
  // Whether windows below HeadModel::accept_from are looked for.
  int32_t faint_from() const { return windows_from(search_, *model_, parameters_); }
  bool faint_too() const { return faint_from() < model_->accept_from; }
  size_t output_bytes() const { return faint_too() ? sizeof(Output) : offsetof(Output, faint); }

  static std::vector<HeadHit> hits_of(const WindowEntry* entries, uint32_t count) {
    std::vector<HeadHit> hits;
    for (uint32_t i = 0; i < count; ++i) hits.push_back({entries[i].key, entries[i].score});
    return hits;
  }

  size_t turned_stride() const { return aligned(static_cast<size_t>(search_.turn.width)); }

  Status take_memory() {
    MemoryPool& pool = context_->device_pool();
    const auto windows = static_cast<size_t>(search_.windows);
    turned_ = {};
    if (search_.turn.turned()) {
      VANTAGE_ASSIGN(turned_, pool.take(turned_stride() * static_cast<size_t>(search_.turn.height)));
    }
    VANTAGE_ASSIGN(octaves_, pool.take(std::max<size_t>(256, search_.octave_bytes)));
    VANTAGE_ASSIGN(codes_, pool.take(kHeadBlockCount * search_.level_bytes));
    for (BufferRef& list : lists_) {
      VANTAGE_ASSIGN(list, pool.take(windows * sizeof(WindowEntry)));
    }
    VANTAGE_ASSIGN(accepted_, pool.take(2 * kRoom * sizeof(WindowEntry)));
    VANTAGE_ASSIGN(output_, pool.take(sizeof(Output)));
    VANTAGE_ASSIGN(host_output_, context_->pinned_pool().take(sizeof(Output)));
    nms_bytes_ = greedy_nms_scratch_bytes(kRoom);
    VANTAGE_ASSIGN(nms_scratch_, pool.take(nms_bytes_));
    return {};
  }

  std::vector<DeviceLevel> device_levels() const {
    std::vector<DeviceLevel> levels;
    for (const HeadLevel& level : search_.levels) {
      const HeadOctave& octave = search_.octaves[static_cast<size_t>(level.octave)];
      const auto* pixels = reinterpret_cast<const uint8_t*>(octaves_->data()) + octave.offset;
      levels.push_back({level.octave == 0 ? nullptr : pixels, static_cast<int64_t>(octave.stride),
                        octave.width, octave.height, level.step, level.width, level.height, level.window_step,
                        static_cast<uint32_t>(level.stride), static_cast<uint32_t>(level.offset),
                        static_cast<float>(level.scale)});
    }
    return levels;
  }

  // Of the rows that the windows of a level need.
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
    Layout layout;
    const size_t at_levels = layout.add(levels.size() * sizeof(DeviceLevel)),
                 at_codes = layout.add(codes.size() * sizeof(DeviceTile)),
                 at_windows = layout.add(windows.size() * sizeof(DeviceTile)),
                 at_weak = layout.add(weak.size() * sizeof(DeviceWeak)),
                 at_tables = layout.add(tables.size());
    VANTAGE_ASSIGN(plan_memory_, context_->device_pool().take(layout.size()));
    VANTAGE_ASSIGN(const BufferRef staging, context_->pinned_pool().take(layout.size()));
    std::memset(staging->data(), 0, layout.size());
    std::memcpy(staging->data() + at_levels, levels.data(), levels.size() * sizeof(DeviceLevel));
    std::memcpy(staging->data() + at_codes, codes.data(), codes.size() * sizeof(DeviceTile));
    std::memcpy(staging->data() + at_windows, windows.data(), windows.size() * sizeof(DeviceTile));
    std::memcpy(staging->data() + at_weak, weak.data(), weak.size() * sizeof(DeviceWeak));
    std::memcpy(staging->data() + at_tables, tables.data(), tables.size());
    const std::byte* base = plan_memory_->data();
    plan_ = {reinterpret_cast<const DeviceLevel*>(base + at_levels),
             reinterpret_cast<const DeviceTile*>(base + at_codes),
             reinterpret_cast<const DeviceTile*>(base + at_windows),
             reinterpret_cast<const DeviceWeak*>(base + at_weak),
             reinterpret_cast<const int8_t*>(base + at_tables),
             reinterpret_cast<uint8_t*>(codes_->data()),
             static_cast<uint32_t>(search_.level_bytes)};
    code_tile_count_ = static_cast<int>(codes.size());
    return context_->run([&]() -> Status {
      Work work(*stream_, {});
      VANTAGE_TRY(work.reads(staging));
      for (const BufferRef& buffer : {plan_memory_, nms_scratch_}) VANTAGE_TRY(work.writes(buffer));
      VANTAGE_TRY(
          work.copy("copy head model to device", plan_memory_->data(), staging->data(), layout.size()));
      VANTAGE_TRY(work.set_zero(nms_scratch_->data(), nms_bytes_));
      return work.finish();
    });
  }

  Result<EventRef> enqueue(const Picture& picture, int64_t frame) {
    Work work(*stream_, {.name = "heads", .frame = frame});
    VANTAGE_TRY(work.reads(picture.buffer()));
    VANTAGE_TRY(work.reads(plan_memory_));
    for (const BufferRef& buffer :
         {octaves_, codes_, lists_[0], lists_[1], accepted_, output_, host_output_, nms_scratch_})
      VANTAGE_TRY(work.writes(buffer));
    if (turned_) VANTAGE_TRY(work.writes(turned_));
    VANTAGE_TRY(work.set_zero(output_->data(), offsetof(Output, boxes)));
    VANTAGE_TRY(enqueue_codes(work, picture));
    VANTAGE_TRY(enqueue_batches(work));
    VANTAGE_TRY(work.copy("copy heads to host", host_output_->data(), output_->data(), output_bytes()));
    VANTAGE_TRY(work.finish());
    return work.done();
  }

  Status enqueue_codes(Work& work, const Picture& picture) {
    const ImageView<const uint8_t> luma = picture.plane(0);
    Source source{luma.data, static_cast<int64_t>(luma.stride_bytes)};
    if (turned_) {
      auto* to = reinterpret_cast<uint8_t*>(turned_->data());
      const auto stride = static_cast<int64_t>(turned_stride());
      VANTAGE_TRY(work.enqueue("turn picture upright", [&](cudaStream_t stream) {
        return turn_picture(stream, source, search_.turn, to, stride);
      }));
      source = {to, stride};
    }
    Source from = source;
    for (size_t o = 1; o < search_.octaves.size(); ++o) {
      const HeadOctave& octave = search_.octaves[o];
      auto* to = reinterpret_cast<uint8_t*>(octaves_->data()) + octave.offset;
      const auto stride = static_cast<int64_t>(octave.stride);
      VANTAGE_TRY(work.enqueue("halve picture", [&](cudaStream_t stream) {
        return halve(stream, from, to, stride, octave.width, octave.height);
      }));
      from = {to, stride};
    }
    return work.enqueue("local binary patterns", [&](cudaStream_t stream) {
      return write_codes(stream, plan_, source, code_tile_count_);
    });
  }

  WindowList list(int number) const {
    auto* output = reinterpret_cast<Output*>(output_->data());
    return {reinterpret_cast<WindowEntry*>(lists_[number % kLists]->data()), output->counts + number};
  }

  Status enqueue_batches(Work& work) {
    const auto weak = static_cast<int>(model_->weak.size());
    int done = std::min(kFirstBatch, weak), number = 0;
    VANTAGE_TRY(work.enqueue("first weak classifiers", [&](cudaStream_t stream) {
      return first_batch(stream, plan_, static_cast<int>(search_.tiles.size()), done, list(0));
    }));
    for (const int batch_end : kBatchEnds) {
      const int end = std::min(batch_end, weak);
      if (end <= done) continue;
      VANTAGE_TRY(work.enqueue("more weak classifiers", [&](cudaStream_t stream) {
        return next_batch(stream, plan_, done, end, list(number), list(number + 1), kBlocks);
      }));
      done = end;
      ++number;
    }
    last_list_ = number;
    auto* output = reinterpret_cast<Output*>(output_->data());
    auto* entries = reinterpret_cast<WindowEntry*>(accepted_->data());
    const WindowList accepted{entries, output->counts + kAccepted};
    if (faint_too())
      VANTAGE_TRY(work.enqueue("list faint windows", [&](cudaStream_t stream) {
        return list_windows(stream, list(number), faint_from(), kRoom,
                            {output->faint, output->counts + kFaint});
      }));
    VANTAGE_TRY(work.enqueue("list heads", [&](cudaStream_t stream) {
      return list_boxes(stream, plan_, list(number), {model_->accept_from, model_->score_unit}, output->boxes,
                        kRoom, accepted, entries + kRoom);
    }));
    return work.enqueue("suppress heads", [&](cudaStream_t stream) {
      return greedy_nms(stream, output->boxes, kRoom, head_suppression(parameters_).rule,
                        {output->kept, &output->kept_count, nullptr}, nms_scratch_->data(), nms_bytes_,
                        GreedyVariant::automatic);
    });
  }

  Result<HeadsInView> suppress_on_host(const Output& output) {
    const uint32_t count = output.counts[last_list_];
    const size_t bytes = count * sizeof(WindowEntry);
    VANTAGE_ASSIGN(const BufferRef host, context_->pinned_pool().take(bytes));
    const BufferRef& from = lists_[last_list_ % kLists];
    VANTAGE_ASSIGN(const EventRef done, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {});
      VANTAGE_TRY(work.reads(from));
      VANTAGE_TRY(work.writes(host));
      VANTAGE_TRY(work.copy("copy windows to host", host->data(), from->data(), bytes));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    VANTAGE_TRY(context_->wait(done));
    std::vector<HeadHit> hits = hits_of(reinterpret_cast<const WindowEntry*>(host->data()), count);
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
  BufferRef turned_, octaves_, codes_, lists_[kLists], accepted_, output_, host_output_, nms_scratch_,
      plan_memory_;
  size_t nms_bytes_ = 0;
  int code_tile_count_ = 0, last_list_ = 0;
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
