import assert from "node:assert/strict";
import { join } from "node:path";
import { killProcess } from "../support/processes/site-process.js";
import { repository } from "../support/repository.js";
import { copyInto, home, runSite, serveSite, writeSite } from "./home.js";
import { checkBlocks } from "./shell-blocks.js";
import { OWN_SITES, pages, READER_PAGES, readerSite, runnableOf } from "./shell-pages.js";

type Server = Awaited<ReturnType<typeof serveSite>>;

/** Those of editors, and `users.manage`. */
const PERMISSIONS = [
  ...["pages.read", "pages.create", "pages.update", "pages.delete", "pages.publish"],
  ...["media.upload", "media.delete", "flex.read", "flex.write", "submissions.read"],
  ...["comments.moderate", "redirects.update", "config.read", "users.manage"],
].join();

describe("the shell blocks about a site that runs", function () {
  this.timeout(150_000);

  describe("about the site of the documentation", () => {
    const root = join(home, "documentation");
    before(async () => {
      for (const part of ["content", "blueprints", "search"])
        await copyInto(root, part, join(repository, part));
      for (const file of ["site.yaml", "system.yaml", "admin.yaml"])
        await copyInto(root, file, join(repository, file));
    });
    runPages(
      () => root,
      pages.filter((page) => !(page in OWN_SITES) && !READER_PAGES.includes(page)),
    );
  });

  describe("about the site of a reader", () => {
    let root = "";
    before(async () => {
      root = await writeSite("reader", readerSite());
    });
    runPages(() => root, READER_PAGES);
  });
});

/** Runs the blocks of pages in the root of a server, with a token of an account. */
function runPages(root: () => string, names: readonly string[]): void {
  let server: Server;
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
