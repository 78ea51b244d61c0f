// Passwords of addresses: read where there is one way to, and never shown.
#include "core/base/address_credentials.h"

#include <gtest/gtest.h>

#include "tests/support/hard_passwords.h"

namespace vantage {
namespace {

TEST(AddressCredentials, WhateverStandsBetweenTheSlashesAndTheLastAtIsHidden) {
  for (const std::string& password : test::hard_passwords()) {
    for (const std::string& host :
         {std::string("cam1"), std::string("192.168.1.20:554"), std::string("h.example.org")}) {
      const std::string address = "rtsp://admin:" + password + "@" + host + "/stream1";
      const std::string shown = "rtsp://***@" + host + "/stream1";
      EXPECT_EQ(redact_credentials(address), shown) << password;
      EXPECT_EQ(redact_credentials("cannot open " + address), "cannot open " + shown) << password;
      EXPECT_EQ(redact_credentials(address + ": the camera refuses. Check it."),
                shown + ": the camera refuses. Check it.")
          << password;
      EXPECT_EQ(redact_credentials("one\n" + address + "\ntwo"), "one\n" + shown + "\ntwo") << password;
      EXPECT_EQ(redact_credentials("{\"video\": \"" + address + "\", \"n\": 2}").find(password),
                std::string::npos)
          << password;
    }
  }
}

TEST(AddressCredentials, WhatHoldsNoneStays) {
  for (const char* text :
       {"rtsp://cam1/path?mail=a@b", "a@b and ://", "http://127.0.0.1:8080/ is served; mail a@b",
        "hall.vantage@120", "GPU 0 @ 1.5 GHz", "rtsp://10.0.0.1:554/x", "none://1920x1080?rate=25"})
    EXPECT_EQ(redact_credentials(text), text);
  EXPECT_EQ(redact_credentials("http://a:b@x/ and rtsp://c:d@e@y:554/z, rtsp://f:g/h@z"),
            "http://***@x/ and rtsp://***@y:554/z, rtsp://***@z");
}

TEST(AddressCredentials, UnencodedOnesWorkWhereTheyCanBeReadInOneWay) {
  for (const std::string& password :
       {"sec/ret", "p#1", "a?b", "p@ss", "p@ss/w", "a:b:c", "50%off", "x y", "#", "/", "what?#/@now"}) {
    const std::string address = "rtsp://admin:" + std::string(password) + "@192.168.1.20:554/x";
    ASSERT_TRUE(check_credentials(address)) << password;
    const SplitAddress split = split_credentials(address);
    ASSERT_TRUE(split.credentials) << password;
    EXPECT_EQ(split.address, "rtsp://192.168.1.20:554/x") << password;
    EXPECT_EQ(split.credentials->user, "admin");
    EXPECT_EQ(split.credentials->password, password);
    const SplitAddress again = split_credentials(with_encoded_credentials(address));
    ASSERT_TRUE(again.credentials) << password;
    EXPECT_EQ(again.credentials->password, password);
    EXPECT_EQ(with_encoded_credentials(address).find_first_of("/?#", 7),
              with_encoded_credentials(address).find("/x"));
  }
  EXPECT_EQ(with_encoded_credentials("rtsp://a:b%2F@h/x"), "rtsp://a:b%2F@h/x");
  EXPECT_EQ(with_encoded_credentials("rtsp://token@h/x"), "rtsp://token@h/x");
  EXPECT_EQ(with_encoded_credentials("rtsp://h/x"), "rtsp://h/x");
}

TEST(AddressCredentials, WhereThereAreTwoWaysItSaysHowToWriteThem) {
  for (const char* address : {"rtsp://admin:123/4@cam/x", "rtsp://admin:p@ss/word@cam/x", "rtsp://u:80/a@b",
                              "rtsp://admin:p@1.example.org/x@10.0.0.1/y", "http://a:1/2@h/x"}) {
    const Status checked = check_credentials(address);
    ASSERT_FALSE(checked) << address;
    EXPECT_NE(checked.error().message().find("%2F"), std::string::npos);
    EXPECT_EQ(checked.error().message().find("ss/"), std::string::npos) << checked.error().message();
    EXPECT_TRUE(split_credentials(address).credentials) << "kept out of what is written";
  }
  for (const char* address : {"rtsp://cam/a@b", "rtsp://10.0.0.1:554/a@b", "rtsp://a:b@cam:554/a?c=d@e",
                              "rtsp://a:b@cam:554/x?mail=a@b.com", "/a/b@c.mp4"})
    EXPECT_TRUE(check_credentials(address)) << address;
  EXPECT_EQ(split_credentials("rtsp://a:b@cam:554/x?mail=a@b.com").address, "rtsp://cam:554/x?mail=a@b.com");
}

}  // namespace
}  // namespace vantage
