import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { definePlugin } from "#kernel";
import { RecordedLog } from "#lib/testing";
import { deferred } from "../../support/deferred.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

const token = "metrics-token-of-the-test";

describe("the log line of a request", () => {
  let site: TestSite;
  let log: RecordedLog;
  let begun = deferred<void>();
  const heard = new Array<number | null>();
  afterEach(() => site.close());

  async function boot(): Promise<void> {
    log = new RecordedLog();
    begun = deferred();
    heard.length = 0;
    const probe = definePlugin({
      name: "probe",
      version: "1.0.0",
      hooks: { onResponse: ({ data }) => void heard.push(data.status) },
      setup({ http }) {
        const open = (path: string, handler: Parameters<typeof http.route>[0]["handler"]): void =>
          http.route({ method: "get", path, summary: "Stays open", handler });
        open("/api/never", () => begun.resolve());
        http.route({
          method: "post",
          path: "/api/never",
          summary: "Waits for the body",
          handler: () => begun.resolve(),
        });
        open("/api/destroyed", (_req, res) => void res.status(201).destroy());
        open("/api/stream", (_req, res) => {
          res.status(202).write("begun");
          begun.resolve();
        });
      },
    });
    site = await bootSite({
      plugins: ["health", "tracing"],
      extraPlugins: [probe],
      undeclared: true,
      log: log.logger,
      settings: { system: { metrics: { token } } },
    });
  }
  /** Requests `path`, and leaves once the handler has the request. */
  async function leave(path: string): Promise<void> {
    const client = new AbortController();
    const request = site.fetch(path, { signal: client.signal }).catch(() => undefined);
    await begun.promise;
    client.abort();
    await request;
  }
  async function status(path: string): Promise<unknown> {
    const lines = (): readonly Record<string, unknown>[] =>
      log
        .of("request")
        .map(({ fields }) => fields)
        .filter((fields) => fields["path"] === path);
    await until(() => lines().length > 0);
    return lines()[0]?.["status"];
  }
  async function counted(): Promise<string[]> {
    const headers = { Authorization: `Bearer ${token}` };
    const text = await (await site.fetch("/metrics", { headers })).text();
    return [
      ...text.matchAll(
        /^site_http_requests_total\{route="(\/api\/[^"]*)",[^}]*status="([^"]*)"\}/gm,
      ),
    ]
      .map(([, route, code]) => `${route} ${code}`)
      .toSorted();
  }

  for (const path of ["/api/never", "/api/destroyed"]) {
    it(`has no status, nor have hook and metric, when none was sent (${path})`, async () => {
      await boot();
      if (path === "/api/destroyed") await site.fetch(path).catch(() => undefined);
      else await leave(path);
      assert.equal(await status(path), null);
      assert.deepEqual(heard, [null]);
      assert.deepEqual(await counted(), [`${path} none`]);
    });
  }

  it("has the status of a response that the client did not wait for", async () => {
    await boot();
    await leave("/api/stream");
    assert.equal(await status("/api/stream"), 202);
    assert.deepEqual(heard, [202]);
    assert.deepEqual(await counted(), ["/api/stream 202"]);
  });

  /** The first response to `bytes`, once the server has ended the connection. */
  async function exchange(bytes: string): Promise<string> {
    const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
    const chunks = new Array<Buffer>();
    socket.on("data", (chunk) => chunks.push(chunk)).write(bytes);
    await once(socket, "close");
    return Buffer.concat(chunks).toString();
  }
  const upload = "POST /api/never HTTP/1.1\r\nHost: localhost\r\n";
  const refused: readonly (readonly [what: string, bytes: string, status: number])[] = [
    ["is too slow", `${upload}Content-Length: 9\r\n\r\n1`, 408],
    ["is malformed", `${upload}Transfer-Encoding: chunked\r\n\r\nnot a length\r\n`, 400],
  ];
  for (const [what, bytes, code] of refused) {
    it(`has the status that the server sent because a body ${what}`, async () => {
      await boot();
      site.site.server.headersTimeout = 200;
      assert.match(await exchange(bytes), new RegExp(`^HTTP/1\\.1 ${code} `));
      assert.equal(await status("/api/never"), code);
      assert.deepEqual(heard, [code]);
    });
  }
});
