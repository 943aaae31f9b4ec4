// Git checkouts between two trees of many pages, under load.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fault } from "./fault.js";

const PAGES = 5_000;
const FOLDER = "05.tree";
const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];

/** Two branches that differ in every page. */
export const checkouts: Fault = {
  name: "checkouts",
  title: `git checkouts between two trees of ${PAGES.toLocaleString("en")} pages`,
  begin: async ({ content, contentOnDisk, disk }) => {
    const folder = join(content, FOLDER);
    const place = ["-C", join(contentOnDisk, FOLDER)];
    const git = (...words: string[]): Promise<void> => disk.run(["git", ...place, ...words]);
    await mkdir(folder);
    await git("init", "--quiet", "--initial-branch=one");
    for (const branch of ["one", "two"]) {
      if (branch === "two") await git("checkout", "--quiet", "-b", branch);
      for (let at = 0; at < PAGES; at += 1) {
        const page = join(folder, `${at % 50}/page-${at}`);
        // Awaited: the writers are in this process, and their limits of time go on.
        await mkdir(page, { recursive: true });
        await writeFile(join(page, "default.md"), `---\ntitle: ${branch} ${at}\n---\n`);
      }
      await git("add", "--all");
      await git(...identity, "commit", "--quiet", "--message", branch);
    }
    for (let round = 0; round < 4; round += 1) {
      await git("checkout", "--quiet", round % 2 === 0 ? "one" : "two");
    }
  },
  end: ({ content }) => rm(join(content, FOLDER), { recursive: true }),
};
