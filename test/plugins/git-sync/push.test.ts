import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestSite } from "../../support/sites/boot-site.js";
import { gitRemote, page, type GitRemote } from "../../support/servers/git-remote.js";
import { until } from "../../support/until.js";

const HOME = "01.home/default.md";
const LAST = ["log", "-1", "--format=%s|%an|%ae|%cn", "main"];
const actor = { id: "1", name: "Ada", email: "ada@example.org" };

describe("saves with a git remote", () => {
  let remote: GitRemote;
  let site: TestSite;
  beforeEach(async () => {
    remote = await gitRemote();
    site = await remote.boot();
    await sync();
  });
  afterEach(() => remote.close());
  const sync = () => site.site.use("gitSync").sync();
  const status = () => site.site.use("gitSync").status();
  const save = (path: string, text: string, message = "say it") =>
    site.site
      .use("content")
      .apply([{ op: "write", path, content: page(text) }], { actor, message });
  const text = (path: string): string => remote.bare("show", `main:${path}`);

  it("are pushed soon, as commits of their authors", async () => {
    await save(HOME, "Harbour");
    await until(() => remote.bare(...LAST) === "say it|Ada|ada@example.org|Site");
    assert.match(text(HOME), /title: Harbour/);
  });

  it("stay here with git_sync.push: false, and pages are still pulled", async () => {
    site = await remote.boot("quiet", { sync: { push: false } });
    await save(HOME, "Harbour");
    await remote.push({ "02.new.md": page("New") });
    await sync();
    assert.match(text(HOME), /title: Home/);
    const { bySource } = site.site.use("content").generation();
    assert.deepEqual(
      [bySource.get(HOME)?.title, bySource.get("02.new.md")?.title],
      ["Harbour", "New"],
    );
    assert.equal(status().unpushed, 1);
  });

  it("push no commit of another branch that was checked out meanwhile", async () => {
    const content = join(site.root, "content");
    remote.git("-C", content, "switch", "-q", "-c", "other");
    remote.git("-C", content, "commit", "-q", "--allow-empty", "-m", "of the other branch");
    await sync();
    assert.match(status().lastError ?? "", /is on branch "other", git_sync\.branch is "main"/);
    await save(HOME, "Harbour");
    const newest = () => remote.git("-C", content, "log", "-1", "--format=%s", "other");
    await until(() => newest() === "say it");
    assert.equal(remote.bare("log", "--format=%an", "main"), "Eve");
  });

  it("are put on top of what the remote has, in a straight line", async () => {
    await save(HOME, "Harbour");
    await save("03.own.md", "Own", "add mine");
    await remote.push({ "02.new.md": page("New") });
    await sync();
    const log = remote.bare("log", "--format=%s|%an|%P", "main").split("\n");
    assert.deepEqual(
      log.map((line) => line.split("|").slice(0, 2)),
      [
        ["add mine", "Ada"],
        ["say it", "Ada"],
        ["by Eve", "Eve"],
        ["by Eve", "Eve"],
      ],
    );
    assert.ok(log.every((line) => !(line.split("|")[2] ?? "").includes(" ")));
    assert.match(text(HOME) + text("03.own.md") + text("02.new.md"), /Harbour[^]*Own[^]*New/);
    assert.equal(status().unpushed, 0);
  });

  it("merge with changes of other lines of the same file", async () => {
    const lines = (first: string, last: string) =>
      `---\ntitle: ${first}\n---\n\na\n\nb\n\nc\n\n${last}\n`;
    await remote.push({ [HOME]: lines("Home", "end") });
    await sync();
    await site.site
      .use("content")
      .apply([{ op: "write", path: HOME, content: lines("Harbour", "end") }]);
    await remote.push({ [HOME]: lines("Home", "fin") });
    await sync();
    assert.equal(`${text(HOME)}\n`, lines("Harbour", "fin"));
    assert.equal(status().conflicts, 0);
  });

  it("keep working while the remote is down, and are pushed once when it is back", async () => {
    await remote.down();
    for (const title of ["One", "Two", "Three"]) {
      const [result] = await save(HOME, title, title);
      assert.equal(result?.status, "updated");
    }
    await sync();
    assert.equal(status().unpushed, 3);
    assert.match(site.site.use("health").problems()[0]?.problem ?? "", /since \d{4}-/);
    await remote.up();
    await sync();
    const subjects = remote.bare("log", "--format=%s", "main").split("\n");
    assert.deepEqual(subjects, ["Three", "Two", "One", "by Eve"]);
  });

  it("include files that were changed on the disk", async () => {
    await writeFile(join(site.root, "content", "02.hand.md"), page("By hand"));
    await sync();
    assert.equal(remote.bare(...LAST), "change 02.hand.md on the disk|Site|site@localhost|Site");
  });

  it("create the branch of an empty remote", async () => {
    remote.git("init", "-q", "--bare", join(remote.base, "empty.git"));
    site = await remote.boot("first", { sync: { remote: join(remote.base, "empty.git") } });
    await save("01.home.md", "First");
    await sync();
    const shown = remote.git("-C", join(remote.base, "empty.git"), "log", "--format=%s", "main");
    assert.equal(shown, "say it");
  });

  it("stay on top after a force-push, and what it removed does not come back", async () => {
    await remote.push({ "02.secret.md": page("Secret") });
    await sync();
    await save("03.own.md", "Own", "add mine");
    remote.git("reset", "-q", "--hard", "HEAD~1");
    await remote.push({ "04.instead.md": page("Instead") }, "--force");
    await sync();
    const names = remote.bare("ls-tree", "-r", "--name-only", "main").split("\n");
    assert.deepEqual(names, [HOME, "03.own.md", "04.instead.md"]);
    assert.equal(remote.bare("log", "--format=%s", "main"), "add mine\nby Eve\nby Eve");
  });

  it("wait while the branch has vanished, and do not bring it back", async () => {
    await save(HOME, "Harbour");
    remote.bare("branch", "-m", "main", "old");
    await sync();
    assert.match(status().lastError ?? "", /no branch "main"/);
    assert.equal(remote.bare("branch", "--list", "main"), "");
    remote.bare("branch", "-m", "old", "main");
    await sync();
    assert.match(text(HOME), /Harbour/);
  });

  it("include records, in a repository of the whole site", async () => {
    const root = join(remote.base, "whole");
    await remote.push({
      "content/01.home.md": page("Home"),
      "flex-objects/boat.yaml": "title: Boat\nfields:\n  name: { type: text }\n",
      ".gitignore": ".dune/\n*.yaml\n!flex-objects/**\n",
    });
    remote.git("clone", "-q", remote.url, root);
    site = await remote.boot("whole");
    const data = { name: "Aurora" };
    await site.site.use("flex").apply([{ op: "create", type: "boat", id: "one", data }], { actor });
    await save("01.home.md", "Harbour");
    await sync();
    assert.match(text("flex-objects/boat/one.yaml"), /Aurora/);
    assert.match(text("content/01.home.md"), /Harbour/);
    remote.git("pull", "-q", "origin", "main");
    await remote.push({ "flex-objects/boat/two.yaml": "name: Borealis\n" });
    await sync();
    const names = (await site.site.use("flex").all("boat")).map((record) => record["name"]);
    assert.deepEqual(names.toSorted(), ["Aurora", "Borealis"]);
  });
});
