// An OpenGL widget that shows what a display surface fills: it makes the surface with its context, gives both
// up together and can renew them while it lives.
#pragma once

#include <QOpenGLWidget>
#include <functional>
#include <memory>

#include "core/display/display_surface.h"

namespace vantage::ui {

// The source of the views' display surfaces: app decides, ui does not know which device the chain runs on.
// Called with the view's OpenGL context current.

using SurfaceFactory = std::function<std::unique_ptr<DisplaySurface>()>;

// A derived class makes its other resources in make_gl(), gives them up in release_gl(), and calls end_gl()
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
  // Null before there is a context, and after it is gone.
  DisplaySurface* surface() const { return surface_.get(); }
  void end_gl();
  // Fills the view with the background that all views have.
  void clear_view();
  // Undoes the viewport of a part of the view.
  void draw_to_whole_view();

  // With the context current and the surface made.
  virtual void make_gl() {}
  // With the context current; once for each make_gl().
  virtual void release_gl() = 0;

 private:
  void initializeGL() final;
  void give_up();

  SurfaceFactory surfaces_;
  std::unique_ptr<DisplaySurface> surface_;
  bool made_ = false;
};

}  // namespace vantage::ui
