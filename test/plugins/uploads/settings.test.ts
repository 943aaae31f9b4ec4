import assert from "node:assert/strict";
import { settings } from "../../../plugins/uploads/settings.js";

const parse = (uploads?: unknown) => settings.site.parse({ uploads }).uploads;

describe("settings of uploads", () => {
  it("are absent without the block", () => assert.equal(parse(), undefined));

  it("have the defaults of the specification", () => {
    const { max_total_mb: _, ...specified } = parse({}) ?? {};
    assert.deepEqual(specified, {
      max_size_mb: 10,
      allowed_types: [
        "image/jpeg",
        "image/png",
        "image/webp",
        "image/gif",
        "image/avif",
        "application/pdf",
      ],
      require_auth: false,
    });
  });

  for (const uploads of [
    { max_size_mb: 0 },
    { max_size_mb: "10" },
    { max_total_mb: -1 },
    { allowed_types: [] },
    { allowed_types: ["jpg"] },
    { require_auth: "yes" },
    { maxSizeMb: 1 },
  ]) {
    it(`reject ${JSON.stringify(uploads)}`, () => assert.throws(() => parse(uploads)));
  }
});
