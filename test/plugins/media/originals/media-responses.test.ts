import assert from "node:assert/strict";
import { rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  MediaResponses,
  readStamp,
  type CachedMediaResponse,
} from "../../../../plugins/media/originals/media-responses.js";
import { testCaches } from "../../../support/test-caches.js";
import { useFolder } from "../../../support/folder.js";

function response(length: number): CachedMediaResponse {
  const type = "image/png";
  const body = Buffer.alloc(length);
  return { headers: {}, type, etag: '"a"', mtimeMs: 0, body, whole: { type, body } };
}

describe("MediaResponses", () => {
  const folder = useFolder();
  const path = () => join(folder.path, "a.png");

  async function stored(): Promise<MediaResponses> {
    const responses = new MediaResponses(testCaches());
    await writeFile(path(), "one");
    const files = [
      { path: path(), stamp: readStamp(path()) },
      { path: `${path()}.meta.yaml`, stamp: null },
    ];
    responses.store("/a.png?w=320", response(9), { generation: 1, files });
    return responses;
  }

  it("returns a response while none of its dependencies has changed", async () => {
    const responses = await stored();
    assert.equal(responses.find("/a.png?w=320", 1)?.body.length, 9);
    assert.equal(responses.find("/a.png?w=640", 1), null);
  });

  const changes: Record<string, (file: string) => Promise<void>> = {
    "the file has other bytes": (file) => writeFile(file, "two"),
    "the file is deleted": (file) => rm(file),
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
    it(`drops it when ${what}`, async () => {
      const responses = await stored();
      await change(path());
      assert.equal(responses.find("/a.png?w=320", 1), null);
    });
  }

  it("drops it when the content has changed, and when it is cleared", async () => {
    assert.equal((await stored()).find("/a.png?w=320", 2), null);
    const responses = await stored();
    responses.clear();
    assert.equal(responses.find("/a.png?w=320", 1), null);
  });

  it("stays below its limit for any requests", () => {
    const responses = new MediaResponses(testCaches());
    for (let index = 0; index < 300; index += 1) {
      responses.store(`/${index}`, response(500_000), { generation: 1, files: [] });
    }
    const left = Array.from({ length: 300 }, (_, index) => responses.find(`/${index}`, 1)).filter(
      Boolean,
    );
    assert.ok(left.length > 100 && left.length < 140, `${left.length} of 500 KB in 64 MB`);
  });
});
