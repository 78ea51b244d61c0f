"""Tensors of a chain on a GPU: their memory is the device's and holds what the arrays copied to the host hold. Skipped without one."""

import ctypes
import unittest

import numpy as np
import vantage

import footage


class Tensor(ctypes.Structure):
    """DLPack's DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def copied_to_host(tensor):
    """By the driver, from the primary context, as another library would reach it."""
    driver = ctypes.CDLL("libcuda.so.1")
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = tensor.__dlpack__(stream=1)
    seen = Tensor.from_address(pointer(capsule, b"dltensor"))
    context = ctypes.c_void_p()
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), seen.device) == 0
    assert driver.cuCtxPushCurrent_v2(context) == 0
    shape, strides = seen.shape[: seen.dimensions], seen.strides[: seen.dimensions]
    item = seen.bits // 8
    elements = 1 + sum((length - 1) * stride for length, stride in zip(shape, strides))
    out = np.zeros(elements, tensor.dtype)
    assert driver.cuMemcpyDtoH_v2(out.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(seen.data + seen.byte_offset), elements * item) == 0
    driver.cuCtxPopCurrent_v2(ctypes.byref(context))
    driver.cuDevicePrimaryCtxRelease_v2(seen.device)
    return np.lib.stride_tricks.as_strided(out, shape, [stride * item for stride in strides])


class GpuMemoryTest(unittest.TestCase):
    def test_holds_what_the_arrays_hold(self):
        try:
            vantage.nms([[0, 0, 1, 1]], [1], backend="cuda")
        except vantage.Error as error:
            self.skipTest(str(error))
        project = vantage.Project(footage.project())
        project.parameters["flow.enabled"] = project.parameters["heightmap.enabled"] = True
        kinds = set()
        for frame in project.run(range(12, 16), backend="cuda", confidence=True):
            columns, tops = frame.floor_map
            pairs = [(frame.tensor("floor_columns"), columns), (frame.tensor("floor_tops"), tops)]
            pairs.append((frame.tensor("confidence"), frame.volume.confidence))
            pairs.append((frame.tensor("shell_ids"), frame.volume.shell_ids))
            pairs.append((frame.tensor("height_map"), frame.height_map))
            kinds.add((frame.tensor("confidence").device, frame.tensor("shell_ids").device))
            for camera in range(len(project.cameras)):
                pairs.append((frame.tensor("luma", camera), frame.luma(camera)))
                pairs.append((frame.tensor("mask", camera), frame.masks[camera]))
                pairs.append((frame.tensor("indicator", camera), frame.indicator(camera)))
                pairs.append((frame.tensor("flow", camera), frame.flow[camera]))
            on_device = 0
            for tensor, array in pairs:
                if tensor.device == "cpu":  # what the chain brings to the host
                    self.assertEqual(tensor.__dlpack_device__(), (1, 0))
                    np.testing.assert_array_equal(np.from_dlpack(tensor), array)
                    continue
                self.assertEqual((tensor.device, tensor.__dlpack_device__()), ("cuda:0", (2, 0)))
                np.testing.assert_array_equal(copied_to_host(tensor), array)
                on_device += 1
            self.assertGreaterEqual(on_device, len(project.cameras), [tensor.device for tensor, _ in pairs])
        self.assertEqual(kinds, {("cuda:0", "cuda:0")})  # the volume stays where it was carved


if __name__ == "__main__":
    unittest.main()
