import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FlexRecord } from "../../../../plugins/flex/contract.js";
import { bootSite } from "../../../support/sites/boot-site.js";
import { until } from "../../../support/until.js";
import { getLine, rawRequest } from "../../../support/servers/raw-request.js";
import { useSite } from "../../../support/sites/use-site.js";

const schema = `
title: Products
fields:
  name: { type: text, label: Name, required: true }
  price: { type: number, label: Price }
  tags: { type: list }
  active: { type: toggle }
`;

describe("GET /api/flex", () => {
  const site = useSite({
    plugins: ["content", "flex"],
    files: {
      "content/01.home/default.md": "# Home",
      "flex-objects/product.yaml": schema,
      "flex-objects/empty.yaml": "title: Empty\nfields: {}\n",
      "flex-objects/product/a.yaml":
        "_id: a\n_createdAt: 1\n_updatedAt: 9\nname: Lamp\nprice: 30\ntags: [red]\nsecret: canary\n",
      "flex-objects/product/b.yaml": "_createdAt: 3\nname: Table\nprice: 200\nactive: true\n",
      "flex-objects/product/c.yaml":
        "_createdAt: 2\nname: <img src=x onerror=alert(1)>\nprice: 30\n",
      "flex-objects/product/hidden.yaml": "name: canary\npublished: false\n",
      "flex-objects/product/broken.yaml": "price: canary\n",
      "site.yaml": "title: Test\nhealth_token: canary\n",
    },
  });

  async function list(query = ""): Promise<{ response: Response; ids: string }> {
    const response = await site.fetch(`/api/flex/product${query}`);
    assert.equal(response.status, 200, query);
    const records = (await response.json()) as FlexRecord[];
    return { response, ids: records.map(({ _id }) => _id).join("") };
  }

  it("responds with an array, newest first, of the type's own fields", async () => {
    const response = await site.fetch("/api/flex/product");
    assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(response.headers.get("x-total-count"), "3");
    const records = (await response.json()) as FlexRecord[];
    assert.deepEqual(
      records.map(({ _id }) => _id),
      ["b", "c", "a"],
    );
    assert.deepEqual(records[2], {
      _id: "a",
      _type: "product",
      _createdAt: 1,
      _updatedAt: 9,
      name: "Lamp",
      price: 30,
      tags: ["red"],
    });
  });

  it("shows no undeclared fields, hidden or invalid records", async () => {
    const text = await (await site.fetch("/api/flex/product")).text();
    assert.ok(!text.includes("canary"));
    for (const id of ["hidden", "broken"]) {
      assert.equal((await site.fetch(`/api/flex/product/${id}`)).status, 404);
    }
  });

  it("responds with one record", async () => {
    const response = await site.fetch("/api/flex/product/b");
    assert.deepEqual(await response.json(), {
      _id: "b",
      _type: "product",
      _createdAt: 3,
      _updatedAt: 3,
      name: "Table",
      price: 200,
      active: true,
    });
  });

  it("responds with an empty array for a type without records", async () => {
    const response = await site.fetch("/api/flex/empty");
    assert.equal(response.headers.get("x-total-count"), "0");
    assert.deepEqual(await response.json(), []);
  });

  for (const path of [
    "/api/flex/none",
    "/api/flex/constructor",
    "/api/flex/__proto__",
    "/api/flex/toString/valueOf",
    "/api/flex/product/none",
    "/api/flex/product/__proto__",
    "/api/flex/..%2f..%2fconfig%2fsite",
    "/api/flex/..%2fsite",
    "/api/flex/product/..%2fother",
    "/api/flex/product/..%2f..%2fsite",
    "/api/flex/product%00",
    `/api/flex/product/${"a".repeat(300)}`,
    "/api/flex/product/a/b",
    "/api/flex/",
  ]) {
    it(`${path.slice(0, 50)} is 404, or 400 for an invalid path`, async () => {
      const { status, body } = await rawRequest(site.url, getLine(path));
      assert.ok(status === 404 || status === 400, `${status}`);
      assert.ok(!body.includes("canary"));
      assert.equal(typeof (JSON.parse(body) as { error: unknown }).error, "string");
    });
  }

  it("slices, orders and filters, with Link headers", async () => {
    const { ids, response } = await list("?limit=1&offset=1");
    assert.equal(ids, "c");
    assert.equal(response.headers.get("x-total-count"), "3");
    assert.equal(
      response.headers.get("link"),
      '</api/flex/product?limit=1&offset=0>; rel="first", ' +
        '</api/flex/product?limit=1&offset=0>; rel="prev", ' +
        '</api/flex/product?limit=1&offset=2>; rel="next", ' +
        '</api/flex/product?limit=1&offset=2>; rel="last"',
    );
    assert.equal(
      (await list("?limit=3&x=1&filter[price]=30")).response.headers.get("link"),
      '</api/flex/product?limit=3&filter%5Bprice%5D=30&offset=0>; rel="first", ' +
        '</api/flex/product?limit=3&filter%5Bprice%5D=30&offset=0>; rel="last"',
    );
    assert.equal((await list("?order=price:desc")).ids, "bac");
    assert.equal((await list("?order=name")).ids, "cab");
    assert.equal((await list("?filter[price]=30")).ids, "ca");
    assert.equal((await list("?filter[tags]=red&filter[price]=30")).ids, "a");
    assert.equal((await list("?filter[active]=true")).ids, "b");
    assert.equal((await list("?offset=99")).ids, "");
  });

  for (const query of [
    "limit=0",
    "limit=x",
    "offset=-1",
    "order=none",
    "order=__proto__:asc",
    "order=name:up",
    "filter[none]=1",
    "limit=1&limit=2",
  ]) {
    it(`${query} is 400`, async () => {
      const response = await site.fetch(`/api/flex/product?${query}`);
      assert.equal(response.status, 400);
      assert.ok(((await response.json()) as { error: string }).error.length > 0);
    });
  }

  it("responds to HEAD, and 405 to methods that change something", async () => {
    const head = await site.fetch("/api/flex/product", { method: "HEAD" });
    assert.deepEqual([head.status, head.headers.get("x-total-count")], [200, "3"]);
    assert.equal((await site.fetch("/api/flex/product", { method: "POST" })).status, 405);
  });

  it("shows a change at once, through the write path and from outside", async () => {
    const flex = site.site.use("flex");
    const [result] = await flex.apply([{ op: "create", type: "product", data: { name: "New" } }]);
    const url = `/api/flex/product/${result?.id}`;
    assert.equal((await site.fetch(url)).status, 200);
    assert.ok((await list()).ids.includes(result?.id ?? "-"));
    await flex.apply([{ op: "delete", type: "product", id: result?.id ?? "" }]);
    assert.equal((await site.fetch(url)).status, 404);
    await site.write("flex-objects/product/outside.yaml", "name: Outside\n");
    await until(async () => (await site.fetch("/api/flex/product/outside")).status === 200);
  });
});

describe("GET /api/flex with many records", () => {
  it("responds with twenty thousand records and uses little memory", async () => {
    const root = mkdtempSync(join(tmpdir(), "site-test-"));
    const folder = join(root, "flex-objects", "product");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(root, "site.yaml"), "title: Test\n");
    writeFileSync(join(root, "flex-objects", "product.yaml"), schema);
    for (let index = 0; index < 20_000; index += 1) {
      writeFileSync(join(folder, `r${index}.yaml`), `_createdAt: ${index}\nname: N${index}\n`);
    }
    const site = await bootSite({ plugins: ["content", "flex"], root });
    try {
      const records = (await (await site.fetch("/api/flex/product")).json()) as FlexRecord[];
      assert.deepEqual([records.length, records[0]?._id], [20_000, "r19999"]);
      const before = process.memoryUsage().rss;
      for (let round = 0; round < 20; round += 1) {
        await (await site.fetch("/api/flex/product")).arrayBuffer();
      }
      const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
      assert.ok(grown < 200, `${grown} MB more`);
    } finally {
      await site.close();
      rmSync(root, { recursive: true });
    }
  });
});
