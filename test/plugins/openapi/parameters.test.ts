import assert from "node:assert/strict";
import type { Operation } from "../../../plugins/openapi/contract.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

/** Names that plugins use anywhere, beside those of the document. */
const NAMES =
  "page sort dir from to depth id type status taxonomy facet modified format draft rev at";
const VALUES = ["=zzz", "=1", "=0", "=true", "=2026-01-01", "[]=a", "[zzz]=b"];
const PATHS: Readonly<Record<string, string>> = {
  route: "blog/first",
  type: "product",
  id: "chair",
  name: "tag",
  value: "sea",
};
const FILES = {
  "blueprints/post.yaml": "fields: { price: { type: number } }\n",
  "flex-objects/product.yaml": "fields: { name: { type: text } }\n",
  "flex-objects/product/chair.yaml": "name: Chair\n",
  "flex-objects/product/table.yaml": "name: Table\n",
  "content/01.home/default.md": "# Home\n",
  "content/02.blog/default.md": "---\ntitle: Blog\n---\n",
  "content/02.blog/first/post.md":
    "---\ntitle: First\ndate: 2026-01-01\nprice: 1\ntaxonomy: { tag: [sea] }\n---\nText.\n",
  "content/02.blog/second/post.md":
    "---\ntitle: Second\nprice: 2\ntaxonomy: { tag: [sea] }\n---\nText.\n",
};

describe("the parameters in the OpenAPI document", () => {
  let site: TestSite;
  before(async () => {
    const settings = { system: { server: { rate_limit: false as const } } };
    const plugins = [
      "content",
      "markdown",
      "pages",
      "search",
      "flex",
      "openapi",
      "feeds",
      "render",
    ];
    site = await bootSite({ plugins, files: FILES, settings });
  });
  after(() => site.close());

  /** Status and body; without what differs each time. */
  const answer = async (path: string): Promise<string> => {
    const response = await fetch(site.url + path);
    return `${response.status} ${(await response.text()).replace(/nonce[^>]*/g, "")}`;
  };
  const fill = (path: string): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => PATHS[name] ?? "x");
  const queryNames = ({ parameters = [] }: Operation): string[] =>
    parameters.filter((one) => one.in === "query").map(({ name }) => name);

  it("are all that change a response", async function () {
    this.timeout(120_000);
    const { paths } = site.site.use("openapi").document("public");
    const operations = Object.entries(paths).flatMap(([path, { get }]) =>
      get === undefined ? [] : [[path, get] as const],
    );
    const names = new Set([
      ...NAMES.split(" "),
      ...operations.flatMap(([, one]) => queryNames(one)),
    ]);
    const undeclared: string[] = [];
    for (const [path, operation] of operations) {
      const declared = queryNames(operation);
      const needed = declared.includes("source") ? "?source=@page.children:/blog&" : "?";
      const address = fill(path) + needed;
      const plain = await answer(address);
      for (const name of names) {
        if (declared.includes(name)) continue;
        for (const value of VALUES) {
          if ((await answer(`${address}${name}${value}`)) === plain) continue;
          undeclared.push(`GET ${path} ${name}${value}`);
          break;
        }
      }
    }
    assert.deepEqual(undeclared, []);
    assert.ok(operations.length > 10);
  });

  it("have every part of the query language", () => {
    const { paths } = site.site.use("openapi").document("public");
    for (const path of ["/api/pages", "/api/collections", "/api/flex/{type}"]) {
      const { get } = paths[path] ?? {};
      assert.ok(get);
      for (const name of ["filter", "order", "fields", "include", "cursor", "limit", "offset"])
        assert.ok(queryNames(get).includes(name), `${path} ${name}`);
    }
  });
});
