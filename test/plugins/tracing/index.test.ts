import assert from "node:assert/strict";
import { definePlugin, type Logger } from "#kernel";
import { answerJson, startApi, type ApiStandIn } from "../../support/servers/api-stand-in.js";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";
import { deferred } from "../../support/deferred.js";
import { gradient } from "../../support/content/pictures.js";
import { startReceiver } from "../../support/servers/webhook-receiver.js";

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${spanId}-01`;
const files = {
  "content/01.home/default.md": "# Home\n",
  "content/02.about/default.md": "# About\n",
};

describe("tracing", () => {
  let collector: ApiStandIn;
  let site: TestSite | null = null;

  beforeEach(async () => {
    collector = await startApi();
  });
  afterEach(async () => {
    await site?.close();
    site = null;
    await collector.close();
  });

  async function boot(
    tracing: Record<string, unknown> = {},
    options: BootOptions = {},
  ): Promise<TestSite> {
    const { settings, ...others } = options;
    site = await bootSite({
      files,
      ...others,
      settings: {
        ...settings,
        system: {
          tracing: { enabled: true, endpoint: `${collector.url}/v1/traces`, ...tracing },
          ...settings?.system,
        },
      },
    });
    return site;
  }

  /** The exported spans, once the site is closed and all are sent. */
  async function spans(): Promise<Span[]> {
    await site?.close();
    site = null;
    return collector.calls.flatMap(({ body }) => {
      const { resourceSpans = [] } = Object(JSON.parse(body.toString()));
      return [resourceSpans]
        .flat()
        .flatMap((resource: Record<string, { spans: Span[] }[]>) =>
          (resource["scopeSpans"] ?? []).flatMap((scope) => scope.spans),
        );
    });
  }

  const attribute = (span: Span | undefined, key: string): unknown =>
    Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0];

  it("sends a span for each request to the collector, with its route and child spans", async () => {
    const { fetch: get } = await boot();
    await (await get("/about")).text();
    await (await get("/api/pages/about")).text();
    await (await get("/api/search?q=about")).text();
    const sent = await spans();
    const [call] = collector.calls;
    assert.deepEqual([call?.method, call?.url], ["POST", "/v1/traces"]);
    assert.equal(call?.headers["content-type"], "application/json");
    const page = sent.find(({ name }) => name === "GET page");
    assert.deepEqual(
      [attribute(page, "http.route"), attribute(page, "url.path")],
      ["page", "/about"],
    );
    assert.equal(Number(attribute(page, "http.response.status_code")), 200);
    const render = sent.find(({ name }) => name === "render");
    assert.equal(render?.parentSpanId, page?.spanId);
    assert.equal(render?.traceId, page?.traceId);
    assert.ok(sent.some(({ name }) => name === "GET /api/pages/*route"));
    const search = sent.find(({ name }) => name === "search");
    const asked = sent.find(({ name }) => name === "GET /api/search");
    assert.equal(search?.parentSpanId, asked?.spanId);
    assert.match(call?.body.toString() ?? "", /"service\.name"/);
  });

  it("sends no status for a request whose client disconnected before the response", async () => {
    const begun = deferred<void>();
    const slow = definePlugin({
      name: "slow",
      version: "1.0.0",
      setup: ({ http }) =>
        http.route({
          method: "get",
          path: "/api/slow",
          summary: "Slow",
          handler: () => begun.resolve(),
        }),
    });
    const { fetch: get } = await boot({}, { extraPlugins: [slow] });
    const client = new AbortController();
    const request = get("/api/slow", { signal: client.signal }).catch(() => undefined);
    await begun.promise;
    client.abort();
    await request;
    const span = (await spans()).find(({ name }) => name === "GET /api/slow");
    assert.equal(attribute(span, "http.response.status_code"), undefined);
    assert.equal(attribute(span, "error.type"), "aborted");
  });

  it("continues the trace of the caller, also into webhooks, and logs its id", async () => {
    const receiver = await startReceiver();
    const lines: [string, object][] = [];
    const note = (event: string, fields: object = {}): void => void lines.push([event, fields]);
    const log: Logger = { debug: note, info: note, warn: note, error: note, child: () => log };
    const { fetch: get, site: running } = await boot(
      {},
      {
        log,
        settings: {
          admin: {
            webhooks: [
              { url: receiver.url, secret: "webhook-secret-1234", events: ["onPageUpdate"] },
            ],
            incoming_webhooks: [{ token: "incoming-token-1234", actions: ["rebuild"] }],
          },
        },
      },
    );
    await get("/about", { headers: { traceparent, tracestate: "vendor=1" } });
    await running
      .use("content")
      .apply([{ op: "write", path: "02.about/default.md", content: "# B\n" }]);
    await receiver.count(1);
    assert.match(
      String(receiver.received[0]?.headers["traceparent"]),
      /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/,
    );
    const sent = await spans();
    const request = sent.find(({ name }) => name === "GET page");
    assert.deepEqual([request?.traceId, request?.parentSpanId], [traceId, spanId]);
    const logged = lines.find(([event]) => event === "request")?.[1];
    assert.equal(Object(logged)["trace"], traceId);
    const outbound = sent.find(({ name }) => name === "outbound");
    assert.equal(attribute(outbound, "server.address"), "127.0.0.1");
    assert.equal(
      sent.filter(({ name }) => name === "outbound").length,
      1,
      "sending spans creates no span",
    );
    await receiver.close();
  });

  it("carries the trace of a request through the outbound client, with tracestate", async () => {
    const api = await startApi((res) => answerJson(res, {}));
    await boot(
      {},
      {
        extraPlugins: [
          {
            name: "caller",
            version: "1.0.0",
            requires: ["outbound"],
            setup(context) {
              context.http.route({
                method: "get",
                path: "/call",
                summary: "calls",
                hidden: true,
                handler: async (req, res) => {
                  await context.use("outbound").request(api.url, { policy: "operator" });
                  context.http.send(req, res, { type: "text/plain", body: "ok" });
                },
              });
            },
          },
        ],
      },
    );
    const headers = { traceparent, tracestate: "vendor=1" };
    assert.equal((await site?.fetch("/call", { headers }))?.status, 200);
    const [call] = api.calls;
    assert.equal(call?.headers["tracestate"], "vendor=1");
    const sent = await spans();
    const outbound = sent.find(({ name }) => name === "outbound");
    assert.equal(call?.headers["traceparent"], `00-${traceId}-${outbound?.spanId}-01`);
    await api.close();
  });

  it("has a span for each generated image, each rebuild and each call of a store", async () => {
    const running = await boot(
      {},
      { files: { ...files, "content/02.about/a.jpg": await gradient(800, 600).jpeg().toBuffer() } },
    );
    assert.equal((await running.fetch("/about/a.jpg?width=320")).status, 200);
    await running.site.use("content").rebuild();
    assert.equal(await running.site.use("users").get("nobody"), null);
    const names = new Set((await spans()).map(({ name }) => name));
    for (const name of ["image.process", "store.image.get", "rebuild"])
      assert.ok(names.has(name), `${name} of ${[...names].join(" ")}`);
    assert.ok(
      [...names].some((name) => name.startsWith("store.user.")),
      [...names].join(" "),
    );
  });

  it("separates concurrent requests", async () => {
    const { fetch: get } = await boot();
    const ids = Array.from({ length: 40 }, (_, at) => (at + 1).toString(16).padStart(32, "a"));
    await Promise.all(
      ids.map(async (id, at) => {
        const headers = { traceparent: `00-${id}-${spanId}-01` };
        await (
          await get(at % 2 ? `/about?n=${at}` : `/api/search?q=about${at}`, { headers })
        ).text();
      }),
    );
    const sent = await spans();
    for (const id of ids) {
      const own = sent.filter((span) => span.traceId === id);
      const root = own.find((span) => span.kind === 2);
      assert.ok(root, id);
      for (const span of own.filter((each) => each !== root)) {
        assert.ok(
          own.some((each) => each.spanId === span.parentSpanId),
          span.name,
        );
      }
    }
  });

  it("samples the configured share, which callers cannot raise", async () => {
    for (const [rate, flags, trusts, expected] of [
      [0, "01", true, 0],
      [0, "01", false, 0],
      [1, "01", false, 1],
      [1, "00", false, 0],
      [0.000001, "01", false, 0],
      [0.000001, "01", true, 1],
    ] as const) {
      collector.calls.length = 0;
      const { fetch: get } = await boot(
        { sample_rate: rate },
        { settings: { system: { server: { trust_proxy: trusts ? 1 : false } } } },
      );
      const header = `00-ffffffff000000000000000000000001-${spanId}-${flags}`;
      await (await get("/about", { headers: { traceparent: header } })).text();
      const requests = (await spans()).filter(({ kind }) => kind === 2);
      assert.equal(requests.length, expected, `${rate} ${flags} ${trusts}`);
    }
  });

  it("a collector that hangs, refuses or answers nonsense costs spans and nothing else", async () => {
    for (const answer of [
      (res: Parameters<ApiStandIn["answer"]>[0]) => void res.writeHead(500).end("<html>"),
      (res: Parameters<ApiStandIn["answer"]>[0]) => void res.socket?.destroy(),
      () => undefined,
    ]) {
      collector.answer = answer;
      const { fetch: get } = await boot();
      const asked = Array.from(
        { length: 50 },
        async (_, at) => (await get(`/about?n=${at}`)).status,
      );
      assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]));
      await site?.close();
      site = null;
    }
  });

  it("requires the address of a collector", async () => {
    await assert.rejects(boot({ endpoint: undefined }), { code: "ERR_CONFIG_INVALID" });
  });
});

describe("disabled tracing", () => {
  it("adds nothing: no header is read, no step runs, no package is loaded", async () => {
    const env = { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) };
    const plain = await bootSite({ files, env });
    const { trace } = plain.site.context("tracing").runtime;
    assert.equal(trace.on, false);
    const res = await plain.fetch("/about", { headers: { traceparent } });
    assert.equal(res.status, 200);
    assert.equal((await plain.fetch("/metrics")).status, 404);
    await plain.close();
  });
});
