#include "ui/views/gl_view.h"

#include <QOpenGLContext>

namespace vantage::ui {

// The context dies with the widget below, when nothing of the derived class is left to release.
GlView::~GlView() {
  if (context()) disconnect(context(), nullptr, this, nullptr);
}

void GlView::renew_surface() {
  if (!context()) return;
  makeCurrent();
  release_gl();
  initializeGL();
  doneCurrent();
  update();
}

// The context goes where the widget is put under another window: a dock that floats.
void GlView::initializeGL() {
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GlView::release_gl, Qt::UniqueConnection);
}

}  // namespace vantage::ui
