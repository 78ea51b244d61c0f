// What the parity tests of the primitives run on a GPU: host memory in and out. Where the program was built
// without CUDA, or no device answers, why_no_cuda() says so and the CUDA rows are skipped.
#pragma once

#include <span>
#include <string>

#include "core/primitives/integral_image.h"
#include "core/primitives/nms.h"

namespace vantage::test {

std::string why_no_cuda();  // empty when a device answers

// Every implementation of the integral image on a GPU.
int integral_variant_count();
std::string integral_variant_name(int variant);
// `request` holds host addresses; in_bytes and out_bytes are what is copied to the device and back, guards
// included, with the same alignment modulo 256 as on the host.
Status integral_on_cuda(int variant, const IntegralRequest& request, std::span<std::byte> in_bytes,
                        std::span<std::byte> out_bytes);

int nms_variant_count(NmsMethod method);
std::string nms_variant_name(NmsMethod method, int variant);
Result<NmsResult> nms_on_cuda(int variant, std::span<const Detection> detections, const NmsOptions& options);

}  // namespace vantage::test
