#include "tests/reference/optical_flow.h"

#include <array>
#include <cmath>

namespace vantage::reference {
namespace {

int mirrored(int i, int size) {
  if (size == 1) return 0;
  while (i < 0 || i >= size) i = i < 0 ? -i : 2 * (size - 1) - i;
  return i;
}

Plane blurred(const Plane& in, double sigma) {
  std::vector<double> kernel = {0.25, 0.5, 0.25};
  if (sigma > 0) {
    kernel.assign(static_cast<size_t>(std::max(static_cast<int>(std::nearbyint(5 * sigma)) | 1, 3)), 0.0);
    double sum = 0;
    const int half = static_cast<int>(kernel.size()) / 2;
    for (int i = -half; i <= half; ++i) sum += kernel[i + half] = std::exp(-0.5 * i * i / (sigma * sigma));
    for (double& k : kernel) k /= sum;
  }
  const int half = static_cast<int>(kernel.size()) / 2;
  Plane across(in.width, in.height), out(in.width, in.height);
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
      for (int i = -half; i <= half; ++i)
        across.at(x, y) += kernel[i + half] * in.at(mirrored(x + i, in.width), y);
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
      for (int i = -half; i <= half; ++i)
        out.at(x, y) += kernel[i + half] * across.at(x, mirrored(y + i, in.height));
  return out;
}

Plane resized(const Plane& in, int width, int height) {
  Plane out(width, height);
  const auto place = [](int i, int from, int to, int& low, double& fraction) {
    const double x = std::clamp((i + 0.5) * from / to - 0.5, 0.0, from - 1.0);
    low = static_cast<int>(x);
    fraction = x - low;
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int x0, y0;
      double u, v;
      place(x, in.width, width, x0, u);
      place(y, in.height, height, y0, v);
      out.at(x, y) = (1 - v) * ((1 - u) * in.repeated(x0, y0) + u * in.repeated(x0 + 1, y0)) +
                     v * ((1 - u) * in.repeated(x0, y0 + 1) + u * in.repeated(x0 + 1, y0 + 1));
    }
  return out;
}

Plane area_resized(const Plane& in, int width, int height) {
  Plane out(width, height);
  const double rx = static_cast<double>(in.width) / width, ry = static_cast<double>(in.height) / height;
  const auto share = [](int pixel, double from, double to) {
    return std::max(0.0, std::min(pixel + 1.0, to) - std::max<double>(pixel, from));
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int j = static_cast<int>(y * ry); j < std::min(in.height, static_cast<int>((y + 1) * ry) + 1); ++j)
        for (int i = static_cast<int>(x * rx); i < std::min(in.width, static_cast<int>((x + 1) * rx) + 1);
             ++i)
          out.at(x, y) +=
              share(i, x * rx, (x + 1) * rx) * share(j, y * ry, (y + 1) * ry) * in.at(i, j) / (rx * ry);
  return out;
}

using Matrix6 = std::array<std::array<double, 6>, 6>;

Matrix6 inverted(Matrix6 a) {
  Matrix6 inverse{};
  for (size_t i = 0; i < 6; ++i) inverse[i][i] = 1;
  for (size_t column = 0; column < 6; ++column) {
    size_t pivot = column;
    for (size_t row = column; row < 6; ++row)
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    std::swap(a[column], a[pivot]);
    std::swap(inverse[column], inverse[pivot]);
    const double scale = 1 / a[column][column];
    for (size_t i = 0; i < 6; ++i) a[column][i] *= scale, inverse[column][i] *= scale;
    for (size_t row = 0; row < 6; ++row) {
      const double factor = row == column ? 0 : a[row][column];
      for (size_t i = 0; i < 6; ++i)
        a[row][i] -= factor * a[column][i], inverse[row][i] -= factor * inverse[column][i];
    }
  }
  return inverse;
}

// b and A of f(x) = x'Ax + b'x + c, fitted around every pixel with weight exp(-|x|^2 / 2 sigma^2).
struct Fit {
  Plane bx, by, axx, ayy, axy;  // axy: the matrix entry
};
Fit fitted(const Plane& in, int radius, double sigma) {
  Fit fit{Plane(in.width, in.height), Plane(in.width, in.height), Plane(in.width, in.height),
          Plane(in.width, in.height), Plane(in.width, in.height)};
  const auto basis = [](int x, int y) {
    return std::array<double, 6>{1.0, double(x), double(y), double(x) * x, double(y) * y, double(x) * y};
  };
  Matrix6 metric{};
  for (int y = -radius; y <= radius; ++y)
    for (int x = -radius; x <= radius; ++x)
      for (size_t i = 0; i < 6; ++i)
        for (size_t j = 0; j < 6; ++j)
          metric[i][j] += std::exp(-(x * x + y * y) / (2 * sigma * sigma)) * basis(x, y)[i] * basis(x, y)[j];
  const Matrix6 inverse = inverted(metric);
  // The pixel's share in each coefficient, by place in the neighbourhood.
  std::vector<std::array<double, 6>> share;
  for (int y = -radius; y <= radius; ++y)
    for (int x = -radius; x <= radius; ++x) {
      std::array<double, 6> row{};
      for (size_t i = 0; i < 6; ++i)
        for (size_t j = 0; j < 6; ++j)
          row[i] += inverse[i][j] * basis(x, y)[j] * std::exp(-(x * x + y * y) / (2 * sigma * sigma));
      share.push_back(row);
    }
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x) {
      std::array<double, 6> r{};
      size_t at = 0;
      for (int j = -radius; j <= radius; ++j)
        for (int i = -radius; i <= radius; ++i, ++at)
          for (size_t k = 0; k < 6; ++k) r[k] += share[at][k] * in.repeated(x + i, y + j);
      fit.bx.at(x, y) = r[1], fit.by.at(x, y) = r[2];
      fit.axx.at(x, y) = r[3], fit.ayy.at(x, y) = r[4], fit.axy.at(x, y) = r[5] / 2;
    }
  return fit;
}

double border_ramp(int i, int size) {
  const std::array<double, 5> ramp = {0.14, 0.14, 0.4472, 0.4472, 0.4472};
  double weight = 1;
  if (i < 5) weight *= ramp[i];
  if (size - 1 - i < 5) weight *= ramp[size - 1 - i];
  return weight;
}

Flow iterated(const Fit& first, const Fit& second, const Flow& flow, int radius, bool gaussian) {
  const int width = flow.dx.width, height = flow.dx.height;
  std::array<Plane, 5> equation = {Plane(width, height), Plane(width, height), Plane(width, height),
                                   Plane(width, height), Plane(width, height)};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double dx = flow.dx.at(x, y), dy = flow.dy.at(x, y);
      // In single precision as everyone: the last digit decides on which side of the border a pixel falls.
      const double px = static_cast<float>(x) + static_cast<float>(dx),
                   py = static_cast<float>(y) + static_cast<float>(dy);
      const bool inside = px >= 0 && py >= 0 && px < width - 1 && py < height - 1;
      const auto at_second = [&](const Plane& p) {
        const int x0 = static_cast<int>(px), y0 = static_cast<int>(py);
        const double u = px - x0, v = py - y0;
        return (1 - v) * ((1 - u) * p.at(x0, y0) + u * p.at(x0 + 1, y0)) +
               v * ((1 - u) * p.at(x0, y0 + 1) + u * p.at(x0 + 1, y0 + 1));
      };
      const auto mean = [&](const Plane& a, const Plane& b) {
        return inside ? (a.at(x, y) + at_second(b)) / 2 : a.at(x, y);
      };
      const double axx = mean(first.axx, second.axx), ayy = mean(first.ayy, second.ayy),
                   axy = mean(first.axy, second.axy);
      const double ux = (first.bx.at(x, y) - (inside ? at_second(second.bx) : 0)) / 2 + axx * dx + axy * dy;
      const double uy = (first.by.at(x, y) - (inside ? at_second(second.by) : 0)) / 2 + axy * dx + ayy * dy;
      const double weight = std::pow(border_ramp(x, width) * border_ramp(y, height), 2);
      equation[0].at(x, y) = weight * (axx * axx + axy * axy);
      equation[1].at(x, y) = weight * axy * (axx + ayy);
      equation[2].at(x, y) = weight * (ayy * ayy + axy * axy);
      equation[3].at(x, y) = weight * (axx * ux + axy * uy);
      equation[4].at(x, y) = weight * (axy * ux + ayy * uy);
    }
  std::vector<double> kernel;
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) {
    kernel.push_back(gaussian ? std::exp(-0.5 * i * i / std::pow(0.3 * radius, 2)) : 1.0);
    sum += kernel.back();
  }
  Flow result{Plane(width, height), Plane(width, height)};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::array<double, 5> g{};
      for (int j = -radius; j <= radius; ++j)
        for (int i = -radius; i <= radius; ++i)
          for (size_t c = 0; c < 5; ++c)
            g[c] +=
                kernel[i + radius] * kernel[j + radius] / (sum * sum) * equation[c].repeated(x + i, y + j);
      const double determinant = g[0] * g[2] - g[1] * g[1] + 1e-3;
      result.dx.at(x, y) = (g[2] * g[3] - g[1] * g[4]) / determinant;
      result.dy.at(x, y) = (g[0] * g[4] - g[1] * g[3]) / determinant;
    }
  return result;
}

