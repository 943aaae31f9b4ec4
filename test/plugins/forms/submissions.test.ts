import assert from "node:assert/strict";
import { z } from "zod";
import { adminPlugins } from "../../support/sites/admin-site.js";
import { until } from "../../support/until.js";
import { startReceiver } from "../../support/servers/webhook-receiver.js";
import { bootForms, contact, typed, type FormSite } from "./form-site.js";

const DAY_MS = 86_400_000;
const plugins = [...adminPlugins, "render", "forms", "email", "outbound"];
const event = z.object({ event: z.string(), payload: z.looseObject({ form: z.string() }) });

describe("submissions of forms", () => {
  it("are deleted at startup once they are older than `retention_days`", async () => {
    const start = Date.parse("2026-11-25T10:00:00Z");
    let now = start;
    const clock = { now: () => now };
    const files = {
      "forms/contact.yaml": `retention_days: 30\n${contact}`,
      "forms/kept.yaml": contact,
      "content/05.kept/default.md": "---\ntitle: Kept\n---\n{{ form kept }}\n",
    };
    const first = await bootForms({ files, plugins, clock });
    let site: FormSite = first;
    const countOf = async (name: string): Promise<number> => {
      const editor = await site.as("editor", { username: `editor-${name}-${now}` });
      const path = `/admin/api/forms/${name}/submissions`;
      return (await editor.json(200, "GET", path)).total;
    };
    try {
      const tokens = [await site.token(), await site.token("/kept")] as const;
      now += 5_000;
      await site.post({ ...typed, _token: tokens[0] });
      await site.post({ ...typed, _token: tokens[1] }, { form: "kept" });
      assert.deepEqual([await countOf("contact"), await countOf("kept")], [1, 1]);
      await site.site.close();
      now = start + 32 * DAY_MS;
      site = await bootForms({ root: first.root, files: {}, plugins, clock });
      const editor = await site.as("editor", { username: "late" });
      await until(async () => {
        const list = await editor.json(200, "GET", "/admin/api/forms/contact/submissions");
        return list.total === 0;
      });
      assert.deepEqual([await countOf("contact"), await countOf("kept")], [0, 1]);
    } finally {
      await site.close();
    }
  });

  it("are sent to the endpoints that list the event, signed, without spam", async () => {
    const receiver = await startReceiver();
    const secret = "s".repeat(32);
    const webhooks = [{ url: receiver.url, events: ["onFormSubmit"], secret }];
    const site = await bootForms({
      plugins: [...plugins, "webhooks"],
      settings: { admin: { webhooks } },
    });
    try {
      const token = await site.token();
      site.wait(5);
      const spam = { ...typed, _token: token, _url: "https://spam.example" };
      assert.equal((await site.post(spam)).status, 303);
      assert.equal((await site.post({ ...typed, _token: token })).status, 303);
      await receiver.count(1);
      const [{ headers, body } = assert.fail("nothing was received")] = receiver.received;
      const sent = event.parse(JSON.parse(body.toString()));
      assert.equal(sent.event, "onFormSubmit");
      assert.equal(sent.payload.form, "contact");
      assert.match(body.toString(), /"email":"ada@example\.org"/);
      assert.ok(Object.keys(headers).some((name) => name.endsWith("-signature")));
      assert.equal(receiver.received.length, 1);
    } finally {
      await site.close();
      await receiver.close();
    }
  });
});
