import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { isTemporary } from "#lib/files";
import { rounds } from "../../support/rounds.js";
import { bootRoot, FILES, OPERATIONS } from "../../support/processes/steps/operations.js";

const PROGRAM = join(import.meta.dirname, "../../support/processes/steps/step-process.ts");
const said = z.object({ status: z.number(), prepared: z.string(), count: z.number() });

/** Path to content of what a visitor or an editor sees: pages, media, records, configuration. */
function seen(root: string): Record<string, string> {
  const names = ["content", "site.yaml", "flex-objects"];
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !isTemporary(entry.name),
  );
  const all = files.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const shown = all.filter((path) => names.includes(path.split("/")[0] ?? ""));
  return Object.fromEntries(
    shown.toSorted().map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}

describe("changes of several files, killed at every file-system call", function () {
  this.timeout(1_200_000);
  let folder = "";
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "site-test-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  /** Makes the change in a process that copies its root at each call, and is killed. */
  async function copies(name: string): Promise<z.infer<typeof said> & { roots: string[] }> {
    const root = join(folder, "root");
    for (const [path, data] of Object.entries(FILES)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), data);
    }
    const target = join(folder, "copies");
    const child = spawn(
      process.execPath,
      ["--import=tsx", "--conditions=source", PROGRAM, root, target, name],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += String(chunk)));
    await once(child, "close");
    assert.equal(child.signalCode, "SIGKILL");
    const roots = (await readdir(target)).toSorted().map((one) => join(target, one));
    return { ...said.parse(JSON.parse(text)), roots };
  }

  for (const [name, { send }] of Object.entries(OPERATIONS)) {
    it(`${name}: whole before or whole after, and done when it is sent again`, async () => {
      const { status, prepared, roots } = await copies(name);
      assert.equal(status, 200);
      const [first = "", last = ""] = [roots[0], roots.at(-1)];
      const [before, after] = [seen(first), seen(last)];
      assert.notDeepEqual(before, after);
      let finished = 0;
      const every = Math.ceil(roots.length / rounds(roots.length));
      for (const [at, root] of roots.entries()) {
        if (at % every !== 0 && at !== roots.length - 1) continue;
        const { site, client } = await bootRoot(root);
        try {
          const now = seen(root);
          const isAfter = isDeepStrictEqual(now, after);
          if (isAfter) finished += 1;
          // An import adds the redirects of all its pages at its end.
          const whole = { ...after, "site.yaml": before["site.yaml"] };
          const isWithoutRedirects = name === "import" && isDeepStrictEqual(now, whole);
          if (!isAfter && !isWithoutRedirects) {
            assert.deepEqual(now, before, `call ${at} of ${roots.length}`);
          }
          const health = site.site.use("health").problems();
          assert.deepEqual(health, [], `call ${at}`);
          const again = await send(site, client, prepared);
          // What has been done already is not there to be done.
          assert.ok(again === 200 || (isAfter && again === 404), `call ${at}: ${again}`);
          assert.deepEqual(seen(root), after, `call ${at}: again`);
          // A folder without a journal is removed later: its step may be about to begin.
          const journals = readdirSync(join(root, ".dune/admin"), { recursive: true });
          assert.deepEqual(
            journals.filter((path) => String(path).endsWith("journal.json")),
            [],
          );
        } finally {
          await site.close();
        }
      }
      assert.ok(finished > 0 && finished < roots.length && roots.length > 40);
    });
  }
});
