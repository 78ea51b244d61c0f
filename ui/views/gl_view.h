// An OpenGL widget whose resources can be given up and made again while it lives.
#pragma once

#include <QOpenGLWidget>

namespace vantage::ui {

// A derived class makes its resources in initializeGL() and gives them up in release_gl(), which it calls in
// its destructor with the context current.
class GlView : public QOpenGLWidget {
  Q_OBJECT
 public:
  using QOpenGLWidget::QOpenGLWidget;
  ~GlView() override;
  // After a device failed whose memory the resources read.
  void renew_surface();

 protected:
  void initializeGL() override;
  // Bears being called twice, and without a context.
  virtual void release_gl() = 0;
};

}  // namespace vantage::ui
