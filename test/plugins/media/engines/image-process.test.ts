import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { ImageProcess, createSharpEngine } from "../../../../plugins/media/engines/sharp.js";
import type { ImageVariant } from "../../../../plugins/media/contract.js";
import { picture } from "../../../support/content/pictures.js";
import { until } from "../../../support/until.js";

const small: ImageVariant = {
  width: 32,
  height: null,
  quality: 80,
  format: "webp",
  fit: "cover",
  focal: null,
};

describe("ImageProcess", () => {
  async function isRunning(pid: number): Promise<boolean> {
    await sleep(5);
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }
  function pidOf(images: ImageProcess): number {
    assert.ok(images.pid !== null, "the process runs");
    return images.pid;
  }

  it("ends when it had no work for a while, and starts again with the next image", async () => {
    const images = new ImageProcess(50);
    const engine = createSharpEngine(images);
    const original = await picture(64, 48);
    assert.equal(images.pid, null);
    await engine.process(original, small);
    const first = pidOf(images);
    await until(async () => !(await isRunning(first)));
    assert.equal(images.pid, null);
    assert.equal((await engine.process(original, small)).width, 32);
    assert.notEqual(pidOf(images), first);
  });

  it("rejects its work with 503 when it is killed, and starts again", async () => {
    const images = new ImageProcess(1_000);
    const engine = createSharpEngine(images);
    const original = await picture(2_000, 2_000);
    await engine.process(original, small);
    const work = [small, { ...small, format: "avif" as const, width: 1_900 }].map((variant) =>
      engine.process(original, variant),
    );
    process.kill(pidOf(images), "SIGKILL");
    for (const outcome of await Promise.allSettled(work)) {
      assert.equal(outcome.status, "rejected");
      const { code, status, headers } = outcome.reason as Record<string, unknown>;
      assert.deepEqual(
        [code, status, headers],
        ["ERR_MEDIA_PROCESS", 503, { "Retry-After": "60" }],
      );
    }
    assert.equal((await engine.process(original, small)).width, 32);
  });

  it("continues when a signal reaches the whole process group", async () => {
    const images = new ImageProcess(1_000);
    const engine = createSharpEngine(images);
    const original = await picture(64, 48);
    await engine.process(original, small);
    const pid = pidOf(images);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pid, signal);
    assert.equal((await engine.process(original, small)).width, 32);
    assert.equal(images.pid, pid);
  });

  it("works at a lower priority than the server, in all of its threads", async function () {
    if (process.platform !== "linux") this.skip();
    const images = new ImageProcess(1_000);
    await createSharpEngine(images).process(await picture(64, 48), small);
    const threads = `/proc/${pidOf(images)}/task`;
    // The nice value is field 19; the first two are before the bracket.
    for (const thread of await readdir(threads)) {
      const [, fields = ""] = (await readFile(`${threads}/${thread}/stat`, "utf8")).split(") ");
      assert.equal(Number(fields.split(" ")[16]), constants.priority.PRIORITY_BELOW_NORMAL);
    }
  });

  it("receives no secrets from the environment", async function () {
    if (process.platform !== "linux") this.skip();
    process.env["PAYMENT_KEY"] = "not-for-images";
    const images = new ImageProcess(1_000);
    try {
      await createSharpEngine(images).process(await picture(64, 48), small);
    } finally {
      delete process.env["PAYMENT_KEY"];
    }
    const environment = await readFile(`/proc/${pidOf(images)}/environ`, "latin1");
    assert.match(environment, /PATH=/);
    assert.doesNotMatch(environment, /not-for-images/);
  });

  it("does not keep the server alive", async () => {
    const source = `
      import sharp from "sharp";
      import { createSharpEngine } from "./plugins/media/engines/sharp.ts";
      const original = await sharp({ create: { width: 64, height: 48, channels: 3, background: "red" } }).png().toBuffer();
      const made = await createSharpEngine().process(original, { width: 32, height: null, quality: 80, format: "webp", fit: "cover", focal: null });
      console.log(made.width);`;
    const words = ["--import=tsx", "--conditions=source", "--input-type=module", "--eval", source];
    const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 200_000 });
    assert.equal(stdout, "32\n");
  });
});
