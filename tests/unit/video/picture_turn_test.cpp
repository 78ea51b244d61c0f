// Pictures that are stored on their side, with a note of how they are shown, are delivered upright.
#include <gtest/gtest.h>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include "core/video/detail/packet_reader.h"
#include "core/video/picture_turn.h"
#include "core/video/segments/segment_index.h"
#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

constexpr int32_t kOne = 1 << 16;

DisplayMatrix matrix(int32_t a, int32_t b, int32_t c, int32_t d) {
  return {a, b, 0, c, d, 0, 0, 0, 1 << 30};
}

// Where sample (x, y) of an upright plane lies in the stored one of that width and height, by hand.
struct Turn {
  const char* text;
  DisplayMatrix shown;
  std::function<std::pair<int, int>(int x, int y, int width, int height)> stored;
  bool swaps = true;
};

std::vector<Turn> turns() {
  using Place = std::pair<int, int>;
  return {
      {"rotated by 90 degrees clockwise", matrix(0, kOne, -kOne, 0),
       [](int x, int y, int, int height) { return Place{y, height - 1 - x}; }},
      {"rotated by 180 degrees", matrix(-kOne, 0, 0, -kOne),
       [](int x, int y, int width, int height) { return Place{width - 1 - x, height - 1 - y}; }, false},
      {"rotated by 270 degrees clockwise", matrix(0, -kOne, kOne, 0),
       [](int x, int y, int width, int) { return Place{width - 1 - y, x}; }},
      {"mirrored left to right", matrix(-kOne, 0, 0, kOne),
       [](int x, int y, int width, int) { return Place{width - 1 - x, y}; }, false},
      {"mirrored top to bottom", matrix(kOne, 0, 0, -kOne),
       [](int x, int y, int, int height) { return Place{x, height - 1 - y}; }, false},
      {"rotated by 90 degrees clockwise and mirrored left to right", matrix(0, kOne, kOne, 0),
       [](int x, int y, int, int) { return Place{y, x}; }},
      {"rotated by 270 degrees clockwise and mirrored left to right", matrix(0, -kOne, -kOne, 0),
       [](int x, int y, int width, int height) { return Place{width - 1 - y, height - 1 - x}; }},
  };
}

void state_display_matrix(const DisplayMatrix& shown, AVStream& stream) {
  uint8_t* data = nullptr;
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  if (AVPacketSideData* side =
          av_packet_side_data_new(&stream.codecpar->coded_side_data, &stream.codecpar->nb_coded_side_data,
                                  AV_PKT_DATA_DISPLAYMATRIX, sizeof shown, 0))
    data = side->data;
#else
  data = av_stream_new_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, sizeof shown);
#endif
  ASSERT_NE(data, nullptr);
  std::memcpy(data, shown.data(), sizeof shown);
}

// The same packets in another file, which says how they are shown.
void copy_stating(const DisplayMatrix& shown, const std::filesystem::path& from,
                  const std::filesystem::path& to) {
  const auto reader = PacketReader::open(from.string(), {});
  ASSERT_TRUE(reader) << reader.error().message();
  AVFormatContext* format = nullptr;
  ASSERT_GE(avformat_alloc_output_context2(&format, nullptr, nullptr, to.c_str()), 0);
  const av::OwnedMuxer muxer(format);
  AVStream* stream = avformat_new_stream(format, nullptr);
  ASSERT_GE(avcodec_parameters_copy(stream->codecpar, &(*reader)->parameters()), 0);
  stream->codecpar->codec_tag = 0;
  stream->time_base = (*reader)->time_base();
  state_display_matrix(shown, *stream);
  ASSERT_GE(avio_open(&format->pb, to.c_str(), AVIO_FLAG_WRITE), 0);
  ASSERT_GE(avformat_write_header(format, nullptr), 0);
  const auto packet = av::make_packet();
  for (Result<bool> more = (*reader)->next(*packet); more && *more; more = (*reader)->next(*packet)) {
    av_packet_rescale_ts(packet.get(), (*reader)->time_base(), stream->time_base);
    packet->stream_index = 0;
    ASSERT_GE(av_interleaved_write_frame(format, packet.get()), 0);
  }
  ASSERT_GE(av_write_trailer(format), 0);
}

std::vector<Picture> pictures_of(VideoSource& source) {
  std::vector<Picture> pictures;
  for (Result<DecodedFrame> frame = source.read(); frame; frame = source.read())
    pictures.push_back(frame->picture);
  return pictures;
}

