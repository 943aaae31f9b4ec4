import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import {
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { lockRoot } from "#lib/files";
import { bootAdmin, password, postLogin, type AdminSite } from "../../support/sites/admin-site.js";
import { backUp, restore } from "../../support/processes/backup-commands.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { useFolder } from "../../support/folder.js";
import { readdirSync } from "node:fs";

const TYPE = "title: Products\nversion: 3\nfields:\n  name: { type: text, label: Name }\n";
const RECORD = "name: Lamp\n";
const ID = "0123456789ab";

/** Text of all files below a folder, by path, without caches and locks. */
function contentsOf(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).toSorted();
}

describe("site backup and site restore", () => {
  const folder = useFolder();
  let site: AdminSite;
  let file: string;
  let target: string;

  beforeEach(async () => {
    site = await bootAdmin({
      files: {
        "flex-objects/product.yaml": TYPE,
        [`flex-objects/product/${ID}.yaml`]: RECORD,
        ".env": "SITE_AUTH_SECRET=do-not-copy\n",
        ".npmrc": "//packages.example/:_authToken=do-not-copy\n",
        "themes/own/theme.yaml": "name: own\n",
      },
    });
    file = join(folder.path, "site.tar.gz");
    target = join(folder.path, "restored");
  });
  afterEach(() => site.close());

  it("restore pages, records, logins, tokens and the audit log of a site that is served", async () => {
    const owner = await site.as("admin");
    await owner.json(201, "POST", "/admin/api/pages", {
      path: "03.new/default.md",
      content: "---\ntitle: New\n---\nA page from the panel.\n",
    });
    const { secret } = await site.site.use("admin").tokens.create({
      name: "deploy",
      permissions: ["pages.read"],
      userId: null,
      expiresAt: null,
    });
    const events = (await site.audit()).length;
    await backUp(site.root, file);
    await restore(file, target);

    const again = await bootAdmin({ root: target, files: {} });
    try {
      const page = await again.fetch("/api/pages/new");
      assert.match(await page.text(), /A page from the panel/);
      const record = await again.fetch(`/api/flex/product/${ID}`);
      assert.match(await record.text(), /Lamp/);
      const login = await postLogin(again, { username: "admin-user", password });
      assert.equal(login.status, 200);
      const withToken = await again.fetch("/admin/api/pages", {
        headers: { authorization: `Bearer ${secret}` },
      });
      assert.equal(withToken.status, 200);
      assert.ok((await again.audit()).length > events);
      const { mode } = await stat(join(target, ".dune/admin/auth-secret"));
      assert.equal(mode & 0o777, 0o600);
    } finally {
      await again.close();
    }
  });

  it("name every file that an archive cannot have, and restore all others", async () => {
    const names = ["photos\\summer.jpg", "line\nbreak.txt", "tab\t.md", "bell\u0007.md"];
    for (const name of names) await writeFile(join(site.root, "content", name), "x");
    const raw = Buffer.concat([
      Buffer.from(join(site.root, "content/")),
      Buffer.from([0xff, 0x2e, 0x6d, 0x64]),
    ]);
    await writeFile(raw, "x");
    const long = Array.from({ length: 9 }, () => "d".repeat(240));
    await mkdir(join(site.root, "content", ...long), { recursive: true });
    await writeFile(join(site.root, "content", ...long, "deep.txt"), "x");
    const { lines } = await backUp(site.root, file);
    const text = lines.join("\n");
    for (const name of [...names, "deep.txt"]) {
      assert.ok(text.includes(`${JSON.stringify(name).slice(1, -1)}"`), `${name} in ${text}`);
    }
    assert.match(text, /is not UTF-8/);
    await restore(file, target);
    assert.ok(existsSync(join(target, "content/01.home/default.md")));
  });

  it("count the same files: those that the restore adds", async () => {
    const [saved] = (await backUp(site.root, file, { json: true })).json;
    const [restored] = (await restore(file, target, { json: true })).json;
    const count = z.object({ files: z.number(), bytes: z.number() });
    const { added } = z.object({ added: z.number() }).parse(restored);
    assert.deepEqual(count.parse(restored), count.parse(saved));
    assert.equal(added, count.parse(saved).files);
  });

  it("keep the times of files to the millisecond", async () => {
    const record = join(site.root, `flex-objects/product/${ID}.yaml`);
    for (const ms of [1_795_871_257_021, 1_795_871_257_999, 1_700_000_000_001]) {
      await utimes(record, new Date(ms), (ms + 0.0005) / 1_000);
      await backUp(site.root, file);
      await restore(file, target, { yes: true });
      const { mtimeMs } = await stat(join(target, `flex-objects/product/${ID}.yaml`));
      assert.equal(Math.floor(mtimeMs), ms);
      await rm(target, { recursive: true });
    }
  });

  it("restore a file that compresses to almost nothing", async () => {
    const handle = await open(join(site.root, "content/zeros.bin"), "w");
    await handle.truncate(400 * 1_024 * 1_024);
    await handle.close();
    await backUp(site.root, file);
    await restore(file, target);
    assert.equal((await stat(join(target, "content/zeros.bin"))).size, 400 * 1_024 * 1_024);
  });

  it("leave out secrets, logins and caches, and say so", async () => {
    await site.as("admin");
    const { json } = await backUp(site.root, file, { json: true });
    const [report] = json;
    assert.match(JSON.stringify(report), /"path":"\.env","reason":"secrets/);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await restore(file, target);
    assert.match(JSON.stringify(report), /"path":"\.npmrc","reason":"secrets/);
    for (const name of [".env", ".npmrc"]) assert.ok(!existsSync(join(target, name)), name);
    assert.ok(!existsSync(join(target, ".dune/admin/sessions")));
    assert.deepEqual(readdirSync(join(target, ".dune")).toSorted(), ["admin"]);

    await backUp(site.root, file, { withSecrets: true });
    const second = join(folder.path, "second");
    await restore(file, second);
    assert.match(await readFile(join(second, ".env"), "utf8"), /do-not-copy/);
  });

  it("print what a restore would do, and change nothing, with --plan", async () => {
    await backUp(site.root, file);
    await mkdir(join(target, "content"), { recursive: true });
    await writeFile(join(target, "site.yaml"), "title: Other\n");
    await writeFile(join(target, "content/own.md"), "# Own\n");
    await writeFile(join(target, "flex-objects"), "in the way\n");
    const before = contentsOf(target, ".");
    const { json } = await restore(file, target, { plan: true, json: true });
    const { plan } = json[0] as { plan: Record<string, unknown> };
    assert.deepEqual(plan["replaced"], ["site.yaml"]);
    assert.deepEqual(plan["left"], ["content/own.md", "flex-objects"]);
    assert.match(JSON.stringify(plan["added"]), /content\/02\.blog\/blog\.md/);
    assert.match(JSON.stringify(plan["conflicts"]), /flex-objects is not a folder/);
    assert.deepEqual(contentsOf(target, "."), before);
    await assert.rejects(restore(file, target, { yes: true }), { code: "ERR_RESTORE_CONFLICT" });
    assert.equal(await readFile(join(target, "site.yaml"), "utf8"), "title: Other\n");
  });

  it("replace files only with --yes, and delete others only with --exact", async () => {
    await backUp(site.root, file);
    await mkdir(join(target, "content"), { recursive: true });
    await writeFile(join(target, "site.yaml"), "title: Other\n");
    await writeFile(join(target, "content/own.md"), "# Own\n");
    await assert.rejects(restore(file, target), { code: "ERR_RESTORE_CONFIRM" });
    assert.ok(!existsSync(join(target, "flex-objects")));
    await restore(file, target, { yes: true });
    assert.equal(await readFile(join(target, "site.yaml"), "utf8"), "title: Test\n");
    assert.ok(existsSync(join(target, "content/own.md")));
    await restore(file, target, { yes: true, exact: true });
    assert.ok(!existsSync(join(target, "content/own.md")));
    const { json } = await restore(file, target, { plan: true, json: true });
    const { plan } = json[0] as { plan: Record<string, unknown[]> };
    assert.deepEqual([plan["added"], plan["replaced"], plan["left"]], [[], [], []]);
  });

  it("do not write through a link of the target", async () => {
    await backUp(site.root, file);
    const outside = join(folder.path, "outside");
    await mkdir(outside);
    await mkdir(join(target, "content"), { recursive: true });
    await symlink(outside, join(target, "content/02.blog"));
    await assert.rejects(restore(file, target, { yes: true }), { code: "ERR_RESTORE_CONFLICT" });
    assert.deepEqual(await readdir(outside), []);
  });

  it("refuse while a server runs on the root", async () => {
    await backUp(site.root, file);
    const lock = await lockRoot(join(target, ".dune/admin"), () => undefined);
    try {
      await assert.rejects(restore(file, target), { code: "ERR_ROOT_LOCKED" });
      assert.deepEqual(await readdir(target), [".dune"]);
    } finally {
      lock.release();
    }
  });

  it("name the versions of flex types and the product, with --verify", async () => {
    await backUp(site.root, file);
    const { json } = await restore(file, target, { verify: true, json: true });
    const report = json[0] as { valid: boolean; schemas: unknown; version: string };
    assert.equal(report.valid, true);
    assert.deepEqual(report.schemas, { flex: { product: 3 }, database: {} });
    assert.match(report.version, /^\d+\.\d+\.\d+/);
    assert.ok(!existsSync(target));
  });

  it("keep every page whole while pages are written during the backup", async () => {
    let isOver = false;
    let written = 0;
    const path = join(site.root, "content/busy.md");
    const writer = (async () => {
      const { atomicWrite } = await import("#kernel");
      for (let at = 0; !isOver; at += 1) {
        await atomicWrite(path, `# ${String(at).repeat(5_000)}\n`, { durable: false });
        written += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const { json } = await backUp(site.root, file, { json: true });
    isOver = true;
    await writer;
    assert.ok(written > 1);
    assert.equal((json[0] as { consistent: boolean }).consistent, false);
    await restore(file, target);
    const [, digits = ""] =
      /^# (\d+)\n$/.exec(await readFile(join(target, "content/busy.md"), "utf8")) ?? [];
    assert.ok(digits.length >= 5_000);
    assert.equal(digits, digits.slice(0, digits.length / 5_000).repeat(5_000));
  });

  it("make no backup of a folder that does not exist", async () => {
    await assert.rejects(backUp(join(folder.path, "nowhere"), file), { code: "ERR_CONFIG_ROOT" });
    assert.ok(!existsSync(join(folder.path, "nowhere")));
  });

  it("leave no unfinished archive when it cannot be written", async () => {
    await writeFile(join(folder.path, "plain"), "");
    await assert.rejects(backUp(site.root, join(folder.path, "plain/a.tar.gz")), {
      code: "ERR_BACKUP_WRITE",
    });
    const left = await readdir(join(site.root, ".dune/cache/backup"));
    assert.deepEqual(left, []);
  });
});

describe("a restored site of all plugins", () => {
  const folder = useFolder();

  it("starts, also when the backup was made of a site that does not", async () => {
    const root = join(folder.path, "old");
    await mkdir(join(root, "content"), { recursive: true });
    await writeFile(join(root, "site.yaml"), "title: 7\nunknown: true\n");
    await writeFile(join(root, "content/index.md"), "# Hello\n");
    const file = join(folder.path, "site.tar.gz");
    await backUp(root, file);
    await restore(file, join(folder.path, "new"));
    await writeFile(join(folder.path, "new/site.yaml"), "title: T\n");
    const site = await bootSite({ root: join(folder.path, "new"), plugins: ["pages"] });
    assert.equal((await site.fetch("/api/pages")).status, 200);
    await site.close();
  });
});
