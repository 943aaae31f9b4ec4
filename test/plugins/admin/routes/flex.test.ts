import assert from "node:assert/strict";
import { useAdmin } from "../../../support/sites/use-site.js";

describe("flex objects of the admin API", () => {
  const site = useAdmin({
    files: {
      "admin.yaml":
        'roles:\n  blogger: { permissions: [pages.read, flex.read, flex.write], paths: ["blog/**"] }\n',
      "flex-objects/loan.yaml":
        "title: Loans\nfields:\n  who: { type: text, required: true }\n  day: { type: date, default: now }\n",
      "flex-objects/loan/old.yaml": "who: Old\n",
      "flex-objects/book.yaml":
        "title: Books\nfields:\n  name: { type: text, required: true }\n  pages: { type: number }\n",
    },
  });
  const editor = site.user("editor");
  const author = site.user("author");
  const books = "/admin/api/flex/book";

  it("lists the types with their fields", async () => {
    const { items } = await author.json(200, "GET", "/admin/api/flex");
    assert.deepEqual(
      items.map(({ name }: { name: string }) => name),
      ["book", "loan"],
    );
  });

  it("writes the moment of creation where a default is `now`", async () => {
    const loans = "/admin/api/flex/loan";
    const today = new Date().toISOString().slice(0, 10);
    const { items } = await author.json(200, "GET", "/admin/api/flex");
    const loan = items.find(({ name }: { name: string }) => name === "loan");
    assert.equal(loan.fields[1].default, today);
    const made = await editor.json(201, "POST", loans, { who: "Ines" });
    assert.equal(made.day, today);
    const own = await editor.json(201, "POST", loans, { who: "Ada", day: "2020-01-01" });
    assert.equal(own.day, "2020-01-01");
    // A record from before the field has no date, rather than today's.
    const old = await editor.json(200, "GET", `${loans}/old`);
    assert.equal(old.day, undefined);
  });

  it("requires publish rights to make a record visible", async () => {
    const writer = await site.withToken(["flex.read", "flex.write"]);
    const shown = async (id: string) => (await site.fetch(`/api/flex/book/${id}`)).status === 200;

    const hidden = await editor.json(201, "POST", books, { name: "Ubik", published: false });
    for (const published of [true, null]) {
      const { error } = await writer.json(403, "PUT", `${books}/${hidden._id}`, { published });
      assert.match(error, /pages\.publish/);
    }
    await writer.json(200, "PUT", `${books}/${hidden._id}`, { name: "Valis" });
    assert.equal(await shown(hidden._id), false);

    const begun = await writer.json(201, "POST", books, { name: "Solaris", published: true });
    assert.equal(await shown(begun._id), false);
    await editor.json(200, "PUT", `${books}/${begun._id}`, { published: true });
    assert.equal(await shown(begun._id), true);
    await writer.json(200, "PUT", `${books}/${begun._id}`, { name: "Solaris 2" });
    assert.equal(await shown(begun._id), true);
    for (const { _id } of [hidden, begun]) await editor.json(200, "DELETE", `${books}/${_id}`);
  });

  it("creates, reads, changes and deletes records", async () => {
    const made = await editor.json(201, "POST", books, { name: "Dune", pages: 412, _id: "chosen" });
    assert.match(made._id, /^[0-9a-f]{12}$/);
    const answer = await author.send("GET", `${books}/${made._id}`);
    const etag = answer.headers.get("etag") ?? "";
    assert.equal(((await answer.json()) as { name: string }).name, "Dune");
    await editor.json(200, "PUT", `${books}/${made._id}`, { name: "Dune 2" }, { "if-match": etag });
    await editor.json(409, "PUT", `${books}/${made._id}`, { name: "x" }, { "if-match": etag });
    assert.equal((await author.json(200, "GET", books)).total, 1);
    await editor.json(200, "DELETE", `${books}/${made._id}`);
    assert.equal((await author.send("GET", `${books}/${made._id}`)).status, 404);
  });

  it("responds 422 with the invalid fields", async () => {
    const { details, validationErrors } = await editor.json(422, "POST", books, { pages: "many" });
    assert.deepEqual(details.map(({ field }: { field: string }) => field).sort(), [
      "name",
      "pages",
    ]);
    assert.deepEqual(validationErrors[0], { field: "name", message: "name is required." });
  });

  it("responds 404 to unknown types and records, and to ids with paths", async () => {
    for (const path of [
      "/admin/api/flex/none",
      `${books}/none`,
      `${books}/..%2f..%2fsite`,
      `${books}/%00`,
      `${books}/${"a".repeat(300)}`,
      "/admin/api/flex/__proto__",
    ]) {
      assert.equal((await editor.send("GET", path)).status, 404, path);
      if (path.startsWith(`${books}/`))
        assert.equal((await editor.send("PUT", path, { name: "x" })).status, 404, path);
    }
  });

  it("lets authors read only", async () => {
    assert.equal((await author.send("POST", books, { name: "x" })).status, 403);
  });

  it("denies records to tokens and roles that are limited to paths", async () => {
    const { _id: id } = await editor.json(201, "POST", books, { name: "Emma" });
    const permissions = ["pages.read", "flex.read", "flex.write"];
    const bearers = [
      await site.withToken(permissions, { paths: ["blog/**"] }),
      await site.withToken(permissions, { paths: ["blog/**"], userId: editor.id }),
      await site.withToken(permissions, { paths: ["**"] }),
    ];
    // A path in the record is no path of a page.
    const data = { name: "Owned", path: "blog/x.md" };
    for (const limited of [...bearers, await site.as("blogger")]) {
      for (const [method, path, body] of [
        ["GET", "/admin/api/flex"],
        ["GET", `${books}?path=blog/x.md`],
        ["GET", `${books}/${id}`],
        ["POST", books, data],
        ["POST", `${books}?dry_run=true`, data],
        ["PUT", `${books}/${id}`, data],
        ["DELETE", `${books}/${id}`],
      ] as const) {
        const { error } = await limited.json(403, method, path, body);
        assert.match(error, /flex\.(?:read|write) is needed; .*limited to paths/);
      }
      const found = await limited.json(200, "GET", "/admin/api/relations/record");
      assert.deepEqual(found, { items: [], total: 0 });
    }
    assert.equal((await editor.json(200, "GET", `${books}/${id}`)).name, "Emma");
    await editor.json(200, "DELETE", `${books}/${id}`);
  });
});
