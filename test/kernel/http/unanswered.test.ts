import assert from "node:assert/strict";
import express from "express";
import type { SiteContext } from "#kernel";
import { RecordedLog } from "../../../kernel/testing/recorded-log.js";
import { bootProbe } from "../../support/sites/probe-site.js";
import type { TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

describe("a handler that does not respond", () => {
  let site: TestSite;
  let log: RecordedLog;
  afterEach(() => site.close());

  const never = (): void => undefined;
  const setup = ({ http }: SiteContext): void => {
    http.route({ method: "get", path: "/api/slow/:id", summary: "Never", handler: never });
    http.route({ method: "get", path: "/api/plain", summary: "Never", handler: never });
    http.route({
      method: "get",
      path: "/api/stream",
      summary: "Streams",
      handler: (_req, res) => res.write("begun"),
    });
    http.route({
      method: "get",
      path: "/api/fast",
      summary: "Fast",
      handler: (req, res) => http.json(req, res, 1),
    });
    const shop = express.Router();
    shop.get("/cart", never);
    http.router("/shop", shop);
    http.use("pages", (req, _res, next) => {
      if (req.ctx.path !== "/page") next();
    });
  };
  async function boot(): Promise<void> {
    log = new RecordedLog();
    site = await bootProbe(setup, { log: log.logger, handlerLimitMs: 60 });
  }
  /** Sends a request that gets no response; the client leaves at the end of the test. */
  const send = (path: string): AbortController => {
    const leave = new AbortController();
    fetch(site.url + path, { signal: leave.signal }).catch(() => undefined);
    return leave;
  };
  const reported = (): unknown[] =>
    log.of("request.unanswered").map(({ fields }) => [fields["plugin"], fields["route"]]);

  const routes: readonly (readonly [path: string, plugin: string | undefined, route: string])[] = [
    ["/api/slow/7", "probe", "GET /api/slow/:id"],
    ["/api/plain", "probe", "GET /api/plain"],
    ["/shop/cart", "probe", "GET /shop"],
    ["/page", undefined, "GET page"],
  ];
  for (const [path, plugin, route] of routes) {
    it(`is reported for ${path} with plugin and route, once a minute, and the site serves on`, async () => {
      await boot();
      const first = send(path);
      const second = send(path);
      await until(() => reported().length > 0);
      assert.equal(await (await site.fetch("/api/fast")).text(), "1");
      const third = send(path);
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.deepEqual(reported(), [[plugin, route]]);
      const [line] = log.of("request.unanswered");
      assert.equal(line?.level, "warn");
      assert.equal(line?.fields["path"], path);
      assert.match(String(line?.fields["fix"]), /end each response/);
      for (const client of [first, second, third]) client.abort();
    });
  }

  it("is not reported for a stream, nor for a client that has left", async () => {
    await boot();
    const stream = send("/api/stream");
    send("/api/plain").abort();
    await new Promise((resolve) => setTimeout(resolve, 250));
    assert.deepEqual(reported(), []);
    stream.abort();
  });
});
