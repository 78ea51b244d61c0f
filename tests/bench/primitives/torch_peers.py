#!/usr/bin/env python3
"""torch's cumulative sums and torchvision's nms on the GPU, timed as primitives_bench times ours: median of replays by
events. Prints a table; a missing package is said and skipped."""
import sys

try:
    import torch
except ImportError:
    sys.exit("torch is not installed: nothing measured")
if not torch.cuda.is_available():
    sys.exit("torch finds no GPU: nothing measured")


def time_us(call, runs=10, replays=7):
    call()
    torch.cuda.synchronize()
    times = []
    for _ in range(replays):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(runs):
            call()
        end.record()
        end.synchronize()
        times.append(1000 * start.elapsed_time(end) / runs)
    return sorted(times)[replays // 2]


def boxes_of(n):
    generator = torch.Generator().manual_seed(12345)
    clusters = max(1, n // 20)
    centre = torch.rand(clusters, 3, generator=generator) * torch.tensor([4600.0, 1800.0, 66.0]) + torch.tensor([0.0, 0.0, 24.0])
    own = centre[torch.arange(n) % clusters]
    jitter = (torch.rand(n, 3, generator=generator) - 0.5) * 0.3
    corner = own[:, :2] + own[:, 2:] * jitter[:, :2]
    return torch.cat([corner, corner + own[:, 2:] * (1 + jitter[:, 2:])], 1).cuda(), torch.rand(n, generator=generator).cuda()


print(f"# {torch.cuda.get_device_name()}, torch {torch.__version__}")
for dtype, out in ((torch.uint8, torch.int32), (torch.float32, torch.float32), (torch.float64, torch.float64)):
    for width, height in ((640, 480), (1024, 1024), (1920, 1080), (2048, 2048), (4096, 4096), (8192, 8192)):
        picture = (torch.rand(height, width, device="cuda") * 255).to(dtype)
        took = time_us(lambda: picture.cumsum(1, dtype=out).cumsum(0, dtype=out))
        print(f"integral image {dtype} -> {out} {width} x {height}: {took:.1f} us")
try:
    from torchvision.ops import nms
except ImportError:
    sys.exit("torchvision is not installed: nms not measured")
for n in (200, 1027, 2895, 10000):
    boxes, scores = boxes_of(n)
    print(f"torchvision nms n = {n}: {time_us(lambda: nms(boxes, scores, 0.5)):.1f} us, keeps {len(nms(boxes, scores, 0.5))}")
