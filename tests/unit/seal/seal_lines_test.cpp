// A seal's text: read as it was written, and every edit of it found.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/base/json.h"
#include "tests/support/loop_size.h"
#include "tests/unit/seal/made_packets.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end + 1 - begin));
    begin = end + 1;
  }
  return lines;
}
std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}
bool is_group(const std::string& line) {
  return parse_json(line).contains("group");
}

class SealTextTest : public testing::Test {
 protected:
  // 40 groups of about half a second: signed several times.
  std::vector<MadeGroup> recorded() { return made_groups(random_, 40, 25); }

  const SealFolder folder_;
  std::mt19937_64 random_{test_seed()};
};

TEST_F(SealTextTest, IsReadAsItWasWritten) {
  const std::vector<MadeGroup> groups = recorded();
  const std::string text = folder_.seal_text(groups);
  const Seal seal = folder_.read(text).value();
  EXPECT_TRUE(seal.faults.empty() && seal.complete);
  EXPECT_EQ(seal.fingerprint, folder_.key().fingerprint());
  EXPECT_EQ(seal.head.streams, made_head().streams);
  EXPECT_EQ(seal.file_sha256, sha256("recorded"));
  EXPECT_EQ(seal.first_sha256, sha256(lines_of(text).front()));
  EXPECT_EQ(seal.last_sha256, sha256(lines_of(text).back()));
  ASSERT_EQ(seal.groups.size(), groups.size());
  EXPECT_EQ(seal.signed_groups, static_cast<int64_t>(groups.size()));
  for (size_t g = 0; g < groups.size(); ++g) {
    std::string all, pictures;
    int64_t bytes = 0;
    for (const MadePacket& packet : groups[g]) {
      all += line_of(packet.digest);
      if (packet.digest.picture) pictures += content_line_of(packet.digest);
      bytes += packet.digest.bytes;
    }
    EXPECT_EQ(seal.groups[g].sha256, sha256(all));
    EXPECT_EQ(seal.groups[g].pictures_sha256, sha256(pictures));
    EXPECT_EQ(seal.groups[g].bytes, bytes);
    EXPECT_EQ(seal.groups[g].pictures, std::count_if(groups[g].begin(), groups[g].end(),
                                                     [](const MadePacket& p) { return p.digest.picture; }));
    EXPECT_DOUBLE_EQ(seal.groups[g].time_s, static_cast<double>(*groups[g][0].digest.time) * 1e-3);
  }
  const auto lines = lines_of(text);
  EXPECT_GT(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) { return line.starts_with("{\"signature"); }),
            1);
}

// After a crash the text ends anywhere.
TEST_F(SealTextTest, WithoutItsEndHoldsUpToTheLastCompleteLine) {
  const std::string text = folder_.seal_text(recorded());
  for (int i = 0; i < loop_size("VANTAGE_SEAL_ENDS", 300); ++i) {
    const size_t first = text.find('\n') + 1;
    const size_t kept = first + random_() % (text.size() - first);
    // A loss of power may leave zeros.
    const std::string zeros(random_() % 2 == 0 ? 0 : 1 + random_() % 100, '\0');
    const Seal seal = folder_.read(text.substr(0, kept) + zeros).value();
    EXPECT_TRUE(seal.faults.empty()) << kept << ": " << seal.faults[0].text;
    EXPECT_FALSE(seal.complete);
    const std::vector<std::string> whole =
        lines_of(text.substr(0, text.rfind('\n', kept == 0 ? 0 : kept - 1) + 1));
    EXPECT_EQ(static_cast<std::ptrdiff_t>(seal.groups.size()),
              std::count_if(whole.begin(), whole.end(), is_group));
    EXPECT_EQ(seal.torn_bytes, static_cast<int64_t>(kept + zeros.size() - text_of(whole).size()));
  }
}

TEST_F(SealTextTest, EveryEditIsFoundAtItsGroup) {
  const int count = loop_size("VANTAGE_SEAL_EDITS", 2000);
  int edits = 0, located = 0;
  for (int i = 0; i < count; ++i) {
    const std::string text = folder_.seal_text(recorded());
    std::vector<std::string> lines = lines_of(text);
    const size_t at = random_() % lines.size();
    // The group whose line it is, else those around it.
    const auto groups_before =
        std::count_if(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(at), is_group);
    const int64_t last = groups_before, first = is_group(lines[at]) ? last : std::max<int64_t>(0, last - 1);
    const int what = static_cast<int>(random_() % 5);
    if (what == 0) {
      lines[at][random_() % (lines[at].size() - 1)] ^= static_cast<char>(1 + random_() % 127);
    } else if (what == 1) {
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
    } else if (what == 2) {
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[at]);
    } else if (what == 3) {
      if (at + 1 == lines.size()) continue;
      std::swap(lines[at], lines[at + 1]);
    } else {  // another hash of a group
      const size_t digest = lines[at].find("sha256\":\"");
      if (digest == std::string::npos) continue;
      char& digit = lines[at][digest + 12];
      digit = digit == '0' ? '1' : '0';
    }
    if (text_of(lines) == text) continue;
    const auto seal = folder_.read(text_of(lines));
    const bool found = !seal || !seal->complete || !seal->faults.empty();
    ASSERT_TRUE(found) << "edit " << what << " of line " << at << " of " << lines.size() << ", case " << i;
    const int64_t its =
        !seal ? 0
        : seal->faults.empty()
            ? static_cast<int64_t>(seal->groups.size())
            : std::min_element(seal->faults.begin(), seal->faults.end(), [](const auto& a, const auto& b) {
                return a.group < b.group;
              })->group;
    const bool at_its_place = its >= first - (what == 2 ? 1 : 0) && its <= last;
    ++edits, located += at_its_place;
    if (!at_its_place)
      std::cout << "edit " << what << " of line " << at << " of " << lines.size() << ": group " << its
                << ", not " << first << " to " << last << '\n';
  }
  std::cout << edits << " edits of seals, all found, " << located << " located\n";
  EXPECT_GE(located, 0.999 * edits);
}

TEST_F(SealTextTest, AnotherKeyOrANewerSealIsNotASeal) {
  const std::string text = folder_.seal_text(recorded());
  const auto other = SigningKey::read_or_make(folder_.path("other.pem"));
  ASSERT_TRUE(other);
  // A forger replaces the key and makes the chain again, without the signatures' key.
  auto lines = lines_of(text);
  auto head = parse_ordered_json(lines[0]);
  head["public_key"] = (*other)->public_pem(), head["fingerprint"] = (*other)->fingerprint();
  lines[0] = json_text(head) + "\n";
  for (size_t i = 1; i < lines.size(); ++i) {
    auto line = parse_ordered_json(lines[i]);
    line["before"] = sha256(lines[i - 1]);
    lines[i] = json_text(line) + "\n";
  }
  const Seal forged = folder_.read(text_of(lines)).value();
  EXPECT_FALSE(forged.faults.empty());
  EXPECT_FALSE(forged.complete);
  EXPECT_EQ(forged.signed_groups, 0);

  head["schema"] = "vantage-seal-2";
  EXPECT_EQ(folder_.read(json_text(head) + "\n").error().kind, ErrorKind::unsupported);
  EXPECT_EQ(folder_.read("{}\n").error().kind, ErrorKind::bad_data);
  EXPECT_EQ(folder_.read("").error().kind, ErrorKind::bad_data);
}

}  // namespace
}  // namespace vantage::test
