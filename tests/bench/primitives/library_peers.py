#!/usr/bin/env python3
"""What a Python user would call instead of ours, timed on this GPU: integral images by torch (two cumsum) and
by NPP, greedy suppression by torchvision. Needs torch; NPP and torchvision are left out where they are absent.

    python3 tests/bench/primitives/library_peers.py [--json FILE]

Sizes, counts of boxes and threshold are primitives_bench's. Times are the median of 30 calls in microseconds,
between two events of the device, after 5 calls to warm up."""

import argparse
import ctypes
import json
import statistics

import torch

SIZES = [(640, 480), (1024, 1024), (1920, 1080), (2048, 2048), (4096, 4096), (8192, 8192)]
BOXES = [200, 1027, 2895, 10000]
THRESHOLD = 0.5


class NppStreamContext(ctypes.Structure):
    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int), ("multiprocessors", ctypes.c_int),
                ("threads_per_multiprocessor", ctypes.c_int), ("threads_per_block", ctypes.c_int),
                ("shared_per_block", ctypes.c_size_t), ("major", ctypes.c_int), ("minor", ctypes.c_int),
                ("stream_flags", ctypes.c_uint), ("reserved", ctypes.c_int)]


class Size(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


def median_us(call):
    for _ in range(5):
        call()
    times = []
    for _ in range(30):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1000)
    return statistics.median(times)


def stream_context():
    facts = torch.cuda.get_device_properties(0)
    return NppStreamContext(torch.cuda.current_stream().cuda_stream, 0, facts.multi_processor_count,
                            facts.max_threads_per_multi_processor, 1024, 48 * 1024, facts.major, facts.minor, 0, 0)


def npp_library():
    for name in ("libnppist.so.13", "libnppist.so.12", "libnppist.so"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def npp_integral(library, picture):
    height, width = picture.shape
    # One row and column more than the picture, as NPP's sums are exclusive.
    sums = torch.zeros((height + 1, width + 1), dtype=torch.int32, device="cuda")
    context = stream_context()

    def call():
        status = library.nppiIntegral_8u32s_C1R_Ctx(
            ctypes.c_void_p(picture.data_ptr()), picture.stride(0), ctypes.c_void_p(sums.data_ptr()),
            sums.stride(0) * 4, Size(width, height), 0, context)
        if status != 0:
            raise RuntimeError(f"NPP status {status}")

    call()
    torch.cuda.synchronize()
    if int(sums[-1, -1]) != int(picture.sum(dtype=torch.int64)) % 2**31:
        raise RuntimeError("NPP's last sum is not the picture's")
    return median_us(call)


def integral_rows(library):
    for width, height in SIZES:
        picture = torch.randint(0, 2, (height, width), dtype=torch.uint8, device="cuda")
        yield f"integral u8 -> s32 {width} x {height}", "torch cumsum twice", median_us(
            lambda: picture.cumsum(0, dtype=torch.int32).cumsum(1, dtype=torch.int32))
        if library is not None:
            yield f"integral u8 -> s32 {width} x {height}", "NPP", npp_integral(library, picture)


def suppression_rows():
    try:
        from torchvision.ops import nms
    except ImportError:
        return
    for count in BOXES:
        corner = torch.rand(count, 2, device="cuda") * 1900
        boxes = torch.cat([corner, corner + 24 + torch.rand(count, 2, device="cuda") * 100], 1)
        scores = torch.rand(count, device="cuda")
        yield f"nms n = {count}", "torchvision", median_us(lambda: nms(boxes, scores, THRESHOLD))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", help="write the rows to this file as well")
    arguments = parser.parse_args()
    library = npp_library()
    print(f"{torch.cuda.get_device_name(0)}, torch {torch.__version__}, NPP {'found' if library else 'not found'}")
    rows = []
    for what, peer, time_us in [*integral_rows(library), *suppression_rows()]:
        rows.append({"what": what, "peer": peer, "median_us": round(time_us, 2)})
        print(f"{what:36s} {peer:20s} {time_us:10.2f} us")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"device": torch.cuda.get_device_name(0), "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
