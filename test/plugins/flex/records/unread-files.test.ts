import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { FailingReads } from "../../../support/hostile/failing-reads.js";
import { until } from "../../../support/until.js";

describe("temporarily unreadable flex records", () => {
  const reads = new FailingReads();
  let site: TestSite;
  const flex = () => site.site.use("flex");
  const problems = async (): Promise<string[]> =>
    (await flex().problems()).map(({ sourcePath, code }) => `${sourcePath} ${code}`);
  const names = async (): Promise<unknown[]> =>
    ((await flex().list("product"))?.records ?? []).map(({ name }) => name).sort();
  before(() => reads.install());
  after(() => reads.uninstall());
  beforeEach(async () => {
    site = await bootSite({
      plugins: ["content", "flex", "health"],
      files: {
        "content/a.md": "# A",
        "flex-objects/product.yaml": "title: T\nfields:\n  name: { type: text }\n",
        "flex-objects/product/a.yaml": "name: one\n",
        "flex-objects/product/b.yaml": "name: two\n",
      },
    });
  });
  afterEach(async () => {
    reads.stop();
    await site.close();
  });
  /** The watch has begun. */
  const watched = async (): Promise<void> => {
    let count = 0;
    await names();
    await until(async () => {
      await site.write("flex-objects/product/probe.yaml", `name: probe ${(count += 1)}\n`);
      return (await names()).some((name) => String(name).startsWith("probe"));
    });
    await rm(join(site.root, "flex-objects/product/probe.yaml"));
    await until(async () => (await names()).length === 2);
  };

  for (const code of ["EIO", "EMFILE", "EACCES"]) {
    it(`retain their last version during ${code}, are reported, and are read again`, async () => {
      await watched();
      reads.start(code, (path) => path.endsWith("product/a.yaml"));
      await site.write("flex-objects/product/a.yaml", "name: changed\n");
      await until(async () => (await problems()).length > 0);
      assert.deepEqual(await problems(), ["flex-objects/product/a.yaml ERR_FLEX_READ"]);
      assert.deepEqual(await names(), ["one", "two"]);
      const parts = site.site.use("health").problems();
      assert.deepEqual(
        parts.map(({ part }) => part),
        ["flex"],
      );
      reads.stop();
      await until(async () => (await names()).includes("changed"));
      assert.deepEqual([await problems(), site.site.use("health").problems()], [[], []]);
    });
  }

  const unread: Readonly<Record<string, RegExp>> = {
    "the schema": /product\.yaml$/,
    "the folder of a type": /product$/,
    "the folder of all types": /flex-objects$/,
  };
  for (const [what, path] of Object.entries(unread)) {
    it(`remain when ${what} cannot be read`, async () => {
      await names();
      reads.start("EMFILE", (name) => path.test(name));
      await site.site.context("flex").use("flex").refresh();
      assert.deepEqual(await names(), ["one", "two"]);
      assert.equal((await problems()).length, 1);
      reads.stop();
      await until(async () => (await problems()).length === 0);
      assert.deepEqual(await names(), ["one", "two"]);
    });
  }

  it("respond 503 until their type can be read", async () => {
    reads.start("EMFILE", (path) => path.endsWith("/product"));
    assert.equal((await site.fetch("/api/flex/product")).status, 503);
    reads.stop();
    assert.equal((await site.fetch("/api/flex/product")).status, 200);
    await until(async () => (await problems()).length === 0);
  });

  it("are no longer reported when their file is deleted", async () => {
    reads.start("EIO", (path) => path.endsWith("product/a.yaml"));
    assert.deepEqual(await names(), ["two"]);
    await rm(join(site.root, "flex-objects/product/a.yaml"));
    reads.stop();
    await until(async () => (await problems()).length === 0);
    assert.deepEqual(await names(), ["two"]);
  });
});

describe("records that cannot be read when they are first asked for", () => {
  const reads = new FailingReads();
  let site: TestSite;
  before(() => reads.install());
  after(() => reads.uninstall());
  afterEach(async () => {
    reads.stop();
    await site.close();
  });

  it("are 503 with Retry-After until they are read, and others are served", async () => {
    site = await bootSite({
      plugins: ["content", "flex", "health"],
      files: {
        "content/a.md": "# A",
        "flex-objects/gem.yaml": "title: Gems\nfields:\n  name: { type: text }\n",
        "flex-objects/gem/a.yaml": "name: one\n",
        "flex-objects/gem/b.yaml": "name: two\n",
      },
    });
    reads.start("EIO", (path) => path.endsWith("gem/a.yaml"));
    for (const path of ["/api/flex/gem", "/api/flex/gem/a"]) {
      const answer = await site.fetch(path);
      assert.equal(answer.status, 503, path);
      assert.equal(answer.headers.get("retry-after"), "1");
    }
    assert.equal((await site.fetch("/api/flex/gem/b")).status, 200);
    assert.equal((await site.fetch("/api/flex/gem/none")).status, 404);
    reads.stop();
    await until(async () => (await site.fetch("/api/flex/gem")).status === 200);
    assert.equal(((await (await site.fetch("/api/flex/gem")).json()) as unknown[]).length, 2);
    assert.equal((await site.fetch("/api/flex/gem/a")).status, 200);
  });
});
