import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMCPClient } from "@ai-sdk/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { adminPlugins, bootAdmin, type AdminSite } from "../../support/sites/admin-site.js";

const HOUR_MS = 3_600_000;
const bin = fileURLToPath(new URL("../../../kernel/cli/bin.mjs", import.meta.url));
const post = "---\ntitle: First\nprice: 3\n---\nThe first post.\n";
const files = {
  "site.yaml": "title: Harbour\nurl: https://harbour.example\nmcp: { enabled: true }\n",
  "content/02.blog/01.first/post.md": post,
  "content/02.blog/02.draft/post.md": "---\ntitle: Plans\nstatus: draft\n---\nNot yet.\n",
  "content/03.shop/default.md": "---\ntitle: Shop\nstatus: draft\n---\nNothing to see.\n",
  "flex-objects/boat.yaml":
    "title: Boats\nfields:\n  name: { type: text, required: true }\n  berth: { type: number }\n",
  "flex-objects/boat/aaaaaaaaaaaa.yaml": "name: Ida\nberth: 4\n",
};
const plugins = [...adminPlugins, "openapi", "mcp"];

interface Answer {
  text: string;
  isError: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of many shapes, asserted by each test
  data: any;
}

describe("the MCP server", () => {
  let site: AdminSite;
  let late = 0;
  before(async () => {
    site = await bootAdmin({ files, plugins, clock: { now: () => Date.now() + late } });
  });
  after(() => site.close());

  const read = (path: string): Promise<string> => readFile(join(site.root, path), "utf8");
  const tokenOf = async (
    permissions: string[],
    limits: { paths?: string[]; fields?: string[]; expiresAt?: number | null } = {},
  ): Promise<string> => {
    const expiresAt = site.site.context("admin").runtime.clock.now() + HOUR_MS;
    const token = { name: "agent", permissions, userId: null, expiresAt, ...limits };
    return (await site.site.use("admin").tokens.create(token)).secret;
  };
  const connected = async (token?: string): Promise<Client> => {
    const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
    const client = new Client({ name: "test", version: "1.0.0" });
    const url = new URL("/mcp", site.url);
    // The type of the package does not allow for exactOptionalPropertyTypes.
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    return client;
  };
  const names = async (client: Client): Promise<string[]> =>
    (await client.listTools()).tools.map(({ name }) => name);
  const call = async (
    client: Client,
    name: string,
    args: Record<string, unknown> = {},
  ): Promise<Answer> => {
    const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
    const [first] = result.content;
    const text = first?.type === "text" ? first.text : "";
    return { text, isError: result.isError === true, data: result.structuredContent };
  };

  it("offers outsiders the tools for what visitors see, and those only", async () => {
    const client = await connected();
    const listed = await names(client);
    for (const name of ["search", "read_page", "list_pages", "list_records", "list_changes"]) {
      assert.ok(listed.includes(name), name);
    }
    for (const name of ["read_source", "write_page", "propose_page", "upload_media"]) {
      assert.ok(!listed.includes(name), name);
      await assert.rejects(call(client, name, { path: "x" }), /not found/);
    }
    assert.match(client.getInstructions() ?? "", /^Harbour/);
    const page = await call(client, "read_page", { route: "/blog/first" });
    assert.match(page.data.rawContent, /The first post\.\n$/);
    assert.equal(page.data.html, undefined);
    assert.equal((await call(client, "read_page", { route: "/" })).data.title, "Home");
    const hidden = await call(client, "read_page", { route: "/blog/draft" });
    assert.deepEqual(hidden, await call(client, "read_page", { route: "/blog/nothing" }));
    assert.equal(hidden.isError, true);
    const list = await call(client, "list_pages", { limit: 1, fields: "title" });
    assert.equal(list.data.items.length, 1);
    assert.equal((await call(client, "search", { q: "post" })).data.items[0].route, "/blog/first");
    const [boat] = JSON.parse((await call(client, "list_records", { type: "boat" })).text);
    assert.equal(boat.name, "Ida");
    assert.match((await call(client, "list_pages", { limit: "lots" })).text, /^400: limit/);
  });

  it("does not reach other routes through the path of a tool", async () => {
    const client = await connected(
      await tokenOf(["pages.update", "config.update", "users.manage"]),
    );
    const args = { path: "../settings/site", content: "title: Owned\n" };
    assert.match((await call(client, "write_page", args)).text, /^400: path/);
    assert.match(
      (await call(client, "read_page", { route: "/../../admin/api/users" })).text,
      /^400: route/,
    );
    assert.match(await read("site.yaml"), /Harbour/);
  });

  it("describes the input of each tool by the schema of its route", async () => {
    const client = await connected(await tokenOf(["pages.read", "pages.update", "flex.write"]));
    const tools = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
    const write = tools.get("write_page")?.inputSchema;
    const keys = ["body", "confirm", "content", "frontmatter", "path"];
    assert.deepEqual(Object.keys(write?.properties ?? {}).toSorted(), keys);
    assert.deepEqual(write?.required, ["path"]);
    assert.equal(tools.get("write_page")?.annotations?.readOnlyHint, false);
    const record = tools.get("write_record")?.inputSchema;
    assert.deepEqual(record?.required, ["type", "id", "data"]);
    const proposal = tools.get("propose_page")?.inputSchema.properties ?? {};
    assert.ok(!("review" in proposal) && !("confirm" in proposal) && "content" in proposal);
  });

  it("writes nothing before the call is confirmed, and then once", async () => {
    const token = await tokenOf(["pages.read", "pages.update", "pages.publish"]);
    const client = await connected(token);
    const path = "02.blog/01.first/post.md";
    const args = { path, frontmatter: { price: 4 } };
    const shown = await call(client, "write_page", args);
    assert.equal(shown.data.written, false);
    assert.match(shown.data.diff, /^--- .*\n\+\+\+ .*\n@@[^]*\n-price: 3\n\+price: 4\n/);
    assert.equal(await read(`content/${path}`), post);

    const { confirm } = shown.data;
    const other = await call(client, "write_page", { path, frontmatter: { price: 9 }, confirm });
    assert.match(other.text, /^409/);
    assert.match((await call(client, "write_page", { ...args, confirm })).text, /^409/);

    const again = await call(client, "write_page", args);
    const stranger = await connected(await tokenOf(["pages.update", "pages.publish"]));
    const stolen = { ...args, confirm: again.data.confirm };
    assert.match((await call(stranger, "write_page", stolen)).text, /^409/);

    const third = await call(client, "write_page", args);
    const done = await call(client, "write_page", { ...args, confirm: third.data.confirm });
    assert.equal(done.data.written, true);
    assert.match(await read(`content/${path}`), /price: 4/);
    const repeated = { ...args, confirm: third.data.confirm };
    assert.match((await call(client, "write_page", repeated)).text, /^409/);

    const events = (await site.audit()).map(({ event, outcome }) => `${event} ${outcome}`);
    for (const event of ["mcp.show success", "mcp.write success", "mcp.write failure"]) {
      assert.ok(events.includes(event), event);
    }
    assert.ok(events.includes("page.update success"));
  });

  it("shows a write again when the page has changed since", async () => {
    const client = await connected(await tokenOf(["pages.update", "pages.publish"]));
    const path = "02.blog/02.draft/post.md";
    const args = { path, body: "Soon.\n" };
    const { confirm } = (await call(client, "write_page", args)).data;
    const editor = await site.as("editor");
    await editor.json(200, "PUT", `/admin/api/pages/${path}`, { body: "Tomorrow.\n" });
    assert.match((await call(client, "write_page", { ...args, confirm })).text, /^409/);
    assert.match(await read(`content/${path}`), /Tomorrow/);
  });

  it("creates pages, records and media, and describes media", async () => {
    const permissions = ["pages.read", "pages.create", "media.upload", "flex.write"];
    const client = await connected(await tokenOf([...permissions, "pages.publish"]));
    const confirmed = async (name: string, args: Record<string, unknown>): Promise<Answer> => {
      const shown = await call(client, name, args);
      assert.equal(shown.isError, false, shown.text);
      return call(client, name, { ...args, confirm: shown.data.confirm });
    };
    const page = { path: "02.blog/03.new/post.md", content: "---\ntitle: New\n---\nHello.\n" };
    assert.match((await call(client, "create_page", page)).data.diff, /^--- \/dev\/null\n/);
    assert.equal((await confirmed("create_page", page)).data.written, true);
    assert.match(await read("content/02.blog/03.new/post.md"), /title: New/);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>').toString("base64");
    const file = { pagePath: "02.blog/03.new/post.md", name: "boat.svg", data: svg };
    assert.equal((await confirmed("upload_media", file)).data.written, true);
    const meta = { path: "02.blog/03.new/boat.svg", meta: { alt: "A boat" } };
    assert.equal((await confirmed("describe_media", meta)).data.written, true);
    assert.match((await call(client, "list_media", { q: "boat" })).text, /A boat/);
    const record = { type: "boat", id: "aaaaaaaaaaaa", data: { berth: 7 } };
    const changed = await confirmed("write_record", record);
    assert.match(changed.data.diff, /-\s+"berth": 4\n\+\s+"berth": 7/);
    assert.equal(
      (await confirmed("create_record", { type: "boat", data: { name: "Olga" } })).data.written,
      true,
    );
    assert.equal(
      (await call(client, "list_records", { type: "boat" })).text.includes("Olga"),
      true,
    );
    const checked = await call(client, "check_content");
    assert.ok(Array.isArray(checked.data.items));
  });

  it("audits what tokens read, and what they were denied", async () => {
    const client = await connected(await tokenOf(["pages.read"]));
    await call(client, "read_source", { path: "03.shop/default.md" });
    await call(client, "read_source", { path: "03.shop/none.md" });
    await assert.rejects(call(client, "write_page", { path: "03.shop/default.md", body: "x" }));
    await call(await connected(), "list_pages");
    const lines = (await site.audit())
      .filter(({ event }) => event === "mcp.read" || event === "mcp.denied")
      .map(({ event, outcome, target, detail }) => [event, outcome, target?.id, detail["path"]]);
    const read = (path: string, outcome: string) => ["mcp.read", outcome, "read_source", path];
    assert.deepEqual(lines.slice(-3), [
      read("03.shop/default.md", "success"),
      read("03.shop/none.md", "failure"),
      ["mcp.denied", "failure", "write_page", "03.shop/default.md"],
    ]);
  });

  describe("writes that wait for a person", () => {
    const path = "02.blog/01.first/post.md";
    const at = "/admin/api/agent-writes";
    const show = async (price: number): Promise<{ client: Client; confirm: string }> => {
      const client = await connected(await tokenOf(["pages.update", "pages.publish"]));
      const shown = await call(client, "write_page", { path, frontmatter: { price } });
      assert.match(shown.data.next, /or ask a person to approve it in the panel/);
      return { client, confirm: shown.data.confirm };
    };

    it("are written once a person approves them, with the rights of the person", async () => {
      const { client, confirm } = await show(20);
      const editor = await site.as("editor", { username: "approver" });
      const listed = await editor.json(200, "GET", at);
      const write = listed.items.find(({ id }: { id: string }) => id === confirm);
      assert.deepEqual([write.tool, write.agent, write.isStale], ["write_page", "agent", false]);
      assert.match(write.diff, /\+price: 20\n/);
      await editor.json(200, "POST", `${at}/${confirm}/approve`, {});
      assert.match(await read(`content/${path}`), /price: 20/);
      await editor.json(404, "POST", `${at}/${confirm}/approve`, {});
      const late = { path, frontmatter: { price: 20 }, confirm };
      assert.match((await call(client, "write_page", late)).text, /^409/);
      const events = await site.audit();
      const approved = events.findLast(({ event }) => event === "mcp.approve");
      assert.deepEqual([approved?.actor?.name, approved?.detail["agent"]], ["approver", "agent"]);
      const update = events.findLast(({ event }) => event === "page.update");
      assert.equal(update?.actor?.name, "approver");
    });

    it("are not written when a person rejects them", async () => {
      const { client, confirm } = await show(30);
      const editor = await site.as("editor", { username: "rejecter" });
      await editor.json(200, "POST", `${at}/${confirm}/reject`, {});
      const again = { path, frontmatter: { price: 30 }, confirm };
      assert.match((await call(client, "write_page", again)).text, /^409/);
      assert.doesNotMatch(await read(`content/${path}`), /price: 30/);
    });

    it("are stale when the content has changed since", async () => {
      const { confirm } = await show(40);
      const editor = await site.as("editor", { username: "changer" });
      await editor.json(200, "PUT", `/admin/api/pages/${path}`, { body: "Another text.\n" });
      const { items } = await editor.json(200, "GET", at);
      assert.equal(items.find(({ id }: { id: string }) => id === confirm).isStale, true);
      await editor.json(409, "POST", `${at}/${confirm}/approve`, {});
      assert.doesNotMatch(await read(`content/${path}`), /price: 40/);
    });

    it("are hidden from people without the right to make them, and closed to tokens", async () => {
      const { confirm } = await show(50);
      const author = await site.as("author", { username: "reader" });
      const { items } = await author.json(200, "GET", at);
      assert.ok(!items.some(({ id }: { id: string }) => id === confirm));
      await author.json(404, "POST", `${at}/${confirm}/approve`, {});
      await author.json(404, "POST", `${at}/${confirm}/reject`, {});
      const token = await tokenOf(["pages.update", "pages.publish"]);
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      for (const [method, to] of [
        ["GET", at],
        ["POST", `${at}/${confirm}/approve`],
        ["POST", `${at}/${confirm}/reject`],
      ] as const) {
        const init = { method, headers, ...(method === "POST" && { body: "{}" }) };
        assert.equal((await site.fetch(to, init)).status, 403);
      }
      assert.doesNotMatch(await read(`content/${path}`), /price: 50/);
    });

    it("need the origin and the token of the session", async () => {
      const { confirm } = await show(60);
      const editor = await site.as("editor", { username: "victim" });
      const headers = { cookie: editor.cookie, "content-type": "application/json" };
      const init = { method: "POST", headers, body: "{}" };
      assert.equal((await site.fetch(`${at}/${confirm}/approve`, init)).status, 403);
      assert.doesNotMatch(await read(`content/${path}`), /price: 60/);
    });
  });

  it("proposes a page as a working copy with a requested review", async () => {
    const client = await connected(await tokenOf(["pages.read", "pages.update"]));
    const path = "02.blog/01.first/post.md";
    const live = await read(`content/${path}`);
    const refused = await call(client, "write_page", { path, body: "Mine.\n" });
    assert.match(refused.text, /^403: .*working copy/);
    const answer = await call(client, "propose_page", { path, content: `${live}More.\n` });
    assert.match(answer.data.diff, /\+More\./);
    assert.equal(await read(`content/${path}`), live);
    const editor = await site.as("editor", { username: "reviewer" });
    const { items } = await editor.json(200, "GET", "/admin/api/drafts?review=requested");
    assert.deepEqual(
      items.map((one: { sourcePath: string }) => one.sourcePath),
      [path],
    );
    await editor.json(200, "POST", `/admin/api/drafts/${path}/publish`, {});
    assert.match(await read(`content/${path}`), /More\./);
  });

  it("holds a token to its paths and fields, and shows it nothing beyond them", async () => {
    const permissions = [
      "pages.read",
      "pages.create",
      "pages.update",
      "pages.publish",
      "flex.write",
    ];
    const limits = { paths: ["blog/**"], fields: ["title", "body"] };
    const client = await connected(await tokenOf(permissions, limits));
    const path = "02.blog/02.draft/post.md";
    assert.match((await call(client, "read_source", { path })).text, /Plans/);
    const outside = await call(client, "read_source", { path: "03.shop/default.md" });
    assert.deepEqual(outside, await call(client, "read_source", { path: "03.shop/none.md" }));
    assert.match((await call(client, "read_page", { route: "/shop" })).text, /^404/);
    assert.match(
      (await call(client, "write_page", { path: "03.shop/default.md", body: "x" })).text,
      /^403/,
    );
    const field = await call(client, "write_page", { path, frontmatter: { status: "published" } });
    assert.match(field.text, /^403: .*"status"/);
    const content = "---\ntitle: Plans\nstatus: published\n---\nNot yet.\n";
    assert.match((await call(client, "propose_page", { path, content })).text, /^403: .*"status"/);
    const title = await call(client, "write_page", { path, frontmatter: { title: "Plan" } });
    assert.match(title.data.diff, /\+title: Plan\n/);
    const berth = { type: "boat", id: "aaaaaaaaaaaa", data: { berth: 9 } };
    await assert.rejects(call(client, "write_record", berth), /not found/);
    const fields = await connected(await tokenOf(permissions, { fields: ["title", "body"] }));
    assert.match((await call(fields, "write_record", berth)).text, /^403: .*berth/);
  });

  it("refuses tokens without expiry, unknown tokens, other sites and streams", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const status = async (headers: Record<string, string>, method = "POST"): Promise<number> => {
      const accept = "application/json, text/event-stream";
      const init = {
        method,
        headers: { accept, "content-type": "application/json", ...headers },
        ...(method === "POST" && { body: JSON.stringify(message) }),
      };
      return (await site.fetch("/mcp", init)).status;
    };
    const endless = await tokenOf(["pages.read"], { expiresAt: null });
    assert.equal(await status({}), 200);
    assert.equal(await status({ authorization: `Bearer ${endless}` }), 403);
    assert.equal(await status({ authorization: `Bearer ${endless.slice(0, -1)}x` }), 401);
    assert.equal(await status({ authorization: "Basic eDp5" }), 401);
    const expired = await tokenOf(["pages.read"]);
    assert.equal(await status({ authorization: `Bearer ${expired}` }), 200);
    late += 2 * HOUR_MS;
    assert.equal(await status({ authorization: `Bearer ${expired}` }), 401);
    assert.equal(await status({ origin: "https://evil.example" }), 403);
    assert.equal(await status({}, "GET"), 405);
    assert.equal(await status({}, "DELETE"), 405);
    const broken = await site.fetch("/mcp", {
      method: "POST",
      body: "{",
      headers: { "content-type": "application/json" },
    });
    assert.equal(broken.status, 400);
  });

  it("serves a second implementation of the protocol", async () => {
    const token = await tokenOf(["pages.read"]);
    const headers = { authorization: `Bearer ${token}` };
    const url = new URL("/mcp", site.url).href;
    const client = await createMCPClient({ transport: { type: "http", url, headers } });
    try {
      const tools = await client.tools();
      assert.ok("read_source" in tools && !("write_page" in tools));
      const { read_page: read } = tools;
      const result = await read?.execute?.({ route: "/blog" }, {
        toolCallId: "1",
        messages: [],
      } as never);
      assert.match(JSON.stringify(result), /All posts/);
    } finally {
      await client.close();
    }
  });

  it("serves the same tools over standard input and output", async () => {
    const token = await tokenOf(["pages.read"]);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bin, "mcp", "--root", site.root],
      env: { ...process.env, NODE_OPTIONS: "", SITE_MCP_TOKEN: token } as Record<string, string>,
      stderr: "inherit",
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(transport);
    assert.ok((await names(client)).includes("read_source"));
    const source = await call(client, "read_source", { path: "03.shop/default.md" });
    assert.match(source.text, /Nothing to see/);
    await client.close();
  });
});
