import assert from "node:assert/strict";
import * as z from "zod";
import { loadConfig, settingsPlugins } from "../../support/sites/config-root.js";

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

async function schemaOf(file: "site" | "system" | "admin"): Promise<Node> {
  const { schema } = await loadConfig(
    { "site.yaml": "title: T" },
    { plugins: await settingsPlugins(), env: { SITE_SECRET: "canary" } },
  );
  return schema(file);
}

/** Every key of the schema with its own schema, `a.b` for nested ones. */
function keysOf(schema: Node, prefix = ""): [string, Node][] {
  const properties = isNode(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  return properties.flatMap(([key, child]) =>
    isNode(child)
      ? [[prefix + key, child] as [string, Node], ...keysOf(child, `${prefix}${key}.`)]
      : [],
  );
}

describe("the JSON Schema of a configuration file", () => {
  for (const file of ["site", "system", "admin"] as const) {
    it(`of ${file}.yaml is draft 2020-12 and compiles`, async () => {
      const schema = await schemaOf(file);
      assert.equal(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
      assert.doesNotThrow(() => z.fromJSONSchema(schema));
    });

    it(`of ${file}.yaml has a description on each key, and a default on each optional one`, async () => {
      const schema = await schemaOf(file);
      const optional =
        /^(title|plugins|admin|auth|email|uploads|payments|cdn|health_token|metrics\.token|tracing\.endpoint|oidc|comments|backup\.schedule)(\.|$)/;
      const keys = keysOf(schema);
      assert.ok(keys.length > 8);
      assert.deepEqual(
        keys.filter(([, child]) => typeof child["description"] !== "string").map(([key]) => key),
        [],
      );
      assert.deepEqual(
        keys
          .filter(([key, child]) => !("default" in child) && !optional.test(key))
          .map(([key]) => key),
        [],
      );
    });
  }

  it("gives a block the defaults of its keys as its default", async () => {
    const { feed } = Object.fromEntries(keysOf(await schemaOf("site")));
    assert.deepEqual(feed?.["default"], { enabled: true, items: 20, content: "summary" });
  });

  it("accepts the admin keys below `admin:` too", async () => {
    for (const file of ["site", "admin"] as const) {
      assert.ok(keysOf(await schemaOf(file)).some(([key]) => key === "admin.path"));
    }
  });

  it("accepts and rejects the same values as the settings", async () => {
    const schema = z.fromJSONSchema(await schemaOf("site"));
    assert.ok(schema.safeParse({ title: "T", feed: { items: 3 }, admin: { path: "/x" } }).success);
    assert.ok(!schema.safeParse({ title: "T", feed: { itms: 3 } }).success);
    assert.ok(!schema.safeParse({}).success);
  });

  it("contains nothing of the environment and no keyword of ours", async () => {
    for (const file of ["site", "system", "admin"] as const) {
      const text = JSON.stringify(await schemaOf(file));
      assert.doesNotMatch(text, /canary|"secret":true|"expand":"|"unset":"/);
    }
  });
});
