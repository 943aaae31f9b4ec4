import assert from "node:assert/strict";
import { useAdmin } from "../../../../support/sites/use-site.js";

const FILES = {
  "blueprints/author.yaml": "template: default\n",
  "flex-objects/product.yaml": "title: Products\nfields:\n  name: { type: text }\n",
  "flex-objects/shelf.yaml": "title: Shelves\nfields:\n  name: { type: text }\n",
  "flex-objects/product/chair.yaml": "name: Red chair\n",
  "flex-objects/shelf/oak.yaml": "name: Oak\n",
  "content/03.authors/ines/author.md": "---\ntitle: Ines\ntags: [a, b]\n---\n",
  "content/03.authors/ines/face.png": "x",
};

describe("GET /admin/api/relations/{target}", () => {
  const site = useAdmin({ files: FILES });
  const admin = site.user("admin");
  const keys = async (query: string, client = admin): Promise<unknown[]> => {
    const { items } = await client.json(200, "GET", `/admin/api/relations/${query}`);
    return items.map(({ key, label }: { key: string; label: string }) => [key, label]);
  };

  const cases: readonly [string, unknown][] = [
    ["page?q=fir", [["blog/first", "First"]]],
    ["page?of=author", [["authors/ines", "Ines"]]],
    ["page?from=/blog&q=sec", [["blog/second", "Second"]]],
    [
      "page?key=blog/second&key=authors/ines&key=none",
      [
        ["blog/second", "Second"],
        ["authors/ines", "Ines"],
      ],
    ],
    ["record?of=product&q=red", [["chair", "Red chair"]]],
    ["record?of=product&key=product/chair", [["product/chair", "Red chair"]]],
    ["record?q=oak", [["shelf/oak", "Oak"]]],
    [
      "term?from=tags",
      [
        ["a", "a"],
        ["b", "b"],
      ],
    ],
    ["term?from=tags&q=b", [["b", "b"]]],
    ["unknown", []],
  ];
  for (const [query, expected] of cases) {
    it(`lists ${query}`, async () => assert.deepEqual(await keys(query), expected));
  }

  it("names accounts to authors without their addresses", async () => {
    const author = await site.as("author", { username: "anna" });
    const { items } = await author.json(200, "GET", "/admin/api/relations/user?q=anna");
    assert.deepEqual(items, [{ key: author.id, label: "anna", detail: "anna" }]);
  });

  it("names files of other pages as fields do", async () => {
    const { items } = await admin.json(200, "GET", "/admin/api/media?q=face");
    assert.equal(items[0].key, "authors/ines/face.png");
  });
});
