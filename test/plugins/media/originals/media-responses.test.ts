import assert from "node:assert/strict";
import {
  MediaResponses,
  type CachedMediaResponse,
} from "../../../../plugins/media/originals/media-responses.js";
import { testCaches } from "../../../support/test-caches.js";

function response(length: number): CachedMediaResponse {
  const type = "image/png";
  const body = Buffer.alloc(length);
  return { headers: {}, type, etag: '"a"', mtimeMs: 0, body, whole: { type, body } };
}

describe("MediaResponses", () => {
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
