import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AdminSite } from "../../../support/sites/admin-site.js";
import { useAdmin, useFreshAdmin } from "../../../support/sites/use-site.js";

const PAGES = "/admin/api/pages";
const FIELDS = `fields:
  author: { type: page, of: [author], from: /authors, label: Author }
  related: { type: pages, label: Related }
  product: { type: record, of: product, label: Product }
  products: { type: records, of: product, label: Products }
  photo: { type: media, label: Photo }
  owner: { type: user, label: Owner }
`;
const FILES = {
  "content/02.blog/01.first/post.md":
    "---\n# a comment\n# no tags\ntitle: First\n---\nFirst body.\n",
  "blueprints/post.yaml": FIELDS,
  "blueprints/author.yaml": "template: default\n",
  "flex-objects/product.yaml": FIELDS.replace("fields:\n", "fields:\n  name: { type: text }\n"),
  "flex-objects/product/chair.yaml": "name: Chair\nauthor: authors/ines\n",
  "flex-objects/product/bench.yaml": "name: Bench\nauthor: authors/none\n",
  "content/03.authors/ines/author.md": "# Ines\n",
  "content/03.authors/ines/face.png": "x",
};
/** Field, a value that leads somewhere, one that does not. */
const RELATIONS = [
  ["author", "authors/ines", "authors/unknown"],
  ["author", "authors/ines", "blog/first"],
  ["related", ["blog/first"], ["blog/first", "blog/none"]],
  ["product", "chair", "table"],
  ["products", ["chair"], ["chair", "product/table"]],
  ["photo", "authors/ines/face.png", "authors/ines/none.png"],
  ["owner", null, "0123456789abcdef0123456789abcdef"],
  ["owner", null, "../../etc/passwd"],
] as const;

const problems = async ({ site }: AdminSite, sourcePath: string) =>
  (await site.use("check").problems()).filter(({ sourcePath: path }) => path === sourcePath);

describe("values of relations", () => {
  const site = useAdmin({ files: FILES });
  const admin = site.user("admin");

  for (const [field, known, missing] of RELATIONS) {
    it(`are a 422 at saving and a warning at reading: ${field} ${JSON.stringify(missing)}`, async () => {
      const path = "02.blog/01.first/post.md";
      await site.write(`content/${path}`, FILES["content/02.blog/01.first/post.md"]);
      await site.site.use("content").refresh([path]);
      const page = `${PAGES}/${path}`;
      const record = "/admin/api/flex/product/chair";
      const patch = (value: unknown) => ({ frontmatter: { [field]: value } });
      const refused = await admin.json(422, "PUT", page, patch(missing));
      assert.equal(refused.validationErrors.length, 1);
      assert.match(refused.validationErrors[0].field, new RegExp(`^${field}`));
      const refusedRecord = await admin.json(422, "PUT", record, { [field]: missing });
      assert.match(refusedRecord.validationErrors[0].field, new RegExp(`^${field}`));
      const good = known ?? admin.id;
      await admin.json(200, "PUT", page, patch(good));
      await admin.json(200, "PUT", record, { [field]: good });
      assert.deepEqual(await problems(site, path), []);
      await site.write(
        `content/${path}`,
        `---\ntitle: First\n${field}: ${JSON.stringify(missing)}\n---\n`,
      );
      await site.site.use("content").refresh([path]);
      const [problem] = await problems(site, path);
      assert.deepEqual([problem?.severity, problem?.line], ["warning", 3]);
      assert.equal((await site.fetch("/api/pages/blog/first")).status, 200);
    });
  }
});

