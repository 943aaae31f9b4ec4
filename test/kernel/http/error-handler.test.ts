import assert from "node:assert/strict";
import { HttpError, SiteError, type Logger } from "#kernel";
import { bootProbe } from "../../support/sites/probe-site.js";
import type { TestSite } from "../../support/sites/boot-site.js";

describe("an error of a handler", () => {
  let site: TestSite;
  const lines: { level: string; event: string; fields: Record<string, unknown> }[] = [];
  const at =
    (level: string) =>
    (event: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, event, fields });
  const log: Logger = {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: () => log,
  };
  before(async () => {
    site = await bootProbe(
      ({ http }) => {
        http.jsonPrefix("/api");
        http.use("pages", (req, res) => {
          if (req.ctx.path.endsWith("half")) res.write("half");
          if (req.ctx.path.endsWith("busy")) throw new HttpError(503, "later");
          if (req.ctx.path.endsWith("why"))
            throw new HttpError(502, "refused", { cause: new SiteError("ERR_X", "no such price") });
          if (req.ctx.path.endsWith("inner"))
            throw new Error("outer", { cause: new TypeError("the line that fails") });
          throw new Error("broken");
        });
        http.errorPage((req, { status }) => {
          if (req.ctx.path === "/page-fails") throw new Error("the page too");
          return req.ctx.path === "/page"
            ? { status, type: "text/html", body: `<p>${status}` }
            : null;
        });
        http.route({
          method: "get",
          path: "/api/fails",
          summary: "fails",
          handler: () => Promise.reject(new Error("broken")),
        });
      },
      { log },
    );
  });
  after(() => site.close());
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const res = await site.fetch(path, { method, headers: { Accept: "text/html", ...headers } });
    return {
      status: res.status,
      type: res.headers.get("content-type"),
      store: res.headers.get("cache-control"),
      body: await res.text(),
    };
  };

  it("is JSON below a JSON prefix and for clients that prefer it", async () => {
    const json = {
      status: 500,
      type: "application/json; charset=utf-8",
      store: "no-store",
      body: '{"error":"Internal server error"}',
    };
    assert.deepEqual(await ask("/api/fails"), json);
    assert.deepEqual(await ask("/page", { Accept: "application/json" }), json);
  });

  it("is the error page for browsers, and plain text without one or when it fails itself", async () => {
    assert.deepEqual((await ask("/page")).body, "<p>500");
    for (const path of ["/none", "/page-fails"]) {
      const { body, type } = await ask(path);
      assert.deepEqual([body, type], ["500 Internal server error\n", "text/plain; charset=utf-8"]);
    }
  });

  it("is JSON for a program that changes something, the page for a form of a browser", async () => {
    const program = await ask("/page", { Accept: "*/*" }, "POST");
    assert.equal(program.body, '{"error":"Internal server error"}');
    const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    assert.equal((await ask("/page", browser, "POST")).body, "<p>500");
    assert.equal((await ask("/page", { Accept: "*/*" })).body, "<p>500");
  });

  it("keeps the connection of a request without a body", async () => {
    for (const method of ["GET", "POST"]) {
      const res = await site.fetch("/page", { method, headers: { Accept: "text/html" } });
      await res.arrayBuffer();
      assert.deepEqual([res.status, res.headers.get("connection")], [500, "keep-alive"], method);
    }
  });

  it("closes the connection of an unread body", async () => {
    const res = await site.fetch("/page", { method: "POST", body: "x".repeat(1_000_000) });
    await res.arrayBuffer();
    assert.deepEqual([res.status, res.headers.get("connection")], [500, "close"]);
  });

  it("closes the connection when the response has begun", async () => {
    await assert.rejects(ask("/half"));
    assert.equal((await ask("/page")).status, 500);
  });

  it("logs its stack, but one line for an intended response", async () => {
    lines.length = 0;
    await ask("/busy");
    await ask("/none");
    const failures = lines.filter(({ event }) => event.startsWith("request."));
    assert.deepEqual(
      failures.map(({ level, event, fields }) => [
        level,
        event,
        fields["error"],
        "stack" in fields,
      ]),
      [
        ["warn", "request.refused", "ERR_HTTP_503: later", false],
        ["error", "request.failed", "broken", true],
      ],
    );
  });

  it("logs the cause of an intended response", async () => {
    lines.length = 0;
    await ask("/why");
    const [refused] = lines.filter(({ event }) => event === "request.refused");
    assert.equal(refused?.fields["cause"], "ERR_X: no such price");
  });

  it("logs the stack of its root cause", async () => {
    lines.length = 0;
    await ask("/inner");
    const [failed] = lines.filter(({ event }) => event === "request.failed");
    assert.equal(failed?.fields["error"], "outer");
    const [first, second] = Object(failed?.fields["stack"]);
    assert.equal(first, "TypeError: the line that fails");
    assert.match(second, /error-handler\.test\.ts:\d+/);
  });
});
