import assert from "node:assert/strict";
import { readYaml } from "#lib/yaml";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";

const YAML = `---
title: 1.10
tags: [2.0, 007, 1e3, 1_000]
version: 1.20
hex: 0x1F
isbn: 1234567890123456789
zip: 01234
answer: yes
time: 12:30
day: 2026-01-02
count: 12
---
Text
`;
const EXPECTED = {
  version: "1.20",
  hex: "0x1F",
  isbn: "1234567890123456789",
  zip: "01234",
  answer: "yes",
  time: "12:30",
  day: "2026-01-02",
  count: 12,
};

describe("numbers in the files of other systems", () => {
  const matterOf = (text: string): unknown => readYaml(text.split("---\n")[1] ?? "").values;

  it("keep their texts in YAML", async () => {
    const sources = [
      ["jekyll", "jekyll.md", "jekyll/default.md"],
      ["eleventy", "eleventy.md", "eleventy/default.md"],
      ["hugo", "content/hugo.md", "hugo/default.md"],
      ["mkdocs", "docs/mkdocs.md", "mkdocs/docs.md"],
      ["docusaurus", "docs/docusaurus.md", "docs/docusaurus/docs.md"],
      ["obsidian", "obsidian.md", "obsidian/default.md"],
    ] as const;
    const files = sources.map(([source, path]) => [`${source}/${path}`, YAML] as const);
    const site = await bootEmpty(Object.fromEntries(files));
    try {
      for (const [source, , to] of sources) {
        await runImport(site, [source, source]);
        const { title, taxonomy, custom } = Object(matterOf(await contentOf(site, to)));
        assert.deepEqual(
          { title, tag: taxonomy.tag, custom },
          { title: "1.10", tag: ["2.0", "007", "1e3", "1_000"], custom: EXPECTED },
          source,
        );
      }
    } finally {
      await site.close();
    }
  });

  it("keep their texts: YAML of grav", async () => {
    const site = await bootEmpty({ "old/user/pages/one/default.md": YAML });
    try {
      await runImport(site, ["grav", "old"]);
      assert.match(
        await contentOf(site, "one/default.md"),
        /^title: "1\.10"$[^]*"?version"?: "1\.20"$/m,
      );
    } finally {
      await site.close();
    }
  });

  it("keep their texts in TOML and JSON, and switches of YAML 1.1 hide pages", async () => {
    const site = await bootEmpty({
      "old/content/toml.md":
        '+++\ntitle = "T"\nversion = 1.20\nlist = [1.0, 2]\ntext = "= 1.0,"\n[params]\nx = 3.50 # 3.60\n+++\n',
      "old/content/json.md": '{\n"title": "J", "version": 1.20, "isbn": 1234567890123456789\n}\n',
      "old/content/off.md": "---\ntitle: Off\ndraft: yes\n---\n",
      "old/content/out.md": "---\ntitle: Out\npublished: no\n---\n",
    });
    try {
      await runImport(site, ["hugo", "old"]);
      const custom = async (name: string): Promise<unknown> =>
        Object(matterOf(await contentOf(site, `${name}/default.md`))).custom;
      assert.deepEqual(await custom("toml"), {
        version: "1.20",
        list: ["1.0", 2],
        text: "= 1.0,",
        params: { x: "3.50" },
      });
      assert.deepEqual(await custom("json"), { version: "1.20", isbn: "1234567890123456789" });
      assert.match(await contentOf(site, "off/default.md"), /status: draft/);
      assert.match(await contentOf(site, "out/default.md"), /published: false/);
    } finally {
      await site.close();
    }
  });

  it("keep their texts in fields of a text kind of records", async () => {
    const site = await bootEmpty({
      "flex-objects/car.yaml":
        "fields: { model: { type: text }, code: { type: text }, price: { type: number } }\n",
      "cars.json": '[{ "id": "a", "model": 1.10, "code": 1234567890123456789, "price": 2.50 }]',
      "cars.csv": "id,model,code,price\nb,1.10,01234,2.50\n",
    });
    try {
      for (const [source, code] of [
        ["json", "1234567890123456789"],
        ["csv", "01234"],
      ] as const) {
        await runImport(site, [source, `cars.${source}`], { type: "car" });
        const all = await site.site.context("check").use("flex").all("car");
        const found = all.find((record) => record["code"] === code);
        assert.deepEqual([found?.["model"], found?.["price"]], ["1.10", 2.5]);
      }
    } finally {
      await site.close();
    }
  });
});
