import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { definePlugin } from "#kernel";
import { z } from "zod";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { bootCodegenSite, compileErrors, runCodegen } from "../../support/sites/codegen-site.js";

const page = "---\ntitle: Home\ntaxonomy: { tag: [sea] }\n---\nHello\n";
const FILE = "client/site-client.ts";

describe("site codegen client", () => {
  let test: TestSite;
  let loads = 0;
  before(async () => {
    test = await bootCodegenSite({
      "site.yaml": "title: T\n",
      "content/01.home/default.md": page,
      "blueprints/post.yaml":
        "fields:\n  price: { type: number, required: true }\n  kind: { type: select, options: [book, film] }\n  parts: { type: blocks }\n",
      "blueprints/page.yaml":
        "fields: { size: { type: object, fields: { length: { type: number } } } }\n",
      "flex-objects/boat.yaml":
        "title: Boats\nfields:\n  name: { type: text, required: true }\n  length: { type: number }\n  rig: { type: select, options: [sloop, ketch] }\n  afloat: { type: toggle, default: false }\n",
      "flex-objects/boat/ada.yaml": "name: Ada\nlength: 9.5\nrig: sloop\n",
      "blueprints/blocks/quote.yaml": "fields: { text: { type: text, required: true } }\n",
      "content/02.blog/default.md": "---\ntitle: Blog\n---\n",
      "content/02.blog/first/default.md": "---\ntitle: First\n---\n",
    });
  });
  afterEach(() => rm(join(test.root, "client"), { recursive: true, force: true }));
  after(() => test.close());

  interface Loaded {
    createClient(options: {
      baseUrl: string;
      token?: string;
    }): Record<string, (input?: object) => Promise<Record<string, unknown>>>;
    ApiError: new (status: number, body: unknown) => Error & { status: number; body: unknown };
  }
  async function load(): Promise<Loaded> {
    const { href } = pathToFileURL(join(test.root, FILE));
    // Another address each time, because a module is loaded once.
    return (await import(`${href}?${(loads += 1)}`)) as Loaded;
  }

  it("compiles under strict, and reports misuse as type errors", async () => {
    assert.equal((await runCodegen(test, ["client"], { admin: true })).code, 0);
    await writeFile(
      join(test.root, "client/use.ts"),
      `import { createClient, hasTemplate, ApiError, type Client } from "./site-client.ts";
       const client: Client = createClient({ baseUrl: "http://127.0.0.1" });
       export async function titles(): Promise<string[]> {
         const { items, meta } = await client.getPages({ query: { limit: 5 } });
         const total: number = meta.total;
         return total > 0 ? items.map(({ title }) => title) : [];
       }
       export async function one(): Promise<string> {
         try {
           const { values } = await client.getTaxonomyByName({ path: { name: "tag" } });
           return String(values["sea"]);
         } catch (error) {
           return error instanceof ApiError ? String(error.status) : "";
         }
       }
       export async function sparse(): Promise<unknown> {
         const filter = { price: { gte: "10" }, tag: ["a", "b"], or: [{ kind: "x" }, { kind: { in: "y,z" } }] };
         const { items, meta } = await client.getPages({ query: { filter, fields: "title" } });
         const next: string | null | undefined = meta.nextCursor;
         return [items[0]?.["title"], next];
       }
       export async function text(): Promise<string | undefined> {
         const { items } = await client.getPages({ query: { fields: "title" } });
         // @ts-expect-error -- a sparse item may lack it
         return items[0]?.title;
       }
       export async function typed(): Promise<(string | number | undefined)[]> {
         const page = await client.getPagesByRoute({ path: { route: "blog/first" } });
         if (!hasTemplate(page, "post")) return [];
         const { price, kind, parts } = page.frontmatter;
         // @ts-expect-error -- not an option
         if (kind === "game") return [];
         const [quote] = parts ?? [];
         const text: string | undefined = quote?.text;
         const { items } = await client.getPages({ query: { template: "post", fields: "price" } });
         const cheap: number | undefined = items[0]?.frontmatter?.price;
         // @ts-expect-error -- a number
         const wrong: string | undefined = items[0]?.frontmatter?.price;
         return [price, kind, text, cheap, wrong];
       }
       export async function records(): Promise<unknown> {
         const filter = { length: { gte: 9 }, or: [{ rig: "sloop" as const }, { afloat: { eq: true } }] };
         const boats = await client.getFlexByType({ path: { type: "boat" }, query: { filter } });
         const [first] = boats;
         const name: string | undefined = first?.name;
         const afloat: boolean | undefined = first?.afloat;
         // @ts-expect-error -- not a rig
         if (first?.rig === "yawl") return null;
         const boat = await client.getFlexByTypeById({ path: { type: "boat", id: "ada" } });
         const length: number | undefined = boat.length;
         const sparse = await client.getFlexByType({ path: { type: "boat" }, query: { fields: "name" } });
         // @ts-expect-error -- a sparse record may lack it
         const text: string = sparse[0]?.name;
         return [name, afloat, length, boat._createdAt.toFixed(), text];
       }
       export const filters = [
         () => client.getPages({ query: { template: "post", filter: { price: { gte: 10, lt: "20" }, kind: "book", "taxonomy.tag": ["a"], title: { startsWith: "A" } } } }),
         () => client.getPages({ query: { template: "post", filter: { "frontmatter.own": { exists: true }, or: [{ kind: { in: ["book"] } }, { published: false }] } } }),
         () => client.getPages({ query: { template: "page", filter: { "size.length": { gt: 1 } } } }),
         () => client.getCollections({ query: { template: "post", filter: { "parts.type": { contains: "quote" } } } }),
       ];
       // @ts-expect-error -- no such field of records
       export const field = () => client.getFlexByType({ path: { type: "boat" }, query: { filter: { lenght: 9 } } });
       // @ts-expect-error -- no such record type
       export const recordType = () => client.getFlexByType({ path: { type: "boats" } });
       // @ts-expect-error -- a number
       export const value = () => client.getFlexByType({ path: { type: "boat" }, query: { filter: { length: { gte: "long" } } } });
       // @ts-expect-error -- no such operator
       export const recordOperator = () => client.getFlexByType({ path: { type: "boat" }, query: { filter: { length: { greater: 9 } } } });
       // @ts-expect-error -- no such field of posts
       export const pageField = () => client.getPages({ query: { template: "post", filter: { prise: { gte: 10 } } } });
       // @ts-expect-error -- not an option
       export const option = () => client.getPages({ query: { template: "post", filter: { or: [{ kind: "game" }] } } });
       // @ts-expect-error -- no such page type
       export const unknown = (page: object) => hasTemplate(page, "pots");
       // @ts-expect-error -- no such operator
       export const operator = () => client.getPages({ query: { filter: { price: { greater: "1" } } } });
       // @ts-expect-error -- no such parameter
       export const wrong = () => client.getPages({ query: { limt: 5 } });
       // @ts-expect-error -- the name is required
       export const missing = () => client.getTaxonomyByName({});
      `,
    );
    assert.equal(await compileErrors(test.root, ["client/*.ts"]), "");
  });

  it("requests the API: paths with slashes, queries, errors as errors", async () => {
    await runCodegen(test, ["client"]);
    const { createClient, ApiError } = await load();
    const client = createClient({ baseUrl: `${test.url}/` });
    const pages = await client["getPages"]?.({ query: { limit: 1, order: "title:asc" } });
    assert.deepEqual(pages?.["meta"], { total: 3, page: 1, pages: 3, limit: 1 });
    const first = await client["getPagesByRoute"]?.({ path: { route: "blog/first" } });
    const filter = {
      length: { gte: 9, lt: "10" },
      or: [{ rig: "ketch" }, { afloat: { eq: false } }],
    };
    const boats = await client["getFlexByType"]?.({ path: { type: "boat" }, query: { filter } });
    assert.deepEqual(
      (boats as unknown as { name: string }[]).map(({ name }) => name),
      ["Ada"],
    );
    assert.equal(first?.["title"], "First");
    const found = await client["getSearch"]?.({
      query: { q: "hello", taxonomy: { tag: "sea" }, lang: undefined },
    });
    assert.equal(found?.["total"], 1);
    await assert.rejects(
      async () => client["getPagesByRoute"]?.({ path: { route: "no/where" } }),
      (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.status, error.body], [404, { error: "Not found" }]);
        return true;
      },
    );
  });

  it("sends bodies and the token", async () => {
    await runCodegen(test, ["client"], { admin: true });
    const { createClient } = await load();
    const seen: unknown[] = [];
    const server = createServer((req, res) => {
      let body = "";
      req.on("data", (chunk: Buffer) => (body += chunk.toString()));
      req.on("end", () => {
        seen.push([req.method, req.url, req.headers.authorization, body]);
        res.writeHead(200, { "content-type": "application/json" }).end('{"html":""}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: "secret" });
    await client["postAdminApiRenderMarkdown"]?.({ body: { markdown: "# A" } });
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(seen, [
      ["POST", "/admin/api/render-markdown", "Bearer secret", '{"markdown":"# A"}'],
    ]);
  });

  it("--check fails while the file is missing or out of date", async () => {
    assert.equal((await runCodegen(test, ["client"], { check: true })).code, 1);
    await runCodegen(test, ["client"]);
    assert.equal((await runCodegen(test, ["client"], { check: true })).code, 0);
    const text = await readFile(join(test.root, FILE), "utf8");
    assert.ok(!text.includes("/admin/"), "the admin API is asked for");
    await writeFile(join(test.root, FILE), `${text}\n// changed\n`);
    assert.equal((await runCodegen(test, ["client"], { check: true })).code, 1);
  });

  it("rejects a path outside of the site, and a site without openapi", async () => {
    for (const out of ["../client.ts", "/tmp/client.ts", "client.js"]) {
      await assert.rejects(runCodegen(test, ["client"], { out }), { code: "ERR_CODEGEN_CLIENT" });
    }
    const bare = await bootSite({ plugins: ["codegen", "content"] });
    await assert.rejects(runCodegen(bare, ["client"]), { code: "ERR_CODEGEN_CLIENT" });
    await bare.close();
  });

  it("overwrites only generated files, unless --force is given", async () => {
    await test.write("src/mine.ts", "export const mine = 1;\n");
    const out = "src/mine.ts";
    await assert.rejects(runCodegen(test, ["client"], { out }), { code: "ERR_CODEGEN_EXISTS" });
    assert.equal(await readFile(join(test.root, out), "utf8"), "export const mine = 1;\n");
    assert.equal((await runCodegen(test, ["client"], { out, force: true })).code, 0);
    assert.equal((await runCodegen(test, ["client"], { out })).code, 0);
  });

  it("sends bodies other than JSON unchanged, and cannot be led to another route", async () => {
    const seen: string[] = [];
    const raw = definePlugin({
      name: "raw",
      version: "1.0.0",
      setup: (site) =>
        site.http.route({
          method: "put",
          path: "/api/raw/:id",
          summary: "Takes bytes",
          body: { as: "raw", limit: 100 },
          responses: { 200: z.object({ id: z.string() }) },
          handler: (req, res, { body, params }) => {
            seen.push(String(body));
            return site.http.json(req, res, { id: params["id"] ?? "" });
          },
        }),
    });
    const site = await bootSite({ plugins: ["codegen", "openapi"], extraPlugins: [raw] });
    await runCodegen(site, ["client"]);
    const { createClient } = (await import(join(site.root, FILE))) as Loaded;
    const put = createClient({ baseUrl: site.url })["putRawById"];
    const body = new Uint8Array([104, 105]);
    assert.deepEqual(await put?.({ path: { id: "a b" }, body }), { id: "a b" });
    for (const id of ["..", ".", "a/../.."]) {
      await assert.rejects(async () => put?.({ path: { id }, body }), /id cannot be/);
    }
    await site.close();
    assert.deepEqual(seen, ["hi"]);
  });

  it("includes the routes of other plugins, with names that cannot break a comment", async () => {
    const boats = definePlugin({
      name: "boats",
      version: "1.0.0",
      setup: (site) =>
        site.http.route({
          method: "get",
          path: "/api/boats/:id",
          summary: "A boat */ alert(1) /*",
          responses: { 200: z.object({ id: z.string() }).meta({ id: "Sail-boat" }) },
          handler: (req, res) => site.http.json(req, res, { id: "a" }),
        }),
    });
    const site = await bootSite({ plugins: ["codegen", "openapi"], extraPlugins: [boats] });
    await runCodegen(site, ["client"]);
    const text = await readFile(join(site.root, FILE), "utf8");
    await site.close();
    assert.match(text, /getBoatsById\(input: \{ path: \{/);
    assert.ok(!text.includes("*/ alert"));
  });
});
