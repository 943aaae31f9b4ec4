import assert from "node:assert/strict";
import { rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HeldAnswers, stampOf, type KeptAnswer } from "../../../plugins/media/held-answers.js";
import { useFolder } from "../../support/folder.js";

function answer(length: number): KeptAnswer {
  const type = "image/png";
  const body = Buffer.alloc(length);
  return { headers: {}, type, etag: '"a"', mtimeMs: 0, body, whole: { type, body } };
}

describe("HeldAnswers", () => {
  const folder = useFolder();
  const path = () => join(folder.path, "a.png");

  async function held(): Promise<HeldAnswers> {
    const answers = new HeldAnswers();
    await writeFile(path(), "one");
    const files = [
      { path: path(), stamp: stampOf(path()) },
      { path: `${path()}.meta.yaml`, stamp: null },
    ];
    answers.hold("/a.png?w=320", answer(9), { generation: 1, files });
    return answers;
  }

  it("holds an answer while nothing it was made from has changed", async () => {
    const answers = await held();
    assert.equal(answers.find("/a.png?w=320", 1)?.body.length, 9);
    assert.equal(answers.find("/a.png?w=640", 1), null);
  });

  const changes: Record<string, (file: string) => Promise<void>> = {
    "the file has other bytes": (file) => writeFile(file, "two"),
    "the file is gone": (file) => rm(file),
    "the file was replaced by one of the same length": async (file) => {
      await writeFile(`${file}.new`, "new");
      await rename(`${file}.new`, file);
    },
    "the file became a link": async (file) => {
      await rename(file, `${file}.real`);
      await symlink(`${file}.real`, file);
    },
    "a sidecar appeared": (file) => writeFile(`${file}.meta.yaml`, "alt: x"),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`lets go when ${what}`, async () => {
      const answers = await held();
      await change(path());
      assert.equal(answers.find("/a.png?w=320", 1), null);
    });
  }

  it("lets go when the content has changed, and when it is cleared", async () => {
    assert.equal((await held()).find("/a.png?w=320", 2), null);
    const answers = await held();
    answers.clear();
    assert.equal(answers.find("/a.png?w=320", 1), null);
  });

  it("stays below its cap, whatever is asked for", () => {
    const answers = new HeldAnswers();
    for (let index = 0; index < 300; index += 1) {
      answers.hold(`/${index}`, answer(500_000), { generation: 1, files: [] });
    }
    const left = Array.from({ length: 300 }, (_, index) => answers.find(`/${index}`, 1)).filter(
      Boolean,
    );
    assert.ok(left.length > 100 && left.length < 140, `${left.length} of 500 KB in 64 MB`);
  });
});