Flow scaled(Flow flow, double factor) {
  for (double& v : flow.dx.values) v *= factor;
  for (double& v : flow.dy.values) v *= factor;
  return flow;
}

}  // namespace

Flow optical_flow(const Plane& first, const Plane& second, const FlowSettings& s, const Flow* initial) {
  std::vector<double> scales;
  for (int k = 0; k <= s.levels; ++k) {
    const double scale = std::pow(s.pyramid_scale, k);
    if (k > 0 && (first.width * scale < 32 || first.height * scale < 32)) break;
    scales.push_back(scale);
  }
  Flow flow{Plane(0, 0), Plane(0, 0)};
  for (size_t k = scales.size(); k-- > 0;) {
    const int width = static_cast<int>(std::nearbyint(first.width * scales[k]));
    const int height = static_cast<int>(std::nearbyint(first.height * scales[k]));
    if (k + 1 < scales.size())
      flow = scaled({resized(flow.dx, width, height), resized(flow.dy, width, height)}, 1 / s.pyramid_scale);
    else if (initial)
      flow = scaled({area_resized(initial->dx, width, height), area_resized(initial->dy, width, height)},
                    scales[k]);
    else
      flow = {Plane(width, height), Plane(width, height)};
    const double sigma = (1 / scales[k] - 1) / 2;
    const Fit a = fitted(resized(blurred(first, sigma), width, height), s.poly_n, s.poly_sigma);
    const Fit b = fitted(resized(blurred(second, sigma), width, height), s.poly_n, s.poly_sigma);
    for (int i = 0; i < s.iterations; ++i) flow = iterated(a, b, flow, s.window / 2, s.gaussian);
  }
  return flow;
}

}  // namespace vantage::reference
