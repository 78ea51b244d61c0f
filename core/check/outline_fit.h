// The camera whose pose is not the calibrated one, by the outlines of what moves.
//
// Rays through the outlines of each camera's silhouettes miss the silhouettes of the others where a camera is
// wrong. For each camera in turn the change (camera.h) is fitted that lets the rays of all cameras miss by
// the minimum, the others fixed. The camera whose change explains most is to blame, if it explains so much
// more than any other's, and if it moves positions on the floor. The fit's uncertainty comes from the scatter
// between instants, and from errors that masks have in common at all instants: shadows, missing feet, rims.
//
// A person who hardly moves shows the same at every instant, and errors of masks are the same then, too:
// FloorEffect::blind_m counts instants that differ.
//
// Likelihood of a miss of r pixels: Student's t with 3 degrees of freedom and a scale that is the same for
// all rays, taken from those that the worst camera has no part in.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/threads.h"
#include "core/check/camera_view.h"
#include "core/check/distance_map.h"
#include "core/check/silhouettes.h"
#include "core/geometry/camera.h"

namespace vantage {

// Rays through the rims of silhouettes, and their misses of the other cameras' silhouettes.
//
// A camera's silhouette must lie in what the silhouettes of its neighbours leave of space. A ray on which no
// place lies in all of theirs misses them, by as many pixels as the farthest of them is away at the
// place where that is least (silhouette coherence: C. Hernandez, F. Schmitt, R. Cipolla, "Silhouette
// coherence for camera calibration under circular motion", IEEE PAMI 29, 2007).

// A camera as calibrated, or after a change.
struct RimView {
  Camera camera;
  Eigen::Matrix3d world_from_cam;
  Eigen::Vector3d center_in_world_m;
  double focal_factor = 1;  // of the camera in which the rims were measured
};

struct RimRay {
  size_t camera, instant;
  Eigen::Vector2d slope;  // x/z and y/z in the camera, as the lens was measured
};

struct RimMiss {
  double px = 0;       // in the picture that is missed by most; 0: no miss
  double at_m = 0;     // along the ray
  size_t camera = 0;   // that is missed by most; the ray's own: none
  double pixel_m = 0;  // how far a pixel of it reaches there
  bool known = false;  // some place of the ray is seen by two neighbours, or by all where there is one
};

class RimRays {
 public:
  // Misses are said up to `largest_px`. Rays are followed through the grid and a margin around it.
  RimRays(Neighbours neighbours, const VoxelGrid& grid, double largest_px);

  // One instant. `masks`: u8, 0 or 255, host memory; an empty Image: none. `views`: unchanged.
  void add(std::span<const Image> masks, const std::vector<RimView>& views);

  size_t size() const { return rays_.size(); }
  const RimRay& ray(size_t index) const { return rays_[index]; }
  double largest_px() const { return largest_px_; }
  // Number of its neighbours that have silhouettes at the same instants.
  int partners(size_t camera) const;
  // The rays whose misses the camera has a part in: its own and those of cameras whose neighbour it is.
  std::vector<size_t> rays_of(size_t camera) const;

  // The misses of those rays. `near`: theirs by views that differ little, or empty.
  std::vector<RimMiss> misses(const std::vector<size_t>& rays, const std::vector<RimView>& views,
                              const std::vector<RimMiss>& near) const;
  // The miss of one ray, searched only near `at_m` along it.
  RimMiss miss_near(size_t ray, const std::vector<RimView>& views, double at_m) const;

 private:
  RimMiss miss_at(const RimRay& ray, const Eigen::Vector3d& direction, const std::vector<RimView>& views,
                  double at_m, double give_up_px) const;
  RimMiss miss(size_t ray, const std::vector<RimView>& views, const RimMiss* near) const;

