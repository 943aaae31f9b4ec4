import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository, textOf } from "../support/repository.js";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

/** Old and new addresses of pages, one pair a line. */
const moved = textOf("test/docs/old-addresses.txt")
  .trim()
  .split("\n")
  .map((line) => line.split(" "));

describe("the old addresses of the documentation", () => {
  let root: string;
  let site: TestSite;
  before(async function () {
    this.timeout(60_000);
    root = await mkdtemp(join(tmpdir(), "site-docs-"));
    for (const name of ["content", "site.yaml", "system.yaml", "admin.yaml"]) {
      await cp(join(repository, name), join(root, name), { recursive: true });
    }
    const settings = { system: { server: { rate_limit: false } } };
    site = await bootSite({ root, settings, env: { SITE_ENV: "production" } });
  });
  after(async () => {
    await site.close();
    await rm(root, { recursive: true, force: true });
  });

  it("each redirect to the new address of the page", async () => {
    assert.ok(moved.length >= 54, `${moved.length}`);
    for (const [from = "", to = ""] of moved) {
      const answer = await site.fetch(from, { redirect: "manual" });
      const location = new URL(answer.headers.get("location") ?? "", site.url).pathname;
      assert.deepEqual([answer.status, location], [301, to], from);
      assert.equal((await site.fetch(to)).status, 200, to);
    }
  });
});