void expect_turned(const Turn& turn, const Picture& stored, const Picture& upright) {
  ASSERT_TRUE(stored && upright);
  ASSERT_EQ(upright.width(), turn.swaps ? stored.height() : stored.width());
  ASSERT_EQ(upright.height(), turn.swaps ? stored.width() : stored.height());
  for (int p = 0; p < 3; ++p) {
    const ImageView<const uint8_t> from = stored.plane(p), to = upright.plane(p);
    for (int y = 0; y < to.height; ++y)
      for (int x = 0; x < to.width; ++x) {
        const auto [u, v] = turn.stored(x, y, from.width, from.height);
        ASSERT_EQ(to.at(x, y), from.at(u, v)) << "plane " << p << " at " << x << ", " << y;
      }
  }
}

// Odd sizes and many columns, so that no tile is full.
TEST(TurnTest, FilesAreDeliveredUpright) {
  const TemporaryFolder folder;
  const auto stored = folder.path() / "stored.mp4", shown = folder.path() / "shown.mp4";
  write_pattern_video(stored, {PictureLayout::i420, 150, 98}, 30, {.gop_frames = 8});
  const std::vector<Picture> pictures = pictures_of(*open_checked(stored));
  ASSERT_EQ(pictures.size(), 30u);
  for (const Turn& turn : turns()) {
    SCOPED_TRACE(turn.text);
    copy_stating(turn.shown, stored, shown);
    const auto source = open_checked(shown);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->info().width_px, turn.swaps ? 98 : 150);
    EXPECT_EQ(source->info().height_px, turn.swaps ? 150 : 98);
    EXPECT_EQ(source->info().conversion, turn.text);
    const std::vector<Picture> upright = pictures_of(*source);
    ASSERT_EQ(upright.size(), pictures.size());
    for (size_t i = 0; i < pictures.size(); ++i) expect_turned(turn, pictures[i], upright[i]);
    for (const int64_t frame : {21, 20, 3}) {
      ASSERT_TRUE(source->seek(frame));
      EXPECT_TRUE(same_pixels(source->read().value().picture, upright[frame])) << frame;
    }
  }
}

// Whatever else is done to pictures: the same as to those that stand upright.
TEST(TurnTest, OtherConversionsFollow) {
  VANTAGE_NEED_FFMPEG();
  const char* kinds[] = {"-pix_fmt yuv420p10le", "-pix_fmt yuv420p -color_range pc",
                         "-pix_fmt yuv420p -colorspace bt709", "-pix_fmt yuv444p", "-pix_fmt rgb24"};
  const TemporaryFolder folder;
  for (const char* kind : kinds) {
    SCOPED_TRACE(kind);
    const bool rgb = std::strstr(kind, "rgb") != nullptr;
    const auto stored = folder.path() / "stored.mov", shown = folder.path() / "shown.mov";
    ASSERT_TRUE(run_ffmpeg("-f lavfi -i testsrc2=s=98x64:r=25 -frames:v 3 " + std::string(kind) +
                           (rgb ? " -c:v qtrle '" : " -c:v libx264 '") + stored.string() + "'"));
    for (const Turn& turn : turns()) {
      SCOPED_TRACE(turn.text);
      copy_stating(turn.shown, stored, shown);
      const auto plain = open_checked(stored), source = open_checked(shown);
      ASSERT_TRUE(plain && source);
      EXPECT_NE(source->info().conversion.find(turn.text), std::string::npos) << source->info().conversion;
      EXPECT_NE(plain->info().conversion, "");
      const std::vector<Picture> pictures = pictures_of(*plain), upright = pictures_of(*source);
      ASSERT_EQ(upright.size(), 3u);
      for (size_t i = 0; i < upright.size(); ++i) expect_turned(turn, pictures[i], upright[i]);
    }
  }
}

// The ffmpeg program turns as we do.
TEST(TurnTest, AsFfmpegTurns) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const auto stored = folder.path() / "stored.mp4", shown = folder.path() / "shown.mp4",
             raw = folder.path() / "raw.yuv";
  write_pattern_video(stored, {PictureLayout::i420, 96, 64}, 3);
  for (size_t i = 0; i < 3; ++i) {  // its later versions mirror differently from earlier ones
    SCOPED_TRACE(turns()[i].text);
    copy_stating(turns()[i].shown, stored, shown);
    ASSERT_TRUE(
        run_ffmpeg("-i '" + shown.string() + "' -f rawvideo -pix_fmt yuv420p '" + raw.string() + "'"));
    std::ifstream file(raw, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    std::string ours;
    for (const Picture& picture : pictures_of(*open_checked(shown)))
      for (int p = 0; p < 3; ++p)
        for (int y = 0; y < picture.plane(p).height; ++y)
          ours.append(reinterpret_cast<const char*>(picture.plane(p).row(y)),
                      static_cast<size_t>(picture.plane(p).width));
    EXPECT_EQ(bytes == ours, true) << bytes.size() << " and " << ours.size() << " bytes";
  }
}

