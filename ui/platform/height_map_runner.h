// Works on height maps off the GUI thread, one at a time, the newest request first; what it finds comes back
// as signals on the GUI thread, of references and maps the newest only.
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
  ~HeightMapRunner() override;  // stops and waits: work looks at its stop at least every few iterations

  bool available() const { return factory_ != nullptr; }
  // Another project, or other cameras: what was kept of the one before is given back.
  void set_project(const Project& project);
  // Stops the request in progress.
  void request(HeightStudyRequest request);
  void stop();
  void release();  // stops, and gives all memory back
  // The pixel of the picture whose belief is told, now and after every map.
  void watch(std::optional<QPoint> pixel_px);

 signals:
  // The reference camera that is worked on, before its first map.
  void reference_chosen(const vantage::FrameResultRef& result, int reference);
  void map_ready(const vantage::HeightStudyMap& map);
  void belief_ready(const QPoint& pixel_px, const vantage::PixelBelief& belief);
  void progressed(const QString& what, double share);
  void failed(const vantage::Error& error);
  void finished();  // what was asked for last is done, failed or was stopped

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
  StopSource stop_;              // of the newest request
  uint64_t requests_ = 0;        // so far
  std::optional<QPoint> pixel_;  // watched
  News news_;
  bool scheduled_ = false;
  std::unique_ptr<HeightStudy> study_;  // the thread's own
  std::thread thread_;                  // last: it uses the others
};

}  // namespace vantage::ui
