#include "ui/views/gl_view.h"

#include <QOpenGLContext>
#include <utility>

#include "ui/platform/gl_state.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {

GlView::GlView(SurfaceFactory surfaces, QWidget* parent)
    : QOpenGLWidget(parent), surfaces_(std::move(surfaces)) {}

// The widget's base destroys the context when the derived class has nothing left to release.
GlView::~GlView() {
  if (context()) disconnect(context(), nullptr, this, nullptr);
}

void GlView::end_gl() {
  makeCurrent();
  give_up();
  doneCurrent();
}

void GlView::renew_surface() {
  if (!context()) return;
  makeCurrent();
  give_up();
  initializeGL();
  doneCurrent();
  update();
}

// A floating dock gets a new context: all resources are made again in it.
void GlView::initializeGL() {
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GlView::give_up, Qt::UniqueConnection);
  surface_ = surfaces_();
  made_ = true;
  emit surface_ready(QString::fromStdString(surface_ ? surface_->description() : std::string()));
  make_gl();
}

// May be called twice where a view is deleted after its context.
void GlView::give_up() {
  if (!QOpenGLContext::currentContext()) makeCurrent();
  if (!QOpenGLContext::currentContext() || !std::exchange(made_, false)) return;
  release_gl();
  if (surface_) surface_->release();
  surface_.reset();
}

void GlView::clear_view() {
  const QColor background(kViewBackground);
  gl().glClearColor(static_cast<float>(background.redF()), static_cast<float>(background.greenF()),
                    static_cast<float>(background.blueF()), 1);
  gl().glDisable(GL_SCISSOR_TEST);
  gl().glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

void GlView::draw_to_whole_view() {
  gl().glViewport(0, 0, qRound(width() * devicePixelRatioF()), qRound(height() * devicePixelRatioF()));
}

}  // namespace vantage::ui
