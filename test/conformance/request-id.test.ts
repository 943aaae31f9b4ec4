import assert from "node:assert/strict";
import { definePlugin, type Logger } from "#kernel";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

const probe = definePlugin({
  name: "probe",
  version: "1.0.0",
  setup({ http }) {
    http.jsonPrefix("/api");
    const get = (path: string, answer: Parameters<typeof http.route>[0]["handler"]) =>
      http.route({ method: "get", path, summary: path, handler: answer });
    get("/api/json", (req, res) => http.json(req, res, {}));
    get("/api/raw", (_req, res) => res.end("raw"));
    get("/api/written", (_req, res) => {
      res.writeHead(200, { "Content-Type": "text/plain" });
      res.end("written");
    });
    get("/api/fails", () => {
      throw new Error("no");
    });
    get("/cached", (req, res) =>
      http.send(req, res, {
        type: "text/plain",
        body: "cached",
        cache: { tags: new Set(["nav"]) },
      }),
    );
  },
});

/** A log that records requests. */
function requestLog(ids: unknown[]): Logger {
  const log: Logger = {
    debug: () => undefined,
    info: (event, fields) => void (event === "request" && ids.push(fields?.["req"])),
    warn: () => undefined,
    error: () => undefined,
    child: () => log,
  };
  return log;
}

describe("X-Request-Id", () => {
  let site: TestSite;
  const logged: unknown[] = [];
  before(async () => {
    const plugins = ["security", "cache"];
    const env = { SITE_ENV: "production" };
    const settings = { system: { server: { trust_proxy: 1 } } };
    const log = requestLog(logged);
    site = await bootSite({ plugins, extraPlugins: [probe], env, settings, log });
  });
  after(() => site.close());

  for (const path of [
    "/api/json",
    "/api/raw",
    "/api/written",
    "/api/fails",
    "/api/none",
    "/none",
  ]) {
    it(`is the id in the log for ${path}`, async () => {
      const answer = await site.fetch(path);
      await answer.text();
      const id = answer.headers.get("x-request-id");
      assert.match(id ?? "", /^[0-9a-f]{16}$/);
      // The log is written when the response has been sent.
      while (!logged.includes(id)) await new Promise((resolve) => setImmediate(resolve));
    });
  }

  it("is taken from a trusted proxy", async () => {
    const headers = { "X-Request-Id": "of-the-proxy-1" };
    const answer = await site.fetch("/api/json", { headers });
    assert.equal(answer.headers.get("x-request-id"), "of-the-proxy-1");
    const odd = await site.fetch("/api/json", { headers: { "X-Request-Id": "a b;c" } });
    assert.match(odd.headers.get("x-request-id") ?? "", /^[0-9a-f]{16}$/);
  });

  it("is never that of another request in a cached response", async () => {
    const ids = new Set<string | null>();
    for (let at = 0; at < 3; at += 1) {
      const answer = await site.fetch("/cached");
      const id = answer.headers.get("x-request-id");
      assert.ok(id === null || !ids.has(id));
      ids.add(id);
    }
  });
});
