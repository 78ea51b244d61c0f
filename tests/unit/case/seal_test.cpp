// A case is untouched, or it is said what was changed and by whom it was signed again.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "core/base/file.h"
#include "core/export/case/case_verify.h"
#include "core/seal/signing_key.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

class SealTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(make_folder(case_ / "video"));
    ASSERT_TRUE(write_file_atomically(case_ / "video" / "cam1.mp4", std::string(3000000, 'v')));
    ASSERT_TRUE(write_file_atomically(case_ / "report.html", "<p>report</p>"));
    seal_with("key.pem");
  }
  void seal_with(const char* key_file) {
    const auto key = SigningKey::read_or_make(folder_.path() / key_file);
    ASSERT_TRUE(key) << key.error().message();
    nlohmann::ordered_json manifest = {{"schema", case_detail::kCaseSchema}};
    manifest["case"] = {{"id", "c1"}, {"exported_utc", "now"}, {"who", "A"}, {"why", "B"}, {"program", "1"}};
    for (const char* file : {case_detail::kManifest, case_detail::kManifestSignature, case_detail::kSums,
                             case_detail::kSumsSignature, case_detail::kPublicKey})
      fs::remove(case_ / file);
    const Status sealed = case_detail::seal(case_, manifest, **key);
    ASSERT_TRUE(sealed) << sealed.error().message();
    fingerprint_ = (*key)->fingerprint();
  }
  CaseVerdict verdict(const KnownKeys& known = {}) const {
    const auto found = verify_case(case_, known);
    EXPECT_TRUE(found) << (found ? "" : found.error().message());
    return found.value_or(CaseVerdict());
  }
  // The byte becomes another one.
  void change(const fs::path& file, size_t at) const {
    std::string content = read_file(case_ / file).value();
    content.at(at) ^= 1;
    ASSERT_TRUE(write_file_atomically(case_ / file, content));
  }
  int shell(const std::string& command) const {
    return std::system(("cd '" + case_.string() + "' && " + command + " > /dev/null 2>&1").c_str());
  }

  const test::TemporaryFolder folder_;
  const fs::path case_ = folder_.path() / "case";
  std::string fingerprint_;
};

TEST_F(SealTest, IsUntouched) {
  const CaseVerdict found = verdict();
  EXPECT_TRUE(found.untouched());
  EXPECT_EQ(found.files, 2);
  EXPECT_EQ(found.who, "A");
  EXPECT_EQ(found.fingerprint, fingerprint_);
  EXPECT_EQ(found.key_name, "");
  KnownKeys known;
  known.names[fingerprint_] = "Anna";
  EXPECT_EQ(verdict(known).key_name, "Anna");
}

TEST_F(SealTest, AChangedByteIsFoundInEveryFile) {
  const std::vector<std::string> files = case_detail::files_of(case_).value();
  for (const std::string& file : files) {
    const std::string before = read_file(case_ / file).value();
    for (const size_t at : {size_t{0}, before.size() / 2, before.size() - 1}) {
      change(file, at);
      const auto found = verify_case(case_, {});
      EXPECT_TRUE(!found || !found->untouched()) << file << ", byte " << at;
      ASSERT_TRUE(write_file_atomically(case_ / file, before));
    }
    EXPECT_TRUE(verdict().untouched());
  }
}

TEST_F(SealTest, SaysWhichFile) {
  change("video/cam1.mp4", 1234567);
  EXPECT_EQ(verdict().changed, std::vector<std::string>{"video/cam1.mp4"});
  fs::remove(case_ / "video" / "cam1.mp4");
  EXPECT_EQ(verdict().missing, std::vector<std::string>{"video/cam1.mp4"});
  ASSERT_TRUE(write_file_atomically(case_ / "video" / "more.mp4", "x"));
  EXPECT_EQ(verdict().extra, std::vector<std::string>{"video/more.mp4"});
  fs::create_symlink(case_ / "report.html", case_ / "video" / "cam1.mp4");
  EXPECT_EQ(verdict().changed, std::vector<std::string>{"video/cam1.mp4"});
}

