# cmake -DROOT=… -DVERSION=… -DFFMPEG=… -DOUT=… -P identity.cmake: writes the header with VANTAGE_CUDA_IDENTITY, the text that a
# program and a CUDA module must share. Both hold types of core's headers and of FFmpeg, and the module is to compute what gpu's sources say.
cmake_minimum_required(VERSION 3.24...3.25)
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/core/*.h" "${ROOT}/gpu/*")
list(SORT files)
set(sums "")
foreach(file IN LISTS files)
  file(SHA256 "${ROOT}/${file}" sum)
  string(APPEND sums "${file} ${sum}\n")
endforeach()
string(SHA256 sum "${sums}")
string(SUBSTRING ${sum} 0 12 sum)
# Written only where it changes.
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define VANTAGE_CUDA_IDENTITY \"@VERSION@, sources @sum@, FFmpeg's libraries @FFMPEG@\"\n" @ONLY)
