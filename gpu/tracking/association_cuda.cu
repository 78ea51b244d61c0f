// The CUDA implementation of core/tracking/association.h: a warp a track that has none yet.
// Weights are computed where they are asked for, never stored; warps need not run at the same time, and no
// order of theirs changes the result.
#include <algorithm>
#include <cstring>
#include <memory>

#include "core/tracking/association.h"
#include "gpu/algorithms.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

constexpr int kWarps = 4, kThreads = 32 * kWarps;
constexpr int kMaxBlocks = 1 << 16;
constexpr unsigned kAllLanes = 0xffffffffu;
constexpr size_t kMaxPoints = size_t{1} << 30;

struct Scene {
  const ExpectedTrack* tracks;
  const FloorDetection* detections;
  int32_t* holders;  // per detection its track + 1; 0: free. Only ever changes to a track that it prefers
  int track_count, detection_count;
  double height_weight;
};

__device__ AssociationEdge edge_of(const Scene& scene, int track, int detection) {
  const ExpectedTrack& own = scene.tracks[track];
  return {association::weight_m2(own, scene.detections[detection], scene.height_weight), own.rank, track,
          detection};
}

// May be out of date, a track that the detection has left for a better one: a proposal is then refused.
__device__ int holder_of(const Scene& scene, int detection) {
  int holder;
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(holder) : "l"(scene.holders + detection));
  return holder;
}

__device__ bool accepts(const Scene& scene, int holder, const AssociationEdge& edge) {
  return holder == 0 || association::comes_before(edge, edge_of(scene, holder - 1, edge.detection));
}

// A lane's cheapest edge of the track among every 32nd detection that would accept it.
__device__ AssociationEdge cheapest_of_lane(const Scene& scene, int track, int lane) {
  const ExpectedTrack own = scene.tracks[track];
  AssociationEdge best{0, own.rank, track, -1};
  for (int d = lane; d < scene.detection_count; d += 32) {
    const double weight_m2 = association::weight_m2(own, scene.detections[d], scene.height_weight);
    if (!association::in_gate(own, weight_m2)) continue;
    const AssociationEdge edge{weight_m2, own.rank, track, d};
    if (best.detection >= 0 && !association::comes_before(edge, best)) continue;
    if (accepts(scene, holder_of(scene, d), edge)) best = edge;
  }
  return best;
}

// The cheapest of the warp's, in every lane; without a detection where there is none.
__device__ AssociationEdge cheapest_of_warp(AssociationEdge best) {
  for (int distance = 16; distance > 0; distance /= 2) {
    AssociationEdge other = best;
    other.weight_m2 = __shfl_xor_sync(kAllLanes, best.weight_m2, distance);
    other.detection = __shfl_xor_sync(kAllLanes, best.detection, distance);
    if (other.detection < 0) continue;
    if (best.detection < 0 || association::comes_before(other, best)) best = other;
  }
  return best;
}

// The track that has to search on: the one that the detection left, -1 where it was free, or the proposer
// itself, where a better one came meanwhile.
__device__ int propose(const Scene& scene, const AssociationEdge& edge) {
  int holder = holder_of(scene, edge.detection);
  while (accepts(scene, holder, edge)) {
    const int before = atomicCAS(scene.holders + edge.detection, holder, edge.track + 1);
    if (before == holder) return holder - 1;
    holder = before;
  }
  return edge.track;
}

__global__ void __launch_bounds__(kThreads) associate_tracks(const Scene scene) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int warps = static_cast<int>(gridDim.x) * kWarps;
  for (int first = static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x / 32);
       first < scene.track_count; first += warps)
    for (int track = first; track >= 0;) {
      const AssociationEdge edge = cheapest_of_warp(cheapest_of_lane(scene, track, lane));
      if (edge.detection < 0) break;  // no one takes this track
      if (lane == 0) track = propose(scene, edge);
      track = __shfl_sync(kAllLanes, track, 0);
    }
}

