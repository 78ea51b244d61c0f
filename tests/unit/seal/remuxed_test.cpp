// Real files: sealed, edited by copying their packets into another file or byte by byte, and verified.
#include <gtest/gtest.h>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/seal/recording_seal.h"
#include "core/seal/verify_recording.h"
#include "tests/support/loop_size.h"
#include "tests/unit/seal/made_packets.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

namespace fs = std::filesystem;
using Packets = std::vector<std::shared_ptr<AVPacket>>;

// The packets of a file, and the same written to another one.
class Remuxed {
 public:
  explicit Remuxed(const fs::path& file) {
    AVFormatContext* opened = nullptr;
    EXPECT_GE(avformat_open_input(&opened, file.c_str(), nullptr, nullptr), 0);
    from_.reset(opened);
    EXPECT_GE(avformat_find_stream_info(opened, nullptr), 0);
    for (;;) {
      std::shared_ptr<AVPacket> packet(av_packet_alloc(), [](AVPacket* p) { av_packet_free(&p); });
      if (av_read_frame(opened, packet.get()) < 0) break;
      av_packet_make_refcounted(packet.get());
      av_packet_rescale_ts(packet.get(), opened->streams[0]->time_base, AVRational{1, 1000});
      packets_.push_back(std::move(packet));
    }
  }
  // By group of pictures.
  std::vector<Packets> groups() const {
    std::vector<Packets> groups;
    for (const auto& packet : packets_) {
      if (groups.empty() || (packet->flags & AV_PKT_FLAG_KEY) != 0) groups.emplace_back();
      groups.back().push_back(
          std::shared_ptr<AVPacket>(av_packet_clone(packet.get()), [](AVPacket* p) { av_packet_free(&p); }));
    }
    return groups;
  }
  void write(const std::vector<Packets>& groups, const fs::path& file) const {
    AVFormatContext* to = nullptr;
    ASSERT_GE(avformat_alloc_output_context2(&to, nullptr, nullptr, file.c_str()), 0);
    to->flags |= AVFMT_FLAG_BITEXACT;
    to->avoid_negative_ts = AVFMT_AVOID_NEG_TS_DISABLED;
    AVStream* stream = avformat_new_stream(to, nullptr);
    avcodec_parameters_copy(stream->codecpar, from_->streams[0]->codecpar);
    stream->codecpar->codec_tag = 0;
    stream->time_base = AVRational{1, 1000};
    ASSERT_GE(avio_open(&to->pb, file.c_str(), AVIO_FLAG_WRITE), 0);
    ASSERT_GE(avformat_write_header(to, nullptr), 0);
    // Matroska keeps no decoding times: any that rise will do.
    int64_t decoded = -(int64_t{1} << 40);
    for (const Packets& group : groups)
      for (const auto& packet : group) {
        AVPacket* copy = av_packet_clone(packet.get());
        copy->dts = decoded++, copy->pos = -1;
        EXPECT_GE(av_write_frame(to, copy), 0);
        av_packet_free(&copy);
      }
    EXPECT_GE(av_write_trailer(to), 0);
    avio_closep(&to->pb);
    avformat_free_context(to);
  }

 private:
  struct Close {
    void operator()(AVFormatContext* p) const { avformat_close_input(&p); }
  };
  std::unique_ptr<AVFormatContext, Close> from_;
  Packets packets_;
};

class RemuxedTest : public testing::Test {
 protected:
  // 16 groups of 5 pictures, and another recording of as many.
  void SetUp() override {
    VideoWriterOptions options;
    options.gop_frames = 5;
    write_pattern_video(folder_.path("encoded.mp4"), {PictureLayout::i420, 160, 96}, 80, options);
    write_pattern_video(folder_.path("other.mp4"), {PictureLayout::i420, 192, 96}, 80, options);
    fs::remove(folder_.path("cam1.mkv"));
    original_ = std::make_unique<Remuxed>(folder_.path("encoded.mp4"));
    original_->write(original_->groups(), recording_);
    const auto sealed = seal_recording(recording_, folder_.key());
    ASSERT_TRUE(sealed) << sealed.error().message();
    groups_ = *sealed;
    ASSERT_GE(groups_, 12);
    bytes_ = read_file(recording_).value();
  }
  SealVerdict verify() const {
    const auto verdict = verify_recording(recording_);
    EXPECT_TRUE(verdict) << verdict.error().message();
    return verdict.value_or(SealVerdict());
  }
  static bool is(const SealVerdict& verdict, SealChange change) {
    return std::any_of(verdict.findings.begin(), verdict.findings.end(),
                       [&](const SealFinding& one) { return one.change == change; });
  }

