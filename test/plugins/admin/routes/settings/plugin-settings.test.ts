import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const plugin = `import { z } from "zod";
import { definePlugin } from "sitewright";
export default definePlugin({
  name: "shop",
  version: "1.2.0",
  config: z.strictObject({
    currency: z.enum(["EUR", "USD"]).describe("Of all prices").default("EUR"),
    payout: z.string().meta({ secret: true }).default(""),
    limits: z.strictObject({ items: z.int().max(50).default(10) }).prefault({}),
  }),
  setup() {},
});
`;
const text =
  "title:   Shop   # spaces stay\nplugins:\n    shop:\n        src: ./plugins/shop.ts   # ours\n        config:\n            payout:  hidden-canary\n            limits: { items: 5 }   # few\n";
const path = "/admin/api/settings/plugins";

describe("settings of plugins in the admin API", () => {
  const files = { "site.yaml": text, "plugins/shop.ts": plugin };
  const site = useFreshAdmin({ files, plugins: undefined });
  const admin = site.user("admin");
  const onDisk = () => readFile(join(site.root, "site.yaml"), "utf8");

  it("lists every plugin with its keys, schema and masked block", async () => {
    const editor = await site.as("editor");
    const { items } = await editor.json(200, "GET", path);
    assert.doesNotMatch(JSON.stringify(items), /hidden-canary/);
    const of = (name: string) => items.find((one: { name: string }) => one.name === name);
    assert.equal(of("shop").at, "plugins.shop.config");
    assert.deepEqual(of("shop").values.limits, { items: 5 });
    assert.equal(of("shop").schema.properties.currency.description, "Of all prices");
    assert.deepEqual(of("search").keys, { site: [], system: ["search"], admin: [] });
  });

  it("sets keys of a block, and keeps every other byte", async () => {
    const { hash } = await admin.json(200, "GET", path);
    const changes = [
      { key: "limits.items", value: 7 },
      { key: "currency", value: "USD" },
    ];
    const headers = { "if-match": `"${hash}"` };
    await admin.json(200, "PATCH", `${path}/shop`, { changes }, headers);
    const saved = text.replace("items: 5", "items: 7") + "            currency: USD\n";
    assert.equal(await onDisk(), saved);
    await admin.json(409, "PATCH", `${path}/shop`, { changes }, headers);
    const events = (await site.audit()).filter(({ event }) => event === "config.update");
    assert.deepEqual(
      events.map(({ detail }) => detail["keys"]),
      ["limits.items currency"],
    );
  });

  it("names file, key, value and fix of a wrong value, and saves nothing", async () => {
    const patch = (status: number, key: string, value: unknown, name = "shop") =>
      admin.json(status, "PATCH", `${path}/${name}`, { changes: [{ key, value }] });
    const { details } = await patch(400, "limits.items", 99);
    const { key, file, received } = details[0];
    assert.deepEqual([key, file, received], ["plugins.shop.config.limits.items", "site.yaml", 99]);
    await patch(400, "unknown", 1);
    await patch(400, "payout", "••••••");
    await patch(400, "a..b", 1);
    await patch(404, "x", 1, "none");
    await patch(404, "x", 1, "search");
    assert.equal(await onDisk(), text);
    const editor = await site.as("editor");
    const body = { changes: [{ key: "currency", value: "USD" }] };
    const { error } = await editor.json(403, "PATCH", `${path}/shop`, body);
    assert.match(error, /plugins\.manage/);
  });
});
