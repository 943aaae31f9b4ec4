import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { JsonFile, type JsonElement } from "../../../plugins/import/sources/read-json.js";
import { useFolder } from "../../support/folder.js";

const ROWS = ["{[{{["];

describe("reading a JSON file in parts", () => {
  const folder = useFolder();
  const read = async (
    text: string,
    { places = ["["], wants = (_: string): boolean => true } = {},
  ): Promise<{ found: JsonElement[]; outline: unknown }> => {
    const path = join(folder.path, "source");
    await writeFile(path, text);
    const file = new JsonFile(path);
    const found: JsonElement[] = [];
    for await (const element of file.elements({ places, wants })) found.push(element);
    return { found, outline: file.outline };
  };

  it("yields what JSON.parse has, over all borders between parts", async () => {
    const nasty = ['"]}{[', "\\", '\\"', "ä€😀", "\n\t", "x".repeat(997)];
    const rows = Array.from({ length: 4_000 }, (_, at) => ({
      [`k${at % 7}`]: nasty[at % nasty.length],
      deep: [[{ a: nasty[(at * 5) % nasty.length] }], {}, [], at, null, true],
    }));
    for (const indent of [0, 2]) {
      const { found, outline } = await read(JSON.stringify(rows, null, indent));
      assert.deepEqual(
        found.map(({ value }) => value),
        rows,
      );
      assert.deepEqual(
        outline,
        rows.map(() => ({})),
      );
    }
  });

  it("names the list and the line of each object, and skips lists", async () => {
    const text = `\uFEFF{ "db": [ { "meta": {}, "data": {\n"posts": [ {\n"id": 1 }, { "id": 2 } ],\n"tags" : [\n{ "id": 3 } ] } } ] }`;
    const { found, outline } = await read(text, { places: ROWS });
    assert.deepEqual(
      found.map(({ list, value, line }) => [list, value, line]),
      [
        ["posts", { id: 1 }, 2],
        ["posts", { id: 2 }, 3],
        ["tags", { id: 3 }, 5],
      ],
    );
    const data = { posts: [{}, {}], tags: [{}] };
    assert.deepEqual(outline, { db: [{ meta: {}, data }] });
    const some = await read(text, { places: ROWS, wants: (list) => list === "tags" });
    assert.deepEqual(
      some.found.map(({ value }) => value),
      [{ id: 3 }],
    );
    assert.deepEqual(some.outline, outline);
  });

  it("leaves what is no object in the outline", async () => {
    const { found, outline } = await read('[1, "}", {"a": 2}, [{"b": 3}], null]');
    assert.deepEqual(
      found.map(({ value }) => value),
      [{ a: 2 }],
    );
    assert.deepEqual(outline, [1, "}", {}, [{ b: 3 }], null]);
  });

  for (const [what, text, line] of [
    ["in an object", '[{"a": 1},\n{"b": }]', 2],
    ["between objects", '[{"a":\n1}\n{"b": 2}]', 3],
    ["that ends in an object", '[{"a": 1}, {"b": ', 1],
    ["that ends in a text", '[{"a": "b', 1],
    ["with brackets of another kind", '[{"a": 1]', 1],
    ["with too many brackets", "[]]", 1],
    ["that is empty", "", 1],
    ["deep down", "[".repeat(2_000), 1],
    ["deep down in an object", `[{"a": ${"[".repeat(2_000)}`, 1],
  ] as const) {
    it(`rejects invalid JSON ${what}, with file and line`, async () => {
      await assert.rejects(read(text), (error: Error & { code?: string }) => {
        assert.equal(error.code, "ERR_IMPORT_SOURCE");
        assert.match(error.message, new RegExp(`^source:${line}: `));
        return true;
      });
    });
  }
});