describe("relations that lead nowhere", () => {
  const site = useFreshAdmin({ files: FILES });
  const admin = site.user("admin");
  it("are named when pages, files and records are deleted, with those of a folder", async () => {
    await site.write(
      "content/02.blog/01.first/post.md",
      "---\ntitle: First\nphoto: authors/ines/face.png\nproducts: [chair]\n---\n![Ines](../../03.authors/ines/face.png)\n",
    );
    await site.site.use("content").refresh(["02.blog/01.first/post.md"]);
    const named = ({ references }: { references: { from: string; field?: string }[] }) =>
      references.map(({ from, field = "text" }) => `${from.split("/").at(-1)} ${field}`);
    const face = "/admin/api/media?path=03.authors/ines/face.png";
    const file = await admin.json(200, "DELETE", face);
    assert.deepEqual(named(file), ["post.md text", "post.md photo"]);
    await admin.json(200, "POST", "/admin/api/trash", { id: file.trashId });
    const ines = `${PAGES}/03.authors/ines/author.md`;
    const alone = await admin.json(200, "GET", `${ines}/references`);
    assert.deepEqual(named({ references: alone.items }), ["post.md photo", "chair.yaml author"]);
    const record = await admin.json(200, "DELETE", "/admin/api/flex/product/chair");
    assert.deepEqual(named(record), ["post.md products.0"]);
    const page = await admin.json(200, "DELETE", `${ines}?folder=true`);
    assert.deepEqual(named(page), ["post.md text", "post.md photo"]);
  });

  it("of records are warnings, and the records are served", async () => {
    const [problem, ...more] = await problems(site, "flex-objects/product/bench.yaml");
    assert.deepEqual(more, []);
    assert.deepEqual([problem?.severity, problem?.key], ["warning", "author"]);
    assert.equal((await site.fetch("/api/flex/product/bench")).status, 200);
  });

  it("are accepted for a deleted account in a field that stays, and reported at reading", async () => {
    const { id } = await site.as("editor", { username: "leaving" });
    const page = `${PAGES}/02.blog/01.first/post.md`;
    const record = "/admin/api/flex/product/chair";
    await admin.json(200, "PUT", page, { frontmatter: { owner: id } });
    await admin.json(200, "PUT", record, { owner: id });
    await site.site.use("users").delete(id);
    await admin.json(200, "PUT", page, { frontmatter: { title: "Other" } });
    await admin.json(200, "PUT", page, { body: "Other text." });
    await admin.json(200, "PUT", record, { name: "Stool" });
    const found = await problems(site, "02.blog/01.first/post.md");
    assert.deepEqual(
      found.map(({ severity, key }) => [severity, key]),
      [["warning", "owner"]],
    );
    assert.equal((await problems(site, "flex-objects/product/chair.yaml")).length, 1);
    await admin.json(422, "PUT", `${PAGES}/02.blog/02.second/post.md`, {
      frontmatter: { owner: id },
    });
    await admin.json(200, "PUT", page, { frontmatter: { owner: admin.id } });
    await admin.json(422, "PUT", page, { frontmatter: { owner: id } });
  });

  it("name the pages and records that use a page when it is deleted", async () => {
    const post = `${PAGES}/02.blog/01.first/post.md`;
    await admin.json(200, "PUT", post, { frontmatter: { author: "authors/ines" } });
    const ines = `${PAGES}/03.authors/ines/author.md`;
    const users = [
      { from: "02.blog/01.first/post.md", text: "authors/ines", line: 5, field: "author" },
      { from: "flex-objects/product/chair.yaml", text: "authors/ines", line: 2, field: "author" },
    ];
    assert.deepEqual((await admin.json(200, "GET", `${ines}/references`)).items, users);
    assert.deepEqual((await admin.json(200, "DELETE", ines)).references, users);
    assert.equal((await problems(site, "02.blog/01.first/post.md")).length, 1);
  });

  it("do not come from moving a page: its records follow", async () => {
    const body = { path: "03.authors/ines", to: "03.authors/inez" };
    const { rewritten } = await admin.json(200, "POST", `${PAGES}/move`, body);
    assert.deepEqual(rewritten, ["flex-objects/product/chair.yaml"]);
    const file = join(site.root, "flex-objects/product/chair.yaml");
    assert.match(await readFile(file, "utf8"), /author: authors\/inez/);
  });
});
