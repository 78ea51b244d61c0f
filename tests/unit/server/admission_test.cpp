// Clients that are let in without a token: those that come by a name of this machine, whatever tricks the
// name plays.
#include "app/server/admission.h"

#include <string>
#include <vector>

#include "tests/unit/server/server_fixture.h"

namespace vantage::server {
namespace {

using namespace std::string_literals;

const std::vector<std::string>& names_of_this_machine() {
  static const std::vector<std::string> names = {
      "localhost",         "localhost:8080",         "LOCALHOST",         "LocalHost:65535",
      "127.0.0.1",         "127.0.0.1:8080",         "127.255.255.254:1", "[::1]",
      "[::1]:8080",        "[0:0:0:0:0:0:0:1]:8080", "[0000:0000::0001]", "[::ffff:127.0.0.1]",
      "[::FFFF:7f00:1]:80"};
  return names;
}

const std::vector<std::string>& names_of_others() {
  static const std::vector<std::string> names = {
      // suffixes and prefixes
      "127.evil.com", "127.0.0.1.nip.io", "127.0.0.1.evil.com:8080", "localhost.evil.com", "evil.localhost",
      "notlocalhost", "localhost-evil.com", "127.0.0.1-evil.com", "evil.com", "127.", "127",
      // no name at all
      "", ":", ":8080", "[]", "[]:80", " ", "[", "]", "[:80",
      // dots at the end
      "localhost.", "127.0.0.1.", "127.0.0.1.:80", "localhost..",
      // users, several names, white space
      "127.0.0.1@evil.com", "evil.com@127.0.0.1", "user:127.0.0.1@evil.com", "localhost@evil.com",
      "127.0.0.1, evil.com", "127.0.0.1,127.0.0.1", "127.0.0.1 evil.com", " 127.0.0.1", "127.0.0.1 ",
      "127.0.0.1\tevil.com", "127.0.0.1/evil.com", "127.0.0.1#evil.com", "127.0.0.1?evil.com", "127.0.0.1%00",
      "127.0.0.1\0.evil.com"s, "localhost\0.evil.com"s, "[::1\0]"s,
      // ports
      "127.0.0.1:evil", "127.0.0.1:80evil", "127.0.0.1:", "127.0.0.1:-1", "127.0.0.1:65536",
      "127.0.0.1:80:80", "127.0.0.1:+80", "127.0.0.1: 80", "127.0.0.1:80.evil.com", "127.0.0.1:0x50",
      "localhost:80@evil.com",
      // other spellings of addresses: browsers write 127.0.0.1 for them before they ask
      "127.1", "127.0.1", "0x7f.1", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01", "127.000.000.001", "2130706433",
      "0x7f000001", "127.0.0.256", "127.0.0.0x1", "127.0.0", "127.0.0.1.1", "1270.0.1",
      "127\xE3\x80\x82"
      "0.0.1",
      // addresses of other machines
      "0.0.0.0", "128.0.0.1", "10.0.0.1", "[::]", "[::2]", "[fe80::1]", "[::ffff:10.0.0.1]",
      "[::ffff:128.0.0.1]:80", "[2001:db8::127.0.0.1]",
      // IPv6 that is written otherwise: without brackets, with a zone, compatible instead of mapped
      "::1", "::1:8080", "0:0:0:0:0:0:0:1", "[::1%lo]", "[::1%25lo]:80", "[fe80::1%lo]", "[::127.0.0.1]",
      "[::1", "::1]", "[::1]x", "[::1].evil.com", "[::1]80", "[[::1]]", "[127.0.0.1]", "[localhost]",
      "[::1]@evil.com", "[::01.0.0.1]", "[:::1]", "[::1]:", "[::1]:evil"};
  return names;
}

TEST(Admission, OnlyNamesOfThisMachineAreItsNames) {
  for (const std::string& name : names_of_this_machine()) EXPECT_TRUE(names_this_machine(name)) << name;
  for (const std::string& name : names_of_others())
    EXPECT_FALSE(names_this_machine(name)) << testing::PrintToString(name);
}

TEST(Admission, AddressesAreReadAsAddresses) {
  for (const char* inside : {"127.0.0.1", "127.1.2.3", "[::1]", "[::ffff:127.0.0.1]"})
    EXPECT_TRUE(parse_server_address(inside + ":0"s)->loopback()) << inside;
  for (const char* outside :
       {"0.0.0.0", "126.255.255.255", "128.0.0.1", "[::]", "[::ffff:0.0.0.0]", "[fe80::1]"})
    EXPECT_FALSE(parse_server_address(outside + ":0"s)->loopback()) << outside;
  EXPECT_FALSE((ServerAddress{"127.evil.com", 0}.loopback()));
  EXPECT_FALSE(parse_server_address("127.0.0.1\0:80"s));
}

class AdmissionServerTest : public ServerTest {
 protected:
  // The answer to a request whose headers are all given here.
  test::HttpAnswer answer_to(const std::string& headers, const std::string& target = "/v1/status") const {
    test::HttpConnection connection(port_);
    connection.send("GET " + target + " HTTP/1.1\r\n" + headers + "\r\n");
    return connection.answer();
  }
};

TEST_F(AdmissionServerTest, WithoutATokenOthersNamesAreRefused) {
  serve();
  for (const std::string& name : names_of_this_machine())
    EXPECT_EQ(answer_to("Host: " + name + "\r\n").status, 200) << name;
  for (const std::string& name : names_of_others()) {
    const bool trimmed =
        name == " 127.0.0.1" || name == "127.0.0.1 ";  // white space around a value is none of it
    if (trimmed || name.find('\0') != std::string::npos) continue;
    const int status = answer_to("Host: " + name + "\r\n").status;
    EXPECT_TRUE(status == 403 || status == 400) << name << " " << status;
  }
}

TEST_F(AdmissionServerTest, ARequestNamesOneHost) {
  serve();
  EXPECT_EQ(answer_to("").status, 400);
  const std::string here = "Host: 127.0.0.1\r\n", there = "Host: evil.com\r\n";
  for (const std::string& headers : {here + there, there + here, here + here, here + "HOST: evil.com\r\n"}) {
    EXPECT_EQ(answer_to(headers).status, 400) << headers;
    EXPECT_EQ(answer_to(headers, "/").status, 400) << headers;
  }
}

// What a proxy would be asked for; the name in it counts as much as the header.
TEST_F(AdmissionServerTest, ATargetThatNamesAHostIsHeldAgainstItToo) {
  serve();
  const std::string here = "Host: 127.0.0.1\r\n";
  for (const char* target :
       {"http://evil.com/v1/status", "HTTP://evil.com/v1/status", "http://127.0.0.1@evil.com/v1/status",
        "http://127.0.0.1.nip.io/v1/status", "//evil.com/v1/status", "ftp://127.0.0.1/v1/status",
        "http:///v1/status", "http://127.0.0.1%2F@evil.com/v1/status", "evil.com:80", "*"})
    EXPECT_NE(answer_to(here, target).status, 200) << target;
}

TEST_F(AdmissionServerTest, WithATokenTheNameIsFree) {
  ServerOptions options;
  options.admission.token = "secret";
  serve(options);
  EXPECT_EQ(answer_to("Host: camera-room.example\r\nAuthorization: Bearer secret\r\n").status, 200);
  EXPECT_EQ(answer_to("Host: 127.0.0.1\r\n").status, 401);
}

}  // namespace
}  // namespace vantage::server
