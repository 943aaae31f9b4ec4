import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  findMedia,
  isMediaFolder,
  isMediaName,
  listMedia,
  mediaUrl,
} from "../../../../plugins/content/read/media-listing.js";
import { contentRules } from "../../../support/content/content-tree.js";
import { useFolder } from "../../../support/folder.js";

const reserved = { ...contentRules, isReserved: (path: string) => path === "data" };

describe("isMediaName", () => {
  for (const name of ["a.png", "a", "a.md.png", "meta.yaml", "ü b.pdf"]) {
    it(`is true for ${name}`, () => assert.equal(isMediaName(name, contentRules), true));
  }
  for (const name of [
    "",
    ".env",
    "a.png~",
    "post.md",
    "page.tsx",
    "a.png.meta.yaml",
    "page.frontmatter.yaml",
    "../a.png",
    "a\\b.png",
    "a\u0000.png",
  ]) {
    it(`is false for ${JSON.stringify(name)}`, () => {
      assert.equal(isMediaName(name, contentRules), false);
    });
  }
});

describe("isMediaFolder", () => {
  for (const [folder, isServed] of [
    ["", true],
    ["01.blog/a", true],
    ["_hero", true],
    ["data", false],
    ["_drafts", false],
    ["a/_drafts/b", false],
    ["01._drafts", false],
    ["a/02._drafts/b", false],
    ["01._hero", true],
    [".git", false],
    ["a/../b", false],
    ["/a", false],
    ["a//b", false],
    ["a/", false],
    ["node_modules/x", false],
  ] as const) {
    it(`is ${isServed} for ${JSON.stringify(folder)}`, () => {
      assert.equal(isMediaFolder(folder, reserved), isServed);
    });
  }
});

describe("mediaUrl", () => {
  it("is encoded by segment", () => {
    assert.equal(mediaUrl("01.a/ü", "b c#.png"), "/content-media/01.a/%C3%BC/b%20c%23.png");
    assert.equal(mediaUrl("", "a.png"), "/content-media/a.png");
  });
});

describe("the media of a folder", () => {
  const folder = useFolder();
  const rules = () => ({ ...reserved, root: join(folder.path, "content") });

  beforeEach(async () => {
    const { root } = rules();
    await mkdir(join(root, "a/sub"), { recursive: true });
    await mkdir(join(root, "data"));
    const files = {
      "a/post.md": "# Post",
      "a/b.png": "12345",
      "a/b.png.meta.yaml": "alt: A picture",
      "a/a.unknown-type": "x",
      "a/.env": "SECRET=1",
      "data/secret.png": "x",
      "../outside.png": "x",
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  });

  it("are empty for a folder that is missing, reserved, or above the root", async () => {
    for (const name of ["gone", "data", "..", "a/post.md"]) {
      assert.deepEqual(await listMedia(name, rules()), { items: [], problems: [] }, name);
    }
  });

  it("remain when a sidecar is broken, which is reported with its line", async () => {
    await writeFile(join(rules().root, "a/b.png.meta.yaml"), "alt: x\nbad: a: b");
    const { items, problems } = await listMedia("a", rules());
    assert.deepEqual(items.at(-1)?.meta, {});
    const [problem] = problems;
    assert.equal(problem?.code, "ERR_CONTENT_SIDECAR");
    assert.equal(problem.sourcePath, "a/b.png.meta.yaml");
    assert.equal(problem.line, 2);
  });

  it("ignore a sidecar that is too large or a link", async () => {
    const sidecar = join(rules().root, "a/b.png.meta.yaml");
    await writeFile(sidecar, `alt: ${"x".repeat(70_000)}`);
    assert.deepEqual((await listMedia("a", rules())).items.at(-1)?.meta, {});
    await writeFile(join(folder.path, "secret.yaml"), "key: secret");
    await symlink(
      join(folder.path, "secret.yaml"),
      join(rules().root, "a/a.unknown-type.meta.yaml"),
    );
    assert.deepEqual((await listMedia("a", rules())).items[0]?.meta, {});
  });

  it("exclude links out of the root, or to hidden or reserved files", async () => {
    const { root } = rules();
    const targets = ["../outside.png", "a/.env", "data/secret.png", "a/post.md", "gone.png"];
    for (const [at, target] of targets.entries()) {
      await symlink(join(root, target), join(root, `a/link-${at}.png`));
      assert.equal(await findMedia("a", `link-${at}.png`, rules()), null, target);
    }
    await symlink(join(root, "a/b.png"), join(root, "a/sub/link.png"));
    assert.notEqual(await findMedia("a/sub", "link.png", rules()), null);
    assert.equal((await listMedia("a", rules())).items.length, 2);
  });
});
