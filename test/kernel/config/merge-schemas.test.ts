import assert from "node:assert/strict";
import * as z from "zod";
import { mergeSchemas } from "../../../kernel/config/merge-schemas.js";
import { SiteError } from "#lib/errors";

const content = {
  name: "content",
  settings: {
    system: z.object({
      content: z
        .strictObject({ dir: z.string().default("content") })
        .describe("Content")
        .prefault({}),
    }),
  },
};
const markdown = {
  name: "markdown",
  settings: {
    system: z.object({
      content: z
        .object({ markdown: z.strictObject({ extra: z.boolean().default(true) }).prefault({}) })
        .prefault({}),
    }),
  },
};

describe("merged schemas", () => {
  for (const owners of [
    [content, markdown],
    [markdown, content],
  ]) {
    it(`let one plugin add to another's object (${owners.map(({ name }) => name).join(", ")})`, () => {
      const { system } = mergeSchemas(owners);
      assert.deepEqual(system.parse({}), {
        content: { dir: "content", markdown: { extra: true } },
      });
      assert.equal(system.safeParse({ content: { other: 1 } }).success, false);
    });
  }

  it("keep the description of the object", () => {
    const { system } = mergeSchemas([markdown, content]);
    assert.match(JSON.stringify(z.toJSONSchema(system)), /"description":"Content"/);
  });

  it("are strict at the top level of each file", () => {
    const { site, admin } = mergeSchemas([content]);
    assert.equal(site.safeParse({ x: 1 }).success, false);
    assert.equal(admin.safeParse({}).success, true);
  });

  it("reject a key that two plugins declare, at any depth", () => {
    const twin = {
      name: "twin",
      settings: { system: z.object({ content: z.object({ dir: z.string() }) }) },
    };
    assert.throws(
      () => mergeSchemas([content, twin]),
      (error) =>
        error instanceof SiteError &&
        error.code === "ERR_CONFIG_KEY_TAKEN" &&
        /content\.dir.*content.*twin/.test(error.message),
    );
  });
});
