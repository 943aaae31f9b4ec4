import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContentChange } from "../../../../plugins/content/contract.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const post = (price: string): string => `---\ntitle: A\nprice: ${price}\n---\n# A\n`;
const BLUEPRINTS = {
  "blueprints/blog.yaml": "children: [post]\n",
  "blueprints/post.yaml":
    "parents: [blog]\nfields:\n  title: { type: text, required: true }\n  price: { type: number, label: Price }\n",
};
const PAGES = {
  "content/index.md": "# Home\n",
  "content/02.blog/blog.md": "# Blog\n",
  "content/02.blog/good/post.md": post("12"),
  "content/02.blog/bad/post.md": post("dear"),
};

describe("pages with a blueprint", () => {
  let site: TestSite;
  const content = () => site.site.context("test").use("content");
  const entry = (path: string) => content().generation().bySource.get(path) ?? assert.fail(path);
  const violations = (path: string) => content().blueprints.violations(entry(path));
  const apply = async (change: ContentChange, options = {}) =>
    (await content().apply([change], options))[0] ?? assert.fail();
  before(async () => {
    site = await bootSite({ plugins: ["content"], files: { ...BLUEPRINTS, ...PAGES } });
  });
  after(() => site.close());

  it("are checked once per version", async () => {
    let checks = 0;
    const { frontmatter } = entry("02.blog/good/post.md");
    const kind = content().blueprints.of("post")?.fields[1]?.kind ?? assert.fail();
    const check = kind.check.bind(kind);
    Object.assign(kind, {
      check: (...given: Parameters<typeof check>) => {
        checks += 1;
        return check(...given);
      },
    });
    assert.equal(frontmatter["price"], 12);
    await violations("02.blog/good/post.md");
    await violations("02.blog/good/post.md");
    Object.assign(kind, { check });
    assert.equal(checks, 1);
  });

  it("report file, line, key, value and fix of what does not fit, and stay in the index", async () => {
    assert.deepEqual(await violations("02.blog/good/post.md"), []);
    const [{ fix, ...problem } = assert.fail(), ...more] = await violations("02.blog/bad/post.md");
    assert.deepEqual(more, []);
    assert.ok(fix);
    assert.deepEqual(problem, {
      sourcePath: "02.blog/bad/post.md",
      severity: "warning",
      code: "ERR_CONTENT_INVALID",
      message: "Price must be a number.",
      line: 3,
      key: "price",
      value: '"dear"',
    });
    assert.equal(content().view().page("/blog/bad")?.title, "A");
  });

  it("are not written when they do not fit", async () => {
    const path = "02.blog/good/post.md";
    const before = await readFile(join(site.root, "content", path), "utf8");
    const changes: ContentChange[] = [
      { op: "write", path, content: post("[1]") },
      { op: "write", path: "02.blog/new/post.md", content: "---\nprice: cheap\n---\n" },
      { op: "frontmatter", path, patch: { price: "cheap" } },
      { op: "write", path: "02.blog/new.md", content: "---\ntemplate: post\nprice: x\n---\n" },
    ];
    for (const change of changes) {
      const result = await apply(change);
      assert.deepEqual([result.status, result.code], ["error", "ERR_CONTENT_INVALID"]);
      const errors = result.validationErrors ?? [];
      assert.ok(
        errors.some(({ field }) => field === "price"),
        change.path,
      );
      assert.ok(errors.every(({ message }) => message !== ""));
    }
    assert.equal(await readFile(join(site.root, "content", path), "utf8"), before);
    const fitting = await apply({ op: "write", path, content: post("13") });
    assert.equal(fitting.status, "updated");
  });

  it("stand only where their blueprints allow it", async () => {
    const errors = async (path: string) =>
      (await apply({ op: "write", path, content: post("1") })).validationErrors ?? [];
    assert.deepEqual(await errors("02.blog/note/default.md"), [
      { field: "template", message: "default is not allowed below /blog: post." },
    ]);
    assert.deepEqual(await errors("post-page/post.md"), [
      { field: "template", message: "post must stand below blog, not default." },
    ]);
    assert.deepEqual(await errors("02.blog/third/post.md"), []);
    assert.deepEqual(await errors("02.blog/third/_part/text.md"), []);
    await site.write("content/02.blog/note/default.md", "# Note\n");
    await content().rebuild();
    assert.equal((await violations("02.blog/note/default.md"))[0]?.key, "template");
  });

  it("are written unchecked when asked, and free ones always", async () => {
    const path = "02.blog/good/post.md";
    const change: ContentChange = { op: "write", path, content: post("cheap") };
    assert.equal((await apply(change, { validate: false })).status, "updated");
    const free: ContentChange = { op: "write", path: "about.md", content: post("cheap") };
    assert.equal((await apply(free)).status, "created");
  });
});

describe("hostile values of declared fields", () => {
  it("are reported within limits, and the site answers", async () => {
    const block = (depth: number): unknown =>
      depth === 0 ? { type: "text" } : { type: "box", items: [block(depth - 1)] };
    const many = Array.from({ length: 10_000 }, () => ({ type: "nothing" }));
    const site = await bootSite({
      plugins: ["content"],
      files: {
        "blueprints/page.yaml": "fields:\n  parts: { type: blocks }\n",
        "blueprints/blocks/box.yaml": "fields:\n  items: { type: blocks }\n",
        "blueprints/blocks/text.yaml": "fields:\n  text: { type: text, required: true }\n",
        "content/deep/page.md": `---\nparts: ${JSON.stringify([block(45)])}\n---\n`,
        "content/wide/page.md": `---\nparts: [${"{ type: x }, ".repeat(3_000)}]\n---\n`,
        "content/odd/page.md": '---\nparts: { "constructor": 1, "toString": [] }\n---\n',
      },
    });
    try {
      const content = site.site.context("test").use("content");
      const { entries } = content.generation();
      const counts = await Promise.all(
        entries.map(async (entry) => (await content.blueprints.violations(entry)).length),
      );
      assert.deepEqual(
        counts.map((count) => count > 0 && count <= 100),
        [true, true, true],
      );
      const path = "wide/page.md";
      const [result] = await content.apply([{ op: "frontmatter", path, patch: { parts: many } }]);
      assert.equal(result?.status, "error");
    } finally {
      await site.close();
    }
  });
});
