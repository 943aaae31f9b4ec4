import assert from "node:assert/strict";
import { createServer } from "node:http";
import { definePlugin } from "#kernel";
import { bootTestSite, type KernelTestSite, type KernelTestSiteOptions } from "#testing";
import { firstParty } from "../../../plugins/main.js";

const listening = definePlugin({
  name: "listening",
  version: "1.0.0",
  hooks: {
    onRequest({ data, setData }) {
      if (data.req.ctx.path !== "/early") return;
      setData({ ...data, answer: { type: "text/plain", body: "early" } });
    },
    onConfigLoaded: { handler: () => undefined, before: "other" },
  },
  setup(site) {
    site.hooks.on("onResponse", () => undefined);
    site.hooks.on("onApiResponse", ({ data, setData }) => setData({ ...data, body: "seen" }));
  },
});

describe("bootTestSite", () => {
  let site: KernelTestSite | null = null;
  afterEach(() => site?.close());

  async function boot(options: KernelTestSiteOptions = {}): Promise<KernelTestSite> {
    site = await bootTestSite({ firstParty }, { plugins: ["health", listening], ...options });
    return site;
  }

  it("fires a hook with the verb of its kind, and returns the payload", async () => {
    const made = await boot();
    const req = {} as Parameters<typeof made.fire<"onApiResponse">>[1]["req"];
    assert.equal((await made.fire("onApiResponse", { req, status: 200, body: 1 })).body, "seen");
    const told = { req, status: 200, durationMs: 1 };
    assert.equal(await made.fire("onResponse", told), told);
  });

  it("names the nearest hook for an undeclared one", async () => {
    const made = await boot();
    const misspelt = "onRequets" as "onRequest";
    await assert.rejects(made.fire(misspelt, { req: {} as never, answer: null }), /onRequest/);
  });

  it("crashes a handler, declared or registered in setup, while the site responds; then repairs it", async () => {
    const made = await boot();
    assert.equal(await (await made.fetch("/early")).text(), "early");
    const { hooks } = made.site.context("test");
    assert.deepEqual(hooks.handlers("onConfigLoaded"), [
      { plugin: "listening", order: { before: "other" } },
    ]);
    for (const hook of ["onRequest", "onApiResponse"] as const) {
      const crash = await made.crash("listening", hook);
      const req = {} as never;
      if (hook === "onRequest") assert.equal((await made.fetch("/early")).status, 404);
      else assert.equal((await made.fire("onApiResponse", { req, status: 200, body: 1 })).body, 1);
      assert.ok(crash.thrown > 0);
      crash.repair();
    }
    assert.equal(await (await made.fetch("/early")).text(), "early");
    assert.ok(made.log.of("hook.failed").length > 0);
  });

  it("shows when the breaker has disabled a crashing handler", async () => {
    const made = await boot();
    const crash = await made.crash("listening", "onRequest");
    for (let times = 0; times < 5; times += 1) await made.fetch("/early");
    assert.equal(crash.switchedOff, true);
    const lines = made.log.of("hook.switched_off");
    assert.equal(lines.length, 1);
    assert.deepEqual(
      [lines[0]?.fields["plugin"], lines[0]?.fields["hook"], lines[0]?.fields["seconds"]],
      ["listening", "onRequest", 60],
    );
  });

  it("warns once about a handler of a transform hook that returns a value", async () => {
    const returning = definePlugin({
      name: "returning",
      version: "1.0.0",
      hooks: {
        onRequest: ({ data }) => ({ ...data, answer: null }) as never,
        onResponse: () => 7 as never,
        onConfigLoaded: ({ data }) => data as never,
      },
    });
    const made = await boot({ plugins: ["health", listening, returning] });
    await (await made.fetch("/early")).text();
    await (await made.fetch("/early")).text();
    const lines = made.log.of("hook.value_ignored");
    assert.deepEqual(
      lines.map(({ level, fields }) => [
        level,
        fields["plugin"],
        fields["hook"],
        fields["returned"],
      ]),
      [["warn", "returning", "onRequest", "an object with req, answer"]],
    );
    assert.match(String(lines[0]?.fields["fix"]), /setData/);
  });

  it("cuts off a handler that hangs after `handlerLimitMs`", async () => {
    const hanging = definePlugin({
      name: "hanging",
      version: "1.0.0",
      hooks: { onRequest: () => new Promise<void>(() => undefined) },
    });
    const made = await boot({ plugins: ["health", listening, hanging], handlerLimitMs: 20 });
    assert.equal(await (await made.fetch("/early")).text(), "early");
    const [line] = made.log.of("hook.failed");
    assert.equal(line?.fields["plugin"], "hanging");
    assert.match(String(line?.fields["error"]), /within 20 ms/);
  });

  it("rejects an unknown handler, and lists the listeners", async () => {
    const made = await boot();
    await assert.rejects(made.crash("listning", "onRequest"), /listening/);
  });

  it("breaks startup hooks before the start", async () => {
    await assert.rejects(boot({ crash: [["listening", "onConfigLoaded"]] }), {
      code: "ERR_HOOK_FAILED",
    });
  });

  it("records the log, with the fields of child loggers", async () => {
    const made = await boot();
    const { log } = made.site.context("listening");
    for (const level of ["debug", "info", "warn", "error"] as const)
      log.child({ since: 1, at: "outer" })[level]("listening.tired", { since: 3 });
    log.info("listening.tired", { plugin: "own" });
    assert.deepEqual(made.log.of("listening.tired"), [
      ...["debug", "info", "warn", "error"].map((level) => ({
        level,
        event: "listening.tired",
        fields: { plugin: "listening", since: 3, at: "outer" },
      })),
      { level: "info", event: "listening.tired", fields: { plugin: "own" } },
    ]);
  });

  it("finds no leaks of a plugin that cleans up", async () => {
    const tidy = definePlugin({
      name: "tidy",
      version: "1.0.0",
      setup(context) {
        const timer = setInterval(() => undefined, 1_000);
        context.lifecycle.onClose(() => clearInterval(timer));
      },
    });
    const made = await boot({ plugins: ["health", tidy], traceLeaks: true });
    await (await made.fetch("/health/live")).text();
    assert.deepEqual(await made.leaks(), []);
  });

  it("finds timers, servers and listeners that a plugin leaves open, and where they were created", async () => {
    const left: (() => void)[] = [];
    const messy = definePlugin({
      name: "messy",
      version: "1.0.0",
      setup() {
        const timer = setInterval(() => undefined, 1_000).unref();
        const server = createServer().listen(0, "127.0.0.1");
        const heard = (): void => undefined;
        process.on("SIGUSR2", heard);
        left.push(
          () => clearInterval(timer),
          () => server.close(),
          () => void process.off("SIGUSR2", heard),
        );
      },
    });
    const made = await boot({ plugins: ["health", messy], traceLeaks: true });
    const leaks = await made.leaks();
    for (const undo of left) undo();
    const kinds = leaks.map(({ kind }) => kind);
    assert.ok(kinds.includes("Timeout") && kinds.includes("TCPSERVERWRAP"), kinds.join(" "));
    assert.ok(kinds.includes("listener SIGUSR2"), kinds.join(" "));
    const places = leaks.filter(({ kind }) => kind === "Timeout").map(({ at }) => at);
    assert.match(places.join(" "), /test-site\.test\.ts:\d+/);
  });

  it("counts leaks without tracing too", async () => {
    const timers: NodeJS.Timeout[] = [];
    const messy = definePlugin({
      name: "messy",
      version: "1.0.0",
      setup: () => void timers.push(setInterval(() => undefined, 1_000)),
    });
    const made = await boot({ plugins: ["health", messy] });
    const leaks = await made.leaks();
    clearInterval(timers[0]);
    assert.deepEqual(leaks, [{ kind: "Timeout", count: 1, at: null }]);
  });
});
