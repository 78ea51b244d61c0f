// What the tests of the CUDA side share: VANTAGE_NEED_DEVICE(context) makes `context`, or skips with the
// reason.
#pragma once

#include <gtest/gtest.h>

#include "gpu/cuda_backends.h"
#include "gpu/runtime/context.h"

#define VANTAGE_NEED_DEVICE(context)                                                               \
  const auto context##_result = ::vantage::gpu::Context::get(0);                                   \
  if (!context##_result) GTEST_SKIP() << "no CUDA device: " << context##_result.error().message(); \
  const std::shared_ptr<::vantage::gpu::Context> context = *context##_result
