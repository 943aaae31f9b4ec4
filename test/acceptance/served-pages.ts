/** The shell blocks of pages about a site that runs. */
import assert from "node:assert/strict";
import { killProcess } from "../support/processes/site-process.js";
import { runSite, serveSite } from "./home.js";
import { checkBlocks } from "./shell-blocks.js";
import { runnableOf } from "./shell-pages.js";

/** Those of editors, and `users.manage`. */
const PERMISSIONS = [
  "pages.read",
  "pages.create",
  "pages.update",
  "pages.delete",
  "pages.publish",
  "media.upload",
  "media.delete",
  "flex.read",
  "flex.write",
  "submissions.read",
  "comments.moderate",
  "redirects.update",
  "config.read",
  "users.manage",
].join();

/** Declares a test for each page, which runs its blocks in the root of a server, with a token of an account. */
export function runPages(root: () => string, names: readonly string[]): void {
  let server: Awaited<ReturnType<typeof serveSite>>;
  let env: Record<string, string>;
  before(async () => {
    server = await serveSite(root());
    const words = ["--permissions", PERMISSIONS, "--expires", "30d", "--name", "blocks"];
    const { code, text } = await runSite("tokens:create", "--root", root(), ...words);
    assert.equal(code, 0, text);
    env = { TOKEN: /^site_\S+/m.exec(text)?.[0] ?? "" };
  });
  after(() => killProcess(server));

  for (const page of names) {
    const blocks = runnableOf(page);
    if (blocks.length === 0) continue;
    it(`${page}: runs`, () =>
      checkBlocks(blocks, { folder: root(), port: Number(new URL(server.url).port), env }));
  }
}
