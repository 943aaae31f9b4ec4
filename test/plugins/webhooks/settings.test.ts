import assert from "node:assert/strict";
import { settings } from "../../../plugins/webhooks/settings.js";

const read = (value: unknown) => settings.admin.safeParse(value);
const url = "https://hooks.example/a";
const endpoint = { url, events: ["onPageUpdate"] };

describe("the settings of webhooks", () => {
  it("disable sending and receiving by default", () => {
    const parsed = settings.admin.parse({});
    assert.deepEqual(parsed, { webhooks: [], incoming_webhooks: [], webhook_log_days: 30 });
  });

  it("enable an endpoint by default", () => {
    assert.equal(settings.admin.parse({ webhooks: [endpoint] }).webhooks[0]?.enabled, true);
  });

  for (const bad of [
    { events: ["onPageUpdat"] },
    { events: ["*"] },
    { events: [] },
    { secret: "" },
    { url: "file:///etc/passwd" },
    { url: "gopher://hooks.example" },
    { url: "http://user:password@hooks.example" },
    { url: "hooks.example" },
    { url: "http://hooks.example/\r\nX: 1" },
    { label: "a\r\nX: 1" },
    { label: "a\nb" },
    { label: "a\0b" },
    { enable: true },
  ]) {
    it(`reject an endpoint with ${JSON.stringify(bad)}`, () => {
      assert.equal(read({ webhooks: [{ ...endpoint, ...bad }] }).success, false);
    });
  }

  for (const bad of [
    {},
    { token: "x" },
    { token: "x", actions: [] },
    { token: "x", actions: ["delete"] },
  ]) {
    it(`reject an incoming webhook ${JSON.stringify(bad)}`, () => {
      assert.equal(read({ incoming_webhooks: [bad] }).success, false);
    });
  }

  for (const days of [0, 6, 7.5, 3651, "30"]) {
    it(`reject retention of records for ${JSON.stringify(days)} days`, () => {
      assert.equal(read({ webhook_log_days: days }).success, false);
    });
  }
});
