import assert from "node:assert/strict";
import { createServer } from "node:net";
import { LeakWatch } from "../../../lib/testing/leaks.js";

describe("LeakWatch", () => {
  it("finds nothing when everything was closed, and waits for handles that take a few turns", async () => {
    const watch = await LeakWatch.start({ trace: false });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    clearTimeout(setTimeout(() => undefined, 60_000));
    server.close();
    assert.deepEqual(await watch.left(), []);
  });

  it("counts remaining timers and listeners of the process, by kind", async () => {
    const watch = await LeakWatch.start({ trace: false });
    const timers = [1, 2].map(() => setTimeout(() => undefined, 60_000));
    const listener = (): void => undefined;
    process.on("SIGUSR2", listener);
    const left = await watch.left();
    process.off("SIGUSR2", listener);
    timers.forEach((timer) => clearTimeout(timer));
    const found = new Map(left.map(({ kind, count }) => [kind, count]));
    assert.deepEqual([found.get("Timeout"), found.get("listener SIGUSR2")], [2, 1]);
    assert.ok(left.every(({ at }) => at === null));
  });

  it("reports where a timer was created, when tracing", async () => {
    const watch = await LeakWatch.start({ trace: true });
    const timer = setTimeout(() => undefined, 60_000);
    const left = await watch.left();
    clearTimeout(timer);
    const places = left.map(({ kind, at }) => `${kind} ${at}`);
    assert.ok(
      places.some((place) => /^Timeout .*leaks\.test\.ts:\d+:\d+$/.test(place)),
      places.join(", "),
    );
  });
});
