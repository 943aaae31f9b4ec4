import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { useAdmin } from "../../../../support/sites/use-site.js";

const text =
  "# our site\ntitle: Test # the title\ndescription: 'Old'\nhealth_token: super-secret-canary\nauthor:\n  # who\n  name: Ann\ntaxonomies: [tag]\n";

describe("settings of the admin API", () => {
  const env = { HOOK_URL: "https://hooks.example/x", OTHER_URL: "http://127.0.0.1/y" };
  const site = useAdmin({ files: { "site.yaml": text }, plugins: undefined, env });
  const admin = site.user("admin");
  beforeEach(() => site.write("site.yaml", text));
  const onDisk = (file = "site.yaml") => readFile(join(site.root, file), "utf8");
  const set = (file: string, changes: object[], headers = {}) =>
    admin.send("PATCH", `/admin/api/settings/${file}`, { changes }, headers);

  it("shows keys and schema to editors, with masked secrets", async () => {
    const editor = await site.as("editor");
    const answer = await editor.send("GET", "/admin/api/settings/site");
    const body = await answer.text();
    assert.doesNotMatch(body, /super-secret-canary/);
    const { values, schema, path } = JSON.parse(body);
    assert.deepEqual([values.title, values.author.name, path], ["Test", "Ann", "site.yaml"]);
    assert.equal(schema.properties.title.type, "string");
    await editor.json(403, "PATCH", "/admin/api/settings/site", { changes: [] });
  });

  it("sets keys and preserves comments, order and quotes", async () => {
    assert.equal(
      (
        await set("site", [
          { key: "description", value: "New" },
          { key: "author.name", value: "Bea" },
          { key: "feed.items", value: 5 },
        ])
      ).status,
      200,
    );
    assert.equal(
      await onDisk(),
      text.replace("'Old'", "'New'").replace("Ann", "Bea") + "feed:\n  items: 5\n",
    );
    assert.equal((await set("site", [{ key: "feed", value: null }])).status, 200);
    assert.doesNotMatch(await onDisk(), /feed/);
  });

  it("creates a missing file", async () => {
    assert.equal((await set("system", [{ key: "timezone", value: "Europe/Berlin" }])).status, 200);
    assert.equal(await onDisk("system.yaml"), "timezone: Europe/Berlin\n");
  });

  it("does not change the file for an invalid result, and names key and fix", async () => {
    for (const changes of [
      [{ key: "taxonomies", value: "x" }],
      [{ key: "title", value: null }],
      [
        { key: "description", value: "ok" },
        { key: "titel", value: "x" },
      ],
      [{ key: "__proto__.x", value: 1 }],
      [{ key: "title.x", value: 1 }],
    ]) {
      const answer = await set("site", changes);
      assert.equal(answer.status, 400, JSON.stringify(changes));
      assert.equal(await onDisk(), text);
    }
    const { error, details } = (await (
      await set("site", [{ key: "taxonomies", value: "x" }])
    ).json()) as { error: string; details: { key: string }[] };
    assert.match(error, /taxonomies/);
    assert.equal(details[0]?.key, "taxonomies");
  });

  it("keeps the masked secrets of rows that do not change, and asks for those of rows that do", async () => {
    const row = (name: string, secret: string): string =>
      `  - url: http://127.0.0.1/${name} # ${name}\n    events: [onPageCreate]\n    secret: ${secret}\n`;
    const hooks = row("a", "canary-a") + row("b", "canary-b");
    await site.write("admin.yaml", `webhooks:\n${hooks}`);
    const { values } = await admin.json(200, "GET", "/admin/api/settings/admin");
    const [a, b] = values.webhooks;
    assert.notEqual(a.secret, "canary-a");
    const save = (status: number, webhooks: object[]) =>
      admin.json(status, "PATCH", "/admin/api/settings/admin", {
        changes: [{ key: "webhooks", value: webhooks }],
      });
    await save(400, [{ ...a, label: "Ours" }, b]);
    await save(400, [b, { ...a, events: ["onPageDelete"] }]);
    await save(400, [{ ...b, url: a.url }, a]);
    assert.match(await onDisk("admin.yaml"), /canary-a/);
    const plain = { url: a.url, events: ["onPageDelete"] };
    const saved = await save(200, [b, plain, a]);
    assert.doesNotMatch(JSON.stringify(saved), /canary/);
    const order = [...(await onDisk("admin.yaml")).matchAll(/127\.0\.0\.1\/(\w)|canary-(\w)/g)].map(
      ([, url, secret]) => url ?? secret?.toUpperCase(),
    );
    assert.equal(order.join(""), "bBaaA");
    await save(200, [a]);
    assert.match(await onDisk("admin.yaml"), /canary-a/);
    assert.doesNotMatch(await onDisk("admin.yaml"), /canary-b/);
  });

  it("does not guess which secret belongs to one of two equal rows", async () => {
    const row = (secret: string): string =>
      `  - url: http://127.0.0.1/a\n    events: [onPageCreate]\n    secret: ${secret}\n`;
    const before = `webhooks:\n${row("canary-a")}${row("canary-b")}`;
    await site.write("admin.yaml", before);
    const { values } = await admin.json(200, "GET", "/admin/api/settings/admin");
    const [first] = values.webhooks;
    const changes = [{ key: "webhooks", value: [first] }];
    await admin.json(400, "PATCH", "/admin/api/settings/admin", { changes });
    assert.equal(await onDisk("admin.yaml"), before);
  });

  it("rejects a masked value, and a save over a newer file", async () => {
    const { values, hash } = await admin.json(200, "GET", "/admin/api/settings/site");
    assert.equal(
      (await set("site", [{ key: "health_token", value: values.health_token }])).status,
      400,
    );
    await site.write("site.yaml", text + "# by hand\n");
    assert.equal(
      (await set("site", [{ key: "description", value: "x" }], { "if-match": `"${hash}"` })).status,
      409,
    );
    assert.equal(await onDisk(), text + "# by hand\n");
  });

  it("replaces a whole text if it is valid", async () => {
    const put = (content: string) => admin.send("PUT", "/admin/api/settings/site", { content });
    assert.equal((await put("title: Whole # new\n")).status, 200);
    assert.equal(await onDisk(), "title: Whole # new\n");
    for (const content of ["title: [", "- a\n", "description: no title\n", "a: &a [*a]\n"]) {
      assert.equal((await put(content)).status, 400, content);
    }
  });

  it("accepts webhook addresses already in the file, also by variable", async () => {
    const content =
      "webhooks:\n  - { url: $HOOK_URL, events: [onPageUpdate] }\n  - { url: 'http://127.0.0.1/x', events: [onPageUpdate] }\n";
    await site.write("admin.yaml", content);
    const put = (more: string) =>
      admin.send("PUT", "/admin/api/settings/admin", { content: content + more });
    assert.equal((await put("maxRevisions: 5\n")).status, 200);
    const other = [{ url: "$OTHER_URL", events: ["onPageUpdate"] }];
    assert.equal((await set("admin", [{ key: "webhooks", value: other }])).status, 400);
  });

  it("records which keys were set, not their values", async () => {
    await set("site", [{ key: "health_token", value: "another-secret-canary" }]);
    const notes = JSON.stringify(
      (await site.audit()).filter(({ event }) => event === "config.update"),
    );
    assert.match(notes, /health_token/);
    assert.doesNotMatch(notes, /canary/);
  });

  it("responds 404 to another file", async () => {
    for (const file of ["other", "..%2fsite", "site.yaml.bak", "__proto__"]) {
      assert.equal((await admin.send("GET", `/admin/api/settings/${file}`)).status, 404, file);
    }
  });

  it("loses neither settings nor redirects when pages move while keys are set", async () => {
    const check = site.site.use("check");
    const keys = Array.from({ length: 10 }, (_, n) => `metadata.k${n}`);
    const moves = ["/blog", "/a", "/b", "/c", "/d"];
    const moved = async (): Promise<void> => {
      for (const [at, to] of moves.slice(1).entries()) {
        const report = await check.move(check.movesFor(moves[at] ?? "", to));
        assert.equal(report.redirectError, null);
      }
    };
    const saved = keys.map(async (key) => {
      assert.equal((await set("site", [{ key, value: "x" }])).status, 200);
    });
    await Promise.all([moved(), ...saved]);
    const yaml = await onDisk();
    for (const key of keys) assert.match(yaml, new RegExp(`  ${key.split(".")[1]}: x`));
    for (const from of moves.slice(0, -1)) assert.match(yaml, new RegExp(`  ${from}: /d\n`));
    assert.match(yaml, /title: Test # the title/);
  });
});
