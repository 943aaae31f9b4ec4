import assert from "node:assert/strict";
import { settings } from "../../../plugins/webhooks/settings.js";

const read = (value: unknown) => settings.admin.safeParse(value);
const url = "https://hooks.example/a";
const endpoint = { url, events: ["onPageUpdate"] };

describe("the settings of webhooks", () => {
  it("send nothing and let nobody in unless told otherwise", () => {
    const parsed = settings.admin.parse({});
    assert.deepEqual(parsed, { webhooks: [], incoming_webhooks: [], webhook_log_days: 30 });
  });

  it("switch an endpoint on by itself", () => {
    assert.equal(settings.admin.parse({ webhooks: [endpoint] }).webhooks[0]?.enabled, true);
  });

  for (const [id, bad] of [
    ["O11", { events: ["onPageUpdat"] }],
    ["O11", { events: ["*"] }],
    ["O11", { events: [] }],
    ["O6", { secret: "" }],
    ["O4", { url: "file:///etc/passwd" }],
    ["O4", { url: "gopher://hooks.example" }],
    ["O4", { url: "http://user:password@hooks.example" }],
    ["O4", { url: "hooks.example" }],
    ["O9", { label: "a\nb" }],
    ["O9", { label: "a\0b" }],
    ["O11", { enable: true }],
  ] as const) {
    it(`${id}: refuse an endpoint with ${JSON.stringify(bad)}`, () => {
      assert.equal(read({ webhooks: [{ ...endpoint, ...bad }] }).success, false);
    });
  }

  for (const bad of [
    {},
    { token: "x" },
    { token: "x", actions: [] },
    { token: "x", actions: ["delete"] },
  ]) {
    it(`IN3: refuse an incoming webhook ${JSON.stringify(bad)}`, () => {
      assert.equal(read({ incoming_webhooks: [bad] }).success, false);
    });
  }

  for (const days of [0, 6, 7.5, 3651, "30"]) {
    it(`refuse to keep records for ${JSON.stringify(days)} days`, () => {
      assert.equal(read({ webhook_log_days: days }).success, false);
    });
  }
});
