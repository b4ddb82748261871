import { z } from "zod";
import { createServer, type RequestListener, type Server } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAddressGuard } from "./address-guard";
import { htmlToText } from "./html-text";
import { runTool } from "./run-tool";
import { makeToolFixture, type ToolFixture } from "./tool-fixture";
import type { ToolOutcome } from "./tool-port";
import { createWebFetch } from "./web-fetch";

interface Site {
  readonly port: number;
  readonly hits: () => number;
  close(): Promise<void>;
}

async function serve(listener: RequestListener): Promise<Site> {
  let hits = 0;
  const server: Server = createServer((asked, answer) => {
    hits += 1;
    listener(asked, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { port, hits: () => hits, close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))) };
}

let fixture: ToolFixture;
let outside: Site;
let inside: Site;
let respond: RequestListener;
beforeEach(async () => {
  fixture = await makeToolFixture();
  respond = (_asked, answer) => void answer.end("hello");
  outside = await serve((asked, answer) => respond(asked, answer));
  inside = await serve((_asked, answer) => void answer.end("inside secret"));
});
afterEach(async () => {
  await Promise.all([outside.close(), inside.close()]);
  await fixture.remove();
});

/** Only the one test server stands for the public web. */
function fetchText(url: string): Promise<ToolOutcome> {
  const tool = createWebFetch({ allow_inside: ({ address, port }) => address === "127.0.0.1" && port === outside.port });
  return runTool(tool, "web_fetch", { url }, fixture.context);
}

function answerWith(type: string, body: string | Buffer, status = 200, more: Readonly<Record<string, string>> = {}): void {
  respond = (_asked, answer) => void answer.writeHead(status, { "content-type": type, ...more }).end(body);
}

