import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type BootOptions, type TestSite } from "../../../support/sites/boot-site.js";
import { useFolder } from "../../../support/folder.js";
import { until } from "../../../support/until.js";

const PLUGINS = ["content"];
const POST = `
title: Blog post
template: default
children: [comment]
parents: [blog]
status: draft
naming: { slug: title, prefix: date }
columns: [title, price]
show: [price]
fields:
  title: { type: text, required: true }
  price: { type: number, label: Price }
`;

async function withBlueprints(
  files: Readonly<Record<string, string>>,
  work: (site: TestSite, blueprints: ReturnType<typeof blueprintsOf>) => void | Promise<void>,
  options: BootOptions = {},
): Promise<void> {
  const site = await bootSite({ files, plugins: PLUGINS, ...options });
  try {
    await work(site, blueprintsOf(site));
  } finally {
    await site.close();
  }
}

function blueprintsOf({ site }: TestSite) {
  return site.context("test").use("content").blueprints;
}

describe("blueprints", () => {
  it("describe the pages of a template", async () => {
    await withBlueprints({ "blueprints/post.yaml": POST }, (_site, blueprints) => {
      const { fields, ...post } = blueprints.of("post") ?? assert.fail();
      assert.deepEqual(post, {
        name: "post",
        title: "Blog post",
        template: "default",
        children: ["comment"],
        parents: ["blog"],
        status: "draft",
        naming: { slug: "title", prefix: "date" },
        columns: ["title", "price"],
        show: ["price"],
      });
      assert.deepEqual(
        fields.map(({ name, type, label }) => [name, type, label]),
        [
          ["title", "text", "title"],
          ["price", "number", "Price"],
        ],
      );
      assert.deepEqual(blueprints.problems, []);
      assert.equal(blueprints.of("default"), undefined);
    });
  });

  it("are none on a site without the folder", async () => {
    await withBlueprints({}, (_site, blueprints) => {
      assert.deepEqual([blueprints.list(), blueprints.blocks()], [[], []]);
      assert.deepEqual([blueprints.problems, blueprints.version], [[], 0]);
    });
  });

  it("extend each other, and remove inherited fields", async () => {
    const files = {
      "blueprints/base.yaml":
        "template: default\nfields:\n  a: { type: text }\n  b: { type: text }\n",
      "blueprints/middle.yaml": "extends: base\nstatus: draft\nfields:\n  b: { type: number }\n",
      "blueprints/top.yaml": "extends: middle\nfields:\n  a: false\n  c: { type: date }\n",
    };
    await withBlueprints(files, (_site, blueprints) => {
      const top = blueprints.of("top") ?? assert.fail();
      assert.deepEqual(
        top.fields.map(({ name, type }) => [name, type]),
        [
          ["b", "number"],
          ["c", "date"],
        ],
      );
      assert.deepEqual([top.title, top.template, top.status], ["top", "default", "draft"]);
      assert.deepEqual(blueprints.problems, []);
    });
  });

  it("name the blocks that fields of kind blocks accept", async () => {
    const files = {
      "blueprints/blocks/hero.yaml":
        "label: Hero\nfields:\n  heading: { type: text, required: true }\n",
    };
    await withBlueprints(files, ({ site }, blueprints) => {
      const [hero] = blueprints.blocks();
      assert.deepEqual([hero?.name, hero?.label, hero?.fields.length], ["hero", "Hero", 1]);
      assert.deepEqual(blueprints.list(), []);
      const { fieldKinds } = site.context("test").use("content");
      const kind = fieldKinds.get("blocks") ?? assert.fail();
      assert.ok(kind);
    });
  });

  it("make a file of their name the page of its folder, without a theme template", async () => {
    const files = {
      "blueprints/author.yaml": "fields: {}\n",
      "content/authors/ines/author.md": "# Ines\n",
    };
    await withBlueprints(files, ({ site }) => {
      const { entries } = site.context("test").use("content").generation();
      assert.deepEqual(
        entries.map(({ route, template }) => [route, template]),
        [["/authors/ines", "author"]],
      );
    });
  });

  describe("with a mistake", () => {
    const mistakes: [title: string, text: string, found: Record<string, unknown>][] = [
      [
        "an unknown kind",
        "fields:\n  a: { type: emial }\n",
        { line: 2, key: "fields.a.type", value: '"emial"' },
      ],
      ["an unknown key", "feilds: {}\n", { line: 1, key: "feilds", fix: "did you mean fields?" }],
      [
        "another type of value",
        "title: A\nchildren: post\n",
        { line: 2, key: "children", value: '"post"' },
      ],
      ["an unknown status", "status: hidden\n", { line: 1, key: "status", value: '"hidden"' }],
      ["itself as base", "extends: mistake-4\n", { line: 1, key: "extends", value: '"mistake-4"' }],
      ["an unknown base", "extends: pag\n", { line: 1, key: "extends", value: '"pag"' }],
      [
        "a prototype name as field",
        "fields:\n  __proto__: { type: text }\n",
        { line: 2, key: "__proto__" },
      ],
      [
        "another reserved name",
        "fields:\n  constructor: { type: text }\n",
        { line: 2, key: "constructor" },
      ],
      ["a template that is a path", "template: ../../secret\n", { line: 1, key: "template" }],
    ];
    it("report file, line, key and fix, and leave other types as they are", async () => {
      const files = mistakes.map(([, text], at) => [`blueprints/mistake-${at}.yaml`, text]);
      const all = { ...Object.fromEntries(files), "blueprints/post.yaml": POST };
      await withBlueprints(all, (_site, blueprints) => {
        assert.equal(blueprints.problems.length, mistakes.length);
        for (const [at, [title, , found]] of mistakes.entries()) {
          const path = `blueprints/mistake-${at}.yaml`;
          const problem = blueprints.problems.find(({ sourcePath }) => sourcePath === path);
          assert.deepEqual({ ...problem, ...found }, problem, title);
          assert.ok(problem?.fix, title);
          assert.ok(blueprints.of(`mistake-${at}`), title);
        }
        assert.equal(blueprints.of("post")?.fields.length, 2);
      });
    });

    it("report a syntax error, and a cycle once per file", async () => {
      const files = {
        "blueprints/broken.yaml": "title: [\n",
        "blueprints/a.yaml": "extends: b\n",
        "blueprints/b.yaml": "extends: a\n",
        "blueprints/c.yaml": "extends: a\nfields:\n  c: { type: text }\n",
      };
      await withBlueprints(files, (_site, blueprints) => {
        assert.deepEqual(
          blueprints.problems.map(({ sourcePath, key }) => [sourcePath, key]),
          [
            ["blueprints/broken.yaml", undefined],
            ["blueprints/a.yaml", "extends"],
            ["blueprints/b.yaml", "extends"],
          ],
        );
        assert.equal(blueprints.of("broken"), undefined);
        assert.equal(blueprints.of("c")?.fields.length, 1);
      });
    });

    const outside = useFolder();

    it("do not read what is too large, too deep, too many, or outside the site", async () => {
      await writeFile(join(outside.path, "secret.yaml"), "title: Secret\n");
      let deep = "type: text";
      for (let at = 0; at < 20; at += 1) deep = `type: object, fields: { a: { ${deep} } }`;
      const many = Array.from({ length: 600 }, (_, at) => `  f${at}: { type: text }\n`).join("");
      const site = await bootSite({
        plugins: PLUGINS,
        files: {
          "blueprints/deep.yaml": `fields: { a: { ${deep} } }\n`,
          "blueprints/large.yaml": `# ${"x".repeat(300_000)}\n`,
          "blueprints/many.yaml": `fields:\n${many}`,
          "blueprints/a b.yaml": "title: A\n",
          "blueprints/constructor.yaml": "title: A\n",
        },
      });
      try {
        await symlink(join(outside.path, "secret.yaml"), join(site.root, "blueprints/link.yaml"));
        await mkdir(join(site.root, "blueprints/folder.yaml"));
        const blueprints = blueprintsOf(site);
        const has = (name: string): boolean =>
          blueprints.problems.some(({ sourcePath }) => sourcePath === `blueprints/${name}.yaml`);
        await until(() => has("link") && has("folder"));
        for (const name of ["deep", "large", "many", "a b", "constructor"])
          assert.ok(has(name), name);
        assert.deepEqual(
          blueprints.list().map(({ name, fields }) => [name, fields.length]),
          [
            ["deep", 1],
            ["many", 0],
          ],
        );
      } finally {
        await site.close();
      }
    });
  });

  describe("that change while the site runs", () => {
    it("are read again", async () => {
      await withBlueprints({ "content/a/note.md": "# A\n" }, async ({ root, site }, blueprints) => {
        const routes = (): string[] =>
          site
            .context("test")
            .use("content")
            .generation()
            .entries.map(({ route }) => route);
        assert.deepEqual(routes(), ["/a/note"]);
        await mkdir(join(root, "blueprints/blocks"), { recursive: true });
        await writeFile(join(root, "blueprints/note.yaml"), "title: Note\n");
        await until(() => blueprints.of("note")?.title === "Note");
        await until(() => routes()[0] === "/a");
        const { version } = blueprints;
        await writeFile(join(root, "blueprints/note.yaml"), "title: [\n");
        await until(() => blueprints.problems.length === 1);
        assert.equal(blueprints.of("note")?.title, "Note");
        await writeFile(join(root, "blueprints/note.yaml"), "title: Text\n");
        await until(() => blueprints.of("note")?.title === "Text");
        assert.deepEqual(blueprints.problems, []);
        assert.equal(blueprints.version, version + 1);
        await writeFile(join(root, "blueprints/blocks/hero.yaml"), "label: Hero\n");
        await until(() => blueprints.blocks().length === 1);
        await rm(join(root, "blueprints"), { recursive: true });
        await until(() => blueprints.list().length === 0);
        await until(() => routes()[0] === "/a/note");
      });
    });

    it("drop what was made from them", async () => {
      await withBlueprints({ "blueprints/note.yaml": "" }, async ({ root, site }, blueprints) => {
        let dropped = 0;
        site.context("test").changes.react("test", ({ tags }) => {
          if (tags === null) dropped += 1;
        });
        await writeFile(join(root, "blueprints/note.yaml"), "title: Text\n");
        await until(() => blueprints.of("note")?.title === "Text");
        await until(() => dropped === 1);
      });
    });
  });
});
