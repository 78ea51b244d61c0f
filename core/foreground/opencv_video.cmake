# vantage_opencv_video: OpenCV's video module, where it is found: the foreground method knn, and peers in tests and benchmarks. Debian's split
# packages (libopencv-core-dev, -imgproc-dev, -video-dev) come without OpenCV's CMake configuration.
find_path(VANTAGE_OPENCV_VIDEO_INCLUDE opencv2/video/tracking.hpp PATH_SUFFIXES opencv4)
find_library(VANTAGE_OPENCV_CORE opencv_core)
find_library(VANTAGE_OPENCV_VIDEO opencv_video)
if(VANTAGE_OPENCV_VIDEO_INCLUDE AND VANTAGE_OPENCV_CORE AND VANTAGE_OPENCV_VIDEO AND NOT TARGET vantage_opencv_video)
  add_library(vantage_opencv_video INTERFACE)
  target_include_directories(vantage_opencv_video SYSTEM INTERFACE "${VANTAGE_OPENCV_VIDEO_INCLUDE}")
  target_link_libraries(vantage_opencv_video INTERFACE "${VANTAGE_OPENCV_VIDEO}" "${VANTAGE_OPENCV_CORE}")
endif()
