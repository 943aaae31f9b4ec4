import assert from "node:assert/strict";
import { request } from "node:http";
import { definePlugin } from "#kernel";
import type { ImageEngine, ProcessedImage } from "../../../../plugins/media/contract.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { deferred, type Deferred } from "../../../support/deferred.js";
import { picture } from "../../../support/content/pictures.js";
import { until } from "../../../support/until.js";

describe("MediaServer", () => {
  let site: TestSite;
  const jobs: Deferred<ProcessedImage>[] = [];
  const image: ProcessedImage = {
    type: "image/png",
    width: 1,
    height: 1,
    bytes: Buffer.from("made"),
  };

  before(async () => {
    // Finishes an image on a signal from the test.
    const engine: ImageEngine = {
      size: () => Promise.resolve(null),
      process: () => {
        const job = deferred<ProcessedImage>();
        jobs.push(job);
        return job.promise;
      },
    };
    const slow = definePlugin({
      name: "slow-images",
      version: "1.0.0",
      hooks: {
        onImageCreate: ({ data }) => {
          data.register("slow", engine);
          data.activate("slow");
        },
      },
    });
    site = await bootSite({
      plugins: ["content", "media"],
      extraPlugins: [slow],
      files: {
        "content/01.home/default.md": "# Home",
        "content/01.home/a.png": await picture(40, 40),
        "content/01.home/film.mp4": Buffer.alloc(5_000_000, "film"),
      },
      settings: { system: { images: { queue: { concurrency: 1, length: 2 } } } },
    });
  });
  after(() => site.close());

  const stats = () => site.site.use("media").stats();

  it("rejects when the queue is full, and frees the slot of a client that has left", async () => {
    const first = site.fetch("/a.png?w=320");
    await until(() => stats().running === 1);
    const leaving = new AbortController();
    const left = site.fetch("/a.png?w=640", { signal: leaving.signal });
    left.catch(() => undefined);
    const second = site.fetch("/a.png?w=768");
    await until(() => stats().waiting === 2);
    const refused = await site.fetch("/a.png?w=1024");
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    leaving.abort();
    await until(() => stats().waiting === 1);
    const third = site.fetch("/a.png?w=1024");
    await until(() => stats().waiting === 2);
    for (let done = 0; done < 3; done += 1) {
      await until(() => jobs.length === done + 1);
      jobs[done]?.resolve(image);
    }
    const statuses = await Promise.all([first, second, third]);
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(jobs.length, 3, "no work for the client that left");
  });

  it("streams large files, and survives clients that disconnect", async () => {
    const { port } = new URL(site.url);
    await Promise.all(
      Array.from(
        { length: 30 },
        () =>
          new Promise<void>((resolve) => {
            const client = request({ port, host: "127.0.0.1", path: "/film.mp4" }, (res) => {
              res.once("data", () => client.destroy());
              res.on("error", () => undefined);
              res.once("close", resolve);
            });
            client.on("error", () => undefined);
            client.end();
          }),
      ),
    );
    const response = await site.fetch("/film.mp4");
    assert.equal((await response.arrayBuffer()).byteLength, 5_000_000);
  });
});
