import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BodyRenderer } from "../../../../plugins/markdown/render/body-renderer.js";
import {
  RenderedFiles,
  factsDigest,
  RenderCache,
  renderKey,
} from "../../../../plugins/markdown/render/render-cache.js";
import { LimitedRenderer } from "../../../../plugins/markdown/render/render-limit.js";
import type {
  RenderJob,
  Facts,
  FindFacts,
} from "../../../../plugins/markdown/render/render-job.js";
import { pageEntry, pageOf } from "../../../support/content/markdown-pages.js";
import { plainOptions } from "../../../support/content/render-markdown.js";
import { testCaches } from "../../../support/test-caches.js";

class CountingRenderer extends LimitedRenderer {
  renders = 0;

  override render(job: RenderJob, findFacts: FindFacts): ReturnType<LimitedRenderer["render"]> {
    this.renders += 1;
    return super.render(job, findFacts);
  }
}

for (const isExport of [false, true])
  describe(`cached HTML${isExport ? " in an export" : ""}`, () => {
    const page = pageOf(pageEntry("01.a/default.md"), "![](a.png) text");
    let folder: string;
    let limited: CountingRenderer;
    let url: string;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "site-markdown-"));
      limited = new CountingRenderer({ threads: 1, limitMs: 200 });
      url = "/m/1.png";
    });
    afterEach(async () => {
      await limited.close();
      await rm(folder, { recursive: true, force: true });
    });

    const errors: unknown[] = [];
    const bodies = (): BodyRenderer =>
      new BodyRenderer({
        limited,
        cache: new RenderCache(new RenderedFiles({ folder, isExport }), testCaches()),
        caches: testCaches(),
        facts: async (): Promise<Facts> => new Map([["a.png", { url }]]),
        onCacheError: (error) => errors.push(error),
      });
    const render = async (from: BodyRenderer): Promise<string> => {
      const { rendered } = await from.render(page.body, page, plainOptions);
      await from.close();
      return rendered.html;
    };

    async function files(): Promise<string[]> {
      const names = await readdir(folder, { recursive: true });
      return names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
    }

    it("is reused, also by concurrent requests", async () => {
      const from = bodies();
      const all = await Promise.all([render(from), render(from), render(from)]);
      assert.equal(new Set([...all, await render(from)]).size, 1);
      assert.equal(limited.renders, 1);
    });

    it("survives a restart", async () => {
      const html = await render(bodies());
      assert.equal(await render(bodies()), html);
      assert.equal(limited.renders, 1);
    });

    it("is rendered again when a reference leads elsewhere", async () => {
      const from = bodies();
      assert.match(await render(from), /1\.png/);
      url = "/m/2.png";
      assert.match(await render(from), /2\.png/);
      assert.equal(limited.renders, 2);
    });

    it("is rendered again when its file is damaged", async () => {
      const html = await render(bodies());
      const [file = ""] = await files();
      for (const text of [
        "",
        "{",
        "null",
        '{"rendered":{"html":1}}',
        (await readFile(file, "utf8")).slice(0, 40),
      ]) {
        await writeFile(file, text);
        assert.equal(await render(bodies()), html);
      }
      assert.equal(limited.renders, 6);
      assert.deepEqual(errors, []);
    });

    it("has a key of everything that affects it", () => {
      const keys = [
        renderKey("a", plainOptions, "x"),
        renderKey("b", plainOptions, "x"),
        renderKey("a", plainOptions, "y"),
        ...(["extra", "autoLinks", "autoUrlLinks", "orphans", "trusted"] as const).map((name) =>
          renderKey("a", { ...plainOptions, [name]: !plainOptions[name] }, "x"),
        ),
      ];
      assert.equal(new Set(keys).size, keys.length);
      assert.notEqual(
        factsDigest(["a"], new Map()),
        factsDigest(["a"], new Map([["a", { url: "/" }]])),
      );
    });

    it("does not retry a body that exceeded its time limit", async () => {
      const from = bodies();
      const source = ">".repeat(100_000);
      const first = await from.render(source, page, plainOptions);
      const second = await from.render(source, page, plainOptions);
      assert.equal(first.failure?.code, "ERR_MARKDOWN_TIMEOUT");
      assert.equal(second.failure, first.failure);
      assert.ok(second.rendered.html === first.rendered.html);
      assert.equal(limited.renders, 1);
      assert.deepEqual(await files(), []);
    });
  });
