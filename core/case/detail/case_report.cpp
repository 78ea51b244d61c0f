#include "core/case/detail/case_report.h"

#include <algorithm>
#include <cmath>

#include "core/base/formatted.h"
#include "core/case/detail/pen.h"
#include "core/case/signing_key.h"
#include "core/display/color_conversion.h"
#include "core/display/marked_view.h"
#include "core/image/png.h"
#include "core/image/reduce.h"

namespace vantage::case_detail {
namespace {

constexpr int kReportPicture_px = 640;
constexpr const char* kStyle =
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:62em;padding:0 1em;color:#1b1b1b}"
    "h1{font-size:1.6em}h2{font-size:1.2em;margin-top:2em}table{border-collapse:collapse}"
    "th,td{border:1px solid #bbb;padding:.3em .6em;text-align:left;vertical-align:top}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}figure{display:inline-block;margin:0 1em 1em 0}"
    "img{max-width:100%}code{word-break:break-all}svg{background:#eee;max-width:100%}"
    "@media print{body{margin:0}figure,table,svg{break-inside:avoid}}";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string row(std::initializer_list<std::string> values, const char* tag = "td") {
  std::string text = "<tr>";
  for (const std::string& value : values)
    text += std::string("<") + tag + ">" + escaped(value) + "</" + tag + ">";
  return text + "</tr>\n";
}

std::string number(int64_t value) {
  return std::to_string(value);
}

std::string facts_table(const CaseScene& scene, const ReportFacts& facts) {
  const ExportedCase& told = *facts.told;
  const int64_t last = scene.span.end - 1;
  std::string text = "<table>\n";
  const auto add = [&](const char* name, const std::string& value) {
    text += "<tr><th>" + std::string(name) + "</th><td>" + escaped(value) + "</td></tr>\n";
  };
  add("Exported by", facts.who);
  add("Reason", facts.why);
  add("Exported", facts.exported);
  add("Case", facts.id);
  add("First picture", scene.moment_text(scene.span.begin));
  add("Last picture", scene.moment_text(last));
  add("Clock", scene.clock ? scene.clock->source : "not known: times count from the start of the recording");
  add("Frames",
      formatted("%lld to %lld of the base camera, %g frames/s", static_cast<long long>(scene.span.begin),
                static_cast<long long>(last), told.frame_rate));
  add("Project", facts.project_name + ", SHA-256 " + facts.project_sha256);
  add("Program",
      "Vantage " + facts.program + (scene.people ? "; results made on " + scene.people->device() : ""));
  add("Signed by the key", facts.fingerprint);
  return text + "</table>\n";
}

std::string blur_text(const CaseScene& scene) {
  if (!scene.blur.on) return "Nobody was made unrecognisable.";
  if (scene.blur.kept.empty()) return "Everybody was made unrecognisable.";
  std::string ids;
  for (const int64_t id : scene.blur.kept) ids += (ids.empty() ? "" : ", ") + escaped(scene.label(id));
  return "Everybody but " + ids + " was made unrecognisable.";
}

std::string camera_table(const CaseScene& scene, const ExportedCase& told) {
  std::string text =
      "<p>" + blur_text(scene) +
      (scene.blur.on ? " A picture for which this could not be vouched for is blurred as a whole." : "") +
      "</p>\n<table>\n" +
      row({"Camera", "Video", "Frames", "Without picture", "Wholly blurred", "Sound", "Original"}, "th");
  for (const CaseCamera& camera : told.cameras) {
    std::string blurred = number(camera.fully_blurred);
    for (const auto& [doubt, frames] : camera.doubts)
      blurred += "; " + number(frames) + ": " + std::string(blur_doubt_text(doubt));
    text +=
        row({camera.name, camera.video, number(camera.frames), number(camera.without_picture),
             scene.blur.on ? blurred : "-", camera.sound, camera.original.empty() ? "-" : camera.original});
  }
  return text + "</table>\n";
}

// Metres as SVG's units, y upwards.
std::string map_svg(const CaseScene& scene, const CaseTables& tables) {
  if (!scene.project.calibrated()) return {};
  Eigen::AlignedBox2d box;
  if (const Result<VoxelGrid> grid = scene.project.effective_grid()) {
    box.extend(Eigen::Vector2d(grid->origin_in_world_m[0], grid->origin_in_world_m[1]));
    box.extend(Eigen::Vector2d(grid->origin_in_world_m[0] + grid->voxel_size_m * grid->nx,
                               grid->origin_in_world_m[1] + grid->voxel_size_m * grid->ny));
  }
  for (const Camera& camera : scene.project.calibrations()) {
    const Eigen::Vector3d center = camera.center_in_world_m();
    box.extend(Eigen::Vector2d(center.head<2>()));
  }
  const Eigen::Vector2d low = box.min() - Eigen::Vector2d(0.5, 0.5),
                        size = box.sizes() + Eigen::Vector2d(1, 1);
  std::string text = formatted(
      "<h2>Map</h2>\n<svg role=\"img\" aria-label=\"Map of the floor\" width=\"720\" height=\"%.0f\" "
      "viewBox=\"%.3f %.3f %.3f %.3f\">\n",
      720 * size.y() / size.x(), low.x(), -low.y() - size.y(), size.x(), size.y());
  const auto points = [](const std::vector<Eigen::Vector2d>& line) {
    std::string list;
    for (const Eigen::Vector2d& point : line) list += formatted("%.3f,%.3f ", point.x(), -point.y());
    return list;
  };
  for (const FloorZone& zone : scene.project.zones)
    text += "<polygon fill=\"#fff\" stroke=\"#777\" stroke-width=\".03\" points=\"" + points(zone.corners_m) +
            "\"><title>" + escaped(zone.name) + "</title></polygon>\n";
  for (const FloorLine& line : scene.project.lines)
    text += "<polyline stroke=\"#333\" stroke-width=\".04\" points=\"" + points({line.from_m, line.to_m}) +
            "\"><title>" + escaped(line.name) + "</title></polyline>\n";
  for (const Camera& camera : scene.project.calibrations()) {
    const Eigen::Vector3d at = camera.center_in_world_m();
    text +=
        formatted("<circle cx=\"%.3f\" cy=\"%.3f\" r=\".08\"/><text x=\"%.3f\" y=\"%.3f\" font-size=\".25\">",
                  at.x(), -at.y(), at.x() + 0.12, -at.y() + 0.08) +
        escaped(camera.name()) + "</text>\n";
  }
  for (const PersonPath& path : tables.people.paths) {
    std::vector<Eigen::Vector2d> line;
    for (const PathPoint& point : path.points) line.emplace_back(point.x_m, point.y_m);
    const auto rgb = person_rgb(path.id);
    const std::string color = formatted("#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    text +=
        "<polyline fill=\"none\" stroke=\"" + color + "\" stroke-width=\".05\" points=\"" + points(line) +
        "\"/>" +
        formatted("<text x=\"%.3f\" y=\"%.3f\" font-size=\".3\" fill=\"", line.back().x(), -line.back().y()) +
        color + "\">" + escaped(scene.label(path.id)) + "</text>\n";
  }
  return text + "</svg>\n";
}

std::string people_table(const CaseScene& scene, const CaseTables& tables) {
  std::string text = "<h2>People</h2>\n";
  if (!scene.people) return text + "<p>The project has no results.</p>\n";
  text += "<table>\n" + row({"Person", "First seen", "Last seen", "Walked"}, "th");
  for (const PersonPath& path : tables.people.paths) {
    double walked_m = 0;
    for (size_t i = 1; i < path.points.size(); ++i)
      walked_m += std::hypot(path.points[i].x_m - path.points[i - 1].x_m,
                             path.points[i].y_m - path.points[i - 1].y_m);
    text += row({scene.label(path.id), scene.moment_text(path.points.front().frame),
                 scene.moment_text(path.points.back().frame), formatted("%.1f m", walked_m)});
  }
  return text + "</table>\n";
}

std::string events_table(const CaseScene& scene, const CaseTables& tables) {
  if (tables.events.empty()) return {};
  std::string text = "<h2>Events</h2>\n<table>\n" + row({"Rule", "Person", "Raised", "Judged", "Note"}, "th");
  for (const FloorEvent& event : tables.events) {
    const auto mark = tables.marks.find(key_of(event));
    const EventMark judged = mark == tables.marks.end() ? EventMark() : mark->second;
    const char* standing = judged.standing == EventStanding::seen          ? "seen"
                           : judged.standing == EventStanding::false_alarm ? "false alarm"
                                                                           : "new";
    text += row({event.rule, event.id > 0 ? scene.label(event.id) : "zone",
                 scene.moment_text(event.raised_frame), standing, judged.note});
  }
  return text + "</table>\n";
}

std::string bookmarks_table(const CaseScene& scene, const CaseTables& tables) {
  if (tables.bookmarks.empty()) return {};
  std::string text = "<h2>Bookmarks</h2>\n<table>\n" + row({"Moment", "Note", "Place"}, "th");
  for (const Bookmark& one : tables.bookmarks)
    text += row(
        {scene.moment_text(one.frame), one.note,
         one.place_m ? formatted("x %.2f m, y %.2f m", one.place_m->x(), one.place_m->y()) : std::string()});
  return text + "</table>\n";
}

std::string counts_table(const CaseScene& scene, const CaseTables& tables) {
  std::string text;
  for (size_t i = 0; i < tables.counts.lines.size(); ++i)
    text += row({"line " + scene.project.lines[i].name,
                 number(tables.counts.lines[i].to_left) + " to the left, " +
                     number(tables.counts.lines[i].to_right) + " to the right"});
  for (size_t i = 0; i < tables.counts.zones.size(); ++i) {
    const ZoneCount& zone = tables.counts.zones[i];
    text += row(
        {"zone " + scene.project.zones[i].name,
         number(static_cast<int64_t>(zone.visits.size())) + " visits" +
             (zone.max_people ? ", " + number(*zone.max_people) + " people at most" : ", people not known")});
  }
  return text.empty() ? text
                      : "<h2>Counts</h2>\n<table>\n" + row({"Where", "Counted"}, "th") + text + "</table>\n";
}

std::string settings_table(const CaseScene& scene) {
  std::string text =
      "<h2>Settings</h2>\n<p>All parameters are in <code>data/project.vantage</code>.</p>\n<table>\n";
  const auto yes = [](bool value) { return std::string(value ? "drawn" : "not drawn"); };
  text += row({"Rectangles and IDs of people", yes(scene.overlays.people)});
  text += row({"Trails", yes(scene.overlays.trails)});
  text += row({"Zones and lines", yes(scene.overlays.floor)});
  for (const IdentityRepair& repair : scene.project.repairs)
    text += row({"Identity repaired by hand",
                 std::string(repair_name(repair.kind)) + " in frame " + number(repair.at.frame)});
  return text + "</table>\n";
}

}  // namespace

std::string report_html(const CaseScene& scene, const CaseTables& tables, const ReportFacts& facts) {
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>Case " +
                     escaped(facts.id) + "</title>\n<style>" + kStyle +
                     "</style></head>\n<body>\n<h1>Case: " + escaped(facts.why) + "</h1>\n" +
                     facts_table(scene, facts) + "<h2>Videos</h2>\n" + camera_table(scene, *facts.told);
  for (const std::string& note : facts.told->notes) text += "<p>" + escaped(note) + "</p>\n";
  text += "<h2>Pictures</h2>\n";
  for (const auto& [camera, png] : facts.pictures)
    text += "<figure><img alt=\"" + escaped(camera) + "\" src=\"data:image/png;base64," + base64(png) +
            "\"><figcaption>" + escaped(camera) + "</figcaption></figure>\n";
  text += map_svg(scene, tables) + people_table(scene, tables) + events_table(scene, tables) +
          bookmarks_table(scene, tables) + counts_table(scene, tables) + settings_table(scene);
  text +=
      "<h2>Verify</h2>\n<p>With Vantage: <code>vantage-cli case verify FOLDER</code>. Without it, in the "
      "folder: "
      "<code>sha256sum -c SHA256SUMS</code> and <code>openssl pkeyutl -verify -rawin -pubin -inkey "
      "public_key.pem "
      "-in SHA256SUMS -sigfile SHA256SUMS.sig</code>; compare the fingerprint of the key with the one that "
      "the "
      "exporter names: <code>openssl pkey -pubin -in public_key.pem -outform DER | sha256sum</code>.</p>\n";
  return text + "</body></html>\n";
}

Result<std::string> report_picture(const Picture& picture) {
  BufferPool& pool = HostPool::shared();
  const int factor = std::max(1, (picture.width() + kReportPicture_px - 1) / kReportPicture_px);
  Image planes[3];
  for (int p = 0; p < 3; ++p) {
    VANTAGE_ASSIGN(planes[p], reduced_mean(picture.plane(p), factor, pool));
  }
  const int width = planes[0].width(), height = planes[0].height();
  VANTAGE_ASSIGN(Image rgb, Image::make(ImageType::u8, 3 * width, height, pool));
  const RgbFromYcbcr conversion = rgb_from_ycbcr(picture.format().range, picture.format().matrix);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto chroma = [&](int p) {
        const ImageView<const uint8_t> plane = planes[p].view<uint8_t>();
        return plane.at(std::min(x / 2, plane.width - 1), std::min(y / 2, plane.height - 1));
      };
      for (int c = 0; c < 3; ++c)
        rgb.writable_view<uint8_t>().at(3 * x + c, y) =
            rgb_component(conversion, c, planes[0].view<uint8_t>().at(x, y), chroma(1), chroma(2));
    }
  return encode_png_rgb(rgb);
}

}  // namespace vantage::case_detail
