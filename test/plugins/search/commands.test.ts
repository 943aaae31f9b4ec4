import assert from "node:assert/strict";
import type { CommandInput, Output } from "#kernel";
import { commands } from "../../../plugins/search/commands.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const plain = (text: string): string => text;

describe("search commands", () => {
  let site: TestSite;
  let lines: string[] = [];
  const out: Output = {
    line: (text = "") => void lines.push(text),
    json: (value) => void lines.push(JSON.stringify(value)),
    error: (text) => void lines.push(`error: ${text}`),
    progress: () => ({ tick: () => undefined, end: () => undefined }),
    colour: { bold: plain, dim: plain, green: plain, red: plain, yellow: plain, cyan: plain },
  };
  const run = (name: string, args: string[], options: Record<string, unknown> = {}) => {
    const input: CommandInput = {
      args,
      options,
      out,
      root: site.root,
      site: async () => site.site.context("search"),
    };
    return Promise.resolve(commands.find((command) => command.name === name)?.run(input));
  };
  beforeEach(async () => {
    lines = [];
    site = await bootSite({
      plugins: ["content", "markdown", "search", "search-lunr", "pages"],
      env: { SITE_ENV: "production" },
      files: {
        "content/01.apple/default.md": "# Apple\n\nAn apple a day.",
        "content/02.pear/default.md": "# Pear\n\nNo apple.",
      },
    });
  });
  afterEach(() => site.close());

  it("search prints results with their scores and exits with 0, or with 1 without results", async () => {
    assert.equal(await run("search", ["apple"]), 0);
    assert.match(
      lines.join("\n"),
      /2 results, engine builtin[\s\S]*10\.0 {2}Apple {2}\/[\s\S]*1\.0 {2}Pear {2}\/pear/,
    );
    assert.equal(await run("search", ["zebra"]), 1);
  });
  it("search:test exits with 1 when a golden query misses a page, with 2 without a valid file", async () => {
    assert.equal(await run("search:test", []), 2);
    assert.match(lines.join(), /search\/golden\.yaml does not exist/);
    await site.write("search/golden.yaml", "- { query: apple, expect: [/, /pear], within: 2 }\n");
    assert.equal(await run("search:test", []), 0);
    await site.write(
      "search/golden.yaml",
      "- { query: apple, expect: [/pear], within: 1 }\n- { query: pear, expect: [/pear] }\n",
    );
    lines = [];
    assert.equal(await run("search:test", []), 1);
    assert.deepEqual(lines, [
      "apple: /pear not within the first 1: /",
      "1 of 2 queries find what they should",
    ]);
    lines = [];
    await run("search:test", [], { json: true });
    assert.equal(JSON.parse(lines.join()).failed, 1);
    for (const [text, message] of [
      ["- { query: apple, expect: pear }\n", /golden\.yaml {2}0\.expect/],
      ["- query: [\n", /golden\.yaml:[12] /],
    ] as const) {
      lines = [];
      await site.write("search/golden.yaml", text);
      assert.equal(await run("search:test", []), 2);
      assert.match(lines.join(), message);
    }
  });
  it("search --explain prints which term matched which field, and the points", async () => {
    await run("search", ["apple", "day"], { explain: true });
    assert.match(
      lines.join("\n"),
      /apple: title 1× = 3, body 2× = 2[\s\S]*day: body 1× = 1[\s\S]*× 1\.5/,
    );
  });
  it("search:compare shows that two engines agree over the logged queries", async () => {
    for (const query of ["apple", "pear", "ap", "zebra"])
      await site.fetch(`/api/search?q=${query}`);
    assert.equal(await run("search:compare", ["builtin", "lunr"], { json: true }), 0);
    const rows = JSON.parse(lines[0] ?? "[]") as { overlap: number; sameOrder: boolean }[];
    assert.equal(rows.length, 4);
    assert.ok(rows.every(({ overlap, sameOrder }) => overlap === 1 && sameOrder));
  });
  it("search:compare exits with 2 for an unknown engine, naming the others, and without any query", async () => {
    await assert.rejects(run("search:compare", ["builtin", "solr"]), {
      exitCode: 2,
      fix: "use two of builtin, lunr",
    });
    await assert.rejects(run("search:compare", ["builtin", "lunr"]), { exitCode: 2 });
  });
});
