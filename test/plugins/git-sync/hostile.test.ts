import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { lstat, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { gitRemote, page, type GitRemote } from "../../support/servers/git-remote.js";

const HOME = "01.home/default.md";

describe("a hostile git remote", () => {
  let remote: GitRemote;
  let site: TestSite;
  beforeEach(async () => (remote = await gitRemote()));
  afterEach(() => remote.close());
  const sync = () => site.site.use("gitSync").sync();
  const status = () => site.site.use("gitSync").status();
  const titleOf = (path: string): string | undefined =>
    site.site.use("content").generation().bySource.get(path)?.title;
  /** Pushes a commit whose tree has a name that `git add` would not take. */
  const pushTree = (name: string): void => {
    const blob = remote.bare("rev-parse", `main:${HOME}`);
    const entry = [Buffer.from(`100644 ${name}\0`), Buffer.from(blob, "hex")];
    const tree = remote.object("tree", entry, remote.url);
    const commit = remote.bare("commit-tree", tree, "-p", "main", "-m", "bad");
    remote.bare("update-ref", "refs/heads/main", commit);
  };

  for (const [what, name] of [
    ["leaves the folder", ".."],
    ["writes into the repository", ".git"],
    ["writes into the repository by its short name", "GIT~1"],
  ] as const) {
    it(`cannot send a tree that ${what}`, async () => {
      site = await remote.boot();
      await sync();
      pushTree(name);
      await sync();
      assert.notEqual(status().failingSince, null);
      assert.equal(titleOf(HOME), "Home");
    });
  }

  it("cannot plant links: they are files that contain their target", async () => {
    site = await remote.boot();
    await sync();
    const target = remote.object("blob", [Buffer.from("/etc")], join(remote.base, "clone"));
    remote.git("update-index", "--add", "--cacheinfo", `120000,${target},02.etc`);
    remote.git("commit", "-q", "-m", "link");
    remote.git("push", "-q", "origin", "main");
    await sync();
    assert.equal((await lstat(join(site.root, "content/02.etc"))).isSymbolicLink(), false);
    assert.equal(status().failingSince, null);
  });

  it("runs no hook and no filter, and follows no submodule", async () => {
    const mark = join(remote.base, "mark");
    site = await remote.boot();
    await sync();
    const own = (...args: string[]) => remote.git("-C", join(site.root, "content"), ...args);
    own("config", "filter.evil.smudge", `touch ${mark}; cat`);
    own("config", "filter.evil.clean", `touch ${mark}; cat`);
    const hooks = join(site.root, "content/.git/hooks");
    await mkdir(hooks, { recursive: true });
    for (const hook of ["post-checkout", "post-merge", "pre-push", "reference-transaction"]) {
      await writeFile(join(hooks, hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    }
    await site.close();
    site = await remote.boot();
    const commit = remote.git("rev-parse", "HEAD");
    remote.git("update-index", "--add", "--cacheinfo", `160000,${commit},03.sub`);
    const modules = `[submodule "03.sub"]\n\tpath = 03.sub\n\turl = ${remote.url}\n`;
    remote.git("commit", "-q", "-m", "sub");
    await mkdir(join(remote.base, "clone/03.sub"), { recursive: true });
    await remote.push({
      ".gitattributes": "* filter=evil\n",
      ".gitmodules": modules,
      [HOME]: page("New"),
    });
    await sync();
    assert.equal(status().lastError, null);
    assert.equal(titleOf(HOME), "New");
    await site.site.use("content").apply([{ op: "write", path: HOME, content: page("Saved") }]);
    await sync();
    assert.match(remote.bare("show", `main:${HOME}`), /Saved/);
    assert.equal(existsSync(mark), false);
    assert.equal(existsSync(join(site.root, "content/03.sub/01.home")), false);
  });

  it("may use any name for a file", async () => {
    const names = [
      "a b.md",
      'say "x".md',
      "--amend.md",
      ":(top)x.md",
      "*.md",
      "ü\tz\n.md",
      "$(id).md",
    ];
    site = await remote.boot();
    await sync();
    await remote.push(Object.fromEntries(names.map((name) => [name, page("Odd")])));
    await sync();
    assert.equal(status().lastError, null);
    assert.equal(titleOf("a b.md"), "Odd");
    await remote.push(Object.fromEntries(names.map((name) => [name, null])));
    await sync();
    assert.equal(titleOf("a b.md"), undefined);
  });
});

describe("the settings of a git remote", () => {
  const rejects = (git_sync: object): Promise<void> =>
    assert.rejects(
      bootSite({
        plugins: ["content", "history", "git-sync"],
        settings: { system: { git_sync } },
      }),
      { code: "ERR_CONFIG_INVALID" },
    );

  for (const address of [
    "--upload-pack=touch /tmp/x",
    "-oProxyCommand=x:y",
    "ext::sh -c x",
    "ext::sh",
    "ssh://-oProxyCommand=x/repo",
    "ssh://user:password@host/repo",
    "git@-host:repo",
    "git@host:-repo",
    "ftp://host/repo",
    "file://host/repo",
    "https://",
    "relative/path",
    "",
  ]) {
    it(`cannot be the address ${JSON.stringify(address)}`, () => rejects({ remote: address }));
  }

  for (const branch of [
    "-x",
    "--all",
    "a..b",
    "a b",
    "x.lock",
    "+main:evil",
    "main:evil",
    "@{-1}",
    "",
  ]) {
    it(`cannot be the branch ${JSON.stringify(branch)}`, () =>
      rejects({ remote: "/pages.git", branch }));
  }
});
