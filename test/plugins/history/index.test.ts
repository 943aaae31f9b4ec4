import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

const path = "02.a/default.md";
const page = (text: string) => `---\ntitle: A\n---\n${text}\n`;
const actor = { id: "1", name: "Ada <Lovelace>", email: "ada@example.org" };
const plugins = ["content", "history", "health"];

describe("the history of pages", () => {
  let site: TestSite;
  afterEach(() => site.close());

  async function boot(admin: Record<string, unknown> = {}): Promise<TestSite> {
    site = await bootSite({
      files: { [`content/${path}`]: page("zero") },
      plugins,
      settings: { admin },
    });
    return site;
  }
  const save = (text: string) =>
    site.site
      .use("content")
      .apply([{ op: "write", path, content: page(text) }], { actor, message: `say ${text}` });
  const history = () => site.site.use("history");

  it("stores the text before the first save, and each version with author and reason", async () => {
    await boot();
    await save("one");
    await save("two");
    await history().settled();
    const list = await history().list(path);
    assert.deepEqual(
      list.map(({ n, kind, message }) => [n, kind, message]),
      [
        [3, "saved", "say two"],
        [2, "saved", "say one"],
        [1, "found", ""],
      ],
    );
    assert.deepEqual(list[0]?.actor, actor);
    assert.equal((await history().get(path, 1))?.content, page("zero"));
    assert.equal((await history().get(`content/${path}`, 2))?.content, page("one"));
  });

  it("stores pages of plugin formats, and no other files", async () => {
    await boot();
    site.site.use("content").addFormat("rst");
    for (const name of ["03.b/default.rst", "03.b/notes.txt"]) {
      for (const content of ["one\n", "two\n"]) {
        await site.site.use("content").apply([{ op: "write", path: name, content }]);
      }
    }
    await history().settled();
    assert.equal((await history().list("03.b/default.rst")).length, 2);
    assert.deepEqual(await history().list("03.b/notes.txt"), []);
  });

  it("retains only the newest admin.maxRevisions", async () => {
    await boot({ maxRevisions: 3 });
    for (const text of ["one", "two", "three", "four"]) await save(text);
    await history().settled();
    assert.deepEqual(
      (await history().list(path)).map(({ n }) => n),
      [5, 4, 3],
    );
    assert.equal((await readdir(join(site.root, ".dune/admin/history", path))).length, 3);
  });

  it("shows a diff, and restores a version through the write path", async () => {
    await boot();
    await save("one");
    await history().settled();
    const lines = await history().diff(path, 1);
    assert.deepEqual(
      lines.filter(({ kind }) => kind !== "same").map(({ kind, text }) => [kind, text]),
      [
        ["removed", "zero"],
        ["added", "one"],
      ],
    );
    const result = await history().restore(path, 1, { actor });
    assert.equal(result.status, "updated");
    assert.equal((await site.site.use("content").source(path))?.raw, page("zero"));
    const late = await history().restore(path, 2, { ifHash: "old" });
    assert.equal(late.code, "ERR_CONTENT_CONFLICT");
  });

  it("stores the last text of a deleted page, and restores it", async () => {
    await boot();
    await site.site.use("content").apply([{ op: "delete", path }], { actor });
    await history().settled();
    const [last] = await history().list(path);
    assert.equal(last?.kind, "deleted");
    assert.equal((await history().restore(path, last?.n ?? 0)).status, "created");
  });

  it("moves with its page", async () => {
    await boot();
    await save("one");
    await site.site.use("content").apply([{ op: "move", path: "02.a", to: "03.b" }]);
    await history().settled();
    assert.equal((await history().list("03.b/default.md")).length, 2);
    assert.equal((await history().list(path)).length, 0);
  });

  it("records a change made on disk", async () => {
    await boot();
    await save("one");
    await history().settled();
    await writeFile(join(site.root, "content", path), page("by hand"));
    await until(async () => (await history().list(path))[0]?.kind === "found");
    assert.equal((await history().get(path, 3))?.content, page("by hand"));
  });

  it("records a text written through the site once, even if overwritten at once", async () => {
    await boot();
    await save("one");
    await writeFile(join(site.root, "content", path), page("by hand"));
    await save("two");
    // The folder watch reports all of it again.
    await new Promise((resolve) => setTimeout(resolve, 400));
    await history().settled();
    const list = await history().list(path);
    const texts = list.map(async ({ n, kind }) => [kind, (await history().get(path, n))?.content]);
    assert.deepEqual(await Promise.all(texts), [
      ["saved", page("two")],
      ["found", page("by hand")],
      ["saved", page("one")],
      ["found", page("zero")],
    ]);
  });

  it("returns nothing for paths outside the folder, unknown numbers and damaged files", async () => {
    await boot();
    await save("one");
    await history().settled();
    for (const bad of ["../../../etc/passwd", "", "/etc/passwd", "a\0b", "a".repeat(5_000)]) {
      assert.deepEqual(await history().list(bad), []);
      assert.equal(await history().get(bad, 1), null);
    }
    for (const n of [0, -1, 1.5, NaN, 1e9]) assert.equal(await history().get(path, n), null);
    await writeFile(join(site.root, ".dune/admin/history", path, "00000002.json"), "");
    assert.deepEqual(
      (await history().list(path)).map(({ n }) => n),
      [1],
    );
    await assert.rejects(history().restore(path, 9), { code: "ERR_HISTORY_UNKNOWN", status: 404 });
  });

  describe("with git_commit", () => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", site.root, ...args], { encoding: "utf8" }).trim();
    async function bootRepository(): Promise<void> {
      await boot({ git_commit: true });
      await history().settled();
      execFileSync("git", ["init", "-q", site.root]);
      git("config", "user.email", "me@example.org");
      git("config", "user.name", "Me");
      await site.write(".gitignore", ".dune\n");
      git("add", "-A");
      git("commit", "-qm", "start");
    }

    it("creates one commit per save, of only that path, with the editor as author", async () => {
      await bootRepository();
      await site.write("staged.txt", "by a user");
      git("add", "staged.txt");
      await save("one");
      await history().settled();
      await save("two");
      await history().settled();
      assert.equal(
        git("log", "--format=%s|%an|%ae|%cn", "-2"),
        "say two|Ada Lovelace|ada@example.org|Site\nsay one|Ada Lovelace|ada@example.org|Site",
      );
      assert.equal(git("show", "--name-only", "--format=", "HEAD"), `content/${path}`);
      assert.equal(git("diff", "--cached", "--name-only"), "staged.txt");
      assert.deepEqual(history().git(), {
        enabled: true,
        commits: 2,
        pending: 0,
        failed: 0,
        lastError: null,
      });
    });

    it("creates one commit for each of two immediate saves, with its own text", async () => {
      await bootRepository();
      await Promise.all(["one", "two", "three"].map((word) => save(word)));
      await history().settled();
      assert.equal(git("log", "--format=%s", "-3"), "say three\nsay two\nsay one");
      const text = (commit: string): string => git("show", `${commit}:content/${path}`);
      assert.match(text("HEAD~2"), /one/);
      assert.match(text("HEAD~1"), /two/);
      assert.match(text("HEAD"), /three/);
      assert.equal(git("status", "--porcelain"), "");
    });

    it("commits new pages, moves and deletions, whatever their names", async () => {
      await bootRepository();
      const content = site.site.use("content");
      const odd = "03.[grüße] *?/default.md";
      await content.apply([{ op: "write", path: odd, content: page("x") }]);
      await history().settled();
      await content.apply([{ op: "move", path: "02.a", to: "04.b" }]);
      await history().settled();
      await content.apply([{ op: "delete", path: odd }]);
      await history().settled();
      assert.equal(history().git().lastError, null);
      assert.equal(git("log", "--format=%s"), `delete ${odd}\nmove 02.a\ncreate ${odd}\nstart`);
      assert.equal(git("status", "--porcelain"), "");
    });

    it("creates one commit each for an immediate move and change", async () => {
      await bootRepository();
      const content = site.site.use("content");
      const write = (at: string, text: string) =>
        content.apply([{ op: "write", path: at, content: page(text) }], { message: `say ${text}` });
      // Git is slower than this: the later steps are on the disk before the first is committed.
      await write(path, "one");
      await content.apply([{ op: "move", path: "02.a", to: "04.b" }]);
      await write("04.b/default.md", "two");
      await content.apply([{ op: "move", path: "04.b", to: "05.c" }]);
      await content.apply([{ op: "delete", path: "05.c/default.md" }]);
      await history().settled();
      assert.equal(history().git().lastError, null);
      assert.equal(
        git("log", "--format=%s", "-5"),
        "delete 05.c/default.md\nmove 04.b\nsay two\nmove 02.a\nsay one",
      );
      const text = (commit: string): string => git("show", commit);
      assert.match(text(`HEAD~4:content/${path}`), /one/);
      assert.match(text("HEAD~3:content/04.b/default.md"), /one/);
      assert.match(text("HEAD~2:content/04.b/default.md"), /two/);
      assert.match(text("HEAD~1:content/05.c/default.md"), /two/);
      assert.doesNotMatch(git("ls-tree", "-r", "--name-only", "HEAD"), /02\.a|04\.b|05\.c/);
      assert.equal(git("status", "--porcelain"), "");
    });

    it("applies the steps of one save in order", async () => {
      await bootRepository();
      const content = site.site.use("content");
      await content.apply([
        { op: "write", path, content: page("one") },
        { op: "move", path: "02.a", to: "04.b" },
        { op: "write", path: "04.b/default.md", content: page("two") },
        { op: "write", path: "06.d/default.md", content: page("three") },
        { op: "delete", path: "06.d/default.md" },
      ]);
      await history().settled();
      assert.equal(history().git().lastError, null);
      assert.equal(git("rev-list", "--count", "HEAD"), "2");
      assert.match(git("show", "HEAD:content/04.b/default.md"), /two/);
      assert.doesNotMatch(git("ls-tree", "-r", "--name-only", "HEAD"), /02\.a|06\.d/);
      assert.equal(git("status", "--porcelain"), "");
    });

    it("reports a failure and does not undo the save", async () => {
      await boot({ git_commit: true });
      const [result] = await save("one");
      await history().settled();
      assert.equal(result?.status, "updated");
      assert.equal(history().git().failed, 1);
      assert.match(history().git().lastError ?? "", /git/);
      assert.equal((await history().list(path)).length, 2);
    });
  });
});
