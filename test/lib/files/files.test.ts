import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  mkdtemp,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atomicWrite, safeJoin } from "#kernel";
import { isTemporary, readSmallFile, realInside } from "#lib/files";

describe("files", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "site-files-"));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  describe("atomicWrite", () => {
    it("reports a read-only disk as such, below folders that do not exist", function () {
      const mount = `mount -t tmpfs none ${root} && mount -o remount,ro ${root} && exec "$0" "$@"`;
      const program = `const { atomicWrite } = await import("#kernel");
        await atomicWrite("${root}/a/b.txt", "text").catch(({ code }) => console.log(code));`;
      const node = [process.execPath, "--import=tsx", "--conditions=source", "--input-type=module"];
      const words = ["-rm", "sh", "-c", mount, ...node, "--eval", program];
      const { stdout, stderr } = spawnSync("unshare", words, { encoding: "utf8" });
      if (/unshare failed|not permitted/.test(stderr)) this.skip();
      assert.equal(stdout.trim(), "EROFS", stderr);
    });

    it("creates folders, replaces the file and leaves nothing beside it", async () => {
      const file = join(root, "a", "b.json");
      await atomicWrite(file, "1");
      await atomicWrite(file, Buffer.from("2"));
      assert.equal(await readFile(file, "utf8"), "2");
      assert.deepEqual(await readdir(join(root, "a")), ["b.json"]);
    });

    it("creates files and folders for their owner only, unless they are shared", async () => {
      const modeOf = async (path: string): Promise<number> =>
        (await stat(join(root, path))).mode & 0o777;
      const umask = process.umask(0o022);
      try {
        await atomicWrite(join(root, "own", "a"), "");
        await atomicWrite(join(root, "all", "a"), "", { access: "shared" });
        assert.deepEqual([await modeOf("own"), await modeOf("own/a")], [0o700, 0o600]);
        assert.deepEqual([await modeOf("all"), await modeOf("all/a")], [0o755, 0o644]);
        process.umask(0o077);
        await atomicWrite(join(root, "strict", "a"), "", { access: "shared" });
        assert.deepEqual([await modeOf("strict"), await modeOf("strict/a")], [0o700, 0o600]);
      } finally {
        process.umask(umask);
      }
    });

    it("keeps the mode of a shared file, and corrects that of a private one", async () => {
      const file = join(root, "a");
      await writeFile(file, "1");
      await chmod(file, 0o664);
      await atomicWrite(file, "2", { access: "shared" });
      assert.equal((await stat(file)).mode & 0o777, 0o664);
      await atomicWrite(file, "3");
      assert.equal((await stat(file)).mode & 0o777, 0o600);
    });

    it("writes a stream, and nothing of a truncated one", async () => {
      const file = join(root, "upload.bin");
      async function* stream(isWhole: boolean): AsyncGenerator<Buffer> {
        yield Buffer.from("first ");
        yield Buffer.from("second");
        if (!isWhole) throw new RangeError("broken");
      }
      await assert.rejects(atomicWrite(file, stream(false)), RangeError);
      assert.deepEqual(await readdir(root), []);
      await atomicWrite(file, stream(true));
      assert.equal(await readFile(file, "utf8"), "first second");
    });

    it("keeps the old file and removes the temporary one when the write fails", async () => {
      const file = join(root, "folder");
      await mkdir(file);
      await writeFile(join(file, "x"), "kept");
      await assert.rejects(atomicWrite(file, "data"));
      assert.deepEqual(await readdir(root), ["folder"]);
      assert.equal(await readFile(join(file, "x"), "utf8"), "kept");
    });

    it("leaves the old bytes or the new ones whenever the process is killed", async () => {
      const file = join(root, "record.json");
      const bytes = (at: number): string => JSON.stringify({ at, filler: "x".repeat(50_000) });
      await writeFile(file, bytes(0));
      const program = `
        import { atomicWrite } from ${JSON.stringify(new URL("../../../lib/files/files.ts", import.meta.url).href)};
        for (let at = 1; ; at += 1) await atomicWrite(${JSON.stringify(file)}, JSON.stringify({ at, filler: "x".repeat(50_000) }));
      `;
      for (let run = 0; run < 5; run += 1) {
        const child = spawn(process.execPath, [
          "--import=tsx",
          "--input-type=module",
          "-e",
          program,
        ]);
        await new Promise((resolve) => setTimeout(resolve, 700 + run * 37));
        child.kill("SIGKILL");
        await once(child, "exit");
        const text = await readFile(file, "utf8");
        assert.equal(text, bytes((JSON.parse(text) as { at: number }).at));
      }
      const left = (await readdir(root)).filter((name) => name !== "record.json");
      assert.ok(
        left.every((name) => isTemporary(name)),
        left.join(),
      );
    });
  });

  describe("readSmallFile", () => {
    it("returns the current text, null for a missing file", async () => {
      const file = join(root, "record.json");
      assert.equal(readSmallFile(file), null);
      for (const text of ["{}", "", "ä"]) {
        await atomicWrite(file, text);
        assert.equal(readSmallFile(file), text);
      }
      await rm(file);
      assert.equal(readSmallFile(file), null);
      assert.equal(readSmallFile(join(root, "no-folder", "record.json")), null);
      await writeFile(join(root, "plain"), "");
      assert.equal(readSmallFile(join(root, "plain", "record.json")), null);
    });

    it("throws any other error of the disk", async () => {
      const file = join(root, "record.json");
      await mkdir(file);
      assert.throws(() => readSmallFile(file), { code: "EISDIR" });
      await symlink("loop.json", join(root, "loop.json"));
      assert.throws(() => readSmallFile(join(root, "loop.json")), { code: "ELOOP" });
    });
  });

  describe("safeJoin", () => {
    for (const path of ["../x", "a/../../x", "/etc/passwd", "a\0b", "a\\b", "C:x", "..", "a/.."]) {
      it(`rejects ${JSON.stringify(path)}`, () => assert.equal(safeJoin("/root/site", path), null));
    }
    for (const path of ["a", "a/b.md", "..a/b", "a..b", "ä ö/%2e", "."]) {
      it(`joins ${JSON.stringify(path)}`, () => {
        assert.ok(safeJoin("/root/site", path)?.startsWith("/root/site"));
      });
    }
  });

  describe("realInside", () => {
    it("returns null for a link that leaves the root and for a missing file", async () => {
      await symlink("/etc", join(root, "evil"));
      await writeFile(join(root, "good"), "x");
      await symlink(join(root, "good"), join(root, "inner"));
      assert.equal(await realInside(root, join(root, "evil", "passwd")), null);
      assert.equal(await realInside(root, join(root, "none")), null);
      assert.ok((await realInside(root, join(root, "inner")))?.endsWith("/good"));
    });
  });
});
