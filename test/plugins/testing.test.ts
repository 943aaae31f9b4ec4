import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { definePlugin, SiteError, type Plugin } from "#kernel";
import {
  createTestSite,
  testClock,
  type TestSite,
  type TestSiteOptions,
} from "../../plugins/testing.js";
import { repository } from "../support/repository.js";

const page = { "content/01.home/default.md": "---\ntitle: Home\n---\n# Hello\n" };

describe("createTestSite", () => {
  let site: TestSite | null = null;
  afterEach(() => site?.close());

  async function create(options: TestSiteOptions): Promise<TestSite> {
    site = await createTestSite(options);
    return site;
  }

  it("serves files with the named first-party plugins and their requirements", async () => {
    const made = await create({ files: page, plugins: ["pages"] });
    const answer = await made.fetch("/api/pages");
    assert.equal(answer.status, 200);
    const names = made.site
      .context("pages")
      .runtime.plugins()
      .map(({ name }) => name);
    assert.ok(names.includes("content") && !names.includes("admin"), names.join(" "));
  });

  it("accepts a plugin as an object with its block, and adds its requirements", async () => {
    const greeting = definePlugin<{ text: string }>({
      name: "greeting",
      version: "1.0.0",
      requires: ["content"],
      setup(context) {
        context.http.route({
          method: "get",
          path: "/greeting",
          summary: "Greet",
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

  it("accepts a plugin as an object without a block", async () => {
    const plain = definePlugin({ name: "plain", version: "1.0.0" });
    const made = await create({ plugins: ["health", { plugin: plain }] });
    assert.deepEqual(made.site.context("plain").config, {});
  });

  it("closes at the end of an await using block, also after a failure", async () => {
    const made: TestSite[] = [];
    await assert.rejects(async () => {
      await using site = await createTestSite({ plugins: ["health"] });
      made.push(site);
      throw new Error("on purpose");
    }, /on purpose/);
    const [closed] = made;
    assert.ok(closed);
    await assert.rejects(closed.fetch("/health/live"));
    assert.equal(existsSync(closed.root), false);
  });

  it("loads a plugin from the file that exports it, as a site would", async () => {
    const first = await create({ plugins: ["health"] });
    await first.write(
      "plugins/words.ts",
      `import { definePlugin } from "sitewright";
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

  it("collects mail in a mailbox", async () => {
    const made = await create({ plugins: ["email"] });
    const next = made.mailbox.next();
    await made.site.use("email").send({ to: "ann@example.org", subject: "Hello", text: "A line" });
    assert.equal((await next).subject, "Hello");
    assert.equal(made.mailbox.to("ann@example.org").length, 1);
    assert.equal(made.mailbox.last?.text, "A line");
  });

  it("lets a test reject mail", async () => {
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

  it("sends nothing to other hosts: a stub responds, and requests are recorded", async () => {
    const made = await create({
      plugins: ["outbound"],
      outbound: ({ url }) =>
        url.pathname === "/down" ? undefined : { status: 201, body: { at: url.pathname } },
    });
    const outbound = made.site.use("outbound");
    const answer = await outbound.request("https://api.example/orders", {
      method: "POST",
      headers: { "x-key": "k" },
      body: "{}",
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

  it("returns the deliveries of webhooks", async () => {
    const made = await create({
      files: page,
      plugins: ["webhooks", "content"],
      config: {
        admin: { webhooks: [{ url: "https://hooks.example/a", events: ["onPageUpdate"] }] },
      },
      outbound: () => 204,
    });
    const patch = {
      op: "frontmatter",
      path: "01.home/default.md",
      patch: { title: "New" },
    } as const;
    await made.site.use("content").apply([patch]);
    const deliveries = await made.deliveries();
    assert.deepEqual(
      deliveries.map(({ event, finalStatus }) => [event, finalStatus]),
      [["onPageUpdate", "success"]],
    );
    assert.equal(made.requests[0]?.url.href, "https://hooks.example/a");
  });

  it("has a frozen clock until the test advances it", async () => {
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

describe("the suites in another test runner", () => {
  it("run in node:test, without globals", async () => {
    const folder = await mkdtemp(join(tmpdir(), "site-runner-"));
    const file = join(folder, "store.test.mjs");
    const door = JSON.stringify(pathToFileURL(join(repository, "plugins/testing.ts")).href);
    const store = JSON.stringify(
      pathToFileURL(join(repository, "plugins/session/engines/local.ts")).href,
    );
    await writeFile(
      file,
      `import { afterEach, beforeEach, describe, it } from "node:test";
       import { mkdtemp } from "node:fs/promises";
       import { sessionStoreContract } from ${door};
       import { LocalSessionStore } from ${store};
       describe("file sessions", () => {
         const open = async () =>
           new LocalSessionStore(await mkdtemp(${JSON.stringify(`${folder}/`)}));
         sessionStoreContract({ open }, { it, beforeEach, afterEach });
       });`,
    );
    try {
      const args = ["--import=tsx", "--conditions=source", "--test", "--test-reporter=tap", file];
      // A nested run reports to its parent instead of printing.
      const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: repository,
        env,
      });
      assert.match(stdout, /# pass [1-9]\d*\n# fail 0/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
