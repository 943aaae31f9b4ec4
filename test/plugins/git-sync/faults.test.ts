import assert from "node:assert/strict";
import { rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestSite } from "../../support/sites/boot-site.js";
import { gitRemote, page, type GitRemote } from "../../support/servers/git-remote.js";

const HOME = "01.home/default.md";

describe("a site with a git remote that was killed", () => {
  let remote: GitRemote;
  let site: TestSite;
  let content = "";
  beforeEach(async () => {
    remote = await gitRemote();
    site = await remote.boot();
    content = join(site.root, "content");
    await site.site.use("gitSync").sync();
    await site.close();
  });
  afterEach(() => remote.close());
  const own = (...args: string[]): string => remote.git("-C", content, ...args);
  const again = async (): Promise<void> => {
    site = await remote.boot();
    await site.site.use("gitSync").sync();
    assert.equal(site.site.use("gitSync").status().lastError, null);
  };
  const oldLock = async (name: string): Promise<void> => {
    const file = join(content, ".git", name);
    await writeFile(file, "");
    await utimes(file, 1_000_000_000, 1_000_000_000);
  };
  const titleOf = (path: string): string | undefined =>
    site.site.use("content").generation().bySource.get(path)?.title;

  it("while git held a lock removes the lock and continues", async () => {
    await writeFile(join(content, ".git/site-sync-running"), "");
    for (const lock of ["index.lock", "HEAD.lock"])
      await writeFile(join(content, ".git", lock), "");
    await remote.push({ [HOME]: page("Harbour") });
    await again();
    assert.equal(titleOf(HOME), "Harbour");
  });

  for (const lock of ["index.lock", "refs/remotes/git-sync/main.lock", "packed-refs.lock"]) {
    it(`while nothing ran removes an old ${lock}`, async () => {
      await oldLock(lock);
      await remote.push({ [HOME]: page("Harbour") });
      await again();
      assert.equal(titleOf(HOME), "Harbour");
    });
  }

  it("removes an old lock also while it runs", async () => {
    await again();
    await oldLock("refs/remotes/git-sync/main.lock");
    await remote.push({ [HOME]: page("Harbour") });
    await site.site.use("gitSync").sync();
    assert.equal(titleOf(HOME), "Harbour");
  });

  it("names a lock that another process may hold in health", async () => {
    await again();
    const lock = join(content, ".git/refs/remotes/git-sync/main.lock");
    await writeFile(lock, "");
    await remote.push({ [HOME]: page("Harbour") });
    await site.site.use("gitSync").sync();
    const [problem] = site.site.use("health").problems();
    assert.match(problem?.problem ?? "", /content\/\.git\/refs\/remotes\/git-sync\/main\.lock/);
    assert.match(problem?.problem ?? "", /site doctor --fix/);
    await rm(lock);
    await site.site.use("gitSync").sync();
    assert.deepEqual(site.site.use("health").problems(), []);
  });

  it("after it changed files, but not the branch, makes no commit of them", async () => {
    await remote.push({ [HOME]: page("Harbour"), "02.new.md": page("New") });
    own("fetch", "-q", remote.url, "main");
    own("read-tree", "-m", "-u", "HEAD", "FETCH_HEAD");
    await again();
    assert.equal(titleOf("02.new.md"), "New");
    assert.equal(remote.bare("log", "--format=%an", "main"), "Eve\nEve");
    assert.equal(own("status", "--porcelain"), "");
  });

  it("during the first clone completes it", async () => {
    await rm(join(content, ".git/index"));
    own("update-ref", "-d", "HEAD");
    await rm(join(content, HOME));
    await writeFile(join(content, "02.part.md"), page("Part"));
    await again();
    assert.deepEqual([titleOf(HOME), titleOf("02.part.md")], ["Home", "Part"]);
  });

  it("after a push, but before it noted that, replays nothing twice", async () => {
    await writeFile(join(content, HOME), page("Mine"));
    own("commit", "-q", "-am", "mine");
    own("push", "-q", remote.url, "main");
    await again();
    assert.equal(remote.bare("log", "--format=%s", "main"), "mine\nby Eve");
    assert.equal(own("rev-parse", "HEAD"), remote.bare("rev-parse", "main"));
  });
});
