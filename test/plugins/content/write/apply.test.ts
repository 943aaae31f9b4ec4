import assert from "node:assert/strict";
import { mkdtemp, mkdir, readFile, readdir, rm, symlink, writeFile, link } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { KeyedLock } from "#kernel";
import { ContentWriter } from "../../../../plugins/content/write/apply.js";
import type { ContentChange } from "../../../../plugins/content/contract.js";
import { digest } from "../../../../plugins/content/read/source-record.js";
import { WriteQueue } from "../../../../plugins/content/index/update-queues.js";
import { contentRules } from "../../../support/content/content-tree.js";
import { rightsWithout } from "../../../support/content/write-rights.js";

describe("ContentWriter.apply", () => {
  let base: string;
  let root: string;
  let refreshed: string[][];
  let writer: ContentWriter;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "site-apply-"));
    root = join(base, "content");
    await mkdir(root);
    refreshed = [];
    const lock = new KeyedLock();
    const queue = new WriteQueue({
      root: () => root,
      inTurn: (work) => lock.run("tree", work),
      lookAt: async (paths) => void refreshed.push([...paths]),
      publish: async () => void queue.take(),
    });
    writer = new ContentWriter({
      rules: () => ({ ...contentRules, root, isReserved: (path) => path.startsWith("data/") }),
      now: () => Date.parse("2026-06-01T00:00:00Z"),
      write: (work) => queue.add(work),
    });
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(base, path)), { recursive: true });
    await writeFile(join(base, path), text);
  };
  const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");
  const tree = async (): Promise<Record<string, string>> => {
    const files = await readdir(base, { recursive: true, withFileTypes: true });
    const entries = files.map(async (file): Promise<[string, string]> => {
      const path = join(file.parentPath, file.name);
      return [path, file.isFile() ? await readFile(path, "latin1") : "-"];
    });
    return Object.fromEntries((await Promise.all(entries)).sort(([a], [b]) => (a < b ? -1 : 1)));
  };

  for (const [before, after, publishes] of [
    [null, "# A", true],
    [null, "---\nstatus: draft\n---\n", false],
    ["# A", "# B", false],
    ["---\npublished: no\n---\n", "# A", true],
    ["---\nstatus: unknown\n---\n", "# A", true],
    ["---\na: [\n---\n", "# A", true],
    ["---\npublish_date: 2026-07-01\n---\n", "---\npublish_date: 2026-06-30\n---\n", true],
    ["---\npublish_date: 2026-07-01\n---\n", "---\npublish_date: 2026-07-02\n---\n", false],
    ["---\npublish_date: 2026-05-01\n---\n", "# A", false],
    ["---\nunpublish_date: 2026-05-01\n---\n", "# A", true],
    ["# A", "---\nunpublish_date: 2026-07-01\n---\n", false],
  ] as const) {
    it(`says ${publishes} to publishing ${JSON.stringify(before)} as ${JSON.stringify(after)}`, async () => {
      if (before !== null) await put("content/a.md", before);
      const change = { op: "write", path: "a.md", content: after } as const;
      const [dry] = await writer.apply([change], { dryRun: true });
      const [result] = await writer.apply([change], {});
      assert.deepEqual([dry?.publishes, result?.publishes], [publishes, publishes]);
    });
  }

  it("rejects changes that widen the audience without publish rights", async () => {
    await put("content/a.md", "---\nroles: member\n---\n");
    await put("content/_hero/b.md", "# B");
    await put("content/_drafts/x/c.md", "# C");
    const changes = [
      { op: "frontmatter", path: "a.md", patch: { roles: null } },
      { op: "write", path: "a.md", content: "# A" },
      { op: "write", path: "new.md", content: "# New" },
      { op: "move", path: "_hero", to: "hero" },
      { op: "move", path: "_drafts/x", to: "x" },
    ] as const;
    const before = await tree();
    for (const dryRun of [true, false]) {
      const results = await writer.apply(changes, { rights: rightsWithout("publish"), dryRun });
      for (const { code } of results) assert.equal(code, "ERR_CONTENT_AUDIENCE");
    }
    assert.deepEqual(await tree(), before);
    const results = await writer.apply(changes, { rights: rightsWithout() });
    assert.deepEqual(
      results.map(({ status, publishes }) => [status, publishes]),
      [
        ["updated", true],
        ["updated", false],
        ["created", true],
        ["moved", true],
        ["moved", true],
      ],
    );
  });

  it("compares every field of a new draft with those that may change", async () => {
    const rights = { ...rightsWithout(), fields: ["title"] };
    const draft = "---\ntitle: A\nstatus: draft\n---\n";
    const changes = [
      { op: "write", path: "body.md", content: `${draft}Text.\n` },
      { op: "write", path: "tags.md", content: draft.replace("title", "tags: [a]\ntitle") },
      { op: "write", path: "public.md", content: "---\ntitle: A\nstatus: published\n---\n" },
      { op: "write", path: "a.png", content: "image" },
      { op: "write", path: "title.md", content: draft },
    ] as const;
    const results = await writer.apply(changes, { rights });
    assert.deepEqual(
      results.map(({ code, status }) => code ?? status),
      [...Array.from({ length: 4 }, () => "ERR_CONTENT_LIMITED"), "created"],
    );
  });

  it("writes media with the rights to a page only beside a page that is new", async () => {
    await put("content/a/default.md", "# A\n");
    const rights = rightsWithout("upload");
    const page = { op: "write", content: "# A\n" } as const;
    const media = { op: "write", content: "image" } as const;
    const beside = await writer.apply(
      [
        { ...page, path: "a/default.md" },
        { ...media, path: "a/x.png" },
      ],
      { rights },
    );
    assert.deepEqual(
      beside.map(({ code, status }) => code ?? status),
      ["skipped", "ERR_CONTENT_FORBIDDEN"],
    );
    const restored = await writer.apply(
      [
        { ...page, path: "b/default.md", isNew: true },
        { ...media, path: "b/x.png", isNew: true },
      ],
      { rights },
    );
    assert.deepEqual(
      restored.map(({ status }) => status),
      ["created", "created"],
    );
  });

  it("validates a text together with its merged front matter", async () => {
    const write = { op: "write", path: "a.md", content: "---\ntitle: A\n---\nText.\n" } as const;
    const [result] = await writer.apply([{ ...write, patch: { status: "draft" } }], {
      rights: rightsWithout("publish"),
    });
    assert.deepEqual([result?.status, result?.publishes], ["created", false]);
    assert.equal(await read("a.md"), "---\ntitle: A\nstatus: draft\n---\nText.\n");
  });

  it("changes the front matter of every format that is text", async () => {
    const formats = new Set([...contentRules.formats, "rst"]);
    const rules = () => ({ ...contentRules, root, formats });
    const write = async (work: () => Promise<unknown>): Promise<void> => void (await work());
    const changed = new ContentWriter({ rules, write, now: () => 0 });
    const [text, code] = await changed.apply(
      [
        { op: "frontmatter", path: "a.rst", patch: { title: "A" } },
        { op: "frontmatter", path: "a.tsx", patch: { title: "A" } },
      ],
      {},
    );
    assert.deepEqual([text?.status, code?.code], ["created", "ERR_CONTENT_PATCH"]);
    assert.equal(await read("a.rst"), "---\ntitle: A\n---\n");
  });

  it("deletes only the given version", async () => {
    await put("content/a.md", "# A");
    const remove = (text: string) =>
      writer.apply([{ op: "delete", path: "a.md", ifHash: digest(text) }], {});
    const [conflict] = await remove("# B");
    assert.deepEqual([conflict?.code, conflict?.hash], ["ERR_CONTENT_CONFLICT", digest("# A")]);
    assert.equal((await remove("# A"))[0]?.status, "deleted");
  });

  it("creates, updates, skips, deletes and moves", async () => {
    const results = await writer.apply(
      [
        { op: "write", path: "01.a/default.md", content: "# A" },
        { op: "write", path: "01.a/default.md", content: "# A" },
        { op: "write", path: "01.a/default.md", content: "# B" },
        { op: "write", path: "01.a/pic.png", content: Buffer.from([1, 2]) },
        { op: "move", path: "01.a", to: "02.b/c" },
        { op: "delete", path: "02.b/c/pic.png" },
      ],
      {},
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ["created", "skipped", "updated", "created", "moved", "deleted"],
    );
    assert.equal(await read("02.b/c/default.md"), "# B");
    assert.equal(results[2]?.hash, digest("# B"));
    assert.deepEqual(await readdir(root), ["02.b"]);
    assert.deepEqual(refreshed, [
      ["01.a/default.md", "01.a/default.md", "01.a/pic.png", "01.a", "02.b/c", "02.b/c/pic.png"],
    ]);
  });

  it("rejects paths outside the content folder or hidden ones, and applies the rest", async () => {
    await put("site.yaml", "title: T");
    await put("data/users/x.json", "{}");
    await symlink(join(base, "data"), join(root, "link"));
    await symlink(join(base, "site.yaml"), join(root, "site-link.md"));
    await put("content/file.md", "# File");
    const before = await tree();
    const paths = [
      "",
      ".",
      "..",
      "../site.yaml",
      "a/../../site.yaml",
      "/etc/passwd",
      "C:\\x.md",
      "C:/x.md",
      "~/x.md",
      "~root",
      "a\0.md",
      "a\\b.md",
      "a/",
      "a//b.md",
      "./a.md",
      ".git/hooks/post-commit",
      ".env",
      "a/.env",
      "link/users/x.json",
      "link/new.md",
      "site-link.md",
      "content/../../site.yaml",
      "a\nb.md",
      `${"a".repeat(300)}.md`,
      "a/".repeat(600),
      "a/".repeat(100) + "b.md",
      "ü".repeat(128),
      "node_modules/x.md",
      "x.md~",
      "file.md/new.md",
      "data/accounts.yaml",
    ];
    for (const path of paths) {
      for (const change of [
        { op: "write", path, content: "# X" },
        { op: "delete", path },
        { op: "frontmatter", path, patch: { a: 1 } },
        { op: "move", path, to: "b.md" },
        { op: "move", path: "none.md", to: path },
      ] satisfies ContentChange[]) {
        const [result] = await writer.apply([change], {});
        assert.equal(result?.status, "error", JSON.stringify(change));
        assert.equal(result.errors.length, 1);
        assert.equal(result.errors[0]?.includes(base), false);
      }
    }
    assert.deepEqual(await tree(), before);
    const results = await writer.apply(
      [
        { op: "write", path: "../x.md", content: "" },
        { op: "write", path: "ok.md", content: "# OK" },
      ],
      {},
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ["error", "created"],
    );
  });

  it("accepts names of 255 bytes and paths of 100 levels", async () => {
    for (const path of [`${"a".repeat(252)}.md`, `${"a/".repeat(99)}b.md`, "_drafts/ü b.md"]) {
      const [result] = await writer.apply([{ op: "write", path, content: "" }], { dryRun: true });
      assert.equal(result?.status, "created", path);
    }
  });

  it("replaces a hard link instead of writing through it", async () => {
    await put("outside.md", "# Outside");
    await link(join(base, "outside.md"), join(root, "hard.md"));
    await writer.apply([{ op: "write", path: "hard.md", content: "# Mine" }], {});
    assert.equal(await readFile(join(base, "outside.md"), "utf8"), "# Outside");
  });

  it("applies changes of one path in order", async () => {
    const write = (content: string): ContentChange => ({ op: "write", path: "a.md", content });
    await writer.apply([write("1"), { op: "delete", path: "a.md" }, write("2")], {});
    assert.equal(await read("a.md"), "2");
  });

  it("rejects prototype pollution, and deletes by null", async () => {
    await put(
      "content/a.md",
      "---\n# kept\ntitle: A # why\nold: 1\nnested:\n  x: 1\n  y: 2\n---\nbody\n",
    );
    const bad: unknown[] = [
      JSON.parse('{"__proto__":{"polluted":1}}'),
      { constructor: { prototype: { polluted: 1 } } },
      { a: [{ prototype: 1 }] },
      { a: new Date() },
      { a: () => 1 },
      { a: undefined },
    ];
    for (const patch of bad) {
      assert.ok(patch !== null && typeof patch === "object");
      const [result] = await writer.apply(
        [{ op: "frontmatter", path: "a.md", patch: { ...patch } }],
        {},
      );
      assert.equal(result?.status, "error", String(Object.keys(patch)));
    }
    await writer.apply(
      [
        {
          op: "frontmatter",
          path: "a.md",
          patch: { old: null, title: "B", nested: { x: null, z: 3 }, tags: ["a"] },
        },
      ],
      {},
    );
    assert.equal(
      await read("a.md"),
      "---\n# kept\ntitle: B # why\nnested:\n  y: 2\n  z: 3\ntags:\n  - a\n---\nbody\n",
    );
    assert.equal(Reflect.get({}, "polluted"), undefined);
  });

  it("creates the page when front matter of a missing one is patched", async () => {
    const [result] = await writer.apply(
      [{ op: "frontmatter", path: "n.md", patch: { title: "N" } }],
      {},
    );
    assert.equal(result?.status, "created");
    assert.equal(await read("n.md"), "---\ntitle: N\n---\n");
  });

  it("keeps the line ends and the body's bytes of a patched file", async () => {
    await put("content/a.md", "\ufeff---\r\ntitle: A\r\n---\r\nbody\r\n\tx  ");
    await writer.apply([{ op: "frontmatter", path: "a.md", patch: { b: 1 } }], {});
    assert.equal(await read("a.md"), "\ufeff---\r\ntitle: A\r\nb: 1\r\n---\r\nbody\r\n\tx  ");
  });

  it("loses none of fifty concurrent patches", async () => {
    await put("content/a.md", "---\ntitle: A\n---\n");
    const keys = Array.from({ length: 50 }, (_, at) => `key${at}`);
    await Promise.all(
      keys.map((key) =>
        writer.apply([{ op: "frontmatter", path: "a.md", patch: { [key]: true } }], {}),
      ),
    );
    const text = await read("a.md");
    for (const key of keys) assert.ok(text.includes(`${key}: true`), key);
  });

  it("saves a page before its folder moves, or not at all", async () => {
    const [before, after] = ["# Before", "# After"];
    for (let round = 0; round < 30; round += 1) {
      await put("content/blog/deep/post.md", before);
      const ifHash = digest(before);
      const saves = Array.from({ length: round % 4 }, (_, at) => `blog/deep/other-${at}.md`).map(
        (path): ContentChange => ({ op: "write", path, content: "x" }),
      );
      const save = { op: "write", path: "blog/deep/post.md", content: after, ifHash } as const;
      const [[saved]] = await Promise.all([
        writer.apply([save], {}),
        writer.apply([...saves, { op: "move", path: "blog", to: "news" }], {}),
      ]);
      assert.equal(await read("news/deep/post.md"), saved?.status === "updated" ? after : before);
      assert.deepEqual(await readdir(root), ["news"]);
      await rm(join(root, "news"), { recursive: true });
    }
  });

  it("rejects a write over a newer version", async () => {
    await put("content/a.md", "# Now");
    const [stale] = await writer.apply(
      [{ op: "write", path: "a.md", content: "# Mine", ifHash: digest("# Then") }],
      {},
    );
    assert.deepEqual(
      [stale?.status, stale?.code, stale?.hash],
      ["error", "ERR_CONTENT_CONFLICT", digest("# Now")],
    );
    const [fresh] = await writer.apply(
      [{ op: "write", path: "a.md", content: "# Mine", ifHash: digest("# Now") }],
      {},
    );
    assert.equal(fresh?.status, "updated");
  });

  for (const [what, content] of [
    ["an alias bomb", `---\na: &a [x,x,x]\nb: &b [${"*a,".repeat(150)}*a]\n---\n`],
    ["a tag that would run code", '---\na: !!js/function "function(){}"\n---\n'],
    ["a tag of its own", "---\na: !custom x\n---\n"],
    ["a key twice", "---\ntitle: a\ntitle: b\n---\n"],
    ["__proto__", "---\n__proto__: {a: 1}\n---\n"],
    ["broken YAML", "---\na: [\n---\n"],
    ["a rule for roles that means nothing", "---\nroles: 5\n---\n"],
    ["more than 5 MB", "x".repeat(5 * 1024 * 1024 + 1)],
    ["NUL bytes", "a\0b"],
  ] as const) {
    it(`rejects ${what} before anything is written`, async () => {
      const [result] = await writer.apply([{ op: "write", path: "a.md", content }], {});
      assert.equal(result?.status, "error");
      assert.deepEqual(await readdir(root), []);
      assert.deepEqual(refreshed, []);
    });
  }

  it("stores exactly the given bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 40 }), async (text) => {
        const content = `---\ntitle: x\n---\n${text.replaceAll("\0", "")}`;
        const [result] = await writer.apply([{ op: "write", path: "a.md", content }], {});
        assert.notEqual(result?.status, "error");
        assert.equal(await read("a.md"), content);
      }),
      { numRuns: 50 },
    );
  });

  it("writes nothing in a dry run, with the results of a real one", async () => {
    const path = fc.constantFrom("a.md", "b.md", "d/a.md", "d/b.png", "../x.md");
    const change: fc.Arbitrary<ContentChange> = fc.oneof(
      fc.record({
        op: fc.constant("write" as const),
        path,
        content: fc.constantFrom("# 1", "# 2", "---\na: [\n---\n"),
      }),
      fc.record({ op: fc.constant("delete" as const), path }),
      fc.record({
        op: fc.constant("frontmatter" as const),
        path,
        patch: fc.constantFrom({ k: 1 }, { k: null }),
      }),
      fc.record({
        op: fc.constant("move" as const),
        path,
        to: fc.constantFrom("c.md", "e/f.md", "a.md"),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        await rm(root, { recursive: true });
        await put("content/a.md", "# 1");
        const before = await tree();
        const dry = await writer.apply(changes, { dryRun: true });
        assert.deepEqual(await tree(), before);
        const real = await writer.apply(changes, {});
        assert.deepEqual(dry, real);
      }),
      { numRuns: 60 },
    );
  });
});
