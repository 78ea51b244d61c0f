// A headless OpenGL 4.5 context, current on this thread while the object lives: EGL on a device, no display
// server.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <memory>
#include <vector>

namespace vantage::test {

class EglContext {
 public:
  // One for each EGL device that gives one; make_current() chooses.
  static std::vector<std::unique_ptr<EglContext>> all() {
    std::vector<std::unique_ptr<EglContext>> contexts;
    const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (!query || !query(16, devices, &count)) return contexts;
    for (EGLint i = 0; i < count; ++i) {
      std::unique_ptr<EglContext> context(new EglContext);
      if (context->open(devices[i])) contexts.push_back(std::move(context));
    }
    return contexts;
  }
  ~EglContext() {
    if (display_ == EGL_NO_DISPLAY) return;
    if (eglGetCurrentContext() == context_)
      eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
    eglTerminate(display_);
  }
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  bool make_current() { return eglMakeCurrent(display_, surface_, surface_, context_) == EGL_TRUE; }

 private:
  EglContext() = default;
  bool open(EGLDeviceEXT device) {
    const auto get =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (!get) return false;
    const EGLDisplay display = get(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return false;
    display_ = display;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint configs = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display_, wanted, &config, 1, &configs) ||
        configs == 0)
      return false;
    surface_ = eglCreatePbufferSurface(display_, config, size);
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    return surface_ != EGL_NO_SURFACE && context_ != EGL_NO_CONTEXT;
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLSurface surface_ = EGL_NO_SURFACE;
  EGLContext context_ = EGL_NO_CONTEXT;
};

}  // namespace vantage::test
