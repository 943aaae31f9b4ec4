import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { restore } from "../../../support/processes/backup-commands.js";
import { useFolder } from "../../../support/folder.js";
import {
  writeTestArchive,
  type ArchiveChanges,
  type TestEntry,
} from "../../../support/packages/tar-archives.js";

const PAGE: TestEntry = { name: "files/content/index.md", body: "# Hello\n" };
const file = (name: string): TestEntry[] => [PAGE, { name, body: "x" }];

const hostile: readonly (readonly [
  title: string,
  entries: TestEntry[],
  changes?: ArchiveChanges,
])[] = [
  ["a parent folder in a name", file("files/../evil")],
  ["a parent folder within a name", file("files/a/../../evil")],
  ["an absolute name", file("/etc/evil")],
  ["an absolute name below the prefix", file("files//etc/evil")],
  ["a name of another prefix", file("evil")],
  ["a backslash", file("files/..\\evil")],
  ["a drive", file("C:/evil")],
  ["a control character", file("files/a\nb")],
  ["a hook of git", file("files/.git/hooks/post-commit")],
  ["a file of the restore itself", file("files/.dune/swap/journal.json")],
  ["a lock of the restore itself", file("files/.dune/SWAP.lock")],
  ["a very long name", file(`files/${"a".repeat(300)}`)],
  ["a path too long", file(`files/${"a/".repeat(1_500)}b`)],
  ["a table with a strange name", file("database/site_users; drop.ndjson")],
  [
    "a symbolic link",
    [PAGE, { name: "files/link", header: { type: "symlink", linkname: "/etc" } }],
  ],
  [
    "a hard link",
    [PAGE, { name: "files/link", header: { type: "link", linkname: "/etc/passwd" } }],
  ],
  ["a device", [PAGE, { name: "files/device", header: { type: "character-device" } }]],
  ["a folder", [PAGE, { name: "files/folder", header: { type: "directory" } }]],
  ["a name twice", [PAGE, PAGE]],
  ["a file that is a folder too", file("files/content")],
  ["a file in a file", file("files/content/index.md/x")],
  ["a wrong checksum", [{ ...PAGE, sha256: "0".repeat(64) }]],
  ["no manifest", [PAGE], { manifest: null }],
  ["a manifest that lists less", [PAGE], { manifest: { files: [] } }],
  ["a malformed manifest", [PAGE], { manifest: { files: "all" } }],
  ["entries after the manifest", [PAGE], { after: [{ name: "files/later", body: "x" }] }],
  ["a malformed head", [PAGE], { head: { createdAt: "yesterday" } }],
  ["a runtime folder outside of the root", [PAGE], { head: { runtimeDir: "../outside" } }],
  ["a runtime folder that leaves the root", [PAGE], { head: { runtimeDir: "a/../../outside" } }],
  ["an absolute runtime folder", [PAGE], { head: { runtimeDir: "/tmp/outside" } }],
  ["the root as runtime folder", [PAGE], { head: { runtimeDir: "." } }],
  ["a head of another program", [PAGE], { head: { product: "other" } }],
];

describe("an archive", () => {
  const folder = useFolder();
  let archive: string;
  let target: string;
  beforeEach(() => {
    archive = join(folder.path, "a.tar.gz");
    target = join(folder.path, "target");
  });

  async function assertRejected(code = "ERR_BACKUP_ARCHIVE"): Promise<void> {
    await assert.rejects(restore(archive, target, { yes: true }), (error: unknown) => {
      assert.ok(error instanceof Error && "code" in error, String(error));
      assert.equal(error.code, code, error.message);
      return true;
    });
    assert.ok(!existsSync(target));
    assert.deepEqual(await readdir(folder.path), ["a.tar.gz"]);
  }

  it("is restored when all is well", async () => {
    await writeTestArchive(archive, [PAGE]);
    await restore(archive, target);
    assert.equal(await readFile(join(target, "content/index.md"), "utf8"), "# Hello\n");
    assert.deepEqual(await readdir(target), [".dune", "content"]);
  });

  for (const [title, entries, changes] of hostile) {
    it(`with ${title} is rejected, and nothing is written`, async () => {
      await writeTestArchive(archive, entries, changes);
      await assertRejected();
    });
  }

  it("creates no folder that an invalid configuration of the root names", async () => {
    await writeTestArchive(archive, [PAGE]);
    await mkdir(target);
    await writeFile(join(target, "admin.yaml"), "runtimeDir: ../outside\n");
    await restore(archive, target, { yes: true });
    assert.deepEqual((await readdir(folder.path)).toSorted(), ["a.tar.gz", "target"]);
  });

  it("of a newer format is rejected with a code of its own", async () => {
    await writeTestArchive(archive, [PAGE], { head: { format: 2, product: "renamed" } });
    await assertRejected("ERR_BACKUP_FORMAT");
  });

  it("that does not begin with its head is rejected", async () => {
    await writeTestArchive(archive, []);
    await writeFile(archive, gzipSync(Buffer.alloc(1_024)));
    await assertRejected();
  });

  it("that is truncated is rejected wherever it ends", async () => {
    await writeTestArchive(archive, [
      PAGE,
      { name: "files/big", body: "0123456789".repeat(9_000) },
    ]);
    const bytes = await readFile(archive);
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 25)) {
      await writeFile(archive, bytes.subarray(0, at));
      await assertRejected();
    }
  });

  it("with a changed byte is rejected", async () => {
    await writeTestArchive(archive, [
      PAGE,
      { name: "files/big", body: "0123456789".repeat(9_000) },
    ]);
    const bytes = await readFile(archive);
    for (let at = 12; at < bytes.length; at += Math.ceil(bytes.length / 25)) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      await writeFile(archive, changed);
      await assertRejected();
    }
  });

  it("that is not gzip, or empty, is rejected", async () => {
    for (const text of ["", "not gzip", "PK\u0003\u0004"]) {
      await writeFile(archive, text);
      await assertRejected();
    }
  });

  it("that unpacks to far more than its size is rejected", async () => {
    await writeTestArchive(archive, [PAGE, { name: "files/bomb", body: Buffer.alloc(300e6) }]);
    await assertRejected();
  });

  it("that is a folder or missing is rejected", async () => {
    const rejected = { code: "ERR_CLI_OPTION", exitCode: 2 };
    await assert.rejects(restore(folder.path, target), rejected);
    await assert.rejects(restore(join(folder.path, "none"), target), rejected);
    await mkdir(join(folder.path, "x"));
    assert.ok(!existsSync(target));
  });
});
