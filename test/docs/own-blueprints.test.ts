import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { scaffoldSite } from "../../plugins/render/new-site.js";
import { useFolder } from "../support/folder.js";
import { repository } from "../support/repository.js";
import { startProcess } from "../support/processes/site-process.js";

/** Output of `content:check` about what does not fit. */
async function misfits(root: string): Promise<string> {
  const check = startProcess(["content:check", "--root", root]);
  await check.ended();
  const lines = check.text().split("\n");
  return lines.filter((line) => /ERR_CONTENT_INVALID|ERR_BLUEPRINT/.test(line)).join("\n");
}

describe("page types of the documentation and of new sites", function () {
  this.timeout(60_000);
  const folder = useFolder();

  it("fit the pages of the documentation", async () => {
    assert.equal(await misfits(repository), "");
  });

  it("fit the pages of a new site, and find a mistake in them", async () => {
    const root = join(folder.path, "notes");
    await scaffoldSite(root, new Date());
    assert.equal(await misfits(root), "");
    const post = join(root, "content/02.blog/hello-world/post.md");
    const text = await readFile(post, "utf8");
    await atomicWrite(post, text.replace("image: horizon.png", "image: gone.png"));
    assert.match(await misfits(root), /post\.md:5 .*"gone\.png"/);
  });
});