  Neighbours neighbours_;
  VoxelGrid grid_;
  double largest_px_;
  std::vector<RimRay> rays_;
  std::vector<std::vector<DistanceMap>> maps_;  // by instant and camera
};

// The misses that one camera's change explains.
struct CameraFit {
  int rays = 0, partners = 0;  // of its outlines and of others' that miss it; cameras compared with
  double error_px = 0;         // those rays' misses: the highest tenth is larger
  double middle_px = 0;        // their median
  double others_px = 0;        // the same of all other rays
  double gain = 0;             // log-likelihood gained by a change of the camera, its own cost deducted
  FloorEffect floor;
};

struct OutlineReport {
  double noise_px = 0;
  std::vector<CameraFit> cameras;
  size_t pairs = 0;  // of a camera and another that its outlines were compared with
  // The one camera whose change explains what the outlines show, and moves a place by more than
  // kMaxFloorShift_m.
  std::optional<size_t> wrong;
};

inline constexpr double kMaxFloorShift_m = 0.03;
// Farther off, footage does not show enough of a camera to judge it.
inline constexpr double kMaxBlind_m = 0.10;
// True if the outlines show enough of that camera.
bool is_judged(const CameraFit& fit);
// True if a change of that camera would explain something, be it less than another's.
bool is_suspected(const CameraFit& fit);
// OutlineReport::wrong of these fits: none where another's change explains nearly as much, or where rays that
// the camera has no part in miss, too.
std::optional<size_t> camera_by_rays(const std::vector<CameraFit>& fits, const std::vector<double>& focal_px);

class OutlineFit {
 public:
  // Misses beyond `largest_px` (the tolerance of CommonSilhouettes) are of the masks, not of a camera.
  OutlineFit(const std::vector<Camera>& cameras, const Neighbours& neighbours, const VoxelGrid& grid,
             double largest_px);

  // One instant; masks as of CommonSilhouettes.
  void add(std::span<const Image> masks);

  // `fitted`: counts cameras. Cameras that a stop left out have no rays, and no camera is blamed.
  OutlineReport report(const std::function<void()>& fitted, const StopSource& stop) const;

 private:
  using Matrix = Eigen::Matrix<double, kChanges, kChanges>;
  // A camera's fit by the rays that it has a part in.
  struct Fitted {
    const std::vector<size_t>& rays;
    CameraChange change = CameraChange::Zero();
    Matrix covariance = Matrix::Zero();
    std::vector<RimMiss> misses;  // by these rays
    double cost = 0;              // of the misses
  };
  // Measurement of slopes.
  struct Probe {
    double min_px;  // of rays that miss by so much
    double step;    // of the usual change
  };
  // Sums over these rays for one step of the fit.
  struct Step {
    Matrix information, scatter;
    CameraChange gradient;
  };

  double noise_px(const std::vector<RimMiss>& misses) const;
  double cost(const std::vector<RimMiss>& misses, double noise_px) const;
  std::vector<CameraChange> slopes(size_t camera, const std::vector<RimView>& views, const Fitted& at,
                                   const Probe& probe) const;
  Step step(size_t camera, const std::vector<RimView>& views, const Fitted& at, double noise_px,
            const Probe& probe) const;
  bool improve(size_t camera, const Step& step, double noise_px, double* damping, std::vector<RimView>* views,
               Fitted* fitted) const;
  Fitted fit(size_t camera, const std::vector<size_t>& rays, double noise_px,
             const std::vector<RimMiss>& start, const StopSource& stop) const;
  // `start`: the misses of all rays, as calibrated.
  CameraFit describe(size_t camera, const std::vector<RimMiss>& start, double noise_px,
                     const StopSource& stop) const;

  // Instants for each that shows something else than those before it.
  double instants_alike() const;

  VoxelGrid grid_;
  std::vector<RimView> views_;
  size_t pairs_ = 0;
  RimRays rays_;
  size_t instants_ = 0;
  std::vector<std::vector<Cells>> different_;  // silhouettes of instants that differ, by camera
};

}  // namespace vantage
