import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SiteCaches } from "../../../../kernel/caches.js";
import { Sources } from "../../../../plugins/search/index/sources.js";
import { Texts } from "../../../../plugins/search/index/texts.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { FailingReads } from "../../../support/hostile/failing-reads.js";
import { until } from "../../../support/until.js";

const text = (body: string): string => `---\ntitle: Fruit\n---\nThe apple is ${body}.\n`;

describe("excerpts of pages that change during searches", () => {
  const reads = new FailingReads();
  let site: TestSite;
  const file = (): string => join(site.root, "content/fruit.md");
  const excerpts = async (word = "apple"): Promise<string[]> => {
    const response = await site.fetch(`/api/search?q=${word}&limit=${(limit += 1)}`);
    const { items } = (await response.json()) as { items: { excerpt: string }[] };
    return items.map(({ excerpt }) => excerpt.replace(/<\/?mark>/g, ""));
  };
  // No result comes from a cache.
  let limit = 1;
  before(() => reads.install());
  after(() => reads.uninstall());
  beforeEach(async () => {
    limit = 1;
    site = await bootSite({
      plugins: ["content", "markdown", "search", "pages"],
      // Dev mode prefetches pages.
      env: { SITE_ENV: "production" },
      files: { "content/fruit.md": text("red") },
    });
    await writeFile(join(site.root, "content/probe.md"), "# Probe");
    await until(async () => (await excerpts("probe")).length === 1);
  });
  afterEach(async () => {
    reads.stop();
    await site.close();
  });

  it("follow a page that was moved away, searched for and moved back", async () => {
    renameSync(file(), `${file()}.away`);
    await excerpts();
    renameSync(`${file()}.away`, file());
    await until(async () => (await excerpts()).join() === "The apple is red.");
  });

  it("follow a page that was overwritten, searched for and restored", async () => {
    writeFileSync(file(), text("green"));
    assert.deepEqual(await excerpts(), ["The apple is green."]);
    writeFileSync(file(), text("red"));
    await until(async () => (await excerpts()).join() === "The apple is red.");
  });

  it("are not awaited for pages that were deleted while they could not be read", async () => {
    const context = site.site.context("search");
    const texts = new Texts(context, new SiteCaches(context.runtime.clock));
    const sources = new Sources(context, texts);
    await sources.collect();
    for (const route of ["/fruit", "/gone"]) texts.unread.add(route);
    assert.deepEqual(sources.unread(), ["/fruit"]);
    assert.deepEqual([...texts.unread], ["/fruit"]);
  });

  it("are indexed again when a page changed for the moment in which it was indexed", async () => {
    const context = site.site.context("search");
    const texts = new Texts(context, new SiteCaches(context.runtime.clock));
    const sources = new Sources(context, texts);
    await sources.collect();
    const source = sources.get("/fruit") ?? assert.fail();
    const body = async (): Promise<string> => (await sources.document(source)).body;
    writeFileSync(file(), text("green"));
    assert.match(await body(), /green/);
    assert.deepEqual(sources.unread(), ["/fruit"]);
    writeFileSync(file(), text("red"));
    assert.match(await body(), /red/);
    assert.deepEqual(sources.unread(), []);
  });

  it("follow a page through versions that come back", async () => {
    for (const body of ["green", "red", "blue", "red"]) {
      writeFileSync(file(), text(body));
      await until(async () => (await excerpts()).join() === `The apple is ${body}.`);
    }
  });

  it("return with the text after a temporary read error", async () => {
    reads.start("EIO", (path) => path === file());
    await writeFile(file(), text("green"));
    await excerpts();
    await site.site.use("search").rebuild();
    reads.stop();
    await until(async () => (await excerpts()).join() === "The apple is green.");
    await until(async () => (await excerpts("green")).length === 1);
  });
});
