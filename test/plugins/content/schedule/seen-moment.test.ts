import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite, definePlugin } from "#kernel";
import { Scheduler, SeenMoment } from "../../../../plugins/content/schedule/announce-due-pages.js";
import { bootSite } from "../../../support/sites/boot-site.js";
import { indexOf } from "../../../support/content/content-tree.js";
import { useFolder } from "../../../support/folder.js";

const noon = Date.UTC(2025, 0, 1, 12);

describe("SeenMoment", () => {
  const folder = useFolder();
  const index = indexOf({ "a.md": "---\npublish_date: 2025-01-01T11:00Z\n---\n" });
  const run = async (note: string | null): Promise<{ due: number; text: string }> => {
    const file = join(folder.path, "seen");
    if (note !== null) await writeFile(file, note);
    const clock = { now: () => noon };
    let due = 0;
    const onDue = (): void => void (due += 1);
    const scheduler = new Scheduler({ clock, index: () => index, onDue });
    const seen = new SeenMoment(file, clock, scheduler);
    await seen.resume();
    scheduler.close();
    return { due, text: await readFile(file, "utf8") };
  };

  it("announces what became due since the stored time, and stores the current time", async () => {
    const tenOClock = `${noon - 2 * 3_600_000}\n`;
    assert.deepEqual(await run(tenOClock), { due: 1, text: `${noon}\n` });
    assert.deepEqual(await run(null), { due: 0, text: `${noon}\n` });
  });

  for (const note of ["", "x", "-1", "1e3", `${noon + 1}\n`, "9".repeat(400)]) {
    it(`announces nothing after ${JSON.stringify(note.slice(0, 20))}`, async () => {
      assert.equal((await run(note)).due, 0);
    });
  }

  it("stores nothing before it has resumed, and survives a failed write", async () => {
    const clock = { now: () => noon };
    const scheduler = new Scheduler({ clock, index: () => index, onDue: () => undefined });
    const seen = new SeenMoment(join(folder.path, "seen"), clock, scheduler);
    await seen.note();
    await assert.rejects(readFile(join(folder.path, "seen")));
    await writeFile(join(folder.path, "file"), "");
    await new SeenMoment(join(folder.path, "file", "seen"), clock, scheduler).resume();
    scheduler.close();
  });

  it("announces pages that became due during downtime once at startup", async () => {
    let time = Date.UTC(2025, 0, 1);
    const clock = { now: () => time };
    const files = { "content/02.later/default.md": "---\npublish_date: 2025-01-02\n---\n" };
    const root = folder.path;
    for (const [file, text] of Object.entries({ ...files, "site.yaml": "title: T\n" })) {
      await atomicWrite(join(root, file), text);
    }
    const told: string[] = [];
    const ears = definePlugin({
      name: "ears",
      version: "1.0.0",
      hooks: { onPageUpdate: ({ data }) => void told.push(`${time} ${data.sourcePath}`) },
    });
    const run = async (at: number): Promise<void> => {
      time = at;
      const running = await bootSite({ root, clock, plugins: ["content"], extraPlugins: [ears] });
      const seen = join(root, ".dune/admin/schedule-seen");
      while ((await readFile(seen, "utf8").catch(() => "")) !== `${at}\n`) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await running.close();
    };
    for (const day of [1, 3, 4]) await run(Date.UTC(2025, 0, day));
    assert.deepEqual(told, [`${Date.UTC(2025, 0, 3)} 02.later/default.md`]);
  }).timeout(120_000);
});
