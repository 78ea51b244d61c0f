// vantage-cli case: output of an export and of its verification, with exit codes.
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>

#include "core/base/json.h"
#include "core/synth/synth.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/own_home.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

class CaseCliTest : public test::CliTest {
 protected:
  void SetUp() override {
    SynthOptions options;
    options.cameras = 2, options.people = 2, options.seconds = 2, options.frame_rate = 10;
    options.width_px = 320, options.height_px = 240, options.area_m = 4;
    ASSERT_TRUE(render_recording(options, path("hall"), {}, {}));
  }

  std::vector<std::string> export_words(std::vector<std::string> more) const {
    std::vector<std::string> words = {"case",      "export",      path("hall/hall.vantage"),
                                      "--out",     path("case7"), "--who",
                                      "A. J.",     "--why",       "file 7",
                                      "--backend", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(CaseCliTest, ExportsAndVerifies) {
  ASSERT_EQ(cli({"run", path("hall/hall.vantage"), "--force", "--backend", "cpu"}).code, 0);
  const auto made = cli(export_words({"--from", "5", "--to", "1.5s", "--blur", "all", "--cameras", "cam2",
                                      "--grid", "--originals", "--overlays", "people,trails", "--json"}));
  ASSERT_EQ(made.code, 0) << made.err;
  const auto told = parse_json_or_throw(made.out);
  EXPECT_EQ(told["frames"], 10);
  EXPECT_EQ(told["cameras"].size(), 1U);
  EXPECT_EQ(told["cameras"][0]["name"], "cam2");
  EXPECT_TRUE(fs::exists(path("case7/video/cam2.mp4")) && fs::exists(path("case7/video/all_cameras.mp4")));
  const auto manifest = parse_json_or_throw(read_file(path("case7/manifest.json")).value());
  EXPECT_EQ(manifest["case"]["who"], "A. J.");
  EXPECT_EQ(manifest["blur"]["who"], "everybody");
  EXPECT_EQ(manifest["span"]["first_frame"], 5);
  EXPECT_EQ(manifest["span"]["last_frame"], 14);

  const auto untouched = cli({"case", "verify", path("case7"), "--json"});
  EXPECT_EQ(untouched.code, 0) << untouched.out;
  const auto verdict = parse_json_or_throw(untouched.out);
  EXPECT_EQ(verdict["known_as"], "this user");
  EXPECT_EQ(verdict["fingerprint"], told["fingerprint"]);
  EXPECT_EQ(cli({"case", "key"}).out, told["fingerprint"].get<std::string>() + "\n");
  EXPECT_EQ(cli({"case", "verify", path("case7"), "--key", told["fingerprint"]}).code, 0);
  EXPECT_EQ(cli({"case", "verify", path("case7"), "--key", std::string(64, '0')}).code, 1);

  // The key is unknown elsewhere until it is stored under a name.
  const test::OwnHome elsewhere(path("elsewhere"));
  const auto unknown = cli({"case", "verify", path("case7")});
  EXPECT_EQ(unknown.code, 0);
  EXPECT_NE(unknown.out.find("not known here"), std::string::npos) << unknown.out;
  EXPECT_EQ(cli({"case", "verify", path("case7"), "--remember", "hall 7"}).code, 0);
  EXPECT_NE(cli({"case", "verify", path("case7")}).out.find("known as hall 7"), std::string::npos);

  std::string report = read_file(path("case7/report.html")).value();
  report[report.size() / 2] ^= 1;
  ASSERT_TRUE(write_file_atomically(path("case7/report.html"), report));
  const auto changed = cli({"case", "verify", path("case7")});
  EXPECT_EQ(changed.code, 1);
  EXPECT_NE(changed.out.find("changed: report.html"), std::string::npos) << changed.out;
}

TEST_F(CaseCliTest, WrongUsageIsTwoAndFailureOne) {
  const auto code = [&](const std::vector<std::string>& more) { return cli(export_words(more)).code; };
  EXPECT_EQ(code({"--from", "5"}), 2);
  EXPECT_EQ(code({"--from", "5", "--to", "ten"}), 2);
  EXPECT_EQ(code({"--from", "2026-05-01 14:32:05", "--to", "14:32:06"}), 2) << "the clock is not known";
  EXPECT_EQ(code({"--from", "14:32:05", "--to", "14:32:06"}), 1)
      << "counts from the start, and is beyond the end";
  EXPECT_EQ(code({"--from", "5", "--to", "9", "--blur", "some"}), 2);
  EXPECT_EQ(code({"--from", "5", "--to", "9", "--blur", "except:"}), 2);
  EXPECT_EQ(code({"--from", "5", "--to", "9", "--overlays", "hats"}), 2);
  EXPECT_EQ(code({"--from", "5", "--to", "9", "--cameras", "cam9"}), 2);
  EXPECT_EQ(code({"--from", "5", "--to", "9", "--clock", "noon"}), 2);
  EXPECT_EQ(code({"--from", "9", "--to", "5"}), 1);
  EXPECT_EQ(code({"--from", "900", "--to", "910"}), 1);
  EXPECT_EQ(code({"--from", "5", "--to", "9", "--blur", "all"}), 1) << "it was not analysed";
  EXPECT_FALSE(fs::exists(path("case7")));
  EXPECT_EQ(cli({"case", "verify", path("case7")}).code, 1);
  EXPECT_EQ(cli({"case"}).code, 2);
}

TEST_F(CaseCliTest, AShiftIsHandedOverOnAPage) {
  const auto page = [&](const std::string& out, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"handover", path("hall/hall.vantage"), "--who", "A. J. <1>", "--out",
                                      path(out)};
    words.insert(words.end(), more.begin(), more.end());
    return cli(words);
  };
  EXPECT_EQ(page("p.pdf").code, 1) << "it was not analysed";
  ASSERT_EQ(cli({"run", path("hall/hall.vantage"), "--force", "--backend", "cpu"}).code, 0);
  ASSERT_EQ(page("p.pdf", {"--from", "5", "--to", "1.5s"}).code, 0);
  EXPECT_TRUE(read_file(path("p.pdf")).value().starts_with("%PDF-"));
  ASSERT_EQ(page("p.html", {"--from", "5", "--to", "1.5s"}).code, 0);
  const std::string html = read_file(path("p.html")).value();
  for (const char* part :
       {"Hand-over: hall", "A. J. &lt;1&gt;", "0:00:00.500 from the start", "<svg", "People"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(page("p.doc").code, 1);
  EXPECT_EQ(page("q.pdf", {"--from", "900"}).code, 1) << "nothing is analysed there";
  EXPECT_EQ(page("q.pdf", {"--from", "soon"}).code, 2);
  EXPECT_EQ(cli({"handover", path("hall/hall.vantage"), "--out", path("q.pdf")}).code, 2) << "nobody";
  EXPECT_FALSE(fs::exists(path("q.pdf")));
}

TEST_F(CaseCliTest, ATimeOfDayIsAMoment) {
  const auto made = cli(export_words(
      {"--clock", "2026-05-01T14:00:00+02:00", "--from", "14:00:00", "--to", "14:00:01", "--json"}));
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(parse_json_or_throw(made.out)["frames"], 10);
  const auto manifest = parse_json_or_throw(read_file(path("case7/manifest.json")).value());
  EXPECT_EQ(manifest["span"]["begin"], "2026-05-01 14:00:00.000 +02:00");
  EXPECT_EQ(manifest["span"]["clock"], "typed");
}

// A full disk: no file may grow beyond a small size.
TEST_F(CaseCliTest, AFullDiskLeavesNothingAndSaysSo) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit little = {20000, 20000};
    ::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &little);
    const test::Finished full = cli(export_words({"--from", "0", "--to", "20"}));
    ::_exit(full.code == 1 && full.err.find("Free some space") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    EXPECT_EQ(entry.path().filename().string().find("case7"), std::string::npos) << entry.path();
}

}  // namespace
}  // namespace vantage