class TrackAssociationCuda final : public TrackAssociation {
 public:
  TrackAssociationCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream)
      : context_(std::move(context)), stream_(std::move(stream)) {}

  Result<std::vector<int32_t>> associate(const AssociationProblem& problem, int64_t frame) override {
    if (std::max(problem.tracks.size(), problem.detections.size()) > kMaxPoints)
      return fail(ErrorKind::invalid_argument, "more than 2^30 tracks or detections", "track association");
    std::vector<int32_t> track_of(problem.detections.size(), -1);
    if (problem.tracks.empty() || problem.detections.empty()) return track_of;
    VANTAGE_ASSIGN(const Memory memory, take(problem));
    VANTAGE_ASSIGN(const EventRef done, context_->run([&] { return enqueue(memory, problem, frame); }));
    VANTAGE_TRY(context_->wait(done));
    const auto* holders = reinterpret_cast<const int32_t*>(memory.host->data() + memory.holders_at);
    for (size_t d = 0; d < track_of.size(); ++d) track_of[d] = holders[d] - 1;
    return track_of;
  }

 private:
  // One block: the tracks, the detections, then who holds each detection.
  struct Memory {
    size_t detections_at = 0, holders_at = 0, size_bytes = 0;
    BufferRef host, device;
  };

  Result<Memory> take(const AssociationProblem& problem) {
    Memory memory;
    memory.detections_at = problem.tracks.size_bytes();
    memory.holders_at = memory.detections_at + problem.detections.size_bytes();
    memory.size_bytes = memory.holders_at + problem.detections.size() * sizeof(int32_t);
    VANTAGE_ASSIGN(memory.host, context_->pinned_pool().take(memory.size_bytes));
    VANTAGE_ASSIGN(memory.device, context_->device_pool().take(memory.size_bytes));
    std::byte* host = memory.host->data();
    std::memcpy(host, problem.tracks.data(), problem.tracks.size_bytes());
    std::memcpy(host + memory.detections_at, problem.detections.data(), problem.detections.size_bytes());
    std::memset(host + memory.holders_at, 0, memory.size_bytes - memory.holders_at);
    return memory;
  }

  Result<EventRef> enqueue(const Memory& memory, const AssociationProblem& problem, int64_t frame) {
    Work work(*stream_, {.name = "association", .frame = frame});
    VANTAGE_TRY(work.writes(memory.device));
    VANTAGE_TRY(work.writes(memory.host));
    std::byte *host = memory.host->data(), *device = memory.device->data();
    const Scene scene{reinterpret_cast<const ExpectedTrack*>(device),
                      reinterpret_cast<const FloorDetection*>(device + memory.detections_at),
                      reinterpret_cast<int32_t*>(device + memory.holders_at),
                      static_cast<int>(problem.tracks.size()),
                      static_cast<int>(problem.detections.size()),
                      problem.height_weight};
    const int blocks = std::min((scene.track_count + kWarps - 1) / kWarps, kMaxBlocks);
    VANTAGE_TRY(work.copy("copy tracks to device", device, host, memory.size_bytes));
    VANTAGE_TRY(launch(work, "associate_tracks", {dim3(static_cast<unsigned>(blocks)), dim3(kThreads)},
                       associate_tracks, scene));
    VANTAGE_TRY(work.copy("copy pairs to host", host + memory.holders_at, device + memory.holders_at,
                          memory.size_bytes - memory.holders_at));
    VANTAGE_TRY(work.finish());
    return work.done();
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
};

Result<std::unique_ptr<TrackAssociation>> make(const BackendContext& backend,
                                               const TrackAssociation::Arguments&) {
  VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
  VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "tracking", backend.trace));
  return std::make_unique<TrackAssociationCuda>(std::move(context), std::move(stream));
}

}  // namespace

void register_track_association_cuda(BackendRegistry& registry) {
  registry.add<TrackAssociation>(Device::cuda, make);
}

}  // namespace vantage::gpu