  const SealFolder folder_;
  const fs::path recording_ = folder_.path("cam1.mkv");
  std::unique_ptr<Remuxed> original_;
  std::string bytes_;
  int64_t groups_ = 0;
  std::mt19937_64 random_{test_seed()};
};

TEST_F(RemuxedTest, IsUntouchedAndSealedOnce) {
  const SealVerdict verdict = verify();
  EXPECT_TRUE(verdict.untouched() && verdict.finished);
  EXPECT_EQ(verdict.groups, groups_);
  EXPECT_EQ(seal_recording(recording_, folder_.key()).error().kind, ErrorKind::invalid_argument);
  fs::remove(seal_path(recording_));
  EXPECT_EQ(verify_recording(recording_).error().kind, ErrorKind::not_found);
}

// The packets are the same, the file is not.
TEST_F(RemuxedTest, CopiedPacketsAreTheSameInAChangedContainer) {
  original_->write(original_->groups(), recording_);
  std::string bytes = read_file(recording_).value();
  const size_t tag = bytes.find("Lavf");
  ASSERT_NE(tag, std::string::npos);
  bytes[tag] = 'l';
  ASSERT_TRUE(write_file_atomically(recording_, bytes));
  const SealVerdict verdict = verify();
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].change, SealChange::container);
}

TEST_F(RemuxedTest, FindsAndLocatesEditsOfGroups) {
  using RemuxedEdit = std::function<SealChange(std::vector<Packets>&, size_t)>;
  const std::vector<Packets> foreign = Remuxed(folder_.path("other.mp4")).groups();
  const auto retime = [](Packets& group, int64_t ms) {
    for (auto& packet : group) packet->pts += ms;
  };
  const RemuxedEdit edits[] = {
      [this](auto& groups, size_t g) {
        AVPacket* packet = groups[g][random_() % groups[g].size()].get();
        EXPECT_GE(av_packet_make_writable(packet), 0);
        packet->data[packet->size / 2 +
                     static_cast<int>(random_() % static_cast<unsigned>(packet->size / 2))] ^=
            static_cast<uint8_t>(1U << random_() % 8);
        return SealChange::bits;
      },
      [](auto& groups, size_t g) {
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
        return SealChange::missing;
      },
      [&](auto& groups, size_t g) {  // the gap is closed
        for (size_t k = g + 1; k < groups.size(); ++k) retime(groups[k], -200);
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
        return SealChange::missing;
      },
      [](auto& groups, size_t g) {
        std::swap(groups[g], groups[g + 1]);
        return SealChange::swapped;
      },
      [&](auto& groups, size_t g) {  // each at the other's times
        for (size_t i = 0; i < groups[g].size(); ++i) std::swap(groups[g][i]->pts, groups[g + 1][i]->pts);
        std::swap(groups[g], groups[g + 1]);
        return SealChange::swapped;
      },
      [&](auto& groups, size_t g) {
        retime(groups[g], 3);
        return SealChange::retimed;
      },
      [&](auto& groups, size_t g) {
        for (size_t i = 0; i < groups[g].size(); ++i) {
          const int64_t pts = groups[g][i]->pts;
          groups[g][i] = foreign[g][i], groups[g][i]->pts = pts;
        }
        return SealChange::spliced;
      },
      [](auto& groups, size_t g) {
        groups.resize(g);
        return SealChange::truncated;
      },
  };
  int count = 0, located = 0, named = 0;
  for (int round = 0; round < loop_size("VANTAGE_SEAL_REMUXES", 6); ++round)
    for (size_t e = 0; e < std::size(edits); ++e, ++count) {
      std::vector<Packets> groups = original_->groups();
      const size_t g = 1 + random_() % (groups.size() - 3);
      const SealChange change = edits[e](groups, g);
      original_->write(groups, recording_);
      const SealVerdict verdict = verify();
      ASSERT_FALSE(verdict.untouched()) << "edit " << e;
      const bool its_group = verdict.findings.front().first_group == static_cast<int64_t>(g);
      located += its_group, named += is(verdict, change);
      if (!its_group || !is(verdict, change))
        for (const SealFinding& one : verdict.findings)
          std::cout << "edit " << e << " at group " << g << ": " << finding_text(verdict, one) << '\n';
    }
  std::cout << count << " remuxed edits, all found, " << located << " located, " << named << " named\n";
  EXPECT_EQ(located, count);
  EXPECT_EQ(named, count);
}

