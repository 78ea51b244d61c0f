#!/usr/bin/env python3
"""A receiver of webhooks. Usage: webhook_server.py PORT KEY LOG MODE [CERTIFICATE KEY_FILE]

Appends each request that it takes to LOG as a line of JSON, with whether its signature is right, and answers 200. The file
MODE says otherwise: "500" answers that and takes nothing, "stall" never answers."""
import hashlib
import hmac
import http.server
import json
import pathlib
import ssl
import sys
import time

port, key, log, mode = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3], pathlib.Path(sys.argv[4])


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        wanted = mode.read_text() if mode.exists() else ""
        while mode.exists() and mode.read_text() == "stall":
            time.sleep(0.05)
        if wanted != "500" and wanted != "stall":
            signed = self.headers["X-Vantage-Time"].encode() + b"." + body
            digits = hmac.new(key, signed, hashlib.sha256).hexdigest()
            right = hmac.compare_digest("sha256=" + digits, self.headers.get("X-Vantage-Signature", ""))
            with open(log, "a", encoding="utf-8") as lines:
                lines.write(json.dumps({"right": right, "id": self.headers["X-Vantage-Id"], "body": json.loads(body)}) + "\n")
        self.send_response(500 if wanted == "500" else 200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer.daemon_threads = True
server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver)
if len(sys.argv) > 5:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[5], sys.argv[6])
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
