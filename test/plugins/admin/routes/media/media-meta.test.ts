import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { useAdmin } from "../../../../support/sites/use-site.js";

const FILE = "02.blog/01.first/harbour.png";
const SIDECAR = `content/${FILE}.meta.yaml`;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("sidecars through the admin API", () => {
  const site = useAdmin({ files: { [`content/${FILE}`]: PNG } });
  const author = site.user("author");
  const editor = site.user("editor");
  beforeEach(() => rm(join(site.root, SIDECAR), { force: true }));
  const put = (meta: unknown, path = FILE) =>
    editor.send("PUT", "/admin/api/media/meta", { path, meta });
  const onDisk = () => readFile(join(site.root, SIDECAR), "utf8");

  it("writes a sidecar, reads it, and shows it in the public API", async () => {
    assert.equal((await put({ alt: "The harbour", focal_point: [20, 80.5] })).status, 200);
    assert.equal(await onDisk(), "alt: The harbour\nfocal_point:\n  - 20\n  - 80.5\n");
    const { meta } = await author.json(200, "GET", `/admin/api/media/meta?path=content/${FILE}`);
    assert.deepEqual(meta, { alt: "The harbour", focal_point: [20, 80.5] });
    const media = await (await site.fetch("/api/pages/blog/first/media")).text();
    assert.match(media, /The harbour/);
    const [event] = (await site.audit()).filter((one) => one.event === "media.update");
    assert.equal(event?.detail["keys"], "alt focal_point");
  });

  it("preserves comments and other keys, and deletes the file with its last key", async () => {
    await site.write(SIDECAR, "# by hand\nlicence: CC0 # free\nalt: old\n");
    await put({ alt: "new", credit: "Ada" });
    assert.equal(await onDisk(), "# by hand\nlicence: CC0 # free\nalt: new\ncredit: Ada\n");
    await put({ alt: null, credit: null });
    assert.equal(await onDisk(), "# by hand\nlicence: CC0 # free\n");
    await put({ licence: null });
    assert.ok(!existsSync(join(site.root, SIDECAR)));
  });

  it("loses no key in concurrent changes", async () => {
    const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
    await Promise.all(keys.map((key) => put({ [key]: key })));
    const { meta } = await author.json(200, "GET", `/admin/api/media/meta?path=${FILE}`);
    assert.deepEqual(Object.keys(meta).toSorted(), keys.toSorted());
  });

  it("lets an author describe no file of a published page", async () => {
    const path = "/admin/api/media/meta";
    const first = await author.send("PUT", path, { path: FILE, meta: { alt: "The harbour" } });
    assert.equal(first.status, 403);
    await put({ alt: "The harbour" });
    const before = await onDisk();
    for (const meta of [{ alt: "Mine" }, { credit: "Me" }, { alt: null }]) {
      const { error } = await author.json(403, "PUT", path, { path: FILE, meta });
      assert.match(error, /pages\.publish is needed: .* belongs to a published page/);
    }
    assert.equal(await onDisk(), before);
  });

  it("rejects invalid values, and keys that may not be set", async () => {
    for (const meta of [
      { alt: 7 },
      { focal_point: [1] },
      { focal_point: [0, 101] },
      { focal_point: "left" },
      { alt: "x".repeat(2_001) },
      [],
      null,
    ]) {
      assert.equal((await put(meta)).status, 400, JSON.stringify(meta).slice(0, 60));
    }
    const raw = `{"path":"${FILE}","meta":{"__proto__":{"polluted":1},"constructor":{"x":1}}}`;
    assert.equal((await author.send("PUT", "/admin/api/media/meta", raw)).status, 400);
    assert.equal(Reflect.get({}, "polluted"), undefined);
    assert.ok(!existsSync(join(site.root, SIDECAR)));
  });

  it("responds 404 to anything but media of pages", async () => {
    for (const path of [
      "02.blog/01.first/post.md",
      "none.png",
      "../site.yaml",
      "..%2fsite.yaml",
      "x/\0",
    ]) {
      assert.equal((await put({ alt: "x" }, path)).status, 404, path);
    }
  });

  it("rejects a malformed sidecar without changing it", async () => {
    await site.write(SIDECAR, "alt: [\n");
    assert.equal((await put({ alt: "x" })).status, 400);
    assert.equal(await onDisk(), "alt: [\n");
  });

  it("responds 403 to a token that may not change the key, and names it", async () => {
    const limited = await site.withToken(["media.upload", "pages.publish"], { fields: ["alt"] });
    const path = "/admin/api/media/meta";
    await limited.json(200, "PUT", path, { path: FILE, meta: { alt: "The harbour" } });
    const before = await onDisk();
    for (const [key, value] of Object.entries({
      title: "Owned",
      focal_point: [1, 2],
      status: "draft",
    })) {
      const change = { path: FILE, meta: { alt: "Other", [key]: value } };
      for (const url of [path, `${path}?dry_run=true`]) {
        const refused = await limited.json(403, "PUT", url, change);
        assert.match(refused.error, new RegExp(`"${key}" may not be changed`));
      }
    }
    assert.equal(await onDisk(), before);
    await put({ credit: "Ada" });
    await limited.json(403, "PUT", path, { path: FILE, meta: { credit: null } });
    assert.match(await onDisk(), /credit: Ada/);
    await site.write(SIDECAR, "");
    await limited.json(403, "PUT", path, { path: FILE, meta: { title: "Owned" } });
  });
});
