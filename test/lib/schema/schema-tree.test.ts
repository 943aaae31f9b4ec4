import assert from "node:assert/strict";
import * as z from "zod";
import { inputJsonSchema } from "#lib/schema";
import {
  acceptsAbsence,
  childSchema,
  schemaKeys,
  metaOf,
  schemaAt,
  unwrap,
} from "../../../lib/schema/schema-tree.js";

const inner = z.string().meta({ secret: true });
const tree = z
  .strictObject({
    wrapped: inner.describe("Inner").optional().default("x"),
    list: z.array(z.strictObject({ a: z.int() })).default([]),
    map: z.record(z.string(), z.boolean()).default({}),
    either: z.union([z.literal(false), z.strictObject({ b: z.string() })]).default(false),
    free: z.record(z.string(), z.unknown()).default({}),
  })
  .prefault({});

describe("a schema tree", () => {
  it("unwraps defaults, optionals and checks", () => {
    assert.ok(unwrap(tree) instanceof z.ZodObject);
    assert.ok(unwrap(z.string().nullable().default(null)) instanceof z.ZodString);
  });

  it("collects metadata through wrappers", () => {
    const meta = metaOf(tree.unwrap().shape.wrapped);
    assert.deepEqual([meta.secret, meta.description], [true, "Inner"]);
  });

  it("resolves objects, lists, maps and alternatives", () => {
    assert.ok(schemaAt(tree, ["list", 3, "a"]) instanceof z.ZodNumber);
    assert.ok(schemaAt(tree, ["map", "any"]) instanceof z.ZodBoolean);
    assert.ok(schemaAt(tree, ["either", "b"]) instanceof z.ZodString);
  });

  it("ends at unknown keys, and where anything is allowed", () => {
    for (const path of [
      ["nope"],
      ["list", 0, "nope"],
      ["free", "x"],
      ["map", "a", "b"],
      ["constructor"],
    ]) {
      assert.equal(schemaAt(tree, path), undefined);
    }
    assert.equal(childSchema(z.string(), "length"), undefined);
  });

  it("has keys, some of them optional", () => {
    assert.deepEqual(schemaKeys(tree), ["wrapped", "list", "map", "either", "free"]);
    assert.deepEqual(schemaKeys(z.union([z.literal(1), z.object({ b: z.string() })])), ["b"]);
    assert.deepEqual(schemaKeys(undefined), []);
    assert.deepEqual([acceptsAbsence(tree), acceptsAbsence(inner)], [true, false]);
  });
});

describe("inputJsonSchema", () => {
  it("turns marks into keywords, and leaves out those that are for the program", () => {
    const schema = inputJsonSchema(
      z.string().meta({ secret: true, privileged: true, outbound: true, expand: "late" }),
    );
    assert.deepEqual(
      Object.keys(schema).filter((key) => key !== "$schema"),
      ["type", "writeOnly", "x-privileged", "x-outbound"],
    );
  });
});