TEST_F(RemuxedTest, FindsAppendedGroups) {
  std::vector<Packets> groups = original_->groups();
  Packets more = groups.front();
  for (auto& packet : more) {
    packet =
        std::shared_ptr<AVPacket>(av_packet_clone(packet.get()), [](AVPacket* p) { av_packet_free(&p); });
    packet->pts += 10'000;
    ASSERT_GE(av_packet_make_writable(packet.get()), 0);
    packet->data[packet->size - 1] ^= 1;
  }
  groups.push_back(more);
  original_->write(groups, recording_);
  const SealVerdict verdict = verify();
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].change, SealChange::appended);
  EXPECT_EQ(verdict.findings[0].first_group, groups_);
}

// Any byte of the file, also outside the packets; and a file that was cut anywhere.
TEST_F(RemuxedTest, EveryChangedByteAndEveryCutIsFound) {
  const int count = loop_size("VANTAGE_SEAL_BYTES", 150);
  for (int i = 0; i < count; ++i) {
    std::string bytes = bytes_;
    if (i % 3 == 0)
      bytes.resize(random_() % bytes.size());
    else
      bytes[random_() % bytes.size()] ^= static_cast<char>(1U << random_() % 8);
    ASSERT_TRUE(write_file_atomically(recording_, bytes));
    const auto verdict = verify_recording(recording_);
    EXPECT_TRUE(!verdict || !verdict->untouched()) << "case " << i;
  }
  std::cout << count << " changed bytes and cuts, all found\n";
}

// What people who have no Vantage do: the commands of the guide.
TEST_F(RemuxedTest, StockToolsVerifyASeal) {
  for (const char* tool : {"jq", "openssl", "sha256sum", "ffprobe"})
    if (std::system((std::string("command -v ") + tool + " > /dev/null").c_str()) != 0)
      GTEST_SKIP() << tool << " is not installed";
  const std::string guide =
      read_file(fs::path(VANTAGE_SOURCE_DIR) / "resources/docs/guide/sealing.md").value();
  const size_t heading = guide.find("## Without Vantage");
  ASSERT_NE(heading, std::string::npos);
  const size_t begin = guide.find("```\n", heading) + 4, end = guide.find("```", begin);
  ASSERT_LT(end, guide.size());
  ASSERT_TRUE(write_file_atomically(folder_.path("verify.sh"), guide.substr(begin, end - begin)));
  const auto run = [&] {
    return std::system(("cd '" + fs::path(recording_).parent_path().string() +
                        "' && bash -euo pipefail verify.sh > told 2>&1")
                           .c_str());
  };
  EXPECT_EQ(run(), 0) << read_file(folder_.path("told")).value();
  EXPECT_NE(read_file(folder_.path("told")).value().find(folder_.key().fingerprint()), std::string::npos);

  std::string seal = read_file(seal_path(recording_)).value();
  const size_t digit = seal.find("\"sha256\":\"", seal.find("\"group\":3,")) + 10;
  seal[digit] = seal[digit] == '0' ? '1' : '0';
  ASSERT_TRUE(write_file_atomically(seal_path(recording_), seal));
  EXPECT_NE(run(), 0);
}

}  // namespace
}  // namespace vantage::test
