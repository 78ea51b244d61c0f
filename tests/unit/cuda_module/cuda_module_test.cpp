// Which file is opened as the CUDA module, and what is said of those that are not. The files are made without
// CUDA (made_module.cpp).
#include "app/backends/cuda_module.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "core/image/buffer.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

fs::path made(const std::string& name) {
  return fs::path(MADE) / ("lib" + name + ".so");
}

std::string problem_of(const fs::path& file) {
  const CudaModuleSearch search = search_cuda_module({file});
  EXPECT_EQ(search.module, nullptr);
  EXPECT_TRUE(search.file.empty());
  const Result<const gpu::CudaModule*> found = found_module(search);
  EXPECT_FALSE(found);
  if (found) return {};
  EXPECT_EQ(found.error().kind, ErrorKind::unsupported);
  EXPECT_EQ(found.error().where, file.string());
  EXPECT_NE(found.error().remedy.find("vantage-cuda-module"), std::string::npos);
  EXPECT_NE(found.error().what.find(search.places.at(0).problem), std::string::npos);
  return search.places.at(0).problem;
}

TEST(CudaModule, OneOfThisBuildIsOpenedAndCallsTheProgramsCore) {
  const fs::path missing = fs::path(MADE) / "nowhere.so";
  const CudaModuleSearch search = search_cuda_module({missing, made("made_cuda_module"), missing});
  ASSERT_NE(search.module, nullptr) << search.places.back().problem;
  EXPECT_EQ(search.file, made("made_cuda_module"));
  ASSERT_EQ(search.places.size(), 2u) << "the search ends with the first that can be used";
  EXPECT_EQ(search.places[0].problem, "not there");
  EXPECT_EQ(search.places[1].problem, "");
  EXPECT_EQ(found_module(search).value(), search.module);
  const std::string here = std::to_string(reinterpret_cast<uintptr_t>(&HostPool::shared()));
  EXPECT_EQ(search.module->device_names().value(), std::vector<std::string>{here}) << "one pool in a process";
}

TEST(CudaModule, OneOfAnotherBuildIsPassedOverAndBothAreNamed) {
  for (const char* name : {"made_cuda_module_other", "made_cuda_module_newer"}) {
    const std::string problem = problem_of(made(name));
    EXPECT_NE(problem.find("(0.0.9, sources 0123456789ab)"), std::string::npos) << name << ": " << problem;
    EXPECT_NE(problem.find("; this is 0."), std::string::npos) << name << ": " << problem;
  }
  const CudaModuleSearch search =
      search_cuda_module({made("made_cuda_module_other"), made("made_cuda_module")});
  EXPECT_EQ(search.file, made("made_cuda_module")) << "a later one fits";
}

TEST(CudaModule, WhatIsNoModuleIsTold) {
  EXPECT_NE(problem_of(made("made_cuda_module_damaged")).find("not_in_this_program"), std::string::npos);
  EXPECT_EQ(problem_of(made("made_cuda_module_bare")), "is not a CUDA module of Vantage");
  const test::TemporaryFolder folder;
  const fs::path text = folder.path() / "libvantage_cuda.so";
  std::ofstream(text) << "not a library";
  EXPECT_FALSE(problem_of(text).empty());
  EXPECT_FALSE(problem_of(folder.path()).empty()) << "a folder of that name";
}

TEST(CudaModule, WithoutOneTheErrorStatesWhatToDo) {
  const Result<const gpu::CudaModule*> found =
      found_module(search_cuda_module({"/nowhere/a.so", "/nowhere/b.so"}));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::unsupported);
  EXPECT_NE(found.error().remedy.find("vantage-cuda-module"), std::string::npos);
}

TEST(CudaModule, IsSearchedForNextToTheProgramAndAtHome) {
  const std::vector<fs::path> files = cuda_module_files();
  const fs::path program = fs::read_symlink("/proc/self/exe");
  ASSERT_GE(files.size(), 2u);
  EXPECT_EQ(files[0], program.parent_path() / "libvantage_cuda.so");
  EXPECT_EQ(files[1], program.parent_path().parent_path() / "lib/vantage/libvantage_cuda.so");
  if (const char* home = std::getenv("HOME"))
    EXPECT_EQ(files.back(), fs::path(home) / ".local/lib/vantage/libvantage_cuda.so");
}

TEST(CudaModule, TheOneOfThisBuildTreeOpens) {
  if (std::string(BUILT).empty()) GTEST_SKIP() << "built without CUDA";
  const CudaModuleSearch search = search_cuda_module({BUILT});
  ASSERT_NE(search.module, nullptr) << search.places.at(0).problem;
  BackendRegistry registry;
  search.module->register_cuda_backends(registry);
  const std::vector<BackendRegistry::Entry> all = registry.entries();
  EXPECT_TRUE(std::ranges::any_of(all, [](const auto& entry) { return entry.algorithm == "carving"; }));
  const Result<std::vector<std::string>> names = search.module->device_names();
  if (!names) {
    EXPECT_EQ(names.error().kind, ErrorKind::unsupported) << names.error().message();
  }
}

}  // namespace
}  // namespace vantage
