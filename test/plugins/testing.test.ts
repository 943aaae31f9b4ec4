import assert from "node:assert/strict";
import { definePlugin, SiteError, type Plugin } from "#kernel";
import {
  createTestSite,
  testClock,
  type TestSite,
  type TestSiteOptions,
} from "../../plugins/testing.js";

const page = { "content/01.home/default.md": "---\ntitle: Home\n---\n# Hello\n" };

describe("createTestSite", () => {
  let site: TestSite | null = null;
  afterEach(() => site?.close());

  async function create(options: TestSiteOptions): Promise<TestSite> {
    site = await createTestSite(options);
    return site;
  }

  it("serves files with the plugins of the house that are named, and what they require", async () => {
    const made = await create({ files: page, plugins: ["pages"] });
    const answer = await made.fetch("/api/pages");
    assert.equal(answer.status, 200);
    const names = made.site
      .context("pages")
      .plugins()
      .map(({ name }) => name);
    assert.ok(names.includes("content") && !names.includes("admin"), names.join(" "));
  });

  it("takes a plugin as an object with its block, and pulls in what it requires", async () => {
    const greeting = definePlugin<{ text: string }>({
      name: "greeting",
      version: "1.0.0",
      requires: ["content"],
      setup(context) {
        context.http.route({
          ...{ method: "get", path: "/greeting", summary: "Greet" },
          handler: (req, res) => context.http.json(req, res, context.config),
        });
      },
    });
    const made = await create({
      plugins: ["health", { plugin: greeting as Plugin, config: { text: "hi" } }],
    });
    assert.deepEqual(await (await made.fetch("/greeting")).json(), { text: "hi" });
    assert.ok(made.site.find("content"));
  });

  it("loads a plugin from the file that exports it, as a site would", async () => {
    const first = await create({ plugins: ["health"] });
    await first.write(
      "plugins/words.ts",
      `import { definePlugin } from "site";
       import { z } from "zod";
       export const config = z.object({ minimum: z.number().default(1) });
       export default (options: { minimum?: number }) => definePlugin({
         name: "words", version: "2.0.0",
         setup(site) {
           site.http.route({ method: "get", path: "/words", summary: "Words",
             handler: (req, res) => site.http.json(req, res, { ...options, ...(site.config as object) }) });
         },
       });`,
    );
    const plugin = new URL(`file://${first.root}/plugins/words.ts`);
    const second = await createTestSite({
      plugins: ["health", { plugin, config: { minimum: 5 } }],
    });
    try {
      assert.deepEqual(await (await second.fetch("/words")).json(), { minimum: 5 });
    } finally {
      await second.close();
    }
  });

  it("keeps mail in a mailbox", async () => {
    const made = await create({ plugins: ["email"] });
    const next = made.mailbox.next();
    await made.site.use("email").send({ to: "ann@example.org", subject: "Hello", text: "A line" });
    assert.equal((await next).subject, "Hello");
    assert.equal(made.mailbox.to("ann@example.org").length, 1);
    assert.equal(made.mailbox.last?.text, "A line");
  });

  it("lets a test refuse mail", async () => {
    const made = await create({
      plugins: ["email"],
      mail: () => {
        throw new SiteError("ERR_EMAIL_REFUSED", "no such person");
      },
    });
    await made.site.use("email").send({ to: "ann@example.org", subject: "Hello", text: "-" });
    await made.site.use("email").settled();
    assert.deepEqual(made.mailbox.mails, []);
  });

  it("sends nothing to other hosts: a stub answers, and what was asked is kept", async () => {
    const made = await create({
      plugins: ["outbound"],
      outbound: ({ url }) =>
        url.pathname === "/down" ? undefined : { status: 201, body: { at: url.pathname } },
    });
    const outbound = made.site.use("outbound");
    const answer = await outbound.request("https://api.example/orders", {
      ...{ method: "POST", headers: { "x-key": "k" }, body: "{}" },
    });
    assert.equal(answer.status, 201);
    assert.deepEqual(JSON.parse(answer.body.toString()), { at: "/orders" });
    await assert.rejects(outbound.request("https://api.example/down"), {
      code: "ERR_OUTBOUND_NETWORK",
    });
    assert.deepEqual(
      made.requests.map(({ method, url, body }) => [method, url.href, body]),
      [
        ["POST", "https://api.example/orders", "{}"],
        ["GET", "https://api.example/down", ""],
      ],
    );
  });

  it("tells the deliveries of webhooks", async () => {
    const made = await create({
      files: page,
      plugins: ["webhooks", "content"],
      config: {
        admin: { webhooks: [{ url: "https://hooks.example/a", events: ["onPageUpdate"] }] },
      },
      outbound: () => 204,
    });
    await made.fire("onPageUpdate", { sourcePath: "01.home/default.md", title: "Home" });
    const deliveries = await made.deliveries();
    assert.deepEqual(
      deliveries.map(({ event, finalStatus }) => [event, finalStatus]),
      [["onPageUpdate", "success"]],
    );
    assert.equal(made.requests[0]?.url.href, "https://hooks.example/a");
  });

  it("stands still in time until it is told", async () => {
    const clock = testClock("2026-03-01");
    const made = await create({
      files: {
        "content/later/default.md": "---\ntitle: Later\npublish_date: 2026-03-02\n---\n",
      },
      plugins: ["pages"],
      clock,
    });
    const count = async () => (await (await made.fetch("/api/pages")).json()).meta.total;
    assert.equal(await count(), 0);
    clock.set("2026-03-02T00:00:01Z");
    assert.equal(await count(), 1);
  });
});
