// Computes height maps off the GUI thread, one at a time, newest request first. Results are signals on the
// GUI thread, of references and maps only the newest.
#pragma once

#include <QObject>
#include <QPoint>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/pipeline/height_study.h"
#include "core/project/project.h"

namespace vantage::ui {

// Makes the study of a calibrated project, on the chain's device.
using HeightStudyFactory = std::function<std::unique_ptr<HeightStudy>(const Project&)>;

class HeightMapRunner final : public QObject {
  Q_OBJECT
 public:
  explicit HeightMapRunner(HeightStudyFactory factory, QObject* parent = nullptr);
  ~HeightMapRunner() override;  // stops and waits: work polls its stop at least every few iterations

  bool available() const { return factory_ != nullptr; }
  // For another project or other cameras: drops kept data.
  void set_project(const Project& project);
  // Stops the request in progress.
  void request(HeightStudyRequest request);
  void stop();
  void release();  // stops, and frees all memory
  // The pixel of the picture whose belief is reported, now and after every map.
  void watch(std::optional<QPoint> pixel_px);

 signals:
  // The reference camera, before its first map.
  void reference_chosen(const vantage::FrameResultRef& result, int reference);
  void map_ready(const vantage::HeightStudyMap& map);
  void belief_ready(const QPoint& pixel_px, const vantage::PixelBelief& belief);
  void progressed(const QString& what, double share);
  void failed(const vantage::Error& error);
  void finished();  // the last request is done, failed or was stopped

 private:
  struct News {
    std::optional<std::pair<FrameResultRef, int>> reference;
    std::optional<HeightStudyMap> map;
    std::optional<std::pair<QPoint, PixelBelief>> belief;
    std::optional<std::pair<QString, double>> progress;
    std::optional<Error> error;
    bool finished = false;
  };
  struct Wishes {
    std::optional<Project> project;
    std::optional<HeightStudyRequest> request;
    bool release = false, belief = false, quit = false;
    bool any() const { return project || request || release || belief || quit; }
  };
  void work();
  void run(const HeightStudyRequest& request, uint64_t number, const StopSource& stop);
  void tell_belief();
  template <typename Change>
  void tell(Change change);
  void deliver();

  const HeightStudyFactory factory_;
  std::mutex mutex_;
  std::condition_variable wake_;
  Wishes wishes_;                // guarded, as the next five
  StopSource stop_;              // the newest request's
  uint64_t requests_ = 0;        // so far
  std::optional<QPoint> pixel_;  // watched
  News news_;
  bool scheduled_ = false;
  std::unique_ptr<HeightStudy> study_;  // used by the thread
  std::thread thread_;                  // destroyed first: it uses the other members
};

}  // namespace vantage::ui
