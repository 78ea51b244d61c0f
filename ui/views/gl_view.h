// An OpenGL widget filled by a display surface: it makes the surface with its context, destroys both together
// and can renew them.
#pragma once

#include <QOpenGLWidget>
#include <functional>
#include <memory>

#include "core/display/display_surface.h"

namespace vantage::ui {

// Makes the views' display surfaces: app decides, since ui does not know the chain's device. Called with the
// view's OpenGL context current.

using SurfaceFactory = std::function<std::unique_ptr<DisplaySurface>()>;

// A derived class makes its other resources in make_gl(), releases them in release_gl(), and calls end_gl()
// in its destructor.
class GlView : public QOpenGLWidget {
  Q_OBJECT
 public:
  explicit GlView(SurfaceFactory surfaces, QWidget* parent = nullptr);
  ~GlView() override;
  // After a device failed whose memory the resources read.
  void renew_surface();

 signals:
  void surface_ready(const QString& description);
  void surface_failed(const QString& message);

 protected:
  // Null before the context exists, and after it is destroyed.
  DisplaySurface* surface() const { return surface_.get(); }
  void end_gl();
  // Fills the view with the background that all views have.
  void clear_view();
  // Restores the viewport of the whole view.
  void draw_to_whole_view();

  // With the context current and the surface made.
  virtual void make_gl() {}
  // With the context current; once per make_gl().
  virtual void release_gl() = 0;

 private:
  void initializeGL() final;
  void give_up();

  SurfaceFactory surfaces_;
  std::unique_ptr<DisplaySurface> surface_;
  bool made_ = false;
};

}  // namespace vantage::ui
