import assert from "node:assert/strict";
import * as z from "zod";
import { createEnv } from "../../../kernel/config/env.js";
import { validateFile } from "../../../kernel/config/validate-file.js";

const schema = z.strictObject({
  title: z.string(),
  feed: z.strictObject({ items: z.int().default(20) }).prefault({}),
  rule: z
    .union([z.string(), z.strictObject({ src: z.string(), deep: z.int().optional() })])
    .optional(),
  must: z.strictObject({ be: z.int() }).optional(),
});
const validate = (data: Record<string, unknown>) =>
  validateFile({
    target: "site",
    layers: [
      {
        target: "site",
        file: "site.yaml",
        prefix: [],
        data,
        position: () => ({ line: 1, column: 1 }),
      },
    ],
    schema,
    env: createEnv({}),
    ownerOf: () => undefined,
    homeOf: () => undefined,
  });
const keys = (data: Record<string, unknown>) => validate(data).problems.map(({ key }) => key);

describe("validating a file", () => {
  it("keeps valid values, and replaces invalid ones with defaults", () => {
    const { settings, isComplete, faulty } = validate({
      title: "T",
      feed: { items: "x" },
      unknown: 1,
    });
    assert.deepEqual([settings, isComplete], [{ title: "T", feed: { items: 20 } }, true]);
    assert.deepEqual([...faulty], ["feed", "unknown"]);
  });

  it("runs the checks without a title", () => {
    assert.equal(validate({}).isComplete, true);
    assert.deepEqual(keys({}), ["title"]);
  });

  it("reports the invalid part of an alternative", () => {
    assert.deepEqual(keys({ title: "T", rule: { src: "x", deep: "y" } }), ["rule.deep"]);
    assert.deepEqual(keys({ title: "T", rule: { src: "x", dep: 1 } }), ["rule.dep"]);
    assert.deepEqual(keys({ title: "T", rule: 7 }), ["rule"]);
  });

  it("treats an empty key as its default, and as missing without one", () => {
    assert.deepEqual(keys({ title: "T", feed: null }), []);
    assert.deepEqual(keys({ title: "T", feed: { items: null } }), []);
    assert.deepEqual(keys({ title: null }), ["title"]);
    assert.deepEqual(keys({ title: "T", must: { be: null } }), ["must.be"]);
  });
});