// H.264 tells it in the stream itself, in some pictures only.
TEST(TurnTest, TheStreamsOwnStatementCountsWithoutAContainers) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const auto stored = folder.path() / "stored.mp4", shown = folder.path() / "shown.mkv",
             both = folder.path() / "both.mp4";
  write_pattern_video(stored, {PictureLayout::i420, 96, 64}, 30, {.gop_frames = 8});
  ASSERT_TRUE(run_ffmpeg("-i '" + stored.string() +
                         "' -c copy -bsf:v h264_metadata=display_orientation=insert:rotate=270 '" +
                         shown.string() + "'"));  // counterclockwise
  const std::vector<Picture> pictures = pictures_of(*open_checked(stored));
  const auto source = open_checked(shown);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->info().width_px, 64);
  for (const int64_t frame : {0, 29, 13, 5}) {
    ASSERT_TRUE(source->seek(frame));
    expect_turned(turns()[0], pictures[frame], source->read().value().picture);
  }
  copy_stating(turns()[1].shown, shown, both);
  expect_turned(turns()[1], pictures[0], open_checked(both)->read().value().picture);
}

// A JPEG with Exif's orientation 6, as a phone held upright writes it.
TEST(TurnTest, ImagesAreTurnedByExif) {
  VANTAGE_NEED_FFMPEG();
  const TemporaryFolder folder;
  const std::string stored = (folder.path() / "stored%d.jpg").string();
  ASSERT_TRUE(run_ffmpeg("-f lavfi -i testsrc2=s=96x64:r=25 -frames:v 2 '" + stored + "'"));
  const std::string exif(
      "\xFF\xE1\x00\x22"
      "Exif\0\0"
      "MM\0\x2A\0\0\0\x08"
      "\0\x01"
      "\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"
      "\0\0\0\0",
      36);
  for (const char* number : {"1", "2"}) {
    std::ifstream from(folder.path() / ("stored" + std::string(number) + ".jpg"), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(from)), {});
    bytes.insert(2, exif);
    std::ofstream(folder.path() / ("shown" + std::string(number) + ".jpg"), std::ios::binary) << bytes;
  }
  const auto plain = open_checked(stored), source = open_checked(folder.path() / "shown%d.jpg");
  ASSERT_TRUE(plain && source);
  EXPECT_EQ(source->info().width_px, 64);
  EXPECT_EQ(source->info().height_px, 96);
  expect_turned(turns()[0], plain->read().value().picture, source->read().value().picture);
}

// A recording of a stream whose container tells how it is shown: the recording's own cannot.
TEST(TurnTest, SegmentsOfARecordingAreTurned) {
  const TemporaryFolder folder;
  const auto stored = folder.path() / "stored.mp4", segment = folder.path() / "000000.mkv";
  write_pattern_video(stored, {PictureLayout::i420, 96, 64}, 5, {.b_frames = 0});
  const auto reader = PacketReader::open(stored.string(), {});
  ASSERT_TRUE(reader);
  auto format = std::make_shared<StreamFormat>();
  format->parameters.reset(avcodec_parameters_alloc());
  ASSERT_GE(avcodec_parameters_copy(format->parameters.get(), &(*reader)->parameters()), 0);
  std::unique_ptr<SegmentWriter> writer;
  for (int i = 0; i < 5; ++i) {
    std::shared_ptr<AVPacket> packet(av_packet_alloc(), av::Free());
    ASSERT_TRUE((*reader)->next(*packet).value());
    uint8_t* data = av_packet_new_side_data(packet.get(), AV_PKT_DATA_DISPLAYMATRIX, sizeof(DisplayMatrix));
    std::memcpy(data, turns()[2].shown.data(), sizeof(DisplayMatrix));
    const StreamPacket sent{.format = format, .packet = packet, .start = i == 0};
    if (i == 0) writer = SegmentWriter::open(segment, sent).value();
    ASSERT_TRUE(writer->write(sent, 40 * i));
  }
  ASSERT_TRUE(writer->finish());
  const auto source = open_checked(segment);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->info().conversion, turns()[2].text);
  const std::vector<Picture> pictures = pictures_of(*open_checked(stored)), upright = pictures_of(*source);
  ASSERT_EQ(upright.size(), 5u);
  for (size_t i = 0; i < 5; ++i) expect_turned(turns()[2], pictures[i], upright[i]);
}

// Tilted pictures are left as they are; scales and two degrees more or less do not matter.
TEST(TurnTest, OnlyQuarterTurnsCount) {
  EXPECT_EQ(turn_of_matrix(matrix(46341, 46341, -46341, 46341).data()), PictureTurn{});
  EXPECT_EQ(turn_of_matrix(matrix(0, 0, 0, 0).data()), PictureTurn{});
  EXPECT_EQ(turn_of_matrix(matrix(kOne, 0, 0, kOne).data()), PictureTurn{});
  EXPECT_EQ(turn_text(turn_of_matrix(matrix(600, 2 * kOne, -kOne, 600).data())),
            "rotated by 90 degrees clockwise");
}

}  // namespace
}  // namespace vantage::test
