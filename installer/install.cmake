# What `cmake --install` puts where, and the Debian package of it (installer/package).
include(GNUInstallDirs)

install(TARGETS vantage-cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
# The CUDA module is built where it is used: of one's own build, or from these sources by this command.
if(VANTAGE_HAS_CUDA)
  install(TARGETS vantage_cuda LIBRARY DESTINATION lib/vantage)
endif()
install(PROGRAMS installer/vantage-cuda-module DESTINATION "${CMAKE_INSTALL_BINDIR}")
foreach(file "${PROJECT_SOURCE_DIR}/CMakeLists.txt" ${VANTAGE_CUDA_FILES})
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
  cmake_path(GET name PARENT_PATH folder)
  install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_DATADIR}/vantage/cuda-module/${folder}")
endforeach()
install(FILES installer/LICENSE installer/copyright installer/THIRD_PARTY_NOTICES.md resources/docs/changelog.md resources/docs/formats.md
              resources/docs/parameters.md resources/docs/performance.md resources/python/pickle_to_json.py
              resources/python/vantage_results.py resources/schema/results.schema.json
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/vantage")
install(DIRECTORY resources/docs/guide resources/docs/formats resources/docs/performance DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/vantage")
install(FILES resources/cluster/Snakefile DESTINATION "${CMAKE_INSTALL_DATADIR}/vantage/cluster")
install(FILES "resources/service/vantage@.service" DESTINATION lib/systemd/system)
if(TARGET vantage)
  install(TARGETS vantage RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(FILES installer/desktop/vantage.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES installer/desktop/local.vantage.Vantage.metainfo.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES installer/desktop/vantage-project.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
  install(FILES resources/icons/vantage.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()

# Man pages and completion, where they were made: the help of each of 80 commands takes half a minute in all (installer/package).
set(help "${PROJECT_BINARY_DIR}/help")
set(programs $<TARGET_FILE:vantage-cli>)
if(TARGET vantage)
  list(APPEND programs $<TARGET_FILE:vantage>)
endif()
add_custom_target(help_files COMMAND "${PROJECT_SOURCE_DIR}/installer/help_files" "${help}" ${programs}
                                     "${PROJECT_SOURCE_DIR}/installer/vantage-cuda-module" VERBATIM)
install(DIRECTORY "${help}/" DESTINATION "${CMAKE_INSTALL_DATADIR}" OPTIONAL)

if(TARGET vantage_python)
  # Debian's place for modules of any Python 3; the compiled part carries the version that it is for in its name.
  set(module_place lib/python3/dist-packages/vantage)
  install(TARGETS vantage_python LIBRARY DESTINATION ${module_place} COMPONENT python)
  install(FILES app/python/vantage/__init__.py app/python/vantage/__init__.pyi app/python/vantage/py.typed DESTINATION ${module_place}
          COMPONENT python)
  install(FILES installer/copyright DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/python3-vantage" COMPONENT python)
  install(FILES "${help}/doc/vantage/changelog.gz" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/python3-vantage" COMPONENT python OPTIONAL)
  install(DIRECTORY resources/python/examples DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/python3-vantage" COMPONENT python)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vantage)
set(CPACK_PACKAGE_VENDOR Vantage)
# A package must state an address; this one says that there is none.
set(CPACK_PACKAGE_CONTACT "Vantage's makers <makers@vantage.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION
    "Plays footage of one scene seen by several calibrated cameras in step, cuts the\npeople out of each picture, carves them in 3-D, follows them over the floor and\nshows it side by side; on the GPU where there is one.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION video)
# The libraries that the programs name are found by dpkg-shlibdeps; these are loaded when they run.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Qt's reader of SVG (the icons) is part of its library before 6.7.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "qt6-svg-plugins | libqt6svg6 (<< 6.7), qt6-qpa-plugins, gstreamer1.0-plugins-good")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, fonts-dejavu-core, qt6-translations-l10n, glib-networking, gstreamer1.0-plugins-bad")
string(REGEX MATCH "^[0-9]+" avdevice "${FFMPEG_DEVICES_VERSION}")
string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libavdevice${avdevice}")
# Two packages: what no component is named for, and the Python module.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME vantage)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-vantage)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Vantage from Python: the chain's results frame by frame as NumPy arrays,\nand its algorithms by themselves.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "gstreamer1.0-plugins-good")
if(VANTAGE_PYTHON_MINOR)
  math(EXPR next_minor "${VANTAGE_PYTHON_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${VANTAGE_PYTHON_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
endif()
include(CPack)
