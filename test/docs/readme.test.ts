import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../support/repository.js";

const run = promisify(execFile);

describe("the README", () => {
  it("creates no folder that git would list as untracked", async () => {
    const pages = ["README.md", "content/02.start/02.tour/docs.md", "content/01.home/landing.md"];
    const texts = await Promise.all(pages.map((page) => readFile(join(repository, page), "utf8")));
    const made = [...texts.join("\n").matchAll(/(?:mkdir (?:-p )?|sitewright new )([\w-]+)/g)];
    const folders = [...new Set(made.map(([, folder = ""]) => `${folder}/`))].toSorted();
    assert.deepEqual(folders, ["my-site/", "notes/"]);
    const { stdout } = await run("git", ["check-ignore", ...folders], { cwd: repository });
    assert.deepEqual(stdout.trim().split("\n").toSorted(), folders);
  });
});