TEST_F(SealTest, SomebodyHasSignedItAgain) {
  KnownKeys known;
  known.cases["c1"] = fingerprint_;
  EXPECT_TRUE(verdict(known).untouched());
  const std::string first = fingerprint_;
  seal_with("another.pem");
  ASSERT_NE(fingerprint_, first);
  EXPECT_TRUE(verdict().untouched()) << "nothing is known of the first key";
  const CaseVerdict found = verdict(known);
  EXPECT_FALSE(found.untouched());
  EXPECT_EQ(found.former_fingerprint, first);
}

TEST_F(SealTest, IsNoCase) {
  const auto none = verify_case(folder_.path() / "nowhere", {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::not_found);
  ASSERT_TRUE(write_file_atomically(case_ / "manifest.json", R"({"schema": "vantage-case-2"})"));
  EXPECT_EQ(verify_case(case_, {}).error().kind, ErrorKind::unsupported);
  for (const char* text :
       {"", "{}", "[]", R"({"schema": 7})", R"({"schema": "vantage-case-1", "case": []})"}) {
    ASSERT_TRUE(write_file_atomically(case_ / "manifest.json", text));
    const auto damaged = verify_case(case_, {});
    ASSERT_FALSE(damaged) << text;
    EXPECT_EQ(damaged.error().kind, ErrorKind::bad_data);
  }
}

// The commands of the guide.
TEST_F(SealTest, StockToolsVerifyIt) {
  if (shell("openssl version") != 0) GTEST_SKIP() << "there is no openssl";
  const std::string verify =
      "openssl pkeyutl -verify -rawin -pubin -inkey public_key.pem -in SHA256SUMS -sigfile SHA256SUMS.sig";
  EXPECT_EQ(shell("sha256sum -c SHA256SUMS"), 0);
  EXPECT_EQ(shell(verify), 0);
  EXPECT_EQ(
      shell("test $(openssl pkey -pubin -in public_key.pem -outform DER | sha256sum | cut -d' ' -f1) = " +
            fingerprint_),
      0);
  change("report.html", 2);
  EXPECT_NE(shell("sha256sum -c SHA256SUMS"), 0);
  change("SHA256SUMS", 0);
  EXPECT_NE(shell(verify), 0);
}

TEST(SigningKeyTest, IsMadeOnceAndPrivate) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "config" / "case_key.pem";
  const auto first = SigningKey::read_or_make(file), second = SigningKey::read_or_make(file);
  ASSERT_TRUE(first) << first.error().message();
  ASSERT_TRUE(second);
  EXPECT_EQ((*first)->fingerprint(), (*second)->fingerprint());
  EXPECT_EQ((*first)->sign("message")->size(), 64U);
  EXPECT_EQ(*(*first)->sign("message"), *(*second)->sign("message"));
  struct stat status = {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  ::chmod(file.c_str(), 0640);
  const auto open = SigningKey::read_or_make(file);
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().kind, ErrorKind::invalid_argument);
  ::chmod(file.c_str(), 0600);
  ASSERT_TRUE(write_file_atomically(file, "no key"));
  ::chmod(file.c_str(), 0600);
  const auto damaged = SigningKey::read_or_make(file);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().kind, ErrorKind::bad_data);
}

TEST(KnownKeysTest, AreKept) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "keys" / "case_keys.json";
  EXPECT_TRUE(KnownKeys::read(file)->names.empty());
  KnownKeys keys;
  keys.names["ab"] = "Anna", keys.cases["c1"] = "ab";
  ASSERT_TRUE(keys.write(file));
  EXPECT_EQ(KnownKeys::read(file)->names, keys.names);
  EXPECT_EQ(KnownKeys::read(file)->cases, keys.cases);
  ASSERT_TRUE(write_file_atomically(file, "{"));
  EXPECT_EQ(KnownKeys::read(file).error().kind, ErrorKind::bad_data);
}

}  // namespace
}  // namespace vantage
