import assert from "node:assert/strict";
import { silentLog } from "#kernel";
import { Lifecycle } from "../../../kernel/boot/lifecycle.js";
import { setupLimitMs, withPatience } from "../../../kernel/boot/patience.js";

describe("Lifecycle", () => {
  function recorded() {
    const steps: string[] = [];
    const lifecycle = new Lifecycle();
    for (const plugin of ["a", "b"]) {
      lifecycle.onReady(plugin, () => void steps.push(`ready ${plugin}`));
      lifecycle.onListen(plugin, () => void steps.push(`listen ${plugin}`));
      lifecycle.onClose(plugin, () => void steps.push(`close ${plugin}`));
    }
    return { steps, lifecycle };
  }
  const never = (plugin: string, error: unknown): never =>
    assert.fail(`${plugin}: ${String(error)}`);

  it("runs the ready work in order, then the work for a listening site", async () => {
    const { steps, lifecycle } = recorded();
    await lifecycle.ready(never, { isListening: true });
    assert.deepEqual(steps, ["ready a", "ready b", "listen a", "listen b"]);
  });

  it("skips the work for a listening site in commands and builds", async () => {
    const { steps, lifecycle } = recorded();
    await lifecycle.ready(never, { isListening: false });
    assert.deepEqual(steps, ["ready a", "ready b"]);
  });

  it("names the plugin whose work failed, and continues if allowed", async () => {
    const lifecycle = new Lifecycle();
    const failed: string[] = [];
    lifecycle.onReady("a", () => Promise.reject(new Error("no")));
    lifecycle.onReady("b", () => void failed.push("b ran"));
    await lifecycle.ready((plugin, error) => failed.push(`${plugin}: ${String(error)}`), {
      isListening: true,
    });
    assert.deepEqual(failed, ["a: Error: no", "b ran"]);
  });

  it("gives the ready work of a plugin a limit, if it has one", async () => {
    const lifecycle = new Lifecycle();
    const failed: string[] = [];
    lifecycle.onReady("hanging", () => new Promise(() => undefined));
    lifecycle.onReady("b", () => void failed.push("b ran"));
    await lifecycle.ready((plugin, error) => failed.push(`${plugin}: ${String(error)}`), {
      isListening: true,
      limitMs: (plugin) => (plugin === "hanging" ? 20 : null),
    });
    assert.deepEqual(failed, [
      `hanging: SiteError: plugin "hanging": its work before the site is ready did not finish within 0.02 s`,
      "b ran",
    ]);
  });

  it("runs deferred work sequentially, and closing waits for it", async () => {
    const { steps, lifecycle } = recorded();
    lifecycle.afterReady("c", async () => {
      await new Promise(setImmediate);
      steps.push("later c");
    });
    lifecycle.afterReady("d", () => Promise.reject(new Error("no")));
    lifecycle.afterReady("e", () => void steps.push("later e"));
    const warned = new Promise<[string, Record<string, unknown>?]>((resolve) => {
      lifecycle.runLater({ ...silentLog, warn: (event, fields) => resolve([event, fields]) });
    });
    assert.deepEqual(steps, []);
    const [event, fields] = await warned;
    const { plugin, error } = fields ?? {};
    assert.deepEqual([event, plugin, error], ["later.failed", "d", "no"]);
    await lifecycle.close(silentLog);
    assert.deepEqual(steps.slice(0, 1), ["later c"]);
    assert.deepEqual(steps.slice(-2), ["close b", "close a"]);
  });

  it("runs deferred work only when no request is open", async () => {
    const { steps, lifecycle } = recorded();
    let looks = 0;
    const done = new Promise<void>((resolve) => {
      lifecycle.afterReady("c", () => {
        steps.push("later c");
        resolve();
      });
    });
    lifecycle.runLater(silentLog, () => {
      looks += 1;
      if (looks === 10) steps.push("the request ends");
      return looks < 10;
    });
    await done;
    assert.deepEqual(steps, ["the request ends", "later c"]);
    await lifecycle.close(silentLog);
  });

  it("skips deferred work when the site closes first", async () => {
    const { steps, lifecycle } = recorded();
    lifecycle.afterReady("c", () => void steps.push("later c"));
    lifecycle.runLater(silentLog);
    await lifecycle.close(silentLog);
    assert.deepEqual(steps, ["close b", "close a"]);
  });

  it("closes in reverse order, once, whatever fails", async () => {
    const { steps, lifecycle } = recorded();
    lifecycle.onClose("c", () => {
      throw new Error("no");
    });
    await lifecycle.close(silentLog);
    await lifecycle.close(silentLog);
    assert.deepEqual(steps, ["close b", "close a"]);
  });

  it("finishes work under way in order and once, also after a failure", async () => {
    const lifecycle = new Lifecycle();
    const steps: string[] = [];
    lifecycle.onClose("a", () => void steps.push("close a"));
    lifecycle.beforeClose("a", () => {
      throw new Error("no");
    });
    lifecycle.beforeClose("b", () => void steps.push("finish b"));
    await lifecycle.finish(silentLog);
    await lifecycle.finish(silentLog);
    await lifecycle.close(silentLog);
    assert.deepEqual(steps, ["finish b", "close a"]);
  });
});

describe("withPatience", () => {
  const silent = { work: "it", sayEveryMs: 60_000, say: () => undefined, limitMs: null };

  it("passes on a synchronous or later result, and an error", async () => {
    assert.equal(await withPatience(() => 1, silent), 1);
    assert.equal(await withPatience(async () => 2, { ...silent, limitMs: 60_000 }), 2);
    await assert.rejects(
      withPatience(() => Promise.reject(new Error("broken")), silent),
      /broken/,
    );
    const throws = (): never => {
      throw new Error("at once");
    };
    await assert.rejects(withPatience(throws, silent), /at once/);
  });

  it("reports repeatedly that it waits, until it fails", async () => {
    const said: number[] = [];
    const say = (seconds: number) => said.push(seconds);
    const patience = { work: 'plugin "a": its setup', sayEveryMs: 5, say, limitMs: 60 };
    const never = withPatience(() => new Promise(() => undefined), patience);
    await assert.rejects(never, {
      code: "ERR_PLUGIN_SETUP",
      message: 'plugin "a": its setup did not finish within 0.06 s',
    });
    assert.ok(said.length > 0);
  });

  it("waits less for the setup of an optional plugin", () => {
    assert.deepEqual([setupLimitMs({ optional: true }), setupLimitMs({})], [10_000, 60_000]);
  });
});
