import assert from "node:assert/strict";
import { connect } from "node:net";
import express from "express";
import { definePlugin, expectKind, expectMethods, type SiteContext } from "#kernel";
import { RecordedLog } from "#lib/testing";
import { bootProbe } from "../../support/sites/probe-site.js";
import type { TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

/** A limit that is long enough for the difference between "at the limit" and "at some time after it". */
const LIMIT_MS = 400;

describe("a handler that does not respond", () => {
  let site: TestSite;
  let log: RecordedLog;
  /** Numbers of reports at the moments that a handler chooses. */
  const seen = new Array<number>();
  afterEach(() => site.close());

  const look = (): void => void seen.push(reported().length);
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
    http.route({
      method: "get",
      path: "/api/timed",
      summary: "Never",
      handler: () => void setTimeout(look, LIMIT_MS + 80),
    });
    http.route({ method: "post", path: "/api/unread", summary: "Reads nothing", handler: never });
    http.route({
      method: "post",
      path: "/api/read",
      summary: "Reads its body",
      handler: (req) =>
        void req.resume().on("end", () => {
          for (const ms of [0, LIMIT_MS - 100, LIMIT_MS + 80]) setTimeout(look, ms);
        }),
    });
    const shop = express.Router();
    shop.get("/cart", never);
    http.router("/shop", shop);
    http.use("pages", (req, _res, next) => {
      if (req.ctx.path !== "/page") next();
    });
  };
  async function boot(handlerLimitMs = 60): Promise<void> {
    log = new RecordedLog();
    seen.length = 0;
    site = await bootProbe(setup, { log: log.logger, handlerLimitMs });
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

  it("names the engine of another plugin that it waits for", async () => {
    log = new RecordedLog();
    const tide = definePlugin({
      name: "tide",
      version: "1.0.0",
      requires: ["probe"],
      setup: ({ engines }) =>
        engines.activate("mailer", { send: () => new Promise(() => undefined) }),
    });
    const opening = ({ engines, http }: SiteContext): void => {
      const send = { result: expectKind("anything") };
      const slot = engines.open("mailer", expectMethods(["send"]), { send });
      http.route({
        method: "get",
        path: "/api/tide",
        summary: "Waits",
        handler: () => slot.active.send({} as never),
      });
    };
    const options = { log: log.logger, handlerLimitMs: 60, extraPlugins: [tide] };
    site = await bootProbe(opening, options);
    const client = send("/api/tide");
    await until(() => reported().length > 0);
    const [line] = log.of("request.unanswered");
    const { slot, engine, enginePlugin, member, fix } = line?.fields ?? {};
    assert.deepEqual([slot, engine, enginePlugin, member], ["mailer", "tide", "tide", "send"]);
    assert.match(String(fix), /correct plugin "tide": `send` of its engine has not answered/);
    client.abort();
  });

  it("is not reported for a stream, nor for a client that has left", async () => {
    await boot();
    const stream = send("/api/stream");
    send("/api/plain").abort();
    await new Promise((resolve) => setTimeout(resolve, 250));
    assert.deepEqual(reported(), []);
    stream.abort();
  });

  it("is reported at the limit, whenever the first request of the site came", async () => {
    await boot(LIMIT_MS);
    await (await site.fetch("/api/fast")).text();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const client = send("/api/timed");
    await until(() => seen.length > 0);
    assert.deepEqual(seen, [1]);
    client.abort();
  });

  it("has its time from the end of the body that it reads", async () => {
    await boot(LIMIT_MS);
    const { hostname, port } = new URL(site.url);
    const socket = connect(Number(port), hostname);
    socket.write("POST /api/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n1");
    await new Promise((resolve) => setTimeout(resolve, LIMIT_MS + 80));
    socket.write("2");
    await until(() => seen.length === 3);
    assert.deepEqual(seen, [0, 0, 1]);
    socket.destroy();
  });

  it("is reported when it reads nothing of a large body", async () => {
    await boot(LIMIT_MS);
    const { hostname, port } = new URL(site.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write("POST /api/unread HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n");
    socket.write(Buffer.alloc(9_000_000));
    await until(() => reported().length > 0);
    assert.deepEqual(reported(), [["probe", "POST /api/unread"]]);
    socket.destroy();
  });
});