describe("N1 no request reaches an inside address", () => {
  it("not by a redirect, of any kind or length (B240)", async () => {
    const targets = [`http://127.0.0.1:${inside.port}/`, "http://169.254.169.254/latest", `http://localhost:${inside.port}/`, `http://[::1]:${inside.port}/`, `http://[::ffff:127.0.0.1]:${inside.port}/`, `http://2130706433:${inside.port}/`];
    for (const status of [301, 302, 303, 307, 308]) {
      for (const target of targets) {
        answerWith("text/plain", "", status, { location: target });
        expect(await fetchText(`http://127.0.0.1:${outside.port}/`), `${status} ${target}`).toMatchObject({ status: "error", result: expect.stringMatching(/private network|could not be reached|can't be resolved/) });
      }
    }
    respond = (asked, answer) => {
      const hop = Number(asked.url?.slice(1) || 0);
      answer.writeHead(302, { location: hop < 4 ? `/${hop + 1}` : `http://127.0.0.1:${inside.port}/` }).end();
    };
    expect(await fetchText(`http://127.0.0.1:${outside.port}/`)).toMatchObject({ status: "error", result: expect.stringContaining("private network") });
    expect(inside.hits()).toBe(0);
  });

  it("not directly, by no spelling", async () => {
    for (const host of ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "0x7f.1", "127.1"]) {
      expect(await fetchText(`http://${host}:${inside.port}/`), host).toMatchObject({ status: "error" });
    }
    for (const url of ["file:///etc/passwd", "ftp://e.com/", "http://user:pass@e.com/", "nothing", "javascript:1"]) expect(await fetchText(url), url).toMatchObject({ status: "error" });
    expect(inside.hits()).toBe(0);
  });

  it("knows inside addresses in all their clothes", () => {
    const guard = createAddressGuard(() => false);
    const refused = ["10.1.2.3", "100.64.0.1", "172.31.255.255", "192.168.0.1", "169.254.1.1", "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "::ffff:a00:1", "64:ff9b::a00:1", "2002:a00:1::", "fd00::1", "fe80::1", "ff02::1", "name"];
    expect(refused.filter((address) => guard.permits(address, 80))).toEqual([]);
    const permitted = ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:1.1.1.1"];
    expect(permitted.filter((address) => !guard.permits(address, 80))).toEqual([]);
  });
});

describe("what a page says", () => {
  it("is its text, with title and address", async () => {
    answerWith("text/html", "<html><head><title>Kites &amp; co</title><style>x</style></head><body><h1>Big</h1><script>if(1<2)alert()</script><p>Fly <b>high</b>&nbsp;&#x1F600;</p><ul><li>one<li>two</ul></body></html>");
    expect((await fetchText(`http://127.0.0.1:${outside.port}/a`)).result).toBe(`Kites & co\nhttp://127.0.0.1:${outside.port}/a\n\nBig\n\nFly high 😀\n\n- one\n- two`);
  });

  it("follows redirects within bounds", async () => {
    respond = (asked, answer) => (asked.url === "/end" ? answer.end("there") : answer.writeHead(302, { location: asked.url === "/loop" ? "/loop" : "/end" }).end());
    expect((await fetchText(`http://127.0.0.1:${outside.port}/`)).result).toContain("/end\n\nthere");
    expect(await fetchText(`http://127.0.0.1:${outside.port}/loop`)).toMatchObject({ status: "error", result: expect.stringContaining("more than 5 times") });
  });

  it("is read in its encoding, packed or not", async () => {
    answerWith("text/plain; charset=iso-8859-1", Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    expect((await fetchText(`http://127.0.0.1:${outside.port}/`)).result).toContain("café");
    answerWith("application/json", gzipSync('{"a":1}'), 200, { "content-encoding": "gzip" });
    expect((await fetchText(`http://127.0.0.1:${outside.port}/`)).result).toContain('{"a":1}');
    answerWith("text/plain", "not packed", 200, { "content-encoding": "gzip" });
    expect(await fetchText(`http://127.0.0.1:${outside.port}/`)).toMatchObject({ status: "error" });
  });

  it("is bounded, also when packed small or never ending", async () => {
    answerWith("text/plain", gzipSync(Buffer.alloc(50_000_000, 97)), 200, { "content-encoding": "gzip" });
    const packed = await fetchText(`http://127.0.0.1:${outside.port}/`);
    expect(packed.result).toContain("only the first 2 MiB");
    expect(packed.result.length).toBeLessThan(51_000);
    respond = (_asked, answer) => {
      answer.writeHead(200, { "content-type": "text/plain" });
      const more = () => {
        while (!answer.destroyed && answer.write("x".repeat(65_536)));
      };
      answer.on("drain", more);
      more();
    };
    expect((await fetchText(`http://127.0.0.1:${outside.port}/`)).result).toContain("only the first 2 MiB");
  });

  it("says what went wrong", async () => {
    answerWith("text/plain", "no such page", 404);
    expect(await fetchText(`http://127.0.0.1:${outside.port}/`)).toMatchObject({ status: "error", result: expect.stringContaining("HTTP status 404\n\nno such page") });
    answerWith("image/png", Buffer.from([1, 2]));
    expect(await fetchText(`http://127.0.0.1:${outside.port}/`)).toMatchObject({ status: "error", result: expect.stringContaining("is no text (image/png") });
  });

  it("is given up at once when the run is stopped", async () => {
    const asked = new Promise<void>((resolve) => {
      respond = () => resolve();
    });
    const done = fetchText(`http://127.0.0.1:${outside.port}/`);
    await asked;
    fixture.abort();
    expect(await done).toMatchObject({ status: "cancelled" });
  });
});

it("reads broken pages in one pass", () => {
  expect(htmlToText("a < b <3 <!-- x --> c <p unclosed").text).toBe("a < b <3 c");
  expect(htmlToText("<script>never closed").text).toBe("");
  expect(htmlToText("<p>&nosuch; &#0; &amp;lt;</p>").text).toBe("&nosuch; &#0; &lt;");
  const began = performance.now();
  htmlToText("<".repeat(1_000_000));
  htmlToText("<a ".repeat(300_000));
  htmlToText("<script>".repeat(200_000));
  expect(performance.now() - began).toBeLessThan(3000);
});
